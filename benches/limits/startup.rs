//! `owed check` of a session of one kilobyte, over a process that does nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child;
use crate::measure::{median, report, time};

const ROUNDS: usize = 41;

/// Milliseconds that it may take longer.
const LIMIT: f64 = 15.0;

const SMALL: &str = r#"{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.47","gitBranch":"main","type":"user","message":{"role":"user","content":"Look at the log. Do not restart anything."},"uuid":"a","timestamp":"2026-03-02T09:02:11.123Z"}
{"parentUuid":"a","isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.47","gitBranch":"main","message":{"model":"claude-opus-4-5-20251101","id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"tail -40 var/log/app.log","description":"Look"}}],"usage":{"input_tokens":3,"cache_creation_input_tokens":21000,"cache_read_input_tokens":0,"output_tokens":40}},"requestId":"r","type":"assistant","uuid":"b","timestamp":"2026-03-02T09:02:14.123Z"}
{"parentUuid":"b","isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.47","gitBranch":"main","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"started","is_error":false}]},"uuid":"c","timestamp":"2026-03-02T09:02:15.123Z"}
"#;

pub(crate) fn run() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("small.jsonl");
    fs::write(&path, SMALL).unwrap();
    let (mut check, mut nothing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut owed = Command::new(env!("CARGO_BIN_EXE_owed"));
        owed.args(["check", "--json"]).arg(&path);
        check.push(time(|| quiet(owed)).0);
        nothing.push(time(|| quiet(child::command("nothing"))).0);
    }
    let over = median(&mut check).saturating_sub(median(&mut nothing));
    report("`check` of 1 kB over a process that does nothing", over.as_secs_f64() * 1e3, "ms", LIMIT);
}

fn quiet(mut command: Command) {
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 10)), "{status}");
}
