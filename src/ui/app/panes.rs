//! The panes, and which of them has the keys.

use crate::ui::outside::Arrangement;

/// A pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pane {
    Timeline,
    Tab(Tab),
    Pending,
}

/// The panes that share one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tab {
    Why,
    Detail,
    DryRun,
    Ledger,
    Graph,
    Audit,
    Change,
}

impl Tab {
    pub(crate) const ALL: [Self; 7] = [Self::Why, Self::Detail, Self::DryRun, Self::Ledger, Self::Graph, Self::Audit, Self::Change];
    /// The tabs that share the place beside `Why` where two are shown.
    pub(crate) const BESIDE: [Self; 6] = [Self::Detail, Self::DryRun, Self::Ledger, Self::Graph, Self::Audit, Self::Change];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Why => "Why",
            Self::Detail => "Detail",
            Self::DryRun => "Dry run",
            Self::Ledger => "Ledger",
            Self::Graph => "Graph",
            Self::Audit => "Audit",
            Self::Change => "Diff",
        }
    }
}

/// Which pane has the keys, and which tabs are in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panes {
    pub(crate) focus: Pane,
    /// The tab in front where one is shown.
    pub(crate) tab: Tab,
    /// The tab that stands beside `Why` where two are shown.
    pub(crate) beside: Tab,
    /// What the dry run shows.
    pub(crate) face: Face,
    pub(crate) room: Room,
    /// How its reader has arranged them.
    pub(crate) arrangement: Arrangement,
}

/// The faces of the dry run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Face {
    /// One policy, span by span, and the plan that respects the barriers beside it.
    #[default]
    Policy,
    /// Two policies, span by span.
    Versus,
    /// All policies in one table.
    All,
}

/// How much of the screen the pane that has the keys takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Room {
    /// Its share.
    #[default]
    Shared,
    /// All of it.
    Whole,
}

impl Default for Panes {
    fn default() -> Self {
        Self {
            focus: Pane::Timeline,
            tab: Tab::Why,
            beside: Tab::Detail,
            face: Face::Policy,
            room: Room::Shared,
            arrangement: Arrangement::default(),
        }
    }
}

impl Panes {
    const ROUND: [Pane; 9] = [
        Pane::Timeline,
        Pane::Tab(Tab::Why),
        Pane::Tab(Tab::Detail),
        Pane::Tab(Tab::DryRun),
        Pane::Tab(Tab::Ledger),
        Pane::Tab(Tab::Graph),
        Pane::Tab(Tab::Audit),
        Pane::Tab(Tab::Change),
        Pane::Pending,
    ];

    /// Gives the keys to a pane and brings it to the front.
    pub(crate) fn focus(&mut self, pane: Pane) {
        self.focus = pane;
        if let Pane::Tab(tab) = pane {
            self.tab = tab;
            if tab != Tab::Why {
                self.beside = tab;
            }
        }
    }

    /// Gives the pane that has the keys the whole screen, or its share again.
    pub(crate) fn turn_room(&mut self) {
        self.room = match self.room {
            Room::Shared => Room::Whole,
            Room::Whole => Room::Shared,
        };
    }

    /// The pane that comes `steps` after the one that has the keys, round and round.
    pub(crate) fn step(&mut self, steps: isize) {
        let round = isize::try_from(Self::ROUND.len()).unwrap_or(1);
        let at = Self::ROUND.iter().position(|pane| *pane == self.focus).and_then(|n| isize::try_from(n).ok()).unwrap_or(0);
        let next = usize::try_from((at + steps).rem_euclid(round)).unwrap_or(0);
        if let Some(pane) = Self::ROUND.get(next) {
            self.focus(*pane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_go_round_and_tabs_come_to_the_front() {
        let mut panes = Panes::default();
        let mut fronts = Vec::new();
        for _ in 0..9 {
            panes.step(1);
            fronts.push((panes.tab, panes.beside));
        }
        assert_eq!(panes.focus, Pane::Timeline);
        assert_eq!(fronts[..3], [(Tab::Why, Tab::Detail), (Tab::Detail, Tab::Detail), (Tab::DryRun, Tab::DryRun)]);
        panes.step(-1);
        assert_eq!(panes.focus, Pane::Pending);
    }
}
