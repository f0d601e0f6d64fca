//! Negation loss: a prohibition whose "not" is gone, or whose force is ("must" became "may"); what it let hold for one thing alone, or the
//! sides of a contrast. "Do not re-run the migration; it already ran once" became "migration ran once" (essay 000).
//!
//! High: what is forbidden is done next. Medium where a plain order is told as a wish.

use super::Loss;
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::finding::Severity;
use crate::audit::findings::constraint_evaporation::is_gone;
use crate::audit::owed::Owed;
use crate::audit::values::is_name;
use crate::evidence::{Clause, Contrast, Force, Section, Words};
use crate::ledger::entry::EntryKind;

/// How near to the sentence that says it best another one must come.
const NEAR: f64 = 0.8;

/// How much of the prohibition a clause must say, and how little else, to be what became of it.
const SURE: (f64, f64) = (0.55, 0.5);

/// How much of a clause must be about what is ruled, where no sentence states the rule.
const LEFT: f64 = 0.34;

/// A clause that says so much of what is ruled says nothing else.
const BARE: f64 = 0.99;

/// So much of what is ruled says it, whatever the verb.
const DEED: f64 = 0.7;

/// What became of a prohibition: that its "not" is gone says more than that what it waits for is.
pub(super) fn of_prohibition(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    let forbids = owed.forbids() || owed.entry.also.contains(&EntryKind::Prohibition);
    if forbids { find(case, owed) } else { None }
}

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_untold() || !owed.is_rule() {
        return None;
    }
    let mut weak: Option<Saying<'_>> = None;
    let mut loose: Option<Saying<'_>> = None;
    let best = case.said(owed).map(|saying| saying.share).fold(0.0, f64::max);
    // What only shares words with it says nothing of it where another sentence says it.
    let says_what = |saying: &Saying<'_>| owed.says_what(saying) || owed.says_what_is_ruled(saying, case.phrasebook);
    let is_it = |saying: &Saying<'_>| saying.share >= SAID && saying.share >= best * NEAR && says_what(saying);
    for saying in case.said(owed).filter(is_it) {
        let forbids = !owed.claim.denies || case.forbids_as(owed, &saying) && !is_halved(case, owed, &saying);
        match () {
            () if is_turned(case, owed, &saying) || is_lifted(case, owed, &saying) => {
                return Some(Loss::contradicted(case, Severity::High, saying));
            }
            () if forbids && is_weakened(case, owed, &saying) => weak = weak.or(Some(saying)),
            () if forbids && is_loosened(case, owed, &saying) => loose = loose.or(Some(saying)),
            () if forbids => return None,
            () => {}
        }
    }
    if let Some(saying) = weak.or(loose) {
        // Of "please don't", told as a wish, little force is lost; of "never", all.
        let is_strict = owed.claim.is_general || owed.words.bind(case.phrasebook) || owed.is_explicit();
        let severity = if is_strict { Severity::High } else { Severity::Medium };
        return Some(Loss::altered(case, severity, saying));
    }
    let core = owed.core(case.phrasebook);
    // Where the rule has no "not", none can be lost.
    let turned = |saying: &Saying<'_>| {
        let is_it = saying.recall >= SURE.0 && saying.precision >= SURE.1 && says_deed(case, owed, &core, saying);
        is_it
            && (!saying.clause.claim.denies || is_halved(case, owed, saying))
            && !case.limits_as(owed, saying)
            && owed.says_what(saying)
            && names_it(case, owed, saying)
    };
    let saying =
        case.said(owed).filter(|_| owed.claim.denies).find(turned).or_else(|| left(case, owed)).or_else(|| freed(case, owed))?;
    let permits = saying.clause.claim.force == Force::Weak;
    Some(if permits { Loss::contradicted(case, Severity::High, saying) } else { Loss::altered(case, Severity::High, saying) })
}

/// Of a prohibition that stands nowhere, the clause that says of what it forbids that it is done, or may be.
fn left<'c>(case: &'c Case<'_>, owed: &Owed) -> Option<Saying<'c>> {
    if !owed.claim.denies || owed.is_foreign || !is_gone(case, owed) {
        return None;
    }
    let (core, doubts) = (owed.core(case.phrasebook), owed.words.doubt(case.phrasebook));
    let is_left = |saying: &Saying<'_>| {
        let claim = saying.clause.claim;
        let is_asked = case.page().text_of(saying.sentence).contains('?');
        let is_other = claim.denies
            || is_asked
            || saying.sentence.section == Section::Quotes
            || (!doubts && saying.sentence.words.doubt(case.phrasebook));
        let permits = claim.force == Force::Weak && saying.clause.words.share_of(&core) >= SAID;
        let says_it = says_deed(case, owed, &core, saying) && owed.says_what_is_ruled(saying, case.phrasebook);
        let own = saying.clause.words.core(case.phrasebook);
        !is_other
            && !case.limits_as(owed, saying)
            && (permits || says_it)
            && core.share_of(&own) >= LEFT
            && names_it(case, owed, saying)
    };
    case.saying_of(&core).find(is_left)
}

