//! Blocks to lines: wrapping to a width, and the colours of code.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::code::Painter;
use super::{Document, beside};
use crate::base::text;
use crate::ui::piece::{Mark, Piece};
use crate::ui::theme::Role;

/// One line of a document.
pub(crate) type Line = Vec<Piece<'static>>;

/// A part of a document before it has a width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// An empty line; several in a row are one.
    Gap,
    /// A line of prose, broken between words; the lines after the first stand `hang` cells further in.
    Text { line: Line, hang: usize },
    /// JSON, line by line; deep levels are folded.
    Json(Vec<Line>),
    /// Lines of code, broken where they must be.
    Code { language: Option<String>, rows: Vec<CodeRow> },
    /// Lines of a change, what it was at the left and what it is at the right.
    Beside { language: Option<String>, rows: Vec<CodeRow> },
}

/// A line of code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CodeRow {
    /// What stands before it: a sign, a line number.
    pub(crate) margin: Option<Piece<'static>>,
    pub(crate) stands: Stands,
    pub(crate) text: RowText,
    /// The bytes of it that are other ones now, and how that is shown.
    changed: Option<(Range<usize>, Role)>,
}

/// On which sides of a change a line stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stands {
    /// It was there and is: it has not changed.
    #[default]
    Both,
    Before,
    After,
}

/// The text of a line of code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RowText {
    /// To be painted as its language says, together with the other such lines of its block.
    ToPaint(String),
    /// As it is.
    Painted(Line),
}

impl CodeRow {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { margin: None, stands: Stands::Both, text: RowText::ToPaint(text.into()), changed: None }
    }

    pub(crate) fn painted(line: Line) -> Self {
        Self { margin: None, stands: Stands::Both, text: RowText::Painted(line), changed: None }
    }

    /// The same with a part of it marked as changed.
    pub(crate) fn changed(mut self, part: Option<Range<usize>>, role: Role) -> Self {
        self.changed = part.filter(|part| !part.is_empty()).map(|part| (part, role));
        self
    }

    /// The same on some sides of a change.
    pub(crate) fn standing(mut self, stands: Stands) -> Self {
        self.stands = stands;
        self
    }

    pub(crate) fn behind(mut self, margin: Piece<'static>) -> Self {
        self.margin = Some(margin);
        self
    }
}

impl Block {
    pub(crate) fn text(role: Role, text: impl Into<String>) -> Self {
        Self::Text { line: vec![Piece::new(role, text.into())], hang: 0 }
    }

    /// The same with JSON folded so many levels deeper than it would be by itself.
    pub(crate) fn folded(self, levels: i8) -> Self {
        match self {
            Self::Json(rows) => Self::Json(super::json::folded(&rows, levels)),
            other => other,
        }
    }

    /// The same with a change in two columns. What was only written, or only taken away, has no other side.
    pub(crate) fn beside(self) -> Self {
        match self {
            Self::Code { language, rows }
                if [Stands::Before, Stands::After].iter().all(|side| rows.iter().any(|row| row.stands == *side)) =>
            {
                Self::Beside { language, rows }
            }
            other => other,
        }
    }

    /// Whether a painter would change it.
    pub(crate) fn has_colours(&self) -> bool {
        matches!(self, Self::Code { language: Some(_), .. } | Self::Beside { language: Some(_), .. })
    }
}

/// Lays blocks out in lines of at most `width` cells. Without a painter code stays plain.
pub(crate) fn lay_out(blocks: &[Block], width: usize, painter: Option<&Painter>) -> Document {
    let width = width.max(1);
    let mut lines: Vec<Line> = Vec::new();
    for block in blocks {
        match block {
            Block::Gap if lines.last().is_none_or(Vec::is_empty) => {}
            Block::Gap => lines.push(Line::new()),
            Block::Text { line, hang } => wrap(line, width, *hang, &mut lines),
            Block::Json(rows) => rows.iter().for_each(|row| chop(None, row, width, &mut lines)),
            Block::Code { language, rows } => {
                for (row, line) in rows.iter().zip(painted(language.as_deref(), rows, painter)) {
                    chop(row.margin.as_ref(), &line, width, &mut lines);
                }
            }
            Block::Beside { language, rows } => {
                beside::lay_out(rows, painted(language.as_deref(), rows, painter), width, &mut lines);
            }
        }
    }
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    Document { lines, tags: Vec::new() }
}

