//! Transactions and resources: what was opened in the world and must be closed (DESIGN section 2, "Open things").
//!
//! A transaction is half done: nothing may sever it from its opener and from the steps that act in it. A resource is up, and to be
//! undone: its opener is carried. Neither colours a step that has nothing to do with it.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId, SpanIx};
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{Class, Deed, Known, Role, ThingKind};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::open_call::action_facts;
use crate::ledger::proof::{self, same_handle};
use crate::ledger::rows::{CallRow, EndHow};

/// What is open now, in the order in which it was opened.
#[derive(Default)]
pub(super) struct OpenThings {
    open: Vec<Open>,
}

struct Open {
    entry: EntryId,
    thing: Arc<str>,
    kind: ThingKind,
    /// By what names it is called: its handle, and the files of a conflict.
    names: Vec<String>,
    /// The newest step that it touches.
    newest: SpanIx,
}

impl OpenThings {
    /// Folds the end of a call whose result is `text`.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow, text: &str) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let opens = |deed: &Deed| matches!(deed.thing.row.kind, ThingKind::Transaction | ThingKind::Resource);
        if self.open.is_empty() && !call.aftermath.deeds.iter().any(opens) {
            return;
        }
        let call = call.clone();
        if call.class.has_effect() && !self.open.is_empty() {
            self.act(page, &call);
        }
        // What one command opens and closes again was never open.
        let mut opened: Vec<&Deed> = Vec::new();
        for deed in call.aftermath.deeds.iter().filter(|deed| opens(deed)) {
            match deed.role {
                Role::Opens if deed.opened(how, text) => opened.push(deed),
                Role::Closes | Role::Aborts | Role::Clears if deed.closed(how, text) => {
                    let own = |other: &&Deed| Arc::ptr_eq(&other.thing, &deed.thing);
                    match opened.iter().rposition(own) {
                        Some(at) => drop(opened.remove(at)),
                        None => self.close(page, deed, &call),
                    }
                }
                Role::Acts | Role::Closes | Role::Aborts => self.touch(page, &deed.thing.name, call.span),
                Role::Opens | Role::Clears | Role::Passes => {}
            }
        }
        for deed in opened {
            self.open(page, (ix, &call), deed, text);
        }
    }

    /// A call that writes a file of an open conflict acts in it.
    fn act(&mut self, page: &mut Page<'_>, call: &CallRow) {
        let Some(target) = call.target.as_deref().filter(|_| call.world.as_deref() == Some("file")) else { return };
        let within =
            |open: &&mut Open| open.kind == ThingKind::Transaction && open.names.iter().any(|name| same_handle(name, target));
        for open in self.open.iter_mut().filter(within) {
            hold(page, open, call.span);
        }
    }

    fn touch(&mut self, page: &mut Page<'_>, thing: &str, span: SpanIx) {
        if let Some(open) = self.open.iter_mut().rfind(|open| *open.thing == *thing && open.kind == ThingKind::Transaction) {
            hold(page, open, span);
        }
    }

    /// Closes the named one; the newest one where none is named, or where nobody knows its name.
    fn close(&mut self, page: &mut Page<'_>, deed: &Deed, by: &CallRow) {
        let own = |open: &Open| open.thing == deed.thing.name;
        let named = |open: &Open| {
            let handles = deed.handle.as_deref().unwrap_or_default();
            handles.split(' ').any(|handle| open.names.iter().any(|name| same_handle(name, handle)))
        };
        let transaction = deed.thing.row.kind == ThingKind::Transaction;
        let position = match (&deed.handle, deed.role) {
            (_, Role::Clears) => None,
            (Some(_), _) if !transaction => self.open.iter().rposition(|open| own(open) && (open.names.is_empty() || named(open))),
            _ => self.open.iter().rposition(own),
        };
        let closed: Vec<Open> = match (deed.role, position) {
            (Role::Clears, _) => self.open.extract_if(.., |open| own(open)).collect(),
            (_, Some(at)) => vec![self.open.remove(at)],
            (_, None) => Vec::new(),
        };
        for open in closed {
            book::set_status(page.rows, page.delta, open.entry, page.at.event, EntryStatus::Discharged);
            book::link(page.rows, open.entry, EdgeKind::Discharges, by.entry, page.at.event);
        }
    }

    fn open(&mut self, page: &mut Page<'_>, (ix, call): (CallIx, &CallRow), deed: &Deed, text: &str) {
        let row = &deed.thing.row;
        let mut names: Vec<String> = deed.handle.iter().map(ToString::to_string).collect();
        let told = row.told.as_deref().and_then(|mark| match mark {
            "last line" => proof::last_line(text),
            mark => proof::behind(text, mark).into_iter().next(),
        });
        names.extend(told.filter(|told| told.len() <= 120).map(str::to_owned));
        names.extend(row.names.as_deref().into_iter().flat_map(|mark| proof::behind(text, mark)).map(str::to_owned));
        let same = |open: &&mut Open| {
            open.thing == deed.thing.name && (open.kind == ThingKind::Transaction || (!names.is_empty() && open.names == names))
        };
        if let Some(open) = self.open.iter_mut().find(same) {
            // The same one, met again: a second conflict of one rebase.
            return hold(page, open, call.span);
        }
        let (kind, rule, weight) = match row.kind {
            ThingKind::Transaction => (EntryKind::Transaction, "transaction", Weight::Barrier),
            _ => (EntryKind::Resource, "resource", Weight::Repair),
        };
        let draft = Draft {
            kind,
            key: format!("{}:{}~{}", kind.word(), deed.thing.name, call.action.short()),
            line_text: format!("{}: {}", row.what, call.label),
            text: Arc::clone(&call.input),
            trust: if call.known == Known::Listed || call.class == Class::Control { Trust::Structured } else { Trust::Inferred },
            rule: rule.into(),
            scope: Scope::Action,
            opened: Moment { span: call.span, ..page.at },
            action: Some(action_facts(ix, call)),
            identifiers: names.clone(),
            discharge: Discharge {
                text: row.undo.clone().unwrap_or_else(|| row.closes.join(" or ")),
                check: Check::Undone,
                needs: names.clone(),
                observable: true,
            },
            weight,
            pointer: None,
        };
        let entry = book::open(page.rows, page.delta, draft);
        self.open.push(Open { entry, thing: Arc::clone(&deed.thing.name), kind: row.kind, names, newest: call.span });
    }
}

/// A step acts in something that is open.
fn hold(page: &mut Page<'_>, open: &mut Open, span: SpanIx) {
    if open.newest == span {
        return;
    }
    open.newest = span;
    let since = page.at.event;
    book::edit(page.rows, open.entry, |entry| {
        entry.holders.push(Holder { span, form: HolderForm::Verbatim, since });
        entry.evidence.push(since);
        if entry.lost_at(since).is_some() {
            entry.lost.push((since, None));
        }
    });
}
