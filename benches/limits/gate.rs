//! A hook's answer before a compaction of a session of 50 MB, the process and its write to the disk included; also while the session is
//! being written.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::live::{copy, record};
use crate::measure::{MB, median, quantile, report, session, time};

const ROUNDS: usize = 21;

const SIZE: u64 = 50 * MB;

/// Milliseconds within which half of the answers must be there.
const LIMIT: f64 = 150.0;

/// Milliseconds that the gate may add to a `check` of the same session: it writes two files, and waits for the disk.
const OWN: f64 = 30.0;

pub(crate) fn run() {
    let path = copy(&session(SIZE).0, "session-gate.jsonl");
    let mut still: Vec<Duration> = (0..ROUNDS).map(|_| time(|| ask(&path)).0).collect();
    let mut check: Vec<Duration> = (0..ROUNDS).map(|_| time(|| judge(&path)).0).collect();
    let done = AtomicBool::new(false);
    let mut written: Vec<Duration> = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().append(true).open(&path).unwrap();
            for n in 0.. {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                file.write_all(record(n).as_bytes()).unwrap();
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        let times = (0..ROUNDS).map(|_| time(|| ask(&path)).0).collect();
        done.store(true, Ordering::Relaxed);
        times
    });
    println!("nine of ten answers within {:.1} ms", quantile(&mut still, 0.9).as_secs_f64() * 1e3);
    let own = median(&mut still).saturating_sub(median(&mut check));
    report("the gate's answer over a `check`", own.as_secs_f64() * 1e3, "ms", OWN);
    report("the gate's answer on 50 MB", median(&mut still).as_secs_f64() * 1e3, "ms", LIMIT);
    report("the gate's answer while they are being written", median(&mut written).as_secs_f64() * 1e3, "ms", LIMIT);
}

fn ask(path: &Path) {
    let mut owed = Command::new(env!("CARGO_BIN_EXE_owed"));
    let state = path.with_file_name("gate-state");
    owed.args(["hook", "claude-code"]).env("XDG_STATE_HOME", state).stdin(Stdio::piped());
    let mut child = owed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let path = path.to_str().unwrap();
    let input = format!(r#"{{"session_id":"s","transcript_path":"{path}","hook_event_name":"PreCompact","trigger":"auto"}}"#);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

fn judge(path: &Path) {
    let mut owed = Command::new(env!("CARGO_BIN_EXE_owed"));
    owed.args(["check", "--json"]).arg(path).stdout(Stdio::null()).status().unwrap();
}
