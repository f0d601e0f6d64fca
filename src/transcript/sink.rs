//! Where an adapter puts what it reads.

use std::borrow::Cow;

use super::diagnostic::Diagnostic;
use super::event::Event;
use super::place::{LaneKey, Place};

/// The receiver of an adapter's output, in file order.
pub trait Sink {
    /// Takes one event.
    fn event(&mut self, event: Event<'_>);
    /// Takes something that the transcript says about its session.
    fn fact(&mut self, fact: Fact<'_>);
    /// Takes an oddity.
    fn diagnostic(&mut self, diagnostic: Diagnostic);
}

/// What a transcript says about its session, outside the conversation. A later fact of the same kind replaces the earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact<'a> {
    /// The session's own id.
    Session(Cow<'a, str>),
    /// The agent's version.
    Version(Cow<'a, str>),
    /// The model that answers in a lane.
    Model(LaneKey<'a>, Cow<'a, str>),
    /// The working directory.
    Directory(Cow<'a, str>),
    /// The git branch.
    Branch(Cow<'a, str>),
    /// A title.
    Title(Cow<'a, str>),
    /// A lane and the lane that launched it.
    Lane {
        /// The lane.
        lane: LaneKey<'a>,
        /// Its parent.
        parent: LaneKey<'a>,
    },
    /// A record that carries nothing for the ledger, by the name of its type.
    Bookkeeping(Cow<'a, str>),
    /// A record of the ledger that stands among the events: what a side ledger says in a file of its own.
    Ledger {
        /// The record, as JSON.
        json: Cow<'a, str>,
        /// Where it stands.
        place: Place,
    },
}
