//! The laws of the fold: a prefix never knows the future, a held snapshot never changes, an event's number is its place.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use owed::base::ids::{CallIx, EntryId, EventIx, SpanIx};
use owed::base::range::ByteRange;
use owed::base::text::prefix;
use owed::base::time::Stamp;
use owed::ledger::Rulebook;
use owed::ledger::entry::EntryStatus;
use owed::ledger::record::read;
use owed::ledger::rows::INPUT_BYTES;
use owed::ledger::{Delta, Lane, LaneSnapshot};
use owed::session::Options;
use owed::transcript::{
    Agent, Boundary, BoundaryKind, Call, Diagnostic, Event, Fact, Finish, Input, Kept, LaneKey, Mark, Outcome, Payload, Place,
    Resolution, Sink, Speaker, Trigger, Usage,
};
use proptest::prelude::*;

/// What a generated event does; ids are drawn from a small pool, so that reuse, orphans and late results happen.
#[derive(Clone, Debug)]
enum Does {
    Prompt(u8),
    Answer(u8),
    Call(u8, u8),
    Result(u8, u8),
    Ran(u8),
    Injected,
    Boundary(u8),
    Masking(u8),
    Summary(u8),
    TurnEnded,
    Interrupted,
    RolledBack,
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        3 => (0u8..4).prop_map(Does::Prompt),
        4 => (0u8..5).prop_map(Does::Answer),
        8 => (0u8..6, 0u8..12).prop_map(|(id, tool)| Does::Call(id, tool)),
        8 => (0u8..6, 0u8..9).prop_map(|(id, how)| Does::Result(id, how)),
        1 => (0u8..8).prop_map(Does::Ran),
        1 => Just(Does::Injected),
        1 => (0u8..4).prop_map(Does::Boundary),
        1 => (0u8..6).prop_map(Does::Masking),
        1 => (0u8..4).prop_map(Does::Summary),
        1 => Just(Does::TurnEnded),
        1 => Just(Does::Interrupted),
        1 => Just(Does::RolledBack),
    ]
}

/// An event, and a runtime's record that counts after it.
type Step = (Does, Option<usize>);

fn script(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((does(), prop::option::weighted(0.3, 0..RECORDS.len())), 1..longest)
}

/// Lines of a side ledger, without their schema and place.
const RECORDS: [&str; 10] = [
    r#""do":"open","key":"no-drop","kind":"prohibition","text":"Do not drop columns of orders.""#,
    r#""do":"open","key":"no-drop","kind":"prohibition","text":"Keep the columns.","edges":[{"type":"supersedes","to":"no-drop"}]"#,
    r#""do":"open","key":"pay","kind":"effect","text":"POST /pay","attempts":3,"call":"toolu_1","discharge":{"text":"look"},"edges":[{"type":"uses","to":"no-drop"}]"#,
    r#""do":"open","key":"pay","kind":"effect","text":"POST /pay","progress":["reserved"]"#,
    r#""do":"close","key":"pay","effect":"committed""#,
    r#""do":"close","key":"no-drop","how":"revoked""#,
    r#""do":"close","key":"call:toolu_2","how":"abandoned""#,
    r#""do":"call","call":"toolu_1","effect":"committed","idempotency_key":"k""#,
    r#""do":"call","call":"toolu_3","effect":"unknown""#,
    r#""schema":"owed.carrier/1","key":"no-drop","kind":"prohibition","text":"Do not drop columns of orders.""#,
];

