//! What a call may do to the world, what it is, and what it did (DESIGN section 2).
//!
//! Everything that a user may want to change is data, `assets/effects.toml`. A call is classified by a [`Classifier`], which owns
//! the one thing that is dear to make, a shell parser: one for each lane.
//!
//! ```text
//! call -> the row of its tool, or what its name says     reading, tool, mcp
//!      -> a shell script: its simple commands, each by    shell, commands
//!         the longest key that its words begin with
//!      -> a patch, code that calls tools, SQL, HTTP       patch, script, shell::{sql, http}
//!      -> parts; the strongest speaks for the call        combine
//!      -> Action: class, identity, target, label          classifier, identity, label
//! ```

mod action;
mod catalogue;
mod class;
mod classifier;
mod combine;
mod commands;
mod data;
mod deeds;
mod identity;
mod input;
mod label;
mod mcp;
mod observe;
mod patch;
mod reading;
mod rule;
mod script;
mod shell;
mod status;
mod things;
mod tool;
mod wordings;

#[cfg(test)]
mod tests;

pub use action::{Action, Sight};
pub use catalogue::{Catalogue, Listed};
pub use class::{Atomicity, Class, Idempotency, Known};
pub use classifier::Classifier;
pub use data::PlanShape;
pub use deeds::{Aftermath, Deed, Job, Role};
pub use observe::observes;
pub use status::EffectStatus;
pub(super) use things::{Statements, UnverifiedFacts};
pub use things::{Thing, ThingKind, Things};
pub use wordings::{Wording, Wordings};
