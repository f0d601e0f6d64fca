//! The values that are known by name, looked up by any of their spellings.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::rows::{ValuePlace, ValueRole, ValueRow, ValueRows};
use super::spelling::{Relation, cut, family, is_same, relation, short};
use crate::base::ids::{EventIx, SpanIx, ValueIx};
use crate::ledger::identifiers::IdentifierKind;

/// The most values of a lane.
const MOST: usize = 1 << 16;

/// Bits of the filter before the table: nearly every word of an output is the spelling of no known value.
const FILTER_BITS: usize = 1 << 16;

/// Which values there are, by family.
pub(super) struct Known {
    filter: Vec<u64>,
    /// The newest value of each family.
    newest: FxHashMap<u32, ValueIx>,
    values: Vec<Value>,
    /// Spellings of values, cut, one behind the other: a look-up reads this and not the rows, which lie far apart.
    spellings: String,
}

/// What is looked up of a value.
#[derive(Clone, Copy)]
struct Value {
    /// The older one of its family.
    older: Option<ValueIx>,
    /// Its fullest spelling: where it begins and ends.
    spelling: (u32, u32),
    /// Where it stood last, and in what parts of that span.
    span: SpanIx,
    roles: [bool; 3],
}

impl Default for Known {
    fn default() -> Self {
        Self { filter: vec![0; FILTER_BITS / 64], newest: FxHashMap::default(), values: Vec::new(), spellings: String::new() }
    }
}

impl Known {
    /// Notes that a word of a family stands in a span, if it spells a value.
    pub(super) fn stands(
        &mut self,
        rows: &mut ValueRows,
        (word, family): (&str, u32),
        (span, since): (SpanIx, EventIx),
        role: ValueRole,
    ) {
        let mut next = self.newest.get(&family).copied();
        while let Some((ix, known)) = next.and_then(|ix| self.values.get(ix.index()).map(|known| (ix, *known))) {
            next = known.older;
            let value = match relation(word, self.spelling(known)) {
                Relation::Same => ix,
                Relation::Shortened => rows.all.get(ix.index()).and_then(|row| row.short).unwrap_or(ix),
                Relation::Other => continue,
            };
            self.place(rows, ValuePlace { value, span, since, role });
        }
    }

    /// The value that a word spells, and not only shortens.
    pub(super) fn find(&self, word: &str) -> Option<ValueIx> {
        self.find_in(family(word), word)
    }

    fn find_in(&self, family: u32, word: &str) -> Option<ValueIx> {
        let mut next = self.newest.get(&family).copied();
        while let Some((ix, known)) = next.and_then(|ix| self.values.get(ix.index()).map(|known| (ix, *known))) {
            if is_same(word, self.spelling(known)) {
                return Some(ix);
            }
            next = known.older;
        }
        None
    }

    fn spelling(&self, value: Value) -> &str {
        let (start, end) = value.spelling;
        self.spellings.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Keeps the spelling of a text.
    fn keep(&mut self, text: &str) -> (u32, u32) {
        let start = self.spellings.len();
        self.spellings.push_str(cut(text));
        (start as u32, self.spellings.len() as u32)
    }

    /// The newest span in which a value stood.
    pub(super) fn last(&self, value: ValueIx) -> Option<SpanIx> {
        self.values.get(value.index()).filter(|known| known.roles.contains(&true)).map(|known| known.span)
    }

    /// Makes a value of a text whose spelling `word` is, or finds the one that it is. None where there are too many, and whether it
    /// is new.
    pub(super) fn add(
        &mut self,
        rows: &mut ValueRows,
        (text, word): (&str, &str),
        kind: IdentifierKind,
        since: EventIx,
    ) -> Option<(ValueIx, Found)> {
        let family = family(word);
        if let Some(ix) = self.find_in(family, word) {
            if rows.all.get(ix.index()).is_some_and(|row| is_fuller((text, word), row))
                && let Some(row) = rows.all.get_mut(ix.index())
            {
                row.spellings.push((since, Arc::from(text)));
                let spelling = self.keep(text);
                if let Some(known) = self.values.get_mut(ix.index()) {
                    known.spelling = spelling;
                }
            }
            return Some((ix, Found::Known));
        }
        if rows.all.len() >= MOST {
            return None;
        }
        let short = short(word, kind).and_then(|short| Some(self.add(rows, (short, short), short_kind(kind), since)?.0));
        let ix = ValueIx::from_index(rows.all.push(ValueRow { kind, spellings: vec![(since, Arc::from(text))], short }));
        let (older, spelling) = (self.newest.insert(family, ix), self.keep(text));
        self.values.push(Value { older, spelling, span: SpanIx(0), roles: [false; 3] });
        let (at, bit) = bit_of(family);
        if let Some(bits) = self.filter.get_mut(at) {
            *bits |= bit;
        }
        Some((ix, Found::New))
    }

    /// Notes a place of a value, once a span and role.
    pub(super) fn place(&mut self, rows: &mut ValueRows, place: ValuePlace) {
        let Some(known) = self.values.get_mut(place.value.index()) else { return };
        if known.span != place.span {
            (known.span, known.roles) = (place.span, [false; 3]);
        }
        if let Some(role) = known.roles.get_mut(place.role as usize).filter(|stood| !**stood) {
            *role = true;
            rows.places.push(place);
        }
    }

    /// Whether a word of this family may spell a value; nearly none does.
    pub(super) fn may_have(&self, family: u32) -> bool {
        let (at, bit) = bit_of(family);
        self.filter.get(at).is_some_and(|bits| bits & bit != 0)
    }
}

/// Whether a value was one before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Known,
    New,
}

/// What the shortened form of a value is.
fn short_kind(kind: IdentifierKind) -> IdentifierKind {
    if kind == IdentifierKind::Path { IdentifierKind::File } else { kind }
}

fn bit_of(family: u32) -> (usize, u64) {
    let bit = family as usize % FILTER_BITS;
    (bit / 64, 1 << (bit % 64))
}

/// Whether a text says more of a value than its spellings so far.
fn is_fuller((text, word): (&str, &str), row: &ValueRow) -> bool {
    let known = row.spellings.last().map_or("", |(_, text)| text);
    let is_from_root = word.contains('/') && text.starts_with('/') && !known.starts_with('/');
    word.len() > cut(known).len() || (word == cut(known) && is_from_root)
}
