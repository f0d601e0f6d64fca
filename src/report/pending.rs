//! The pending-call table: calls without a resolution, and calls of which nobody knows what they did.

use serde::Serialize;

use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EdgeKind, EntryKind};
use crate::report::entry::Id;
use crate::report::subject::{Breadth, Subject};

/// One row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct PendingReport<'a> {
    /// Its entry: of kind `call` or `effect`.
    pub entry: Id,
    /// The runtime's id of the call.
    pub call: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// What a person would say that it does.
    pub what: &'a str,
    /// 1-based line of the call.
    pub line: Option<u32>,
    /// Milliseconds since the call, by the session's own time; null where the records state none.
    pub open_ms: Option<i64>,
    /// `unknown` once it ended so; null while it is open.
    pub effect: Option<&'static str>,
    /// Attempts, the first included.
    pub attempts: u32,
    /// What retries share.
    pub intent: &'a str,
    /// A key that stands in the input.
    pub idempotency_key: Option<&'a str>,
    /// Entries whose output it uses.
    pub leans_on: Vec<Id>,
    /// `repair` or `barrier`.
    pub colour: &'static str,
}

impl<'a> PendingReport<'a> {
    /// The table at the moment, worst first.
    #[must_use]
    pub fn all(subject: &Subject<'a>) -> Vec<Self> {
        let (lane, Some(at)) = (subject.lane, subject.judgement.at) else { return Vec::new() };
        let now = subject.now();
        let mut open = subject.entries(Breadth::Live);
        open.retain(|entry| matches!(entry.kind, EntryKind::Call | EntryKind::Effect));
        open.sort_by_cached_key(|entry| entry.rank_at(at));
        open.into_iter()
            .filter_map(|entry| {
                let action = entry.action.as_ref()?;
                let call = lane.calls.get(action.call?.index())?;
                let made = lane.events.get(call.event.index())?;
                Some(Self {
                    entry: Id(entry.id),
                    call: &call.id,
                    tool: &call.tool,
                    what: &call.label,
                    line: Some(made.place.line),
                    open_ms: now.zip(made.at).map(|(now, made)| now.millis_since(made).max(0)),
                    effect: (entry.kind == EntryKind::Effect).then_some(action.effect).flatten().map(EffectStatus::word),
                    attempts: action.attempts,
                    intent: &call.intent,
                    idempotency_key: call.key.as_deref(),
                    leans_on: (entry.edges.iter())
                        .filter(|edge| edge.kind == EdgeKind::DependsOnOutput)
                        .map(|edge| Id(edge.to))
                        .collect(),
                    colour: entry.weight_at(at).word(),
                })
            })
            .collect()
    }
}
