//! A judgement, and what the screen needs from it, worked out once by the worker so that no frame has to.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::audit::{Audit, Texts};
use crate::base::ids::{BoundaryIx, EventIx, LaneIx, SpanIx};
use crate::compaction::judgement::{Action, Colour, Judgement, Pressure, Repair, Tokens, Verdict};
use crate::compaction::policy::Family;
use crate::compaction::{Policy, SpanView, Strictness, Unknown};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind};
use crate::ledger::tagging::{Region, Said};
use crate::report::Subject;
use crate::report::forecast::{Forecast, forecast};
use crate::session::Snapshot;
use crate::transcript::Agent;
use crate::ui::rows;

/// Who judges: the policies and the rules, behind an interface so that the screen needs neither.
pub trait Judge: Send {
    /// The policies that there are, in the order in which the reader turns through them.
    fn policies(&self) -> Vec<PolicyName>;

    /// The judgement on a compaction of a lane of this agent's, now.
    fn judge(&self, agent: Agent, lane: &LaneSnapshot, question: &Question) -> Judgement;

    /// What the words of a text do, by the rules that the ledger was folded by; nothing where they are not known.
    fn regions(&self, _said: &Said<'_>) -> Vec<Region> {
        Vec::new()
    }

    /// What the boundaries of a lane did, by the same rules; nothing where they are not known.
    fn audit(&self, lane: &LaneSnapshot, _texts: &dyn Texts) -> Audit {
        Audit { lane: Arc::clone(&lane.name), boundaries: Vec::new() }
    }
}

/// A policy, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyName {
    /// Its id.
    pub id: Arc<str>,
    /// What people call it.
    pub title: String,
    /// The name of the runtime whose default it is, if it is one's.
    pub alias: Option<String>,
    /// Whose it is.
    pub family: Family,
}

impl From<&Policy> for PolicyName {
    fn from(policy: &Policy) -> Self {
        Self {
            id: Arc::clone(&policy.id),
            title: policy.title.clone(),
            alias: policy.aliases.first().cloned(),
            family: policy.family,
        }
    }
}

/// What is asked about a lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The policy's id; none: the one of the agent that wrote the session.
    pub policy: Option<Arc<str>>,
    /// The first span to keep; none: where the policy cuts.
    pub cut: Option<SpanIx>,
}

/// A question and the state of the session that it was put to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) epoch: u32,
    pub(crate) revision: u64,
    pub(crate) lane: LaneIx,
    /// The event after which it is judged; none: now.
    pub(crate) moment: Option<EventIx>,
    pub(crate) question: Question,
}

/// What one policy of many comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) tokens: Tokens,
    /// How many entries it would sever.
    pub(crate) severed: usize,
    /// Where it compacts by itself, in tokens; none where it never does.
    pub(crate) trigger: Option<u64>,
    pub(crate) pressure: Pressure,
    /// The first thing about its run that a transcript does not tell.
    pub(crate) unknown: Option<Unknown>,
}

impl Outcome {
    pub(crate) fn of(judgement: &Judgement) -> Self {
        let Judgement { verdict, tokens, context, .. } = *judgement;
        let (severed, unknown) = (judgement.severed.len(), judgement.unknown.first().copied());
        Self { verdict, tokens, severed, trigger: context.trigger, pressure: context.pressure, unknown }
    }
}

/// Whose judgement: that of the policy that is judged by, or of the one that is looked at beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    One,
    Other,
}

/// A judgement with its sums.
#[derive(Debug)]
pub(crate) struct Assessment {
    pub(crate) ticket: Ticket,
    pub(crate) judgement: Judgement,
    /// How many of its reasons stand in the way as they are.
    pub(crate) open: usize,
    /// How many of its reasons ask for a carrier.
    pub(crate) carry: usize,
    /// The entries that the verdict's sentence names, the most important first.
    pub(crate) told: Vec<Arc<Entry>>,
    /// The spans of the context, in order.
    pub(crate) range: Vec<SpanIx>,
    /// What the policy would do, in spans and tokens, in the order of [`ACTIONS`].
    pub(crate) sums: [Sum; 4],
    /// The plan's spans that stay, and that are summarised.
    pub(crate) plan_keeps: Sum,
    pub(crate) plan_summarises: Sum,
    /// The first rows of the spans that must stay verbatim, in order.
    pub(crate) barriers: Vec<EventIx>,
    /// The first rows of the spans that may be summarised once their carriers are written, in order.
    pub(crate) repairs: Vec<EventIx>,
    /// How many live entries each boundary has lost.
    pub(crate) lost_at: BTreeMap<BoundaryIx, usize>,
    /// The attempts of each live chain of retries, in order.
    pub(crate) chains: Vec<Vec<EventIx>>,
    /// In how many turns, and what time, the context will be full, as it has grown lately.
    pub(crate) left: Option<Forecast>,
}

/// What a policy may do to a span, from the least to the most that is lost.
pub(crate) const ACTIONS: [Action; 4] = [Action::Kept, Action::Masked, Action::Summarised, Action::Dropped];

/// Spans and their tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) spans: usize,
    pub(crate) tokens: u64,
}

impl Sum {
    fn add(&mut self, tokens: u64) {
        self.spans += 1;
        self.tokens += tokens;
    }
}

