//! The world as a command sees it: injected, so that a test can stand in for it. Nothing else in `cli` touches `std::io` or the
//! environment.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;

use jiff::tz::TimeZone;

use crate::base::time::Stamp;
use crate::session::clock;

/// Standard streams, environment and clock.
pub struct Io {
    /// Standard input.
    pub stdin: Box<dyn Read + Send>,
    /// Standard output.
    pub stdout: Out,
    /// Standard error.
    pub stderr: Box<dyn Write>,
    /// Which streams are a terminal.
    pub terminal: Terminal,
    /// Looks up a variable of the environment.
    pub env: Lookup,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// This machine's time when the command began.
    pub now: Stamp,
    /// The reader's time zone.
    pub zone: TimeZone,
}

/// Looks a name up.
pub type Lookup = Box<dyn Fn(&str) -> Option<OsString>>;

/// Which standard streams are a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Standard input.
    pub stdin: bool,
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
}

impl Terminal {
    /// Whether there is one for a screen and its keys.
    #[must_use]
    pub fn has_both_ends(self) -> bool {
        self.stdin && self.stdout
    }
}

impl Io {
    /// The process's own.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "here the environment is read, to be injected everywhere else")]
    pub fn of_process() -> Self {
        let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
        let terminal = Terminal { stdin: stdin.is_terminal(), stdout: stdout.is_terminal(), stderr: stderr.is_terminal() };
        Self {
            stdin: Box::new(stdin),
            stdout: Out::new(Box::new(io::BufWriter::with_capacity(1 << 16, stdout))),
            stderr: Box::new(stderr),
            terminal,
            env: Box::new(|name| std::env::var_os(name)),
            home: std::env::home_dir(),
            now: clock::wall(),
            zone: TimeZone::system(),
        }
    }

    /// Standard input, for a thread that reads it to its end.
    pub fn take_stdin(&mut self) -> Box<dyn Read + Send> {
        std::mem::replace(&mut self.stdin, Box::new(io::empty()))
    }

    /// Whether a variable is set to something.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        (self.env)(name).is_some_and(|value| !value.is_empty())
    }
}

/// Standard output. When its reader has gone (`owed events FILE | head -1`), what is written goes nowhere, quietly: the command keeps
/// its own exit code, and may stop early.
pub struct Out {
    inner: Box<dyn Write>,
    reader: Reader,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    There,
    Gone,
}

impl Out {
    /// Writes to `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Write>) -> Self {
        Self { inner, reader: Reader::There }
    }

    /// Whether nobody reads any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.reader == Reader::Gone
    }

    fn quietly<T>(&mut self, done: io::Result<T>, instead: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader = Reader::Gone;
                Ok(instead)
            }
            done => done,
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed() {
            return Ok(bytes.len());
        }
        let done = self.inner.write(bytes);
        self.quietly(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed() {
            return Ok(());
        }
        let done = self.inner.flush();
        self.quietly(done, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let mut out = Out::new(Box::new(Gone));
        assert!(!out.is_closed());
        out.write_all(b"line\n").unwrap();
        out.flush().unwrap();
        assert!(out.is_closed());
    }
}
