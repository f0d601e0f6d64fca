//! From a record that an agent appends to the frame that shows it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use owed::session::{Feed, Progress};
use owed::ui::Still;

use crate::measure::{MB, options, quantile, report, session};
use crate::screen::{Bench, SIZE, looks};

const APPENDS: usize = 400;

/// The session that is being written already has this many bytes.
const BEFORE: u64 = 26 * MB;

/// Milliseconds within which half of the appends must be there ...
const HALF: f64 = 5.0;
/// ... and all but one in a hundred.
const MOST: f64 = 20.0;

pub(crate) fn run() {
    let path = copy(&session(BEFORE).0, "session-live.jsonl");
    let (wake, woken) = bounded(1);
    let feed = Feed::open(&path, &options(), Arc::new(move || _ = wake.try_send(()))).unwrap();
    wait(&woken, || feed.latest().progress == Progress::Complete);
    let mut still = Still::open(&feed, Bench::boxed(), &looks(), SIZE);
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    let (mut published, mut drawn) = (Vec::new(), Vec::new());
    let mut before = still.screen();
    for n in 0..APPENDS {
        let events = feed.latest().lanes[0].events.len();
        std::thread::sleep(Duration::from_millis(8));
        let start = Instant::now();
        file.write_all(record(n).as_bytes()).unwrap();
        wait(&woken, || feed.latest().lanes[0].events.len() > events);
        published.push(start.elapsed());
        // The program judges and paints on another thread; here it is all in line.
        still.refresh(&feed);
        let after = still.screen();
        std::hint::black_box(before.diff(&after).len());
        drawn.push(start.elapsed());
        before = after;
    }
    let ms = |times: &mut Vec<Duration>, share: f64| quantile(times, share).as_secs_f64() * 1e3;
    println!(
        "append to snapshot: half within {:.2} ms, 99 of 100 within {:.2} ms",
        ms(&mut published, 0.5),
        ms(&mut published, 0.99)
    );
    report("append to frame, half of them within", ms(&mut drawn, 0.5), "ms", HALF);
    report("append to frame, 99 of 100 within", ms(&mut drawn, 0.99), "ms", MOST);
}

/// A copy of a session that may be written to.
pub(crate) fn copy(from: &Path, name: &str) -> PathBuf {
    let to = from.with_file_name(name);
    fs::copy(from, &to).unwrap();
    to
}

fn wait(woken: &Receiver<()>, done: impl Fn() -> bool) {
    while !done() {
        woken.recv_timeout(Duration::from_secs(30)).unwrap();
    }
}

/// A call, or the result of the one before.
pub(crate) fn record(n: usize) -> String {
    let head = format!(
        r#"{{"parentUuid":null,"isSidechain":false,"cwd":"/w","sessionId":"s","version":"2.1.47","uuid":"live-{n}","timestamp":"2026-03-02T09:02:11.123Z","#
    );
    let call = n / 2;
    let rest = if n.is_multiple_of(2) {
        format!(
            r#""type":"assistant","message":{{"model":"claude-opus-4-5-20251101","id":"msg_live_{call}","role":"assistant","content":[{{"type":"tool_use","id":"toolu_live_{call}","name":"Bash","input":{{"command":"git push origin topic-{call}"}}}}]}}}}"#
        )
    } else {
        format!(
            r#""type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_live_{call}","content":"ok"}}]}}}}"#
        )
    };
    head + &rest + "\n"
}
