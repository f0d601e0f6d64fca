//! Lists and scrolled text: a selection and a window that follows it.

/// How far a key moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// By rows; up is negative.
    Rows(isize),
    /// By pages; up is negative.
    Pages(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

impl Motion {
    /// Where it leads from row `from` of `len` rows, of which a page holds `page`.
    fn lead(self, from: usize, len: usize, page: usize) -> usize {
        let last = len.saturating_sub(1);
        let by = match self {
            Self::Rows(by) => by,
            Self::Pages(by) => by.saturating_mul(isize::try_from(page.saturating_sub(1).max(1)).unwrap_or(1)),
            Self::First => return 0,
            Self::Last => return last,
        };
        from.saturating_add_signed(by).min(last)
    }
}

/// A list with a selected row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) selected: usize,
    top: usize,
}

impl List {
    /// A list in which this row is selected.
    pub(crate) fn at(selected: usize) -> Self {
        Self { selected, top: 0 }
    }

    /// A list in which this row is selected, and that begins with the row of its heading where both fit.
    pub(crate) fn below_its_heading(selected: usize, heading: usize) -> Self {
        Self { selected, top: heading }
    }

    pub(crate) fn go(&mut self, motion: Motion, len: usize, page: usize) {
        self.selected = motion.lead(self.selected, len, page);
        self.settle(len, page);
    }

    /// Keeps the selection inside the list and the window around the selection. A list that is not shown has no window.
    pub(crate) fn settle(&mut self, len: usize, page: usize) {
        self.selected = self.selected.min(len.saturating_sub(1));
        if page > 0 {
            self.top = self.first(len, page);
        }
    }

    /// The first row to show of `len` rows when `page` fit, so that the selection is among them.
    pub(crate) fn first(&self, len: usize, page: usize) -> usize {
        let lowest = self.selected.saturating_sub(page.saturating_sub(1));
        self.top.clamp(lowest.min(self.selected), self.selected).min(len.saturating_sub(page))
    }
}

/// Text without a selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scroll(usize);

impl Scroll {
    pub(crate) fn go(&mut self, motion: Motion, len: usize, page: usize) {
        let last = len.saturating_sub(page);
        self.0 = motion.lead(self.0.min(last), last + 1, page);
    }

    /// Brings a line into view; where it is not, to the upper third.
    pub(crate) fn show(&mut self, line: usize, len: usize, page: usize) {
        let first = self.first(len, page);
        if line < first || line >= first + page {
            self.0 = line.saturating_sub(page / 3).min(len.saturating_sub(page));
        }
    }

    /// Whether the first line is the first to show.
    pub(crate) fn is_at_top(self) -> bool {
        self.0 == 0
    }

    /// The first line to show of `len` lines when `page` fit.
    pub(crate) fn first(self, len: usize, page: usize) -> usize {
        self.0.min(len.saturating_sub(page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_window_moves_only_when_the_selection_leaves_it() {
        let mut list = List::default();
        let mut seen = Vec::new();
        for motion in [Motion::Rows(2), Motion::Rows(2), Motion::Rows(-1), Motion::Rows(-3), Motion::Last, Motion::Pages(-1)] {
            list.go(motion, 10, 4);
            seen.push((list.selected, list.first(10, 4)));
        }
        assert_eq!(seen, [(2, 0), (4, 1), (3, 1), (0, 0), (9, 6), (6, 6)]);
    }

    #[test]
    fn text_scrolls_until_its_last_page() {
        let mut scroll = Scroll::default();
        for (motion, first) in [(Motion::Rows(3), 3), (Motion::Pages(5), 6), (Motion::Rows(-1), 5), (Motion::First, 0)] {
            scroll.go(motion, 10, 4);
            assert_eq!(scroll.first(10, 4), first, "{motion:?}");
        }
        assert_eq!(scroll.first(2, 4), 0);
    }

    proptest! {
        #[test]
        fn the_selection_is_always_in_the_window(moves in prop::collection::vec((-9isize..9, 0usize..12, 0usize..6), 0..20)) {
            let mut list = List::default();
            for (by, len, page) in moves {
                list.go(Motion::Rows(by), len, page);
                let first = list.first(len, page);
                prop_assert!(len == 0 || page == 0 || (first..first + page).contains(&list.selected));
                prop_assert!(len < page || first + page <= len.max(page));
            }
        }
    }
}
