//! Sessions as Copilot CLI writes them, a few events each.

use super::FORMAT;
use crate::formats::adapter::Recognised;
use crate::formats::testing::{events, told};

fn event(id: &str, kind: &str, data: &str) -> String {
    format!(r#"{{"type":"{kind}","data":{{{data}}},"id":"{id}","timestamp":"2026-03-20T19:09:27.898Z","parentId":"p"}}"#)
}

fn user(id: &str, text: &str) -> String {
    event(id, "user.message", &format!(r#""content":"{text}","transformedContent":"{text}""#))
}

fn asks(id: &str, tool: &str, arguments: &str) -> String {
    let request = format!(r#"{{"toolCallId":"{id}","name":"{tool}","arguments":{arguments},"type":"function"}}"#);
    event(&format!("m{id}"), "assistant.message", &format!(r#""messageId":"m{id}","content":"","toolRequests":[{request}]"#))
}

fn starts(id: &str) -> String {
    event(
        &format!("s{id}"),
        "tool.execution_start",
        &format!(r#""toolCallId":"{id}","toolName":"bash","arguments":{{"command":"make"}}"#),
    )
}

fn ends(id: &str, rest: &str) -> String {
    event(&format!("e{id}"), "tool.execution_complete", &format!(r#""toolCallId":"{id}",{rest}"#))
}

const MAKE: &str = r#"{"command":"make"}"#;

fn of(lines: &[String]) -> Vec<String> {
    events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn is_recognised_by_its_envelope() {
    for (record, expected) in [
        (event("e", "session.start", ""), Recognised::Yes),
        (event("e", "abort", ""), Recognised::Yes),
        (event("e", "novel", ""), Recognised::No),
        (r#"{"type":"user.message","data":{},"id":"e"}"#.to_owned(), Recognised::Maybe),
        (r#"{"type":"user.message"}"#.to_owned(), Recognised::No),
        ("{}".to_owned(), Recognised::No),
    ] {
        assert_eq!((FORMAT.recognises)(&serde_json::from_str(&record).unwrap()), expected, "{record}");
    }
}

#[test]
fn a_conversation_with_its_facts() {
    let start = r#""sessionId":"s-1","copilotVersion":"1.0.34","context":{"cwd":"/w/shop","branch":"main"}"#;
    let lines = [
        event("e1", "session.start", start),
        event("e2", "session.model_change", r#""newModel":"claude-sonnet-4.6""#),
        user("e3", "build"),
        asks("c1", "bash", MAKE),
        starts("c1"),
        ends("c1", r#""success":true,"result":{"content":"no\n<exited with exit code 2>"}"#),
        event("e9", "session.shutdown", r#""currentTokens":35322"#),
    ];
    let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        told.events,
        [
            "Human: build",
            r#"Call c1 bash {"command":"make"}"#,
            "Resolution c1 Failed { exit: Some(2) }: no\n<exited with exit code 2>",
            "SessionEnded"
        ]
    );
    assert_eq!(
        told.facts,
        [
            r#"Directory("/w/shop")"#,
            r#"Branch("main")"#,
            r#"Session("s-1")"#,
            r#"Version("1.0.34")"#,
            "bookkeeping session.start",
            r#"Model(Main, "claude-sonnet-4.6")"#,
            "bookkeeping session.model_change",
            "bookkeeping tool.execution_start"
        ]
    );
}

#[test]
fn a_result_ends_its_call_as_its_flags_and_its_last_line_say() {
    for (rest, expected) in [
        (r#""success":true,"result":{"content":"ok"}"#, "Success: ok"),
        (r#""success":true,"result":{"content":"ok"},"shellExecution":{"exitCode":3}"#, "Failed { exit: Some(3) }: ok"),
        (
            r#""success":true,"result":{"content":"<command started in background with shellId: 7>"}"#,
            r#"Started { handle: "7" }: <command started in background with shellId: 7>"#,
        ),
        (
            r#""success":true,"result":{"content":"Agent started in background with agent_id: explore-1. More."}"#,
            r#"Started { handle: "explore-1" }: Agent started in background with agent_id: explore-1. More."#,
        ),
        (
            r#""success":true,"result":{"content":"Agent completed. agent_id: explore-1, status: completed"}"#,
            "Success: Agent completed. agent_id: explore-1, status: completed",
        ),
        (r#""success":false,"error":{"message":"No match found","code":"failure"}"#, "Failed { exit: None }: No match found"),
        (r#""success":false,"error":{"message":"Command not executed. x","code":"failure"}"#, "Refused: Command not executed. x"),
        (
            r#""success":false,"error":{"message":"The user rejected this tool call.","code":"rejected"}"#,
            "Declined: The user rejected this tool call.",
        ),
    ] {
        assert_eq!(of(&[asks("c1", "bash", MAKE), ends("c1", rest)])[1], format!("Resolution c1 {expected}"));
    }
}

#[test]
fn a_poll_tells_what_became_of_its_shell() {
    let poll = |text: &str| {
        let end = ends("c2", &format!(r#""success":true,"result":{{"content":"{text}"}}"#));
        of(&[asks("c2", "read_bash", r#"{"shellId":"7","delay":30}"#), end])[1..].to_vec()
    };
    assert_eq!(
        poll("x\\n<command with id: 7 exited with exit code 1>"),
        ["Resolution c2 Success: x\n<command with id: 7 exited with exit code 1>", "Job 7 Failed: "]
    );
    assert_eq!(poll("<command with shellId: 7 is still running after 30 seconds.>").len(), 1);
    let news =
        event("n", "system.notification", r#""content":"done","kind":{"type":"shell_completed","shellId":"7","exitCode":0}"#);
    assert_eq!(of(&[news]), ["Job 7 Completed: done"]);
    let news = event(
        "n",
        "system.notification",
        r#""content":"done","kind":{"type":"agent_completed","agentId":"x-1","status":"failed"}"#,
    );
    assert_eq!(of(&[news]), ["Job x-1 Failed: done"]);
}

#[test]
fn what_was_asked_for_and_not_started_when_a_person_stopped_it_did_not_begin() {
    let lines =
        [asks("c1", "bash", MAKE), asks("c2", "bash", MAKE), starts("c1"), event("a", "abort", r#""reason":"user_initiated""#)];
    assert_eq!(of(&lines)[2..], ["Resolution c2 Refused: ", "Interrupted"]);
    assert_eq!(of(&[starts("c9")]), [r#"Call c9 bash {"command":"make"}"#], "no request of it stands anywhere");
}

#[test]
fn a_compaction_keeps_what_was_said_since_it_began() {
    let complete = |success: bool| {
        event(
            "k",
            "session.compaction_complete",
            &format!(r#""success":{success},"preCompactionTokens":135816,"summaryContent":"so far""#),
        )
    };
    let start =
        event("b", "session.compaction_start", r#""systemTokens":33818,"conversationTokens":81674,"toolDefinitionsTokens":20324"#);
    let talk = |success: bool| {
        let ok = r#""success":true,"result":{"content":"ok"}"#;
        of(&[
            user("u1", "one"),
            asks("c1", "bash", MAKE),
            start.clone(),
            ends("c1", ok),
            asks("c2", "bash", MAKE),
            complete(success),
        ])
    };
    let boundary = r#"Boundary Summary Unknown (Some(135816), None) Records(["b", "ec1", "mc2"]) masked []"#;
    assert_eq!(
        talk(true)[2..],
        ["Counted", "Resolution c1 Success: ok", r#"Call c2 bash {"command":"make"}"#, boundary, "Summary: so far"]
    );
    assert_eq!(talk(false).len(), 5, "one that failed changes nothing");

    let cut =
        event("t", "session.truncation", r#""postTruncationMessagesLength":1,"preTruncationTokens":9,"postTruncationTokens":5"#);
    assert_eq!(
        of(&[user("u1", "one"), user("u2", "two"), cut])[2..],
        [r#"Boundary Dropped Auto (Some(9), Some(5)) Records(["u2"]) masked []"#]
    );
    assert_eq!(of(&[event("c", "session.context_cleared", "")]), ["Boundary Dropped Manual (None, None) Nothing masked []"]);
}

#[test]
fn who_speaks_by_what_was_typed() {
    let said =
        |typed: &str, sent: &str| event("u", "user.message", &format!(r#""content":"{typed}","transformedContent":"{sent}""#));
    for (line, expected) in [
        (
            said("fix it", "<current_datetime>x</current_datetime>\\n\\nfix it\\n\\n<reminder>y</reminder>"),
            &["Human: fix it", "Injected: <current_datetime>x</current_datetime>", "Injected: <reminder>y</reminder>"][..],
        ),
        (said("", "You have not yet marked the task as complete."), &["Injected: You have not yet marked the task as complete."]),
        (said("/build mode: drain", "Use the skill"), &["Human: /build mode: drain", "Injected: Use the skill"]),
        (said("/compact", ""), &["Injected: /compact"]),
        (event("e", "system.message", r#""role":"system","content":"You are""#), &["Rules: You are"]),
        (event("e", "skill.invoked", r#""name":"x","content":"Do so""#), &["Injected: Do so"]),
        (event("e", "hook.start", r#""hookType":"postToolUse""#), &[]),
        (event("e", "session.novel", r#""content":"keep""#), &["Unrecognised session.novel: keep"]),
        (event("e", "user.message", r#""content":"look","parentToolCallId":"c1""#), &["@c1 Parent: look"]),
    ] {
        assert_eq!(of(std::slice::from_ref(&line)), expected, "{line}");
    }
}

#[test]
fn a_document_of_the_first_versions_is_read_too() {
    let entry = |rest: &str| format!(r#"{{"timeline":{{"id":"e","timestamp":"2025-10-11T12:54:52.206Z",{rest}}}}}"#);
    let call = |id: &str, kind: &str, log: &str| {
        let result = format!(r#""result":{{"type":"{kind}","log":"{log}"}}"#);
        entry(&format!(r#""type":"tool_call_completed","callId":"{id}","name":"bash","arguments":{{"command":"make"}},{result}"#))
    };
    let lines = [
        r#"{"sessionId":"s-1"}"#.to_owned(),
        entry(r#""type":"info","text":"Connected""#),
        entry(r#""type":"user","text":"build""#),
        entry(r#""type":"copilot","text":"on it""#),
        entry(r#""type":"tool_call_requested","callId":"c1","name":"bash","arguments":{"command":"make"}"#),
        call("c1", "success", "built\\n<exited with exit code 2>"),
        call("c2", "rejected", "The user rejected this tool call."),
        entry(r#""type":"novel","text":"x""#),
    ];
    assert_eq!(
        of(&lines),
        [
            "Human: build",
            "Assistant: on it",
            "Call c1 bash {\"command\":\"make\"}",
            "Resolution c1 Failed { exit: Some(2) }: built\n<exited with exit code 2>",
            "Call c2 bash {\"command\":\"make\"}",
            "Resolution c2 Declined: The user rejected this tool call.",
            "Unrecognised timeline/novel: x",
        ]
    );
    let session = serde_json::from_str(r#"{"sessionId":"s-1","chatMessages":[],"timeline":[]}"#).unwrap();
    assert_eq!((FORMAT.recognises)(&session), Recognised::Yes);
}
