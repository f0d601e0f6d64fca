//! What the policy would drop now, and beside it the plan that respects the barriers.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::selection_role;
use super::timeline::colour_role;
use crate::base::ids::EventIx;
use crate::base::text::{cut_end, width};
use crate::compaction::judgement::Action;
use crate::ledger::LaneSnapshot;
use crate::session::Progress;
use crate::ui::app::{App, DryRunRow, Pane, Tab, dry_run};
use crate::ui::assess::{Assessment, Sum};
use crate::ui::layout::{Layout, body};
use crate::ui::rows;
use crate::ui::theme::Role;
use crate::ui::words;

/// Lines of the sums, with the gap below them.
const SUMS: u16 = 10;

/// Where the rows stand: below the sums, where there is room for both.
fn rows_area(area: Rect) -> Rect {
    let inner = inset(body(area), 1, 1);
    let sums = if inner.height >= SUMS + 4 { SUMS } else { 2.min(inner.height) };
    Rect { y: inner.y + sums, height: inner.height - sums, ..inner }
}

/// The rows that fit.
pub(crate) fn dry_run_page(layout: &Layout) -> usize {
    layout.tab(Tab::DryRun).map_or(0, |area| usize::from(rows_area(area).height))
}

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(area), 1, 1);
    let (Some(lane), Some(assessment)) = (app.lane(), app.assessment()) else {
        let why = match app.snapshot.progress {
            Progress::Reading { .. } => "The dry run waits until the whole session has been read.",
            Progress::Complete => "Judging …",
        };
        canvas.put(line_of(inner, 0), 0, Role::Dim, why);
        return;
    };
    if assessment.range.is_empty() {
        canvas.put(line_of(inner, 0), 0, Role::Dim, "The context is empty: there is nothing to compact.");
        return;
    }
    let rows = rows_area(area);
    if rows.y - inner.y >= SUMS {
        sums(assessment, inner, canvas);
    } else {
        sums_in_brief(assessment, inner, canvas);
    }
    let count = dry_run::count(assessment);
    let first = app.dry_run.first(count, usize::from(rows.height));
    for n in 0..usize::from(rows.height) {
        let line = line_of(rows, n);
        let Some(row) = dry_run::row(assessment, first + n) else { break };
        draw_row(app, lane, assessment, row, line, canvas);
        if app.panes.focus == Pane::Tab(Tab::DryRun) && first + n == app.dry_run.selected {
            let status = matches!(row, DryRunRow::Severed(_) | DryRunRow::Span(_)).then_some(0);
            canvas.select(line, status, selection_role(app, Pane::Tab(Tab::DryRun)));
        }
    }
}

/// The policy's outcome and the plan's, side by side.
fn sums(assessment: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let judgement = &assessment.judgement;
    let (policy, plan) = (judgement.tokens, &judgement.plan);
    let spans = |sum: Sum| (sum.spans > 0).then(|| format!("{:>4}  {:>5}", sum.spans, words::tokens(sum.tokens)));
    let tokens = |n: u64| Some(words::tokens(n));
    let carriers = format!("{:>4}  {:>5}", plan.carry.len(), words::tokens(plan.tokens.carriers));
    let rows: [(&str, Option<String>, Option<String>); 8] = [
        ("kept", spans(assessment.sum(Action::Kept)), spans(assessment.plan_keeps)),
        ("masked", spans(assessment.sum(Action::Masked)), None),
        ("summarised", spans(assessment.sum(Action::Summarised)), spans(assessment.plan_summarises)),
        ("dropped", spans(assessment.sum(Action::Dropped)), None),
        ("carriers", None, Some(carriers).filter(|_| !plan.carry.is_empty())),
        (
            "reclaimed",
            tokens(policy.before.saturating_sub(policy.after)),
            tokens(plan.tokens.before.saturating_sub(plan.tokens.after)),
        ),
        ("at risk", Some(policy.at_risk).filter(|n| *n > 0).and_then(tokens), None),
        ("after", tokens(policy.after), tokens(plan.tokens.after)),
    ];
    let head = line_of(area, 0);
    canvas.put(column(head, 0), 0, Role::Strong, &format!("{:>SUM$}", cut_end(&judgement.policy, SUM)));
    canvas.put(column(head, 1), 0, Role::Strong, &format!("{:>SUM$}", "barrier-aware"));
    for (n, (name, of_policy, of_plan)) in rows.iter().enumerate() {
        let line = line_of(area, n + 1);
        let role = if *name == "at risk" { Role::Repair } else { Role::Text };
        canvas.put(line, 0, Role::Dim, name);
        for (n, value) in [(0, of_policy), (1, of_plan)] {
            let (role, value) = value.as_deref().map_or((Role::Dim, "-"), |value| (role, value));
            canvas.put(column(line, n), 0, role, &format!("{value:>SUM$}"));
        }
    }
}

