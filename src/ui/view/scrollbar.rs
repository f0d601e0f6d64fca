//! The column at the right edge of what does not fit: how much of it is seen, and on which side there is more.

use ratatui::layout::Rect;

use super::canvas::{Canvas, lines_of};
use crate::ui::theme::Role;

/// Draws it, where of `len` lines from `first` on not all are seen.
pub(crate) fn scrollbar(column: Rect, first: usize, len: usize, canvas: &mut Canvas<'_>) {
    let page = usize::from(column.height);
    if page == 0 || len <= page {
        return;
    }
    for (n, cell) in lines_of(column).enumerate() {
        let (from, to) = (n * len / page, (n + 1) * len / page);
        let seen = from < first + page && to > first;
        let (role, sign) = match () {
            () if n + 1 == page && first + page < len => (Role::Text, "▾"),
            () if n == 0 && first > 0 => (Role::Text, "▴"),
            () if seen => (Role::Dim, "┃"),
            () => (Role::Rule, "│"),
        };
        canvas.put(cell, 0, role, sign);
    }
}
