//! Processes: what was started in the background and has not ended (DESIGN section 2, "Open things").
//!
//! "Started" resolves the call and opens this. An agent's work is awaited: its result is owed, and nothing may sever it. A command that
//! just runs is held by its handle.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId};
use crate::ledger::book::{self, Draft};
use crate::ledger::delta::Delta;
use crate::ledger::effects::Class;
use crate::ledger::entry::{Check, Discharge, EntryKind, EntryStatus, Moment, Scope, Trust, Weight};
use crate::ledger::open_call::action_facts;
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::JobState;

/// The processes that run, by handle.
#[derive(Default)]
pub(super) struct Processes {
    running: FxHashMap<Hash64, EntryId>,
}

impl Processes {
    /// Opens the process that a call started.
    pub(super) fn started(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, ix: CallIx, handle: &str, at: Moment) {
        let Some(call) = rows.calls.get(ix.index()).cloned() else { return };
        let handle_key = Hash64::of(handle.as_bytes());
        if self.running.contains_key(&handle_key) {
            return;
        }
        let weight = if call.class == Class::Control { Weight::Barrier } else { Weight::Repair };
        let entry = book::open(
            rows,
            delta,
            Draft {
                kind: EntryKind::Process,
                key: format!("process:{handle}"),
                line_text: format!("running in the background: {} {}", call.tool, call.label),
                text: Arc::clone(&call.label),
                trust: Trust::Structured,
                rule: "process".into(),
                scope: Scope::Action,
                opened: Moment { span: call.span, ..at },
                action: Some(action_facts(ix, &call)),
                identifiers: vec![handle.to_owned()],
                discharge: Discharge {
                    text: format!("{handle} is seen to have ended"),
                    check: Check::Ended,
                    needs: vec![handle.to_owned()],
                    observable: true,
                },
                weight,
                pointer: None,
            },
        );
        self.running.insert(handle_key, entry);
    }

    /// Takes news of a process.
    pub(super) fn news(&mut self, rows: &mut LaneSnapshot, delta: &mut Delta, handle: &str, state: JobState, at: Moment) {
        if state == JobState::Running {
            return;
        }
        if let Some(entry) = self.running.remove(&Hash64::of(handle.as_bytes())) {
            book::set_status(rows, delta, entry, at.event, EntryStatus::Discharged);
        }
    }
}
