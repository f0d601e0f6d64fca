//! Sessions as Qwen Code writes them, a few records each.

use super::FORMAT;
use crate::formats::adapter::Recognised;
use crate::formats::testing::{events, told};

fn record(id: &str, parent: &str, kind: &str, rest: &str) -> String {
    format!(
        r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"s-1","timestamp":"2026-08-01T09:00:00.000Z","type":"{kind}","cwd":"/w/shop","version":"0.21.4",{rest}}}"#
    )
}

fn user(id: &str, parent: &str, text: &str) -> String {
    record(id, parent, "user", &format!(r#""provenance":"real_user","message":{{"role":"user","parts":[{{"text":"{text}"}}]}}"#))
}

fn assistant(id: &str, parent: &str, parts: &str) -> String {
    let usage = r#""usageMetadata":{"promptTokenCount":1200,"candidatesTokenCount":42,"thoughtsTokenCount":15}"#;
    record(id, parent, "assistant", &format!(r#""model":"qwen3-coder","message":{{"role":"model","parts":[{parts}]}},{usage}"#))
}

fn result(id: &str, parent: &str, told: &str, output: &str) -> String {
    let parts = format!(r#"{{"functionResponse":{{"id":"c1","response":{{"output":"{output}"}}}}}}"#);
    record(id, parent, "tool_result", &format!(r#""message":{{"parts":[{parts}]}},"toolCallResult":{{"callId":"c1",{told}}}"#))
}

const CALL: &str = r#"{"functionCall":{"id":"c1","name":"run_shell_command","args":{"command":"make"}}}"#;

fn of(lines: &[String]) -> Vec<String> {
    events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn is_recognised_by_its_records() {
    for (record, expected) in [
        (user("u1", "null", "hi"), Recognised::Yes),
        (record("s1", "null", "system", r#""subtype":"ui_telemetry","systemPayload":{}"#), Recognised::Yes),
        (r#"{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"content":"hi"}}"#.to_owned(), Recognised::No),
        ("{}".to_owned(), Recognised::No),
    ] {
        assert_eq!((FORMAT.recognises)(&serde_json::from_str(&record).unwrap()), expected, "{record}");
    }
}

#[test]
fn a_conversation_with_its_facts() {
    let lines = [
        user("u1", "null", "build"),
        assistant("a1", "\"u1\"", &format!(r#"{{"text":"hm","thought":true}},{{"text":"Building."}},{CALL}"#)),
        result("t1", "\"a1\"", r#""status":"success""#, "Output: no\\nExit Code: 2"),
        record("x1", "\"t1\"", "system", r#""subtype":"custom_title","systemPayload":{"customTitle":"Build"}"#),
    ];
    let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        told.events,
        [
            "Human: build",
            "Reasoning: hm",
            "Assistant: Building.",
            r#"Call c1 run_shell_command {"command":"make"}"#,
            "Resolution c1 Failed { exit: Some(2) }: Output: no\nExit Code: 2",
        ]
    );
    assert_eq!(
        told.facts,
        [
            r#"Session("s-1")"#,
            r#"Version("0.21.4")"#,
            r#"Directory("/w/shop")"#,
            r#"Model(Main, "qwen3-coder")"#,
            r#"Title("Build")"#,
            "bookkeeping system/custom_title"
        ]
    );
}

#[test]
fn a_result_ends_its_call_as_the_runtime_says() {
    for (told, output, expected) in [
        (r#""status":"success""#, "done", "Success"),
        (r#""status":"error""#, "no such file", "Failed { exit: None }"),
        (r#""status":"error","errorType":"invalid_tool_params""#, "bad", "Refused"),
        (r#""status":"cancelled""#, "[Operation Cancelled] Reason: User denied execution.", "Declined"),
        (r#""status":"cancelled""#, "[Operation Cancelled] Reason: x", "Interrupted"),
        (r#""status":"novel""#, "done", "Returned"),
    ] {
        let told = of(&[assistant("a1", "null", CALL), result("t1", "\"a1\"", told, output)]);
        assert_eq!(told[1], format!("Resolution c1 {expected}: {output}"));
    }
}

#[test]
fn a_prompt_that_names_an_older_record_takes_back_what_came_since() {
    let lines = [
        user("u1", "null", "one"),
        assistant("a1", "\"u1\"", r#"{"text":"1"}"#),
        user("u2", "\"a1\"", "two"),
        record("w1", "\"a1\"", "system", r#""subtype":"rewind","systemPayload":{}"#),
        user("u3", "\"w1\"", "three"),
    ];
    assert_eq!(of(&lines)[3..], ["RolledBack { turns: 1 }", "Human: three"]);
}

#[test]
fn a_compression_says_what_it_kept() {
    let compression = |status: u32, history: &str| {
        let info =
            format!(r#"{{"originalTokenCount":49127,"newTokenCount":3366,"compressionStatus":{status},"triggerReason":"manual"}}"#);
        record(
            "k1",
            "\"a2\"",
            "system",
            &format!(r#""subtype":"chat_compression","systemPayload":{{"info":{info},"compressedHistory":[{history}]}}"#),
        )
    };
    let talk = [
        user("u1", "null", "one"),
        assistant("a1", "\"u1\"", r#"{"text":"1"}"#),
        user("u2", "\"a1\"", "two"),
        assistant("a2", "\"u2\"", CALL),
    ];
    let summary = r#"{"role":"user","parts":[{"text":"<state_snapshot>so far</state_snapshot>"}]}"#;
    let kept = format!(r#"{summary},{{"role":"model","parts":[{{"text":"Got it."}}]}},{{"role":"model","parts":[{CALL}]}}"#);
    let after = |history: &str| of(&[&talk[..], &[compression(1, history)]].concat())[4..].to_vec();
    let boundary = |kept: &str| format!("Boundary Summary Manual (Some(49127), Some(3366)) {kept} masked []");
    assert_eq!(after(&kept), [boundary(r#"Records(["a2"])"#), "Summary: <state_snapshot>so far</state_snapshot>".to_owned()]);
    assert_eq!(after(summary)[0], boundary("Nothing"));
    assert_eq!(of(&[&talk[..], &[compression(2, summary)]].concat()).len(), 4, "one that failed leaves no trace");
}

#[test]
fn who_speaks_by_the_record() {
    let said =
        |fields: &str, text: &str| record("u", "null", "user", &format!(r#"{fields}"message":{{"parts":[{{"text":"{text}"}}]}}"#));
    for (line, expected) in [
        (said("", "fix it"), "Human: fix it"),
        (said(r#""provenance":"real_user","#, "fix it"), "Human: fix it"),
        (said(r#""provenance":"system","#, "fix it"), "Injected: fix it"),
        (said(r#""subtype":"notification","#, "fix it"), "Injected: fix it"),
        (
            said(
                r#""subtype":"notification","#,
                "<task-notification><task-id>b1</task-id><status>failed</status></task-notification>",
            ),
            "Job b1 Failed: <task-notification><task-id>b1</task-id><status>failed</status></task-notification>",
        ),
        (said(r#""provenance":"real_user","isSidechain":true,"agentId":"x1","#, "look"), "@x1 Parent: look"),
        (record("u", "null", "later", r#""message":{"parts":[{"text":"keep"}]}"#), "Unrecognised later: keep"),
    ] {
        assert_eq!(of(std::slice::from_ref(&line)), [expected], "{line}");
    }
}
