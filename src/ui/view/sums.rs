//! Two outcomes beside each other: what each keeps, takes and leaves, in spans and tokens.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset, line_of};
use super::verdict_role;
use crate::base::text::{cut_end, width};
use crate::compaction::judgement::{Tokens, Verdict};
use crate::ui::assess::Sum;
use crate::ui::theme::Role;
use crate::ui::words;

/// One of the two outcomes.
pub(super) struct Column<'a> {
    pub(super) title: &'a str,
    pub(super) verdict: Verdict,
    /// What is kept, masked, summarised and dropped, in the order of `ACTIONS`.
    pub(super) sums: [Sum; 4],
    /// What only this kind of outcome has, with its name.
    pub(super) own: (&'static str, Option<Sum>),
    pub(super) tokens: Tokens,
}

/// How the outcomes are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An outcome a line, a fact a column.
    Across,
    /// A fact a line, an outcome a column.
    Down,
    /// An outcome a line, in words.
    Brief,
}

/// Facts of an outcome.
const FACTS: usize = 11;
/// So wide must a pane be for all facts in one line.
const WIDE: u16 = 100;
/// So many rows should be left below.
const ROWS: u16 = 12;

impl Form {
    fn of(area: Rect) -> Self {
        match () {
            () if area.width >= WIDE => Self::Across,
            () if area.height >= Self::Down.lines() + ROWS => Self::Down,
            () => Self::Brief,
        }
    }

    /// The lines that it takes, with the gap below.
    fn lines(self) -> u16 {
        match self {
            Self::Across => 4,
            Self::Down => FACTS as u16 + 2,
            Self::Brief => 3,
        }
    }
}

/// What is left of a pane below the outcomes.
pub(super) fn below(area: Rect) -> Rect {
    let lines = Form::of(area).lines().min(area.height);
    Rect { y: area.y + lines, height: area.height - lines, ..area }
}

/// A fact about both.
struct Fact {
    name: &'static str,
    role: Role,
    /// With counts of spans and with tokens, for a column of its own; and in short.
    values: [Option<(String, String)>; 2],
}

