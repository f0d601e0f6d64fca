//! The terminal, taken and given back: keys, sizes, a suspension and signals, on a real pseudo-terminal.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the program is silent before a key is pressed again.
const AGAIN: Duration = Duration::from_millis(200);

/// The program on a terminal.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    /// A thread of its own types: a terminal that nobody reads may take no more.
    keys: SyncSender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    raw: Vec<u8>,
    /// What it remembers of the panes is its own.
    _state: tempfile::TempDir,
}

impl Session {
    /// Opens a sample session on a terminal of this size.
    fn open(sample: &str, rows: u16, cols: u16) -> Self {
        Self::run(&[], sample, rows, cols)
    }

    /// Runs a command on a sample session.
    fn run(command: &[&str], sample: &str, rows: u16, cols: u16) -> Self {
        let words = command;
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
        command.args(words);
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(sample));
        command.env_clear();
        Self::start(command, rows, cols)
    }

    /// Runs a program on a terminal of this size.
    fn start(mut command: CommandBuilder, rows: u16, cols: u16) -> Self {
        let pair = native_pty_system().openpty(PtySize { rows, cols, ..PtySize::default() }).unwrap();
        command.env("TERM", "xterm-256color");
        let state = tempfile::tempdir().unwrap();
        command.env("XDG_STATE_HOME", state.path());
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
        let mut writer = pair.master.take_writer().unwrap();
        let (keys, typed) = sync_channel::<Vec<u8>>(1024);
        thread::Builder::new()
            .spawn(move || typed.into_iter().take_while(|keys| writer.write_all(keys).is_ok()).for_each(drop))
            .unwrap();
        let screen = vt100::Parser::new(rows.try_into().unwrap(), cols.try_into().unwrap(), 0);
        Self { child, master: pair.master, keys, output, screen, raw: Vec::new(), _state: state }
    }

    /// Whether no frame is under way: a part of one shows what was there before beside what is there now.
    fn is_whole(&self) -> bool {
        let last = |mark: &[u8]| self.raw.windows(mark.len()).rposition(|bytes| bytes == mark);
        last(b"\x1b[?2026h") <= last(b"\x1b[?2026l")
    }

    /// Waits until the screen is as described.
    fn until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        while !(self.is_whole() && holds(self.screen.screen())) {
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
        // Who has left reads no keys.
        _ = self.keys.try_send(keys.as_bytes().to_vec());
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

    fn resize(&mut self, rows: u16, cols: u16) {
        self.master.resize(PtySize { rows, cols, ..PtySize::default() }).unwrap();
        self.screen.screen_mut().set_size(rows.try_into().unwrap(), cols.try_into().unwrap());
    }

    /// Presses what ends the program until it does: what is typed while the terminal is lent, another program reads.
    fn leaves(mut self) {
        while self.child.try_wait().unwrap().is_none() {
            self.press("\u{3}\u{3}");
            while let Ok(bytes) = self.output.recv_timeout(AGAIN) {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
            }
        }
        self.ends();
    }

    /// Waits for the end of the program, and expects the terminal to be as it was found.
    fn ends(self) {
        assert_eq!(self.after_quitting().trim(), "", "something was left on it");
    }

    /// Waits for the end of the program, and expects the terminal to be given back; what stands on it then.
    fn after_quitting(mut self) -> String {
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
        let contents = screen.contents();
        let last = |sequence: &str| self.raw.windows(sequence.len()).rposition(|bytes| bytes == sequence.as_bytes());
        assert!(last("\u{1b}[?2026h") < last("\u{1b}[?2026l"), "an update was left half done");
        contents
    }
}

#[test]
fn it_is_given_back_when_the_reader_leaves() {
    let mut session = Session::open("healthy.jsonl", 30, 110);
    session.shows("Timeline");
    session.press("?");
    session.shows("The time line");
    session.press("q");
    session.shows("Pending");
    session.press("q");
    session.ends();
}

