//! The fault kit: stories whose summaries are faithful, or wrong in exactly one known fact, and what the audit makes of them
//! (`tests/faults/README.md`). `OWED_FAULTS_ALL=1` prints also the misses of the wordings that are held out;
//! `OWED_FAULTS_ONLY=negate,weaken` tries these mutations alone, and `OWED_FAULTS_STORIES=FOLDER` the stories of a folder, to which no
//! floor applies.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

#[path = "faults/case.rs"]
mod case;
#[path = "faults/claude.rs"]
mod claude;
#[path = "faults/codex.rs"]
mod codex;
#[path = "faults/essays.rs"]
mod essays;
#[path = "faults/judge.rs"]
mod judge;
#[path = "faults/mutation.rs"]
mod mutation;
#[path = "faults/score.rs"]
mod score;
#[path = "faults/script.rs"]
mod script;
#[path = "faults/session.rs"]
mod session;
#[path = "faults/story.rs"]
mod story;
#[path = "faults/style.rs"]
mod style;
#[path = "faults/wellformed.rs"]
mod wellformed;

use std::path::PathBuf;

use score::{Choice, Score};
use story::Story;

/// What must hold by class: the share of faults that are named. Issue 5 asks for .95 in each; a floor is raised as the audit grows.
const RECALL: &[(&str, f64)] = &[
    ("ambiguous-outcome-erasure", 0.95),
    ("authority-fabricated", 0.97),
    ("binding-severed", 0.95),
    ("boundary-unannounced", 0.95),
    ("committed-value-loss", 0.95),
    ("completion-erasure", 0.95),
    ("confirmation-collapse", 0.92),
    ("constraint-evaporation", 0.95),
    ("constraint-inflation", 0.95),
    ("identifier-drift", 0.95),
    ("negation-loss", 0.95),
    ("obligation-erased", 0.95),
    ("ordering-flattening", 0.95),
    ("pairing-severed", 0.95),
    ("prompt-lost", 0.87),
    ("stale-directive", 0.92),
];

/// The most false alarms a faithful summary (issue 5: .03), the most scatter a fault, and the least share of costs that are found.
const ALARMS: f64 = 0.03;
const SCATTER: f64 = 0.02;
const COSTS: f64 = 0.9;

/// The table, and what must hold of it.
#[test]
#[expect(clippy::disallowed_methods, reason = "what is printed is named by the environment")]
fn faults_are_named_and_faithful_summaries_are_not() {
    let all = std::env::var_os("OWED_FAULTS_ALL").is_some();
    let only = std::env::var("OWED_FAULTS_ONLY").unwrap_or_default();
    let only: Vec<String> = only.split_terminator(',').map(str::to_owned).collect();
    let keep = std::env::var_os("OWED_FAULTS_KEEP").map(PathBuf::from);
    let score = Score::of(&Story::all(), &Choice { all, only: only.clone(), keep });
    println!("{}\n{score}", score.misses(all));
    if !only.is_empty() || Story::others().is_some() {
        return;
    }
    let recall = score.recall();
    let below = RECALL.iter().filter(|(class, floor)| recall.get(*class).is_some_and(|share| share.value() < *floor));
    assert_eq!(below.collect::<Vec<_>>(), Vec::<&(&str, f64)>::new(), "fewer faults are named than before");
    assert_eq!(
        recall.keys().map(String::as_str).collect::<Vec<_>>(),
        RECALL.iter().map(|(class, _)| *class).collect::<Vec<_>>(),
        "every class has a floor"
    );
    assert!(score.alarms.value() <= ALARMS, "{} false alarms in {} faithful summaries", score.alarms.hit, score.alarms.of);
    assert!(score.scatter().value() <= SCATTER && score.cost().value() >= COSTS);
}

#[test]
fn what_the_essays_observed_is_found_with_its_cost() {
    let missed = essays::missed();
    assert!(missed.is_empty(), "{missed:#?}");
}
