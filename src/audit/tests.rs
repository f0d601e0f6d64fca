//! What an audit says of small sessions.

mod confirmation;
mod kit;
mod milestones;
mod pointing;
mod retold;
mod staying;
mod wordings;

use std::collections::BTreeSet;

use crate::audit::testing::audited;
use crate::audit::{ConsequenceClass, Fate, FindingClass, audit, audit_here};
use crate::base::ids::EventIx;
use crate::ledger::testing::{fold, payloads, rules};

#[test]
fn words_are_one_each() {
    let words: BTreeSet<&str> = (FindingClass::ALL.iter().map(|class| class.word()))
        .chain(ConsequenceClass::ALL.iter().map(|class| class.word()))
        .chain(Fate::ALL.iter().map(|fate| fate.word()))
        .collect();
    assert_eq!(words.len(), FindingClass::ALL.len() + ConsequenceClass::ALL.len() + Fate::ALL.len());
}

#[test]
fn what_a_summary_quotes_is_kept() {
    let audit = audited(
        "prompt Never push to main.\nboundary\nsummary This is a summary. All user messages: - \"Never push to main.\"\nstep m1\nsay ok",
    );
    let [boundary] = &audit.boundaries[..] else { panic!("{audit:?}") };
    assert_eq!(boundary.entries.iter().map(|told| told.fate).collect::<Vec<_>>(), [Fate::Verbatim]);
    assert!(boundary.findings.is_empty());
}

#[test]
fn of_a_summary_that_nobody_can_read_nothing_is_said() {
    let audit = audited("prompt Never push to main.\nboundary\nopaque\nstep m1\nsay ok");
    assert_eq!(audit.boundaries[0].count(Fate::Unobserved), 1);
    assert_eq!(audit.findings().count(), 0);
}

#[test]
fn an_audit_on_one_thread_says_the_same() {
    let script = "prompt Never push to main.\nboundary\nsummary The harbour has a lamp.\nstep m1\nsay ok\n\
                  prompt From now on use port 8443.\nboundary\nsummary It uses port 8444.\nstep m2\n\
                  call a Bash {\"command\":\"git push origin main\"}\nresult a ok done";
    let (lane, payloads) = (fold(script), payloads(script));
    let texts = |event: EventIx| payloads.get(event.index()).cloned();
    let beside = audit(&lane, &texts, &rules());
    assert!(beside.boundaries.len() == 2 && beside.findings().count() > 0);
    assert_eq!(format!("{beside:?}"), format!("{:?}", audit_here(&lane, &texts, &rules())));
}
