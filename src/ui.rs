//! Floor 8: the screen.
//!
//! `update(&mut App, Msg) -> Step` is the one place that changes the app, and a `Msg` is the one thing that it reacts to; `view`
//! draws an `&App` and can change nothing; the worker judges, reads and paints; the deck holds an app and a worker for each open session;
//! the runtime waits, and draws when a step says that something changed. What happens outside of the screen (clipboard, pager, alerts) is
//! returned as an effect, and done behind the [`outside::Outside`] that the caller gives. Keys, help, key bar and docs are read from one
//! table ([`actions`]).
//!
//! **Invariants:** nothing is drawn by tick, but once a second while an age in seconds is on the screen; nothing is measured,
//! wrapped or painted for rows off the screen; text from a transcript reaches the terminal through `base::text::clean` only; the
//! terminal is given back after any exit, error, signal or panic.

pub mod actions;
mod activity;
mod app;
mod assess;
mod deck;
mod document;
mod feed;
mod fuzzy;
mod inspector;
mod jobs;
pub mod keymap;
mod layout;
mod msg;
pub mod outside;
mod picker;
mod piece;
mod rows;
mod runtime;
mod still;
mod term;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod theme;
mod update;
mod view;
mod words;

use std::io;
use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use jiff::tz::TimeZone;
use ratatui::layout::Size;

use self::app::{App, Look};
use self::keymap::Keymap;
use self::msg::Msg;
use self::outside::{Arrangement, Outside};
use self::picker::{Listing, Picker, Scouting, Sessions};
use self::runtime::{Around, Ask, Source};
use self::theme::Theme;
use crate::base::time::Stamp;
use crate::session::Snapshot;

pub use self::activity::Standing;
pub use self::assess::{Judge, PolicyName, Question};
pub use self::deck::{Deck, Session};
pub use self::feed::{Bell, ReadBody, Supply};
pub use self::picker::{Candidate, Case, Choice, Liveness, Preview, Scout};
pub use self::still::Still;
pub use self::term::{Background, Mouse, Terminal};

/// What time it is. A replay gives the session's own.
pub type Clock = Arc<dyn Fn() -> Stamp + Send + Sync>;

/// How the screen looks and what its keys do.
#[derive(Clone)]
pub struct Options {
    /// Styles by role.
    pub theme: Theme,
    /// Keys to actions.
    pub keymap: Keymap,
    /// The reader's time zone.
    pub zone: TimeZone,
    /// What time it is.
    pub clock: Clock,
    /// What the first line says that this is: `owed`.
    pub name: String,
    /// What the reader of a session is told until the first key.
    pub greeting: Option<String>,
    /// What a session is opened for.
    pub front: Front,
    /// How a session is played; none: it is shown as it is now.
    pub replay: Option<Replay>,
    /// Another session, under its name, to hold this one's ledger against.
    pub beside: Option<(String, Arc<Snapshot>)>,
    /// What lies outside of the screen.
    pub outside: Arc<dyn Outside>,
    /// How the reader has arranged the panes.
    pub arrangement: Arrangement,
    /// Where leaving leads.
    pub behind: Behind,
}

/// What lies behind a screen: where its reader gets who leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behind {
    /// The shell.
    #[default]
    Shell,
    /// The list that this session was chosen from.
    List,
    /// The open sessions from which the reader came to this list.
    Sessions,
}

/// What has the keys when a session is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Front {
    /// The time line.
    #[default]
    Timeline,
    /// What its compactions lost.
    Findings,
}

/// A session that is played by its own clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replay {
    /// 1-based line of its main file at which playing begins; what stands before is there from the start.
    pub from: u32,
    /// Session time for one second of ours.
    pub speed: f64,
}

/// How the screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By its reader.
    Quit,
    /// By its reader, for the list of sessions.
    Sessions,
    /// By its reader, who wants the other sessions.
    Closed,
    /// By a signal, or because the terminal went away.
    Terminated,
}

/// Why the screen could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal failed, or the system gave no thread.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Room for answers that have not been looked at.
const ANSWERS: usize = 8;

/// Shows a list of sessions until one is chosen; the one of number `selected` is selected at first.
///
/// # Errors
/// The terminal fails.
pub fn pick(
    terminal: &mut Terminal,
    (candidates, selected): (Vec<Candidate>, usize),
    scout: Box<dyn Scout>,
    options: &Options,
) -> Result<Choice, Error> {
    let (sender, answers) = bounded(ANSWERS);
    let scouting = Scouting::start(scout, sender)?;
    choose(terminal, (Sessions::new(candidates), selected), Some((Box::new(scouting), answers)), options)
}

/// Shows what a scan found until a session is chosen; the one of number `selected` is selected at first.
///
/// # Errors
/// The terminal fails.
pub fn triage(terminal: &mut Terminal, cases: Vec<Case>, selected: usize, options: &Options) -> Result<Choice, Error> {
    choose(terminal, (cases, selected), None, options)
}

fn choose<L: Listing>(
    terminal: &mut Terminal,
    (listing, selected): (L, usize),
    worker: Option<(Box<dyn Ask>, Receiver<Msg>)>,
    options: &Options,
) -> Result<Choice, Error> {
    let mut picker = Picker::new(look(options), listing, selected, terminal.size()?, (options.clock)());
    picker.notice.clone_from(&options.greeting);
    picker.behind = options.behind;
    let around = Around { clock: &options.clock, outside: &*options.outside };
    let exit = runtime::run(terminal, &mut picker, &[Source { session: None, worker }], &around)?;
    Ok(picker.chosen.filter(|_| exit == Exit::Quit).unwrap_or(Choice::Quit))
}

/// The inspector on a session, as its options want it.
fn app(supply: &dyn Supply, policies: Vec<PolicyName>, options: &Options, size: Size) -> App {
    let mut app = App::new(look(options), supply, policies, size, (options.clock)());
    app.notice.clone_from(&options.greeting);
    app.panes.arrangement = options.arrangement;
    app.behind = options.behind;
    if let Some(beside) = &options.beside {
        update::show_beside(&mut app, beside.clone());
    }
    if options.front == Front::Findings {
        update::show_findings(&mut app);
    }
    if let Some(Replay { from, speed }) = options.replay {
        update::replay(&mut app, from, speed);
    }
    app
}

fn look(options: &Options) -> Look {
    Look { name: options.name.clone(), theme: options.theme.clone(), keymap: options.keymap.clone(), zone: options.zone.clone() }
}
