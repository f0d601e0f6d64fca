//! Anomalies: what does not fit in a lane. Findings for people, never errors.

use std::fmt;
use std::sync::Arc;

use crate::base::ids::EventIx;

/// One anomaly, and where it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// What it is.
    pub kind: AnomalyKind,
    /// The event at which it shows.
    pub event: EventIx,
    /// 1-based line of the lane's file.
    pub line: u32,
    /// The call that it is about, by the runtime's id.
    pub call: Option<Arc<str>>,
    /// The event that explained it away: the call of an orphan came after all.
    pub until: Option<EventIx>,
}

/// The kinds of anomaly (DESIGN section 2, "Pairing").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnomalyKind {
    /// A resolution whose call is nowhere.
    Orphan,
    /// A second resolution of a call: the first stands.
    SecondResolution,
    /// A resolution that came after its call had been given up.
    Late,
    /// A call that nothing ever answered.
    Dangling,
    /// A call known only from a hook's line.
    Ghost,
    /// A record that stands in the file again.
    Replayed,
    /// A second attempt of something that may not be done twice succeeded while the first one's outcome was unknown.
    BlindRetry,
    /// An order that goes against a prohibition in force: both stay.
    Conflict,
}

impl fmt::Display for AnomalyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Orphan => "orphan",
            Self::SecondResolution => "second-resolution",
            Self::Late => "late",
            Self::Dangling => "dangling",
            Self::Ghost => "ghost",
            Self::Replayed => "replayed",
            Self::BlindRetry => "blind-retry",
            Self::Conflict => "conflict",
        })
    }
}
