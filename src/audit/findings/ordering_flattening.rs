//! Ordering flattening: both ends are there, the relation is not ("run the test suite and apply the patch": essays 000 and 001; in the
//! field ai-dlc#559).
//!
//! Medium; high where the order was tagged, or stands the other way round.

use super::Loss;
use crate::audit::case::{Case, SAID};
use crate::audit::fate::Fate;
use crate::audit::finding::Severity;
use crate::audit::owed::Owed;
use crate::evidence::{Ends, Kept, Sentence};

pub(super) fn find(case: &Case<'_>, owed: &Owed) -> Option<Loss> {
    if owed.stands() || owed.is_long() {
        return None;
    }
    let ends = owed.ends(case.phrasebook)?;
    let (mut flat, mut turned) = (None, None);
    for saying in case.said(owed).filter(|saying| saying.share >= SAID) {
        match ends.in_words(&saying.sentence.words, case.phrasebook) {
            Kept::InOrder => return None,
            Kept::Turned => turned = turned.or(Some(saying)),
            Kept::Flat => flat = flat.or(Some(saying)),
            Kept::Absent => {}
        }
    }
    let severity = if owed.is_explicit() { Severity::High } else { Severity::Medium };
    if let Some(saying) = turned {
        return Some(Loss::contradicted(case, Severity::High, saying));
    }
    match neighbours(case, &ends) {
        Neighbours::Ordered => None,
        Neighbours::Loose(sentence) if flat.is_none() => {
            Some(Loss { severity, fate: Fate::Altered, after: case.passage(sentence) })
        }
        _ => flat.map(|saying| Loss::altered(case, severity, saying)),
    }
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