/// Cells of a sum.
const SUM: usize = 16;

/// One of the two columns of sums.
fn column(line: Rect, n: u16) -> Rect {
    inset(line, 11 + n * 19, 0)
}

/// The sums in one line, where there is no room for the table.
fn sums_in_brief(assessment: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let tokens = assessment.judgement.tokens;
    let actions = [Action::Kept, Action::Masked, Action::Summarised, Action::Dropped];
    let counts = actions.map(|action| (action, assessment.sum(action).spans)).into_iter().filter(|(_, n)| *n > 0);
    let counts: Vec<String> = counts.map(|(action, n)| format!("{n} {}", action.word())).collect();
    let line = format!(
        "{}: {} → {}, {}",
        assessment.judgement.policy,
        words::tokens(tokens.before),
        words::tokens(tokens.after),
        counts.join(", ")
    );
    canvas.put(line_of(area, 0), 0, Role::Strong, &line);
}

fn draw_row(app: &App, lane: &LaneSnapshot, assessment: &Assessment, row: DryRunRow, line: Rect, canvas: &mut Canvas<'_>) {
    let cells = usize::from(line.width);
    match row {
        DryRunRow::SeveredHeading => {
            let n = assessment.judgement.severed.len();
            canvas.put(line, 0, Role::Heading, &format!("would sever {n}"));
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
            let how = format!("{}, span {}", severed.how.word(), severed.span);
            let (role, sign) = super::weight_sign(super::weight_of(app, &entry));
            let x = canvas.put(line, 0, role, sign);
            let x = canvas.put(line, x + 1, Role::Dim, &format!("{:<4}", severed.entry.to_string()));
            let x = canvas.put(line, x + 1, Role::Strong, &format!("{:<11}", words::kind_of(lane, entry.kind, entry.opened.event)));
            let end = cells.saturating_sub(width(&how));
            canvas.put(line, x + 1, Role::Text, &cut_end(&entry.line_text, end.saturating_sub(x + 2)));
            canvas.put(line, end.max(x + 2), Role::Dim, &how);
        }
        DryRunRow::Cut => {
            canvas.put(line, 0, Role::Rule, &"─".repeat(cells));
            let by = if assessment.ticket.question.cut.is_some() { "cut by hand" } else { "cut" };
            canvas.put(line, 2, Role::Boundary, &format!(" {by}: kept from here "));
        }
        DryRunRow::Span(span) => {
            let (Some(view), Some(span_row)) = (assessment.span(span), lane.spans.get(span.index())) else { return };
            let tokens = words::tokens(view.tokens);
            let x = canvas.put(line, 0, colour_role(view.colour), words::glyph(view.colour));
            let role = if view.action == Action::Kept { Role::Text } else { Role::Dim };
            canvas.put(line, x + 1, role, view.action.word());
            let right = cells.saturating_sub(6);
            canvas.put(line, 13, Role::Dim, &format!("{span:>4}"));
            let label = label_of(lane, span_row.first, app.snapshot.facts.directory.as_deref());
            canvas.put(line, 19, role, &cut_end(&label, right.saturating_sub(20)));
            canvas.put(line, right + 6_usize.saturating_sub(width(&tokens)), Role::Dim, &tokens);
        }
    }
}

/// What a span says, by its first row.
fn label_of(lane: &LaneSnapshot, first: EventIx, directory: Option<&str>) -> String {
    let told = rows::row_of(lane, first).and_then(|event| Some((event, lane.events.get(event.index())?)));
    let Some((event, row)) = told else { return String::new() };
    let label = words::label(lane, event, directory);
    match lane.boundaries.binary_search_by_key(&event, |boundary| boundary.event) {
        Ok(n) => format!("compaction {}, and its summary", n + 1),
        Err(_) => {
            let call = row.call.and_then(|ix| lane.calls.get(ix.index()));
            format!("{}  {label}", call.map_or_else(|| words::who(row.kind), |call| &call.tool))
        }
    }
}
