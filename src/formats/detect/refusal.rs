//! Why a file is no session that can be read.

use std::fmt;

use super::others::{NO_KIND, NO_RECORDS, NOTHING};
use crate::formats::registry::FORMATS;

/// Why a file is no session that can be read: what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing: a session without events, for who knows its format otherwise.
    Empty,
    /// A pointer of Git LFS; the file itself was not fetched.
    LfsPointer,
    /// The prompts that were typed to this agent, without answers and calls.
    PromptsOnly(&'static str),
    /// Something that is known, and not supported.
    Unsupported(&'static str),
    /// Records that either of these formats could have written.
    Ambiguous(Vec<&'static str>),
    /// Something that nobody knows.
    Unknown(&'static str),
    /// The beginning of something, which does not say yet what it is: where it ends or breaks.
    Begun(String),
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// The same, of JSON of which only a part could be read.
    #[must_use]
    pub fn of_part(self, broken: Option<String>) -> Self {
        match (self, broken) {
            (Self::Unknown(NO_KIND | NO_RECORDS | NOTHING), Some(broken)) => Self::Begun(broken),
            (refusal, _) => refusal,
        }
    }
}

/// So many formats are named, of all that were looked for.
const NAMED: usize = 3;

impl fmt::Display for Refusal {
    /// What was looked for, and what was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Who reads a long list does not find what was found.
        let titles: Vec<&str> = FORMATS.iter().take(NAMED).map(|format| format.title).collect();
        let others = FORMATS.len().saturating_sub(NAMED);
        write!(f, "no session of {} or {others} other formats: found ", titles.join(", "))?;
        match self {
            Self::Empty => f.write_str("nothing, the file is empty"),
            Self::LfsPointer => f.write_str("a Git LFS pointer; `git lfs pull` fetches the file itself"),
            Self::PromptsOnly(agent) => write!(f, "the prompts typed to {agent}, without its answers and calls"),
            Self::Unsupported(what) => write!(f, "{what}: recognised, but not supported yet"),
            Self::Ambiguous(formats) => write!(f, "records of {}; `--format` says which", formats.join(" or of ")),
            Self::Unknown(what) => f.write_str(what),
            Self::Begun(where_it_ends) => write!(f, "too little: {where_it_ends}"),
        }
    }
}
