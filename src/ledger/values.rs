//! Exact values: where each was first seen, which were given to a tool or named by a human, and where those stood (DESIGN section 5).
//!
//! Most of a session is tool output. Its words go into a small table and nothing else happens to them, unless one spells a value that
//! is known: then its place is noted. What is said and what is given to a tool is read as people read it, and makes the values.

mod known;
mod rows;
mod scan;
mod seen;
mod sets;
mod spelled;
mod spelling;

use crate::base::ids::{CallIx, EntryId, EventIx, SpanIx, TurnIx, ValueIx};
use crate::base::text::prefix;
use crate::ledger::book;
use crate::ledger::entry::EdgeKind;
use crate::ledger::folds::Page;
use crate::ledger::identifiers::{Identifier, IdentifierKind as Kind, identifiers};
use crate::ledger::rows::{EventKind, INPUT_BYTES};
use crate::ledger::snapshot::LaneSnapshot;
use crate::transcript::{Call, Payload, Speaker};

pub use rows::{ValuePlace, ValueRole, ValueRow, ValueRows, ValueSet};
pub use spelled::{Spelled, Speller, Spellings};
pub use spelling::{Relation, cut as spelled, ends, family, is_same, relation};

use known::{Found, Known};
use seen::Seen;
use sets::By;
use spelled::{Spelling, Word, spell};
use spelling::{cut, hash, is_common};

/// A call depends on the outputs of at most so many others.
const MOST_SOURCES: usize = 3;

/// Of a longer input the names that stand in a row are code, not a choice.
const LIST_BYTES: usize = 1000;

/// The fold of exact values.
#[derive(Default)]
pub(super) struct Values {
    seen: Seen,
    known: Known,
}

impl Values {
    /// An event came whose text spells this. What a call is given is read when the call is there.
    pub(super) fn seen(&mut self, page: &mut Page<'_>, payload: &Payload<'_>, spelled: Spelled<'_>) {
        let Spelled { exact, words } = spelled;
        match payload {
            Payload::User { speaker: Speaker::Human | Speaker::Steering | Speaker::Parent, text } => {
                self.make(page, text, exact, |_| ValueRole::Said);
                self.list(page, text, exact, ValueRole::Said);
                self.scan(page, (text, words), |_, _| ValueRole::Said);
            }
            Payload::Assistant { text } => {
                for found in exact {
                    if let Some(value) = text.get(found.range.clone()) {
                        self.stands(page, value, said_at(text, found.range.start));
                    }
                }
                self.scan(page, (text, words), |at, _| said_at(text, at));
            }
            Payload::Resolution(resolution) => {
                self.scan(page, (&resolution.text, words), |_, _| ValueRole::Shown);
                if let Some(said) = &resolution.said {
                    self.make(page, said, &identifiers(said), |_| ValueRole::Said);
                }
            }
            Payload::User { text, .. }
            | Payload::Summary { text, .. }
            | Payload::Reasoning { text }
            | Payload::Job { text, .. }
            | Payload::Unrecognised { text, .. } => self.scan(page, (text, words), |_, _| ValueRole::Shown),
            Payload::Call(_) | Payload::Boundary(_) | Payload::Ran { .. } | Payload::Mark(_) => {}
        }
    }

    /// A call was made whose input spells this: it depends on the outputs that told it what to act on.
    pub(super) fn made(&mut self, page: &mut Page<'_>, ix: CallIx, call: &Call<'_>, spelled: Spelled<'_>) {
        let Spelled { exact, words } = spelled;
        let input = call.input.as_str();
        let begin = prefix(input, INPUT_BYTES);
        let sources = self.sources(page.rows, begin, exact);
        if let Some(entry) = page.rows.calls.get(ix.index()).map(|call| call.entry) {
            for source in sources {
                book::link(page.rows, entry, EdgeKind::DependsOnOutput, source, page.at.event);
            }
        }
        let Some(row) = page.rows.calls.get(ix.index()) else { return };
        // Of what goes into a file, only the file is what the call is about.
        let file = row.target.clone().filter(|_| row.world.as_deref() == Some("file"));
        let file_name = file.as_deref().map(cut);
        let role = |word: &str| match file_name {
            Some(file) if word.len() < file.len() || cut(word) != file => ValueRole::Shown,
            _ => ValueRole::Given,
        };
        self.make(page, begin, exact, role);
        if file.is_none() && input.len() <= LIST_BYTES {
            self.list(page, begin, exact, ValueRole::Given);
        }
        self.scan(page, (input, words), |_, word| role(word));
    }

