//! A judge for tests, simple enough to be obviously right.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::audit::{Audit, Texts};
use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::Spans;
use crate::compaction::judgement::{
    Action, Asked, Colour, ContextFacts, Judgement, Plan, Pressure, Reason, Repair, Severed, Tokens, Verdict,
};
use crate::compaction::policy::Family;
use crate::compaction::spans::Row;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind, Weight};
use crate::ledger::tagging::{Cues, Region, Said, Setting};
use crate::transcript::Agent;
use crate::ui::{Judge, PolicyName, Question};

/// A judge that colours a span by the heaviest live entry that touches it, keeps what stands behind the cut, and refuses while
/// there is a barrier in front of it.
pub(crate) struct Simple;

impl Judge for Simple {
    fn policies(&self) -> Vec<PolicyName> {
        [("claude-code", "Claude Code"), ("codex", "Codex")]
            .map(|(id, title)| PolicyName { id: id.into(), title: title.to_owned(), alias: None, family: Family::Agent })
            .into()
    }

    fn regions(&self, said: &Said<'_>) -> Vec<Region> {
        Cues::default().read(said, Setting::Keep)
    }

    fn audit(&self, lane: &LaneSnapshot, _: &dyn Texts) -> Audit {
        super::audit::simple(lane)
    }

    fn judge(&self, _: Agent, lane: &LaneSnapshot, question: &Question) -> Judgement {
        let at = lane.end();
        let now = at.unwrap_or_default();
        let context = at.map_or(0, |at| lane.context_tokens_at(at).tokens);
        let policy = question.policy.clone().unwrap_or_else(|| "claude-code".into());
        let behind = if &*policy == "codex" { 2 } else { 0 };
        let cut = question.cut.unwrap_or_else(|| SpanIx::from_index(lane.spans.len().saturating_sub(behind)));
        let (lost, held): (Vec<Arc<Entry>>, Vec<Arc<Entry>>) =
            lane.live_at(now).into_iter().partition(|e| e.lost_at(now).is_some());
        let touches = |entry: &Arc<Entry>, span: SpanIx| entry.touches_at(now).any(|touched| touched == span);
        let in_range = |entry: &&Arc<Entry>| entry.touches_at(now).any(|span| span < cut);

        let mut reasons = Vec::new();
        let mut rows = Vec::new();
        for n in 0..lane.spans.len() {
            let span = SpanIx::from_index(n);
            if !lane.spans.get(n).is_some_and(|row| lane.in_context(row, now)) {
                continue;
            }
            let touching: Vec<&Arc<Entry>> = held.iter().filter(|entry| touches(entry, span)).collect();
            reasons.extend(touching.iter().map(|entry| (span, entry.id)));
            rows.push(Row {
                span,
                tokens: lane.spans.get(n).map_or(0, |row| row.tokens),
                colour: match touching.iter().map(|entry| entry.weight_at(now)).max() {
                    Some(Weight::Barrier) => Colour::Barrier,
                    Some(Weight::Repair) => Colour::Repair,
                    None => Colour::Opportunity,
                },
                action: if span < cut { Action::Summarised } else { Action::Kept },
            });
        }
        let weighs = |weight: Weight| held.iter().filter(in_range).filter(move |entry| entry.weight_at(now) == weight);
        let barriers: Vec<&Arc<Entry>> = weighs(Weight::Barrier).collect();
        let carried: BTreeSet<EntryId> = lost.iter().map(|e| e.id).chain(weighs(Weight::Repair).map(|e| e.id)).collect();
        let verdict = match (barriers.is_empty(), carried.is_empty()) {
            (false, _) => Verdict::Refuse,
            (true, false) => Verdict::Repair,
            (true, true) => Verdict::Compact,
        };
        let sum = |keep: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| keep(row)).map(|row| u64::from(row.tokens)).sum::<u64>();
        let freed = sum(&|row| row.span < cut);
        let safe = sum(&|row| row.span < cut && row.colour == Colour::Opportunity);
        let carriers = 80 * carried.len() as u64;
        let tokens = Tokens {
            before: context,
            after: context.saturating_sub(freed),
            stands_in: 0,
            reclaimed_safely: safe,
            at_risk: freed - safe,
            carriers,
            floor: 380,
        };
        let (keep, summarise): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| row.colour == Colour::Barrier || row.span >= cut);
        let plan = Plan {
            verdict,
            keep: keep.iter().map(|row| row.span).collect(),
            summarise: summarise.iter().map(|row| row.span).collect(),
            carry: carried.iter().copied().collect(),
            tokens: Tokens { after: context.saturating_sub(safe) + carriers, ..tokens },
        };
        let severed = held.iter().filter(in_range).filter_map(|entry| {
            let span = entry.touches_at(now).next()?;
            Some(Severed { entry: entry.id, how: Action::Summarised, span, asked: Asked::No })
        });
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
            target: 40_000,
            need: context.saturating_sub(40_000),
            cut,
            torn: Vec::new(),
            verdict,
            older: None,
            cannot: Vec::new(),
            unknown: Vec::new(),
            reasons: barriers
                .iter()
                .map(|entry| reason(entry))
                .chain(carried.iter().filter_map(|id| lane.entry(*id)).map(|e| reason(&e)))
                .collect(),
            severed: severed.collect(),
            lost: lost.iter().map(|entry| entry.id).collect(),
            bindings: Vec::new(),
            live_identifiers: Vec::new(),
            tokens,
            plan,
            spans: Spans::new(lane.spans.len(), rows, &reasons),
        }
    }
}

fn reason(entry: &Arc<Entry>) -> Reason {
    let (repair, with) = match entry.kind {
        EntryKind::Call => (Repair::Wait, None),
        EntryKind::Effect => (Repair::Reconcile, Some("psql -c '\\d orders'".to_owned())),
        _ => (Repair::Carry, None),
    };
    Reason { entry: entry.id, repair, with }
}
