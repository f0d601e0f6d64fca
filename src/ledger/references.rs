//! References: "option 2", "the second one", "do 1 and 3", "skip 5 and do the rest": words whose meaning stands in the message that
//! they answer (DESIGN section 3).
//!
//! Lose that message and the words say something else, or nothing. A reference opens only where its target is found, in the lists of
//! the last message of the turn before; it touches the span that defines it, and lives as long as the words that use it.

mod lists;
mod mentions;

use std::sync::Arc;

use crate::base::ids::{EntryId, TurnIx};
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::{LONG_BYTES, key};
use crate::ledger::entry::{Check, Discharge, EdgeKind, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::label::first_line;
use crate::ledger::last_word::Closing;
use crate::ledger::snapshot::Slot;
use crate::ledger::tagging::Source;

/// The references, and the message that the next ones may mean.
#[derive(Default)]
pub(super) struct References {
    last: Option<(String, Moment)>,
    all: Vec<Reference>,
}

struct Reference {
    entry: EntryId,
    turn: TurnIx,
    /// The entries of the words that use it.
    users: Vec<EntryId>,
}

impl References {
    /// A turn is over, and this was its last message.
    pub(super) fn concluded(&mut self, closing: &Closing) {
        self.last = Some((closing.text.clone(), closing.said));
    }

    /// A human said something, of which the other folds have opened their entries. The turn of the message of which that means a part.
    pub(super) fn heard(&mut self, page: &mut Page<'_>, source: Source, text: &str) -> Option<TurnIx> {
        if source != Source::Typed {
            return None;
        }
        self.settle(page);
        let (message, said) = self.last.take()?;
        // A long prompt brings its own lists with it.
        let mentions = if text.len() > LONG_BYTES { Vec::new() } else { mentions::mentions(text) };
        if mentions.is_empty() {
            return None;
        }
        let items = lists::items(&message);
        let mut meant: Vec<&str> = Vec::new();
        for mention in mentions {
            let mut found: Vec<&str> = lists::find(&items, &mention.what).into_iter().map(|item| item.text).collect();
            found.retain(|item| !meant.contains(item));
            if found.is_empty() {
                continue;
            }
            meant.extend(&found);
            let words = text.get(mention.range.clone()).unwrap_or("");
            let users = users(page, words);
            let entry = book::open(page.rows, page.delta, draft(words, &found.join("\n"), page.at));
            let since = page.at.event;
            book::edit(page.rows, entry, |entry| {
                entry.holders = vec![Holder { span: said.span, form: HolderForm::Verbatim, since }];
                entry.evidence.push(said.event);
            });
            for user in &users {
                book::link(page.rows, *user, EdgeKind::Uses, entry, since);
            }
            self.all.push(Reference { entry, turn: page.at.turn, users });
        }
        (!meant.is_empty()).then_some(said.turn)
    }

    /// Settles what nothing uses any more. A rewind may bring it back, with the words that used it: it stays in the list.
    fn settle(&self, page: &mut Page<'_>) {
        for reference in &self.all {
            let is_used = reference.turn == page.at.turn || reference.users.iter().any(|user| page.rows.live.contains(user));
            if !is_used && page.rows.live.contains(&reference.entry) {
                book::set_status(page.rows, page.delta, reference.entry, page.at.event, EntryStatus::Settled);
            }
        }
    }
}

/// The entries that this event opened of words that hold the reference.
fn users(page: &Page<'_>, words: &str) -> Vec<EntryId> {
    let holds = |id: &EntryId| match page.rows.entries.get(id.index()) {
        Some(Slot::Entry(entry)) => entry.kind.is_commitment() && entry.text.contains(words),
        Some(Slot::Call(_)) | None => false,
    };
    page.delta.opened().filter(holds).collect()
}

fn draft(words: &str, target: &str, at: Moment) -> Draft {
    let text = format!("{words} → {target}");
    Draft {
        kind: EntryKind::Reference,
        key: key(EntryKind::Reference, &text).into_owned(),
        line_text: first_line(&text),
        text: Arc::from(text),
        trust: Trust::Inferred,
        rule: "reference".into(),
        scope: Scope::OneShot,
        opened: at,
        action: None,
        identifiers: Vec::new(),
        discharge: Discharge {
            text: "the words that use it are left behind".to_owned(),
            check: Check::Revoked,
            needs: Vec::new(),
            observable: true,
        },
        weight: Weight::Repair,
        pointer: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::base::ids::SpanIx;
    use crate::ledger::LaneSnapshot;
    use crate::ledger::entry::{EdgeKind, EntryKind, EntryStatus};
    use crate::ledger::testing::fold;

    const OFFER: &str = "prompt How could the sync be made safe?
         step m1
         say There are two ways: 1. A lock file in the spool. 2) A queue table with one worker.
         turn-ended";

    fn references(lane: &LaneSnapshot) -> Vec<(String, EntryStatus)> {
        let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind == EntryKind::Reference);
        all.map(|entry| (entry.text.to_string(), entry.status())).collect()
    }

    #[test]
    fn an_option_touches_the_message_that_defines_it() {
        let lane = fold(&format!("{OFFER}\nprompt Go with option 2, please."));
        assert_eq!(references(&lane), [("option 2 → 2) A queue table with one worker.".to_owned(), EntryStatus::Live)]);
        let end = lane.end().unwrap();
        let all: Vec<_> = lane.live_at(end);
        let reference = all.iter().find(|entry| entry.kind == EntryKind::Reference).unwrap();
        assert_eq!(reference.touches_at(end).collect::<Vec<_>>(), [SpanIx(1)]);
        let user = all.iter().find(|entry| entry.edges.iter().any(|edge| edge.to == reference.id)).unwrap();
        assert_eq!((&*user.text, user.edges[0].kind), ("Go with option 2, please.", EdgeKind::Uses));
    }

    #[test]
    fn several_items_in_one_word_are_one_reference() {
        let lane = fold(&format!("{OFFER}\nprompt Do 1,2 please."));
        let text = "1,2 → 1. A lock file in the spool.\n2) A queue table with one worker.".to_owned();
        assert_eq!(references(&lane), [(text, EntryStatus::Live)]);
    }

    #[test]
    fn the_rest_is_what_no_other_words_mean() {
        let offer = "prompt What is left?\nstep m1\nsay Left: 1. the lock, 2. the queue, 3. the docs\nturn-ended";
        let lane = fold(&format!("{offer}\nprompt skip 2 and do the rest"));
        let told = [("2 → 2. the queue,", EntryStatus::Live), ("the rest → 1. the lock,\n3. the docs", EntryStatus::Live)];
        assert_eq!(references(&lane), told.map(|(text, status)| (text.to_owned(), status)));
    }

    #[test]
    fn what_is_meant_twice_is_one_reference() {
        let lane = fold(&format!("{OFFER}\nprompt Go with option 2, and test option 2 well."));
        assert_eq!(references(&lane).len(), 1);
    }

    #[test]
    fn it_lives_as_long_as_the_words_that_use_it() {
        let turn = |n: u32, words: &str| format!("\nprompt {words}\nstep t{n}\nsay Fine.\nturn-ended");
        let used = format!("{OFFER}{}", turn(1, "Go with option 2."));
        assert_eq!(references(&fold(&used))[0].1, EntryStatus::Live);
        let left =
            format!("{used}{}{}{}", turn(2, "Rename the worker."), turn(3, "Translate the handbook."), turn(4, "Thanks a lot."));
        assert_eq!(references(&fold(&left))[0].1, EntryStatus::Settled);
    }

    #[test]
    fn what_names_nothing_in_the_message_before_is_no_reference() {
        let long = format!("Option 1: {}", "a plan with its own options. ".repeat(80));
        for words in [long.as_str(), "Go with option 7.", "Use 3 workers on port 5433.", "Wait a second.", "It has 2 columns."] {
            assert_eq!(references(&fold(&format!("{OFFER}\nprompt {words}"))), [], "{words}");
        }
    }

    #[test]
    fn what_the_runtime_puts_in_refers_to_nothing() {
        assert_eq!(references(&fold(&format!("{OFFER}\ninjected Go with option 2."))), []);
    }
}
