//! Reports on small hand-made sessions: what a person reads, and what a script reads.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Breadth, CheckReport, PlanReport, Style, Subject, json, text};
use crate::base::ids::{EntryId, EventIx, SpanIx};
use crate::compaction::Strictness;
use crate::compaction::judgement::{
    Action, Asked, Colour, ContextFacts, Judgement, Plan, Pressure, Reason, Repair, Severed, Tokens, Verdict,
};
use crate::compaction::spans::{Row, Spans};
use crate::ledger::testing::fold;
use crate::session::{Facts, Progress, SessionFile, Snapshot};
use crate::transcript::{Agent, Diagnostic, DiagnosticKind};

const OPEN: &str = r#"
    prompt Move orders to the new schema. Do not drop columns.
    step m1
    say I shall look first.
    call c1 Read {"file_path":"src/db/orders.rs"}
    result c1 ok fn orders() {}
    step m2
    call c2 Bash {"command":"./migrate.sh orders --apply"}
    result c2 timeout
    step m3
    call c3 Write {"file_path":"config.yaml","content":"a: 1"}
    usage 141000 600
"#;

/// The session of `script`, judged by hand: every span before the last is in range, what is live there stands in the way.
fn judged(script: &str, verdict: Verdict) -> (Snapshot, Judgement) {
    let lane = fold(script);
    let at = lane.end();
    let live = at.map(|at| lane.live_at(at)).unwrap_or_default();
    let weight = |entry: &crate::ledger::entry::Entry| entry.weight_at(at.unwrap_or(EventIx(0)));
    let mut reasons: Vec<(SpanIx, EntryId)> =
        live.iter().flat_map(|entry| entry.holders.iter().map(|holder| (holder.span, entry.id))).collect();
    reasons.sort_unstable();
    let rows = (0..lane.spans.len()).map(SpanIx::from_index).map(|span| Row {
        span,
        tokens: 500,
        colour: if reasons.iter().any(|(at, _)| *at == span) { Colour::Repair } else { Colour::Opportunity },
        action: Action::Summarised,
    });
    let tokens = Tokens {
        before: 141_600,
        after: 31_000,
        stands_in: 12_000,
        reclaimed_safely: 96_600,
        at_risk: 14_000,
        carriers: 310,
        floor: 280,
    };
    let judgement = Judgement {
        at,
        policy: "claude-code".into(),
        context: ContextFacts {
            tokens: 141_600,
            estimated: false,
            window: 200_000,
            window_assumed: false,
            trigger: Some(167_000),
            pressure: Pressure::None,
        },
        target: 31_000,
        need: 110_600,
        cut: SpanIx::from_index(lane.spans.len()),
        spans: Spans::new(lane.spans.len(), rows.collect(), &reasons),
        torn: Vec::new(),
        verdict,
        older: None,
        cannot: Vec::new(),
        unknown: Vec::new(),
        reasons: live
            .iter()
            .map(|entry| match weight(entry) {
                crate::ledger::entry::Weight::Repair => Reason { entry: entry.id, repair: Repair::Carry, with: None },
                crate::ledger::entry::Weight::Barrier => {
                    Reason { entry: entry.id, repair: Repair::Reconcile, with: Some("git status".to_owned()) }
                }
            })
            .collect(),
        severed: live
            .iter()
            .map(|entry| Severed { entry: entry.id, how: Action::Summarised, span: entry.opened.span, asked: Asked::No })
            .collect(),
        lost: Vec::new(),
        bindings: Vec::new(),
        live_identifiers: vec!["config.yaml".to_owned()],
        tokens,
        plan: Plan {
            verdict,
            keep: vec![SpanIx(2)],
            summarise: vec![SpanIx(0), SpanIx(1)],
            carry: live.iter().map(|entry| entry.id).collect(),
            tokens,
        },
    };
    let facts = Facts {
        path: "orders.jsonl".into(),
        files: vec![SessionFile { path: "orders.jsonl".into(), lines: 12 }],
        agent: Agent("claude-code"),
        id: None,
        version: Some("2.1.60".to_owned()),
        directory: Some("/home/u/orders-migration".to_owned()),
        branch: None,
        title: None,
        unrecognised: BTreeMap::from([("brand-new".to_owned(), 3)]),
        bookkeeping: BTreeMap::new(),
        diagnostics: vec![Diagnostic { kind: DiagnosticKind::Glued, line: 7 }],
        side: Vec::new(),
        mistakes: Vec::new(),
        bytes: 4_096,
    };
    let snapshot =
        Snapshot { revision: 1, epoch: 0, progress: Progress::Complete, facts: Arc::new(facts), lanes: vec![Arc::new(lane)] };
    (snapshot, judgement)
}

