//! Processes: what was started and has not ended (DESIGN section 2, "Open things").
//!
//! "Started" resolves the call and opens this. What an agent does, and what a job does to the world, is awaited: its result is owed, and
//! nothing may sever it. A server or a watcher just runs, and something that only looks or checks can be run again: they are held by
//! their handle. A server that ran into the time-out of its tool may still run.

use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId};
use crate::base::text::prefix;
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{Class, EffectStatus, Known};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::open_call::action_facts;
use crate::ledger::proof;
use crate::ledger::rows::{CallRow, EndHow};
use crate::transcript::JobState;

/// Of a result this much is searched for a port, in bytes.
const LOOKED_AT: usize = 4 * 1024;
const RUNNING: &str = "running in the background";
const NOT_STARTED: Option<EffectStatus> = Some(EffectStatus::NotStarted);

/// The processes that run, in the order in which they were started.
#[derive(Default)]
pub(super) struct Processes {
    running: Vec<Running>,
}

struct Running {
    entry: EntryId,
    call: CallIx,
    /// The runtime's name of it; empty where it has none.
    handle: Box<str>,
    /// Its command line, without the variables set before it.
    command: Box<str>,
    serves: bool,
    /// Exact values by which a `kill` may name it: handle, port, process id, output.
    names: Vec<String>,
}

/// What is known of something that starts.
struct Start<'a> {
    handle: &'a str,
    command: &'a str,
    serves: bool,
    weight: Weight,
    output: Option<&'a str>,
    /// What its launch printed.
    text: &'a str,
    line: &'static str,
}

impl Processes {
    /// Opens the process that a call started, with what the runtime said of it.
    pub(super) fn started(&mut self, page: &mut Page<'_>, ix: CallIx, handle: &str, text: &str) {
        if self.running.iter().any(|running| *running.handle == *handle) {
            return;
        }
        let Some(call) = page.rows.calls.get(ix.index()).cloned() else { return };
        let (class, serves) = (Some(call.class), call.aftermath.serves);
        let output = proof::behind(text, "Output is being written to: ").into_iter().next().map(|path| path.trim_end_matches('.'));
        let command = &call.label;
        // An agent of the runtime's own is awaited.
        let agent = class == Some(Class::Control);
        let weight = if agent { Weight::Barrier } else { weight(class, serves, Told::ByTheRuntime, command) };
        self.open(page, (ix, &call), &Start { handle, command, serves, weight, output, text, line: RUNNING });
    }

    /// Folds the end of a call: what it left in the background runs, a server that was cut off may still run, and a `kill` ends what
    /// it names.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow, text: &str) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let ended = !self.running.is_empty() && !call.aftermath.ends.is_empty() && how == EndHow::Success;
        if !ended && call.aftermath.jobs.is_empty() && !may_still_run(call, how) {
            return;
        }
        let call = call.clone();
        if ended {
            self.close(page, call.entry, |running| call.aftermath.ends.iter().any(|end| running.is_named(end, &call.input)));
        }
        let began = !matches!(how, EndHow::Refused | EndHow::Declined) && call.ended().and_then(|end| end.effect) != NOT_STARTED;
        for job in call.aftermath.jobs.iter().filter(|job| began && how != EndHow::Started && job.class > Some(Class::Control)) {
            let (command, output, weight) =
                (&job.command, job.output.as_deref(), weight(job.class, job.serves, Told::ByNobody, &job.command));
            let start = Start { handle: "", command, serves: job.serves, weight, output, text, line: RUNNING };
            self.open(page, (ix, &call), &start);
        }
        if call.aftermath.jobs.is_empty() && may_still_run(&call, how) {
            let command = &call.label;
            let start =
                Start { handle: "", command, serves: true, weight: Weight::Repair, output: None, text, line: "may still run" };
            self.open(page, (ix, &call), &start);
        }
    }

    /// Takes news of a process; answers with the calls that had started what has ended.
    pub(super) fn news(&mut self, page: &mut Page<'_>, handle: &str, state: JobState) -> Vec<CallIx> {
        if state == JobState::Running || handle.is_empty() {
            return Vec::new();
        }
        let ended: Vec<Running> = self.running.extract_if(.., |running| *running.handle == *handle).collect();
        for running in &ended {
            book::set_status(page.rows, page.delta, running.entry, page.at.event, EntryStatus::Discharged);
        }
        ended.into_iter().map(|running| running.call).collect()
    }

    /// The session ended, and with it what it had started.
    pub(super) fn session_ended(&mut self, page: &mut Page<'_>) {
        for running in self.running.drain(..) {
            book::set_status(page.rows, page.delta, running.entry, page.at.event, EntryStatus::Discharged);
        }
    }

    fn close(&mut self, page: &mut Page<'_>, by: EntryId, which: impl Fn(&Running) -> bool) {
        let ended: Vec<Running> = self.running.extract_if(.., |running| which(running)).collect();
        for running in ended {
            book::set_status(page.rows, page.delta, running.entry, page.at.event, EntryStatus::Discharged);
            book::link(page.rows, running.entry, EdgeKind::Discharges, by, page.at.event);
        }
    }

    fn open(&mut self, page: &mut Page<'_>, (ix, call): (CallIx, &CallRow), start: &Start<'_>) {
        let Start { handle, serves, weight, output, text, .. } = *start;
        let command = bare(start.command);
        // The same server, started again: the old one is gone, or was never seen to end. Of jobs both may go on.
        let twin = |running: &Running| *running.command == *command && (running.serves && serves || handle.is_empty());
        let before: Vec<Running> = self.running.extract_if(.., |running| twin(running)).collect();
        for old in before {
            book::set_status(page.rows, page.delta, old.entry, page.at.event, EntryStatus::Superseded);
            book::link(page.rows, old.entry, EdgeKind::Supersedes, call.entry, page.at.event);
        }
        let port = port(start.command).or_else(|| port(&call.input)).or_else(|| port(prefix(text, LOOKED_AT)));
        let known = [Some(handle), port, output, pid(text).filter(|_| handle.is_empty())];
        let identifiers: Vec<String> = known.into_iter().flatten().filter(|value| !value.is_empty()).map(str::to_owned).collect();
        let key = match handle {
            "" => format!("process:{}~{}", call.intent, Hash64::of(command.as_bytes()).short()),
            handle => format!("process:{handle}"),
        };
        let end = if handle.is_empty() { command } else { handle };
        let draft = Draft {
            kind: EntryKind::Process,
            key,
            line_text: format!("{}: {} {}", start.line, call.tool, start.command),
            text: Arc::from(start.command),
            trust: if call.known == Known::Inferred && handle.is_empty() { Trust::Inferred } else { Trust::Structured },
            rule: "process".into(),
            scope: Scope::Action,
            opened: Moment { span: call.span, ..page.at },
            action: Some(action_facts(ix, call)),
            discharge: Discharge {
                text: format!("{end} is seen to have ended"),
                check: Check::Ended,
                needs: identifiers.clone(),
                observable: true,
            },
            identifiers: identifiers.clone(),
            weight,
            pointer: None,
        };
        let entry = book::open(page.rows, page.delta, draft);
        self.running.push(Running { entry, call: ix, handle: handle.into(), command: command.into(), serves, names: identifiers });
    }
}