#[test]
fn one_key_leads_from_a_session_back_to_the_list_it_came_from_and_from_there_out() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".claude/projects/-home-jonas-work-larder");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["healthy.jsonl", "stopped-mid-call.jsonl"] {
        std::fs::copy(sample(name), folder.join(name)).unwrap();
    }
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
    command.env_clear();
    command.env("HOME", home.path());
    let mut session = Session::start(command, 24, 80);
    // Esc leaves as well, where it has nothing else to do; the session stays open, and esc leads back to it.
    for leaves in ["q", "\u{1b}"] {
        session.shows("which session?");
        session.press("\r");
        session.shows("q to list");
        session.press(leaves);
        // Two keys that come together are one: the list has to be there.
        session.shows("which session?");
        session.shows("esc back");
        session.press("\u{1b}");
        session.shows("Timeline");
        session.press("q");
    }
    session.shows("which session?");
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
    session.shows("The time line");
    session.signal("TSTP");
    session.is_suspended();
    session.signal("CONT");
    session.shows("The time line");
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

/// A program of ours with these variables, and no other ones.
fn owed(path: &Path, variables: &[(&str, &str)]) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_owed"));
    command.arg(path);
    command.env_clear();
    for (name, value) in variables {
        command.env(name, value);
    }
    command
}

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(name)
}

/// Numbers that look like chance, and are the same each time (xorshift, Marsaglia 2003).
fn chance(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    }
}

#[test]
fn a_storm_of_sizes_leaves_the_screen_as_if_there_had_been_none() {
    let mut session = Session::open("compacted.jsonl", 24, 80);
    session.shows("Timeline");
    let mut next = chance(7);
    for _ in 0..120 {
        session.resize(u16::try_from(5 + next(60)).unwrap(), u16::try_from(20 + next(220)).unwrap());
    }
    session.resize(40, 120);
    session.press("\u{c}");
    let mut calm = Session::open("compacted.jsonl", 40, 120);
    calm.until("settled", |screen| screen.contents().contains("◆") && screen.contents().contains("opened at"));
    let expected = calm.screen.screen().contents();
    session.until("looked as it does without", |screen| screen.contents() == expected);
    for session in [&mut session, &mut calm] {
        session.press("q");
    }
    session.ends();
    calm.ends();
}

#[test]
fn wide_and_joined_characters_keep_the_columns_straight() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.jsonl");
    let texts = [
        "日本語のテキストを直してください。全部の表も",
        "e\u{301}te\u{301} nai\u{308}ve",
        "한국어 문장 하나와 둘",
        "plain words beside them",
        "ａｂｃ full width",
    ];
    let head = r#"{"type":"session","schema":"owed.session/1","id":"wide","cwd":"/w"}"#.to_owned();
    let line = |(n, text): (usize, &&str)| {
        format!(r#"{{"type":"user","at":"2026-07-06T05:58:4{n}.000Z","id":"r{n}","text":"{text} {text} {text} {text}"}}"#)
    };
    let lines: Vec<String> = std::iter::once(head).chain(texts.iter().enumerate().map(line)).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let mut session = Session::start(owed(&path, &[]), 24, 80);
    session.until("settled", |screen| screen.contents().contains("plain words") && screen.contents().contains("REPAIR"));
    let edge = session.screen.screen().rows(0, 80).skip(3).take(texts.len()).map(|row| {
        let right = row.trim_end().chars().next_back();
        (right, row)
    });
    for (right, row) in edge.collect::<Vec<_>>() {
        assert!(matches!(right, Some('│' | '┃')), "{row}");
    }
    session.press("q");
    session.ends();
}

/// Fails on a terminal that it has taken: started by the test below, on a terminal of its own.
#[test]
#[ignore = "it is run by another test, on a terminal"]
fn fails_on_purpose() {
    let _terminal = owed::ui::Terminal::open(owed::ui::Mouse::Taken).unwrap();
    panic!("on purpose");
}

#[test]
fn it_is_given_back_after_a_panic() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "fails_on_purpose", "--nocapture"]);
    command.env("RUST_BACKTRACE", "0");
    let mut session = Session::start(command, 24, 80);
    session.until("told what went wrong", |screen| !screen.alternate_screen() && screen.contents().contains("on purpose"));
    session.child.wait().unwrap();
    let screen = session.screen.screen();
    assert!(!screen.hide_cursor());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    let taken = session.raw.windows(8).any(|bytes| bytes == b"\x1b[?1049h");
    assert!(taken, "it had been taken");
}

