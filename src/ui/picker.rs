//! A list that one row is chosen of, narrowed by typing: the sessions of this machine, or those that a scan found.

mod sessions;
mod triage;
mod view;

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::actions::{Action, Context};
use super::app::{List, Look, Motion};
use super::keymap::letter;
use super::msg::{Flow, Msg, Step};
use super::runtime::Screen;
use super::view::Canvas;
use crate::base::time::Stamp;

pub use self::sessions::{Candidate, Liveness};
pub use self::triage::Case;

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The row of this number.
    Open(usize),
    /// None.
    Quit,
}

/// What a picker shows, row by row.
pub(crate) trait Listing {
    /// The question that the first line asks.
    const QUESTION: &'static str;
    /// What the list is called.
    const TITLE: &'static str;

    /// Number of rows.
    fn len(&self) -> usize;
    /// The words of a row that a filter is looked for in.
    fn words(&self, row: usize) -> String;
    /// What the first line says of the list, of which so many rows are shown.
    fn sum(&self, shown: usize) -> String;
    /// Draws the names of the columns.
    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>);
    /// Draws a row.
    fn row(&self, row: usize, line: Rect, now: Stamp, canvas: &mut Canvas<'_>);
    /// What is said where there is no row, and what to do then.
    fn empty(&self) -> [&'static str; 2];
    /// What is said where no row matches, and what is matched.
    fn unmatched(&self) -> [&'static str; 2];
}

/// Rows that one notch of the wheel moves.
const NOTCH: isize = 3;

/// The list's state.
pub(crate) struct Picker<L> {
    look: Look,
    listing: L,
    /// What has been typed; none: nobody is typing.
    filter: Option<String>,
    /// The rows that match, by number.
    matching: Vec<usize>,
    list: List,
    size: Size,
    now: Stamp,
    pub(crate) chosen: Option<usize>,
}

impl<L: Listing> Picker<L> {
    /// A list of which the row `selected` is selected at first.
    pub(crate) fn new(look: Look, listing: L, selected: usize, size: Size, now: Stamp) -> Self {
        let matching = (0..listing.len()).collect();
        Self { look, listing, filter: None, matching, list: List::at(selected), size, now, chosen: None }
    }

    fn context(&self) -> Context {
        if self.filter.is_some() { Context::Filter } else { Context::Picker }
    }

    /// Rows of the list.
    fn page(&self) -> usize {
        usize::from(view::body(self.size).height)
    }

    fn key(&mut self, key: KeyEvent) -> (bool, Flow) {
        let typed = letter(key);
        let keymap = &self.look.keymap;
        let action = keymap.action(self.context(), key).or_else(|| keymap.action(Context::Picker, key).filter(|_| typed.is_none()));
        match (action, &mut self.filter, typed) {
            (Some(action), ..) => (true, self.act(action)),
            (None, Some(filter), Some(letter)) => {
                filter.push(letter);
                self.narrow();
                (true, Flow::Go)
            }
            _ => (false, Flow::Go),
        }
    }

    fn act(&mut self, action: Action) -> Flow {
        let motion = match action {
            Action::Down => Motion::Rows(1),
            Action::Up => Motion::Rows(-1),
            Action::PageDown => Motion::Pages(1),
            Action::PageUp => Motion::Pages(-1),
            Action::Top => Motion::First,
            Action::End => Motion::Last,
            Action::Open => return self.choose(),
            Action::Filter => {
                self.filter = Some(String::new());
                return Flow::Go;
            }
            Action::EraseFilter => {
                self.filter = self.filter.take().and_then(|mut filter| filter.pop().map(|_| filter));
                self.narrow();
                return Flow::Go;
            }
            Action::DropFilter => {
                self.filter = None;
                self.narrow();
                return Flow::Go;
            }
            Action::Redraw => return Flow::Redraw,
            Action::Suspend => return Flow::Suspend,
            Action::Quit | Action::QuitNow => return Flow::Quit,
            _ => return Flow::Go,
        };
        self.list.go(motion, self.matching.len(), self.page());
        Flow::Go
    }

    /// Leaves with the selected row.
    fn choose(&mut self) -> Flow {
        self.chosen = self.matching.get(self.list.selected).copied();
        if self.chosen.is_some() { Flow::Quit } else { Flow::Go }
    }

    /// A click selects a row; one on the selected row opens it.
    fn mouse(&mut self, event: MouseEvent) -> (bool, Flow) {
        let (len, page) = (self.matching.len(), self.page());
        match event.kind {
            MouseEventKind::ScrollDown => self.list.go(Motion::Rows(NOTCH), len, page),
            MouseEventKind::ScrollUp => self.list.go(Motion::Rows(-NOTCH), len, page),
            MouseEventKind::Down(MouseButton::Left) => {
                let row = event.row.checked_sub(view::body(self.size).y).map(usize::from).filter(|row| *row < page);
                let Some(row) = row.map(|row| self.list.first(len, page) + row).filter(|row| *row < len) else {
                    return (false, Flow::Go);
                };
                if row == self.list.selected {
                    return (true, self.choose());
                }
                self.list.selected = row;
            }
            _ => return (false, Flow::Go),
        }
        (true, Flow::Go)
    }

    /// Keeps the rows that hold every word of the filter.
    fn narrow(&mut self) {
        let filter = self.filter.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let holds = |row: &usize| {
            let text = self.listing.words(*row).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.matching = (0..self.listing.len()).filter(holds).collect();
        self.list = List::default();
    }
}

impl<L: Listing> Screen for Picker<L> {
    fn begin(&mut self) -> Step {
        Step { changed: true, ..Step::default() }
    }

    fn update(&mut self, msg: Msg) -> Step {
        let (changed, flow) = match msg {
            Msg::Key(key) => self.key(key),
            Msg::Mouse(event) => self.mouse(event),
            Msg::Resize(size) => {
                self.size = size;
                (true, Flow::Go)
            }
            Msg::Clock(now) => {
                self.now = now;
                (true, Flow::Go)
            }
            _ => (false, Flow::Go),
        };
        self.list.settle(self.matching.len(), self.page());
        Step { changed, flow, ..Step::default() }
    }

    fn draw(&self, buffer: &mut Buffer) {
        view::draw(self, buffer);
    }

    fn next_change(&self) -> Option<Duration> {
        None
    }
}
