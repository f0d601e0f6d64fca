//! The terminal, taken and given back: keys, sizes, a suspension and signals, on a real pseudo-terminal.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program on a terminal.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
}

impl Session {
    /// Opens a sample session on a terminal of this size.
    fn open(sample: &str, rows: u16, cols: u16) -> Self {
        Self::run(&[], sample, rows, cols)
    }

    /// Runs a command on a sample session.
    fn run(command: &[&str], sample: &str, rows: u16, cols: u16) -> Self {
        let words = command;
        let pair = native_pty_system().openpty(PtySize { rows, cols, ..PtySize::default() }).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
        command.args(words);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(sample));
        command.env_clear();
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = sync_channel(64);
        thread::Builder::new()
            .spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = reader.read(&mut bytes) {
                    if sender.send(bytes[..count].to_vec()).is_err() {
                        break;
                    }
                }
            })
            .unwrap();
        let keys = pair.master.take_writer().unwrap();
        let screen = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
        Self { child, master: pair.master, keys, output, screen, raw: Vec::new() }
    }

    /// Waits until the screen is as described.
    fn until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        while !holds(self.screen.screen()) {
            let bytes = self.output.recv_timeout(PATIENCE).unwrap_or_default();
            assert!(
                !bytes.is_empty(),
                "never {what}:
{}",
                self.screen.screen().contents()
            );
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
    }

    fn shows(&mut self, text: &str) {
        self.until(&format!("showed {text:?}"), |screen| screen.alternate_screen() && screen.contents().contains(text));
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// Waits until the terminal is given back and the program is stopped: only then can it be told to go on.
    #[cfg(target_os = "linux")]
    fn is_suspended(&mut self) {
        self.until("gave the terminal back", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        let stat = format!("/proc/{}/stat", self.child.process_id().unwrap());
        while !std::fs::read_to_string(&stat).unwrap().contains(") T ") {
            thread::yield_now();
        }
    }

    /// Waits for the end of the program, and expects the terminal to be as it was found.
    fn ends(mut self) {
        self.child.wait().unwrap();
        drop(self.keys);
        drop(self.master);
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.screen.process(&bytes);
            self.raw.extend(bytes);
        }
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor(), "the terminal was not given back");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert_eq!(screen.contents().trim(), "", "something was left on it");
        let last = |sequence: &str| self.raw.windows(sequence.len()).rposition(|bytes| bytes == sequence.as_bytes());
        assert!(last("\u{1b}[?2026h") < last("\u{1b}[?2026l"), "an update was left half done");
    }
}

#[test]
fn it_is_given_back_when_the_reader_leaves() {
    let mut session = Session::open("healthy.jsonl", 30, 110);
    session.shows("Timeline");
    session.press("?");
    session.shows("All keys");
    session.press("q");
    session.shows("Pending");
    session.press("q");
    session.ends();
}

#[test]
fn it_is_given_back_on_a_signal() {
    for signal in ["TERM", "HUP", "INT", "QUIT"] {
        let mut session = Session::open("healthy.jsonl", 24, 80);
        session.shows("Timeline");
        session.signal(signal);
        session.ends();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn it_is_lent_to_the_shell_and_drawn_anew_after() {
    let mut session = Session::open("healthy.jsonl", 24, 80);
    session.shows("Timeline");
    session.press("\u{1a}");
    session.is_suspended();
    session.signal("CONT");
    session.shows("Timeline");
    session.press("?");
    session.shows("All keys");
    session.signal("TSTP");
    session.is_suspended();
    session.signal("CONT");
    session.shows("All keys");
    session.press("\u{c}\u{3}");
    session.ends();
}

#[test]
fn it_fits_itself_to_the_terminal() {
    let mut session = Session::open("healthy.jsonl", 24, 80);
    session.shows("Pending");
    for (rows, cols, text) in [(40, 130, "Dry run"), (10, 40, "owed needs 60x15"), (15, 60, "Timeline")] {
        session.master.resize(PtySize { rows, cols, ..PtySize::default() }).unwrap();
        session.screen.screen_mut().set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
        session.shows(text);
    }
    session.press("q");
    session.ends();
}

#[test]
fn a_session_is_played_and_held_and_stepped_through() {
    let mut session = Session::run(&["replay", "--speed", "0.001", "--from", "40"], "healthy.jsonl", 40, 160);
    session.shows(" cut to 2 s");
    session.press("y");
    session.shows("paused, event ");
    let event = |screen: &vt100::Screen| -> Option<u32> {
        let contents = screen.contents();
        contents.split("paused, event ").nth(1)?.split(' ').next()?.parse().ok()
    };
    let paused = event(session.screen.screen()).unwrap();
    session.press(".");
    session.until("stepped on", |screen| event(screen) == Some(paused + 1));
    session.press(",,");
    session.until("stepped back", |screen| event(screen) == Some(paused - 1));
    session.press("]");
    session.until("went to a change", |screen| event(screen).is_some_and(|event| event >= paused));
    session.press("y++++++++++++++++++++");
    session.shows("the end, event ");
    session.press("q");
    session.ends();
}

#[test]
fn a_replay_says_what_it_is_whatever_is_pressed() {
    let mut session = Session::run(&["replay", "--speed", "1000000"], "healthy.jsonl", 24, 80);
    session.shows("owed replay");
    session.press("jk");
    session.shows("owed replay");
    session.press("q");
    session.ends();
}
