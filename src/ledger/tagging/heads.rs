//! Heads of lists and sections, which pass their kind down to the items below them.

use super::rules::Rule;
use crate::ledger::segments::{Segment, SegmentKind};

/// The heads that the next segment stands under, the nearest last.
#[derive(Default)]
pub(super) struct Heads<'r> {
    open: Vec<Head<'r>>,
}

/// A head that is open.
struct Head<'r> {
    level: Level,
    rule: Option<&'r Rule>,
}

/// How far a head reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    /// Over the whole text: it stands above it.
    Text,
    /// To the next heading.
    Section,
    /// Over the list right below it.
    List,
    /// Over the items that are set in further than it.
    Item(usize),
}

/// The deepest nesting that is followed.
const DEEPEST: usize = 16;

impl<'r> Heads<'r> {
    /// A head that stands above the text.
    pub(super) fn given(rule: Option<&'r Rule>) -> Self {
        Self { open: rule.map(|rule| Head { level: Level::Text, rule: Some(rule) }).into_iter().collect() }
    }

    /// Closes the heads that do not reach to a segment, and returns the rule of the nearest that does.
    pub(super) fn over(&mut self, segment: &Segment) -> Option<&'r Rule> {
        let reaches = |head: &Head<'_>| match (segment.kind, head.level) {
            (_, Level::Text) => true,
            (SegmentKind::Heading, _) => false,
            (SegmentKind::Sentence | SegmentKind::Block, level) => level == Level::Section,
            (_, Level::Section | Level::List) => true,
            (SegmentKind::More, Level::Item(indent)) => segment.indent >= indent,
            (_, Level::Item(indent)) => segment.indent > indent,
        };
        self.open.retain(reaches);
        let nearest = self.open.last()?;
        // The items of a list belong to it; a paragraph under a heading says what it says.
        let own = nearest.level == Level::Text || matches!(segment.kind, SegmentKind::Item | SegmentKind::More | SegmentKind::Row);
        own.then_some(nearest.rule).flatten()
    }

    /// Opens a head: its rule is none where its items say for themselves what they are.
    pub(super) fn open(&mut self, segment: &Segment, rule: Option<&'r Rule>) {
        let level = match segment.kind {
            SegmentKind::Heading => Level::Section,
            SegmentKind::Item | SegmentKind::More => Level::Item(segment.indent),
            _ => Level::List,
        };
        if self.open.len() < DEEPEST {
            self.open.push(Head { level, rule });
        }
    }
}
