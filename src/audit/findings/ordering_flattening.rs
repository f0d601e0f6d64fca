//! Ordering flattening: both ends are there, the relation is not ("run the test suite and apply the patch": essays 000 and 001; in the
//! field ai-dlc#559).
//!
//! Medium; high where the order was tagged, or stands the other way round.

use super::{Loss, consent_dropped};
use crate::audit::case::{Case, SAID, Saying};
use crate::audit::fate::Fate;
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::evidence::{Claim, Clause, Ends, Kept, Sentence, Status, Words, stands_whole};
use crate::ledger::entry::EntryStatus;

/// All of a limit.
const ALL: f64 = 0.99;

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() {
        return None;
    }
    let ends = owed.ends(case.phrasebook).filter(|_| !waits_for_a_word(case, owed))?;
    let (mut flat, mut turned, mut limited) = (None, None, false);
    // What was reported as done, and is told as done, has no order left that could be lost.
    if owed.entry.status_at(case.before) == Some(EntryStatus::Claimed) && is_told_over(case, owed) {
        return None;
    }
    // "Ask the user first": who is to be asked comes first. What asks first may say hardly more than that.
    let waits = |words: &Words| {
        words.put_before(case.phrasebook) || words.need(case.phrasebook) || words.come_after_consent(case.phrasebook)
    };
    let asks = |saying: &Saying<'_>| {
        saying.sentence.words.tell_of_consent(case.phrasebook) && (waits(&saying.sentence.words) || case.forbids(saying))
    };
    let is_asked = || {
        let reading = case.readings.of(&owed.entry, case.phrasebook);
        let deed = reading.asked(&owed.entry, case.phrasebook);
        let is_about = |sentence: &Sentence| case.page().share(deed, sentence) >= consent_dropped::ABOUT;
        let mut asked = case.page().sentences().iter().filter(|sentence| sentence.words.tell_of_consent(case.phrasebook));
        asked.any(|sentence| is_about(sentence) && waits(&sentence.words))
    };
    let wants = owed.words.want_consent(case.phrasebook);
    if wants && (case.saying_of(&owed.words).any(|saying| saying.shared >= 2 && asks(&saying)) || is_asked()) {
        return None;
    }
    // "Until 30 June it must work" is what "it has to work until 30 June" was.
    let is_limited = |saying: &Saying<'_>| {
        let limit = saying.sentence.words.condition(case.phrasebook);
        limit.zip(owed.condition(case.phrasebook)).is_some_and(|(limit, own)| limit.share_of(own) >= ALL)
    };
    for saying in case.said(owed).filter(|saying| saying.share >= SAID) {
        match ends.in_words(&saying.sentence.words, case.phrasebook) {
            Kept::InOrder => return None,
            Kept::Turned => turned = turned.or(Some(saying)),
            Kept::Flat if !wants && is_limited(&saying) => limited = true,
            Kept::Flat => flat = flat.or(Some(saying)),
            Kept::Absent => {}
        }
    }
    let severity = if owed.is_explicit() { Severity::High } else { Severity::Medium };
    if let Some(saying) = turned {
        return Some(Loss::contradicted(case, Severity::High, saying));
    }
    if limited {
        return None;
    }
    let loose = |sentence: &Sentence| Some(Loss { severity, fate: Fate::Altered, after: case.passage(sentence) });
    match (neighbours(case, &ends), flat) {
        (Neighbours::Ordered, _) => None,
        (Neighbours::Loose(sentence), None) => loose(sentence),
        (_, Some(saying)) => Some(Loss::altered(case, severity, saying)),
        (Neighbours::Nothing, None) => loose(named(case, owed, &ends)?),
    }
}

/// Whether a sentence about it tells that something is done, and none says it otherwise.
fn is_told_over(case: &Case<'_>, owed: &Owed) -> bool {
    let is_past = |claim: &Claim| claim.tells_past && claim.status.is_none() && !claim.denies;
    let is_done = |clause: &Clause| clause.claim.status == Some(Status::Done) || is_past(&clause.claim);
    let tells = |saying: &Saying<'_>| case.page().clauses_of(saying.sentence).iter().any(is_done);
    let is_open = |saying: &Saying<'_>| saying.share >= SAID && !tells(saying);
    case.said(owed).any(|saying| tells(&saying)) && !case.said(owed).any(|saying| is_open(&saying))
}

/// The sentence that names what each end acts on, and nothing that orders them: "there are two operations, `export` and `import`".
fn named<'c>(case: &'c Case<'_>, owed: &Owed, ends: &Ends) -> Option<&'c Sentence> {
    let (first, second) = ends.texts(&owed.entry.text);
    let own = |text: &str, other: &str| {
        let names = owed.entry.names_at(case.before).filter(|name| stands_whole(text, name) && !stands_whole(other, name));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let (first, second) = (own(first, second), own(second, first));
    let names = |sentence: &Sentence, names: &[String]| names.iter().any(|name| stands_whole(case.page().text_of(sentence), name));
    let both = |sentence: &&Sentence| {
        !sentence.is_code && names(sentence, &first) && names(sentence, &second) && !sentence.words.are_ordered(case.phrasebook)
    };
    case.page().sentences().iter().find(both)
}

/// Whether what it waits for is the human's word: that is a prohibition, and no order of two deeds.
fn waits_for_a_word(case: &Case<'_>, owed: &Owed) -> bool {
    let condition = owed.condition(case.phrasebook);
    owed.forbids() && condition.is_some_and(|condition| condition.len() <= 1 && condition.are_speech(case.phrasebook))
}

/// What two sentences one behind the other say of two ends.
enum Neighbours<'c> {
    /// Both, in their order: by a number each, or by a word of order at the beginning of the second.
    Ordered,
    /// Both, and nothing orders them.
    Loose(&'c Sentence),
    /// Not both.
    Nothing,
}

fn neighbours<'c>(case: &'c Case<'_>, ends: &Ends) -> Neighbours<'c> {
    let mut loose = Neighbours::Nothing;
    for pair in case.page().sentences().windows(2) {
        let [one, two] = pair else { continue };
        if one.is_code || two.is_code || one.is_heading || two.is_heading {
            continue;
        }
        // One word stands in many sentences that are about something else.
        if !ends.say_most_of(&one.words.with(&two.words)) {
            continue;
        }
        let (first, second) = (ends.share_of_first(&one.words), ends.share_of_second(&two.words));
        if first >= SURE && second >= SURE {
            if (one.is_numbered && two.is_numbered) || two.words.begin_in_order(case.phrasebook) {
                return Neighbours::Ordered;
            }
            loose = Neighbours::Loose(one);
        }
        let turned = (ends.share_of_second(&one.words), ends.share_of_first(&two.words));
        if turned.0 >= SURE && turned.1 >= SURE {
            loose = Neighbours::Loose(one);
        }
    }
    loose
}

/// How much of an end a sentence of its own must say.
const SURE: f64 = 0.75;
