//! Sessions as pi writes them, a few entries each.

use super::FORMAT;
use crate::formats::adapter::Recognised;
use crate::formats::testing::{events, told};

const HEADER: &str = r#"{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w/shop"}"#;

fn user(id: &str, parent: &str, text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-03-01T10:00:01.000Z","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

fn assistant(id: &str, parent: &str, content: &str, stop: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":"{parent}","timestamp":"2026-03-01T10:00:02.000Z","message":{{"role":"assistant","content":[{content}],"model":"claude-opus-4-5","usage":{{"input":3,"output":7,"cacheRead":100,"cacheWrite":20}},"stopReason":"{stop}"}}}}"#
    )
}

fn text(text: &str) -> String {
    format!(r#"{{"type":"text","text":"{text}"}}"#)
}

const CALL: &str = r#"{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}}"#;

fn result(id: &str, parent: &str, is_error: bool, text: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{{"type":"text","text":"{text}"}}],"isError":{is_error}}}}}"#
    )
}

fn of(lines: &[String]) -> Vec<String> {
    events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn is_recognised_by_its_entries() {
    for (record, expected) in [
        (HEADER, Recognised::Yes),
        (r#"{"type":"session","schema":"owed.session/1","id":"s","cwd":"/w"}"#, Recognised::No),
        (r#"{"type":"compaction","summary":"x","firstKeptEntryIndex":3}"#, Recognised::Yes),
        (r#"{"type":"message","timestamp":"t","message":{"role":"toolResult"}}"#, Recognised::Yes),
        (r#"{"type":"message","timestamp":"t","message":{"role":"user"}}"#, Recognised::Maybe),
        (r#"{"type":"message","role":"user"}"#, Recognised::No),
        ("{}", Recognised::No),
    ] {
        assert_eq!((FORMAT.recognises)(&serde_json::from_str(record).unwrap()), expected, "{record}");
    }
}

#[test]
fn a_conversation_with_its_facts() {
    let lines = [
        HEADER.to_owned(),
        user("u1", "", "list"),
        assistant("a1", "u1", &format!(r#"{{"type":"thinking","thinking":"hm"}},{},{CALL}"#, text("Looking.")), "toolUse"),
        result("r1", "a1", false, "a.rs"),
        assistant("a2", "r1", &text("One file."), "stop"),
        r#"{"type":"session_info","id":"i1","parentId":"a2","name":"Files"}"#.to_owned(),
    ];
    let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        told.events,
        [
            "Human: list",
            "Reasoning: hm",
            "Assistant: Looking.",
            r#"Call c1 bash {"command":"ls"}"#,
            "Resolution c1 Success: a.rs",
            "Assistant: One file.",
            "TurnEnded"
        ]
    );
    assert_eq!(
        told.facts,
        [
            r#"Session("s-1")"#,
            r#"Directory("/w/shop")"#,
            "bookkeeping session",
            r#"Model(Main, "claude-opus-4-5")"#,
            r#"Title("Files")"#,
            "bookkeeping session_info"
        ]
    );
}

#[test]
fn calls_of_a_message_that_was_cut_off_did_not_begin() {
    for (stop, mark) in [("aborted", "Interrupted"), ("error", "RequestFailed")] {
        let told = of(&[assistant("a1", "u1", CALL, stop)]);
        assert_eq!(told[1..], ["Resolution c1 Refused: ", mark], "{stop}");
    }
    assert_eq!(of(&[assistant("a1", "u1", CALL, "toolUse")]).len(), 1);
}

#[test]
fn an_entry_that_goes_on_from_an_older_one_takes_back_what_came_since() {
    let lines = [
        HEADER.to_owned(),
        user("u1", "", "one"),
        assistant("a1", "u1", &text("1"), "stop"),
        user("u2", "a1", "two"),
        assistant("a2", "u2", &text("2"), "stop"),
        r#"{"type":"branch_summary","id":"b1","parentId":"a1","fromId":"a2","summary":"tried two"}"#.to_owned(),
        user("u3", "b1", "three"),
    ];
    assert_eq!(of(&lines)[6..], ["RolledBack { turns: 1 }", "Injected: tried two", "Human: three"]);
}

#[test]
fn a_compaction_keeps_the_path_from_the_first_kept_entry_on() {
    let talk = [
        HEADER.to_owned(),
        user("u1", "", "one"),
        assistant("a1", "u1", &text("1"), "stop"),
        user("u2", "a1", "two"),
        assistant("a2", "u2", &text("2"), "stop"),
    ];
    let after = |first: &str| {
        let compaction =
            format!(r#"{{"type":"compaction","id":"k1","parentId":"a2","summary":"so far","{first},"tokensBefore":5000}}"#);
        of(&[&talk[..], &[compaction]].concat())[6..].to_vec()
    };
    let boundary =
        |kept: &str| [format!("Boundary Summary Unknown (Some(5000), None) {kept} masked []"), "Summary: so far".to_owned()];
    assert_eq!(after(r#"firstKeptEntryId":"u2""#), boundary(r#"Records(["u2", "a2"])"#));
    assert_eq!(after(r#"firstKeptEntryId":"k1""#), boundary("Nothing"));
    assert_eq!(after(r#"firstKeptEntryId":"nobody""#), boundary("Nothing"));
    // Version 1 counts entries, the header first.
    let bare: Vec<String> = talk
        .iter()
        .map(|line| {
            line.replace(r#""id":"u1","#, "")
                .replace(r#""id":"a1","#, "")
                .replace(r#""id":"u2","#, "")
                .replace(r#""id":"a2","#, "")
                .replace(r#""parentId":"u1","#, "")
                .replace(r#""parentId":"a1","#, "")
                .replace(r#""parentId":"u2","#, "")
                .replace(r#""parentId":"","#, "")
        })
        .collect();
    let old = r#"{"type":"compaction","summary":"so far","firstKeptEntryIndex":3,"tokensBefore":5000}"#.to_owned();
    assert_eq!(of(&[&bare[..], &[old]].concat())[6..], boundary(r##"Records(["#3", "#4"])"##));
}

#[test]
fn what_no_model_wrote_and_no_person_typed_is_injected() {
    for (line, expected) in [
        (r#"{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a.rs"}}"#, &["Injected: $ ls\na.rs"][..]),
        (r#"{"type":"message","message":{"role":"bashExecution","command":"ls","output":"a","excludeFromContext":true}}"#, &[]),
        (r#"{"type":"custom_message","content":"from an extension"}"#, &["Injected: from an extension"]),
        (r#"{"type":"message","message":{"role":"custom","content":"x"}}"#, &["Injected: x"]),
        (r#"{"type":"message","message":{"role":"compactionSummary","summary":"x"}}"#, &[]),
        (r#"{"type":"label","targetId":"u1","label":"x"}"#, &[]),
        (r#"{"type":"message","message":{"role":"novel","content":"x"}}"#, &["Unrecognised message/novel: novel\nx"]),
        (r#"{"type":"later","text":"keep"}"#, &["Unrecognised later: keep"]),
        (r#"{"type":"message","message":{"role":"user","content":"plain"}}"#, &["Human: plain"]),
        (
            r#"{"type":"message","message":{"role":"user","content":[{"type":"image","data":"AA"},7]}}"#,
            &["Injected: [image]", "Unrecognised user:(no object): 7"],
        ),
    ] {
        assert_eq!(of(&[line.to_owned()]), expected, "{line}");
    }
    let glued = format!("{}{}", user("u1", "", "one"), user("u2", "u1", "two"));
    assert_eq!(of(&[glued]), ["Human: one", "Human: two"]);
}