impl Assessment {
    pub(crate) fn new(ticket: Ticket, judgement: Judgement, snapshot: &Snapshot, lane: &LaneSnapshot) -> Self {
        let mut range = Vec::new();
        let (mut barriers, mut repairs) = (Vec::new(), Vec::new());
        let mut sums = [Sum::default(); 4];
        let (mut plan_keeps, mut plan_summarises) = (Sum::default(), Sum::default());
        let mut kept = judgement.plan.keep.iter().peekable();
        for view in judgement.spans.context() {
            range.push(view.span);
            if let Some(sum) = ACTIONS.iter().position(|action| *action == view.action).and_then(|n| sums.get_mut(n)) {
                sum.add(view.tokens);
            }
            // Both go by span, and what the plan does not keep it summarises.
            match kept.next_if_eq(&&view.span) {
                Some(_) => plan_keeps.add(view.tokens),
                None => plan_summarises.add(view.tokens),
            }
            let row = || lane.spans.get(view.span.index()).and_then(|span| rows::row_of(lane, span.first));
            match view.colour {
                Colour::Barrier => barriers.extend(row()),
                Colour::Repair => repairs.extend(row()),
                Colour::Opportunity => {}
            }
        }
        barriers.sort_unstable();
        repairs.sort_unstable();
        let (open, told) = told(&judgement, lane);
        let subject = Subject { snapshot, lane, judgement: &judgement, strictness: Strictness::Normal };
        Self {
            left: forecast(&subject),
            lost_at: lost_at(&judgement, lane),
            chains: chains(lane),
            carry: judgement.reasons.iter().filter(|reason| reason.repair == Repair::Carry).count(),
            open,
            told,
            ticket,
            judgement,
            range,
            barriers,
            repairs,
            sums,
            plan_keeps,
            plan_summarises,
        }
    }

    /// What the judgement says of a span; none for one that is newer.
    pub(crate) fn span(&self, span: SpanIx) -> Option<SpanView<'_>> {
        self.judgement.spans.get(span)
    }
}

/// How many entries stand in the way as they are, and which ones the verdict's sentence names: those; but for a verdict that asks
/// for carriers, what they carry.
fn told(judgement: &Judgement, lane: &LaneSnapshot) -> (usize, Vec<Arc<Entry>>) {
    const TOLD: usize = 6;
    let mut open = judgement.in_the_way(lane);
    let count = open.len();
    if judgement.verdict == Verdict::Repair {
        open = judgement.named(lane).filter(|entry| !judgement.is_barrier(entry)).collect();
    }
    open.truncate(TOLD);
    (count, open)
}

fn lost_at(judgement: &Judgement, lane: &LaneSnapshot) -> BTreeMap<BoundaryIx, usize> {
    let mut counts = BTreeMap::new();
    let Some(at) = judgement.at else { return counts };
    for boundary in judgement.lost.iter().filter_map(|id| lane.entry(*id)?.lost_at(at)) {
        *counts.entry(boundary).or_insert(0) += 1;
    }
    counts
}

fn chains(lane: &LaneSnapshot) -> Vec<Vec<EventIx>> {
    let live = lane.live.iter().filter_map(|id| lane.entry(*id));
    let retried = live.filter(|e| matches!(e.kind, EntryKind::Retry | EntryKind::Effect));
    let mut chains: Vec<Vec<EventIx>> = Vec::new();
    for entry in retried {
        // What shows an attempt is its call, or its result.
        let call = |event: &EventIx| Some(lane.calls.get(lane.events.get(event.index())?.call?.index())?.event);
        let tried = entry.edges.iter().filter(|edge| edge.kind == EdgeKind::Retries).filter_map(|edge| lane.entry(edge.to));
        let tried = tried.map(|entry| entry.opened.event).filter_map(|event| call(&event));
        let mut attempts: Vec<EventIx> = entry.evidence.iter().filter_map(call).chain(tried).collect();
        attempts.sort_unstable();
        attempts.dedup();
        if attempts.len() > 1 && !chains.contains(&attempts) {
            chains.push(attempts);
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::effects::Class;
    use crate::ledger::entry::{Edge, Weight};
    use crate::ledger::rows::EndHow;
    use crate::ui::testing::Script;

    #[test]
    fn attempts_are_joined_whether_their_calls_or_their_results_show_them() {
        let mut script = Script::new();
        script.prompt("Migrate.");
        let mut attempt = || {
            script.step();
            let call = script.call("Bash", Class::Execute, "./migrate.sh", r#"{"command":"./migrate.sh"}"#);
            (call, script.end(call, EndHow::TimedOut, "timed out"))
        };
        let ((first, _), (second, failed)) = (attempt(), attempt());
        let calls = [first, second].map(|ix| script.lane.calls.get(ix.index()).map(|call| (call.event, call.entry)).unwrap());
        let retry = script.entry(EntryKind::Retry, Weight::Barrier, "tried again");
        script.change(retry, |entry| {
            entry.evidence = vec![failed];
            entry.edges = vec![Edge { kind: EdgeKind::Retries, to: calls[0].1, since: failed }];
        });
        assert_eq!(chains(&script.lane), [calls.map(|(event, _)| event).to_vec()]);
    }
}
