//! Spans as scripts read them: where each lies, what it weighs, its colour and why.

use serde::Serialize;

use crate::base::ids::EventIx;
use crate::report::entry::Id;
use crate::report::subject::Subject;

/// One span at the moment.
#[derive(Clone, Debug, Serialize)]
pub struct SpanReport {
    /// The span.
    pub span: u32,
    /// The turn that it stands in.
    pub turn: u32,
    /// `prompt`, `step`, `injected` or `system`.
    pub kind: &'static str,
    /// Its events, as ranges of which both ends belong to it.
    pub events: Vec<(u32, u32)>,
    /// Their lines, as ranges of which both ends belong to it.
    pub lines: Vec<(u32, u32)>,
    /// Tokens in the context; 0 outside it.
    pub tokens: u64,
    /// Whether the tokens are an estimate: only whole contexts are ever charged, so they are.
    pub estimated: bool,
    /// Whether the model would be sent it now.
    pub in_context: bool,
    /// `opportunity`, `repair` or `barrier`; null outside the context, where nothing can be lost any more.
    pub colour: Option<&'static str>,
    /// The entries that give it that colour.
    pub reasons: Vec<Id>,
    /// What the policy would do to it: `kept`, `masked`, `summarised` or `dropped`; null outside the context.
    pub action: Option<&'static str>,
}

impl SpanReport {
    /// The spans of the subject's lane up to the moment.
    #[must_use]
    pub fn all(subject: &Subject<'_>) -> Vec<Self> {
        let places = places(subject);
        let rows = subject.judgement.spans.iter().zip(places);
        rows.filter_map(|(view, (events, lines))| {
            let row = subject.lane.spans.get(view.span.index())?;
            Some(Self {
                span: view.span.0,
                turn: row.turn.0,
                kind: row.kind.word(),
                events,
                lines,
                tokens: view.tokens,
                estimated: true,
                in_context: view.in_context,
                colour: view.in_context.then(|| view.colour.word()),
                reasons: view.reasons.iter().copied().map(Id).collect(),
                action: view.in_context.then(|| view.action.word()),
            })
        })
        .collect()
    }
}

type Ranges = Vec<(u32, u32)>;

/// For each span, the events and the lines that it takes: one pass, since a span's events need not be contiguous.
fn places(subject: &Subject<'_>) -> Vec<(Ranges, Ranges)> {
    let mut places = vec![(Ranges::new(), Ranges::new()); subject.judgement.spans.len()];
    let end = subject.judgement.at.map_or(0, |at| at.index() + 1);
    for (n, row) in subject.lane.events.range(0..end).enumerate() {
        let Some((events, lines)) = row.span.and_then(|span| places.get_mut(span.index())) else { continue };
        extend(events, EventIx::from_index(n).0);
        extend(lines, row.place.line);
    }
    places
}

/// Adds `n` to ranges that grow at their end.
fn extend(ranges: &mut Ranges, n: u32) {
    match ranges.last_mut() {
        Some((_, last)) if (*last..=last.saturating_add(1)).contains(&n) => *last = n,
        _ => ranges.push((n, n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_join_and_gaps_part() {
        let mut ranges = Ranges::new();
        for n in [3, 3, 4, 5, 9, 9, 12] {
            extend(&mut ranges, n);
        }
        assert_eq!(ranges, [(3, 5), (9, 9), (12, 12)]);
    }
}
