//! Scenarios of promises: what keeps one, what lifts it, what is none.

use super::*;
use crate::base::ids::EventIx;
use crate::base::range::ByteRange;
use crate::ledger::delta::Delta;
use crate::ledger::entry::{Pointer, Trust};
use crate::ledger::snapshot::LaneSnapshot;
use crate::ledger::testing::{fold, rules};
use crate::transcript::Place;

/// The fold over the rows of a session, told by hand what its words do.
struct Talk {
    rows: LaneSnapshot,
    promises: Promises,
    at: Moment,
}

impl Talk {
    fn over(script: &str) -> Self {
        let rows = fold(script);
        let event = rows.end().unwrap();
        let at = Moment { event, line: 1, span: Default::default(), turn: Default::default(), at: None };
        Self { at, rows, promises: Promises::default() }
    }

    fn does(&mut self, change: impl FnOnce(&mut Promises, &mut Page<'_>)) -> &mut Self {
        self.at.event = EventIx(self.at.event.0 + 1);
        let mut delta = Delta::default();
        let mut page = Page { rows: &mut self.rows, delta: &mut delta, at: self.at, place: Place::default(), rules: &rules() };
        change(&mut self.promises, &mut page);
        self
    }

    /// The last message of a turn, of these parts.
    fn says(&mut self, parts: &[(&str, Act)]) -> &mut Self {
        let (text, mut regions) = told(parts);
        // As the cues read them.
        let read = crate::ledger::testing::rules().cues.read(
            &crate::ledger::tagging::Said { text: &text, source: crate::ledger::tagging::Source::LastOfTurn, before: "", head: "" },
            crate::ledger::tagging::Setting::Keep,
        );
        for region in &mut regions {
            let within = |own: &&Region| region.range.contains(&own.range.start) && own.acts.contains(&Act::Makes);
            region.acts.extend(read.iter().find(within).map(|_| Act::Makes));
        }
        let pointer = Pointer { event: self.at.event, bytes: ByteRange::new(0, 1) };
        let closing = Closing { text, said: self.at, pointer, regions, went_on: false };
        self.does(|promises, page| promises.concluded(page, &closing))
    }

    fn hears(&mut self, text: &str, act: Option<Act>) -> &mut Self {
        let (text, regions) = told(&[(text, act.unwrap_or(Act::Asks))]);
        self.does(|promises, page| promises.prompt(page, &text, &regions))
    }

    fn runs(&mut self, call: u32, how: EndHow) -> &mut Self {
        self.does(|promises, page| promises.ended(page, CallIx(call), how))
    }

    fn all(&self) -> Vec<String> {
        let entries = self.promises.all.iter().filter_map(|own| self.rows.entry(own.entry));
        entries.map(|entry| format!("{} {}: {}", entry.rule, entry.text, entry.status().word())).collect()
    }
}

fn told(parts: &[(&str, Act)]) -> (String, Vec<Region>) {
    let mut text = String::new();
    let mut regions = Vec::new();
    for (words, act) in parts {
        let start = text.len();
        text.push_str(words);
        regions.push(Region {
            range: start..text.len(),
            kind: Some(EntryKind::Task),
            also: Vec::new(),
            scope: Scope::OneShot,
            is_order: false,
            rule: "by-hand".into(),
            trust: Trust::Inferred,
            key: None,
            acts: vec![*act],
        });
        text.push('\n');
    }
    (text, regions)
}

const WORK: &str = "prompt Make the sync safe.
    step m1
    call a Bash {\"command\":\"cargo test --workspace\"}
    result a ok
    call b Read {\"file_path\":\"/w/README.md\"}
    result b ok
    call c Edit {\"file_path\":\"/w/README.md\",\"old_string\":\"a\",\"new_string\":\"b\"}
    result c ok";
const TEST: (&str, Act) = ("Next I'll run the workspace tests.", Act::Promises);
const HANDBOOK: (&str, Act) = ("README.md is not updated yet.", Act::NotYet);

#[test]
fn each_promise_is_an_entry_until_it_is_attempted() {
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST, HANDBOOK]);
    assert_eq!(talk.all(), ["promise Next I'll run the workspace tests.: live", "not-yet README.md is not updated yet.: live"]);
    talk.runs(0, EndHow::Failed(Some(101)));
    assert!(talk.all()[0].ends_with("discharged") && talk.all()[1].ends_with("live"), "tried is attempted: {:?}", talk.all());
}

#[test]
fn looking_is_no_attempt_to_change_something() {
    let mut talk = Talk::over(WORK);
    talk.says(&[HANDBOOK]).runs(1, EndHow::Success);
    assert!(talk.all()[0].ends_with("live"));
    talk.runs(2, EndHow::Success);
    assert!(talk.all()[0].ends_with("discharged"));
    let mut talk = Talk::over(WORK);
    talk.says(&[("I'll review README.md next.", Act::Promises)]).runs(1, EndHow::Success);
    assert!(talk.all()[0].ends_with("discharged"), "who promised to look has looked");
}

#[test]
fn what_was_attempted_before_the_turn_was_stopped_is_not_owed() {
    let mut talk = Talk::over(WORK);
    talk.at.event = EventIx(0);
    talk.says(&[TEST, ("Let me restore the old spool.", Act::Promises)]);
    assert_eq!(talk.all(), ["promise Let me restore the old spool.: live"]);
}

#[test]
fn what_was_not_let_run_was_not_attempted() {
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST]).runs(0, EndHow::Declined);
    assert!(talk.all()[0].ends_with("live"));
}

