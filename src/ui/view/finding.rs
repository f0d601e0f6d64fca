//! A finding in full: what stood before and what stands after, with the lost part marked, and the chain from cause to cost. Or a
//! boundary in full: what became of everything that was owed at it.

use std::collections::BTreeSet;

use ratatui::layout::Rect;

use super::audit::{name, severity};
use super::canvas::{Canvas, inset, lines_of};
use crate::audit::{BoundaryAudit, Fate, Finding};
use crate::base::text::{clean, cut_end};
use crate::ledger::LaneSnapshot;
use crate::ui::app::{App, Link, Station, chain};
use crate::ui::document::{Block, Line, lay_out};
use crate::ui::layout::body;
use crate::ui::piece::{Mark, Piece};
use crate::ui::rows;
use crate::ui::theme::Role;
use crate::ui::words;

/// From so many cells on before and after stand side by side.
const SIDE_BY_SIDE: usize = 72;
/// So many words of a text are looked at, and so many stand before the first that was lost.
const MOST_WORDS: usize = 400;
const LEAD: usize = 12;
/// How the links of a chain are told, the fullest first.
const WAYS: [Telling; 3] = [Telling::Whole, Telling::Two, Telling::One];
/// So many lines tell what a link says, however much there is of it.
const MOST_LINES: usize = 4;
/// In so many lines the links of a chain take two each even where some of the texts must give way.
const TALL: usize = 20;
/// Cells of a link's name.
const NAMES: usize = 9;
/// Cells of where it stands.
const PLACES: usize = 9;

pub(super) fn draw(app: &App, lane: &LaneSnapshot, area: Rect, canvas: &mut Canvas<'_>) {
    let inner = inset(body(area), 1, 1);
    let height = usize::from(inner.height);
    // What fits is put together so that all of it is seen; who scrolls is shown everything.
    let compact = app.audit.foot.scroll.is_at_top();
    let Some((title, lines)) = told(app, lane, (usize::from(inner.width), if compact { height } else { usize::MAX })) else {
        return;
    };
    let more = super::foot::more(app, extent(app, lane, area));
    canvas.titled_rule(area, &title, more.as_ref().map(<[_; 1]>::as_slice));
    let first = app.audit.foot.scroll.first(lines.len(), height);
    for (line, pieces) in lines_of(inner).zip(lines.iter().skip(first)) {
        canvas.line(line, 0, pieces);
    }
}

/// All lines that there are to tell of the selected row, and how many of them fit.
pub(super) fn extent(app: &App, lane: &LaneSnapshot, area: Rect) -> (usize, usize) {
    let inner = inset(body(area), 1, 1);
    let lines = told(app, lane, (usize::from(inner.width), usize::MAX)).map_or(0, |(_, lines)| lines.len());
    (lines, usize::from(inner.height))
}

/// The title, and what is told of the selected row in at most so many cells, and about so many lines.
fn told(app: &App, lane: &LaneSnapshot, size: (usize, usize)) -> Option<(Vec<Piece<'static>>, Vec<Line>)> {
    let row = app.audit.selected()?;
    match (app.audit.finding_at(row), app.audit.boundary_at(row)) {
        (Some((boundary, finding)), _) => Some((title(finding), whole(app, lane, boundary, finding, size))),
        (None, boundary) => {
            let boundary = boundary?;
            Some((vec![Piece::new(Role::Dim, name(lane, boundary))], fates(app, lane, boundary, size.0)))
        }
    }
}

/// `constraint evaporation · high · e9`
fn title(finding: &Finding) -> Vec<Piece<'static>> {
    let (role, sign) = severity(finding.severity);
    let entry = finding.entry.as_ref().map(|entry| format!(" · {}", entry.id)).unwrap_or_default();
    let said = format!("{sign} {} · {}{entry}", words::finding(finding.class), finding.severity.word());
    vec![Piece::new(role, said)]
}

