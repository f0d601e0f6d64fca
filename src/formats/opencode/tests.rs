//! Rows and messages of OpenCode, and what is told of them.

use super::FORMAT;
use crate::formats::chat::testing::told;

#[test]
fn rows_are_told_in_the_order_of_time() {
    let row = |piece: &str, id: &str, role: &str, rest: &str| {
        format!(r#"{{"root":"s","session":"s","piece":"{piece}","id":"{id}","message":"m1","role":"{role}","at":1,{rest}}}"#)
    };
    let tool = |state: &str| format!(r#""part":{{"type":"tool","callID":"c","tool":"bash","state":{state}}}"#);
    let lines = [
        row("session", "s", "", r#""title":"A title","directory":"/w""#),
        row("part", "p0", "user", r#""part":{"type":"text","text":"do it"}"#),
        row("part", "p1", "assistant", r#""part":{"type":"text","text":"on it"}"#),
        row("call", "p2", "assistant", &tool(r#"{"input":{"command":"make"}}"#)),
        row("end", "p2", "assistant", &tool(r#"{"status":"completed","output":"no","metadata":{"exit":2}}"#)),
        row("pruned", "x", "", r#""part":{"masked":["c"]}"#),
        row("part", "p3", "user", r#""part":{"type":"compaction","auto":true}"#),
        row("part", "p4", "assistant", r#""summary":1,"part":{"type":"text","text":"all of it"}"#),
        r#"{"root":"s","session":"k","piece":"part","id":"p5","message":"m9","role":"user","part":{"type":"text","text":"look"}}"#
            .to_owned(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(
        told(&FORMAT, &lines),
        [
            "Human: do it",
            "Assistant: on it",
            "Call c bash {\"command\":\"make\"}",
            "Resolution c Failed { exit: Some(2) }: no",
            "Boundary Masking Auto (None, None) Nothing masked [\"c\"]",
            "Boundary Summary Auto (None, None) Nothing masked []",
            "Summary: all of it",
            "@k Parent: look",
        ]
    );
}

#[test]
fn every_end_of_a_call_is_known() {
    let part = |state: &str| {
        let part = format!(r#"{{"type":"tool","callID":"c","tool":"bash","state":{state}}}"#);
        format!(r#"{{"messages":{{"info":{{"id":"m","role":"assistant"}},"parts":[{part}]}}}}"#)
    };
    for (state, outcome) in [
        (r#"{"status":"completed","input":{},"output":"ok","metadata":{"exit":0}}"#, "Success: ok"),
        (r#"{"status":"completed","input":{},"output":"ok"}"#, "Success: ok"),
        (r#"{"status":"completed","input":{},"output":"","metadata":{"exit":null}}"#, "Lost: "),
        (
            r#"{"status":"completed","input":{},"output":"a<bash_metadata>bash tool terminated command after exceeding timeout 5 ms","metadata":{"exit":null}}"#,
            "TimedOut: a<bash_metadata>bash tool terminated command after exceeding timeout 5 ms",
        ),
        (r#"{"status":"error","input":{},"error":"Tool execution aborted"}"#, "Interrupted: Tool execution aborted"),
        (
            r#"{"status":"error","input":{},"error":"The user rejected permission to use this specific tool call."}"#,
            "Declined: The user rejected permission to use this specific tool call.",
        ),
        (r#"{"status":"error","input":{},"error":"no such file"}"#, "Failed { exit: None }: no such file"),
    ] {
        let told = told(&FORMAT, &[&part(state)]);
        assert_eq!(told.get(1).map(String::as_str), Some(format!("Resolution c {outcome}").as_str()), "{state}");
    }
    assert_eq!(told(&FORMAT, &[&part(r#"{"status":"running","input":{"a":1}}"#)]), ["Call c bash {\"a\":1}", "Counted"]);
}
