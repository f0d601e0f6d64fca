//! The rows of the dry run: what would be severed, then every span of the context with the cut among them.

use crate::base::ids::SpanIx;
use crate::ui::assess::Assessment;

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DryRunRow {
    /// The heading of what would be severed.
    SeveredHeading,
    /// A severed entry, by its place in the judgement.
    Severed(usize),
    /// The heading of the spans.
    SpansHeading,
    /// A span of the context.
    Span(SpanIx),
    /// The cut: what stands below it is kept.
    Cut,
}

/// Number of rows.
pub(crate) fn count(assessment: &Assessment) -> usize {
    severed_rows(assessment) + 1 + assessment.range.len() + 1
}

/// The row at `at`.
pub(crate) fn row(assessment: &Assessment, at: usize) -> Option<DryRunRow> {
    let severed = severed_rows(assessment);
    let cut = cut_row(assessment);
    match at {
        _ if at >= count(assessment) => None,
        0 if severed > 0 => Some(DryRunRow::SeveredHeading),
        n if n < severed => Some(DryRunRow::Severed(n - 1)),
        n if n == severed => Some(DryRunRow::SpansHeading),
        n if n == cut => Some(DryRunRow::Cut),
        n => {
            let span = n - severed - 1 - usize::from(n > cut);
            assessment.range.get(span).copied().map(DryRunRow::Span)
        }
    }
}

/// The row of the cut.
pub(crate) fn cut_row(assessment: &Assessment) -> usize {
    let before = assessment.range.partition_point(|span| *span < assessment.judgement.cut);
    severed_rows(assessment) + 1 + before
}

fn severed_rows(assessment: &Assessment) -> usize {
    match assessment.judgement.severed.len() {
        0 => 0,
        n => n + 1,
    }
}