/// A finding in at most `height` lines: the chain stands whole where it can, and the texts take what is left.
fn whole(
    app: &App,
    lane: &LaneSnapshot,
    boundary: &BoundaryAudit,
    finding: &Finding,
    (width, height): (usize, usize),
) -> Vec<Line> {
    let links = chain(lane, boundary, finding);
    let told = |way: Telling| -> Vec<Vec<Line>> {
        links.iter().enumerate().map(|(n, link)| step(app, lane, finding, (link, n, links.len()), (width, way))).collect()
    };
    let mut lines = lay_out(&[Block::text(Role::Dim, means(app, lane, boundary, finding))], width, None).lines;
    let (all, gap) = (texts(lane, finding, width, usize::MAX), 1);
    let fits = |steps: &[Vec<Line>]| lines.len() + all.len() + gap + steps.iter().map(Vec::len).sum::<usize>() <= height;
    let least = if height >= TALL { Telling::Two } else { Telling::One };
    let mut steps = WAYS.into_iter().map(told).find(|steps| fits(steps)).unwrap_or_else(|| told(least));
    // What was lost is what this is about: where not all fits, what it says is not said again.
    if !fits(&steps) && matches!(links.first(), Some(Link { station: Station::Cause(_), .. })) {
        steps.remove(0);
    }
    let steps: Vec<Line> = steps.into_iter().flatten().collect();
    let room = height.saturating_sub(lines.len() + gap + steps.len().min(height / 2));
    lines.extend(if all.len() <= room { all } else { texts(lane, finding, width, room.max(3)) });
    lines.push(Line::new());
    lines.extend(steps);
    lines
}

/// What a class of findings means; of an entry that an earlier boundary had hurt as well, that it had.
fn means(app: &App, lane: &LaneSnapshot, boundary: &BoundaryAudit, finding: &Finding) -> String {
    let means = words::finding_means(finding.class);
    let earlier = finding.entry.as_ref().and_then(|entry| app.audit.hurt_before(boundary.boundary, entry.id));
    earlier.map_or_else(|| means.to_owned(), |earlier| format!("Again, as at {}: {means}", words::boundary(lane, earlier)))
}

/// Before and after, beside each other where there is room and both are there, else one below the other, in about so many lines.
fn texts(lane: &LaneSnapshot, finding: &Finding, width: usize, lines: usize) -> Vec<Line> {
    let (before, after) = (before(lane, finding), after(lane, finding));
    let is_short = finding.before.is_none() || finding.after.is_none();
    if width < SIDE_BY_SIDE || is_short {
        let laid = |side: &[Block], most: usize| cut(lay_out(side, width, None).lines, most.max(1));
        // What is not there takes one line, and leaves the rest to what is.
        let most = match (&finding.before, &finding.after) {
            (_, None) => (lines.saturating_sub(1), 1),
            (None, _) => (1, lines.saturating_sub(1)),
            _ => (lines / 2, lines / 2),
        };
        return [laid(&before, most.0.max(2)), laid(&after, most.1)].concat();
    }
    let half = (width - 3) / 2;
    let laid = |side: &[Block]| cut(lay_out(side, half, None).lines, lines.max(2));
    let (left, right) = (laid(&before), laid(&after));
    let side_by_side = |n: usize| {
        let mut line = left.get(n).cloned().unwrap_or_default();
        let cells = crate::ui::piece::width(&line);
        line.push(Piece::new(Role::Rule, format!("{} │ ", " ".repeat(half.saturating_sub(cells)))));
        line.extend(right.get(n).cloned().unwrap_or_default());
        line
    };
    (0..left.len().max(right.len())).map(side_by_side).collect()
}

/// At most so many lines, the last of which says where more was.
fn cut(mut lines: Vec<Line>, most: usize) -> Vec<Line> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(piece) = lines.last_mut().and_then(|line| line.last_mut()) {
            let mut kept = piece.text.trim_end().to_owned();
            kept.pop();
            piece.text = format!("{kept}…").into();
        }
    }
    lines
}

