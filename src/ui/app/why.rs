//! Why a span has its colour: the entries that the selected row is to be explained by.

use super::App;
use crate::base::ids::{BoundaryIx, EntryId, SpanIx};

/// What the selected row is explained by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Why {
    /// Nothing is selected, or its span is newer than the newest judgement.
    NotJudged,
    /// A boundary, and the live entries that it lost.
    Boundary(BoundaryIx, Vec<EntryId>),
    /// A span that is no longer in the context, and its live entries whose words nothing in the context holds.
    Gone(SpanIx, Vec<EntryId>),
    /// A span of the context, and the entries that give it its colour.
    Span(SpanIx, Vec<EntryId>),
}

impl Why {
    pub(crate) fn entries(&self) -> &[EntryId] {
        match self {
            Self::NotJudged => &[],
            Self::Boundary(_, entries) | Self::Gone(_, entries) | Self::Span(_, entries) => entries,
        }
    }
}

/// Explains the selected row.
pub(crate) fn why(app: &App) -> Why {
    let Some((lane, event, assessment)) = app.lane().zip(app.selected()).zip(app.assessment()).map(|((l, e), a)| (l, e, a)) else {
        return Why::NotJudged;
    };
    let (Some(row), Some(now)) = (lane.events.get(event.index()), assessment.judgement.at) else { return Why::NotJudged };
    if let Ok(at) = lane.boundaries.binary_search_by_key(&event, |boundary| boundary.event) {
        let boundary = BoundaryIx::from_index(at);
        let lost = assessment.judgement.lost.iter().copied();
        return Why::Boundary(
            boundary,
            lost.filter(|id| lane.entry(*id).is_some_and(|e| e.lost_at(now) == Some(boundary)) && !is_restated(app, *id, boundary))
                .collect(),
        );
    }
    match row.span.and_then(|span| assessment.span(span)) {
        None => Why::NotJudged,
        Some(view) if !view.in_context => {
            let lost = assessment.judgement.lost.iter().copied();
            let stood_here =
                |id: &EntryId| lane.entry(*id).is_some_and(|entry| entry.touches_at(now).any(|span| span == view.span));
            Why::Gone(view.span, lost.filter(stood_here).collect())
        }
        Some(view) => Why::Span(view.span, view.reasons.to_vec()),
    }
}

/// Whether an entry of which nothing in the context holds the words stands nowhere in other words either.
pub(crate) fn is_lost(app: &App, id: EntryId) -> bool {
    let lost_at = app.lane().and_then(|lane| lane.entry(id)?.lost_at(lane.end()?));
    lost_at.is_none_or(|boundary| !is_restated(app, id, boundary))
}

/// Whether the audit found that an entry, of which no exact words stand after a boundary, stands there in other words.
pub(crate) fn is_restated(app: &App, id: EntryId, boundary: BoundaryIx) -> bool {
    let audit = app.audit.boundary(boundary);
    audit.is_some_and(|audit| audit.entries.iter().any(|told| told.entry.id == id && told.fate.is_kept()))
}
