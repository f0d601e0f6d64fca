//! A binding as an entry of the judgement.

use std::sync::Arc;

use crate::base::hash::Hash64;
use crate::base::ids::EntryId;
use crate::compaction::context::Context;
use crate::compaction::usage::Spot;
use crate::ledger::entry::{
    Check, Discharge, Edge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight,
};
use crate::ledger::label::first_line;

/// What is known of a binding.
pub(super) struct Draft<'a> {
    pub(super) line: String,
    /// The exact values, in full.
    pub(super) values: Vec<&'a str>,
    /// The last place that defines it.
    pub(super) defined: Spot,
    /// The newest place that relies on it.
    pub(super) used: Option<Spot>,
    /// The live entries that rely on it.
    pub(super) users: Vec<EntryId>,
    pub(super) kind: Kind,
}

/// What would be lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The full form of what is used for short.
    Shortened,
    /// The rest of a set.
    Set,
}

impl Draft<'_> {
    /// The entry of this id.
    pub(super) fn entry(self, context: &Context<'_>, id: EntryId) -> Option<Entry> {
        let lane = context.lane;
        let span = lane.spans.get(self.defined.span.index())?;
        // What was known before it was a value has no event of its own: the span's first stands for it.
        let own = lane.events.get(self.defined.since.index()).is_some_and(|row| row.span == Some(self.defined.span));
        let event = if own { self.defined.since } else { span.first };
        let row = lane.events.get(event.index())?;
        let text = self.values.join(", ");
        let (rule, uses) = match self.kind {
            Kind::Shortened => ("shortened", EdgeKind::Shortens),
            Kind::Set => ("set", EdgeKind::Uses),
        };
        let definer = row.call.and_then(|call| lane.calls.get(call.index())).map(|call| (EdgeKind::Defines, call.entry));
        let users = self.users.iter().map(|user| (uses, *user));
        let edges = definer.into_iter().chain(users).map(|(kind, to)| Edge { kind, to, since: event }).collect();
        let user = self.used.map(|spot| spot.since);
        Some(Entry {
            id,
            kind: EntryKind::Binding,
            also: Vec::new(),
            key: format!("binding:{rule}~{}", Hash64::of(text.as_bytes()).short()),
            line_text: first_line(&self.line),
            text: Arc::from(text),
            trust: Trust::Inferred,
            vouched: None,
            rule: rule.into(),
            scope: Scope::OneShot,
            opened: Moment { event, line: row.place.line, span: self.defined.span, turn: span.turn, at: row.at },
            history: vec![(event, EntryStatus::Live)],
            action: None,
            identifiers: self.values.into_iter().map(str::to_owned).collect(),
            preconditions: Vec::new(),
            progress: Vec::new(),
            discharge: Discharge {
                text: "what stays states it in full, or relies on it no more".to_owned(),
                check: Check::Revoked,
                needs: Vec::new(),
                observable: true,
            },
            edges,
            holders: vec![Holder { span: self.defined.span, form: HolderForm::Verbatim, since: event }],
            lost: Vec::new(),
            evidence: std::iter::once(event).chain(user.filter(|user| *user != event)).collect(),
            weight: vec![(event, Weight::Repair)],
            pointer: None,
            marked: Vec::new(),
            settled: None,
            named: Vec::new(),
        })
    }
}
