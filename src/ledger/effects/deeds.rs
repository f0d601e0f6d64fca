//! What a call leaves behind: what it opens in the world and closes, and what it starts in the background.
//!
//! Something opened is a *thing*: a rebase stopped at a conflict, a stash, a container. A *deed* is what one command does to one thing.

use std::sync::Arc;

use super::class::Class;
use super::data::PlanShape;
use super::things::{COMMIT, PUSH, Thing, ThingKind, When};
use crate::ledger::rows::EndHow;

/// What a call leaves behind beside its effect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aftermath {
    /// What it opens and closes, in order.
    pub deeds: Box<[Deed]>,
    /// Its strongest part serves or watches: it does not end by itself.
    pub serves: bool,
    /// One of its parts is a check.
    pub checks: bool,
    /// What it starts in the background and leaves running.
    pub jobs: Box<[Job]>,
    /// All that it does to the world is done by those.
    pub only_launches: bool,
    /// The processes that it ends: names, ids and ports as they are written; empty where only its input says which.
    pub ends: Box<[Box<str>]>,
    /// The files that it removes, as they are written; several stand in one, parted by spaces.
    pub removes: Box<[Box<str>]>,
    /// What it says of a plan.
    pub plan: Option<PlanShape>,
    /// An agent ends its turn with it: nothing has to come of it.
    pub is_last: bool,
}

impl Aftermath {
    /// Whether one of its parts commits to a version history.
    #[must_use]
    pub fn commits(&self) -> bool {
        self.deeds.iter().any(|deed| *deed.thing.name == *COMMIT)
    }

    /// Whether one of its parts hands commits on to others.
    #[must_use]
    pub fn pushes(&self) -> bool {
        self.deeds.iter().any(|deed| *deed.thing.name == *PUSH)
    }

    /// Whether the call that ended like this, with this result, left something half done: that, and not an unknown effect.
    pub(in super::super) fn half_done(&self, how: EndHow, text: &str) -> bool {
        let half = |deed: &Deed| match deed.role {
            Role::Opens => deed.opened(how, text),
            // The next conflict of the same one.
            Role::Closes => {
                matches!(how, EndHow::Success | EndHow::Failed(_) | EndHow::Returned) && deed.thing.row.needs.stand_in(text)
            }
            Role::Aborts | Role::Clears | Role::Acts | Role::Passes => false,
        };
        let may_stop = |deed: &Deed| deed.thing.row.kind == ThingKind::Transaction && !deed.thing.row.needs.is_empty();
        self.deeds.iter().any(|deed| may_stop(deed) && half(deed))
    }

    /// Whether the result of a call that ended like this proves that what its `intent` names was done, whatever became of the rest.
    pub(in super::super) fn proven(&self, intent: &str, how: EndHow, text: &str) -> bool {
        let own = |deed: &Deed| deed.thing.row.opens.iter().any(|opens| intent.starts_with(opens.as_str()));
        self.deeds.iter().any(|deed| deed.is_proven(how, text) && own(deed))
    }
}

/// What a command starts in the background.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// As it is written.
    pub command: Box<str>,
    /// Its strongest part's class; none where nothing was read of it.
    pub class: Option<Class>,
    /// It serves or watches: it does not end by itself.
    pub serves: bool,
    /// The file that its output goes to.
    pub output: Option<Box<str>>,
}

impl Job {
    pub(super) fn of(command: &str) -> Self {
        Self { command: command.into(), class: None, serves: false, output: None }
    }
}

/// What a command does to a thing.
#[derive(Clone, Debug)]
pub struct Deed {
    /// The thing.
    pub thing: Arc<Thing>,
    /// What it does to it.
    pub role: Role,
    /// Which one, where the command names it.
    pub handle: Option<Box<str>>,
}

impl Deed {
    /// Whether something was done, and the result of the call proves it that ended in another way than with success.
    pub(in super::super) fn is_proven(&self, how: EndHow, text: &str) -> bool {
        let is_done = self.thing.row.kind == ThingKind::Done && self.role == Role::Opens;
        is_done && how != EndHow::Success && self.opened(how, text)
    }

    /// Whether it is about something that is open: then that is told, and not the deed beside it.
    pub(in super::super) fn is_of_an_open_thing(&self) -> bool {
        let open = matches!(self.thing.row.kind, ThingKind::Transaction | ThingKind::Resource);
        let ends = matches!(self.role, Role::Closes | Role::Aborts | Role::Clears);
        open && (ends || self.role == Role::Opens && self.thing.row.kind == ThingKind::Resource)
    }

    /// Whether an opener that ended like this has opened something.
    pub(in super::super) fn opened(&self, how: EndHow, text: &str) -> bool {
        let row = &self.thing.row;
        let ended_so = match (row.when, how) {
            (When::Success | When::Any, EndHow::Success) | (When::Failure | When::Any, EndHow::Failed(_)) => true,
            (When::Any, EndHow::Returned) => true,
            // A part of a command that failed elsewhere.
            (When::Success, EndHow::Failed(_) | EndHow::Returned | EndHow::TimedOut) => {
                return !row.shows.is_empty() && row.shows.stand_in(text) && !row.closed.stand_in(text);
            }
            _ => false,
        };
        ended_so && (row.needs.is_empty() || row.needs.stand_in(text)) && (row.unless.is_empty() || !row.unless.stand_in(text))
    }

    /// Whether what closes a thing has closed it.
    pub(in super::super) fn closed(&self, how: EndHow, text: &str) -> bool {
        let row = &self.thing.row;
        let again = self.role == Role::Closes && !row.needs.is_empty() && row.needs.stand_in(text);
        match how {
            EndHow::Success => !again,
            EndHow::Failed(_) | EndHow::Returned | EndHow::TimedOut => !row.closed.is_empty() && row.closed.stand_in(text),
            _ => false,
        }
    }
}

impl PartialEq for Deed {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.thing, &other.thing) && self.role == other.role && self.handle == other.handle
    }
}

/// What a command does to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It opens one.
    Opens,
    /// It brings one to its end.
    Closes,
    /// It gives one up.
    Aborts,
    /// It closes all of them.
    Clears,
    /// It works on the one that is open.
    Acts,
    /// None of these, though a shorter pattern fits.
    Passes,
}
