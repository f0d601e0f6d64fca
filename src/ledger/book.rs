//! The table of entries: how one is opened, changed and linked.

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::ids::{EntryId, EventIx};
use crate::ledger::delta::{Change, Delta};
use crate::ledger::entry::{
    ActionFacts, Discharge, Edge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Pointer, Scope, Trust,
    Weight,
};
use crate::ledger::snapshot::{LaneSnapshot, Slot};

/// What its fold knows of a new entry.
pub(super) struct Draft {
    pub(super) kind: EntryKind,
    pub(super) key: String,
    pub(super) line_text: String,
    pub(super) text: Arc<str>,
    pub(super) trust: Trust,
    pub(super) rule: Cow<'static, str>,
    pub(super) scope: Scope,
    pub(super) opened: Moment,
    pub(super) action: Option<ActionFacts>,
    pub(super) identifiers: Vec<String>,
    pub(super) discharge: Discharge,
    pub(super) weight: Weight,
    pub(super) pointer: Option<Pointer>,
}

/// Opens an entry where its words or its action stand.
pub(super) fn open(rows: &mut LaneSnapshot, delta: &mut Delta, draft: Draft) -> EntryId {
    let event = draft.opened.event;
    open_at(rows, delta, draft, event)
}

/// Opens an entry that is known only since event `at`, later than the place at which its words stand.
pub(super) fn open_at(rows: &mut LaneSnapshot, delta: &mut Delta, draft: Draft, at: EventIx) -> EntryId {
    let id = EntryId::from_index(rows.entries.len());
    let entry = Entry {
        id,
        kind: draft.kind,
        also: Vec::new(),
        key: draft.key,
        line_text: draft.line_text,
        text: draft.text,
        trust: draft.trust,
        vouched: None,
        rule: draft.rule,
        scope: draft.scope,
        opened: draft.opened,
        history: vec![(at, EntryStatus::Live)],
        action: draft.action,
        identifiers: draft.identifiers,
        preconditions: Vec::new(),
        progress: Vec::new(),
        discharge: draft.discharge,
        edges: Vec::new(),
        holders: vec![Holder { span: draft.opened.span, form: HolderForm::Verbatim, since: at }],
        lost: Vec::new(),
        evidence: vec![draft.opened.event],
        weight: vec![(at, draft.weight)],
        pointer: draft.pointer,
        marked: Vec::new(),
        settled: None,
        named: Vec::new(),
    };
    rows.entries.push(Slot::Entry(Arc::new(entry)));
    Arc::make_mut(&mut rows.live).insert(id);
    delta.note(Change::EntryOpened(id));
    id
}

/// Changes an entry that is one of its own; a call's entry follows its call's row.
pub(super) fn edit(rows: &mut LaneSnapshot, id: EntryId, change: impl FnOnce(&mut Entry)) {
    if let Some(Slot::Entry(entry)) = rows.entries.get_mut(id.index()) {
        change(Arc::make_mut(entry));
    }
}

/// Gives an entry a new status, by the event that shows it. What has ended ends once: who closes it later has nothing to say.
pub(super) fn set_status(rows: &mut LaneSnapshot, delta: &mut Delta, id: EntryId, event: EventIx, status: EntryStatus) {
    if !status.is_live() && !rows.live.contains(&id) {
        return;
    }
    edit(rows, id, |entry| {
        entry.history.push((event, status));
        entry.evidence.push(event);
    });
    note_status(rows, delta, id, status);
}

/// The newest status of an entry that is one of its own.
pub(super) fn status(rows: &LaneSnapshot, id: EntryId) -> Option<EntryStatus> {
    rows.entries.get(id.index()).and_then(Slot::own).map(|entry| entry.status())
}

/// Notes the new status of an entry whose history stands elsewhere.
pub(super) fn note_status(rows: &mut LaneSnapshot, delta: &mut Delta, id: EntryId, status: EntryStatus) {
    let live = Arc::make_mut(&mut rows.live);
    if status.is_live() {
        live.insert(id);
    } else {
        live.remove(&id);
    }
    delta.note(Change::EntryChanged(id, status));
}

/// Draws an edge from one entry to another at event `since`, once. A call's edges stand in its row.
pub(super) fn link(rows: &mut LaneSnapshot, from: EntryId, kind: EdgeKind, to: EntryId, since: EventIx) {
    let edges = match rows.entries.get_mut(from.index()) {
        Some(Slot::Entry(entry)) => &mut Arc::make_mut(entry).edges,
        Some(Slot::Call(ix)) => match rows.calls.get_mut(ix.index()) {
            Some(call) => &mut call.edges,
            None => return,
        },
        None => return,
    };
    if !edges.iter().any(|edge| edge.kind == kind && edge.to == to) {
        edges.push(Edge { kind, to, since });
    }
}
