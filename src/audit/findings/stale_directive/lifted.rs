//! What was lifted and stands as a duty: "you no longer need to announce it" became "announce it".

use super::is_told;
use crate::audit::case::{Case, Saying};
use crate::evidence::Words;

/// How much of what was lifted a clause must say, and how little else.
const SURE: (f64, f64) = (0.6, 0.6);

/// The clause that asks for what some words lift, where none tells that it is lifted.
pub(super) fn comes_back<'c>(case: &'c Case<'_>, lifts: &Words) -> Option<Saying<'c>> {
    let mut duty = None;
    for saying in case.saying_of(lifts).filter(|saying| !is_told(case, saying) || saying.sentence.words.want(case.phrasebook)) {
        let words = &saying.sentence.words;
        if saying.recall < SURE.0 || saying.precision < SURE.1 {
            continue;
        }
        if words.lift(case.phrasebook) || saying.clause.claim.denies {
            return None;
        }
        if !saying.clause.claim.tells_past {
            duty = duty.or(Some(saying));
        }
    }
    duty
}
