//! What the rows of agents' databases share: each names its session, which is the one that is read (`root`) or a sub-agent's.

use super::json::{Number, Text};
use crate::base::time::Stamp;
use crate::transcript::LaneKey;

/// Where sub-agents' sessions name the one that started them: the ids of session `?1` and of all below it, as `tree`.
macro_rules! tree {
    () => {
        "with recursive tree(id) as (
            select id from sessions where id = ?1
            union select s.id from sessions s join tree t on s.parent_session_id = t.id
        )"
    };
}

/// Which of them no other one that is there has started.
macro_rules! roots {
    () => {
        "parent_session_id is null or parent_session_id not in (select id from sessions)"
    };
}

pub(super) use {roots, tree};

/// The lane of a row; `own` where it is none of a sub-agent's.
pub(super) fn lane<'l>(session: &'l Text<'_>, root: &Text<'_>, own: &LaneKey<'l>) -> LaneKey<'l> {
    match session.filled() {
        Some(session) if root.filled().is_some_and(|root| root != session) => LaneKey::Sub(session.into()),
        _ => own.clone(),
    }
}

/// The lane that launched a sub-agent whose session names `parent`.
pub(super) fn parent<'l>(parent: &'l Text<'_>, root: &Text<'_>) -> LaneKey<'l> {
    match parent.filled() {
        Some(parent) if parent != root.as_str() => LaneKey::Sub(parent.into()),
        _ => LaneKey::Main,
    }
}

/// A time since 1970, which some versions keep in seconds and others in milliseconds.
pub(super) fn stamp(at: Number) -> Option<Stamp> {
    /// As seconds the year 5138, as milliseconds 1973.
    const SECONDS: i64 = 100_000_000_000;
    let at = i64::try_from(at.0?).ok().filter(|at| *at > 0)?;
    Some(Stamp(if at < SECONDS { at * 1000 } else { at }))
}
