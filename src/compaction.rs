//! Floor 4: the judgement. What a policy would drop now, what that would sever, and what to do instead (DESIGN sections 6 and 7).
//!
//! **Invariants:** colour is the join of a span, the live ledger and the cut, never a property of a span's text or size; an unsure
//! rule never yields clear; no pressure ever turns a barrier green; a reason cites an entry.

mod bindings;
pub mod carrier;
mod colour;
mod context;
mod cut;
mod demand;
pub mod expr;
pub mod judge;
pub mod judgement;
pub mod models;
mod names;
mod plan;
pub mod policy;
mod range;
mod reasons;
mod room;
mod rules;
pub mod spans;
mod standing;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod usage;
mod verdict;

pub use bindings::severed_by;
pub use judge::{Ask, Urgency, judge};
pub use judgement::{Action, Colour, Judgement, Pressure, Reason, Repair, Verdict};
pub use models::{Models, Window};
pub use policy::{Policies, Policy, Unknown, UnknownPolicy};
pub use spans::{SpanView, Spans};
pub use standing::{Strictness, live};
