//! The open sessions, each with its inspector and its worker; from two on they are tabs above it. All of them are followed and judged,
//! whichever is in front.

use std::path::Path;
use std::time::Duration;

use crossbeam_channel::bounded;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::activity::Activity;
use super::assess::Judge;
use super::feed::{Bell, Supply};
use super::inspector::Inspector;
use super::jobs::{Hands, Worker};
use super::msg::{Flow, Msg, Step};
use super::runtime::{self, Around, From, Screen, Source};
use super::term::Terminal;
use super::theme::Role;
use super::view::Canvas;
use super::{ANSWERS, Behind, Error, Exit, Options};
use crate::base::text::{clean, cut_end, cut_middle, width};

/// A session that is to be opened.
pub struct Session {
    /// What it is read from.
    pub supply: Box<dyn Supply>,
    /// Rings when there is something new of it.
    pub bell: Bell,
    /// Who judges it.
    pub judge: Box<dyn Judge>,
}

/// The open sessions.
#[derive(Default)]
pub struct Deck {
    cards: Cards,
    sources: Vec<Source>,
}

/// Their inspectors.
#[derive(Default)]
pub(crate) struct Cards {
    inspectors: Vec<Inspector>,
    front: usize,
    size: Size,
}

/// Cells of a session's name on its tab.
const NAME: usize = 20;

impl Deck {
    /// Opens a session, and brings it to the front.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn open(&mut self, session: Session, options: &Options) -> Result<(), Error> {
        let Session { supply, bell, judge } = session;
        let app = super::app(&*supply, judge.policies(), options, self.cards.inner());
        let (sender, answers) = bounded(ANSWERS);
        let worker = Worker::start(Hands::new(judge, supply.bodies()), sender)?;
        self.cards.inspectors.push(Inspector(app));
        self.cards.front = self.cards.inspectors.len() - 1;
        self.sources.push(Source { session: Some((supply, bell)), worker: Some((Box::new(worker), answers)) });
        Ok(())
    }

    /// Brings the session of a file to the front; whether it is open.
    pub fn turn_to(&mut self, path: &Path) -> bool {
        let at = self.cards.inspectors.iter().position(|card| card.0.snapshot.facts.path == path);
        self.cards.front = at.unwrap_or(self.cards.front);
        at.is_some()
    }

    /// Whether none is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Shows them until their reader leaves.
    ///
    /// # Errors
    /// The terminal fails.
    pub fn show(&mut self, terminal: &mut Terminal, options: &Options) -> Result<Exit, Error> {
        for card in &mut self.cards.inspectors {
            card.0.behind = options.behind;
        }
        loop {
            self.cards.resize(terminal.size()?);
            let around = Around { clock: &options.clock, outside: &*options.outside };
            let exit = runtime::run(terminal, &mut self.cards, &self.sources, &around)?;
            if exit != Exit::Closed {
                return Ok(exit);
            }
            let front = self.cards.front;
            self.cards.inspectors.remove(front);
            self.sources.remove(front);
            self.cards.front = front.saturating_sub(1);
            if self.is_empty() {
                return Ok(if options.behind == Behind::List { Exit::Sessions } else { Exit::Quit });
            }
        }
    }
}

impl Cards {
    #[cfg(test)]
    pub(crate) fn of(inspectors: Vec<Inspector>, size: Size) -> Self {
        Self { inspectors, front: 0, size }
    }

    fn has_tabs(&self) -> bool {
        self.inspectors.len() > 1
    }

    /// What is left to an inspector.
    fn inner(&self) -> Size {
        Size { height: self.size.height.saturating_sub(u16::from(self.has_tabs())), ..self.size }
    }

    fn resize(&mut self, size: Size) {
        self.size = size;
        let inner = self.inner();
        for card in &mut self.inspectors {
            // What that asks for is asked for when the card is in front.
            card.0.size = inner;
        }
    }

    fn turn(&mut self, steps: isize) -> Step {
        let count = isize::try_from(self.inspectors.len()).unwrap_or(1).max(1);
        let next = (isize::try_from(self.front).unwrap_or(0) + steps).rem_euclid(count);
        if count < 2 {
            return self.tell_front(Msg::Told("one session is open: A opens another one beside it".to_owned()));
        }
        self.bring(usize::try_from(next).unwrap_or(0))
    }

    /// Brings a card to the front, and asks for what it needs at this size.
    fn bring(&mut self, front: usize) -> Step {
        self.front = front;
        self.tell_front(Msg::Resize(self.inner()))
    }

    fn tell_front(&mut self, msg: Msg) -> Step {
        self.inspectors.get_mut(self.front).map(|card| card.update(msg)).unwrap_or_default()
    }

    /// The tabs, and the cells of each.
    fn tabs(&self) -> Vec<(String, std::ops::Range<usize>)> {
        let mut x = 1;
        let tab = |(name, card): (String, &Inspector)| {
            let start = x;
            x += width(&name) + width(&state(card)) + 6;
            (name, start..x - 1)
        };
        let names = apart(self.inspectors.iter().map(name).collect(), NAME);
        names.into_iter().zip(&self.inspectors).map(tab).collect()
    }

