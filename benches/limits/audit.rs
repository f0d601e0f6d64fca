//! What an audit costs beside what a check costs, on a session with twenty boundaries and on recorded ones; and what a scan of many
//! sessions costs beside reading and parsing them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use owed::session::{self, Audited, Feed};
use owed::transcript::{Diagnostic, Event, Fact, Sink};

use crate::analysis::largest;
use crate::measure::{MB, large, median, options, report, session, sessions, time};
use crate::typed;

const ROUNDS: usize = 7;

/// A session of so many bytes is compacted some twenty times.
const SIZE: u64 = 28 * MB;

/// An audit may take this many times as long as a check.
const LIMIT: f64 = 2.0;

/// The sessions that a scan goes through are of so many bytes each.
const EACH: u64 = 10 * MB;

/// A scan on two cores may take this many times as long as reading and parsing the same files.
const SCAN: f64 = 1.5;

/// The threads that a scan is given.
const THREADS: usize = 2;

pub(crate) fn run() {
    let (path, written) = session(SIZE);
    println!("{} compactions", written.boundaries);
    report("an audit over a check", over_check(&[path]), "x", LIMIT);
    if let Some(corpus) = std::env::var_os("OWED_CORPUS").map(PathBuf::from) {
        println!("recorded sessions: {:.2} x", over_check(&largest(&corpus.join("claude"))));
    }
    scan();
}

/// The time that the audits of some sessions take, over that of analysing them.
fn over_check(files: &[PathBuf]) -> f64 {
    let options = options();
    let (mut check, mut audit) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        check.push(time(|| files.iter().for_each(|file| drop(session::read(file, &options).unwrap()))).0);
        let audited = |file: &PathBuf| drop(Audited::of(&Feed::whole(file, &options).unwrap(), &options.rules));
        audit.push(time(|| files.iter().for_each(audited)).0);
    }
    median(&mut audit).as_secs_f64() / median(&mut check).as_secs_f64()
}

fn scan() {
    let folder = sessions(large() + large() / 2, EACH);
    let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    let options = options();
    let own = |file: &PathBuf| session::translate(file, &options, &mut Nobody).unwrap();
    let (mut parsed, mut translated, mut beside, mut scanned) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        parsed.push(time(|| files.iter().map(|file| typed::parse(&fs::read(file).unwrap())).sum::<usize>()).0);
        translated.push(time(|| files.iter().for_each(own)).0);
        beside.push(time(|| on_threads(&files, own)).0);
        scanned.push(time(|| owed_scan(&folder)).0);
    }
    let [parsed, translated, beside, scanned] = [parsed, translated, beside, scanned].map(|mut times| median(&mut times));
    println!("{} sessions: parsed in {parsed:.2?}, scanned in {scanned:.2?}", files.len());
    let over = |baseline: Duration| scanned.as_secs_f64() / baseline.as_secs_f64();
    println!(
        "our own reading, to events: {translated:.2?}, and {beside:.2?} on two threads: {:.2} and {:.2} x",
        over(translated),
        over(beside)
    );
    report("a scan on two threads over a typed parse on one", over(parsed), "x", SCAN);
}

fn owed_scan(folder: &Path) {
    let mut owed = Command::new(env!("CARGO_BIN_EXE_owed"));
    owed.args(["scan", "--json", "--threads", &THREADS.to_string()]).arg(folder).stdout(Stdio::null());
    assert!(matches!(owed.status().unwrap().code(), Some(0 | 20)));
}

/// Does something for each file, on as many threads as a scan has.
fn on_threads(files: &[PathBuf], work: impl Fn(&PathBuf) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || files.get(next.fetch_add(1, Ordering::Relaxed));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| std::iter::from_fn(take).for_each(&work));
        }
    });
}

/// Whoever is told what a session says, and looks at none of it.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, event: Event<'_>) {
        std::hint::black_box(event);
    }

    fn fact(&mut self, fact: Fact<'_>) {
        std::hint::black_box(fact);
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        std::hint::black_box(diagnostic);
    }
}
