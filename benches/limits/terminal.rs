//! The program on a terminal of its own: what it costs when nothing happens, and how soon an appended call is painted.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::live::{copy, record};
use crate::measure::{MB, quantile, report, session};
use crate::screen::SIZE;

const APPENDS: usize = 150;

/// Milliseconds within which half of the appends must be painted ...
const HALF: f64 = 5.0;
/// ... and all but one in a hundred.
const MOST: f64 = 20.0;

/// How long it is watched doing nothing.
const IDLE: Duration = Duration::from_secs(5);
/// Milliseconds of processor time in each idle second. A call is open: its age is drawn once a second.
const AT_REST: f64 = 5.0;

pub(crate) fn run() {
    let path = copy(&session(26 * MB).0, "session-terminal.jsonl");
    let (columns, rows) = SIZE;
    let pair = native_pty_system().openpty(PtySize { rows, cols: columns, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
    command.arg(&path);
    command.env("TERM", "xterm-256color");
    let mut owed = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let screen = Screen::read(pair.master.try_clone_reader().unwrap());
    screen.until("nothing ─");

    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    let mut times = Vec::new();
    for n in 0..APPENDS {
        thread::sleep(Duration::from_millis(30));
        let start = Instant::now();
        file.write_all(record(2 * n).as_bytes()).unwrap();
        times.push(screen.until(&format!("topic-{n}")).duration_since(start));
        file.write_all(record(2 * n + 1).as_bytes()).unwrap();
    }
    let ms = |times: &mut Vec<Duration>, share: f64| quantile(times, share).as_secs_f64() * 1e3;
    report("append to painted, half of them within", ms(&mut times, 0.5), "ms", HALF);
    report("append to painted, 99 of 100 within", ms(&mut times, 0.99), "ms", MOST);

    file.write_all(record(2 * APPENDS).as_bytes()).unwrap();
    thread::sleep(Duration::from_secs(2));
    let process = owed.process_id().unwrap();
    let before = processor_time(process);
    thread::sleep(IDLE);
    let used = processor_time(process) - before;
    report("processor time of an idle second", used / IDLE.as_secs_f64(), "ms", AT_REST);
    pair.master.take_writer().unwrap().write_all(b"q").unwrap();
    owed.wait().unwrap();
}

/// What the terminal shows, and when it came to show it.
struct Screen(Receiver<(Instant, String)>);

impl Screen {
    fn read(mut from: Box<dyn Read + Send>) -> Self {
        let (sender, receiver) = bounded(1024);
        let (columns, rows) = SIZE;
        let read = move || {
            let mut parser = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
            let mut bytes = [0; 1 << 16];
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                let at = Instant::now();
                parser.process(&bytes[..count]);
                _ = sender.try_send((at, parser.screen().contents()));
            }
        };
        thread::Builder::new().name("terminal".to_owned()).spawn(read).unwrap();
        Self(receiver)
    }

    /// When it showed `text`.
    fn until(&self, text: &str) -> Instant {
        let mut last = String::new();
        while let Ok((at, shown)) = self.0.recv_timeout(Duration::from_secs(30)) {
            if shown.contains(text) {
                return at;
            }
            last = shown;
        }
        panic!("{text:?} was never painted:\n{last}");
    }
}

/// Milliseconds that a process has computed so far.
fn processor_time(process: u32) -> f64 {
    let stat = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    // User and system time, in hundredths of a second.
    (ticks(11) + ticks(12)) * 10.0
}