#[test]
fn two_prompts_that_do_not_come_back_leave_it_behind() {
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST]).hears("Rename the header.", None).hears("Yes, go ahead.", Some(Act::Approves));
    assert!(talk.all()[0].ends_with("live"), "a yes leaves nothing behind");
    talk.hears("Sort the table.", None);
    assert!(talk.all()[0].ends_with("settled"));
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST]).hears("Rename the header.", None).hears("Did the workspace tests run?", None).hears("Fine.", None);
    assert!(talk.all()[0].ends_with("live"));
}

#[test]
fn a_human_lifts_it() {
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST]).hears("No need to run the workspace tests.", Some(Act::Waives));
    assert!(talk.all()[0].ends_with("revoked"));
}

#[test]
fn what_is_said_twice_is_promised_once() {
    let mut talk = Talk::over(WORK);
    talk.says(&[TEST, ("I will run the workspace tests.", Act::Promises)]);
    talk.says(&[("I'll run the tests of the workspace next.", Act::Promises)]);
    assert_eq!(talk.all().len(), 1, "{:?}", talk.all());
}

#[test]
fn what_only_announces_promises_nothing() {
    let mut talk = Talk::over(WORK);
    let words = [
        "## Next steps",
        "What remains to be done:",
        "**Not done yet:**",
        "Shall I run them?",
        "1) If it fails, I'll look.",
        "Next step: push it if you want that.",
        "| a | not tested |",
    ];
    talk.says(&words.map(|words| (words, Act::NotYet)));
    assert_eq!(talk.all(), Vec::<String>::new());
}

#[test]
fn what_a_plan_holds_is_not_promised_again() {
    let list = "{\"todos\":[{\"content\":\"Run workspace tests\",\"status\":\"pending\"}]}";
    let mut talk = Talk::over(&format!("{WORK}\ncall l TodoWrite {list}\nresult l ok"));
    talk.says(&[TEST, HANDBOOK]);
    assert_eq!(talk.all(), ["not-yet README.md is not updated yet.: live"]);
}

#[test]
fn a_message_that_promises_much_is_a_report() {
    let words: Vec<String> = ["header", "table", "totals", "font", "footer", "index", "margin"]
        .iter()
        .map(|thing| format!("The {thing} of page {thing} is not done yet."))
        .collect();
    let parts: Vec<(&str, Act)> = words.iter().map(|words| (words.as_str(), Act::NotYet)).collect();
    let mut talk = Talk::over(WORK);
    talk.says(&parts);
    assert_eq!(talk.all().len(), A_MESSAGE);
}

#[test]
fn what_is_to_be_written_is_attempted_by_writing_it() {
    let work = format!(
        "{WORK}
        call d Bash {{\"command\":\"bd update spool-4 --status in_progress\"}}
        result d ok
        call e Write {{\"file_path\":\"/w/apps/ui/main.rs\",\"content\":\"x\"}}
        result e ok
        call f Write {{\"file_path\":\"/w/apps/ui/Dockerfile\",\"content\":\"x\"}}
        result f ok"
    );
    let mut talk = Talk::over(&work);
    talk.says(&[("spool-4: add regression tests. Not done yet.", Act::NotYet), ("Add a Dockerfile for apps/ui.", Act::NotYet)]);
    talk.runs(3, EndHow::Success).runs(4, EndHow::Success);
    assert!(talk.all().iter().all(|own| own.ends_with("live")), "{:?}", talk.all());
    talk.runs(5, EndHow::Success);
    assert!(talk.all()[1].ends_with("discharged"), "{:?}", talk.all());
}
