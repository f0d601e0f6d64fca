//! Promises: what the last message of a turn says that will be done, and what it says is not done yet (DESIGN section 4, "Inferred").
//!
//! A promise ends when it is attempted: whether that went well, the attempt's own entries say. A human may lift it; one that two
//! prompts did not come back to is settled like the message that made it.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId};
use crate::evidence::Gist;
use crate::ledger::about::{are_alike, goes_on, is_about, lifted};
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::key;
use crate::ledger::effects::Class;
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Weight};
use crate::ledger::folds::Page;
use crate::ledger::identifiers::identifiers;
use crate::ledger::label::first_line;
use crate::ledger::last_word::Closing;
use crate::ledger::parts::{has_ending, looks};
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::tagging::{Act, Deeds, Region};
use crate::ledger::tasks::PLAN_ITEM;

/// A call that does what a promise says names this much of its words.
const ATTEMPTED: f64 = 1.0 / 3.0;
/// Where it is to make something, this much: a folder has many files.
const MADE: f64 = 0.6;

/// Of one message at most this many are followed: more are a report, which its own entry holds.
const A_MESSAGE: usize = 5;
/// A promise is left behind by this many prompts that do not come back to it.
const PROMPTS: u8 = 2;
/// An exact value of fewer bytes says nothing of which promise is meant.
const SHORTEST_NAME: usize = 4;

/// What was promised, and what was said not to be done yet.
#[derive(Default)]
pub(super) struct Promises {
    /// Every one so far: a rewind may bring one back.
    all: Vec<Promise>,
    /// Those that live.
    open: Vec<usize>,
}

struct Promise {
    entry: EntryId,
    about: Gist,
    names: Vec<String>,
    manner: Manner,
    /// How many prompts have not come back to it.
    idle: u8,
}

/// By what a promise is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// By looking at something.
    Looks,
    /// By writing a file.
    Makes,
    /// By anything that does more than look.
    Acts,
}

impl Promises {
    /// A turn is over, and this was its last message. Whoever launched a sub-agent reads its last message as a report.
    pub(super) fn concluded(&mut self, page: &mut Page<'_>, closing: &Closing) {
        let owes = |region: &&Region| {
            let does = |act| region.acts.contains(&act);
            (does(Act::Promises) || does(Act::NotYet)) && !does(Act::Asks) && closing.words(region).is_some_and(is_plain)
        };
        if page.rows.parent.is_some() || !closing.regions.iter().any(|region| owes(&region)) {
            return;
        }
        let planned = planned(page);
        // "I'll list the files", and the call that lists them.
        let promised = closing.regions.iter().filter(|region| region.acts.contains(&Act::Promises)).count();
        let is_begun = promised == 1 && closing.went_on && calls_since(page, closing.said).next().is_some();
        let mut room = A_MESSAGE;
        for region in closing.regions.iter().filter(owes) {
            let Some(words) = closing.words(region) else { continue };
            if is_begun && region.acts.contains(&Act::Promises) {
                continue;
            }
            let own = Promise::of(words, region, page.rules.cues.deeds());
            let is_planned = planned.iter().any(|item| are_alike(item, &own.about) || is_about(item, &own.about));
            if own.about.is_empty() || is_planned || own.is_attempted_since(page, closing.said) {
                continue;
            }
            let alike = |n: &&usize| self.all.get(**n).is_some_and(|other| are_alike(&other.about, &own.about));
            if let Some(&n) = self.open.iter().find(alike) {
                self.again(page, n, closing.said);
            } else if room > 0 {
                room -= 1;
                let entry = book::open_at(page.rows, page.delta, draft(region, words, closing.said, &own), page.at.event);
                self.open.push(self.all.len());
                self.all.push(Promise { entry, ..own });
            }
        }
    }

    /// A call ended, or was given up: one that was let run is an attempt.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow) {
        if self.open.is_empty() || !was_let_run(how) {
            return;
        }
        let Some(call) = page.rows.calls.get(ix.index()).cloned() else { return };
        let label = Gist::of(&call.label);
        self.open.retain(|n| {
            let Some(own) = self.all.get(*n) else { return false };
            let attempted = own.is_attempted_by(&call, &label);
            if attempted {
                own.end(page, EntryStatus::Discharged);
                book::link(page.rows, own.entry, EdgeKind::Discharges, call.entry, page.at.event);
            }
            !attempted
        });
    }

    /// A human typed the next prompt.
    pub(super) fn prompt(&mut self, page: &mut Page<'_>, text: &str, regions: &[Region]) {
        if self.open.is_empty() {
            return;
        }
        let words = Gist::of(text);
        if goes_on(regions, &words) {
            return;
        }
        let lifted = lifted(text, regions);
        self.open.retain(|n| {
            let Some(own) = self.all.get_mut(*n) else { return false };
            let named = own.names.iter().any(|name| text.contains(name.as_str()));
            own.idle = if named || is_about(&own.about, &words) { 0 } else { own.idle + 1 };
            let end = if lifted.iter().any(|words| is_about(&own.about, words)) {
                Some(EntryStatus::Revoked)
            } else {
                (own.idle >= PROMPTS).then_some(EntryStatus::Settled)
            };
            if let Some(status) = end {
                own.end(page, status);
            }
            end.is_none()
        });
    }

    /// The turn goes on: what counted for now as its last message promised nothing.
    pub(super) fn went_on(&mut self, page: &Page<'_>) {
        self.open.retain(|n| self.all.get(*n).is_some_and(|own| page.rows.live.contains(&own.entry)));
    }

    /// Turns were taken back, and what they had opened or closed with them.
    pub(super) fn rewound(&mut self, page: &Page<'_>) {
        let lives = |n: &usize| self.all.get(*n).is_some_and(|own| page.rows.live.contains(&own.entry));
        self.open = (0..self.all.len()).filter(lives).collect();
        for own in &mut self.all {
            own.idle = 0;
        }
    }

    /// A promise is made again.
    fn again(&mut self, page: &mut Page<'_>, n: usize, said: Moment) {
        let Some(own) = self.all.get_mut(n) else { return };
        own.idle = 0;
        let since = page.at.event;
        book::edit(page.rows, own.entry, |entry| {
            entry.holders.push(Holder { span: said.span, form: HolderForm::Restated, since });
            if entry.lost_at(since).is_some() {
                entry.lost.push((since, None));
            }
            entry.evidence.push(since);
        });
    }
}

