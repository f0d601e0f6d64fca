//! What the policy would drop now, and beside it the plan that respects the barriers.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::sums::{self, Column};
use super::timeline::colour_role;
use super::{selection_role, survey, versus};
use crate::base::text::{cut_end, width};
use crate::compaction::SpanView;
use crate::compaction::judgement::{Action, Tokens};
use crate::ledger::LaneSnapshot;
use crate::session::Progress;
use crate::ui::app::{App, DryRunRow, Face, Pane, Tab};
use crate::ui::assess::{Assessment, Sum};
use crate::ui::layout::{Layout, body};
use crate::ui::theme::Role;
use crate::ui::words;

/// Where the rows stand: below the sums.
fn rows_area(area: Rect) -> Rect {
    sums::below(inset(body(area), 1, 2))
}

/// The rows that fit.
pub(crate) fn dry_run_page(layout: &Layout) -> usize {
    layout.tab(Tab::DryRun).map_or(0, |area| usize::from(rows_area(area).height))
}

/// Where the rows of a face of the dry run stand.
pub(crate) fn dry_run_rows(area: Rect, face: Face) -> Rect {
    match face {
        Face::Policy => rows_area(area),
        Face::Versus => versus::rows_area(area),
        Face::All => survey::rows_area(area),
    }
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(area), 1, 2);
    if let Some(why) = nothing(app) {
        canvas.put(line_of(inner, 0), 0, Role::Dim, why);
        return;
    }
    let (Some(lane), Some(assessment)) = (app.lane(), app.assessment()) else { return };
    match app.panes.face {
        Face::Policy => policy(app, lane, assessment, area, canvas),
        Face::Versus => versus::draw(app, lane, assessment, area, canvas),
        Face::All => survey::draw(app, assessment, area, canvas),
    }
}

/// What is said where there is nothing to show.
fn nothing(app: &App) -> Option<&'static str> {
    match (app.snapshot.progress, app.assessment()) {
        (Progress::Reading { .. }, _) => Some("The dry run waits until the whole session has been read."),
        (Progress::Complete, None) if app.judged.policies().is_empty() => Some("There is no policy to judge by."),
        (Progress::Complete, None) if app.judged.has_failed() => Some("Judging this failed: a defect of owed."),
        (Progress::Complete, None) => Some("Judging …"),
        (Progress::Complete, Some(assessment)) if assessment.range.is_empty() => {
            Some("The context is empty: there is nothing to compact.")
        }
        (Progress::Complete, Some(_)) => None,
    }
}

/// In fewer cells what an entry says comes before the number of its span.
const NARROW: usize = 90;

/// What the policy would do, and the plan that respects the barriers beside it.
fn policy(app: &App, lane: &LaneSnapshot, assessment: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let rows = rows_area(area);
    let plan = &assessment.judgement.plan;
    let carriers = (!plan.carry.is_empty()).then_some(Sum { spans: plan.carry.len(), tokens: plan.tokens.carriers });
    // What has its carriers goes safely.
    let reclaimed_safely = plan.tokens.before.saturating_sub(plan.tokens.after);
    let of_plan = Column {
        title: "barrier-aware",
        verdict: plan.verdict,
        sums: [assessment.plan_keeps, Sum::default(), assessment.plan_summarises, Sum::default()],
        own: ("to carry", carriers),
        tokens: Tokens { reclaimed_safely, at_risk: 0, ..plan.tokens },
    };
    let all = Sum { spans: assessment.carry, tokens: assessment.judgement.tokens.carriers };
    let of_policy = column(assessment, ("to carry", (all.spans > 0).then_some(all)));
    sums::draw(&[of_policy, of_plan], inset(body(area), 1, 2), canvas);
    let first = app.dry_run.list.first(app.dry_run.rows.len(), usize::from(rows.height));
    for n in 0..usize::from(rows.height) {
        let line = line_of(rows, n);
        let Some(row) = app.dry_run.rows.get(first + n).copied() else { break };
        draw_row(app, lane, assessment, row, line, canvas);
        if app.panes.focus == Pane::Tab(Tab::DryRun) && first + n == app.dry_run.list.selected {
            let status = matches!(row, DryRunRow::Severed(_) | DryRunRow::Span(_)).then_some(0);
            canvas.select(line, status, selection_role(app, Pane::Tab(Tab::DryRun)));
        }
    }
}

