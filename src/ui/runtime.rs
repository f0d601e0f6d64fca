//! The loop: waits for keys, snapshots and answers, and draws when a step says that something changed.
//!
//! **Invariants:** no tick, but the next second or minute of an age that is on the screen; not more than sixty frames a second,
//! and the first change after a rest is drawn at once.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, never, select};
use crossterm::event::{Event, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use super::feed::{Bell, Supply};
use super::jobs::Worker;
use super::msg::{Flow, Msg, Step};
use super::term::{Input, Terminal};
use super::{Clock, Error, Exit};

const FRAME: Duration = Duration::from_millis(16);
/// How long to wait where nothing will change by itself.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// What the loop runs: the inspector, or the list of sessions.
pub(crate) trait Screen {
    /// The first step.
    fn begin(&mut self) -> Step;
    /// Takes a message.
    fn update(&mut self, msg: Msg) -> Step;
    /// Draws.
    fn draw(&self, buffer: &mut Buffer);
    /// When something on the screen changes although nothing happens: an age.
    fn next_change(&self) -> Option<Duration>;
}

/// What the loop listens to beside the terminal.
pub(crate) struct Sources<'a> {
    pub(crate) session: Option<(&'a dyn Supply, &'a Bell)>,
    pub(crate) worker: Option<(Worker, Receiver<Msg>)>,
    pub(crate) clock: &'a Clock,
}

/// Runs a screen until it is left.
pub(crate) fn run(terminal: &mut Terminal, screen: &mut dyn Screen, sources: &Sources<'_>) -> Result<Exit, Error> {
    let quiet = (never(), never());
    let changed = sources.session.map_or(&quiet.0, |(_, bell)| bell.rung());
    let answers = sources.worker.as_ref().map_or(&quiet.1, |(_, answers)| answers);
    let input = terminal.input.clone();

    let mut step = screen.begin();
    let mut due = now();
    let mut dirty = false;
    loop {
        dirty |= step.changed;
        ask(sources, &mut step);
        match step.flow {
            Flow::Go => {}
            Flow::Sessions => return Ok(Exit::Sessions),
            Flow::Quit => return Ok(Exit::Quit),
            Flow::Redraw => terminal.forget()?,
            Flow::Suspend => {
                terminal.suspend()?;
                dirty = true;
            }
        }
        // Keys come first: what has been typed is taken in before the next frame.
        if let Ok(input) = input.try_recv() {
            match taken(input, terminal, screen)? {
                Some(next) => step = next,
                None => return Ok(Exit::Terminated),
            }
            continue;
        }
        if dirty && now() >= due {
            ask(sources, &mut screen.update(Msg::Clock((sources.clock)())));
            terminal.draw(|buffer| screen.draw(buffer))?;
            (dirty, due) = (false, now() + FRAME);
        }
        let wait = if dirty { due.saturating_duration_since(now()) } else { screen.next_change().unwrap_or(FOREVER) };
        step = select! {
            recv(input) -> input => match taken(input.unwrap_or(Input::Leave), terminal, screen)? {
                Some(step) => step,
                None => return Ok(Exit::Terminated),
            },
            recv(changed) -> _ => match sources.session {
                Some((supply, _)) => screen.update(Msg::Session(supply.latest(), supply.following())),
                None => Step::default(),
            },
            recv(answers) -> answer => answer.map_or_else(|_| Step::default(), |msg| screen.update(msg)),
            default(wait) => if dirty { Step::default() } else { screen.update(Msg::Clock((sources.clock)())) },
        };
    }
}

/// Hands the jobs of a step to the worker.
fn ask(sources: &Sources<'_>, step: &mut Step) {
    if let Some((worker, _)) = &sources.worker {
        step.jobs.drain(..).for_each(|job| worker.ask(job));
    }
}

/// Takes what came from outside; none: we are asked to leave.
fn taken(input: Input, terminal: &mut Terminal, screen: &mut dyn Screen) -> Result<Option<Step>, Error> {
    let msg = match input {
        Input::Leave => return Ok(None),
        Input::Suspend => return Ok(Some(Step { flow: Flow::Suspend, ..Step::default() })),
        Input::Resumed => {
            terminal.resume()?;
            return Ok(Some(Step { changed: true, ..Step::default() }));
        }
        Input::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => Msg::Key(key),
        Input::Event(Event::Mouse(event)) => Msg::Mouse(event),
        Input::Event(Event::Resize(width, height)) => Msg::Resize(Size { width, height }),
        Input::Event(_) => return Ok(Some(Step::default())),
    };
    Ok(Some(screen.update(msg)))
}

#[expect(clippy::disallowed_methods, reason = "frames are paced by the machine's clock; nothing that is shown depends on it")]
fn now() -> Instant {
    Instant::now()
}