/// Whether a clause says what is ruled: with the verb of the order and half of the rest, or nearly all.
fn says_deed(case: &Case<'_>, owed: &Owed, core: &Words, saying: &Saying<'_>) -> bool {
    let share = saying.clause.words.share_of(core);
    // "The live server is mars" only names what the rule is about.
    let (words, claim) = (&saying.clause.words, saying.clause.claim);
    let is_bare = saying.precision >= BARE && words.say_what_is(case.phrasebook) && !claim.tells_past;
    let is_named = words.place(case.phrasebook) || is_bare;
    let names_alone = is_named && claim.force != Force::Weak && !words.have_order_of(&owed.words);
    (share >= DEED && !names_alone) || (share >= SAID && words.have_order_of(&owed.words))
}

/// Whether a sentence has one of the names of a rule that has some.
fn names_it(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let text = case.page().text_of(saying.sentence);
    let mut names = owed.entry.names_at(case.before).filter(|name| is_name(name)).peekable();
    names.peek().is_none() || names.any(|name| text.contains(name))
}

/// Of what held for one thing alone, the clause that says it of others too.
fn freed<'c>(case: &'c Case<'_>, owed: &Owed) -> Option<Saying<'c>> {
    if owed.claim.denies || owed.is_foreign || !owed.words.exclude(case.phrasebook) {
        return None;
    }
    let core = owed.core(case.phrasebook);
    let says = |saying: &Saying<'_>| saying.share >= SAID && saying.sentence.section != Section::Quotes;
    let keeps = |saying: &Saying<'_>| case.forbids(saying) || saying.sentence.words.exclude(case.phrasebook);
    let sayings = || case.saying_of(&core).filter(says);
    let is_wider = |saying: &Saying<'_>| saying.sentence.words.width(case.phrasebook) > owed.words.width(case.phrasebook);
    if sayings().any(|saying| keeps(&saying)) { None } else { sayings().find(is_wider) }
}

/// Whether of two words that deny one alone is left, and nothing stands for the other: "never without a review" became "without a review".
fn is_halved(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let sentence = &saying.sentence.words;
    owed.words.deny_twice(case.phrasebook)
        && sentence.lack(case.phrasebook)
        && sentence.share_of(&owed.core(case.phrasebook)) >= SAID
}

/// Whether the clause binds less than the entry did, or makes an exception that the entry did not.
fn is_weakened(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let excepts = |words: &Words| words.except(case.phrasebook);
    // "It is desirable, though not compulsory": the force stands in another clause.
    let softens = |clause: &Clause| clause.words.soften(case.phrasebook);
    let is_hedged = saying.clause.claim.force == Force::Plain && case.page().clauses_of(saying.sentence).iter().any(softens);
    let is_weak = (saying.clause.claim.force == Force::Weak || is_hedged) && owed.claim.force != Force::Weak;
    // "Nothing that is not signed" is "nothing, unless it is signed".
    let is_conditional = owed.claim.is_scoped || owed.words.deny_twice(case.phrasebook);
    (is_weak && !case.limits_as(owed, saying)) || (excepts(&saying.clause.words) && !excepts(&owed.words) && !is_conditional)
}

/// Whether what held for one thing alone holds for others too.
fn is_loosened(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let excludes = |words: &Words| words.exclude(case.phrasebook);
    let keeps = || case.forbids(saying) || case.gates_as(owed, saying);
    excludes(&owed.words) && !owed.claim.denies && !excludes(&saying.sentence.words) && !keeps()
}

/// Whether a sentence says that nobody need keep to it any more: "it need not be kept".
fn is_lifted(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let waives = |words: &Words| words.waive(case.phrasebook);
    let mut clauses = case.page().clauses_of(saying.sentence).iter();
    !waives(&owed.words) && clauses.any(|clause| waives(&clause.words) && !clause.claim.denies)
}

/// Whether the two sides of a contrast have changed places.
fn is_turned(case: &Case<'_>, owed: &Owed, saying: &Saying<'_>) -> bool {
    let contrast = |words: &Words| Contrast::of(words, case.phrasebook);
    contrast(&owed.words).zip(contrast(&saying.sentence.words)).is_some_and(|(own, other)| own.is_turned_in(&other))
}
