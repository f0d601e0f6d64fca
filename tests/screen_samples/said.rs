//! What readers look for is said where they look for it: samples, keys, and the words that must be on the screen then.

use std::path::Path;
use std::sync::Arc;

use owed::audit::{Audit, Texts, audit};
use owed::base::time::Stamp;
use owed::compaction::Judgement;
use owed::ledger::{LaneSnapshot, Rulebook};
use owed::session::{Feed, Options};
use owed::transcript::Agent;
use owed::ui::{Judge, PolicyName, Question, Still};

use super::{BuiltIn, look};

/// Judges as [`BuiltIn`], and audits.
struct Auditing(BuiltIn, Arc<Rulebook>);

impl Judge for Auditing {
    fn policies(&self) -> Vec<PolicyName> {
        self.0.policies()
    }

    fn judge(&self, agent: Agent, lane: &LaneSnapshot, question: &Question) -> Judgement {
        self.0.judge(agent, lane, question)
    }

    fn audit(&self, lane: &LaneSnapshot, texts: &dyn Texts) -> Audit {
        audit(lane, texts, &self.1)
    }
}

/// The words of a screen, pane by pane as they stand, with one blank between them.
fn words(still: &Still) -> String {
    still.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_a_reader_asks_is_answered_where_it_stands() {
    let rules = Arc::new(Rulebook::load(Default::default()).unwrap());
    let reading = Options::of(Arc::clone(&rules));
    for (sample, size, keys, says) in [
        // Whose reason it is, and where that of the verdict stands.
        ("compacted.jsonl", (120, 40), "G", &["span 90 ▲ repair", "The verdict rests on e158; v goes there."][..]),
        // What to do about an effect in doubt that a compaction has told in other words.
        (
            "roo.json",
            (120, 40),
            "O enter z",
            &[
                "gone from the context",
                "effect unknown",
                "closes on git ls-remote, whichever way it answers, or a success of the same action",
                "do now reconcile: git ls-remote; or carry",
                "restated at compaction 1",
            ],
        ),
        // A cost in full, though it is longer than a line.
        ("compacted.jsonl", (80, 40), "f j j", &["prohibited action, work redone,"]),
        // The command of a script tells what it did; the script's own name would not.
        (
            "compacted.jsonl",
            (120, 40),
            "f",
            &["negation loss", "Do not send any not", "prohibited action, 1 turn", "pnpm notices:catch-up"],
        ),
        // What no span shows is named, so that the figures add up; what is to be carried beside what is severed, too.
        ("compacted.jsonl", (120, 40), "!", &["+ system, tools", "+ summary", "would sever 13", "3 of them lost before"]),
        ("compacted.jsonl", (200, 60), "*", &["▸ claude-code, row", "▸ claude-code "]),
        // The worst loss is selected, and what it is a loss of stands above it; what does not fit is said to be there.
        ("compacted.jsonl", (80, 24), "f", &["compaction 1 · auto", "─ ■ negation loss · high · e2 ─", "▾"]),
        // What each number counts.
        (
            "compacted.jsonl",
            (120, 40),
            "c",
            &["6 findings", "compaction 1 4 still owed, and lost", "f tells all 6 findings", "Pending", "1 in doubt"],
        ),
        ("compacted.jsonl", (80, 24), "c", &["compaction 1, 6 findings, f tells them"]),
        // The reader's own policy stands where the table says.
        ("stopped-mid-call.jsonl", (120, 40), "*", &["54 policies on 169k · fewest severed first ▸ row 46"]),
        // What is told of an entry goes on, and scrolls.
        ("compacted.jsonl", (120, 40), "e a", &["─ e2 ─", " J scrolls, 11 lines "]),
        ("compacted.jsonl", (120, 40), "e a J J J J", &["rule P1, inferred", "lost at compaction 1"]),
        ("stopped-mid-call.jsonl", (120, 40), "e j j r j J J J J", &["do now reconcile: look whether it happened", "rule retry"]),
        // What nobody can know.
        (
            "compacted.jsonl",
            (120, 40),
            ": c o d e x enter !",
            &["cannot be known", "? what its summary says: only the vendor can read it"],
        ),
        (
            "compacted.jsonl",
            (80, 24),
            "* / c o d e x enter j j",
            &["codex-local defer", "■? codex-remote-v2 defer", "? what its summary says: only the vendor can read it"],
        ),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(sample);
        let feed = Feed::whole(&path, &reading).unwrap();
        let judge = Box::new(Auditing(BuiltIn::default(), Arc::clone(&rules)));
        let mut still = Still::open(&feed, judge, &look(Stamp(1_790_000_000_000), None), size);
        still.press(keys).unwrap();
        for says in says {
            assert!(words(&still).contains(says), "{sample}, `{keys}` does not say `{says}`:\n{}", still.text());
        }
    }
}
