//! The whole analysis of a large session against a typed, borrowing parse of the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use owed::session;
use owed::transcript::{Diagnostic, Event, Fact, Sink};

use crate::measure::{MB, large, median, options, report, session, time};
use crate::typed;

const ROUNDS: usize = 5;

/// So many of the largest recorded sessions are measured too, where `OWED_CORPUS` names a folder of them.
const RECORDED: usize = 12;

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
    report("whole analysis over a typed parse", compare("made up", &[path]), "x", LIMIT);
    let recorded = std::env::var_os("OWED_CORPUS").map(PathBuf::from);
    for agent in ["claude", "codex"] {
        let files = recorded.iter().flat_map(|corpus| largest(&corpus.join(agent))).collect::<Vec<_>>();
        if !files.is_empty() {
            println!("{agent}, recorded: {:.2} x", compare(agent, &files));
        }
    }
}

/// Tells how fast some sessions are analysed; the time of the whole analysis over that of a typed parse.
fn compare(name: &str, files: &[PathBuf]) -> f64 {
    let options = options();
    let texts: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let (mut typed, mut translated, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        typed.push(time(|| texts.iter().map(|text| typed::parse(text)).sum::<usize>()).0);
        translated.push(time(|| files.iter().for_each(|file| session::translate(file, &options, &mut Nothing).unwrap())).0);
        // Until the ledgers stand: whoever asks for one keeps it, and taking it apart again is no part of the analysis.
        whole.push(time(|| files.iter().map(|file| session::read(file, &options).unwrap()).collect::<Vec<_>>()).0);
    }
    let (typed, translated, whole) = (median(&mut typed), median(&mut translated), median(&mut whole));
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let speed = |time: Duration| bytes as f64 / MB as f64 / time.as_secs_f64();
    let (parse, events, all) = (speed(typed), speed(translated), speed(whole));
    println!(
        "{name}, {bytes} bytes: typed parse {parse:.0} MB/s, reading and translating {events:.0} MB/s, whole analysis {all:.0} MB/s"
    );
    whole.as_secs_f64() / typed.as_secs_f64()
}

/// The largest recorded sessions of a folder; what else lies there is left out.
pub(crate) fn largest(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap());
    let mut files: Vec<(u64, PathBuf)> = files.map(|file| (file.metadata().unwrap().len(), file.path())).collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    let options = options();
    let is_session = |path: &PathBuf| session::translate(path, &options, &mut Nothing).is_ok();
    files.into_iter().map(|(_, path)| path).filter(is_session).take(RECORDED).collect()
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
