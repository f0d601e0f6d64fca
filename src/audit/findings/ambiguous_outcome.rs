//! Ambiguous-outcome erasure: unknown before, "failed" or "succeeded" after. What timed out may have happened; told as failed it is
//! done again (essay 000, "What Was Observed"). No field report is known, because nobody can see it (`incidents`).
//!
//! High where doing it twice does harm that stays; medium otherwise.

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, Saying};
use crate::audit::mention::Mention;
use crate::audit::owed::Owed;
use crate::base::ids::EventIx;
use crate::evidence::Status;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EntryKind, Weight};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.is_held || !is_unknown(owed, case.before) {
        return None;
    }
    let mention = Mention::of(case, owed);
    if mention.sayings().any(|saying| saying.sentence.words.doubt(case.phrasebook)) {
        return None;
    }
    // That it timed out decides nothing; that it did not happen, or has to be done again, does.
    let decides = |saying: &Saying<'_>| saying.sentence.words.decide(case.phrasebook);
    let decided = mention.sayings().find(decides).or_else(|| mention.tells(Status::Failed));
    if decided.is_none() && mention.tells(Status::Unknown).is_some() {
        return None;
    }
    Some(Loss::contradicted(case, cost(&owed.entry), decided.or_else(|| mention.tells(Status::Done))?))
}

/// Whether nobody knows what came of it: also of a call that nothing has answered yet.
fn is_unknown(owed: &Owed, at: EventIx) -> bool {
    // A plain exit of something local that may be done again is left at that.
    let is_plain = owed.entry.weight_at(at) == Weight::Repair;
    let effect = owed.entry.action.as_ref().and_then(|action| action.effect);
    match owed.entry.kind {
        EntryKind::Effect if !is_plain => effect.is_none_or(|effect| effect == EffectStatus::Unknown),
        EntryKind::Call => changes_something(&owed.entry),
        _ => false,
    }
}