fn before(lane: &LaneSnapshot, finding: &Finding) -> Vec<Block> {
    let line = finding.entry.as_ref().map(|entry| format!("line {}", entry.opened.line)).unwrap_or_default();
    let said = finding.entry.as_ref().map(|entry| words::kind_of(lane, entry.kind, entry.opened.event)).unwrap_or_default();
    match &finding.before {
        Some(text) => {
            vec![heading("before", &[&line, said]), Block::Text { line: marked(text, finding.after.as_deref()), hang: 0 }]
        }
        None => vec![heading("before", &["nothing of the kind was said"])],
    }
}

fn after(lane: &LaneSnapshot, finding: &Finding) -> Vec<Block> {
    let line = finding.after_line.map(|line| format!("line {line}")).unwrap_or_default();
    let row = finding.after_event.and_then(|event| lane.events.get(event.index()));
    match &finding.after {
        Some(text) => {
            let who = row.map(|row| words::who(row.kind)).unwrap_or_default();
            let text = vec![Piece::new(Role::Text, shortened(text).join(" "))];
            vec![heading("after", &[&line, who]), Block::Text { line: text, hang: 0 }]
        }
        None => vec![heading("after", &["nothing stands for it"])],
    }
}

fn heading(what: &str, facts: &[&str]) -> Block {
    let facts: Vec<&str> = facts.iter().copied().filter(|fact| !fact.is_empty()).collect();
    let line = vec![Piece::owned(Role::Strong, what), Piece::new(Role::Dim, format!("  {}", facts.join(" · ")))];
    Block::Text { line, hang: 0 }
}

/// A text in which the words that do not stand afterwards are marked, from shortly before the first of them.
fn marked(before: &str, after: Option<&str>) -> Line {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let stands: BTreeSet<String> = after.unwrap_or_default().split_whitespace().map(bare).collect();
    let is_gone = |word: String| !word.is_empty() && !stands.contains(&word);
    let is_lost = |word: &str| after.is_none() || is_gone(bare(word));
    let all = shortened(before);
    let from = all.iter().position(|word| is_lost(word)).map_or(0, |first| first.saturating_sub(LEAD));
    let mut line = Line::new();
    if from > 0 {
        line.push(Piece::new(Role::Dim, "… "));
    }
    let words: Vec<&str> = all.into_iter().skip(from).collect();
    for run in words.chunk_by(|one, next| is_lost(one) == is_lost(next)) {
        let mark = run.first().is_some_and(|word| is_lost(word)).then_some(Mark { region: 0, role: Role::RegionProhibition });
        if !line.is_empty() {
            line.push(Piece::new(Role::Text, " "));
        }
        line.push(Piece::new(Role::Text, run.join(" ")).marked(mark));
    }
    line
}

fn shortened(text: &str) -> Vec<&str> {
    text.split_whitespace().take(MOST_WORDS).collect()
}

/// How a link of a chain is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    /// In as many lines as it takes.
    Whole,
    /// What it is and what was done, each in a line.
    Two,
    One,
}