/// The text of each row as it is painted, with what has changed in it marked.
fn painted<'r>(language: Option<&str>, rows: &'r [CodeRow], painter: Option<&Painter>) -> impl Iterator<Item = Line> + use<'r> {
    let unpainted = rows.iter().filter_map(|row| match &row.text {
        RowText::ToPaint(text) => Some(text.as_str()),
        RowText::Painted(_) => None,
    });
    let mut painted = match (painter, language) {
        (Some(painter), Some(language)) => painter.paint(language, &unpainted.collect::<Vec<_>>()).into_iter(),
        _ => Vec::new().into_iter(),
    };
    rows.iter().map(move |row| {
        let line = match &row.text {
            RowText::Painted(line) => line.clone(),
            RowText::ToPaint(text) => painted.next().unwrap_or_else(|| vec![Piece::new(Role::Text, text.clone())]),
        };
        match marked(&line, row.changed.as_ref()) {
            Cow::Owned(marked) => marked,
            Cow::Borrowed(_) => line,
        }
    })
}

/// A line with some of its bytes marked.
fn marked<'l>(line: &'l [Piece<'static>], part: Option<&(Range<usize>, Role)>) -> Cow<'l, [Piece<'static>]> {
    let Some((part, role)) = part else { return Cow::Borrowed(line) };
    let mark = Some(Mark { region: Mark::NO_REGION, role: *role });
    let mut out = Line::new();
    let mut at = 0;
    for piece in line {
        let cut = |byte: usize| byte.saturating_sub(at).min(piece.text.len());
        let (from, to) = (cut(part.start), cut(part.end));
        for (range, mark) in [(0..from, piece.mark), (from..to, mark), (to..piece.text.len(), piece.mark)] {
            if let Some(text) = piece.text.get(range).filter(|text| !text.is_empty()) {
                out.push(piece.part(text).marked(mark));
            }
        }
        at += piece.text.len();
    }
    Cow::Owned(out)
}

/// Breaks a line at a blank near its end, else anywhere; the lines after the first stand below its text, or a little further in where it has no margin.
pub(super) fn chop(margin: Option<&Piece<'static>>, line: &[Piece<'static>], width: usize, lines: &mut Vec<Line>) {
    let margin = margin.filter(|margin| margin.width() + 2 <= width);
    let hang = margin.map_or(if width < 12 { 0 } else { 2 }, Piece::width);
    let mut start = margin.map_or(0, Piece::width);
    let mut current: Line = margin.into_iter().cloned().collect();
    let mut used = start;
    for piece in line {
        for cluster in piece.text.graphemes(true) {
            let cells = text::width(cluster);
            if used > start && used + cells > width {
                let tail = after_blank(&mut current, start.max(width * 2 / 3));
                lines.push(std::mem::replace(&mut current, blank(hang)));
                (start, used) = (hang, hang + crate::ui::piece::width(&tail));
                current.extend(tail);
            }
            push(&mut current, piece, cluster);
            used += cells;
        }
    }
    lines.push(current);
}

/// Takes away what stands behind the last blank of a line, if that is so many cells in.
fn after_blank(line: &mut Line, from: usize) -> Line {
    let mut start = crate::ui::piece::width(line);
    for n in (0..line.len()).rev() {
        let Some(piece) = line.get_mut(n) else { break };
        start -= piece.width();
        let Some((before, after)) = piece.text.rsplit_once(' ') else { continue };
        if start + text::width(before) < from {
            break;
        }
        let (head, tail) = (piece.part(&format!("{before} ")), piece.part(after));
        *piece = head;
        let rest = line.split_off(n + 1);
        return std::iter::once(tail).filter(|tail| !tail.text.is_empty()).chain(rest).collect();
    }
    Line::new()
}

