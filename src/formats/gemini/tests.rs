//! Recordings as Gemini CLI writes them, a few lines each.

use super::FORMAT;
use crate::formats::adapter::{Opening, Recognised};
use crate::formats::testing::{events, told, told_in};
use crate::transcript::LaneKey;

const HEADER: &str = r#"{"sessionId":"s-1","projectHash":"p","startTime":"2026-09-20T10:00:00.000Z","lastUpdated":"2026-09-20T10:00:00.000Z","kind":"main","directories":["/w/shop"]}"#;

fn user(id: &str, text: &str) -> String {
    format!(r#"{{"id":"{id}","timestamp":"2026-09-20T10:00:01.000Z","type":"user","content":[{{"text":"{text}"}}]}}"#)
}

fn gemini(id: &str, text: &str, calls: &str) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-09-20T10:00:02.000Z","type":"gemini","content":"{text}","thoughts":[],"tokens":{{"input":100,"output":10,"cached":90,"thoughts":5}},"model":"gemini-3-pro","toolCalls":[{calls}]}}"#
    )
}

fn call(id: &str, status: &str, output: &str) -> String {
    format!(
        r#"{{"id":"{id}","name":"run_shell_command","args":{{"command":"make"}},"result":[{{"functionResponse":{{"id":"{id}","response":{{"output":"{output}"}}}}}}],"status":"{status}"}}"#
    )
}

