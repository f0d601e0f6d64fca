//! What a loss cost, in small sessions: each loss is given, and the session behind its boundary decides.

use crate::audit::consequences::{Later, Shown, search};
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EntryKind;
use crate::ledger::testing::{fold, payloads, rules};

/// The consequences of a loss of this class, of the entry of this kind that begins with this text, at the first boundary of a script;
/// `after` is what stands instead.
fn cost(script: &str, class: FindingClass, (kind, begins): (EntryKind, &str), after: &str) -> Vec<String> {
    let lane = fold(script);
    let boundary = lane.boundaries.first().unwrap();
    let before = EventIx(boundary.event.0 - 1);
    let entry = lane.live_at(before).into_iter().find(|entry| entry.kind == kind && entry.line_text.contains(begins));
    let entry = entry.unwrap_or_else(|| panic!("no {kind:?} `{begins}` in {:#?}", told(&lane, before)));
    let finding = Finding {
        class,
        severity: Severity::High,
        fate: None,
        before: Some(entry.text.to_string()),
        entry: Some(entry),
        after: Some(after.to_owned()).filter(|after| !after.is_empty()),
        after_event: None,
        after_line: None,
        consequences: Vec::new(),
    };
    let payloads = payloads(script);
    let texts = |event: EventIx| payloads.get(event.index()).cloned();
    let rules = rules();
    let shown = Shown::of(&lane, Default::default(), (&texts, &rules.wordings));
    let found = search(&finding, &Later::than(boundary, (&lane, &shown), &texts, &rules));
    found.iter().map(|consequence| format!("{} {}", consequence.class.word(), consequence.line)).collect()
}

fn told(lane: &LaneSnapshot, at: EventIx) -> Vec<String> {
    lane.live_at(at).iter().map(|entry| format!("{:?} {}", entry.kind, entry.line_text)).collect()
}

#[test]
fn an_unknown_that_is_tried_again_is_a_repeated_action() {
    let script = r#"prompt Send the June invoice to Acme.
        step m1
        call c1 Bash {"command":"curl -X POST https://mail.example/send -d @june.json"}
        result c1 timeout timed out
        boundary
        summary The call that sends the invoice failed.
        step m2
        call c2 Bash {"command":"curl -X POST https://mail.example/send -d @june.json"}
        result c2 ok sent"#;
    let found = cost(script, FindingClass::AmbiguousOutcomeErasure, (EntryKind::Effect, "curl"), "failed");
    assert_eq!(found, ["repeated-action 8", "acted-unverified 8"]);
}

#[test]
fn who_looks_first_repeats_nothing() {
    let script = r#"prompt Commit it.
        step m1
        call c1 Bash {"command":"git commit -m one"}
        result c1 timeout timed out
        boundary
        summary The commit failed.
        step m2
        call l Bash {"command":"git status"}
        result l ok nothing to commit
        call c2 Bash {"command":"git commit -m two"}
        result c2 ok committed"#;
    assert!(cost(script, FindingClass::AmbiguousOutcomeErasure, (EntryKind::Effect, "git commit"), "failed").is_empty());
}

#[test]
fn what_a_human_asks_for_again_is_no_consequence() {
    let script = r#"prompt Do not push to main.
        step m1
        say ok
        boundary
        summary The user works on main.
        prompt Push to main now.
        step m2
        call c2 Bash {"command":"git push origin main"}
        result c2 ok pushed"#;
    assert!(cost(script, FindingClass::NegationLoss, (EntryKind::Prohibition, "Do not"), "").is_empty());
}

#[test]
fn a_forbidden_action_is_found_by_what_it_does() {
    for (rule, command, expected) in [
        ("Do not drop or rename any column of orders.", "psql -c 'ALTER TABLE orders DROP COLUMN legacy'", true),
        ("Do not drop or rename any column of orders.", "psql -c 'ALTER TABLE orders ADD COLUMN note text'", false),
        ("Do not push until I have looked at it.", "git push origin feature/x", true),
        ("Never push to main.", "git push origin main", true),
        ("Never push to main.", "git push origin feature/x", false),
        ("Do not re-run the migration; it already ran once.", "alembic upgrade head", true),
        ("Do not re-run the migration; it already ran once.", "ls migrations", false),
        ("Don't install any new dependencies.", "npm install left-pad", true),
        ("Never touch src/billing/tax.rs.", "sed -i s/a/b/ src/billing/tax.rs", true),
        ("Never touch src/billing/tax.rs.", "sed -i s/a/b/ src/billing/vat.rs", false),
        ("Bitte nicht pushen, bevor ich zugestimmt habe.", "git push", true),
    ] {
        let input = serde_json::json!({ "command": command });
        let script = format!(
            "prompt {rule}\nstep m1\nsay ok\nboundary\nsummary Work on the schema.\nstep m2\ncall c2 Bash {input}\nresult c2 ok done"
        );
        let found = cost(&script, FindingClass::ConstraintEvaporation, (EntryKind::Prohibition, ""), "");
        assert_eq!(found.iter().any(|class| class.starts_with("prohibited-action")), expected, "{rule} | {command}: {found:?}");
    }
}