    /// The newest turn in which a value stood anywhere.
    pub(super) fn last_turn(&self, rows: &LaneSnapshot, value: &str) -> Option<TurnIx> {
        let word = cut(value);
        let known = self.known.find(word).and_then(|ix| self.known.last(ix));
        let seen = self.sight(word).map(|(_, newest)| newest);
        rows.spans.get(known.max(seen)?.index()).map(|span| span.turn)
    }

    /// The entries of the calls in whose outputs the values of an input were first seen.
    fn sources(&self, rows: &LaneSnapshot, input: &str, found: &[Identifier]) -> Vec<EntryId> {
        let mut sources = Vec::new();
        for identifier in found.iter().filter(|found| is_exact(found.kind)) {
            let Some(word) = input.get(identifier.range.clone()).map(cut).filter(|word| word.len() >= 4 && !is_common(word)) else {
                continue;
            };
            let Some(first) = self.sight(word).and_then(|(event, _)| rows.events.get(event.index())) else { continue };
            let call = first.call.filter(|_| first.kind == EventKind::Resolution).and_then(|call| rows.calls.get(call.index()));
            if let Some(call) = call.filter(|call| !sources.contains(&call.entry)) {
                sources.push(call.entry);
                if sources.len() == MOST_SOURCES {
                    break;
                }
            }
        }
        sources
    }

    /// The event in which a value was first seen, and the span in which it was seen last, in whatever spelling.
    fn sight(&self, word: &str) -> Option<(EventIx, SpanIx)> {
        let spelled = ends(word).filter(|end| end.len() < word.len()).chain(std::iter::once(word));
        let seen = spelled.filter_map(|word| self.seen.get(hash(word))).map(|slot| (slot.first, slot.newest));
        seen.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Makes the exact values of a text known.
    fn make(&mut self, page: &mut Page<'_>, text: &str, found: &[Identifier], role: impl Fn(&str) -> ValueRole) {
        for identifier in found {
            let Some(value) = text.get(identifier.range.clone()) else { continue };
            if is_value(identifier.kind) && cut(value).len() >= 3 && !(identifier.kind == Kind::Path && value.contains(['=', '*']))
            {
                self.know(page, value, identifier.kind);
            }
            self.stands(page, value, role(value));
        }
    }

    /// Makes the members of a text's lists known, and the lists.
    fn list(&mut self, page: &mut Page<'_>, text: &str, found: &[Identifier], role: ValueRole) {
        let by = if role == ValueRole::Said { By::Human } else { By::Call };
        for set in sets::sets(text, found, by) {
            let mut members: Vec<ValueIx> = Vec::with_capacity(set.len());
            for (value, kind) in set {
                members.extend(self.know(page, value, kind));
                self.stands(page, value, role);
            }
            if members.len() > 1 {
                let (span, since) = (page.at.span, page.at.event);
                page.rows.values.sets.push(ValueSet { members: members.into(), span, since });
            }
        }
    }

    /// Makes a value known, with the places in which it stood before.
    fn know(&mut self, page: &mut Page<'_>, value: &str, kind: Kind) -> Option<ValueIx> {
        let (word, since) = (cut(value), page.at.event);
        let text = crate::ledger::identifiers::without_line(value);
        let (ix, found) = self.known.add(&mut page.rows.values, (text, word), kind, since)?;
        if found == Found::New {
            let short = page.rows.values.all.get(ix.index()).and_then(|row| row.short);
            self.seed(page.rows, ix, since);
            if let Some(short) = short.filter(|short| self.known.last(*short).is_none()) {
                self.seed(page.rows, short, since);
            }
        }
        Some(ix)
    }

    /// Notes the places of a new value that the table still knows.
    fn seed(&mut self, rows: &mut LaneSnapshot, value: ValueIx, since: EventIx) {
        let Some(row) = rows.values.all.get(value.index()) else { return };
        let Some((first, newest)) = self.sight(cut(row.full_at(since))) else { return };
        if let Some(first) = rows.events.get(first.index())
            && let Some(span) = first.span
        {
            let role = role_of(first.kind);
            self.known.place(&mut rows.values, ValuePlace { value, span, since, role });
        }
        self.known.place(&mut rows.values, ValuePlace { value, span: newest, since, role: ValueRole::Shown });
    }

    /// Notes the words of a text, each in its role: all in the table first, which is large, so that no look-up there waits for another.
    fn scan(&mut self, page: &mut Page<'_>, (text, words): (&str, &[Word]), role: impl Fn(usize, &str) -> ValueRole) {
        for word in words {
            self.see(page, word.spelling);
        }
        for word in words {
            let whole = word.of(text);
            self.meet(page, (whole, word.spelling), || role(word.start as usize, whole));
        }
    }

    /// Notes that a word stands in the event's span.
    fn stands(&mut self, page: &mut Page<'_>, word: &str, role: ValueRole) {
        spell(word).each(|spelling| {
            self.see(page, spelling);
            self.meet(page, (word, spelling), || role);
        });
    }

    /// Notes a spelling as seen.
    fn see(&mut self, page: &Page<'_>, spelling: Spelling) {
        if spelling.own != 0 {
            self.seen.touch(spelling.own, page.at.event, page.at.span);
        }
    }

    /// Notes the place of the value that a word spells, if it spells one. Nearly none does: no more is asked of the others.
    fn meet(&mut self, page: &mut Page<'_>, (word, spelling): (&str, Spelling), role: impl FnOnce() -> ValueRole) {
        if self.known.may_have(spelling.family) {
            let at = (page.at.span, page.at.event);
            self.known.stands(&mut page.rows.values, (spelling.of(word), spelling.family), at, role());
        }
    }
}

/// Whether a kind of value is one that a call may be given and a later text rely on.
fn is_value(kind: Kind) -> bool {
    is_exact(kind) || matches!(kind, Kind::Port | Kind::Version | Kind::Assignment)
}

/// Whether a kind of value stands for one thing: who writes it has it from somewhere.
fn is_exact(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Path
            | Kind::File
            | Kind::Url
            | Kind::Email
            | Kind::Host
            | Kind::Sha
            | Kind::Id
            | Kind::Package
            | Kind::Ticket
            | Kind::Name
    )
}

