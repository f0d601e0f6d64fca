//! The adapter on invented rollouts, line by line.

use std::mem::{Discriminant, discriminant};

use super::*;
use crate::transcript::{Diagnostic, DiagnosticKind, Event, Place};
use Speaker::{Human, Parent};

/// What came of some lines, in words.
#[derive(Default)]
struct Told {
    events: Vec<String>,
    kinds: Vec<Discriminant<Payload<'static>>>,
    facts: Vec<String>,
    oddities: Vec<DiagnosticKind>,
}

impl Sink for Told {
    fn event(&mut self, event: Event<'_>) {
        self.kinds.push(discriminant(&event.payload.clone().into_owned()));
        let step = event.step.as_deref().map(|step| format!("{step} ")).unwrap_or_default();
        let usage = event.usage.map(|u| format!(" {}+{}/{}", u.input, u.output, u.window.unwrap_or(0))).unwrap_or_default();
        self.events.push(format!("{}.{} {step}{}{usage}", event.place.line, event.place.nth, words(&event.payload)));
    }
    fn fact(&mut self, fact: Fact<'_>) {
        self.facts.push(format!("{fact:?}"));
    }
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.oddities.push(diagnostic.kind);
    }
}

fn words(payload: &Payload<'_>) -> String {
    match payload {
        Payload::User { speaker, text } => format!("{speaker:?}: {text}"),
        Payload::Assistant { text } => format!("assistant: {text}"),
        Payload::Reasoning { text } => format!("reasoning: {text}"),
        Payload::Call(call) => format!("call {} {} {:?}", call.id, call.tool, call.input),
        Payload::Resolution(end) => {
            let said = end.said.as_ref().map(|said| format!(" said {said}")).unwrap_or_default();
            format!("end {} {:?}{said}", end.call, end.outcome)
        }
        Payload::Boundary(boundary) => format!("boundary {:?} {:?} +{}", boundary.kind, boundary.kept, boundary.reinjected_bytes),
        Payload::Summary { text, opaque } => format!("summary {opaque} {text}"),
        Payload::Job { handle, state, text } => format!("job {handle} {state:?} {text}"),
        Payload::Mark(mark) => format!("{mark:?}"),
        Payload::Unrecognised { name, text } => format!("unrecognised {name}: {text}"),
        Payload::Ran { .. } => unreachable!("Codex has no hook lines"),
    }
}

fn record(bytes: &[u8], line: u32) -> Record<'_> {
    Record { bytes, place: Place { line, ..Place::default() } }
}

/// Reads the lines in a lane; holds the adapter's law for each.
fn read_in(lane: LaneKey<'static>, lines: &[&str]) -> Told {
    let opening = Opening { lane, elsewhere: Vec::new() };
    let (mut adapter, mut told) = ((FORMAT.open)(&opening), Told::default());
    for (line, number) in lines.iter().zip(1..) {
        let before = told.events.len();
        adapter.record(record(line.as_bytes(), number), &mut told);
        let mut alone = Told::default();
        (FORMAT.open)(&opening).record(record(line.as_bytes(), number), &mut alone);
        let here = told.kinds.get(before..).unwrap_or_default();
        assert!(alone.kinds.starts_with(here), "not the beginning of {:?}: {line}", alone.events);
    }
    told
}

fn read(lines: &[&str]) -> Told {
    read_in(LaneKey::Main, lines)
}

fn events(lines: &[&str]) -> Vec<String> {
    read(lines).events
}

/// An enveloped line.
fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-09T08:29:11.000Z","type":"{kind}","payload":{payload}}}"#)
}

fn item(payload: &str) -> String {
    line("response_item", payload)
}

fn heard(payload: &str) -> String {
    line("event_msg", payload)
}

fn said(role: &str, text: &str) -> String {
    item(&serde_json::json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}).to_string())
}

fn call(id: &str, name: &str, arguments: &str) -> String {
    item(&serde_json::json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}).to_string())
}

fn output(id: &str, text: &str) -> String {
    item(&serde_json::json!({"type": "function_call_output", "call_id": id, "output": text}).to_string())
}

