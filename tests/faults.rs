//! The fault kit: stories whose summaries are faithful, or wrong in exactly one known fact, and what the audit makes of them
//! (`tests/faults/README.md`). `OWED_FAULTS_ALL=1` prints also the misses of the wordings that are held out.
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

use score::Score;
use story::Story;

/// The table, and what must hold of it. Issue 5 asks for a recall of .95 in each class, and .03 false alarms a faithful summary.
#[test]
#[expect(clippy::disallowed_methods, reason = "what is printed is named by the environment")]
fn faults_are_named_and_faithful_summaries_are_not() {
    let all = std::env::var_os("OWED_FAULTS_ALL").is_some();
    let score = Score::of(&Story::all(), all);
    println!("{}\n{score}", score.misses(all));
    assert!(score.alarms.value() <= 0.03, "{} false alarms in {} faithful summaries", score.alarms.hit, score.alarms.of);
}

#[test]
fn what_the_essays_observed_is_found_with_its_cost() {
    let missed = essays::missed();
    println!("{} observations of the essays are not found\n{}", missed.len(), missed.join("\n"));
    assert!(missed.len() <= 16);
}
