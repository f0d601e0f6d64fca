//! Processes: what was started and has not ended (DESIGN section 2, "Open things").
//!
//! "Started" resolves the call and opens this. What an agent does, and what a job does to the world, is awaited: its result is owed, and
//! nothing may sever it. A server or a watcher just runs, and something that only looks or checks can be run again: they are held by
//! their handle. A server that ran into the time-out of its tool may still run.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId};
use crate::base::text::prefix;
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{Class, Known};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::open_call::action_facts;
use crate::ledger::proof;
use crate::ledger::rows::{CallRow, EndHow};
use crate::transcript::JobState;

/// Of a result this much is searched for a port, in bytes.
const LOOKED_AT: usize = 4 * 1024;

/// The processes that run, in the order in which they were started.
#[derive(Default)]
pub(super) struct Processes {
    running: Vec<Running>,
}

struct Running {
    entry: EntryId,
    handle: Box<str>,
    /// Values by which a `kill` may name it: handle, port, the words of its command.
    names: Vec<String>,
}

impl Processes {
    /// Opens the process that a call started, with what the runtime said of it.
    pub(super) fn started(&mut self, page: &mut Page<'_>, ix: CallIx, handle: &str, text: &str) {
        if self.running.iter().any(|running| *running.handle == *handle) {
            return;
        }
        let Some(call) = page.rows.calls.get(ix.index()).cloned() else { return };
        let weight = match call.class {
            _ if call.aftermath.serves => Weight::Repair,
            Class::Control | Class::Write | Class::Create | Class::External => Weight::Barrier,
            // Nobody knows whether it ends by itself.
            Class::Execute => Weight::Repair,
            Class::Read | Class::Check => Weight::Repair,
        };
        self.open(page, (ix, &call), handle, text, weight);
    }

    /// Folds the end of a call: a server that was cut off may still run, and a `kill` ends what it names.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow, text: &str) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        if may_still_run(call, how) {
            let call = call.clone();
            self.open(page, (ix, &call), "", text, Weight::Repair);
        } else if !self.running.is_empty() && call.world.as_deref() == Some("process") && how == EndHow::Success {
            let (input, by) = (Arc::clone(&call.input), call.entry);
            self.close(page, by, |running| running.names.iter().any(|name| names(&input, name)));
        }
    }

    /// Takes news of a process.
    pub(super) fn news(&mut self, page: &mut Page<'_>, handle: &str, state: JobState) {
        if state == JobState::Running {
            return;
        }
        let ended: Vec<Running> = self.running.extract_if(.., |running| *running.handle == *handle && !handle.is_empty()).collect();
        for running in ended {
            book::set_status(page.rows, page.delta, running.entry, page.at.event, EntryStatus::Discharged);
        }
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

    fn open(&mut self, page: &mut Page<'_>, (ix, call): (CallIx, &CallRow), handle: &str, text: &str, weight: Weight) {
        let port = port(&call.input).or_else(|| port(prefix(text, LOOKED_AT)));
        let output = proof::behind(text, "Output is being written to: ").into_iter().next().map(|path| path.trim_end_matches('.'));
        let known = [Some(handle), port, output];
        let identifiers: Vec<String> = known.into_iter().flatten().filter(|value| !value.is_empty()).map(str::to_owned).collect();
        // The same command, started again: what the old one was is gone, or was never seen to end.
        let twin = |running: &Running| {
            handle.is_empty()
                && page.rows.entry(running.entry).and_then(|old| old.action.clone()).is_some_and(|old| old.action == call.action)
        };
        let before: Vec<Running> = self.running.extract_if(.., |running| twin(running)).collect();
        for old in before {
            book::set_status(page.rows, page.delta, old.entry, page.at.event, EntryStatus::Superseded);
        }
        let (key, line) = match handle {
            "" => (format!("process:{}~{}", call.intent, call.action.short()), "may still run"),
            handle => (format!("process:{handle}"), "running in the background"),
        };
        let end = if handle.is_empty() { call.intent.as_ref() } else { handle };
        let draft = Draft {
            kind: EntryKind::Process,
            key,
            line_text: format!("{line}: {} {}", call.tool, call.label),
            text: Arc::clone(&call.label),
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
        let mut names = identifiers;
        names.extend(call.intent.split(' ').filter(|word| word.len() > 3).map(str::to_owned));
        self.running.push(Running { entry, handle: handle.into(), names });
    }
}

/// Whether a server or watcher was cut off by its tool, not by itself.
pub(super) fn may_still_run(call: &CallRow, how: EndHow) -> bool {
    let cut_off = match how {
        EndHow::TimedOut | EndHow::Interrupted | EndHow::Lost | EndHow::Synthetic => true,
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd => true,
        EndHow::Success | EndHow::Returned | EndHow::Started | EndHow::Failed(_) | EndHow::Refused | EndHow::Declined => false,
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
