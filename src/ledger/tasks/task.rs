//! One item of a plan: what it says, what of it was seen done, how it ends.

use std::sync::Arc;

use super::{APPROVED_PLAN, PLAN_ITEM};
use crate::base::hash::Hash64;
use crate::base::ids::{EntryId, TurnIx};
use crate::evidence::Gist;
use crate::ledger::about::is_about;
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::key;
use crate::ledger::effects::PlanShape;
use crate::ledger::entry::{
    Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Pointer, Scope, Trust, Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::label::first_line;
use crate::ledger::parts::{self, Part};
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::snapshot::Slot;

/// An item that was opened.
pub(super) struct Task {
    pub(super) entry: EntryId,
    pub(super) shape: PlanShape,
    pub(super) id: Option<String>,
    pub(super) words: Hash64,
    pub(super) about: Gist,
    pub(super) parts: Vec<Followed>,
    /// Whether its newest record says that it is being done.
    pub(super) is_begun: bool,
    /// The newest turn in which a record told it.
    pub(super) told: TurnIx,
    /// How many prompts have not come back to it since.
    pub(super) idle: u8,
}

/// A part, and the entry of the call that did it.
pub(super) struct Followed {
    pub(super) part: Part,
    pub(super) by: Option<EntryId>,
    /// Whether it was done since the newest record said that the item is being done.
    pub(super) is_new: bool,
}

impl Followed {
    /// Folds a call that ended: whether that is the first that did it.
    pub(super) fn ended(&mut self, call: &CallRow, how: EndHow, is_begun: bool) -> bool {
        let is_looked_for = self.by.is_none() || (is_begun && !self.is_new);
        if !is_looked_for || !self.part.is_done_by(call, how) {
            return false;
        }
        self.is_new |= is_begun;
        let is_first = self.by.is_none();
        self.by.get_or_insert(call.entry);
        is_first
    }
}

/// An item about to be opened.
pub(super) struct New {
    pub(super) shape: PlanShape,
    pub(super) id: Option<String>,
    pub(super) text: String,
    pub(super) at: Moment,
    pub(super) pointer: Option<Pointer>,
}

impl Task {
    /// Opens an item.
    pub(super) fn open(page: &mut Page<'_>, new: New) -> Self {
        let parts = parts::of_text(&new.text, page.rules.cues.deeds());
        let (shape, id, told) = (new.shape, new.id.clone(), page.at.turn);
        let (words, about) = (words_of(&new.text), Gist::of(&new.text));
        let entry = book::open_at(page.rows, page.delta, draft(new, &parts), page.at.event);
        let parts = parts.into_iter().map(|part| Followed { part, by: None, is_new: false }).collect();
        Self { entry, shape, id, words, about, parts, is_begun: false, told, idle: 0 }
    }

    pub(super) fn status(&self, page: &Page<'_>) -> Option<EntryStatus> {
        match page.rows.entries.get(self.entry.index()) {
            Some(Slot::Entry(entry)) => Some(entry.status()),
            Some(Slot::Call(_)) | None => None,
        }
    }

    pub(super) fn has_all_parts(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|followed| followed.by.is_some())
    }

    /// A record says that it is being done, or that it waits: what is done from here on is done for it.
    pub(super) fn begins(&mut self, is_begun: bool) {
        self.is_begun = is_begun;
        self.parts.iter_mut().for_each(|followed| followed.is_new = false);
    }

    /// Whether all that it names was done since it was begun: only its mark is missing.
    pub(super) fn is_seen_done(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|followed| followed.is_new)
    }

    pub(super) fn end(&self, page: &mut Page<'_>, status: EntryStatus) {
        book::set_status(page.rows, page.delta, self.entry, page.at.event, status);
    }

    /// It is marked done, and all that it names was seen done.
    pub(super) fn discharge(&self, page: &mut Page<'_>) {
        self.end(page, EntryStatus::Discharged);
        for by in self.parts.iter().filter_map(|followed| followed.by) {
            book::link(page.rows, self.entry, EdgeKind::Discharges, by, page.at.event);
        }
    }

    /// A record repeats its words.
    pub(super) fn stands(&self, page: &mut Page<'_>, at: Moment) {
        let since = page.at.event;
        book::edit(page.rows, self.entry, |entry| {
            if entry.holders.last().is_none_or(|holder| holder.span != at.span) {
                entry.holders.push(Holder { span: at.span, form: HolderForm::Verbatim, since });
            }
            if entry.lost_at(since).is_some() {
                entry.lost.push((since, None));
            }
            entry.evidence.push(since);
        });
    }

    /// Whether a text of these words comes back to it.
    pub(super) fn is_meant_by(&self, text: &str, words: &Gist) -> bool {
        let named = |followed: &Followed| match &followed.part {
            Part::Written(name) | Part::Seen(name) => text.contains(name.rsplit('/').next().unwrap_or(name)),
            Part::Ran(_) | Part::Proposed => false,
        };
        self.parts.iter().any(named) || is_about(&self.about, words)
    }
}

/// The same for the same words, however they are spaced, cased and marked.
pub(super) fn words_of(text: &str) -> Hash64 {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let words: Vec<String> = words.collect();
    Hash64::of_parts(words.iter().map(String::as_bytes))
}

fn draft(new: New, parts: &[Part]) -> Draft {
    let names: Vec<String> = parts.iter().map(|part| part.name().to_owned()).collect();
    let (rule, line_text) = match new.shape {
        PlanShape::Approval => (APPROVED_PLAN, format!("approved plan: {}", first_line(new.text.trim_start_matches(['#', ' '])))),
        _ => (PLAN_ITEM, first_line(&new.text)),
    };
    Draft {
        kind: EntryKind::Task,
        key: key(EntryKind::Task, &new.text).into_owned(),
        line_text,
        text: Arc::from(new.text),
        trust: Trust::Structured,
        rule: rule.into(),
        scope: Scope::OneShot,
        opened: new.at,
        action: None,
        identifiers: parts.iter().filter(|part| !matches!(part, Part::Ran(_))).map(|part| part.name().to_owned()).collect(),
        discharge: Discharge {
            text: match names.is_empty() {
                true => "marked done, and its turn ends as it should".to_owned(),
                false => format!("marked done, and seen done: {}", names.join(", ")),
            },
            check: Check::Done,
            observable: true,
            needs: names,
        },
        weight: Weight::Repair,
        pointer: new.pointer,
    }
}