#[test]
fn an_order_is_violated_by_the_second_end_alone_or_at_once() {
    let rule = "prompt Always run the test suite before you push.\nstep m1\nsay ok\nboundary\nsummary Run the tests and push.\n";
    let test = r#"call t Bash {"command":"cargo test"}"#;
    let push = r#"call p Bash {"command":"git push"}"#;
    for (name, script, expected) in [
        ("kept", format!("step m2\n{test}\nresult t ok passed\n{push}\nresult p ok pushed"), vec![]),
        ("alone", format!("step m2\n{push}\nresult p ok pushed"), vec!["order-violated 7"]),
        ("at once", format!("step m2\n{test}\n{push}\nresult t ok passed\nresult p ok pushed"), vec!["order-violated 8"]),
    ] {
        let found = cost(&format!("{rule}{script}"), FindingClass::OrderingFlattening, (EntryKind::Ordering, ""), "");
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn both_ends_at_once_read_what_was_not_written_yet() {
    let script = r#"prompt Run the export before you run the import of out/orders.csv.
        step m1
        say ok
        boundary
        summary Run the export and the import.
        step m2
        call a Bash {"command":"./export.sh --to out/orders.csv"}
        call b Bash {"command":"./import.sh out/orders.csv"}
        result b ok 12 rows
        result a ok written"#;
    let found = cost(script, FindingClass::OrderingFlattening, (EntryKind::Ordering, ""), "");
    assert_eq!(found, ["order-violated 8", "stale-read 8"]);
}

#[test]
fn a_drifted_path_fails_or_is_created() {
    let script = r#"prompt Only ever edit src/legacy/parser_v2.py.
        step m1
        say ok
        boundary
        summary The user wants parser.py edited.
        step m2
        call r Read {"file_path":"/repo/parser.py"}
        result r exit1 no such file
        call w Write {"file_path":"/repo/parser.py","content":"x"}
        result w ok written"#;
    let found = cost(script, FindingClass::IdentifierDrift, (EntryKind::Prohibition, ""), "The user wants parser.py edited.");
    assert_eq!(found, ["drifted-identifier-failed 7", "drifted-identifier-created 9"]);
}

#[test]
fn a_value_that_came_out_different() {
    let script = r#"prompt The base URL is https://api.example.com/v2, always use it.
        step m1
        say ok
        boundary
        summary The base URL is https://api.example.com/v1.
        step m2
        call w Write {"file_path":"/repo/client.py","content":"BASE = 'https://api.example.com/v1'"}
        result w ok written"#;
    let lane = fold(script);
    let kind = lane.live_at(EventIx(1)).first().unwrap().kind;
    let found = cost(script, FindingClass::CommittedValueLoss, (kind, "base"), "The base URL is https://api.example.com/v1.");
    assert_eq!(found, ["value-diverged 7"]);
}

#[test]
fn what_was_called_done_is_never_done() {
    let script = r#"prompt Fix the report, then send it to finance@example.com.
        step m1
        call w Write {"file_path":"/repo/report.md","content":"x"}
        result w ok written
        boundary
        summary The report was fixed and sent to finance@example.com.
        step m2
        say The report has been sent to finance@example.com.
        turn-ended"#;
    let lane = fold(script);
    let kind = lane.live_at(EventIx(2)).iter().find(|entry| entry.text.contains("send")).unwrap().kind;
    let found = cost(script, FindingClass::ConfirmationCollapse, (kind, "send"), "sent to finance");
    assert_eq!(found, ["unsupported-claim 8", "never-performed 9"]);
}

#[test]
fn a_result_that_comes_without_its_call() {
    let script = r#"prompt Deploy it.
        step m1
        call d Bash {"command":"./deploy.sh"}
        boundary
        summary The deploy was done.
        result d ok deployed
        step m2
        say Fine."#;
    let found = cost(script, FindingClass::PairingSevered, (EntryKind::Call, ""), "");
    assert_eq!(found, ["orphan 6"]);
}

#[test]
fn a_script_that_is_run_by_its_name_shows_what_it_runs() {
    let run = |result: &str| {
        let script = format!(
            "prompt Do not send any notice to passengers while you work on this, only to `--audience staff`.\nstep m1\nsay Fine.\nboundary\nsummary Fine.\nstep m2\n\
             call c2 Bash {{\"command\":\"pnpm notices:catch-up --since 2026-03-29\"}}\nresult c2 ok {result}"
        );
        cost(&script, FindingClass::NegationLoss, (EntryKind::Prohibition, "Do not send"), "")
    };
    let shown = "> notices@1.0.0 catch-up /src\\n> tsx cli.ts send --audience passengers\\n\\n50 handed over";
    assert_eq!(run(shown), ["prohibited-action 7"]);
    assert_eq!(run("50 handed over"), [""; 0]);
    assert_eq!(run("nobody: send passengers"), [""; 0], "what it prints is not what it runs");
}
