//! This program again, as a process of its own.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::{analysis, memory};

const MARK: &str = "--as-child";

/// This program, to do only `what`.
pub(crate) fn command(what: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([MARK, what]);
    command
}

/// What a child prints.
pub(crate) fn output(what: &str, arguments: &[&OsStr]) -> String {
    let output = command(what).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Does a child's work, if this process is one.
pub(crate) fn work(arguments: &[String]) -> bool {
    let [mark, what, rest @ ..] = arguments else { return false };
    match (mark == MARK, what.as_str()) {
        (true, "memory") => memory::child(Path::new(&rest[0])),
        (true, "side") => analysis::side(&rest[0], Path::new(&rest[1])),
        (true, _) => {}
        (false, _) => return false,
    }
    true
}
