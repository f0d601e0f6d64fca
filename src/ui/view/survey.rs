//! All policies in one table: what each would drop now.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of, lines_of};
use super::{selection_role, verdict_colour};
use crate::base::text::{cut_middle, width};
use crate::compaction::Unknown;
use crate::compaction::judgement::Pressure;
use crate::ui::app::{Answer, App, Pane, Tab};
use crate::ui::assess::{Assessment, Outcome, PolicyName};
use crate::ui::layout::{Layout, body};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::view::timeline::colour_role;
use crate::ui::words;

/// Lines above the rows: what the table says, the policy under the cursor and what of it nobody can know, the heading.
const HEAD: u16 = 4;

pub(super) fn rows_area(area: Rect) -> Rect {
    let inner = inset(body(area), 1, 2);
    let head = HEAD.min(inner.height);
    Rect { y: inner.y + head, height: inner.height - head, ..inner }
}

/// The rows that fit.
pub(crate) fn survey_page(layout: &Layout) -> usize {
    layout.tab(Tab::DryRun).map_or(0, |area| usize::from(rows_area(area).height))
}

pub(super) fn draw(app: &App, assessment: &Assessment, area: Rect, canvas: &mut Canvas<'_>) {
    let (inner, rows) = (inset(body(area), 1, 2), rows_area(area));
    let (all, known) = (app.survey.all(), app.survey.known(&app.snapshot, app.lane, app.time.moment));
    let before = words::tokens(assessment.judgement.context.tokens);
    let said = match known < all {
        true => format!("judging {known} of {all} on {before} …"),
        false => format!("{all} policies on {before} · {}", app.survey.sort().words()),
    };
    let x = canvas.put(line_of(inner, 0), 0, Role::Text, &said);
    if let Some(place) = judged_by(app).into_iter().find(|place| x + 1 + width(place) <= usize::from(inner.width)) {
        canvas.line_right(line_of(inner, 0), &[Piece::new(Role::Focus, place)]);
    }
    if let Some((policy, answer)) = app.survey.rows(app.survey.list.selected).next() {
        let x = canvas.put(line_of(inner, 1), 0, Role::Strong, &policy.title);
        canvas.put(line_of(inner, 1), x, Role::Dim, &trigger(answer));
        if let Some(unknown) = unknown(answer) {
            let x = canvas.put(line_of(inner, 2), 0, Role::Repair, "? ");
            canvas.put(line_of(inner, 2), x, Role::Dim, unknown.words());
        }
    }
    let columns = Columns::of(usize::from(rows.width));
    columns.heading(line_of(inner, 3), canvas);
    let first = app.survey.list.first(app.survey.len(), usize::from(rows.height));
    super::unmatched(app, Pane::Tab(Tab::DryRun), rows, canvas);
    for (n, (line, (policy, answer))) in lines_of(rows).zip(app.survey.rows(first)).enumerate() {
        policy_row(app, policy, answer, &columns, line, canvas);
        if first + n == app.survey.list.selected {
            canvas.select(line, Some(0), selection_role(app, Pane::Tab(Tab::DryRun)));
        }
    }
}

/// When a policy compacts by itself.
fn trigger(answer: &Answer) -> String {
    let Answer::Known(_, Outcome { trigger: Some(tokens), .. }) = answer else { return String::new() };
    format!(", at {}", words::tokens(*tokens))
}

/// What about its run nobody can know.
fn unknown(answer: &Answer) -> Option<Unknown> {
    let Answer::Known(_, outcome) = answer else { return None };
    outcome.unknown
}

/// Where the policy stands that is judged by, with its sign in the table; and in short.
fn judged_by(app: &App) -> Vec<String> {
    let one = app.judged.policy().and_then(|id| Some((id, app.survey.place(id)?)));
    one.map(|(id, place)| vec![format!("▸ {id}, row {place}"), format!("▸ row {place}")]).unwrap_or_default()
}

