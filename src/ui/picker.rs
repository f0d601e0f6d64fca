//! The list of sessions: what there is on this machine, live ones first, narrowed by typing.

mod view;

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use super::actions::{Action, Context};
use super::app::{List, Look, Motion};
use super::msg::{Flow, Msg, Step};
use super::runtime::Screen;
use crate::base::time::Stamp;

/// A session that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The agent's id.
    pub agent: String,
    /// The project: the last part of its folder.
    pub project: String,
    /// What it is about.
    pub title: String,
    /// When it was last written to.
    pub last: Option<Stamp>,
    /// The size of its files, in bytes.
    pub bytes: u64,
    /// Whether an agent is at work in it.
    pub liveness: Liveness,
}

/// Whether an agent is at work in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// One is, as far as can be told.
    Live,
    /// Nothing says so.
    Quiet,
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The candidate of this number.
    Open(usize),
    /// None.
    Quit,
}

/// The list's state.
pub(crate) struct Picker {
    look: Look,
    candidates: Vec<Candidate>,
    /// What has been typed; none: nobody is typing.
    filter: Option<String>,
    /// The candidates that match, by number.
    matching: Vec<usize>,
    list: List,
    size: Size,
    now: Stamp,
    pub(crate) chosen: Option<usize>,
}

impl Picker {
    pub(crate) fn new(look: Look, candidates: Vec<Candidate>, size: Size, now: Stamp) -> Self {
        let matching = (0..candidates.len()).collect();
        Self { look, candidates, filter: None, matching, list: List::default(), size, now, chosen: None }
    }

    fn context(&self) -> Context {
        if self.filter.is_some() { Context::Filter } else { Context::Picker }
    }

    /// Rows of the list.
    fn page(&self) -> usize {
        usize::from(self.size.height).saturating_sub(4)
    }

    fn key(&mut self, key: KeyEvent) -> (bool, Flow) {
        let typed = match key.code {
            KeyCode::Char(letter) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => Some(letter),
            _ => None,
        };
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
            Action::Open => {
                self.chosen = self.matching.get(self.list.selected).copied();
                return if self.chosen.is_some() { Flow::Quit } else { Flow::Go };
            }
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

    /// Keeps the candidates that hold every word of the filter.
    fn narrow(&mut self) {
        let filter = self.filter.as_deref().unwrap_or_default().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let holds = |candidate: &Candidate| {
            let text = format!("{} {} {}", candidate.agent, candidate.project, candidate.title).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.matching = self.candidates.iter().enumerate().filter(|(_, candidate)| holds(candidate)).map(|(n, _)| n).collect();
        self.list = List::default();
    }
}

impl Screen for Picker {
    fn begin(&mut self) -> Step {
        Step { changed: true, ..Step::default() }
    }

    fn update(&mut self, msg: Msg) -> Step {
        let (changed, flow) = match msg {
            Msg::Key(key) => self.key(key),
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
