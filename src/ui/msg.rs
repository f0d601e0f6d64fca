//! Everything that can happen to the screen, and everything that an update may ask for: two closed lists.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Size;

use super::app::{AuditKey, DocumentKey, SearchKey};
use super::assess::{Assessment, Outcome, Seat, Ticket};
use super::document::Document;
use super::outside::{Arrangement, Visit};
use super::picker::Preview;
use crate::audit::Audit;
use crate::base::ids::{EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ledger::LaneSnapshot;
use crate::session::{Following, Snapshot};

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The terminal has another size.
    Resize(Size),
    /// It is later now.
    Clock(Stamp),
    /// The session has been read further, or is followed in another way.
    Session(Arc<Snapshot>, Following),
    /// The worker has judged.
    Assessed(Seat, Arc<Assessment>),
    /// The worker has judged by one policy of many; none: it could not.
    Surveyed(Ticket, Option<Outcome>),
    /// The worker has audited a lane; none: it could not.
    Audited(AuditKey, Option<Arc<Audit>>),
    /// The worker has searched a part: the events that hold what is searched for, and the number of the first one not looked at.
    Searched(SearchKey, Vec<EventIx>, usize),
    /// The worker has read an event.
    Document(DocumentKey, Arc<Document>),
    /// The worker has read what is to leave the screen; or why it could not.
    Text(TextKey, Result<String, String>),
    /// What the session of a row of the list comes to; none: it cannot be read.
    Scouted(usize, Option<Preview>),
    /// Somebody outside has something to say: a program that was started, or could not be.
    Told(String),
    /// The worker could not judge: a defect of ours, and the screen goes on without the answer.
    NotAssessed(Seat, Ticket),
}

/// What an update asks for.
#[derive(Debug, Default)]
#[must_use = "a step says whether to draw, and holds the jobs to be done"]
pub(crate) struct Step {
    /// Whether the screen may look different now.
    pub(crate) changed: bool,
    /// What the worker should do.
    pub(crate) jobs: Vec<Job>,
    /// What should happen outside of the screen.
    pub(crate) effects: Vec<Effect>,
    /// What the loop should do.
    pub(crate) flow: Flow,
}

/// What should happen outside of the screen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Put a text into the clipboard.
    Copy(String),
    /// Lend the terminal to a program.
    Visit(Visit),
    /// Call the reader, who may be looking elsewhere.
    Alert(String),
    /// Remember how the panes lie.
    Remember(Arrangement),
}

/// What of an event is to leave the screen, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Its text, into the clipboard.
    Copy,
    /// Of a call the command or path that it was made with, into the clipboard.
    CopyCommand,
    /// Its text, into the pager.
    Page,
}

/// Which event is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextKey {
    pub(crate) lane: LaneIx,
    pub(crate) event: EventIx,
    /// The event that ended the call, once one did.
    pub(crate) end: Option<EventIx>,
    pub(crate) want: Want,
}

/// What the loop should do next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Go on.
    #[default]
    Go,
    /// Draw every cell anew.
    Redraw,
    /// Give the terminal to the shell until it calls us back.
    Suspend,
    /// Turn to the open session that stands so many after this one.
    Turn(isize),
    /// Close this session.
    Close,
    /// Leave for the list of sessions.
    Sessions,
    /// Leave.
    Quit,
}

/// Work that is too slow for the thread that draws. Of each kind only the newest counts.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// Judge a lane.
    Assess(Seat, Ticket, Arc<Snapshot>),
    /// Judge a lane by one policy of many, for what that comes to.
    Survey(Ticket, Arc<Snapshot>),
    /// Audit the boundaries of a lane.
    Audit(AuditKey, Arc<LaneSnapshot>),
    /// Search a part of a lane.
    Search(SearchKey, Arc<LaneSnapshot>),
    /// Look into the session of a row of the list.
    Scout(usize),
    /// Read an event as text.
    Text(TextKey, Arc<LaneSnapshot>),
    /// Read an event, and lay it out.
    Document(DocumentKey, Arc<LaneSnapshot>),
}
