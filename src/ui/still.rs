//! The inspector without a terminal: keys in, a screen out. For benches, tests and pictures; jobs are done on the spot.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::Options;
use super::app::App;
use super::assess::Judge;
use super::feed::Supply;
use super::jobs::Hands;
use super::keymap::Chord;
use super::msg::{Flow, Msg, Step};
use super::update::{begin, update};
use super::view::view;

/// An inspector that stands still between two keys.
pub struct Still {
    app: App,
    hands: Hands,
    flow: Flow,
    /// What should have happened outside of it.
    #[cfg(test)]
    pub(crate) effects: Vec<super::msg::Effect>,
}

impl Still {
    /// Opens a session on a screen of `width` by `height` cells.
    #[must_use]
    pub fn open(supply: &dyn Supply, judge: Box<dyn Judge>, options: &Options, (width, height): (u16, u16)) -> Self {
        let size = Size { width, height };
        let app = super::app(supply, judge.policies(), options, size);
        let mut still = Self {
            app,
            hands: Hands::new(judge, supply.bodies()),
            flow: Flow::Go,
            #[cfg(test)]
            effects: Vec::new(),
        };
        let step = begin(&mut still.app);
        still.finish(step);
        still
    }

    /// Presses keys, by name, separated by blanks: `b enter ctrl-d`.
    ///
    /// # Errors
    /// A name that is no key.
    pub fn press(&mut self, keys: &str) -> Result<(), String> {
        for key in keys.split_whitespace() {
            let chord: Chord = key.parse()?;
            self.take(Msg::Key(chord.event()));
        }
        Ok(())
    }

    /// Takes the newest snapshot.
    pub fn refresh(&mut self, supply: &dyn Supply) {
        self.take(Msg::Session(supply.latest(), supply.following()));
    }

    /// Gives the screen another size.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.take(Msg::Resize(Size { width, height }));
    }

    /// Draws a frame: what the program does once for a change.
    pub fn draw(&self, buffer: &mut Buffer) {
        view(&self.app, buffer);
    }

    /// The screen as a buffer of its size.
    #[must_use]
    pub fn screen(&self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.app.size.width, self.app.size.height));
        self.draw(&mut buffer);
        buffer
    }

    /// The screen as text, without blanks at the ends of its lines.
    #[must_use]
    pub fn text(&self) -> String {
        let buffer = self.screen();
        let rows = buffer.content().chunks(usize::from(self.app.size.width).max(1));
        let lines = rows.map(|cells| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }

    pub(crate) fn take(&mut self, msg: Msg) {
        let step = update(&mut self.app, msg);
        self.finish(step);
    }

    /// Whether the last key asked to leave.
    #[must_use]
    pub fn has_quit(&self) -> bool {
        self.flow == Flow::Quit
    }

    #[cfg(test)]
    pub(crate) fn focus(&self) -> super::app::Pane {
        self.app.panes.focus
    }

    fn finish(&mut self, step: Step) {
        self.flow = step.flow;
        #[cfg(test)]
        self.effects.extend(step.effects);
        let mut jobs = step.jobs;
        while let Some(job) = jobs.pop() {
            let mut answers = Vec::new();
            self.hands.work(&job, &mut |msg| answers.push(msg));
            for msg in answers {
                let step = update(&mut self.app, msg);
                #[cfg(test)]
                self.effects.extend(step.effects);
                jobs.extend(step.jobs);
            }
        }
    }
}
