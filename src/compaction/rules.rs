//! The rules that give spans their colour, one file each.
//!
//! A rule looks at one live entry and answers in three values. Unsure is never clear: where a rule cannot tell, it weighs what its
//! `doubt` says, a barrier about calls, effects and open things, repair about commitments, bindings, scopes and edges.

mod aftermath;
mod binding;
mod commitment;
mod dependence;
mod open_call;
mod process;
mod promise;
mod retry;
mod transaction;
mod unholdable;
mod unknown_effect;

use crate::base::ids::{EventIx, SpanIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind, Weight};

/// What a rule says about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The spans that it touches may be summarised, as far as this rule goes.
    Clear,
    /// They may not, or not before a carrier is written.
    Blocks(Weight),
    /// The rule cannot tell.
    Unsure,
}

/// A live entry, and what would become of the places where it stands.
pub(super) struct Case<'a> {
    pub(super) entry: &'a Entry,
    pub(super) lane: &'a LaneSnapshot,
    /// The moment.
    pub(super) at: EventIx,
    /// Whether what stays holds it.
    pub(super) retained: Retained,
    /// What would become of a span.
    pub(super) fate: &'a dyn Fn(SpanIx) -> SpanFate,
}

/// Whether what stays holds an entry, word by word or in a carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retained {
    /// It does.
    Held,
    /// It does not.
    NotHeld,
}

/// What would become of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpanFate {
    /// It stays.
    Stays,
    /// It goes.
    Goes,
    /// It is not in the context.
    Outside,
}

/// A rule.
pub(super) struct Rule {
    /// Which entries it is about.
    pub(super) about: fn(EntryKind) -> bool,
    /// What it weighs when it cannot tell.
    pub(super) doubt: Weight,
    /// Its answer.
    pub(super) ask: fn(&Case<'_>) -> Answer,
}

/// All rules.
pub(super) const RULES: &[Rule] = &[
    open_call::RULE,
    unknown_effect::RULE,
    retry::RULE,
    transaction::RULE,
    process::RULE,
    aftermath::RULE,
    promise::RULE,
    commitment::RULE,
    binding::RULE,
    dependence::RULE,
    unholdable::RULE,
];

/// What an entry weighs: the heaviest answer of the rules that are about it. None: it stands in nobody's way.
pub(super) fn weigh(case: &Case<'_>) -> Option<Weight> {
    let rules = RULES.iter().filter(|rule| (rule.about)(case.entry.kind));
    let answers = rules.filter_map(|rule| match (rule.ask)(case) {
        Answer::Clear => None,
        Answer::Blocks(weight) => Some(weight),
        Answer::Unsure => Some(rule.doubt),
    });
    answers.max()
}

/// The answer that follows the ledger's own weight: a barrier stays one whatever is carried; anything else is clear once something
/// that stays holds it.
fn weighed(case: &Case<'_>) -> Answer {
    match (case.entry.weight_at(case.at), case.retained) {
        (Weight::Barrier, _) => Answer::Blocks(Weight::Barrier),
        (Weight::Repair, Retained::Held) => Answer::Clear,
        (Weight::Repair, Retained::NotHeld) => Answer::Blocks(Weight::Repair),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::EntryId;
    use crate::compaction::testing::{Hand, depends_on};

    /// The weight of an entry of this kind that says nothing of an action.
    fn weight(kind: EntryKind, retained: Retained, edge: Option<EntryId>) -> Option<Weight> {
        let mut hand = Hand::default();
        let span = hand.say(10);
        let id = hand.entry_from(kind, Weight::Repair, span, |entry| entry.edges.extend(edge.map(depends_on)));
        let entry = hand.lane.entry(id).unwrap();
        let fate = |_| SpanFate::Goes;
        weigh(&Case { entry: &entry, lane: &hand.lane, at: EventIx(0), retained, fate: &fate })
    }

    #[test]
    fn every_kind_weighs_something_until_something_that_stays_holds_it() {
        use EntryKind as K;
        for kind in [K::Call, K::Effect, K::Retry, K::Transaction] {
            for retained in [Retained::Held, Retained::NotHeld] {
                assert_eq!(weight(kind, retained, None), Some(Weight::Barrier), "{kind:?} {retained:?}");
            }
        }
        for kind in [
            K::Done,
            K::Process,
            K::Resource,
            K::Unverified,
            K::Task,
            K::Question,
            K::Reference,
            K::Prohibition,
            K::Requirement,
            K::Ordering,
            K::Decision,
            K::Value,
            K::Unclassified,
            K::Binding,
        ] {
            assert_eq!(weight(kind, Retained::NotHeld, None), Some(Weight::Repair), "{kind:?}");
            assert_eq!(weight(kind, Retained::Held, None), None, "{kind:?}");
        }
    }

    #[test]
    fn unsure_is_never_clear() {
        // The entry that it depends on is nowhere: nobody can tell what its output was.
        assert_eq!(weight(EntryKind::Value, Retained::Held, Some(EntryId(99))), Some(Weight::Repair));
        for rule in RULES {
            let opens = [EntryKind::Call, EntryKind::Effect, EntryKind::Transaction, EntryKind::Process];
            let about_open_things = opens.into_iter().any(rule.about) && !(rule.about)(EntryKind::Value);
            assert!(!about_open_things || rule.doubt == Weight::Barrier);
        }
    }
}
