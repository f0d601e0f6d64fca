//! Ambiguous-outcome erasure: unknown before, "failed" or "succeeded" after. What timed out may have happened; told as failed it is
//! done again (essay 000, "What Was Observed"). No field report is known, because nobody can see it (`incidents`).
//!
//! High where doing it twice does harm that stays; medium otherwise.

use super::{Loss, changes_something, cost};
use crate::audit::case::{Case, Saying};
use crate::audit::mention::{self, Mention};
use crate::audit::owed::Owed;
use crate::base::text::prefix;
use crate::evidence::Claim;
use crate::evidence::Status;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{EntryKind, Weight};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.is_held || !is_unknown(owed) {
        return None;
    }
    let mention = Mention::of(case, owed);
    let names = mention::names(owed, case.before);
    let doubts =
        |saying: &Saying<'_>| saying.sentence.words.doubt(case.phrasebook) && !mention::names_another(case, owed, names, saying);
    if mention.sayings().any(|saying| doubts(&saying)) {
        return None;
    }
    // That it timed out decides nothing; that it did not happen, or has to be done again, does: unless it ended by itself with an error.
    let decides = |saying: &Saying<'_>| saying.sentence.words.decide(case.phrasebook);
    let decided = mention.sayings().find(decides).or_else(|| mention.tells(Status::Failed));
    if (decided.is_none() && mention.tells(Status::Unknown).is_some()) || (decided.is_some() && has_just_failed(case, owed)) {
        return None;
    }
    Some(Loss::contradicted(case, cost(&owed.entry), decided.or_else(|| mention.tells(Status::Done))?))
}

/// Whether something local that may be done again ended with an error, and that does not say that nobody knows.
fn has_just_failed(case: &Case<'_>, owed: &Owed) -> bool {
    if owed.entry.kind != EntryKind::Effect || owed.entry.weight_at(case.before) != Weight::Repair {
        return false;
    }
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()));
    let end = call.and_then(|call| call.end_at(case.before));
    let says = |line: &str| Claim::of_text(line, case.phrasebook).status == Some(Status::Unknown);
    !end.is_some_and(|end| prefix(&case.texts.text(end.event), SHOWN_BYTES).lines().any(says))
}

/// Of a result so many bytes say how it ended.
const SHOWN_BYTES: usize = 400;

/// Whether nobody knows what came of it: also of a call that nothing has answered yet.
fn is_unknown(owed: &Owed) -> bool {
    let effect = owed.entry.action.as_ref().and_then(|action| action.effect);
    match owed.entry.kind {
        EntryKind::Effect => effect.is_none_or(|effect| effect == EffectStatus::Unknown),
        EntryKind::Call => changes_something(&owed.entry),
        _ => false,
    }
}
