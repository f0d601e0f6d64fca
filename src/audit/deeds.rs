//! What an action is known by beside its call: what came back, and what the agent said of it in the same turn. A summary tells of an
//! action as the agent did, and hardly ever in the words of the command.

use std::rc::Rc;

use crate::audit::case::Case;
use crate::audit::owed::Owed;
use crate::audit::readings::Known;
use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::evidence::{Clause, Page, Words};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::rows::{CallRow, EndHow, EventKind};

/// So much of a task the words of one call must be for the call to have done it.
const MOST: f64 = 0.6;

/// Of a result so many bytes say what came of it; of a call, what it is about.
const SHOWN: usize = 400;

/// What a call is known by.
pub(super) fn known(case: &Case<'_>, call: &CallRow) -> Rc<Known> {
    case.readings.known(call, || Words::of_input(&parted(call), case.phrasebook))
}

impl Known {
    /// What the call, its result and the agent's own words of it are about.
    pub(super) fn all(&self, case: &Case<'_>, call: &CallRow) -> &Words {
        self.all.get_or_init(|| {
            let end = call.end_at(case.before);
            let shown = end.map(|end| case.texts.text(end.event)).unwrap_or_default();
            let own = self.own.with(&Words::of_input(prefix(&shown, SHOWN), case.phrasebook));
            let is_unknown = end.is_none_or(|end| end.effect == Some(EffectStatus::Unknown));
            said_since(case, call.event).iter().fold(own.clone(), |known, page| {
                let is_of =
                    |clause: &&Clause| (is_unknown && page.status_of(clause).is_some()) || clause.words.share_of(&own) > 0.0;
                page.clauses().iter().filter(is_of).fold(known, |known, clause| known.with(&clause.words))
            })
        })
    }
}

/// What the agent said after an event, up to the next prompt.
fn said_since(case: &Case<'_>, event: EventIx) -> Vec<Page> {
    let rows = (event.index() + 1..=case.before.index()).map_while(|n| Some((n, case.lane.events.get(n)?)));
    let own = rows.take_while(|(_, row)| !matches!(row.kind, EventKind::Prompt | EventKind::Boundary));
    let said = own.filter(|(_, row)| row.kind == EventKind::Assistant);
    said.map(|(n, _)| Page::new([&*case.texts.text(EventIx::from_index(n))], case.phrasebook)).collect()
}

/// The line of a call and its input, whose names are parted: `promoBanner` is about a banner.
fn parted(call: &CallRow) -> String {
    let mut out = String::with_capacity(2 * SHOWN);
    let mut is_small = false;
    for c in prefix(&call.label, SHOWN).chars().chain([' ']).chain(prefix(&call.input, SHOWN).chars()) {
        if is_small && c.is_uppercase() {
            out.push(' ');
        }
        is_small = c.is_lowercase();
        out.push(c);
    }
    out
}

/// Whether a call changed something, as its result shows.
pub(super) fn has_changed(case: &Case<'_>, call: &CallRow) -> bool {
    let end = call.end_at(case.before);
    let is_done = end.is_some_and(|end| end.effect == Some(EffectStatus::Committed) && end.how != EndHow::Started);
    is_done && !matches!(call.class, Class::Read | Class::Check | Class::Control)
}

/// Whether one call that was made since does all that a task names: who tells of it as done is right, whatever its mark says.
pub(super) fn was_done(case: &Case<'_>, owed: &Owed) -> bool {
    was_done_to(case, owed, MOST)
}

/// The same of what was allowed once: half of its words say that it was agreed to.
pub(super) fn was_used(case: &Case<'_>, owed: &Owed) -> bool {
    was_done_to(case, owed, USED)
}

/// So much of what allows one deed the words of the call must be.
const USED: f64 = 0.45;

fn was_done_to(case: &Case<'_>, owed: &Owed, share: f64) -> bool {
    let since = case.lane.calls.iter().rev().take_while(|call| call.event > owed.entry.opened.event);
    let mut done = since.filter(|call| call.event <= case.before && has_changed(case, call));
    done.any(|call| known(case, call).own.share_of(&owed.words) >= share)
}