fn subject<'a>(snapshot: &'a Snapshot, judgement: &'a Judgement) -> Subject<'a> {
    Subject { snapshot, lane: &snapshot.lanes[0], judgement, strictness: Strictness::Normal }
}

#[test]
fn what_a_person_reads() {
    let (snapshot, judgement) = judged(OPEN, Verdict::Refuse);
    let report = CheckReport::of(&subject(&snapshot, &judgement), Breadth::Live);
    insta::assert_snapshot!(text::check(&report, Style::Plain));
}

#[test]
fn the_second_line_says_the_verdict_in_words() {
    let mut lines = String::new();
    for verdict in [Verdict::Compact, Verdict::Repair, Verdict::Around, Verdict::Defer, Verdict::Refuse, Verdict::Escalate] {
        let (snapshot, mut judgement) = judged(OPEN, verdict);
        if verdict == Verdict::Compact {
            judgement.reasons.clear();
        }
        let report = CheckReport::of(&subject(&snapshot, &judgement), Breadth::Live);
        lines.push_str(text::check(&report, Style::Plain).lines().nth(1).unwrap());
        lines.push('\n');
    }
    insta::assert_snapshot!(lines);
}

#[test]
fn a_plan() {
    let (snapshot, judgement) = judged(OPEN, Verdict::Refuse);
    let report = PlanReport::of(&subject(&snapshot, &judgement), Breadth::Live);
    insta::assert_snapshot!(text::plan(&report, Style::Plain));
}

#[test]
fn colour_is_status_and_takes_nothing_away() {
    let (snapshot, judgement) = judged(OPEN, Verdict::Refuse);
    let report = CheckReport::of(&subject(&snapshot, &judgement), Breadth::Live);
    let coloured = text::check(&report, Style::Coloured);
    assert!(coloured.contains("\u{1b}[31mREFUSE\u{1b}[0m"), "{coloured}");
    let mut plain = coloured;
    for code in ["0", "1", "2", "31", "32", "33"] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, text::check(&report, Style::Plain));
}

#[test]
fn a_session_without_events() {
    let (snapshot, mut judgement) = judged("", Verdict::Compact);
    judgement.reasons.clear();
    let report = CheckReport::of(&subject(&snapshot, &judgement), Breadth::Live);
    insta::assert_snapshot!(text::check(&report, Style::Plain));
    let mut line = Vec::new();
    json::write_line(&mut line, &report).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(value["at"], serde_json::json!({"event": null, "line": null}));
    assert_eq!(value["guarantee"]["inferred"], serde_json::Value::Null);
}

#[test]
fn what_a_transcript_says_cannot_move_the_cursor() {
    let script = "prompt Do \u{1b}[2J\u{202e}not.\nstep m1\ncall \u{1b}]0;x\u{7} Ba\u{9b}31msh {\"command\":\"\\u001b[31m\"}\n";
    let (snapshot, judgement) = judged(script, Verdict::Refuse);
    let report = PlanReport::of(&subject(&snapshot, &judgement), Breadth::Live);
    let live = |text: &str| text.chars().filter(|c| *c != '\n' && crate::base::text::is_unsafe(*c)).count();
    assert_eq!(live(&text::check(&report.check, Style::Plain)) + live(&text::plan(&report, Style::Plain)), 0);
}
