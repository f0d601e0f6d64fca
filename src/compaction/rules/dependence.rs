//! What depends on an earlier action's output, and not just on its having been done. Where the output goes too and cannot be re-stated,
//! both must stay. A call has taken what it needs: its input says it in full.

use crate::compaction::carrier::LONGEST_TEXT;
use crate::compaction::rules::{Answer, Case, Rule, SpanFate};
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind, Weight};

pub(super) const RULE: Rule = Rule { about: |kind| kind != EntryKind::Call, doubt: Weight::Repair, ask };

fn ask(case: &Case<'_>) -> Answer {
    let outputs = case.entry.edges_at(case.at).filter(|edge| edge.kind == EdgeKind::DependsOnOutput);
    let mut answer = Answer::Clear;
    for edge in outputs {
        let Some(source) = case.lane.entry(edge.to) else {
            answer = Answer::Unsure;
            continue;
        };
        if source.opened.event > case.at {
            continue;
        }
        match restated(case, &source) {
            Some(Restated::Yes) => {}
            Some(Restated::No) => return Answer::Blocks(Weight::Barrier),
            None => answer = Answer::Unsure,
        }
    }
    answer
}

/// Whether a carrier can re-state an output, or need not.
enum Restated {
    Yes,
    No,
}

fn restated(case: &Case<'_>, source: &Entry) -> Option<Restated> {
    let call = case.lane.calls.get(source.action.as_ref()?.call?.index())?;
    if (case.fate)(call.span) != SpanFate::Goes {
        return Some(Restated::Yes);
    }
    let Some(end) = call.end_at(case.at) else { return Some(Restated::No) };
    let masking = call.masked.and_then(|ix| case.lane.boundaries.get(ix.index()));
    let masked = masking.is_some_and(|masking| masking.event <= case.at);
    // Estimated tokens stand for some three bytes each.
    let long = case.lane.events.get(end.event.index()).is_none_or(|row| row.tokens as usize * 3 > LONGEST_TEXT);
    let lost = masked || long || end.effect == Some(EffectStatus::Unknown);
    Some(if lost { Restated::No } else { Restated::Yes })
}