fn all<const N: usize>(lines: [String; N]) -> Vec<String> {
    events(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_text_that_stands_twice_is_told_once() {
    let lines = [
        said("user", "<environment_context>\n</environment_context>"),
        said("user", "deploy it"),
        heard(r#"{"type":"user_message","message":"deploy it"}"#),
        line(
            "event_msg",
            r#"{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"deploy it"}]}}"#,
        ),
        heard(r#"{"type":"agent_reasoning","text":"look first"}"#),
        item(
            r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"look first"}],"content":null,"encrypted_content":"g"}"#,
        ),
        heard(r#"{"type":"agent_message","message":"done"}"#),
        item(r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}"#),
        said("developer", "be brief"),
    ];
    assert_eq!(
        all(lines),
        [
            "1.0 Injected: <environment_context>\n</environment_context>",
            "2.0 Human: deploy it",
            "6.0 s1 reasoning: look first",
            "8.0 s1 assistant: done",
            "9.0 Rules: be brief",
        ]
    );
}

#[test]
fn a_step_ends_with_an_output_a_prompt_or_a_compaction() {
    let reasoning = item(r#"{"type":"reasoning","summary":[]}"#);
    let lines = [
        reasoning.clone(),
        call("a", "shell", "{}"),
        call("b", "shell", "{}"),
        output("a", "ok"),
        output("b", "ok"),
        reasoning.clone(),
        said("user", "and now?"),
        reasoning.clone(),
        line("compacted", r#"{"message":"so far"}"#),
        reasoning,
    ];
    let steps: Vec<String> = all(lines)
        .into_iter()
        .filter_map(|event| event.split(' ').nth(1).filter(|s| s.starts_with('s') && s.len() == 2).map(str::to_owned))
        .collect();
    assert_eq!(steps, ["s1", "s1", "s1", "s2", "s3", "s4"]);
}

#[test]
fn calls_and_outputs_of_every_shape() {
    let lines = [
        call("f", "shell", r#"{"command":["ls"]}"#),
        output("f", "{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"),
        call("broken", "shell", "{\"command\":"),
        item(r#"{"type":"function_call","call_id":"o","namespace":"mcp__x__","name":"get","arguments":{"n":1}}"#),
        item(
            r#"{"type":"custom_tool_call","status":"completed","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n*** End Patch"}"#,
        ),
        item(
            r#"{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"a"},{"type":"input_image"},{"type":"input_text","text":"b"}]}"#,
        ),
        item(
            r#"{"type":"local_shell_call","id":"lsh","call_id":null,"status":"completed","action":{"type":"exec","command":["ls"]}}"#,
        ),
        item(r#"{"type":"tool_search_call","call_id":null,"execution":"server","arguments":{"q":"x"}}"#),
        item(r#"{"type":"tool_search_output","call_id":null,"status":"completed","tools":[]}"#),
        item(r#"{"type":"web_search_call","status":"completed","action":{"type":"search","query":"rust"}}"#),
        item(r#"{"type":"web_search_call","id":"ws","status":"in_progress"}"#),
        item(r#"{"type":"image_generation_call","id":"ig","status":"failed","revised_prompt":"a cat","result":""}"#),
        call("q", "request_user_input", r#"{"questions":[{"id":"db","header":"Table","question":"Drop the old table?"}]}"#),
        output("q", r#"{"answers":{"db":{"answers":["keep it","for now"]},"port":{"answers":["5433"]}}}"#),
        output("nobody", "Chunk ID: a\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n"),
    ];
    assert_eq!(
        all(lines),
        [
            r#"1.0 s1 call f shell Json("{\"command\":[\"ls\"]}")"#,
            "2.0 end f Failed { exit: Some(2) }",
            r#"3.0 s2 call broken shell Text("{\"command\":")"#,
            r#"4.0 s2 call o mcp__x__get Json("{\"n\":1}")"#,
            r#"5.0 s2 call c apply_patch Text("*** Begin Patch\n*** End Patch")"#,
            "6.0 end c Success",
            r#"7.0 s3 call lsh local_shell Json("{\"type\":\"exec\",\"command\":[\"ls\"]}")"#,
            r#"8.0 s3 call tool_search tool_search Json("{\"q\":\"x\"}")"#,
            "9.0 end tool_search Success",
            r#"10.0 s4 call web_search_call@10 web_search Json("{\"type\":\"search\",\"query\":\"rust\"}")"#,
            "10.1 end web_search_call@10 Success",
            r#"11.0 s4 call ws web_search Text("")"#,
            r#"12.0 s4 call ig image_generation Text("a cat")"#,
            "12.1 end ig Failed { exit: None }",
            r#"13.0 s4 call q request_user_input Json("{\"questions\":[{\"id\":\"db\",\"header\":\"Table\",\"question\":\"Drop the old table?\"}]}")"#,
            "14.0 end q Success said Drop the old table? → keep it; for now\nport → 5433",
            "15.0 end nobody Success",
            "15.1 job  Completed Process exited with code 0",
        ]
    );
}

#[test]
fn a_process_is_followed_by_its_handle() {
    let header = |what: &str| format!("Chunk ID: a\nWall time: 1.0 seconds\n{what}\nOutput:\n");
    let lines = [
        call("run", "exec_command", r#"{"cmd":"npm run dev"}"#),
        output("run", &header("Process running with session ID 42")),
        call("look", "write_stdin", r#"{"session_id":42,"chars":""}"#),
        output("look", &header("Process running with session ID 42")),
        call("again", "write_stdin", r#"{"session_id":"42"}"#),
        output("again", &header("Process exited with code 1")),
        call("late", "write_stdin", r#"{"session_id":42}"#),
        output("late", "write_stdin failed: Unknown process id 42"),
    ];
    let told: Vec<String> = all(lines).into_iter().filter(|event| !event.contains(" call ")).collect();
    assert_eq!(
        told,
        [
            r#"2.0 end run Started { handle: "proc:42" }"#,
            "4.0 end look Success",
            "4.1 job proc:42 Running Process running with session ID 42",
            "6.0 end again Success",
            "6.1 job proc:42 Failed Process exited with code 1",
            "8.0 end late Refused",
        ]
    );
}

#[test]
fn a_script_is_known_by_the_ends_of_its_calls() {
    let exec = |id: &str, script: &str| {
        item(&serde_json::json!({"type": "custom_tool_call", "call_id": id, "name": "exec", "input": script}).to_string())
    };
    let done = |id: &str, text: &str| {
        item(&serde_json::json!({"type": "custom_tool_call_output", "call_id": id, "output": text}).to_string())
    };
    let ran = |status: &str, code: i32| {
        heard(&format!(
            r#"{{"type":"item_completed","item":{{"type":"CommandExecution","id":"exec-1","status":"{status}","exit_code":{code}}}}}"#
        ))
    };
    let one = "text(await tools.exec_command({cmd:'make'}))";
    let completed = "Script completed\nWall time 1 seconds\nOutput:\n";
    let lines = [
        exec("a", one),
        done("a", completed),
        exec("b", one),
        ran("completed", 0),
        done("b", completed),
        exec("c", one),
        ran("failed", 3),
        done("c", completed),
        // Two calls are open: nobody knows whose end it is.
        exec("d", one),
        call("e", "shell", "{}"),
        ran("completed", 0),
        output("e", "ok"),
        done("d", completed),
        exec("f", "await tools.exec_command({cmd:'sleep 600'})"),
        done("f", "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n"),
        // A crash: its call is no call of the next turn.
        exec("lost", one),
        heard(r#"{"type":"task_started","turn_id":"t2"}"#),
        exec("h", one),
        ran("completed", 0),
        done("h", completed),
        call("g", "wait", r#"{"cell_id":"7","terminate":true}"#),
        output("g", "Script terminated\nWall time 1.0 seconds\nOutput:\n"),
    ];
    let told: Vec<String> = all(lines).into_iter().filter(|event| !event.contains(" call ")).collect();
    assert_eq!(
        told,
        [
            "2.0 end a Returned",
            "5.0 end b Success",
            "8.0 end c Failed { exit: Some(3) }",
            "12.0 end e Success",
            "13.0 end d Returned",
            r#"15.0 end f Started { handle: "cell:7" }"#,
            "20.0 end h Success",
            "22.0 end g Success",
            "22.1 job cell:7 Killed Script terminated",
        ]
    );
}

#[test]
fn agents_are_jobs_of_their_parent() {
    let lines = [
        call("s", "spawn_agent", r#"{"message":"explore"}"#),
        output("s", r#"{"agent_id":"a1","nickname":"Sartre"}"#),
        call("w", "wait_agent", r#"{"targets":["a1"]}"#),
        output("w", r#"{"status":{"a1":{"completed":"found it"}},"timed_out":false}"#),
        said(
            "user",
            "<subagent_notification>\n{\"agent_path\":\"a2\",\"status\":{\"errored\":\"no net\"}}\n</subagent_notification>",
        ),
        call("c", "close_agent", r#"{"id":"a1"}"#),
        output("c", r#"{"previous_status":"running"}"#),
        item(
            r#"{"type":"agent_message","author":"/root/x","recipient":"/root","content":[{"type":"input_text","text":"Message Type: MESSAGE\nhello"}]}"#,
        ),
        line(
            "inter_agent_communication",
            r#"{"author":"/root/x","recipient":"/root","content":"Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/x\nPayload:\ngreen"}"#,
        ),
    ];
    let told: Vec<String> = all(lines).into_iter().filter(|event| !event.contains(" call ")).collect();
    assert_eq!(
        told,
        [
            r#"2.0 end s Started { handle: "agent:a1" }"#,
            "4.0 end w Success",
            "4.1 job agent:a1 Completed found it",
            "5.0 job agent:a2 Failed no net",
            "7.0 end c Success",
            "7.1 job agent:a1 Killed closed",
            "8.0 Injected: Message Type: MESSAGE\nhello",
            "9.0 job agent:/root/x Completed green",
        ]
    );
}

#[test]
fn what_a_compaction_keeps() {
    let history = |items: &str| line("compacted", &format!(r#"{{"message":"","replacement_history":[{items}]}}"#));
    let user = |text: &str| format!(r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#);
    let developer = r#"{"type":"message","role":"developer","content":[{"type":"input_text","text":"12345"}]}"#;
    let encrypted = r#"{"type":"compaction","encrypted_content":"gAAA"}"#;
    let assistant = r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"we moved the table"}]}"#;
    let summary = format!("{}\\nmoved", zones::SUMMARY_PREFIX);
    let context = "<environment_context></environment_context>";
    let lines = [
        history(&format!("{developer},{},{},{}", user("deploy it"), user(context), user(&summary))),
        history(&format!("{},{},{encrypted}", user("deploy it"), user("mid…9 tokens truncated…dle"))),
        history(&format!("{},{assistant}", user("deploy it"))),
        history(developer),
        history(""),
        line("compacted", r#"{"message":"so far","window_number":1}"#),
        line("compacted", r#"{"message":""}"#),
        item(encrypted),
        heard(r#"{"type":"context_compacted"}"#),
    ];
    let cut = "mid…9 tokens truncated…dle".len();
    let text = summary.replace("\\n", "\n");
    assert_eq!(
        all(lines),
        [
            format!(r#"1.0 boundary Summary Texts(["deploy it"]) +{}"#, 5 + context.len()),
            format!("1.1 summary false {text}"),
            format!(r#"2.0 boundary Summary Texts(["deploy it"]) +{cut}"#),
            "2.1 summary true ".to_owned(),
            r#"3.0 boundary Summary Texts(["deploy it"]) +0"#.to_owned(),
            "3.1 summary false we moved the table".to_owned(),
            "4.0 boundary Dropped Nothing +5".to_owned(),
            "5.0 boundary Dropped Nothing +0".to_owned(),
            "6.0 boundary Summary Prompts { tokens: 20000 } +0".to_owned(),
            "6.1 summary false so far".to_owned(),
            "7.0 boundary Dropped Prompts { tokens: 20000 } +0".to_owned(),
        ]
    );
}

#[test]
fn what_the_runtime_says_of_turns_and_charges() {
    let count = |input: u32, total: u32| {
        heard(&format!(
            r#"{{"type":"token_count","info":{{"last_token_usage":{{"input_tokens":{input},"cached_input_tokens":9,"output_tokens":38}},"total_token_usage":{{"total_tokens":{total}}},"model_context_window":258400}}}}"#
        ))
    };
    let lines = [
        heard(r#"{"type":"task_started","turn_id":"t"}"#),
        heard(r#"{"type":"token_count","info":null,"rate_limits":{}}"#),
        item(r#"{"type":"reasoning","summary":[]}"#),
        count(5172, 5210),
        count(5172, 5210),
        line(
            "token_usage_record",
            r#"{"usage":{"input_tokens":5172,"output_tokens":38},"thread_token_usage":{"total_tokens":5210}}"#,
        ),
        count(5172, 9999),
        heard(r#"{"type":"turn_aborted","reason":"user_cancelled"}"#),
        heard(r#"{"type":"task_complete","last_agent_message":"x","error":null}"#),
        heard(r#"{"type":"turn_complete","error":{"message":"429"}}"#),
        heard(r#"{"type":"thread_rolled_back","num_turns":2}"#),
        heard(r#"{"type":"from_the_future","message":"read me"}"#),
        line("world_state", r#"{"full":true,"state":{"message":"not me"}}"#),
        line("realtime_item", r#"{"text":"heard"}"#),
        item(r#"{"type":"ghost_snapshot","ghost_commit":{}}"#),
        item(r#"{"type":"message","role":"function","content":"out"}"#),
    ];
    assert_eq!(
        all(lines),
        [
            "3.0 s1 reasoning: ",
            "4.0 s1 Counted 5172+38/258400",
            "7.0 s1 Counted 5172+38/258400",
            "8.0 Interrupted",
            "9.0 TurnEnded",
            "10.0 RequestFailed",
            "10.1 TurnEnded",
            "11.0 RolledBack { turns: 2 }",
            "12.0 unrecognised event_msg/from_the_future: read me",
            "14.0 unrecognised realtime_item: heard",
            "16.0 unrecognised message/function: out",
        ]
    );
}

#[test]
fn the_first_header_is_the_sessions() {
    let meta = |id: &str, more: &str| line("session_meta", &format!(r#"{{"id":"{id}","cli_version":"0.145.0"{more}}}"#));
    let lines = [
        meta("t", r#","cwd":"/w","git":{"branch":"main"},"base_instructions":{"text":"You are Codex."}"#),
        meta("parent", r#","cwd":"/elsewhere","base_instructions":{"text":"You are Codex."}"#),
        meta("t", r#","cwd":"/w2","base_instructions":{"text":"You are Codex."}"#),
        line("turn_context", r#"{"cwd":"/w3","model":"gpt-5.5"}"#),
    ];
    let told = read(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.events, ["1.0 Rules: You are Codex."]);
    assert_eq!(
        told.facts,
        [
            r#"Session("t")"#,
            r#"Version("0.145.0")"#,
            r#"Directory("/w")"#,
            r#"Branch("main")"#,
            r#"Bookkeeping("session_meta")"#,
            r#"Session("t")"#,
            r#"Version("0.145.0")"#,
            r#"Directory("/w2")"#,
            r#"Model(Main, "gpt-5.5")"#,
            r#"Directory("/w3")"#,
        ]
    );
}

#[test]
fn a_sub_agents_prompts_are_its_parents() {
    let spawned = |depth: u32| {
        line(
            "session_meta",
            &format!(r#"{{"id":"c","source":{{"subagent":{{"thread_spawn":{{"parent_thread_id":"p","depth":{depth}}}}}}}}}"#),
        )
    };
    let review = line("session_meta", r#"{"id":"c","source":{"subagent":"review"}}"#);
    let cli = line("session_meta", r#"{"id":"c","source":"cli"}"#);
    let prompt = said("user", "explore");
    let lane = || LaneKey::Sub("c".into());
    for (lane, meta, event, parent) in [
        (LaneKey::Main, &cli, Human, None),
        (LaneKey::Main, &spawned(1), Parent, None),
        (LaneKey::Main, &review, Parent, None),
        (lane(), &spawned(1), Parent, Some("Main")),
        (lane(), &spawned(2), Parent, Some(r#"Sub("p")"#)),
        (lane(), &review, Parent, Some("Main")),
    ] {
        let told = read_in(lane, &[meta, &prompt]);
        assert_eq!(told.events, [format!("2.0 {event:?}: explore")], "{meta}");
        let lanes: Vec<&String> = told.facts.iter().filter(|fact| fact.starts_with("Lane")).collect();
        let parent = parent.map(|parent| format!(r#"Lane {{ lane: Sub("c"), parent: {parent} }}"#));
        assert_eq!(lanes, parent.iter().collect::<Vec<_>>(), "{meta}");
    }
}

#[test]
fn bare_rollouts_of_2025() {
    let told = read(&[
        r##"{"id":"t","timestamp":"2025-09-10T02:47:38.812Z","instructions":"# Rules","git":{"branch":"main"}}"##,
        r#"{"record_type":"state"}"#,
        r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"write a viewer"}]}"#,
        r#"{"type":"function_call","id":null,"name":"shell","arguments":"{}","call_id":"c"}"#,
        r#"{"type":"function_call_output","call_id":"c","output":"{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}"}"#,
    ]);
    assert_eq!(told.events, ["3.0 Human: write a viewer", r#"4.0 s1 call c shell Json("{}")"#, "5.0 end c Success"]);
    assert_eq!(told.facts, [r#"Session("t")"#, r#"Branch("main")"#, r#"Bookkeeping("world_state")"#]);
}

#[test]
fn a_part_that_is_no_object_is_counted_and_its_words_kept() {
    let content = r#"["never push",{"type":"input_text","text":"hi"},[7,["a"]]]"#;
    let user = line("response_item", &format!(r#"{{"type":"message","role":"user","content":{content}}}"#));
    let output = line("response_item", r#"{"type":"function_call_output","call_id":"c","output":["a",7]}"#);
    let told = read(&[&user, &output]);
    let odd = |place: &str, text: &str| format!("{place} unrecognised {text}");
    assert_eq!(told.events[0], "1.0 Human: hi");
    assert_eq!(told.events[1..3], [odd("1.1", "message/(no object): never push"), odd("1.2", "message/(no object): a")]);
    assert_eq!(told.events[4..], [odd("2.1", "output/(no object): "), odd("2.2", "output/(no object): ")]);
}

#[test]
fn odd_records_cost_only_themselves() {
    let glued = format!("{}{}", said("user", "a"), said("user", "b"));
    let told = read(&[&glued, "{\"timestamp\":\"2026", "[1]", r#"{"timestamp":5,"type":null,"payload":7}"#, "{}"]);
    assert_eq!(told.events, ["1.0 Human: a", "1.0 Human: b", "4.0 unrecognised untyped: ", "5.0 unrecognised untyped: "]);
    assert_eq!(told.oddities, [DiagnosticKind::Glued, DiagnosticKind::Garbage, DiagnosticKind::NotAnObject]);
    // Fields of every other type.
    for kind in ["session_meta", "response_item", "event_msg", "turn_context", "compacted"] {
        for value in ["7", "-7.5", "\"x\"", "[[],{}]", "{\"a\":[]}", "true", "null"] {
            let fields = [
                "type",
                "id",
                "role",
                "content",
                "arguments",
                "input",
                "output",
                "info",
                "item",
                "source",
                "git",
                "replacement_history",
                "status",
            ];
            let payload = fields.map(|field| format!("\"{field}\":{value}")).join(",");
            read(&[&line(kind, &format!("{{{payload}}}"))]);
        }
    }
}
