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
    /// Of each value, the older one of its family.
    older: Vec<Option<ValueIx>>,
    /// Of each value, where it stood last, and in what parts of that span.
    last: Vec<(SpanIx, [bool; 3])>,
}

impl Default for Known {
    fn default() -> Self {
        Self { filter: vec![0; FILTER_BITS / 64], newest: FxHashMap::default(), older: Vec::new(), last: Vec::new() }
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
        while let Some(ix) = next {
            next = self.older.get(ix.index()).copied().flatten();
            let Some(row) = rows.all.get(ix.index()) else { continue };
            let value = match relation(word, spelling(row)) {
                Relation::Same => ix,
                Relation::Shortened => row.short.unwrap_or(ix),
                Relation::Other => continue,
            };
            self.place(rows, ValuePlace { value, span, since, role });
        }
    }

    /// The value that a word spells, and not only shortens.
    pub(super) fn find(&self, rows: &ValueRows, word: &str) -> Option<ValueIx> {
        let mut next = self.newest.get(&family(word)).copied();
        while let Some(ix) = next {
            if rows.all.get(ix.index()).is_some_and(|row| is_same(word, spelling(row))) {
                return Some(ix);
            }
            next = self.older.get(ix.index()).copied().flatten();
        }
        None
    }

    /// The newest span in which a value stood.
    pub(super) fn last(&self, value: ValueIx) -> Option<SpanIx> {
        self.last.get(value.index()).filter(|(_, roles)| roles.contains(&true)).map(|(span, _)| *span)
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
        if let Some(ix) = self.find(rows, word) {
            if rows.all.get(ix.index()).is_some_and(|row| is_fuller((text, word), row))
                && let Some(row) = rows.all.get_mut(ix.index())
            {
                row.spellings.push((since, Arc::from(text)));
            }
            return Some((ix, Found::Known));
        }
        if rows.all.len() >= MOST {
            return None;
        }
        let short = short(word, kind).and_then(|short| Some(self.add(rows, (short, short), short_kind(kind), since)?.0));
        let ix = ValueIx::from_index(rows.all.push(ValueRow { kind, spellings: vec![(since, Arc::from(text))], short }));
        let family = family(word);
        self.older.push(self.newest.insert(family, ix));
        self.last.push((SpanIx(0), [false; 3]));
        let (at, bit) = bit_of(family);
        if let Some(bits) = self.filter.get_mut(at) {
            *bits |= bit;
        }
        Some((ix, Found::New))
    }

    /// Notes a place of a value, once a span and role.
    pub(super) fn place(&mut self, rows: &mut ValueRows, place: ValuePlace) {
        let Some((span, roles)) = self.last.get_mut(place.value.index()) else { return };
        if *span != place.span {
            (*span, *roles) = (place.span, [false; 3]);
        }
        if let Some(role) = roles.get_mut(place.role as usize).filter(|stood| !**stood) {
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

/// The fullest spelling of a value, cut.
fn spelling(row: &ValueRow) -> &str {
    row.spellings.last().map_or("", |(_, text)| cut(text))
}

/// Whether a text says more of a value than its spellings so far.
fn is_fuller((text, word): (&str, &str), row: &ValueRow) -> bool {
    let known = row.spellings.last().map_or("", |(_, text)| text);
    let is_from_root = word.contains('/') && text.starts_with('/') && !known.starts_with('/');
    word.len() > cut(known).len() || (word == cut(known) && is_from_root)
}