impl Promise {
    /// What these words promise; its entry is not open yet.
    fn of(words: &str, region: &Region, verbs: &Deeds) -> Self {
        let mut names: Vec<String> = Vec::new();
        for found in identifiers(words) {
            let name = words.get(found.range).unwrap_or_default();
            if name.len() >= SHORTEST_NAME && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        Self { entry: EntryId(0), about: Gist::of(what_is_said(words)), names, manner: Manner::of(words, region, verbs), idle: 0 }
    }

    fn end(&self, page: &mut Page<'_>, status: EntryStatus) {
        book::set_status(page.rows, page.delta, self.entry, page.at.event, status);
    }

    /// Whether a call names what it names, or does what it says. To look is no attempt to change something.
    fn is_attempted_by(&self, call: &CallRow, label: &Gist) -> bool {
        let is_right = match self.manner {
            Manner::Looks => true,
            Manner::Makes => call.class > Class::Control && call.world.as_deref() == Some("file"),
            Manner::Acts => call.class != Class::Read,
        };
        if call.aftermath.plan.is_some() || !is_right {
            return false;
        }
        let target = call.target.as_deref().unwrap_or_default();
        let holds = |name: &&String| call.label.contains(name.as_str()) || target.contains(name.as_str());
        let is_exact = |name: &&String| self.manner != Manner::Makes || has_ending(name);
        if self.names.iter().any(|name| is_exact(&name)) {
            return self.names.iter().filter(is_exact).any(|name| holds(&name));
        }
        let share = if self.manner == Manner::Makes { MADE } else { ATTEMPTED };
        let shared = self.about.shared(label);
        (shared >= 2 && self.about.share_in(label) >= share) || (shared == 1 && self.about.len() <= 2)
    }

    /// Whether it was attempted behind the words and before the turn ended: an interrupted turn ends with no words.
    fn is_attempted_since(&self, page: &Page<'_>, said: Moment) -> bool {
        calls_since(page, said).any(|call| self.is_attempted_by(call, &Gist::of(&call.label)))
    }
}

impl Manner {
    fn of(words: &str, region: &Region, verbs: &Deeds) -> Self {
        if region.acts.contains(&Act::Makes) {
            Self::Makes
        } else if looks(words, verbs) {
            Self::Looks
        } else {
            Self::Acts
        }
    }
}

/// The calls behind some words that were let run, the newest first.
fn calls_since<'p>(page: &'p Page<'_>, said: Moment) -> impl Iterator<Item = &'p CallRow> {
    let since = page.rows.calls.iter().rev().take_while(move |call| call.event > said.event);
    since.filter(|call| call.ended().is_none_or(|end| was_let_run(end.how)))
}

fn was_let_run(how: EndHow) -> bool {
    !matches!(how, EndHow::Refused | EndHow::Declined)
}

/// What is said itself, without the reason behind a mark: "It is not pushed yet: you did not let me force it".
fn what_is_said(words: &str) -> &str {
    const MARKS: [&str; 4] = [": ", "; ", " – ", " — "];
    let before = MARKS.iter().filter_map(|mark| words.split_once(mark)).map(|(before, _)| before);
    before.filter(|before| !Gist::of(before).is_empty()).min_by_key(|before| before.len()).unwrap_or(words)
}

/// Whether words say something themselves: a heading and the lead of a list only announce it, the row of a table reports, a question
/// asks, and what hangs on an "if" of the reader is an offer.
fn is_plain(words: &str) -> bool {
    let bare = words.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let offers = bare.starts_with("if ") || bare.contains(" if you ");
    !words.starts_with(['#', '|']) && !words.trim_end_matches(['*', '_']).ends_with([':', '?']) && !offers
}

/// What the items of the plans that live are about.
fn planned(page: &Page<'_>) -> Vec<Gist> {
    let items = page.rows.live_entries().filter(|entry| entry.kind == EntryKind::Task && entry.rule == PLAN_ITEM);
    items.map(|entry| Gist::of(&entry.text)).collect()
}

fn draft(region: &Region, words: &str, said: Moment, own: &Promise) -> Draft {
    Draft {
        kind: EntryKind::Task,
        key: key(EntryKind::Task, words).into_owned(),
        line_text: first_line(words),
        text: Arc::from(words),
        trust: region.trust,
        rule: if region.acts.contains(&Act::Promises) { "promise" } else { "not-yet" }.into(),
        scope: Scope::OneShot,
        opened: said,
        action: None,
        identifiers: own.names.clone(),
        discharge: Discharge {
            text: "it is attempted, or the human lifts it".to_owned(),
            check: Check::Done,
            needs: Vec::new(),
            observable: true,
        },
        weight: Weight::Repair,
        pointer: None,
    }
}
