//! The cut as the reader moves it: where it may stand, and the line that it is among the rows of the time line.

use super::{App, Face, Tab};
use crate::base::ids::SpanIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::SpanKind;
use crate::ui::assess::Assessment;
use crate::ui::rows::{Row, Tree};

/// How the cut moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutMove {
    /// By one span of the context.
    SpanLater,
    SpanEarlier,
    /// To a prompt.
    TurnLater,
    TurnEarlier,
}

/// A line of the time line while the cut is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CutLine {
    /// The row of an event.
    Event(Row),
    /// The cut.
    Cut(Whereabouts),
}

/// Where the cut is, seen from the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whereabouts {
    /// Between the rows that stand around its line.
    Here,
    /// Above the window.
    Above,
    /// Below the window.
    Below,
}

/// The first span to keep after a move; none where the cut can go no further.
pub(crate) fn moved(lane: &LaneSnapshot, assessment: &Assessment, now: SpanIx, by: CutMove) -> Option<SpanIx> {
    let (range, end) = (&assessment.range, SpanIx::from_index(assessment.judgement.spans.len()));
    let at = range.partition_point(|span| *span < now);
    let prompt = |span: &&SpanIx| lane.spans.get(span.index()).is_some_and(|row| row.kind == SpanKind::Prompt);
    let (earlier, later) = (range.get(..at).unwrap_or_default(), range.get(at..).unwrap_or_default());
    let later = later.strip_prefix(&[now]).unwrap_or(later);
    let first = || range.first().copied().filter(|first| *first < now);
    match by {
        CutMove::SpanEarlier => earlier.last().copied(),
        CutMove::TurnEarlier => earlier.iter().rfind(prompt).copied().or_else(first),
        CutMove::SpanLater => later.first().copied().or(Some(end)),
        CutMove::TurnLater => later.iter().find(prompt).copied().or(Some(end)),
    }
    .filter(|to| *to != now)
}

/// The span before which the cut stands when it stands right after `span`.
pub(crate) fn after(assessment: &Assessment, span: SpanIx) -> SpanIx {
    let next = assessment.range.get(assessment.range.partition_point(|other| *other <= span)).copied();
    next.unwrap_or_else(|| SpanIx::from_index(assessment.judgement.spans.len()))
}

/// The span before which the cut stands when it stands right before `span`.
pub(crate) fn before(assessment: &Assessment, span: SpanIx) -> SpanIx {
    let next = assessment.range.get(assessment.range.partition_point(|other| *other < span)).copied();
    next.unwrap_or_else(|| SpanIx::from_index(assessment.judgement.spans.len()))
}

impl App {
    /// The judgement of which the time line shows the cut: one whose cut the reader has moved, or that is looked at.
    pub(crate) fn shown_cut(&self) -> Option<&Assessment> {
        let looked_at = self.layout().tab(Tab::DryRun).is_some() && self.panes.face != Face::All;
        let moved = |assessment: &&Assessment| assessment.ticket.question.cut.is_some();
        self.assessment().filter(|assessment| !assessment.range.is_empty() && (looked_at || moved(assessment)))
    }

    /// The lines of the time line: `rows` events, and the cut where it is shown.
    pub(crate) fn timeline_lines(&self, lane: &LaneSnapshot, rows: usize) -> Vec<CutLine> {
        let Some(tree) = self.tree() else { return Vec::new() };
        let shown = self.timeline.window(tree, rows);
        let cut = self.shown_cut().filter(|_| rows > 0).map(|assessment| {
            let first_kept = lane.spans.get(assessment.judgement.cut.index()).map(|span| span.first);
            // A sub-agent's rows go with the call that launched it.
            let goes = |row: &Row| first_kept.is_none_or(|kept| self.in_lane(*row).is_some_and(|event| event < kept));
            place(tree, &shown, goes)
        });
        let mut lines: Vec<CutLine> = shown.into_iter().map(CutLine::Event).collect();
        if let Some((n, whereabouts)) = cut {
            lines.insert(n.min(lines.len()), CutLine::Cut(whereabouts));
        }
        lines
    }
}

/// Between which of the rows that are shown the cut stands.
fn place(rows: Tree<'_>, shown: &[Row], goes: impl Fn(&Row) -> bool) -> (usize, Whereabouts) {
    let n = shown.partition_point(&goes);
    let whereabouts = match (shown.first(), shown.last()) {
        (Some(first), _) if n == 0 && rows.previous(*first).is_some_and(|row| !goes(&row)) => Whereabouts::Above,
        (_, Some(last)) if n == shown.len() && rows.next(*last).is_some_and(|row| goes(&row)) => Whereabouts::Below,
        _ => Whereabouts::Here,
    };
    (n, whereabouts)
}