/// What an event of this kind does with the values in it.
fn role_of(kind: EventKind) -> ValueRole {
    match kind {
        EventKind::Prompt | EventKind::Task | EventKind::Assistant => ValueRole::Said,
        EventKind::Call => ValueRole::Given,
        _ => ValueRole::Shown,
    }
}

/// What the assistant does with the word at `at`: in a drawing of a tree of files it shows it.
fn said_at(text: &str, at: usize) -> ValueRole {
    let is_drawn = text.get(..at).is_some_and(|before| before.ends_with("\u{2500} "));
    if is_drawn { ValueRole::Shown } else { ValueRole::Said }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::delta::Delta;
    use crate::ledger::entry::Moment;
    use crate::ledger::rows::{SpanKind, SpanRow};
    use crate::ledger::testing::rules;
    use crate::transcript::Place;

    #[test]
    fn a_value_was_last_used_in_the_newest_turn_in_which_it_stood_anywhere() {
        let (mut rows, mut delta, mut values) = (LaneSnapshot::default(), Delta::default(), Values::default());
        let texts = [
            (Speaker::Human, "The proxy is on port 8443, the table is orders_v2."),
            (Speaker::Injected, "listening on localhost:8443"),
            (Speaker::Injected, "created orders_v2"),
            (Speaker::Injected, "created public.orders_v2 and orders_v3, 84430 rows"),
        ];
        for (n, (speaker, text)) in texts.into_iter().enumerate() {
            let (span, turn, event) = (SpanIx::from_index(n), TurnIx::from_index(n), EventIx::from_index(n));
            rows.spans.push(SpanRow {
                kind: SpanKind::Prompt,
                turn,
                first: event,
                last: event,
                events: 1,
                tokens: 0,
                left: None,
                masked: None,
            });
            let at = Moment { event, line: 1, span, turn, at: None };
            let mut page = Page { rows: &mut rows, delta: &mut delta, at, place: Place::default(), rules: &rules() };
            let payload = Payload::User { speaker, text: text.into() };
            let mut spellings = Spellings::default();
            spellings.add(&payload, &mut Speller::default());
            values.seen(&mut page, &payload, spellings.iter().next().unwrap());
        }
        assert_eq!(values.last_turn(&rows, "8443"), Some(TurnIx(1)), "a port stands in an address, too");
        assert_eq!(values.last_turn(&rows, "orders_v2"), Some(TurnIx(2)), "and not in another name");
        assert_eq!(values.last_turn(&rows, "orders_v4"), None);
    }
}