#[test]
fn the_terminal_is_lent_to_a_pager_with_the_text() {
    let mut session = Session::start(owed(&sample("healthy.jsonl"), &[("PAGER", "tr a-z A-Z"), ("PATH", "/usr/bin:/bin")]), 24, 80);
    session.shows("REPAIR");
    session.press("gJV");
    let words = |session: &Session| session.raw.windows(8).any(|bytes| bytes == b"\x1b[?1049l");
    while !words(&session) {
        let bytes = session.output.recv_timeout(PATIENCE).unwrap();
        session.screen.process(&bytes);
        session.raw.extend(bytes);
    }
    session.shows("Timeline");
    session.press("q");
    let left = session.after_quitting();
    assert!(
        left.chars().filter(|c| c.is_alphabetic()).all(|c| !c.is_lowercase()) && left.len() > 9,
        "what the pager showed: {left}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn keys_are_the_editors_while_it_has_the_terminal() {
    // It reads a line of keys, then fails to read the others of its arguments.
    let variables = [("EDITOR", "head -n 1 /dev/tty"), ("PATH", "/usr/bin:/bin")];
    let mut session = Session::start(owed(&sample("healthy.jsonl"), &variables), 24, 80);
    session.shows("REPAIR");
    session.press("E");
    session.until("lent the terminal", |screen| !screen.alternate_screen() && screen.contents().contains("/dev/tty"));
    session.press("quit\r");
    session.shows("Timeline");
    session.press("?");
    session.shows("The time line");
    session.press("\u{1b}");
    // A key right behind it would be one with Alt.
    session.until("closed the help", |screen| !screen.contents().contains("The time line"));
    session.press("q");
    let left = session.after_quitting();
    assert!(left.contains("quit\nquit"), "the editor has read what was typed: {left}");
}

#[test]
fn keys_at_random_neither_break_it_nor_keep_the_terminal() {
    const KEYS: [&str; 40] = [
        "j",
        "k",
        " ",
        "g",
        "G",
        "F",
        "\r",
        "d",
        "\u{7f}",
        "\u{1b}",
        "\t",
        "\u{1b}[Z",
        "b",
        "B",
        "o",
        "O",
        "c",
        "C",
        "v",
        "/mig\r",
        "n",
        "N",
        "u",
        "e",
        "r",
        "f",
        "z",
        "p",
        "*",
        "|",
        "x",
        "}",
        "=",
        "y",
        ",",
        "]",
        ":led\r",
        "~M",
        "1",
        "\u{1b}[1;2C",
    ];
    const MORE: [&str; 26] = [
        "Z",
        "(",
        ")",
        "\u{1b}[D",
        "\u{1b}[C",
        "R",
        "W",
        "Y",
        "'",
        "\"",
        "V",
        "E",
        "H",
        "D",
        "J",
        "K",
        "?",
        "0",
        "5",
        "\u{c}",
        "w",
        "+",
        "h",
        "\u{1b}[<0;40;10M",
        "\u{1b}[<35;90;12M",
        "s",
    ];
    let variables = [("EDITOR", "true"), ("PAGER", "true"), ("PATH", "/usr/bin:/bin")];
    for seed in [1, 2] {
        let mut session = Session::start(owed(&sample("compacted.jsonl"), &variables), 30, 130);
        session.shows("Timeline");
        let mut next = chance(seed);
        for n in 0..256 {
            let key = next(KEYS.len() + MORE.len());
            let key = KEYS.get(key).copied().unwrap_or_else(|| MORE[key - KEYS.len()]);
            session.press(key);
            if n % 16 == 0 {
                session.resize(u16::try_from(15 + next(40)).unwrap(), u16::try_from(60 + next(140)).unwrap());
            }
            while let Ok(bytes) = session.output.try_recv() {
                session.screen.process(&bytes);
                session.raw.extend(bytes);
            }
        }
        session.leaves();
    }
}
