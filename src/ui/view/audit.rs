//! The audit: the boundaries of the lane and what each lost, worst first; below them the selected one in full.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::{finding, selection_role};
use crate::audit::{BoundaryAudit, Finding, Severity};
use crate::base::text::{cut_end, width};
use crate::compaction::judgement::Colour;
use crate::ledger::LaneSnapshot;
use crate::session::Progress;
use crate::ui::app::{App, AuditRow, Audited, Pane, Tab};
use crate::ui::layout::{Layout, body};
use crate::ui::theme::Role;
use crate::ui::words;

/// The fewest rows, and the fewest lines for the selected one.
const ROWS: u16 = 2;
const FOOT: u16 = 5;
/// Cells of a finding's name, and how many there must be for it to have them.
const CLASS: usize = 27;
const WIDE: usize = 50;

/// The rows, and below them the selected one in full.
struct Areas {
    rows: Rect,
    foot: Option<Rect>,
}

fn areas(area: Rect, rows: usize) -> Areas {
    let inner = inset(body(area), 1, 2);
    if inner.height < ROWS + FOOT {
        return Areas { rows: inner, foot: None };
    }
    let most = (inner.height * 2 / 5).max(ROWS);
    let height = u16::try_from(rows).unwrap_or(u16::MAX).clamp(ROWS, most);
    let rows = Rect { height, ..inner };
    Areas { rows, foot: Some(Rect { y: rows.bottom(), height: inner.height - height, ..area }) }
}

/// Where the rows stand.
pub(super) fn rows(app: &App, area: Rect) -> Rect {
    areas(area, app.audit.rows().len()).rows
}

/// The rows that fit.
pub(crate) fn audit_page(app: &App, layout: &Layout) -> usize {
    layout.tab(Tab::Audit).map_or(0, |area| usize::from(rows(app, area).height))
}

/// The lines of what is told of the selected row, and how many of them fit.
pub(super) fn foot_extent(app: &App) -> (usize, usize) {
    let foot = app.layout().tab(Tab::Audit).and_then(|area| areas(area, app.audit.rows().len()).foot);
    foot.zip(app.lane()).map_or((0, 0), |(foot, lane)| finding::extent(app, lane, foot))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if let Some(told) = nothing(app) {
        let inner = inset(body(area), 1, 2);
        for (n, (role, words)) in [Role::Text, Role::Dim].into_iter().zip(told).enumerate() {
            canvas.put(line_of(inner, n), 0, role, &words);
        }
        return;
    }
    let Some(lane) = app.lane() else { return };
    let (all, list) = (app.audit.rows(), app.audit.list);
    let Areas { rows, foot } = areas(area, all.len());
    let first = list.first(all.len(), usize::from(rows.height));
    for (line, (n, row)) in lines_of(rows).zip(all.iter().enumerate().skip(first)) {
        match (app.audit.finding_at(*row), app.audit.boundary_at(*row)) {
            (Some((_, finding)), _) => finding_row(app, *row, finding, line, canvas),
            (None, Some(boundary)) => boundary_row(lane, boundary, line, canvas),
            (None, None) => {}
        }
        if n == list.selected {
            let keep = matches!(row, AuditRow::Finding(..)).then_some(0);
            canvas.select(line, keep, selection_role(app, Pane::Tab(Tab::Audit)));
        }
    }
    if let Some(foot) = foot {
        finding::draw(app, lane, foot, canvas);
    }
}

/// What to say where there are no rows.
fn nothing(app: &App) -> Option<[String; 2]> {
    let lane = app.lane()?;
    let told = match app.audit.of(app.snapshot.epoch, app.lane) {
        _ if app.snapshot.progress != Progress::Complete => {
            ["not audited yet", "What a compaction lost is told when the whole session has been read."]
        }
        _ if lane.boundaries.is_empty() => {
            ["No compaction has happened in this lane.", "Nothing was lost; * shows what each policy would drop now."]
        }
        Audited::Waiting => ["Auditing what the compactions of this lane lost …", "What stood before each is read again."],
        Audited::Failed => ["The audit failed: a defect of owed.", "Everything else still works."],
        Audited::Known(_) if app.audit.rows().is_empty() => {
            ["Nothing was taken out of this lane's context.", "Turns were only taken back."]
        }
        Audited::Known(_) => return None,
    };
    Some(told.map(str::to_owned))
}

