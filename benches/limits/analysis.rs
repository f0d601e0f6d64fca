//! The whole analysis of a large session against a typed, borrowing parse of the same bytes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use owed::session;
use owed::transcript::{Diagnostic, Event, Fact, Sink};

use crate::measure::{MB, large, median, options, report, session, time};
use crate::typed;

const ROUNDS: usize = 5;

/// The analysis may take this many times as long as the typed parse.
const LIMIT: f64 = 2.0;

pub(crate) fn run() {
    let (path, written) = session(large());
    let share = |part: u64| 100.0 * part as f64 / written.bytes as f64;
    println!(
        "{} MB: {} lines of {} bytes on average, {} calls, {} compactions, {:.0} % seen by the model, {:.0} % second copies",
        written.bytes / MB,
        written.lines,
        written.bytes / written.lines,
        written.calls,
        written.boundaries,
        share(written.seen),
        share(written.copies),
    );
    let bytes = fs::read(&path).unwrap();
    let options = options();
    let (mut typed, mut translated, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        typed.push(time(|| typed::parse(&bytes)).0);
        translated.push(time(|| session::translate(&path, &options, &mut Nothing).unwrap()).0);
        whole.push(time(|| session::read(&path, &options).unwrap()).0);
    }
    let (typed, translated, whole) = (median(&mut typed), median(&mut translated), median(&mut whole));
    let speed = |time: Duration| written.bytes as f64 / MB as f64 / time.as_secs_f64();
    let (parse, events, all) = (speed(typed), speed(translated), speed(whole));
    println!("typed parse {parse:.0} MB/s, reading and translating {events:.0} MB/s, whole analysis {all:.0} MB/s");
    report("whole analysis over a typed parse", whole.as_secs_f64() / typed.as_secs_f64(), "x", LIMIT);
}

/// One side of the comparison, once, for a profiler: `valgrind --tool=callgrind limits --as-child side whole FILE`.
pub(crate) fn side(which: &str, path: &Path) {
    match which {
        "typed" => _ = std::hint::black_box(typed::parse(&fs::read(path).unwrap())),
        "translated" => session::translate(path, &options(), &mut Nothing).unwrap(),
        _ => _ = std::hint::black_box(session::read(path, &options()).unwrap()),
    }
}

/// Takes events and keeps nothing of them.
struct Nothing;

impl Sink for Nothing {
    fn event(&mut self, event: Event<'_>) {
        std::hint::black_box(&event);
    }

    fn fact(&mut self, _: Fact<'_>) {}

    fn diagnostic(&mut self, _: Diagnostic) {}
}