fn of(lines: &[String]) -> Vec<String> {
    events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn is_recognised_by_its_lines() {
    for (record, expected) in [
        (HEADER, Recognised::Yes),
        (r#"{"$set":{"lastUpdated":"t"}}"#, Recognised::Yes),
        (r#"{"$rewindTo":"m1"}"#, Recognised::Yes),
        (r#"{"id":"m","timestamp":"t","type":"gemini","content":""}"#, Recognised::Yes),
        (r#"{"id":"m","timestamp":"t","type":"user","content":[]}"#, Recognised::Maybe),
        (r#"{"sessionId":"s","projectHash":"p","messages":[]}"#, Recognised::Yes),
        (r#"{"id":"m","timestamp":"t","type":"message","content":""}"#, Recognised::No),
        ("{}", Recognised::No),
    ] {
        assert_eq!((FORMAT.recognises)(&serde_json::from_str(record).unwrap()), expected, "{record}");
    }
}

#[test]
fn a_message_that_is_written_again_tells_only_what_is_new() {
    let lines = [
        HEADER.to_owned(),
        user("m1", "build"),
        gemini("m2", "Running.", ""),
        gemini("m2", "Running.", &call("c1", "success", "Output: no\\nExit Code: 2")),
        gemini("m2", "Running.", &call("c1", "success", "Output: no\\nExit Code: 2")),
    ];
    let told = told(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let expected = [
        "Human: build",
        "Assistant: Running.",
        r#"Call c1 run_shell_command {"command":"make"}"#,
        "Resolution c1 Failed { exit: Some(2) }: Output: no\nExit Code: 2",
    ];
    assert_eq!(told.events, expected);
    assert_eq!(
        told.facts,
        [
            r#"Session("s-1")"#,
            r#"Directory("/w/shop")"#,
            "bookkeeping header",
            r#"Model(Main, "gemini-3-pro")"#,
            "bookkeeping gemini"
        ]
    );
}

#[test]
fn a_document_is_told_like_a_log() {
    let messages = [user("m1", "build"), gemini("m2", "Running.", &call("c1", "success", "ok"))];
    let records: Vec<String> = messages.iter().map(|message| format!(r#"{{"messages":{message}}}"#)).collect();
    assert_eq!(of(&records), of(&messages));
}

#[test]
fn a_message_without_an_id_is_one_all_the_same() {
    let lines = [r#"{"type":"user","content":"hello","timestamp":"t"}"#, r#"{"type":"model","content":"Hello.","timestamp":"t"}"#];
    assert_eq!(of(&lines.map(str::to_owned)), ["Human: hello", "Assistant: Hello."]);
}

#[test]
fn a_call_that_is_still_running_is_open_until_a_later_line_says_its_end() {
    let lines =
        [gemini("m2", "", &call("c1", "executing", "")), gemini("m2", "", &call("c1", "cancelled", "User denied execution"))];
    assert_eq!(of(&lines)[1], "Resolution c1 Declined: User denied execution");
    let echoed =
        r#"{"id":"m3","timestamp":"t","type":"user","content":[{"functionResponse":{"id":"c1","response":{"output":"x"}}}]}"#;
    assert_eq!(of(&[lines[0].clone(), lines[1].clone(), echoed.to_owned()]).len(), 2, "the same for the model");
    assert_eq!(of(&[lines[0].clone(), echoed.to_owned()])[1], "Resolution c1 Returned: x", "the only end that there is");
}

#[test]
fn a_rewind_takes_back_what_stands_behind_its_message() {
    let talk = [user("m1", "one"), gemini("m2", "1", ""), user("m3", "two"), gemini("m4", "2", "")];
    let after = |id: &str| of(&[&talk[..], &[format!(r#"{{"$rewindTo":"{id}"}}"#), user("m5", "again")]].concat())[4..].to_vec();
    assert_eq!(after("m3"), ["RolledBack { turns: 1 }", "Human: again"]);
    assert_eq!(after("m1"), ["RolledBack { turns: 2 }", "Human: again"]);
    assert_eq!(after("nobody"), ["RolledBack { turns: 2 }", "Human: again"], "an id that is not there drops everything");
    let kept = r#"Boundary Dropped Unknown (None, None) Records(["m1", "m2", "m3"]) masked []"#;
    assert_eq!(after("m4"), [kept, "Human: again"], "an answer alone");
}

#[test]
fn a_list_with_a_new_summary_is_a_compression_and_says_what_it_kept() {
    let snapshot = user("n1", "<state_snapshot>goal: build</state_snapshot>");
    let set =
        |messages: &[String]| format!(r#"{{"$set":{{"lastUpdated":"2026-09-20T10:05:00Z","messages":[{}]}}}}"#, messages.join(","));
    let acknowledged = gemini("n2", "Got it. Thanks for the additional context!", "");
    let talk =
        [user("m1", "one"), gemini("m2", "1", ""), user("m3", "two"), gemini("m4", "2", &call("c1", "success", "long output"))];
    // What stays may come under new ids.
    let renamed = [user("n3", "two"), talk[3].clone()];
    let new = [&[snapshot.clone(), acknowledged], &renamed[..]].concat();
    let lines = [&talk[..], &[set(&new), user("m5", "go on"), r#"{"$rewindTo":"n3"}"#.to_owned()]].concat();
    let expected = [
        r#"Boundary Summary Unknown (None, None) Records(["m3", "m4"]) masked []"#,
        "Summary: <state_snapshot>goal: build</state_snapshot>",
        "Injected: Got it. Thanks for the additional context!",
        "Human: go on",
        "RolledBack { turns: 2 }",
    ];
    assert_eq!(of(&lines)[6..], expected);
    // The same list when a session is taken up again says nothing.
    assert_eq!(of(&[&talk[..], &[set(&new), set(&new)]].concat()).len(), 9);
}

#[test]
fn other_lists_are_aborts_and_maskings() {
    let set = |messages: &[String]| format!(r#"{{"$set":{{"messages":[{}]}}}}"#, messages.join(","));
    let talk = [user("m1", "one"), gemini("m2", "1", &call("c1", "success", "a very long output")), user("m3", "two")];
    assert_eq!(of(&[&talk[..], &[set(&talk[..2])]].concat())[5..], ["RolledBack { turns: 1 }"]);
    let masked = [talk[0].clone(), gemini("m2", "1", &call("c1", "success", "masked")), talk[2].clone()];
    let boundary = r#"Boundary Masking Unknown (None, None) Nothing masked ["c1"]"#;
    assert_eq!(of(&[&talk[..], &[set(&masked)]].concat())[5..], [boundary]);
    assert_eq!(of(&[set(&talk)]).len(), 5, "the first list of a session tells its messages");
}

#[test]
fn who_speaks_by_what_a_person_saw() {
    let shown = |text: &str, shown: &str| {
        format!(r#"{{"id":"m","timestamp":"t","type":"user","content":[{{"text":"{text}"}}],"displayContent":[{shown}]}}"#)
    };
    for (line, expected) in [
        (user("m", "fix it"), &["Human: fix it"][..]),
        (user("m", "System: Please continue."), &["Injected: System: Please continue."]),
        (shown("You are to write GEMINI.md", r#"{"text":"/init"}"#), &["Injected: You are to write GEMINI.md"]),
        (
            shown("look at a.rs: fn a() {}", r#"{"text":"look at @a.rs"}"#),
            &["Human: look at @a.rs", "Injected: look at a.rs: fn a() {}"],
        ),
        (shown("same", r#"{"text":"same"}"#), &["Human: same"]),
        (r#"{"id":"m","timestamp":"t","type":"user","content":"plain"}"#.to_owned(), &["Human: plain"]),
        (
            r#"{"id":"m","timestamp":"t","type":"user","content":["plain",{"inlineData":{"data":"AA"}}]}"#.to_owned(),
            &["Human: plain", "Injected: [image]"],
        ),
        (r#"{"id":"m","timestamp":"t","type":"info","content":"Request cancelled."}"#.to_owned(), &["Interrupted"]),
        (r#"{"id":"m","timestamp":"t","type":"info","content":"Empty GEMINI.md created."}"#.to_owned(), &[]),
        (r#"{"id":"m","timestamp":"t","type":"error","content":"[API Error: quota]"}"#.to_owned(), &["RequestFailed"]),
        (r#"{"id":"m","timestamp":"t","type":"novelty","content":"x"}"#.to_owned(), &["Unrecognised novelty: x"]),
        (r#"{"text":"who knows"}"#.to_owned(), &["Unrecognised untyped: who knows"]),
    ] {
        assert_eq!(of(std::slice::from_ref(&line)), expected, "{line}");
    }
    let sub = HEADER.replace("main", "subagent");
    let opening = Opening { lane: LaneKey::Sub("s-2".into()), elsewhere: Vec::new() };
    assert_eq!(told_in(&FORMAT, opening, &[&sub, &user("m", "look")]).events, ["@s-2 Parent: look"]);
    assert_eq!(of(&[sub, user("m", "look")]), ["Parent: look"]);
}
