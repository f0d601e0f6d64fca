//! The spans of a judgement: one small row for each span of the context, none for what left it.
//!
//! A lane may have 200,000 spans and a judgement is made on every publication, so nothing is allocated for a span that nothing
//! happens to.

use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::judgement::{Action, Colour};

/// The spans of a lane up to the moment of a judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    total: usize,
    context: Vec<Row>,
    /// The context's spans that have a reason, each with the end of its run in `reasons`.
    coloured: Vec<(SpanIx, usize)>,
    reasons: Vec<EntryId>,
}

/// One span as a judgement sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanView<'a> {
    /// The span.
    pub span: SpanIx,
    /// Tokens that it takes in the context; 0 outside it.
    pub tokens: u64,
    /// Whether it is in the context.
    pub in_context: bool,
    /// Its colour; opportunity outside the context, where nothing can be lost any more.
    pub colour: Colour,
    /// The entries that give it that colour.
    pub reasons: &'a [EntryId],
    /// What the policy would do to it; dropped outside the context, where it is no more.
    pub action: Action,
}

/// A span of the context: what [`Spans`] is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The span.
    pub span: SpanIx,
    /// Tokens that it takes.
    pub tokens: u32,
    /// Its colour.
    pub colour: Colour,
    /// What the policy would do to it.
    pub action: Action,
}

impl Spans {
    /// The spans of a lane of which `total` had begun and `context`, in ascending order, are still there. `reasons` are pairs of a
    /// span and an entry that colours it, sorted by span.
    #[must_use]
    pub fn new(total: usize, context: Vec<Row>, reasons: &[(SpanIx, EntryId)]) -> Self {
        let mut coloured: Vec<(SpanIx, usize)> = Vec::new();
        for (n, &(span, _)) in reasons.iter().enumerate() {
            match coloured.last_mut() {
                Some((last, end)) if *last == span => *end = n + 1,
                _ => coloured.push((span, n + 1)),
            }
        }
        Self { total, context, coloured, reasons: reasons.iter().map(|&(_, entry)| entry).collect() }
    }

    /// Number of spans that had begun, in the context or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether no span had begun.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The span of this number, if it had begun.
    #[must_use]
    pub fn get(&self, span: SpanIx) -> Option<SpanView<'_>> {
        (span.index() < self.total).then(|| self.view(span, self.context.binary_search_by_key(&span, |row| row.span).ok()))
    }

    /// Every span that had begun, in order.
    pub fn iter(&self) -> impl Iterator<Item = SpanView<'_>> + '_ {
        let mut next = 0;
        (0..self.total).map(SpanIx::from_index).map(move |span| {
            let here = self.context.get(next).is_some_and(|row| row.span == span).then_some(next);
            next += usize::from(here.is_some());
            self.view(span, here)
        })
    }

    /// The spans of the context, in order.
    pub fn context(&self) -> impl DoubleEndedIterator<Item = SpanView<'_>> + '_ {
        self.context.iter().enumerate().map(|(n, row)| self.view(row.span, Some(n)))
    }

    fn view(&self, span: SpanIx, row: Option<usize>) -> SpanView<'_> {
        match row.and_then(|n| self.context.get(n)) {
            Some(row) => SpanView {
                span,
                tokens: u64::from(row.tokens),
                in_context: true,
                colour: row.colour,
                reasons: self.reasons_of(span),
                action: row.action,
            },
            None => {
                SpanView { span, tokens: 0, in_context: false, colour: Colour::Opportunity, reasons: &[], action: Action::Dropped }
            }
        }
    }

    fn reasons_of(&self, span: SpanIx) -> &[EntryId] {
        let Ok(n) = self.coloured.binary_search_by_key(&span, |&(span, _)| span) else { return &[] };
        let end = |n: usize| self.coloured.get(n).map_or(0, |&(_, end)| end);
        self.reasons.get(n.checked_sub(1).map_or(0, end)..end(n)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_outside_the_context_are_listed_and_carry_nothing() {
        let row = |span, colour| Row { span: SpanIx(span), tokens: 10, colour, action: Action::Summarised };
        let context = vec![row(1, Colour::Opportunity), row(4, Colour::Barrier), row(5, Colour::Repair)];
        let reasons = [(SpanIx(4), EntryId(7)), (SpanIx(4), EntryId(9)), (SpanIx(5), EntryId(7))];
        let spans = Spans::new(6, context, &reasons);
        let seen: Vec<_> = spans.iter().map(|s| (s.span.0, s.in_context, s.tokens, s.reasons.to_vec())).collect();
        assert_eq!(
            seen,
            [
                (0, false, 0, vec![]),
                (1, true, 10, vec![]),
                (2, false, 0, vec![]),
                (3, false, 0, vec![]),
                (4, true, 10, vec![EntryId(7), EntryId(9)]),
                (5, true, 10, vec![EntryId(7)]),
            ]
        );
        assert_eq!(spans.context().map(|s| s.span.0).collect::<Vec<_>>(), [1, 4, 5]);
        assert_eq!(spans.get(SpanIx(4)).map(|s| s.colour), Some(Colour::Barrier));
        assert_eq!(spans.get(SpanIx(6)), None);
    }
}
