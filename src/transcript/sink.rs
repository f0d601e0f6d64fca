//! Where an adapter puts what it reads.

use super::diagnostic::Diagnostic;
use super::event::Event;
use super::place::LaneKey;

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
    Session(&'a str),
    /// The agent's version.
    Version(&'a str),
    /// The model that answers in a lane.
    Model(LaneKey<'a>, &'a str),
    /// The working directory.
    Directory(&'a str),
    /// The git branch.
    Branch(&'a str),
    /// A title.
    Title(&'a str),
    /// A lane and the lane that launched it.
    Lane {
        /// The lane.
        lane: LaneKey<'a>,
        /// Its parent.
        parent: LaneKey<'a>,
    },
    /// A record that carries nothing for the ledger, by the name of its type.
    Bookkeeping(&'a str),
}
