//! Bindings: what stays relies on an exact value that only what goes states (essays "compaction under invariants", "compaction as a
//! barrier", "unresolved tool-call obligations").

use crate::base::ids::SpanIx;
use crate::compaction::judge::{Ask, judge};
use crate::compaction::judgement::{Colour, Judgement, Repair};
use crate::compaction::testing::{ask, policy};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EdgeKind;
use crate::ledger::testing::fold;

/// A file is read in step 1, another in step 2.
const READ: &str = r#"prompt Something drops the last field. Find out what.
    step m1
    call c1 Read {"file_path":"src/legacy/parser_v2.py"}
    result c1 ok 1 import re
    step m2
    call c2 Read {"file_path":"src/app/orders_view.py"}
    result c2 ok 1 import os
    step m3"#;

/// Everything before span `cut` goes.
fn cut(lane: &LaneSnapshot, cut: u32) -> Judgement {
    judge(lane, &Ask { cut: Some(SpanIx(cut)), ..ask(&policy("claude-code")) })
}

/// The values that are bound, and where each was defined.
fn bound(judgement: &Judgement) -> Vec<(&str, u32)> {
    judgement.bindings.iter().map(|entry| (&*entry.text, entry.opened.span.0)).collect()
}

#[test]
fn a_path_that_is_used_by_its_last_name_binds_the_span_that_defines_it() {
    let lane = fold(&format!("{READ}\nsay parser_v2.py drops it: see `parse_row` there."));
    let judgement = cut(&lane, 3);
    assert_eq!(bound(&judgement), [("src/legacy/parser_v2.py", 1)]);
    let colours: Vec<Colour> = judgement.spans.iter().map(|span| span.colour).collect();
    assert_eq!(colours[1..], [Colour::Repair, Colour::Opportunity, Colour::Opportunity], "what is not needed colours nothing");
    let binding = &judgement.bindings[0];
    assert_eq!(binding.id, lane.entries_at(lane.end().unwrap()));
    assert_eq!(judgement.spans.get(SpanIx(1)).unwrap().reasons, [binding.id]);
    let reason = judgement.reasons.iter().find(|reason| reason.entry == binding.id).unwrap();
    assert_eq!(reason.repair, Repair::CoLocate);
    let call = lane.calls.get(0).unwrap().entry;
    assert!(binding.edges.iter().any(|edge| edge.kind == EdgeKind::Defines && edge.to == call));
    assert!(judgement.live_identifiers.contains(&"src/legacy/parser_v2.py".to_owned()), "{:?}", judgement.live_identifiers);
}

#[test]
fn what_stays_states_it() {
    for (words, why) in [
        ("say src/legacy/parser_v2.py drops it: in parser_v2.py, the last field.", "in full"),
        ("say legacy/parser_v2.py drops it: in parser_v2.py, the last field.", "from another folder"),
        ("say The view drops it.", "nobody uses it"),
        ("say parser_v20.py drops it.", "another file"),
        ("call c3 Bash {\"command\":\"ls\"}\nresult c3 ok parser_v2.py orders_view.py", "a list that happens to show it"),
        (
            "say parser_v2.py drops it.\ncall c3 Edit {\"file_path\":\"/home/u/app/src/legacy/parser_v2.py\"}\nresult c3 ok",
            "longer",
        ),
    ] {
        assert_eq!(bound(&cut(&fold(&format!("{READ}\n{words}")), 3)), [], "{why}");
    }
}

#[test]
fn a_live_entry_that_names_it_for_short_relies_on_it() {
    let session = |prompt: &str| {
        fold(&format!(
            "prompt {prompt}\nstep m1\ncall c1 Read {{\"file_path\":\"src/legacy/parser_v2.py\"}}\nresult c1 ok 1 import re\nstep m2\nsay Looking."
        ))
    };
    let lane = session("Mend parser_v2.py, and leave the view alone.");
    let judgement = cut(&lane, 2);
    assert_eq!(bound(&judgement), [("src/legacy/parser_v2.py", 1)]);
    let user = judgement.bindings[0].edges.iter().find(|edge| edge.kind == EdgeKind::Shortens).unwrap().to;
    assert!(lane.entry(user).unwrap().text.contains("parser_v2.py"));
    assert_eq!(bound(&cut(&session("Mend src/legacy/parser_v2.py, and only parser_v2.py."), 2)), [], "its carrier states it");
}

#[test]
fn a_file_that_was_found_by_its_name_is_found_again() {
    let session = |words: &str, rest: &str| {
        fold(&format!(
            "prompt {words}\nstep m1\n{rest}call c1 Read {{\"file_path\":\"/w/app/src/JOKE.md\"}}\nresult c1 ok 1 Ha.\nstep m2\nsay JOKE.md is short."
        ))
    };
    let seen = "call c0 Glob {\"pattern\":\"**/*.md\"}\nresult c0 ok /w/app/src/JOKE.md\nstep m1b\n";
    assert_eq!(
        bound(&cut(&session("Improve JOKE.md, please.", ""), 2)),
        [],
        "nothing said where it is: so it is where the work is done"
    );
    assert_eq!(bound(&cut(&session("Improve JOKE.md, please.", seen), 3)), [("/w/app/src/JOKE.md", 2)], "a list told where it is");
    assert_eq!(bound(&cut(&session("Improve the joke, please.", ""), 2)), [("/w/app/src/JOKE.md", 1)], "nobody had named it");
}

