//! Whose context is about to be compacted: a compaction happens to a lane, never to a session.
//!
//! Claude Code's PreCompact names the session and its transcript, also where it is a sub-agent's context that is full. The runtime
//! compacts between two requests, when all results are in: a main agent that waits for a call makes no request, and what begins by
//! itself then is a sub-agent's.

use std::sync::Arc;

use crate::base::time::Stamp;
use crate::compaction::Pressure;
use crate::hooks::gate::Trigger;
use crate::hooks::protocol::Before;
use crate::ledger::LaneSnapshot;
use crate::session::Snapshot;
use crate::transcript::LaneKey;

/// A session, and of it one context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The sub-agent's; none for the main agent's own.
    pub lane: Option<&'a str>,
}

impl<'a> From<&'a str> for Whose<'a> {
    fn from(session: &'a str) -> Self {
        Self { session, lane: None }
    }
}

/// The lane of `snapshot` that is about to be compacted, and the sub-agent's name if it is not the main agent's. `pressure` says how
/// hard a lane's own fill presses.
///
/// # Errors
/// The hook names a sub-agent that the session does not have.
pub fn lane<'s>(
    snapshot: &'s Snapshot,
    before: &Before,
    pressure: impl Fn(&LaneSnapshot) -> Pressure,
) -> Result<(&'s Arc<LaneSnapshot>, Option<String>), String> {
    let main = snapshot.lanes.first().ok_or("the session has no lane")?;
    if let Some(name) = before.lane.as_deref().filter(|name| *name != LaneKey::Main.name()) {
        // A sub-agent's own file says nothing but its own.
        let named = snapshot.lanes.iter().find(|lane| &*lane.name == name).or(is_file_of(snapshot, name).then_some(main));
        let lane = named.ok_or_else(|| format!("the session has no sub-agent `{name}`"))?;
        return Ok((lane, Some(name.to_owned())));
    }
    if before.trigger == Trigger::Manual || main.open_calls.is_empty() || pressure(main) != Pressure::None {
        return Ok((main, None));
    }
    let at_work = snapshot.lanes.iter().skip(1).filter(|lane| newest(lane) > newest(main));
    let full = at_work.filter(|lane| pressure(lane) != Pressure::None).max_by_key(|lane| newest(lane));
    Ok(full.map_or((main, None), |lane| (lane, Some(lane.name.to_string()))))
}

/// Whether the session was read from the file of this sub-agent: `agent-ID.jsonl`.
fn is_file_of(snapshot: &Snapshot, name: &str) -> bool {
    let stem = snapshot.facts.path.file_stem().map(|stem| stem.to_string_lossy());
    stem.is_some_and(|stem| stem.strip_prefix("agent-").unwrap_or(&stem) == name)
}

/// When something last happened in a lane.
fn newest(lane: &LaneSnapshot) -> Option<Stamp> {
    lane.events.iter().rev().find_map(|row| row.at)
}
