//! Two policies side by side: what each comes to, what each would sever, and what each would do to every span.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::dry_run::column;
use super::timeline::colour_role;
use super::{selection_role, sums};
use crate::base::text::{cut_end, width};
use crate::compaction::judgement::{Action, Colour};
use crate::ledger::LaneSnapshot;
use crate::ui::actions;
use crate::ui::app::{App, Face, Pane, Tab, VersusRow, Which};
use crate::ui::assess::{Assessment, Sum};
use crate::ui::layout::{Layout, body};
use crate::ui::theme::Role;
use crate::ui::words;

pub(super) fn rows_area(area: Rect) -> Rect {
    sums::below(inset(body(area), 1, 2))
}

/// The rows that fit.
pub(crate) fn versus_page(layout: &Layout) -> usize {
    layout.tab(Tab::DryRun).map_or(0, |area| usize::from(rows_area(area).height))
}

pub(super) fn draw(app: &App, lane: &LaneSnapshot, one: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(area), 1, 2);
    let Some(other) = app.beside() else {
        let why =
            if app.versus.judged.has_failed() { "Judging by the other policy failed: a defect of owed." } else { "Judging …" };
        canvas.put(line_of(inner, 0), 0, Role::Dim, why);
        return;
    };
    let severed = |assessment: &Assessment| {
        let n = assessment.judgement.severed.len();
        ("severed", (n > 0).then_some(Sum { spans: n, tokens: 0 }))
    };
    sums::draw(&[column(one, severed(one)), column(other, severed(other))], inner, canvas);
    let rows = rows_area(area);
    let first = app.versus.list.first(app.versus.rows.len(), usize::from(rows.height));
    for (line, (n, row)) in lines_of(rows).zip(app.versus.rows.iter().enumerate().skip(first)) {
        draw_row(app, lane, one, row, line, canvas);
        if app.shows(Face::Versus) && app.panes.focus == Pane::Tab(Tab::DryRun) && n == app.versus.list.selected {
            let status = matches!(row, VersusRow::Severed(..) | VersusRow::Span(..)).then_some(0);
            canvas.select(line, status, selection_role(app, Pane::Tab(Tab::DryRun)));
        }
    }
}

/// Cells of what is done, with the gap before.
const DONE: usize = 11;
/// Cells of the tokens of a span.
const TOKENS: usize = 6;
/// From so many cells on an entry's kind is told.
const WIDE: usize = 72;

fn draw_row(app: &App, lane: &LaneSnapshot, one: &Assessment, row: &VersusRow, line: Rect, canvas: &mut Canvas<'_>) {
    let actions = usize::from(line.width).saturating_sub(2 * DONE + TOKENS);
    match row {
        VersusRow::SeveredHeading(n) => {
            let x = canvas.put(line, 0, Role::Heading, &format!("either would sever {n}"));
            let severed = app.versus.rows.iter().filter_map(|row| match row {
                VersusRow::Severed(_, how) => Some(how),
                _ => None,
            });
            if severed.clone().all(|how| how[0] == how[1]) {
                canvas.put(line, x + 2, Role::Dim, "both do the same to each");
            }
        }
        VersusRow::SpansHeading(differing, all) => {
            let x = canvas.put(line, 0, Role::Heading, &words::counted(*all, "span"));
            canvas.put(line, x + 2, Role::Dim, &differences(app, *differing));
        }
        VersusRow::Severed(entry, how) => {
            let (role, sign) = super::weight_sign(super::weight_of(app, entry));
            let x = canvas.put(line, 0, role, sign);
            let mut x = canvas.put(line, x + 1, Role::Dim, &format!("{:<4}", entry.id.to_string())) + 1;
            if usize::from(line.width) >= WIDE {
                let kind = words::kind_of(lane, entry.kind, entry.opened.event);
                x = canvas.put(line, x, Role::Strong, &format!("{kind:<11}")) + 1;
            }
            let what = words::what(entry, app.snapshot.facts.directory.as_deref());
            canvas.put(line, x, Role::Text, &cut_end(&what, actions.saturating_sub(x)));
            both(how.map(|how| how.map_or("-", Action::word)), actions, line, canvas);
        }
        VersusRow::Span(span, how) => {
            let colour = one.span(*span).map_or(Colour::Barrier, |view| view.colour);
            canvas.put(line, 0, colour_role(colour), words::glyph(colour));
            canvas.put(line, 2, Role::Dim, &format!("{span:>4}"));
            let label = words::span(lane, *span, app.snapshot.facts.directory.as_deref());
            let role = if how[0] == how[1] { Role::Dim } else { Role::Text };
            canvas.put(line, 8, role, &cut_end(&label, actions.saturating_sub(8)));
            both(how.map(Action::word), actions, line, canvas);
            let tokens = words::tokens(one.span(*span).map_or(0, |view| view.tokens));
            canvas.put(line, usize::from(line.width).saturating_sub(width(&tokens)), Role::Dim, &tokens);
        }
    }
}

/// What either does: dim where both do the same.
fn both(words: [&str; 2], x: usize, line: Rect, canvas: &mut Canvas<'_>) {
    let same = words[0] == words[1];
    for (n, word) in words.into_iter().enumerate() {
        let role = if same || word == "-" || word == Action::Kept.word() { Role::Dim } else { Role::Text };
        canvas.put(line, x + 1 + n * DONE, role, word);
    }
}

/// On how many spans they differ, and how to see the others.
fn differences(app: &App, differing: usize) -> String {
    let key = app.look.keymap.chords(actions::Action::Differences).first().map(ToString::to_string).unwrap_or_default();
    match (differing, app.versus.which) {
        (0, Which::Differing) => format!("both do the same to each; {key} shows them"),
        (0, Which::All) => "both do the same to each".to_owned(),
        (n, Which::Differing) => format!("they differ on {n}; {key} shows all"),
        (n, Which::All) => format!("they differ on {n}"),
    }
}
