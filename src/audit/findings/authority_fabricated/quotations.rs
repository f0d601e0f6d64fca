//! Quotations of a human who said nothing of the kind.

use super::sources::{self, Claimed};
use crate::audit::case::Case;
use crate::audit::finding::Severity;
use crate::evidence::{Section, Sentence, Words};

/// How much of a quotation in a list of them: it may be cut, or told with a note.
const QUOTED: f64 = 0.4;

/// And of one in the midst of a sentence.
const WORDED: f64 = 0.7;

/// The sentences that quote a human who said nothing of the kind. Where most quotations have no source, the transcript is not the
/// one that was summarised, and nothing can be said.
pub(super) fn made_up<'c>(case: &Case<'_>, own: &[&'c Sentence]) -> Vec<(&'c Sentence, Severity)> {
    let are_marked =
        own.iter().filter(|at| at.section == Section::Quotes).any(|at| quoted(case.page().text_of(at)).next().is_some());
    let mut made_up = Vec::new();
    let mut founded = 0_usize;
    for sentence in own {
        let text = case.page().text_of(sentence);
        // What is quoted by the way is quoted for its words.
        let (quotes, share): (Vec<&str>, f64) = match sentence.section {
            Section::Quotes if are_marked => (quoted(text).collect(), QUOTED),
            Section::Quotes => (vec![text], QUOTED),
            _ => (said(text, sentence, case).collect(), WORDED),
        };
        for quote in quotes {
            match is_human(case, quote, share) {
                Some(true) => founded += 1,
                Some(false) => made_up.push((*sentence, Severity::High)),
                None => {}
            }
        }
    }
    if made_up.len() > founded.max(2) { Vec::new() } else { made_up }
}

/// What a sentence says that a human said: the quotations just behind "said" or a colon.
fn said<'t>(text: &'t str, sentence: &Sentence, case: &Case<'_>) -> impl Iterator<Item = &'t str> {
    let is_spoken = sentence.words.names_speaker(case.phrasebook);
    let reports = sentence.words.reports(case.phrasebook);
    quoted(text).filter(move |quote| {
        let lead =
            text.find(*quote).and_then(|at| text.get(..at)).unwrap_or_default().trim_end_matches(['"', '\u{201C}', ' ', '*']);
        let words = || Words::of(lead, case.phrasebook);
        // "User: .." says as much as "the user said".
        let is_script = lead.ends_with(':') && lead.split_whitespace().count() <= SCRIPT && words().names_speaker(case.phrasebook);
        is_script || (is_spoken && reports && (lead.ends_with([':', ',']) || words().ends_in_speech(case.phrasebook)))
    })
}

/// So few words name who speaks, as in a script.
const SCRIPT: usize = 4;

/// Whether a human said something, word by word or most of it; none where it says too little to be found.
fn is_human(case: &Case<'_>, quote: &str, share: f64) -> Option<bool> {
    let quote = without_notes(quote);
    if quote.starts_with(['/', '[', '(', '<']) {
        return None;
    }
    let claimed = Claimed::of(quote, case);
    // What a human chose is quoted as it was offered.
    let is_there =
        || sources::hold(case, quote) || case.humans.proposed.holds(quote).is_some() || sources::say(case, &claimed, share);
    (claimed.words.len() >= 2).then(is_there)
}

/// A quotation up to the first note in brackets.
fn without_notes(quote: &str) -> &str {
    quote.split(" [").next().unwrap_or(quote)
}

/// What stands between quotation marks, if it is more than a name.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let is_speech = |quote: &&str| quote.split_whitespace().count() >= 3;
    text.split(['"', '\u{201C}', '\u{201D}']).skip(1).step_by(2).filter(is_speech)
}
