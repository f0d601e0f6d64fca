//! Where the panes lie on a screen of a given size.
//!
//! At 60 columns, and where the reader asks for it, one pane; at 80 the time line and the pending calls; from 120 a tab beside them; from 200 two tabs: `Why`, and below it, on a low screen beside it,
//! another. Each pane's
//! area begins with the rule that holds its title.

use ratatui::layout::{Rect, Size};

use super::app::{Pane, Panes, Room, Tab};
use super::outside::{Arrangement, Shown};

/// The smallest screen.
pub(crate) const SMALLEST: Size = Size { width: 60, height: 15 };

/// From so many lines on, two tabs lie one above the other.
const TALL: u16 = 40;

/// The areas of the panes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The two lines of the header.
    pub(crate) header: Rect,
    pub(crate) timeline: Option<Rect>,
    /// The tabs that are shown, from left to right.
    pub(crate) tabs: Vec<(Tab, Rect)>,
    /// The tabs whose first line says by which words their list is narrowed.
    pub(crate) narrowed: Vec<Tab>,
    pub(crate) pending: Option<Rect>,
    /// The key bar.
    pub(crate) bar: Rect,
}

impl Layout {
    /// The areas on a screen of `size`, with room for so many pending rows.
    pub(crate) fn of(size: Size, panes: Panes, pending: usize) -> Self {
        let screen = Rect::new(0, 0, size.width, size.height);
        let header = Rect { height: size.height.min(2), ..screen };
        let bar = Rect { y: size.height.saturating_sub(1), height: size.height.min(1), ..screen };
        let middle = Rect { y: header.bottom(), height: bar.y.saturating_sub(header.bottom()), ..screen };
        let mut layout = Self { header, timeline: None, tabs: Vec::new(), narrowed: Vec::new(), pending: None, bar };

        if size.width < 80 || size.height < 20 || panes.room == Room::Whole {
            match panes.focus {
                Pane::Timeline => layout.timeline = Some(middle),
                Pane::Pending => layout.pending = Some(middle),
                Pane::Tab(tab) => layout.tabs.push((tab, middle)),
            }
            return layout;
        }
        let by_itself = u16::try_from(pending).unwrap_or(u16::MAX).min((size.height / 4).saturating_sub(2).max(2));
        let Arrangement { timeline: share, pending: rows, calls, tabs, .. } = panes.arrangement;
        let rows = rows.unwrap_or(by_itself).min((middle.height / 2).max(1));
        // Of no row the title says all that there is to say.
        let taken = if rows == 0 { 1 } else { rows + 2 };
        let below = Rect { y: middle.bottom().saturating_sub(taken), height: taken.min(middle.height), ..middle };
        let (main, below) = match calls {
            // What is hidden comes back while it has the keys.
            Shown::Hidden if panes.focus != Pane::Pending => (middle, None),
            _ => (Rect { height: middle.height.saturating_sub(below.height), ..middle }, Some(below)),
        };
        layout.pending = below;
        if size.width < 120 || tabs == Shown::Hidden {
            match panes.focus {
                Pane::Tab(tab) => layout.tabs.push((tab, main)),
                Pane::Timeline | Pane::Pending => layout.timeline = Some(main),
            }
            return layout;
        }
        let share = share.unwrap_or(if size.width < 200 { 54 } else { 42 });
        let (left, right) = split(main, u16::try_from(u32::from(main.width) * u32::from(share) / 100).unwrap_or(main.width));
        layout.timeline = Some(left);
        if size.width < 200 {
            layout.tabs.push((panes.tab, right));
        } else if right.height >= TALL {
            // Reasons are few lines; tables and changes in two columns want all of the width.
            let rows = right.height / 3;
            let below = Rect { y: right.y + rows, height: right.height - rows, ..right };
            layout.tabs = vec![(Tab::Why, Rect { height: rows, ..right }), (panes.beside, below)];
        } else {
            // Reasons are short lines; tables and changes are not.
            let (first, second) = split(right, right.width * 2 / 5);
            layout.tabs = vec![(Tab::Why, first), (panes.beside, second)];
        }
        layout
    }

    /// The area of a tab, if it is shown. Of one whose list is narrowed, the line that says so stands in the place of the title.
    pub(crate) fn tab(&self, tab: Tab) -> Option<Rect> {
        let whole = self.tabs.iter().find(|(shown, _)| *shown == tab).map(|(_, area)| *area);
        whole.map(|area| if self.narrowed.contains(&tab) { body(area) } else { area })
    }

    /// The tabs that take turns at the place of a tab that is shown.
    pub(crate) fn strip(&self, shown: Tab) -> &'static [Tab] {
        match (self.tabs.len() > 1, shown) {
            (true, Tab::Why) => &[Tab::Why],
            (true, _) => &Tab::BESIDE,
            (false, _) => &Tab::ALL,
        }
    }

    /// The pane under a cell, and its area.
    pub(crate) fn pane_at(&self, column: u16, row: u16) -> Option<(Pane, Rect)> {
        let tabs = self.tabs.iter().map(|(tab, area)| (Pane::Tab(*tab), Some(*area)));
        let panes = [(Pane::Timeline, self.timeline), (Pane::Pending, self.pending)].into_iter().chain(tabs);
        panes.filter_map(|(pane, area)| Some((pane, area?))).find(|(_, area)| area.contains((column, row).into()))
    }
}

/// The rows of a pane below its title.
pub(crate) fn body(area: Rect) -> Rect {
    Rect { y: area.y + area.height.min(1), height: area.height.saturating_sub(1), ..area }
}

fn split(area: Rect, left: u16) -> (Rect, Rect) {
    let left = left.min(area.width);
    (Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(width: u16, height: u16, focus: Pane) -> Layout {
        let mut panes = Panes::default();
        panes.focus(focus);
        Layout::of(Size { width, height }, panes, 3)
    }

    #[test]
    fn more_columns_show_more_panes() {
        for (width, height, focus, timeline, tabs, pending) in [
            (60, 15, Pane::Timeline, true, 0, false),
            (60, 15, Pane::Tab(Tab::Why), false, 1, false),
            (80, 24, Pane::Timeline, true, 0, true),
            (80, 24, Pane::Tab(Tab::Detail), false, 1, true),
            (120, 40, Pane::Timeline, true, 1, true),
            (200, 60, Pane::Pending, true, 2, true),
        ] {
            let layout = at(width, height, focus);
            assert_eq!(
                (layout.timeline.is_some(), layout.tabs.len(), layout.pending.is_some()),
                (timeline, tabs, pending),
                "{width}x{height}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_pane_leaves_the_screen_or_lies_on_another(width in 0u16..300, height in 0u16..100, pending in 0usize..90, tab in 0usize..7, whole: bool) {
            let mut panes = Panes::default();
            panes.focus(Pane::Tab(Tab::ALL[tab]));
            panes.focus(Pane::Timeline);
            if whole {
                panes.turn_room();
            }
            let layout = Layout::of(Size { width, height }, panes, pending);
            let screen = Rect::new(0, 0, width, height);
            let mut areas = vec![layout.header, layout.bar];
            areas.extend(layout.timeline.into_iter().chain(layout.pending));
            areas.extend(layout.tabs.iter().map(|(_, area)| *area));
            for (n, area) in areas.iter().enumerate() {
                prop_assert_eq!(area.intersection(screen).area(), area.area());
                for other in &areas[n + 1..] {
                    prop_assert!(height < 3 || !area.intersects(*other), "{:?} {:?}", area, other);
                }
            }
        }
    }
}
