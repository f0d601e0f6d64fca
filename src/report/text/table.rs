//! Columns that line up.

use super::page::Page;
use crate::base::text::{clean, cut_end, cut_middle, width};
use crate::report::style::Tone;

/// One cell: text and its tone.
pub(super) struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A cell of plain text.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::toned(Tone::Normal, text)
    }

    /// A cell of a tone.
    pub(super) fn toned(tone: Tone, text: impl Into<String>) -> Self {
        Self { text: text.into(), tone }
    }
}

/// How a column stands and where it is cut, in terminal cells.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// From the left, cut at its end.
    Text(usize),
    /// From the left, cut in its middle: paths.
    Path(usize),
    /// From the right, never cut.
    Number,
}

/// Rows under common columns. A column in which nothing stands takes no room.
pub(super) struct Table {
    columns: Vec<Column>,
    titles: Vec<Cell>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), titles: Vec::new(), rows: Vec::new() }
    }

    /// Puts titles over the columns.
    pub(super) fn titled(mut self, titles: &[&str]) -> Self {
        self.titles = titles.iter().map(|title| Cell::toned(Tone::Dim, *title)).collect();
        self
    }

    /// Adds a row, a cell a column; each is cleaned and cut.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let fit = |(cell, column): (Cell, &Column)| {
            let text = clean(&cell.text);
            let text = match *column {
                Column::Text(cells) => cut_end(&text, cells),
                Column::Path(cells) => cut_middle(&text, cells),
                Column::Number => text.as_ref().into(),
            };
            Cell { text: text.into_owned(), tone: cell.tone }
        };
        self.rows.push(cells.into_iter().zip(&self.columns).map(fit).collect());
    }

    /// Writes the rows: two cells in, two between columns, no blanks at the end of a line.
    pub(super) fn write(&self, page: &mut Page) {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let cells = |row: &[Cell]| row.get(column).map_or(0, |cell| width(&cell.text));
                match self.rows.iter().map(|row| cells(row)).max().unwrap_or(0) {
                    0 => 0,
                    widest => widest.max(cells(&self.titles)),
                }
            })
            .collect();
        let titles = Some(&self.titles).filter(|titles| !titles.is_empty());
        for row in titles.into_iter().chain(&self.rows) {
            let visible = row.iter().zip(&self.columns).zip(&widths).filter(|(_, cells)| **cells > 0);
            let parts: Vec<_> = visible
                .flat_map(|((cell, column), cells)| {
                    let blanks = (Tone::Normal, " ".repeat(cells.saturating_sub(width(&cell.text))));
                    let text = (cell.tone, cell.text.clone());
                    let gap = (Tone::Normal, "  ".to_owned());
                    match column {
                        Column::Number => [gap, blanks, text],
                        Column::Text(_) | Column::Path(_) => [gap, text, blanks],
                    }
                })
                .collect();
            page.line(parts.iter().map(|(tone, text)| (*tone, text.as_str())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::style::Style;

    #[test]
    fn columns_line_up_and_empty_ones_go() {
        let mut table = Table::new(&[Column::Text(10), Column::Number, Column::Text(9), Column::Path(8)])
            .titled(&["what", "n", "none", "where"]);
        table.row([Cell::new("日本"), Cell::new("7"), Cell::new(""), Cell::new("src/a/long/path.rs")]);
        table.row([Cell::new("a\x1b[31m"), Cell::new("1234"), Cell::new(""), Cell::new("")]);
        let mut page = Page::new(Style::Plain);
        table.write(&mut page);
        assert_eq!(page.finish(), "  what       n  where\n  日本       7  src…h.rs\n  a·[31m  1234\n");
    }
}
