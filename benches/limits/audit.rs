//! What an audit costs beside what a check costs, on a session with twenty boundaries and on recorded ones; and what a scan of many
//! sessions costs beside reading and parsing them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use owed::session::{self, Audited, Feed};

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
    let (mut parsed, mut scanned) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        parsed.push(time(|| files.iter().map(|file| typed::parse(&fs::read(file).unwrap())).sum::<usize>()).0);
        scanned.push(time(|| owed_scan(&folder)).0);
    }
    let (parsed, scanned): (Duration, Duration) = (median(&mut parsed), median(&mut scanned));
    println!("{} sessions: parsed in {parsed:.2?}, scanned in {scanned:.2?}", files.len());
    report("a scan on two threads over a typed parse", scanned.as_secs_f64() / parsed.as_secs_f64(), "x", SCAN);
}

fn owed_scan(folder: &Path) {
    let mut owed = Command::new(env!("CARGO_BIN_EXE_owed"));
    owed.args(["scan", "--json", "--threads", "2"]).arg(folder).stdout(Stdio::null());
    assert!(matches!(owed.status().unwrap().code(), Some(0 | 20)));
}