/// The cells of a name, and where the columns after it begin: those of numbers stand at the right edge.
struct Columns {
    name: usize,
    verdict: usize,
    starts: [usize; 4],
    numbers: [(&'static str, usize); 4],
    pressure: Option<usize>,
}

/// The columns of numbers: name, and cells with the gap before.
const NUMBERS: [(&str, usize); 4] = [("after", 7), ("reclaimed safely", 18), ("at risk", 9), ("severed", 9)];
/// The same where there is little room.
const NARROW: [(&str, usize); 4] = [("after", 6), ("", 0), ("at risk", 8), ("severed", 8)];
/// The same where a name would have no room beside all of them.
const TIGHT: [(&str, usize); 4] = [("", 0), ("", 0), ("at risk", 8), ("severed", 8)];
const VERDICT: usize = 9;
const PRESSURE: usize = 10;
const NAME: usize = 4;
/// From so many cells on there is what is left after; from so many the pressure; and from so many all columns of numbers.
const ROOMY: usize = 46;
const PRESSED: usize = 66;
const WIDE: usize = 88;

impl Columns {
    fn of(cells: usize) -> Self {
        let numbers = match cells {
            WIDE.. => NUMBERS,
            ROOMY.. => NARROW,
            _ => TIGHT,
        };
        let mut end = cells.saturating_sub(if cells >= PRESSED { PRESSURE } else { 0 });
        let pressure = (cells >= PRESSED).then_some(end + 2);
        let mut starts = [0; 4];
        for (start, (_, cells)) in starts.iter_mut().zip(numbers).rev() {
            end = end.saturating_sub(cells);
            *start = end;
        }
        let verdict = end.saturating_sub(VERDICT);
        Self { name: verdict.saturating_sub(NAME + 1), verdict, starts, numbers, pressure }
    }

    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>) {
        canvas.put(line, NAME, Role::Dim, "policy");
        canvas.put(line, self.verdict, Role::Dim, "verdict");
        self.numbers(self.numbers.map(|(name, _)| (Role::Dim, name.to_owned())), line, canvas);
        if let Some(x) = self.pressure {
            canvas.put(line, x, Role::Dim, "pressure");
        }
    }

    /// Puts something into each column of numbers, at its right edge.
    fn numbers(&self, values: [(Role, String); 4], line: Rect, canvas: &mut Canvas<'_>) {
        let columns = values.into_iter().zip(self.starts).zip(self.numbers).filter(|(_, (_, cells))| *cells > 0);
        for (((role, value), start), (_, cells)) in columns {
            canvas.put(line, start, role, &format!("{value:>cells$}"));
        }
    }
}

fn policy_row(app: &App, policy: &PolicyName, answer: &Answer, columns: &Columns, line: Rect, canvas: &mut Canvas<'_>) {
    let one = app.judged.policy() == Some(&policy.id);
    let other = app.versus.judged.question.policy.as_ref() == Some(&policy.id);
    let mark = if one {
        "▸"
    } else if other {
        "│"
    } else {
        " "
    };
    canvas.put(line, 2, Role::Focus, mark);
    let name = if one { Role::Strong } else { Role::Text };
    canvas.put(line, NAME, name, &cut_middle(&policy.id, columns.name));
    // What cannot be known of a policy is told when it is selected, and in its dry run.
    if unknown(answer).is_some() {
        canvas.put(line, 1, Role::Repair, "?");
    }
    let outcome = match answer {
        // What was true of another lane is not shown as if it were of this one.
        Answer::Known(_, outcome) if answer.is_of_lane(&app.snapshot, app.lane) => outcome,
        Answer::Failed(_) if answer.is_of_lane(&app.snapshot, app.lane) => {
            canvas.put(line, columns.verdict, Role::Dim, "failed");
            return;
        }
        _ => {
            canvas.put(line, columns.verdict, Role::Dim, "…");
            return;
        }
    };
    let stale = !answer.is_of(&app.snapshot, app.lane, app.time.moment);
    let shown = |role: Role| if stale { Role::Dim } else { role };
    let colour = verdict_colour(outcome.verdict);
    canvas.put(line, 0, shown(colour_role(colour)), words::glyph(colour));
    canvas.put(line, columns.verdict, shown(colour_role(colour)), outcome.verdict.word());
    let tokens = |n: u64| (n > 0).then(|| words::tokens(n));
    let severed = (outcome.severed > 0).then(|| outcome.severed.to_string());
    let values = [
        (Role::Text, Some(words::tokens(outcome.tokens.after))),
        (Role::Text, tokens(outcome.tokens.reclaimed_safely)),
        (Role::Repair, tokens(outcome.tokens.at_risk)),
        (Role::Text, severed),
    ];
    let shown_value = |(role, value): (Role, Option<String>)| match value {
        Some(value) => (shown(role), value),
        None => (Role::Dim, "-".to_owned()),
    };
    columns.numbers(values.map(shown_value), line, canvas);
    if let Some(x) = columns.pressure {
        let role = if outcome.pressure == Pressure::None { Role::Dim } else { Role::Text };
        canvas.put(line, x, shown(role), outcome.pressure.word());
    }
}
