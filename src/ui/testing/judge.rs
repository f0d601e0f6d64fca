//! A judge for tests, simple enough to be obviously right.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::judgement::{
    Action, Colour, ContextFacts, Judgement, Plan, Pressure, Reason, Repair, Severed, SpanView, Tokens, Verdict,
};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind, Weight};
use crate::ui::{Judge, PolicyName, Question};

/// A judge that colours a span by the heaviest live entry that touches it, keeps what stands behind the cut, and refuses while
/// there is a barrier in front of it.
pub(crate) struct Simple;

impl Judge for Simple {
    fn policies(&self) -> Vec<PolicyName> {
        [("claude-code", "Claude Code"), ("codex", "Codex")]
            .map(|(id, title)| PolicyName { id: id.into(), title: title.to_owned() })
            .into()
    }

    fn judge(&self, lane: &LaneSnapshot, question: &Question) -> Judgement {
        let at = lane.end();
        let context = at.map_or(0, |at| lane.context_tokens_at(at).tokens);
        let policy = question.policy.clone().unwrap_or_else(|| "claude-code".into());
        let cut = question
            .cut
            .unwrap_or_else(|| SpanIx::from_index(lane.spans.len().saturating_sub(usize::from(&*policy == "codex") * 2)));
        let live: Vec<&Arc<Entry>> = lane.live.iter().filter_map(|id| lane.entry(*id)).collect();
        let (lost, held): (Vec<&Arc<Entry>>, Vec<&Arc<Entry>>) = live.into_iter().partition(|entry| entry.lost_at.is_some());
        let mut spans = Vec::new();
        for n in 0..lane.spans.len() {
            let (span, row) = (SpanIx::from_index(n), lane.spans.get(n).unwrap());
            let reasons: Vec<&&Arc<Entry>> = held.iter().filter(|entry| entry.touches.contains(&span)).collect();
            let in_context = at.is_some_and(|at| lane.in_context(row, at));
            spans.push(SpanView {
                span,
                tokens: if in_context { u64::from(row.tokens) } else { 0 },
                in_context,
                colour: match reasons.iter().map(|entry| entry.weight).max() {
                    Some(Weight::Barrier) => Colour::Barrier,
                    Some(Weight::Repair) => Colour::Repair,
                    None => Colour::Opportunity,
                },
                reasons: reasons.iter().map(|entry| entry.id).collect(),
                action: if span < cut { Action::Summarised } else { Action::Kept },
            });
        }
        let weighs =
            |weight: Weight| held.iter().filter(move |entry| entry.weight == weight && entry.touches.iter().any(|s| *s < cut));
        let barriers: Vec<&&Arc<Entry>> = weighs(Weight::Barrier).collect();
        let carried: BTreeSet<EntryId> = lost.iter().map(|e| e.id).chain(weighs(Weight::Repair).map(|e| e.id)).collect();
        let verdict = match (barriers.is_empty(), carried.is_empty()) {
            (false, _) => Verdict::Refuse,
            (true, false) => Verdict::Repair,
            (true, true) => Verdict::Compact,
        };
        let repair = |entry: &Arc<Entry>| match entry.kind {
            EntryKind::Call => Reason { entry: entry.id, repair: Repair::Wait, with: None },
            EntryKind::Effect => {
                Reason { entry: entry.id, repair: Repair::Reconcile, with: Some("psql -c '\\d orders'".to_owned()) }
            }
            _ => Reason { entry: entry.id, repair: Repair::Carry, with: None },
        };
        let reasons = match verdict {
            Verdict::Refuse => barriers.iter().map(|entry| repair(entry)).collect(),
            _ => carried.iter().filter_map(|id| lane.entry(*id)).map(repair).collect(),
        };
        let in_range = |view: &&SpanView| view.in_context && view.span < cut;
        let freed: u64 = spans.iter().filter(in_range).map(|view| view.tokens).sum();
        let safe: u64 = spans.iter().filter(in_range).filter(|v| v.colour == Colour::Opportunity).map(|view| view.tokens).sum();
        let carriers = 80 * carried.len() as u64;
        let tokens = Tokens {
            before: context,
            after: context - freed.min(context),
            reclaimed_safely: safe,
            at_risk: freed - safe,
            carriers,
            floor: 380,
        };
        let (keep, summarise) =
            spans.iter().filter(|v| v.in_context).partition::<Vec<&SpanView>, _>(|v| v.colour == Colour::Barrier || v.span >= cut);
        let severed = held.iter().filter(|e| e.touches.iter().any(|s| *s < cut));
        Judgement {
            at,
            context: ContextFacts {
                tokens: context,
                estimated: lane.usage.is_empty(),
                window: 200_000,
                window_assumed: false,
                trigger: Some(167_000),
                pressure: if context >= 167_000 { Pressure::Due } else { Pressure::None },
            },
            policy,
            cut,
            verdict,
            reasons,
            severed: severed.map(|e| Severed { entry: e.id, how: Action::Summarised, span: e.touches[0] }).collect(),
            lost: lost.iter().map(|entry| entry.id).collect(),
            live_identifiers: Vec::new(),
            tokens,
            plan: Plan {
                keep: keep.iter().map(|v| v.span).collect(),
                summarise: summarise.iter().map(|v| v.span).collect(),
                carry: carried.into_iter().collect(),
                tokens: Tokens { after: context - safe.min(context) + carriers, ..tokens },
            },
            spans,
        }
    }
}
