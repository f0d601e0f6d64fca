//! `owed tag`: how the words of a text are read, by what rule, and the exact values in it.

use std::io::{BufRead as _, BufReader, Read as _};

use serde::Deserialize;
use serde_json::Value;

use crate::cli::args::{Role, TagArgs};
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::ledger::tagging::{Cues, Said, Setting, Source};
use crate::report::tag::TagReport;
use crate::report::{json, text};

/// A line of `--jsonl`. What else it holds is none of ours.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    role: Option<Role>,
    text: String,
    /// What stood just before the text.
    prev: Option<String>,
    /// The list head that it stands under.
    head: Option<String>,
    /// Whether the runtime speaks.
    injected: Option<bool>,
    /// Whether it is the last message of its turn.
    eot: Option<bool>,
    /// The tool whose output it is.
    tool: Option<String>,
}

/// Reads standard input, and says what its words are.
pub(super) fn run(args: &TagArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let cues = settings.rulebook()?.cues;
    let setting = Setting::from(args.setting);
    if args.jsonl { each(args, &cues, setting, io) } else { whole(args, &cues, setting, settings, io) }
}

/// One text, for people.
fn whole(args: &TagArgs, cues: &Cues, setting: Setting, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let mut bytes = Vec::new();
    io.stdin.read_to_end(&mut bytes).map_err(unreadable)?;
    let given = String::from_utf8_lossy(&bytes);
    let said = Said { text: &given, source: source(args.role, false, false), before: "", head: "" };
    let report = TagReport::of(Value::Null, &given, &cues.read(&said, setting));
    std::io::Write::write_all(&mut io.stdout, text::tag(&report, settings.style).as_bytes())?;
    Ok(Exit::Done)
}

/// One text a line, each answered before the next is read.
fn each(args: &TagArgs, cues: &Cues, setting: Setting, io: &mut Io) -> Result<Exit, Failure> {
    let mut lines = BufReader::new(io.take_stdin());
    let mut bytes = Vec::new();
    for n in 1_u64.. {
        bytes.clear();
        if lines.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 || io.stdout.is_closed() {
            break;
        }
        let given = String::from_utf8_lossy(&bytes);
        if given.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&given)
            .map_err(|error| Failure::input(format!("line {n} of the input is no text with a role: {error}")))?;
        let role = if line.tool.is_some() { Role::Tool } else { line.role.unwrap_or(args.role) };
        let said = Said {
            text: &line.text,
            source: source(role, line.injected == Some(true), line.eot == Some(true)),
            before: line.prev.as_deref().unwrap_or(""),
            head: line.head.as_deref().unwrap_or(""),
        };
        let regions = cues.read(&said, setting);
        json::write_line(&mut io.stdout, &TagReport::of(line.id, &line.text, &regions))?;
    }
    Ok(Exit::Done)
}

/// Who speaks, and where.
fn source(role: Role, injected: bool, last_of_turn: bool) -> Source {
    match role {
        Role::Tool => Source::Tool,
        _ if injected => Source::Injected,
        Role::User => Source::Typed,
        Role::System => Source::Rules,
        Role::Assistant if last_of_turn => Source::LastOfTurn,
        Role::Assistant => Source::Assistant,
        Role::Thinking => Source::Reasoning,
    }
}

fn unreadable(error: std::io::Error) -> Failure {
    Failure::input(format!("standard input cannot be read: {error}"))
}
