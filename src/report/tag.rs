//! What `owed tag` says of a text: its regions, which cover it without overlap, and its exact values.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::ledger::entry::EntryKind;
use crate::ledger::identifiers::spoken;
use crate::ledger::tagging::{Act, Region};

/// What a text was read as. Offsets are bytes of the text that was given.
#[derive(Clone, Debug, Serialize)]
pub struct TagReport<'t> {
    /// The id that the text came with; null where it came without.
    pub id: Value,
    /// Its parts, by place. White space belongs to what stands before it.
    pub regions: Vec<RegionReport<'t>>,
    /// Exact values in it, by place.
    pub identifiers: Vec<IdentifierReport<'t>>,
}

/// A part of a text.
#[derive(Clone, Debug, Serialize)]
pub struct RegionReport<'t> {
    /// A kind of entry, or `narrative`.
    pub kind: &'static str,
    /// What else it is.
    pub also: Vec<&'static str>,
    /// How long it holds; null of a narrative.
    pub scope: Option<&'static str>,
    /// Its first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
    /// Its words.
    pub text: &'t str,
    /// The cue of `cues.toml` that says so.
    pub rule: String,
    /// How sure that is.
    pub trust: &'static str,
    /// The key of an explicit tag.
    pub key: Option<String>,
    /// What is done by saying it: `revokes`, `approves`, `rejects`, `asks`, `promises`, `not-yet`, `guards`, `waives`.
    pub acts: Vec<&'static str>,
}

/// An exact value.
#[derive(Clone, Debug, Serialize)]
pub struct IdentifierReport<'t> {
    /// What it is.
    pub kind: &'static str,
    /// Its first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
    /// The value.
    pub text: &'t str,
}

impl<'t> TagReport<'t> {
    /// The twin of what a text was read as.
    #[must_use]
    pub fn of(id: Value, text: &'t str, regions: &[Region]) -> Self {
        let starts = regions.iter().enumerate().map(|(n, region)| if n == 0 { 0 } else { region.range.start });
        let ends = regions.iter().skip(1).map(|region| region.range.start).chain([text.len()]);
        let parts = regions.iter().zip(starts.zip(ends)).map(|(region, (start, end))| RegionReport::of(text, region, start, end));
        let mut regions: Vec<_> = parts.collect();
        if regions.is_empty() && !text.is_empty() {
            regions.push(RegionReport::of(text, &Region::narrative(0..text.len(), "no-words"), 0, text.len()));
        }
        let value = |found: crate::ledger::identifiers::Identifier| IdentifierReport {
            kind: found.kind.word(),
            start: found.range.start,
            end: found.range.end,
            text: text.get(found.range).unwrap_or(""),
        };
        Self { id, regions, identifiers: spoken(text).into_iter().map(value).collect() }
    }
}

impl<'t> RegionReport<'t> {
    fn of(text: &'t str, region: &Region, start: usize, end: usize) -> Self {
        Self {
            kind: region.kind.map_or("narrative", EntryKind::word),
            also: region.also.iter().map(|kind| kind.word()).collect(),
            scope: region.kind.map(|_| region.scope.word()),
            start,
            end,
            text: text.get(start..end).unwrap_or(""),
            rule: Cow::into_owned(region.rule.clone()),
            trust: region.trust.word(),
            key: region.key.clone(),
            acts: region.acts.iter().copied().map(Act::word).collect(),
        }
    }
}
