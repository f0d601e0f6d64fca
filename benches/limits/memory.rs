//! The most memory that the whole analysis of a large session ever has, in a process of its own.

use std::path::Path;

use owed::session;

use crate::child;
use crate::measure::{MB, large, options, report, session};

/// Megabytes that are allowed beside the share of the file ...
const BESIDE: f64 = 30.0;
/// ... and that share.
const SHARE: f64 = 0.25;

pub(crate) fn run() {
    let (path, written) = session(large());
    let most = child::output("memory", &[path.as_os_str()]).trim().parse::<f64>().unwrap() / 1000.0;
    let limit = SHARE * written.bytes as f64 / MB as f64 + BESIDE;
    report("peak memory of a whole analysis", most, "MB", limit);
}

/// Analyses the session at `path` and prints the peak of this process in kilobytes.
pub(crate) fn child(path: &Path) {
    let snapshot = session::read(path, &options()).unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    println!("{}", peak.trim().trim_end_matches(" kB"));
    drop(snapshot);
}