/// A link of the chain; the one that the reader was led to last stands out.
fn step(
    app: &App,
    lane: &LaneSnapshot,
    finding: &Finding,
    (link, n, of): (&Link<'_>, usize, usize),
    (width, way): (usize, Telling),
) -> Vec<Line> {
    let here = app.audit.link == Some(n);
    let rail = match n {
        _ if here => "▸",
        _ if of == 1 => "·",
        0 => "┌",
        _ if n + 1 == of => "└",
        _ => "├",
    };
    let verb = match link.station {
        Station::Boundary(_) => words::hurt(finding),
        _ => words::station_verb(&link.station),
    };
    let (said, more) = said(app, lane, finding, link);
    let name = if here { Role::Focus } else { Role::Strong };
    let indent = 2 + NAMES + PLACES + 1;
    let room = width.saturating_sub(indent);
    let short = |text: &str| vec![Piece::new(Role::Dim, cut_end(&clean(text), room).into_owned())];
    let wrapped = |text: &str| cut(lay_out(&[Block::text(Role::Dim, clean(text).into_owned())], room, None).lines, MOST_LINES);
    let told: Vec<Line> = match (way, more.as_deref()) {
        (Telling::One, Some(more)) => vec![short(&format!("{said}: {more}"))],
        (Telling::One, None) => vec![short(&said)],
        (Telling::Two, more) => std::iter::once(said.as_str()).chain(more).map(short).collect(),
        // What was asked and what stands instead is above, word by word.
        (Telling::Whole, None) if !matches!(link.station, Station::Cost(_)) => vec![short(&said)],
        (Telling::Whole, more) => std::iter::once(said.as_str()).chain(more).flat_map(wrapped).collect(),
    };
    let below = if n + 1 == of { " " } else { "│" };
    let line = |(row, told): (usize, Line)| {
        let mut line = match row {
            0 => vec![
                Piece::new(if here { Role::Focus } else { Role::Dim }, format!("{rail} ")),
                Piece::new(name, format!("{verb:<NAMES$}")),
                Piece::new(Role::Text, format!("{:<PLACES$} ", format!("line {}", link.line))),
            ],
            _ => vec![Piece::new(Role::Dim, format!("{below}{}", " ".repeat(indent - 1)))],
        };
        line.extend(told);
        line
    };
    told.into_iter().enumerate().map(line).collect()
}

/// What a link says, and of a cost what was done.
fn said(app: &App, lane: &LaneSnapshot, finding: &Finding, link: &Link<'_>) -> (String, Option<String>) {
    let row = rows::row_of(lane, link.event).unwrap_or(link.event);
    let label = || words::label(lane, row, app.snapshot.facts.directory.as_deref()).into_owned();
    match &link.station {
        Station::Cost(cost) => {
            let first = cost.first();
            let text = Some(label()).filter(|label| !label.is_empty()).or_else(|| first.map(|cost| cost.text.clone()));
            let distance = first.map(|cost| words::distance(cost.distance)).unwrap_or_default();
            (format!("{}, {distance}", words::consequences(cost)), text)
        }
        Station::Boundary(ix) => {
            let cost = if finding.consequences.is_empty() { ", no cost seen" } else { "" };
            (words::boundary(lane, *ix) + cost, None)
        }
        Station::After => (finding.after.clone().unwrap_or_else(label), None),
        Station::Cause(_) => (label(), None),
    }
}

/// What became of everything that was owed at a boundary.
fn fates(app: &App, lane: &LaneSnapshot, audit: &BoundaryAudit, width: usize) -> Vec<Line> {
    let mut blocks = Vec::new();
    if lane.boundaries.get(audit.boundary.index()).is_some_and(|row| row.opaque) {
        let told =
            "Its summary cannot be read: it is encrypted, or was not recorded. Whether what was owed stands in it nobody can say.";
        blocks.extend([Block::text(Role::Text, told), Block::Gap]);
    }
    if audit.entries.is_empty() {
        blocks.push(Block::text(Role::Text, "Nothing was owed here: there was nothing to lose."));
    }
    for fate in Fate::ALL.into_iter().filter(|fate| audit.count(*fate) > 0) {
        let role = if fate.is_kept() { Role::Text } else { Role::Strong };
        let line = vec![
            Piece::new(role, format!("{:>4}  {:<13} ", audit.count(fate), fate.word())),
            Piece::new(Role::Dim, words::fate_means(fate)),
        ];
        blocks.push(Block::Text { line, hang: 20 });
    }
    let owed = audit.obligations;
    if owed.before > 0 {
        let told = format!(
            "Of what was owed {} tok stood before and {} stand after; carriers take {} at the least.",
            words::tokens(owed.before),
            words::tokens(owed.after),
            words::tokens(owed.floor)
        );
        blocks.extend([Block::Gap, Block::text(Role::Dim, told), Block::Gap]);
    }
    for told in audit.entries.iter().filter(|told| !told.fate.is_kept()) {
        let line = vec![
            Piece::new(Role::Text, format!("{:<13} ", told.fate.word())),
            Piece::new(
                Role::Dim,
                format!("{} {}  ", told.entry.id, words::kind_of(lane, told.entry.kind, told.entry.opened.event)),
            ),
            Piece::new(Role::Text, words::what(&told.entry, app.snapshot.facts.directory.as_deref()).into_owned()),
        ];
        blocks.push(Block::Text { line, hang: 14 });
    }
    lay_out(&blocks, width, None).lines
}
