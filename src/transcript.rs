//! Floor 1: the vocabulary. What every agent's transcript is translated into, and what every judgement is made of.
//!
//! **Invariant:** values only. No IO, no clock, no serialisation, and no agent's own spelling: an adapter knows how Claude Code or
//! Codex says "timed out", nothing above it does.
//!
//! An adapter borrows from the record's bytes and hands [`Event`]s to a [`Sink`]; whoever folds them copies what must survive.

pub mod boundary;
pub mod call;
pub mod container;
pub mod diagnostic;
pub mod event;
pub mod owned;
pub mod place;
pub mod sink;
pub mod usage;

pub use boundary::{Boundary, BoundaryKind, Kept, Trigger};
pub use call::{Call, Input, Outcome, Resolution, ResolutionStatus, answered};
pub use container::{Agent, Brood, Container, Database, Document, Files, Listing, Project, Spliced, Whereabouts};
pub use diagnostic::{Diagnostic, DiagnosticKind};
pub use event::{Event, Finish, JobState, Mark, Payload, Speaker};
pub use place::{LaneKey, Place, Record};
pub use sink::{Fact, Sink};
pub use usage::Usage;