/// `compaction 2 · auto · line 400`
pub(super) fn name(lane: &LaneSnapshot, audit: &BoundaryAudit) -> String {
    let Some(row) = lane.boundaries.get(audit.boundary.index()) else { return String::new() };
    let mut said = vec![words::boundary(lane, audit.boundary)];
    said.extend(Some(words::trigger(row.trigger).to_owned()).filter(|trigger| !trigger.is_empty()));
    said.extend(lane.events.get(row.event.index()).map(|event| format!("line {}", event.place.line)));
    said.join(" · ")
}

fn boundary_row(lane: &LaneSnapshot, audit: &BoundaryAudit, line: Rect, canvas: &mut Canvas<'_>) {
    let opaque = lane.boundaries.get(audit.boundary.index()).is_some_and(|row| row.opaque);
    let (role, end) = match (audit.findings.first(), opaque) {
        (Some(worst), _) => (severity(worst.severity).0, words::counted(audit.findings.len(), "finding")),
        (None, true) => (Role::Dim, "cannot be read".to_owned()),
        (None, false) if audit.kept_all() => (Role::Dim, "nothing was lost".to_owned()),
        (None, false) => (Role::Dim, "no finding".to_owned()),
    };
    let cells = usize::from(line.width);
    let right = cells.saturating_sub(width(&end));
    let x = canvas.put(line, 0, Role::Boundary, &name(lane, audit));
    let room = right.saturating_sub(x + 4);
    // Half a list of fates says less than none.
    let fates = words::fates(audit).into_iter().find(|fates| width(fates) <= room).unwrap_or_default();
    canvas.put(line, x + 2, Role::Dim, &fates);
    canvas.put(line, right.max(x + 2), role, &end);
}

fn finding_row(app: &App, row: AuditRow, finding: &Finding, line: Rect, canvas: &mut Canvas<'_>) {
    let (role, sign) = severity(finding.severity);
    canvas.put(line, 0, role, sign);
    let class = words::finding(finding.class);
    let cells = usize::from(line.width);
    let start = if cells >= WIDE { 2 + CLASS } else { 2 + width(&class) + 1 };
    canvas.put(line, 2, Role::Text, &class);
    let costs = finding.costs().count();
    let cost = if costs > 0 { format!("{} {costs}", words::COST) } else { String::new() };
    let right = cells.saturating_sub(width(&cost));
    canvas.put(line, right.max(start), role, &cost);
    let text = match (&finding.entry, &finding.before, &finding.after) {
        (Some(entry), ..) => words::what(entry, app.snapshot.facts.directory.as_deref()),
        (None, Some(text), _) | (None, None, Some(text)) => text.lines().next().unwrap_or_default().into(),
        (None, None, None) => "".into(),
    };
    let hurt = app.audit.finding_at(row).zip(finding.entry.as_ref());
    let again = hurt.and_then(|((boundary, _), entry)| app.audit.hurt_before(boundary.boundary, entry.id));
    let text = if again.is_some() { format!("again: {text}").into() } else { text };
    canvas.put(line, start, Role::Dim, &cut_end(&text, right.saturating_sub(start + 1)));
}

/// The role and the sign of a severity.
pub(super) fn severity(severity: Severity) -> (Role, &'static str) {
    match severity {
        Severity::High => (Role::Barrier, words::glyph(Colour::Barrier)),
        Severity::Medium => (Role::Repair, words::glyph(Colour::Repair)),
        Severity::Low => (Role::Dim, words::glyph(Colour::Opportunity)),
    }
}
