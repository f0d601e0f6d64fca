//! Floor 7: what the analysis found, as values that can be written down: serialisable twins of the model's types, and text for people.
//!
//! **Invariants:** model types are not serialisable, so that the wire form changes only here; every document names its schema; keys
//! may be added, never renamed or dropped without a new number; a number that is not known is `null`, never 0. Texts in the JSON are
//! exact; texts for people pass through [`crate::base::text::clean`]. The same snapshot gives the same bytes.

pub mod accept;
pub mod audit;
pub mod carrier;
pub mod check;
pub mod crossed;
pub mod effects;
pub mod entry;
pub mod events;
pub mod forecast;
pub mod formats;
pub mod graph;
pub mod html;
pub mod incident;
pub mod json;
pub mod markdown;
pub mod pending;
pub mod plan;
pub mod policies;
pub mod redact;
pub mod scan;
pub mod session;
pub mod sessions;
pub mod span;
pub mod style;
pub mod subject;
pub mod tag;
pub mod text;
pub(crate) mod wording;

pub use accept::AcceptReport;
pub use audit::AuditReport;
pub use carrier::{CarriersReport, Wanted};
pub use check::CheckReport;
pub use plan::PlanReport;
pub use style::{Style, Tone};
pub use subject::{Breadth, Subject};

#[cfg(test)]
mod tests;
