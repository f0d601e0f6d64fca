//! A list that one row is chosen of, narrowed by typing: the sessions of this machine, or those that a scan found.

mod scout;
mod sessions;
mod triage;
mod view;

use std::collections::BTreeSet;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::Behind;
use super::actions::{Action, Context};
use super::app::{Help, List, Look, Motion};
use super::fuzzy::misfit;
use super::keymap::letter;
use super::msg::{Flow, Job, Msg, Step};
use super::runtime::{From, Screen};
use super::view::{self as screen, Canvas, HelpPlace};
use crate::base::time::Stamp;

pub(crate) use self::scout::Scouting;
pub use self::scout::{Preview, Scout};
pub(crate) use self::sessions::Sessions;
pub use self::sessions::{Candidate, Liveness};
pub use self::triage::Case;

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The row of this number.
    Open(usize),
    /// None: back to the open sessions.
    Back,
    /// None: out of the program.
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
    fn sum(&self, shown: usize, now: Stamp) -> String;
    /// Draws the names of the columns.
    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>);
    /// Draws a row.
    fn row(&self, row: usize, line: Rect, now: Stamp, canvas: &mut Canvas<'_>);
    /// The rows that somebody should look into, while this one is selected.
    fn unknown(&self, _selected: usize) -> Vec<usize> {
        Vec::new()
    }
    /// Takes what somebody has seen.
    fn take(&mut self, _row: usize, _preview: Option<Preview>) {}
    /// Draws what is known of a row, where there is room beside the list.
    fn preview(&self, _row: usize, _area: Rect, _now: Stamp, _canvas: &mut Canvas<'_>) {}
    /// Whether it has anything to preview.
    const PREVIEWS: bool = false;
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
    pub(crate) chosen: Option<Choice>,
    /// Where leaving leads.
    pub(crate) behind: Behind,
    /// What is told in the place of the keys, until one is pressed.
    pub(crate) notice: Option<String>,
    help: Help,
    /// The rows that somebody has been asked to look into, and the one that was asked for last because it is selected.
    asked: BTreeSet<usize>,
    urged: Option<usize>,
}

impl<L: Listing> Picker<L> {
    /// A list of which the row `selected` is selected at first.
    pub(crate) fn new(look: Look, listing: L, selected: usize, size: Size, now: Stamp) -> Self {
        let matching = (0..listing.len()).collect();
        let (chosen, behind, notice, help, asked, urged) = (None, Behind::default(), None, Help::Closed, BTreeSet::new(), None);
        let list = List::at(selected);
        Self { look, listing, filter: None, matching, list, size, now, chosen, behind, notice, help, asked, urged }
    }

    fn context(&self) -> Context {
        match (self.help, &self.filter) {
            (Help::Open(_), _) => Context::Help,
            (Help::Closed, Some(_)) => Context::Filter,
            (Help::Closed, None) => Context::Picker,
        }
    }

    /// What the help is of.
    fn place(&self) -> HelpPlace<'_> {
        HelpPlace { context: Context::Picker, keymap: &self.look.keymap, size: self.size }
    }

    /// Rows of the list.
    fn page(&self) -> usize {
        usize::from(view::body::<L>(self.size).height)
    }

    fn key(&mut self, key: KeyEvent) -> (bool, Flow) {
        let told = self.notice.take().is_some();
        let typed = letter(key);
        let keymap = &self.look.keymap;
        let of_list = || keymap.action(Context::Picker, key).filter(|_| typed.is_none() && self.help == Help::Closed);
        let action = keymap.action(self.context(), key).or_else(of_list);
        match (action, &mut self.filter, typed) {
            (Some(action), ..) => (true, self.act(action)),
            (None, Some(filter), Some(letter)) => {
                filter.push(letter);
                self.narrow();
                (true, Flow::Go)
            }
            _ => (told, Flow::Go),
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
            Action::DropFilter if self.filter.is_none() && self.behind == Behind::Sessions => {
                self.chosen = Some(Choice::Back);
                return Flow::Quit;
            }
            Action::DropFilter => {
                self.filter = None;
                self.narrow();
                return Flow::Go;
            }
            Action::Help => {
                self.help = Help::Open(Default::default());
                return Flow::Go;
            }
            Action::CloseHelp => {
                self.help = Help::Closed;
                return Flow::Go;
            }
            Action::Redraw => return Flow::Redraw,
            Action::Suspend => return Flow::Suspend,
            Action::Quit | Action::QuitNow => return Flow::Quit,
            _ => return Flow::Go,
        };
        self.go(motion);
        Flow::Go
    }

    /// Moves in the list, or in the help above it.
    fn go(&mut self, motion: Motion) {
        if let Help::Open(mut scroll) = self.help {
            scroll.go(motion, screen::help_lines(self.place()), screen::help_page(self.size));
            self.help = Help::Open(scroll);
        } else {
            self.list.go(motion, self.matching.len(), self.page());
        }
    }

    /// Leaves with the selected row.
    fn choose(&mut self) -> Flow {
        self.chosen = self.matching.get(self.list.selected).copied().map(Choice::Open);
        if self.chosen.is_some() { Flow::Quit } else { Flow::Go }
    }

    /// A click selects a row; one on the selected row opens it.
    fn mouse(&mut self, event: MouseEvent) -> (bool, Flow) {
        let (len, page) = (self.matching.len(), self.page());
        match event.kind {
            MouseEventKind::ScrollDown => self.go(Motion::Rows(NOTCH)),
            MouseEventKind::ScrollUp => self.go(Motion::Rows(-NOTCH)),
            _ if self.help != Help::Closed => return (false, Flow::Go),
            MouseEventKind::Down(MouseButton::Left) => {
                let row = event.row.checked_sub(view::body::<L>(self.size).y).map(usize::from).filter(|row| *row < page);
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

    /// Keeps the rows that fit the filter, the best first.
    fn narrow(&mut self) {
        let filter = self.filter.as_deref().unwrap_or_default();
        let fitting = (0..self.listing.len()).filter_map(|row| Some((misfit(filter, &self.listing.words(row))?, row)));
        let mut fitting: Vec<(usize, usize)> = fitting.collect();
        fitting.sort_unstable();
        self.matching = fitting.into_iter().map(|(_, row)| row).collect();
        self.list = List::default();
    }

    /// Asks for the rows to be looked into that are worth it and have not been: each once, and again for the one that is selected,
    /// which comes before those that wait.
    fn wanted(&mut self) -> Vec<Job> {
        let Some(selected) = self.matching.get(self.list.selected).copied() else { return Vec::new() };
        let is_urgent = self.urged.replace(selected) != Some(selected);
        let mut rows = self.listing.unknown(selected);
        rows.retain(|row| self.asked.insert(*row) || (is_urgent && *row == selected));
        rows.into_iter().map(Job::Scout).collect()
    }
}

impl<L: Listing> Screen for Picker<L> {
    fn begin(&mut self, _: usize) -> Step {
        Step { changed: true, jobs: self.wanted(), ..Step::default() }
    }

    fn front(&self) -> usize {
        0
    }

    fn update(&mut self, _: From, msg: Msg) -> Step {
        let (changed, flow) = match msg {
            Msg::Key(key) => self.key(key),
            Msg::Mouse(event) => self.mouse(event),
            Msg::Scouted(row, preview) => {
                self.listing.take(row, preview);
                (true, Flow::Go)
            }
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
        let jobs = self.wanted();
        Step { changed, flow, jobs, ..Step::default() }
    }

    fn draw(&self, buffer: &mut Buffer) {
        view::draw(self, buffer);
    }

    fn next_change(&self) -> Option<Duration> {
        None
    }
}
