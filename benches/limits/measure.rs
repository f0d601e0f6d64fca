//! What every bench needs: a large session on disk, a stopwatch, a median.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use owed::ledger::Rulebook;
use owed::session::Options;

use crate::generate::{self, Written};

/// Bytes of a megabyte.
pub(crate) const MB: u64 = 1_000_000;

/// The size of the large session: `OWED_BENCH_MB` megabytes, else 200.
pub(crate) fn large() -> u64 {
    std::env::var("OWED_BENCH_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(200) * MB
}

/// A made-up session of at least `bytes` bytes, written once and kept between runs, and what is in it.
pub(crate) fn session(bytes: u64) -> (PathBuf, Written) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("session-{}-mb.jsonl", bytes / MB));
    let written = write(&path, bytes, 7);
    (path, written)
}

/// A folder of made-up sessions of at least `each` bytes, `bytes` in all.
pub(crate) fn sessions(bytes: u64, each: u64) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sessions");
    fs::create_dir_all(&folder).unwrap();
    for n in 0..bytes / each {
        write(&folder.join(format!("{n}.jsonl")), each, n);
    }
    folder
}

fn write(path: &Path, bytes: u64, seed: u64) -> Written {
    let partial = path.with_extension("partial");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&partial).unwrap());
    let written = generate::session(&mut out, bytes, seed).unwrap();
    out.flush().unwrap();
    fs::rename(&partial, path).unwrap();
    written
}

/// How the sessions are read: with the built-in catalogue.
pub(crate) fn options() -> Options {
    Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()))
}

/// How long `work` takes.
pub(crate) fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}

/// The middle of some times.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    quantile(times, 0.5)
}

/// The time that a share of some times stays within.
pub(crate) fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}

/// One line of a bench's report: a figure beside its limit.
pub(crate) fn report(what: &str, figure: f64, unit: &str, limit: f64) {
    let verdict = if figure <= limit { "ok" } else { "OVER" };
    println!("{what:<58} {figure:>9.2} {unit:<6} limit {limit:>7.2}  {verdict}");
}