#[test]
fn a_file_that_is_not_there_binds_nothing() {
    for (call, result, bound_to, why) in [
        ("Bash {\"command\":\"rm src/legacy/parser_v2.py\"}", "ok", None, "removed"),
        ("Read {\"file_path\":\"src/legacy/parser_v2.py\"}", "exit1", None, "looked for in vain"),
        ("Edit {\"file_path\":\"src/legacy/parser_v2.py\"}", "exit1", Some(2), "an edit that found no match"),
    ] {
        let lane = fold(&format!(
            "prompt Something drops the last field. Find out what.
             step m1
             call c1 Grep {{\"pattern\":\"drop\",\"path\":\"src/legacy/parser_v2.py\"}}
             result c1 ok 3
             step m2
             call c2 {call}
             result c2 {result} so it is
             step m3
             say So much for parser_v2.py."
        ));
        let expected: Vec<(&str, u32)> = bound_to.into_iter().map(|span| ("src/legacy/parser_v2.py", span)).collect();
        assert_eq!(bound(&cut(&lane, 3)), expected, "{why}");
    }
}

#[test]
fn what_only_the_content_of_a_file_names_binds_nothing() {
    let session = |next: &str| {
        fold(&format!(
            r#"prompt Write a test for the notes.
            step m1
            call c1 Write {{"file_path":"src/notes_test.rs","content":"read(\"a1/b2c3d4/notes.jsonl.001\")"}}
            result c1 ok
            step m2
            {next}
            step m3
            say A second part is called notes.jsonl.001."#
        ))
    };
    assert_eq!(bound(&cut(&session("say It reads one."), 3)), []);
    let read = "call c2 Bash {\"command\":\"wc -l a1/b2c3d4/notes.jsonl.001\"}\nresult c2 ok 3";
    assert_eq!(bound(&cut(&session(read), 3)), [("a1/b2c3d4/notes.jsonl.001", 2)], "and what was looked at does");
}

#[test]
fn of_several_files_of_one_name_one_that_stays_is_enough() {
    let lane = fold(&format!(
        "{READ}\ncall c3 Read {{\"file_path\":\"src/next/parser_v2.py\"}}\nresult c3 ok\nstep m4\nsay The new parser_v2.py does not."
    ));
    assert_eq!(bound(&cut(&lane, 3)), []);
    assert_eq!(bound(&cut(&lane, 4)), [("src/next/parser_v2.py", 3)], "else it is the newest");
}

#[test]
fn a_commit_is_bound_by_its_first_digits() {
    let lane = fold(
        r#"prompt Which commit broke it?
        step m1
        call c1 Bash {"command":"git show 4f2a91c07be3d5a1908877665544332211ffeedd"}
        result c1 ok drops the last field
        step m2
        say It was 4f2a91c0."#,
    );
    assert_eq!(bound(&cut(&lane, 2)), [("4f2a91c07be3d5a1908877665544332211ffeedd", 1)]);
}

#[test]
fn a_set_of_columns_is_not_the_two_that_are_mentioned() {
    let migration = r#"prompt Migrate the table orders, column by column.
        step m1
        call c1 Bash {"command":"./migrate.sh orders --rewrite total_cents,placed_at,shipped_at --key mig-orders-7f3a"}
        result c1 ok 3 columns
        step m2"#;
    let part = fold(&format!("{migration}\nsay So total_cents and placed_at are new."));
    assert_eq!(bound(&cut(&part, 2)), [("total_cents, placed_at, shipped_at", 1)]);
    let whole = fold(&format!("{migration}\nsay So total_cents, placed_at and shipped_at are new."));
    assert_eq!(bound(&cut(&whole, 2)), []);
}

#[test]
fn a_migration_of_which_nobody_knows_is_named_with_its_key_and_its_table() {
    let lane = fold(
        r#"prompt Migrate the table orders_v2.
        step m1
        call c1 Bash {"command":"curl -X POST https://db.example/migrate/orders_v2 -H 'Idempotency-Key: mig-orders-7f3a'"}
        result c1 timeout
        step m2
        say It timed out."#,
    );
    let named = cut(&lane, 2).live_identifiers;
    for value in ["mig-orders-7f3a", "orders_v2"] {
        assert!(named.iter().any(|name| name == value), "{value} in {named:?}");
    }
}

#[test]
fn open_files_the_branch_and_handles_are_live_identifiers() {
    let lane = fold(
        r#"prompt Set the port in the configuration.
        step m1
        call c1 Bash {"command":"git checkout -b feature/port-8443"}
        result c1 ok
        step m2
        call c2 Bash {"command":"npm run dev","run_in_background":true}
        result c2 bash_7 Command running in background with ID: bash_7
        step m3
        call c3 Write {"file_path":"deploy/config.yaml","content":"port: 8443"}"#,
    );
    let named = cut(&lane, 3).live_identifiers;
    for value in ["deploy/config.yaml", "feature/port-8443", "bash_7"] {
        assert!(named.iter().any(|name| name == value), "{value} in {named:?}");
    }
    assert!(named.is_sorted());
}