pub(super) fn draw(columns: &[Column<'_>; 2], area: Rect, canvas: &mut Canvas<'_>) {
    match Form::of(area) {
        Form::Across => across(columns, area, canvas),
        Form::Down => down(columns, area, canvas),
        Form::Brief => brief(columns, area, canvas),
    }
}

fn facts(columns: &[Column<'_>; 2]) -> Vec<Fact> {
    let of = |value: &dyn Fn(&Column<'_>) -> Option<(String, String)>| [value(&columns[0]), value(&columns[1])];
    let both = |text: String| (text.clone(), text);
    let counted = |sum: &Sum| match sum.tokens {
        0 => both(sum.spans.to_string()),
        tokens => (format!("{:>4}  {:>5}", sum.spans, words::tokens(tokens)), sum.spans.to_string()),
    };
    let spans =
        |sum: &Sum| (format!("{} {:>5}", words::counted(sum.spans, "span"), words::tokens(sum.tokens)), sum.spans.to_string());
    let count = |n: usize| of(&|column| column.sums.get(n).filter(|sum| sum.spans > 0).map(spans));
    let some = |n: u64| (n > 0).then(|| both(words::tokens(n)));
    let fact = |name, role, values| Fact { name, role, values };
    // What no span shows is no policy's to take; without it the other figures do not add up to what is left.
    let shown = |column: &Column<'_>| column.sums.iter().map(|sum| sum.tokens).sum();
    let unshown = of(&|column| some(column.tokens.before.saturating_sub(shown(column))));
    vec![
        fact("kept", Role::Text, count(0)),
        fact("masked", Role::Text, count(1)),
        fact("summarised", Role::Text, count(2)),
        fact("dropped", Role::Text, count(3)),
        fact("+ summary", Role::Text, of(&|column| some(column.tokens.stands_in))),
        fact("+ system, tools", Role::Text, unshown),
        fact(columns[0].own.0, Role::Text, of(&|column| column.own.1.as_ref().map(counted))),
        fact("after", Role::Text, of(&|column| Some(both(words::tokens(column.tokens.after))))),
        fact("reclaimed safely", Role::Text, of(&|column| some(column.tokens.reclaimed_safely))),
        fact("at risk", Role::Repair, of(&|column| some(column.tokens.at_risk))),
    ]
}

/// Cells of a value, and of the names before.
const VALUE: usize = 16;
const NAME: u16 = 17;

fn down(columns: &[Column<'_>; 2], area: Rect, canvas: &mut Canvas<'_>) {
    let head = line_of(area, 0);
    canvas.put(line_of(area, 1), 0, Role::Dim, "verdict");
    for (n, column) in columns.iter().enumerate() {
        let place = |line: Rect| inset(line, NAME + n as u16 * (VALUE as u16 + 2), 0);
        canvas.put(place(head), 0, Role::Strong, &format!("{:>VALUE$}", cut_end(column.title, VALUE)));
        let verdict = format!("{:>VALUE$}", column.verdict.word());
        canvas.put(place(line_of(area, 1)), 0, verdict_role(column.verdict), &verdict);
        for (row, fact) in facts(columns).iter().enumerate() {
            let value = fact.values.get(n).and_then(Option::as_ref).map(|(long, _)| long.as_str());
            let (role, value) = value.map_or((Role::Dim, "-"), |value| (fact.role, value));
            canvas.put(place(line_of(area, row + 2)), 0, role, &format!("{value:>VALUE$}"));
        }
    }
    for (row, fact) in facts(columns).iter().enumerate() {
        canvas.put(line_of(area, row + 2), 0, Role::Dim, fact.name);
    }
}

fn across(columns: &[Column<'_>; 2], area: Rect, canvas: &mut Canvas<'_>) {
    // What neither does takes no room from the titles.
    let facts: Vec<Fact> = facts(columns).into_iter().filter(|fact| fact.values.iter().any(Option::is_some)).collect();
    let cells = |fact: &Fact| {
        let values = fact.values.iter().flatten().map(|(_, short)| width(short));
        values.chain([width(fact.name)]).max().unwrap_or(0) + 2
    };
    let right: usize = facts.iter().map(cells).sum();
    let room = usize::from(area.width);
    let (verdict, start) = (room.saturating_sub(right + 9), room.saturating_sub(right));
    canvas.put(line_of(area, 0), verdict, Role::Dim, "verdict");
    for (n, column) in columns.iter().enumerate() {
        let line = line_of(area, n + 1);
        canvas.put(line, 0, Role::Strong, &cut_end(column.title, verdict.saturating_sub(1)));
        canvas.put(line, verdict, verdict_role(column.verdict), column.verdict.word());
    }
    let mut x = start;
    for fact in &facts {
        let cells = cells(fact);
        canvas.put(line_of(area, 0), x, Role::Dim, &format!("{:>cells$}", fact.name));
        for (n, value) in fact.values.iter().enumerate() {
            let (role, value) = value.as_ref().map_or((Role::Dim, "-"), |(_, short)| (fact.role, short));
            canvas.put(line_of(area, n + 1), x, role, &format!("{value:>cells$}"));
        }
        x += cells;
    }
}

fn brief(columns: &[Column<'_>; 2], area: Rect, canvas: &mut Canvas<'_>) {
    for (n, column) in columns.iter().enumerate() {
        let (line, tokens) = (line_of(area, n), column.tokens);
        let x = canvas.put(line, 0, Role::Strong, &format!("{:<17}", cut_end(column.title, 16)));
        canvas.put(line, x, verdict_role(column.verdict), column.verdict.word());
        let (before, after) = (words::tokens(tokens.before), words::tokens(tokens.after));
        let (safely, at_risk) = (words::tokens(tokens.reclaimed_safely), words::tokens(tokens.at_risk));
        canvas.put(line, x + 9, Role::Text, &format!("{before} → {after}: {safely} reclaimed safely, {at_risk} at risk"));
    }
}