/// Folds an event, and what a runtime recorded after it.
fn fold(lane: &mut Lane, n: usize, (what, record): &Step) -> Delta {
    let delta = lane.apply(&event(n, what));
    if let Some(record) = record {
        let own = RECORDS[*record];
        let schema = if own.contains("schema") { "" } else { r#""schema":"owed.ledger/1","# };
        let text = format!(r#"{{{schema}{own},"place":{{"line":1}}}}"#);
        // What it names may not be there.
        _ = lane.record(&read(serde_json::from_str(&text).unwrap()).unwrap().says);
    }
    delta
}

const PROMPTS: [&str; 4] = [
    "Do not drop columns of orders. Push when the tests pass.",
    "Looks good, go on.",
    "Use port 8443 for the proxy.",
    "```\nlog\n```\nfix it",
];

fn event(n: usize, what: &Does) -> Event<'static> {
    let text = |s: &str| Cow::Owned(s.to_owned());
    let mut step = None;
    let mut usage = None;
    let payload = match what {
        Does::Prompt(k) => Payload::User { speaker: Speaker::Human, text: text(PROMPTS[usize::from(*k)]) },
        Does::Answer(k) => {
            step = Some(text(&format!("m{}", n / 3 * 7 + usize::from(*k % 2))));
            usage = Some(Usage { input: 1000 + n as u64 * 50, output: u64::from(*k), window: None });
            let words = ["Here is what I found, and what I shall do next.", "I'll push to main next. The docs are not done yet."];
            Payload::Assistant { text: text(words[usize::from(*k == 4)]) }
        }
        Does::Call(id, tool) => {
            step = Some(text(&format!("m{}", n / 3)));
            let (tool, input) = [
                ("Read", r#"{"file_path":"src/a.rs"}"#),
                ("Write", r#"{"file_path":"src/a.rs","content":"x"}"#),
                ("Bash", r#"{"command":"git push origin main"}"#),
                ("Bash", r#"{"command":"./migrate.sh orders --apply"}"#),
                ("Bash", r#"{"command":"gh pr comment 12 --body ok"}"#),
                ("Bash", r#"{"command":"git status"}"#),
                ("Bash", r#"{"command":"tail deploy_log-2 /work/src/a.rs"}"#),
                ("TodoWrite", r#"{"todos":[{"content":"Fix src/a.rs","status":"pending"},{"content":"Push","status":"pending"}]}"#),
                (
                    "TodoWrite",
                    r#"{"todos":[{"content":"Fix src/a.rs","status":"completed"},{"content":"Look","status":"pending"}]}"#,
                ),
                ("TaskCreate", r#"{"subject":"Push to main and fix src/a.rs"}"#),
                ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#),
                ("ExitPlanMode", r#"{"plan":"Change src/a.rs"}"#),
            ][usize::from(*tool)];
            Payload::Call(Call { id: text(&format!("toolu_{id}")), tool: text(tool), input: Input::Json(text(input)) })
        }
        Does::Result(id, how) => {
            let outcome = [
                Outcome::Success,
                Outcome::Success,
                Outcome::Success,
                Outcome::Failed { exit: Some(1) },
                Outcome::TimedOut,
                Outcome::Refused,
                Outcome::Interrupted,
                Outcome::Declined,
                Outcome::Started { handle: text("b1") },
            ][usize::from(*how)]
            .clone();
            let said = (*how == 7).then(|| text("do not push yet"));
            Payload::Resolution(Resolution {
                call: text(&format!("toolu_{id}")),
                outcome,
                text: text("some output of /work/src/a.rs:3\nand of deploy_log-2, in two lines, Task #1 created"),
                said,
            })
        }
        Does::Ran(id) => Payload::Ran { call: text(&format!("toolu_{id}")), tool: text("Edit") },
        Does::Injected => Payload::User { speaker: Speaker::Injected, text: text("<system-reminder>never push</system-reminder>") },
        Does::Boundary(k) => Payload::Boundary(Boundary {
            kind: if *k == 3 { BoundaryKind::Dropped } else { BoundaryKind::Summary },
            trigger: Trigger::Auto,
            tokens_before: None,
            tokens_after: None,
            kept: match k {
                0 => Kept::Texts(vec![text(PROMPTS[1])]),
                1 => Kept::Records(vec![text(&format!("u{}", n.saturating_sub(2)))]),
                _ => Kept::Nothing,
            },
            masked: Vec::new(),
            reinjected_bytes: 100,
        }),
        Does::Masking(id) => Payload::Boundary(Boundary {
            kind: BoundaryKind::Masking,
            trigger: Trigger::Auto,
            tokens_before: None,
            tokens_after: None,
            kept: Kept::Nothing,
            masked: vec![text(&format!("toolu_{id}"))],
            reinjected_bytes: 0,
        }),
        Does::Summary(k) => {
            Payload::Summary { text: text(&format!("1. Intent\n- \"{}\"", PROMPTS[usize::from(*k)])), opaque: *k == 3 }
        }
        Does::TurnEnded => Payload::Mark(Mark::TurnEnded),
        Does::Interrupted => Payload::Mark(Mark::Interrupted),
        Does::RolledBack => Payload::Mark(Mark::RolledBack { turns: 1 }),
    };
    let place = Place { line: n as u32 + 1, bytes: ByteRange::new(n as u64 * 100, 99), ..Place::default() };
    let record = Some(text(&format!("u{n}")));
    let finish = if matches!(what, Does::Answer(3..)) { Finish::Untold } else { Finish::Told };
    Event { lane: LaneKey::Main, place, at: Some(Stamp(n as i64 * 1000)), record, step, usage, finish, payload }
}

fn lane() -> Lane {
    Lane::new("main", Agent("claude-code"), rules())
}

/// All that may be asked about a lane after event `at`.
fn state(lane: &LaneSnapshot, at: EventIx) -> String {
    let mut out = format!("tokens {:?}\n", lane.context_tokens_at(at));
    for n in 0..lane.spans_at(at) {
        let span = lane.spans.get(n).unwrap();
        out += &format!(
            "span {n} {:?} in={} {}\n",
            span.kind,
            lane.in_context(span, at),
            lane.span_tokens_at(SpanIx::from_index(n), at)
        );
    }
    for n in 0..lane.calls.len() {
        let call = lane.calls.get(n).unwrap();
        if call.event <= at {
            out += &format!("{} {} {:?}\n", CallIx::from_index(n), call.id, call.end_at(at));
        }
    }
    for entry in lane.live_at(at) {
        out += &format!("live {} {} {}\n", entry.id, entry.kind.word(), entry.key);
    }
    for entry in lane.entries_until(at) {
        out += &format!("{} {:?} lost={:?}\n", entry.id, entry.status_at(at).map(EntryStatus::word), entry.lost_at(at));
        out += &format!("  trust {:?} {:?}\n", entry.trust_at(at), entry.discharge_at(at));
        out += &format!("  weight {:?}\n", entry.weight_at(at));
        let held: Vec<_> = lane.holders_at(&entry, at).collect();
        out += &format!("  held {held:?}\n");
        let edges: Vec<_> = entry.edges_at(at).map(|edge| (edge.kind.word(), edge.to)).collect();
        out += &format!("  edges {edges:?}\n");
        out += &format!("  progress {:?}\n", entry.progress_at(at).collect::<Vec<_>>());
    }
    for (n, row) in lane.values.all.iter().enumerate().filter(|(_, row)| row.since() <= at) {
        out += &format!("value {n} {} short={:?}\n", row.full_at(at), row.short);
    }
    for place in lane.values.places.iter().filter(|place| place.since <= at) {
        out += &format!("{place:?}\n");
    }
    for set in lane.values.sets.iter().filter(|set| set.since <= at) {
        out += &format!("{set:?}\n");
    }
    for anomaly in lane.anomalies.iter().filter(|a| a.event <= at && a.until.is_none_or(|until| until > at)) {
        out += &format!("{} {}\n", anomaly.kind, anomaly.line);
    }
    out
}

/// The first line in which two lanes differ, and what stands before it.
fn differs(a: &LaneSnapshot, b: &LaneSnapshot) -> Option<String> {
    let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    let at = (0..a.len().max(b.len())).find(|n| a.get(*n) != b.get(*n))?;
    Some(format!("{}\n- {:?}\n+ {:?}", a.get(at.saturating_sub(12)..at).unwrap().join("\n"), a.get(at), b.get(at)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_prefix_never_knows_the_future(script in script(60)) {
        let mut whole = lane();
        let mut seen = Vec::new();
        for (n, what) in script.iter().enumerate() {
            let delta = fold(&mut whole, n, what);
            prop_assert_eq!(delta.event, Some(EventIx::from_index(n)));
            let snapshot = whole.snapshot();
            let then = state(&snapshot, EventIx::from_index(n));
            seen.push((snapshot, then));
        }
        let last = whole.snapshot();
        for (n, (held, then)) in seen.iter().enumerate() {
            let at = EventIx::from_index(n);
            prop_assert_eq!(&state(held, at), then, "a held snapshot changed under its reader");
            prop_assert_eq!(&state(&last, at), then, "the state after event {} is not what it was then", n);
        }
    }

    #[test]
    fn every_call_has_at_most_one_resolution(script in prop::collection::vec(does(), 1..80)) {
        let mut lane = lane();
        for (n, what) in script.iter().enumerate() {
            let before: Vec<_> = lane.snapshot().calls.iter().map(|c| c.end).collect();
            let delta = lane.apply(&event(n, what));
            prop_assert!(delta.event.is_some());
            for (call, before) in lane.snapshot().calls.iter().zip(before) {
                prop_assert!(before.is_none() || call.end == before, "a second resolution replaced the first");
            }
        }
        let rows = lane.snapshot();
        for n in 0..rows.calls.len() {
            let ix = CallIx::from_index(n);
            let call = rows.calls.get(n).unwrap();
            let live = rows.live.contains(&call.entry);
            prop_assert_eq!(live, call.ended().is_none());
            prop_assert_eq!(rows.open_calls.contains_key(&ix), live);
        }
        for n in 0..rows.entries.len() {
            let entry = rows.entry(EntryId::from_index(n)).unwrap();
            prop_assert_eq!(entry.status().is_live(), rows.live.contains(&entry.id));
        }
    }
}

/// The built-in rules, read once.
fn rules() -> Arc<Rulebook> {
    static RULES: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load(Default::default()).unwrap()));
    Arc::clone(&RULES)
}

proptest! {
    // Whole lanes are compared as text: fewer cases will do.
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_lane_as_of_an_event_is_what_was_folded_up_to_it(script in script(60)) {
        let mut whole = lane();
        let seen: Vec<LaneSnapshot> = script.iter().enumerate().map(|(n, what)| {
            _ = fold(&mut whole, n, what);
            whole.snapshot()
        }).collect();
        let last = whole.snapshot();
        for (n, then) in seen.iter().enumerate() {
            let as_of = last.as_of(EventIx::from_index(n));
            prop_assert_eq!(differs(&as_of, then), None, "the lane as of event {}", n);
        }
    }
}

/// Folds the main lane's events, and holds the lane now and then.
struct Folding {
    lane: Lane,
    every: usize,
    held: Vec<LaneSnapshot>,
}

impl Sink for Folding {
    fn event(&mut self, event: Event<'_>) {
        let folded = (event.lane == LaneKey::Main).then(|| self.lane.apply(&event).event).flatten();
        if folded.is_some_and(|at| at.index() % self.every == 0) {
            self.held.push(self.lane.snapshot());
        }
    }

    fn fact(&mut self, _: Fact<'_>) {}

    fn diagnostic(&mut self, _: Diagnostic) {}
}

#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn recordings() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions")];
    let corpus = std::env::var_os("OWED_CORPUS").map(PathBuf::from);
    folders.extend(corpus.iter().flat_map(|corpus| ["claude", "codex"].map(|agent| corpus.join(agent))));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect()
}

#[test]
fn recordings_as_of_an_event_are_what_was_folded_up_to_it() {
    let options = Options::of(rules());
    let mut compared = 0;
    for path in recordings() {
        let mut folding = Folding { lane: lane(), every: 97, held: Vec::new() };
        if owed::session::translate(&path, &options, &mut folding).is_err() {
            continue;
        }
        let last = folding.lane.snapshot();
        // Of a long session a few moments will do.
        let step = folding.held.len().div_ceil(12).max(1);
        for then in folding.held.iter().step_by(step) {
            let at = then.end().unwrap();
            let mut then = then.clone();
            // Of a call that was open, the whole input is not known any more.
            let cut = |input: &Arc<str>| prefix(input, INPUT_BYTES).into();
            then.open_calls = Arc::new(then.open_calls.iter().map(|(ix, input)| (*ix, cut(input))).collect());
            assert_eq!(differs(&last.as_of(at), &then), None, "{} as of event {at}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared}");
}
