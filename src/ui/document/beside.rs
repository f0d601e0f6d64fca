//! A change in two columns: what it was at the left, what it is at the right, what has not changed on both sides.

use super::layout::{CodeRow, Line, Stands, chop};
use crate::ui::piece::{Piece, width};
use crate::ui::theme::Role;

/// Fewer cells hold no two columns that anybody could read.
pub(crate) const NARROWEST: u16 = 88;

/// What stands between the columns.
const BETWEEN: &str = " │ ";

/// A row with its text as it is painted.
type Painted<'r> = (&'r CodeRow, Line);

/// Lays rows out in two columns that together take `cells` cells.
pub(super) fn lay_out(rows: &[CodeRow], painted: impl Iterator<Item = Line>, cells: usize, lines: &mut Vec<Line>) {
    let each = cells.saturating_sub(BETWEEN.chars().count()) / 2;
    let rows: Vec<Painted<'_>> = rows.iter().zip(painted).collect();
    // Lines that go, and the lines that come in their place.
    let together = |(one, _): &Painted<'_>, (next, _): &Painted<'_>| {
        one.stands != Stands::Both && next.stands != Stands::Both && (one.stands, next.stands) != (Stands::After, Stands::Before)
    };
    for run in rows.chunk_by(together) {
        // A patch's own headings belong to both sides.
        if let [(CodeRow { margin: None, stands: Stands::Both, .. }, heading)] = run {
            chop(None, heading, cells, lines);
            continue;
        }
        let side = |side: Stands| run.iter().filter(move |(row, _)| row.stands == side || row.stands == Stands::Both);
        let (mut before, mut after) = (side(Stands::Before), side(Stands::After));
        loop {
            match (before.next(), after.next()) {
                (None, None) => break,
                (left, right) => pair(left, right, each, lines),
            }
        }
    }
}

/// Two rows side by side, each in as many lines as it needs.
fn pair(left: Option<&Painted<'_>>, right: Option<&Painted<'_>>, each: usize, lines: &mut Vec<Line>) {
    let laid = |row: Option<&Painted<'_>>| {
        let mut lines = Vec::new();
        if let Some((row, line)) = row {
            chop(row.margin.as_ref(), line, each, &mut lines);
        }
        lines.into_iter()
    };
    let (mut left, mut right) = (laid(left), laid(right));
    loop {
        let (left, right) = match (left.next(), right.next()) {
            (None, None) => break,
            (left, right) => (left.unwrap_or_default(), right.unwrap_or_default()),
        };
        let blank = " ".repeat(each.saturating_sub(width(&left)));
        let mut line = left;
        line.push(Piece::new(Role::Rule, blank + BETWEEN));
        line.extend(right);
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{diff, layout::Block, layout::lay_out, text_of};
    use proptest::prelude::*;

    fn shown(old: &str, new: &str, cells: usize) -> Vec<String> {
        let document = lay_out(&[diff::between(old, new, None).beside()], cells, None);
        document.lines.iter().map(|line| text_of(line).trim_end().to_owned()).collect()
    }

    #[test]
    fn what_comes_stands_beside_what_goes() {
        let old = "let a = 1;\nlet b = 2;\nlet c = 3;\n";
        let new = "let a = 1;\nlet b = 20;\nlet bb = 4;\nlet c = 3;\n";
        assert_eq!(
            shown(old, new, 35),
            [
                "  let a = 1;     │   let a = 1;",
                "- let b = 2;     │ + let b = 20;",
                "                 │ + let bb = 4;",
                "  let c = 3;     │   let c = 3;",
            ]
        );
    }

    #[test]
    fn a_long_line_is_broken_in_its_own_column() {
        assert_eq!(shown("aaaaaaaaaa\n", "bb\n", 19), ["- aaaaaa │ + bb", "  aaaa   │"]);
    }

    #[test]
    fn what_was_only_written_has_no_other_side() {
        assert_eq!(shown("", "one\ntwo\n", 40), ["+ one", "+ two"]);
        assert!(matches!(diff::between("", "one\n", None).beside(), Block::Code { .. }));
    }

    proptest! {
        #[test]
        fn each_side_is_whole_and_fits(old in "([abc日]{0,9}\n){0,9}", new in "([abc日]{0,9}\n){0,9}", cells in 20usize..60) {
            let block = diff::between(&old, &new, None).beside();
            let both = matches!(block, Block::Beside { .. });
            let lines: Vec<String> = lay_out(&[block], cells, None).lines.iter().map(text_of).collect();
            prop_assert!(lines.iter().all(|line| crate::base::text::width(line) <= cells), "{:?}", lines);
            if both {
                let side = |n: usize, sign: char| lines.iter().filter(|line| line.split('│').nth(n).is_some_and(|side| side.trim_start_matches(' ').starts_with(sign))).count();
                let count = |sign: char| match &diff::between(&old, &new, None) {
                    Block::Code { rows, .. } => rows.iter().filter_map(|row| row.margin.as_ref()).filter(|margin| margin.text.starts_with(sign)).count(),
                    _ => 0,
                };
                prop_assert_eq!((side(0, '-'), side(1, '+')), (count('-'), count('+')));
            }
        }
    }
}