impl Running {
    /// Whether what a `kill` names is this: its handle, port or process id, or a pattern of its command line. Where nothing is named,
    /// the input of the whole command says which (`lsof -ti:3000 | xargs kill`).
    fn is_named(&self, end: &str, input: &str) -> bool {
        if end.is_empty() || end.contains('$') {
            return self.names.iter().any(|name| names(input, name));
        }
        let value = end.trim_end_matches("/tcp");
        let by_value = |word: &str| self.names.iter().any(|name| name == word);
        by_value(value) || value.split(' ').any(by_value) || (value.contains(char::is_alphabetic) && matches(&self.command, value))
    }
}

/// A job is awaited that acts on the world, or of which nobody knows what it does but the runtime will tell when it ends. A server
/// just runs, and so does what names a port; a look or a check can be run again.
fn weight(class: Option<Class>, serves: bool, told: Told, command: &str) -> Weight {
    let awaited = match class {
        Some(Class::Write | Class::Create | Class::External) => true,
        Some(Class::Execute) => told == Told::ByTheRuntime && port(command).is_none(),
        Some(Class::Control | Class::Read | Class::Check) | None => false,
    };
    if awaited && !serves { Weight::Barrier } else { Weight::Repair }
}

/// Whether anybody says when a job has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    ByTheRuntime,
    ByNobody,
}

/// A command line without the variables that are set before it.
fn bare(command: &str) -> &str {
    let mut rest = command.trim();
    while let Some((word, behind)) = rest.split_once(' ') {
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if word == "nohup" || word.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.starts_with(['"', '\''])) {
            rest = behind.trim_start();
        } else {
            break;
        }
    }
    rest
}

/// What is run in `node` though its command line does not say so.
const IN_NODE: &[&str] = &["npm", "npx", "pnpm", "yarn", "vite", "next", "nodemon", "tsx", "ts-node"];

/// Whether a pattern of `pkill` or `killall` fits a command line: one of its alternatives, piece by piece in order.
fn matches(command: &str, pattern: &str) -> bool {
    let program = command.split(' ').next().unwrap_or_default();
    pattern.split('|').any(|alternative| {
        let plain = alternative.replace(['[', ']', '^', '$', '\\', '(', ')'], "");
        let mut rest = command;
        let in_order = plain.split(".*").all(|piece| match rest.split_once(piece) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        });
        (in_order && plain.len() > 2) || (plain == "node" && IN_NODE.contains(&program))
    })
}

/// The process id that a shell tells of a job: `[1] 4242`.
fn pid(text: &str) -> Option<&str> {
    prefix(text, LOOKED_AT).lines().find_map(|line| {
        let (number, pid) = line.strip_prefix('[')?.split_once("] ")?;
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (digits(number) && digits(pid.trim())).then(|| pid.trim())
    })
}

/// Whether a server or watcher was cut off by its tool, not by itself.
pub(super) fn may_still_run(call: &CallRow, how: EndHow) -> bool {
    let cut_off = match how {
        EndHow::TimedOut | EndHow::Interrupted | EndHow::Lost | EndHow::Synthetic => true,
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd => true,
        EndHow::Success | EndHow::Returned | EndHow::NotRecorded | EndHow::Started => false,
        EndHow::Failed(_) | EndHow::Refused | EndHow::Declined => false,
    };
    call.aftermath.serves && cut_off
}

/// The port that a text names.
fn port(text: &str) -> Option<&str> {
    const BEFORE: &[&str] = &["localhost:", "127.0.0.1:", "0.0.0.0:", "--port ", "--port=", "PORT="];
    BEFORE.iter().find_map(|mark| {
        let rest = text.split_once(mark)?.1;
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).filter(|port| (2..=5).contains(&port.len()))
    })
}

/// Whether a text has a value as a word of its own.
fn names(text: &str, value: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(value).any(|(at, _)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + value.len()..).unwrap_or_default());
        !before.ends_with(part) && !behind.starts_with(part)
    })
}