    fn strip(&self, canvas: &mut Canvas<'_>) {
        let line = Rect { x: 0, y: 0, width: self.size.width, height: self.size.height.min(1) };
        for (n, ((name, cells), card)) in self.tabs().into_iter().zip(&self.inspectors).enumerate() {
            let (role, sign) = card.0.assessment().map_or((Role::Dim, "·"), |known| {
                (super::view::verdict_role(known.judgement.verdict), super::view::verdict_sign(known.judgement.verdict))
            });
            let x = canvas.put(line, cells.start, role, sign);
            let x = canvas.put(line, x + 1, if n == self.front { Role::Focus } else { Role::Text }, &name);
            canvas.put(line, x + 1, Role::Dim, &state(card));
            if n == self.front {
                canvas.patch_cells(line, cells.start..cells.end.saturating_sub(1), Role::Marked);
            }
        }
    }
}

/// What a session is called: its folder, else its file.
fn name(card: &Inspector) -> String {
    let facts = &card.0.snapshot.facts;
    let folder = facts.directory.as_deref().and_then(|folder| folder.rsplit(['/', '\\']).find(|part| !part.is_empty()));
    let name = folder.map_or_else(|| facts.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), str::to_owned);
    clean(&name).into_owned()
}

/// The names in at most so many cells each, no two of them the same: what differs at its end is cut in the middle, and what does not
/// differ is numbered.
fn apart(names: Vec<String>, cells: usize) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|n| format!("{} {n}", cut_middle(&name, cells.saturating_sub(3))));
        let ways = [cut_end(&name, cells).into_owned(), cut_middle(&name, cells).into_owned()].into_iter().chain(numbered);
        shown.extend(ways.into_iter().find(|way| !shown.contains(way)));
    }
    shown
}

/// What the agent of a session is doing, in a word.
fn state(card: &Inspector) -> String {
    card.0.lane().map_or("", |lane| Activity::of(lane, card.0.now).word()).to_owned()
}

impl Screen for Cards {
    fn begin(&mut self, source: usize) -> Step {
        self.inspectors.get_mut(source).map(Inspector::begin).unwrap_or_default()
    }

    fn update(&mut self, from: From, msg: Msg) -> Step {
        if let From::Source(n) = from {
            let is_front = n == self.front;
            let Step { changed, jobs, effects, .. } = self.inspectors.get_mut(n).map(|card| card.update(msg)).unwrap_or_default();
            return Step { changed: changed && (is_front || self.has_tabs()), jobs, effects, flow: Flow::Go };
        }
        let step = match msg {
            Msg::Resize(size) => {
                self.resize(size);
                self.tell_front(Msg::Resize(self.inner()))
            }
            Msg::Mouse(event) if self.has_tabs() && event.row == 0 => self.click(event),
            Msg::Mouse(event) if self.has_tabs() => self.tell_front(Msg::Mouse(MouseEvent { row: event.row - 1, ..event })),
            Msg::Clock(now) => {
                let mut step = self.tell_front(Msg::Clock(now));
                for (n, card) in self.inspectors.iter_mut().enumerate() {
                    if n != self.front {
                        step.effects.extend(card.pass(now));
                    }
                }
                step
            }
            msg => self.tell_front(msg),
        };
        match step.flow {
            Flow::Turn(steps) => self.turn(steps),
            _ => step,
        }
    }

    fn front(&self) -> usize {
        self.front
    }

    fn draw(&self, buffer: &mut Buffer) {
        let Some(front) = self.inspectors.get(self.front) else { return };
        if !self.has_tabs() {
            return front.draw(buffer);
        }
        let inner = self.inner();
        let mut below = Buffer::empty(Rect { x: 0, y: 0, width: inner.width, height: inner.height });
        front.draw(&mut below);
        self.strip(&mut Canvas::new(buffer, &front.0.look.theme));
        for (from, to) in below.content.chunks(usize::from(inner.width).max(1)).zip(1_u16..) {
            for (cell, x) in from.iter().zip(0_u16..) {
                if let Some(place) = buffer.cell_mut((x, to)) {
                    place.clone_from(cell);
                }
            }
        }
    }

    fn next_change(&self) -> Option<Duration> {
        let front = self.inspectors.get(self.front).and_then(Inspector::next_change);
        let news = self.inspectors.iter().filter_map(Inspector::next_news);
        front.into_iter().chain(news).min()
    }
}

impl Cards {
    fn click(&mut self, event: MouseEvent) -> Step {
        let column = usize::from(event.column);
        let hit = self.tabs().into_iter().position(|(_, cells)| cells.contains(&column));
        match (event.kind, hit) {
            (MouseEventKind::Down(MouseButton::Left), Some(n)) => self.bring(n),
            _ => Step::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_tabs_are_called_the_same() {
        for (names, shown) in [
            (["orders", "synapse", "owed"], ["orders", "synapse", "owed"]),
            (
                ["claude-code-microsite", "claude-code-micrometer", "claude-code-x"],
                ["claude-code…", "clau…rometer", "clau…-code-x"],
            ),
            (["harbor", "harbor", "harbor"], ["harbor", "harbor 2", "harbor 3"]),
        ] {
            assert_eq!(apart(names.map(str::to_owned).to_vec(), 12), shown);
        }
    }
}