/// Breaks a line between words; a word that is longer than a line is broken anywhere.
fn wrap(line: &[Piece<'static>], width: usize, hang: usize, lines: &mut Vec<Line>) {
    // A wide character must still fit behind it.
    let hang = hang.min(width / 2).min(width.saturating_sub(2));
    let mut current = Line::new();
    let (mut start, mut used) = (0, 0);
    let mut bare = true;
    for piece in line {
        for word in words(&piece.text) {
            let cells = text::width(word);
            let blank_word = word.chars().all(char::is_whitespace);
            if used + cells > width && !bare {
                lines.push(std::mem::replace(&mut current, blank(hang)));
                (start, used, bare) = (hang, hang, true);
                if blank_word {
                    continue;
                }
            }
            if used + cells <= width {
                push(&mut current, piece, word);
                (used, bare) = (used + cells, bare && blank_word);
                continue;
            }
            for cluster in word.graphemes(true) {
                let cells = text::width(cluster);
                if used + cells > width && used > start {
                    lines.push(std::mem::replace(&mut current, blank(hang)));
                    (start, used) = (hang, hang);
                }
                push(&mut current, piece, cluster);
                (used, bare) = (used + cells, false);
            }
        }
    }
    lines.push(current);
}

/// The parts of a text between which a line may be broken: words with the marks that hang on them, and what stands between.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut end = 0;
        for word in rest.split_word_bounds() {
            let before = rest.get(..end).and_then(|before| before.chars().next_back());
            // Scripts without blanks are broken where their words end; what is joined by ASCII is not.
            let joined = before.zip(word.chars().next()).is_some_and(|(before, next)| {
                !before.is_whitespace() && !next.is_whitespace() && (before.is_ascii() || next.is_ascii())
            });
            if end > 0 && !joined {
                break;
            }
            end += word.len();
        }
        let (word, after) = rest.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
        rest = after;
        Some(word)
    })
}

fn blank(cells: usize) -> Line {
    if cells == 0 { Line::new() } else { vec![Piece::new(Role::Text, " ".repeat(cells))] }
}

/// Adds a part of a piece.
fn push(line: &mut Line, piece: &Piece<'_>, text: &str) {
    match line.last_mut() {
        Some(last) if last.looks_like(piece) => last.text.to_mut().push_str(text),
        _ => line.push(piece.part(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(document: &Document) -> Vec<String> {
        document.lines.iter().map(|line| line.iter().map(|piece| &*piece.text).collect()).collect()
    }

    #[test]
    fn prose_breaks_between_words_and_hangs() {
        let line = vec![Piece::new(Role::Dim, "- "), Piece::new(Role::Text, "keep the old column until the new one is read")];
        let document = lay_out(&[Block::Text { line, hang: 2 }], 20, None);
        assert_eq!(plain(&document), ["- keep the old ", "  column until the ", "  new one is read"]);
    }

    #[test]
    fn a_word_that_fits_nowhere_is_broken() {
        let document = lay_out(&[Block::text(Role::Text, "see https://example.org/a/very/long/path")], 12, None);
        assert!(plain(&document).iter().all(|line| text::width(line) <= 12), "{document:?}");
        assert_eq!(plain(&document).concat().replace(' ', ""), "seehttps://example.org/a/very/long/path");
    }

    #[test]
    fn code_is_broken_below_its_text() {
        let row = CodeRow::new("let x = 1;").behind(Piece::new(Role::Added, "+ "));
        let document = lay_out(&[Block::Code { language: None, rows: vec![row] }], 8, None);
        assert_eq!(plain(&document), ["+ let x ", "  = 1;"]);
    }

    #[test]
    fn code_is_broken_at_a_blank_that_is_near_the_end_and_else_anywhere() {
        for (text, lines) in [
            ("cargo add chrono && cargo add serde", vec!["cargo add chrono && ", "  cargo add serde"]),
            ("a verylongwordthatfitsinnoline", vec!["a verylongwordthatfitsi", "  nnoline"]),
            ("cargo add chrono --features", vec!["cargo add chrono ", "  --features"]),
        ] {
            let document = lay_out(&[Block::Code { language: None, rows: vec![CodeRow::new(text)] }], 23, None);
            assert_eq!(plain(&document), lines);
        }
    }

    #[test]
    fn several_gaps_are_one_and_none_stands_at_an_edge() {
        let text = || Block::text(Role::Text, "a");
        let document = lay_out(&[Block::Gap, text(), Block::Gap, Block::Gap, text(), Block::Gap], 8, None);
        assert_eq!(plain(&document), ["a", "", "a"]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_its_width(words in "[a-z日本 /]{0,80}", width in 2usize..40, hang in 0usize..6) {
            let line = vec![Piece::new(Role::Text, words.clone())];
            let rows = vec![CodeRow::new(words)];
            let blocks = [Block::Text { line, hang }, Block::Code { language: None, rows }];
            for line in plain(&lay_out(&blocks, width, None)) {
                prop_assert!(text::width(&line) <= width, "{:?}", line);
            }
        }
    }
}