/// A policy's own outcome.
pub(super) fn column<'a>(assessment: &'a Assessment, own: (&'static str, Option<Sum>)) -> Column<'a> {
    let judgement = &assessment.judgement;
    Column { title: &judgement.policy, verdict: judgement.verdict, sums: assessment.sums, own, tokens: judgement.tokens }
}

fn draw_row(app: &App, lane: &LaneSnapshot, assessment: &Assessment, row: DryRunRow, line: Rect, canvas: &mut Canvas<'_>) {
    let cells = usize::from(line.width);
    match row {
        DryRunRow::UnknownHeading => {
            canvas.put(line, 0, Role::Heading, "cannot be known");
        }
        DryRunRow::Unknown(unknown) => {
            let x = canvas.put(line, 0, Role::Repair, "?");
            canvas.put(line, x + 1, Role::Text, unknown.words());
        }
        DryRunRow::SeveredHeading => {
            let n = assessment.judgement.severed.len();
            let x = canvas.put(line, 0, Role::Heading, &format!("would sever {n}"));
            let lost = assessment.carry.saturating_sub(n);
            if lost > 0 {
                canvas.put(line, x + 2, Role::Dim, &format!("to carry {}, {lost} of them lost before", assessment.carry));
            }
        }
        DryRunRow::SpansHeading if assessment.judgement.severed.is_empty() => {
            let x = canvas.put(line, 0, Role::Heading, &words::counted(assessment.range.len(), "span"));
            canvas.put(line, x + 2, Role::Dim, "this policy would sever nothing");
        }
        DryRunRow::SpansHeading => {
            canvas.put(line, 0, Role::Heading, &words::counted(assessment.range.len(), "span"));
        }
        DryRunRow::Severed(n) => {
            let Some(severed) = assessment.judgement.severed.get(n) else { return };
            let Some(entry) = assessment.judgement.entry(lane, severed.entry) else { return };
            let how = match cells {
                ..NARROW => severed.how.word().to_owned(),
                _ => format!("{}, span {}", severed.how.word(), severed.span),
            };
            let (role, sign) = super::weight_sign(super::weight_of(app, &entry));
            let x = canvas.put(line, 0, role, sign);
            let x = canvas.put(line, x + 1, Role::Dim, &format!("{:<4}", severed.entry.to_string()));
            let x = canvas.put(line, x + 1, Role::Strong, &format!("{:<11}", words::kind_of(lane, entry.kind, entry.opened.event)));
            let end = cells.saturating_sub(width(&how));
            let text = words::what(&entry, app.snapshot.facts.directory.as_deref());
            canvas.put(line, x + 1, Role::Text, &cut_end(&text, end.saturating_sub(x + 2)));
            canvas.put(line, end.max(x + 2), Role::Dim, &how);
        }
        DryRunRow::Cut => {
            canvas.put(line, 0, Role::Rule, &"─".repeat(cells));
            let by = if assessment.ticket.question.cut.is_some() { "cut by hand" } else { "cut" };
            let x = canvas.put(line, 2, Role::Boundary, &format!(" {by}: kept from here "));
            let severed = assessment.judgement.severed.len();
            if severed > 0 {
                canvas.put(line, x, Role::Boundary, &format!("· {severed} severed "));
            }
        }
        DryRunRow::Span(span) => {
            let Some(view) = assessment.span(span) else { return };
            span_row(app, lane, view, line, canvas);
        }
    }
}

/// A span: its colour, what would become of it, and what it is.
fn span_row(app: &App, lane: &LaneSnapshot, view: SpanView<'_>, line: Rect, canvas: &mut Canvas<'_>) {
    let tokens = words::tokens(view.tokens);
    let x = canvas.put(line, 0, colour_role(view.colour), words::glyph(view.colour));
    let role = if view.action == Action::Kept { Role::Text } else { Role::Dim };
    canvas.put(line, x + 1, role, view.action.word());
    let right = usize::from(line.width).saturating_sub(6);
    canvas.put(line, 13, Role::Dim, &format!("{:>4}", view.span));
    let label = words::span(lane, view.span, app.snapshot.facts.directory.as_deref());
    canvas.put(line, 19, role, &cut_end(&label, right.saturating_sub(20)));
    canvas.put(line, right + 6_usize.saturating_sub(width(&tokens)), Role::Dim, &tokens);
}
