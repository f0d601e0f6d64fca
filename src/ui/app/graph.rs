//! The graph around one entry, as lines: its causes above it, what came of it below, each a few steps deep.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Foot, List, Sight};
use crate::base::ids::{EntryId, EventIx};
use crate::ledger::entry::Entry;
use crate::ledger::graph::{Link, Node, Relation, Side};
use crate::ledger::{Graph, LaneSnapshot};

/// So many steps away from the entry are shown.
const DEPTH: usize = 3;
/// Of the neighbours of one node so many are shown.
const BREADTH: usize = 12;

/// The entry that is looked at, and the lines around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphState {
    pub(crate) centre: Option<EntryId>,
    pub(crate) lines: Vec<GraphLine>,
    pub(crate) list: List,
    /// What is told of the selected entry.
    pub(crate) foot: Foot<Node>,
    graph: Option<(Sight, Graph)>,
    made: Option<(Sight, EntryId)>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GraphLine {
    /// The entry that is looked at.
    Centre(EntryId),
    /// A neighbour, or a neighbour's neighbour.
    Node {
        /// The rails before it, from the left.
        rails: Vec<Rail>,
        /// How it belongs to the node that its rails lead to: what is done, and whether it is the doer.
        relation: Relation,
        part: Part,
        node: Node,
        since: EventIx,
    },
    /// Neighbours that are left out.
    More { rails: Vec<Rail>, count: usize },
}

/// Which end of a relation a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// It does something.
    Doer,
    /// Something is done to it.
    Object,
}

/// A piece of the lines that join nodes, two cells wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rail {
    Blank,
    /// Something further on belongs to the same node.
    Pass,
    /// One of several.
    Branch,
    /// The last one, seen from the node: the lowest below it, the highest above it.
    LastBelow,
    LastAbove,
}

impl GraphState {
    /// Makes the lines again, if what there is or what is looked at has changed. The cursor begins on the entry.
    pub(crate) fn refresh(&mut self, sight: Sight, lane: &LaneSnapshot, bindings: &[Arc<Entry>]) {
        if self.centre.is_some_and(|id| id.index() >= lane.entries.len() + bindings.len()) {
            self.centre = None;
        }
        let Some(centre) = self.centre else {
            self.lines.clear();
            self.made = None;
            return;
        };
        if self.made == Some((sight, centre)) {
            return;
        }
        let elsewhere = self.made.is_none_or(|(_, shown)| shown != centre);
        let held = self.node();
        self.made = Some((sight, centre));
        let known = self.graph.take().filter(|(of, _)| *of == sight);
        let (_, graph) = self.graph.insert(known.unwrap_or_else(|| (sight, Graph::of(lane, bindings))));
        let at = lane.end().unwrap_or_default();
        let mut walk = Walk { graph, lane, at, seen: BTreeSet::from([Node::Entry(centre)]) };
        let mut lines = walk.lines(Node::Entry(centre), Side::Cause, &[], 1);
        lines.reverse();
        lines.push(GraphLine::Centre(centre));
        let own = lines.len() - 1;
        lines.extend(walk.lines(Node::Entry(centre), Side::Effect, &[], 1));
        let place = held.filter(|_| !elsewhere).and_then(|held| lines.iter().position(|line| line.node() == Some(held)));
        self.list.selected = place.unwrap_or(own);
        self.lines = lines;
    }

    /// The node under the cursor.
    pub(crate) fn node(&self) -> Option<Node> {
        self.lines.get(self.list.selected).and_then(GraphLine::node)
    }
}

impl GraphLine {
    pub(crate) fn node(&self) -> Option<Node> {
        match self {
            Self::Centre(id) => Some(Node::Entry(*id)),
            Self::Node { node, .. } => Some(*node),
            Self::More { .. } => None,
        }
    }
}

/// A walk over the graph that meets every node once.
struct Walk<'a> {
    graph: &'a Graph,
    lane: &'a LaneSnapshot,
    at: EventIx,
    seen: BTreeSet<Node>,
}

impl Walk<'_> {
    /// The lines of what stands on one side of a node, from the node outwards.
    fn lines(&mut self, of: Node, side: Side, before: &[Rail], depth: usize) -> Vec<GraphLine> {
        let around = self.graph.around(self.lane, of, self.at).into_iter().filter(|(on, _)| *on == side).map(|(_, link)| link);
        let mut found: Vec<(Node, Link)> = around.map(|link| (across(of, link), link)).collect();
        // A call and the event that makes it are one thing to look at.
        found.retain(|(node, link)| !self.is_call(*node, link.to));
        found.retain(|(node, _)| self.seen.insert(*node));
        if side == Side::Cause {
            // Seen from the node upwards the newest comes first, so that time runs down the screen.
            found.reverse();
        }
        let left_out = found.len().saturating_sub(BREADTH);
        found.truncate(BREADTH);
        let last = match side {
            Side::Cause => Rail::LastAbove,
            Side::Effect => Rail::LastBelow,
        };
        let mut lines = Vec::new();
        for (n, (node, link)) in found.iter().enumerate() {
            let is_last = n + 1 == found.len() && left_out == 0;
            let rails = with(before, if is_last { last } else { Rail::Branch });
            let part = if link.from == *node { Part::Doer } else { Part::Object };
            lines.push(GraphLine::Node { rails, relation: link.relation, part, node: *node, since: link.since });
            if depth < DEPTH && matches!(node, Node::Entry(_)) {
                let below = with(before, if is_last { Rail::Blank } else { Rail::Pass });
                lines.extend(self.lines(*node, side, &below, depth + 1));
            }
        }
        if left_out > 0 {
            lines.push(GraphLine::More { rails: with(before, last), count: left_out });
        }
        lines
    }

    /// Whether a node is the event of a call, and `entry` that call's own entry.
    fn is_call(&self, node: Node, entry: EntryId) -> bool {
        let Node::Event(event) = node else { return false };
        let call = self.lane.events.get(event.index()).and_then(|row| self.lane.calls.get(row.call?.index()));
        call.is_some_and(|call| call.event == event && call.entry == entry)
    }
}

fn across(of: Node, link: Link) -> Node {
    if link.from == of { Node::Entry(link.to) } else { link.from }
}

fn with(before: &[Rail], rail: Rail) -> Vec<Rail> {
    before.iter().copied().chain([rail]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::LaneIx;
    use crate::ledger::entry::{Edge, EdgeKind, EntryKind, Weight};
    use crate::ui::testing::{Script, migration};

    fn around(lane: &LaneSnapshot, centre: EntryId) -> GraphState {
        let mut state = GraphState { centre: Some(centre), ..GraphState::default() };
        state.refresh(Sight { epoch: 0, revision: 1, lane: LaneIx(0), moment: None, judgements: 1 }, lane, &[]);
        state
    }

    #[test]
    fn causes_stand_above_and_what_came_of_it_below() {
        let script = migration();
        let effect = script.lane.live.iter().find(|id| script.lane.entry(**id).is_some_and(|e| e.kind == EntryKind::Effect));
        let state = around(&script.lane, *effect.unwrap());
        let own = state.lines.iter().position(|line| matches!(line, GraphLine::Centre(_))).unwrap();
        assert_eq!(state.list.selected, own);
        let value = state.lines.iter().position(|line| {
            matches!(line, GraphLine::Node { relation: Relation::Edge(EdgeKind::DependsOnOutput), part: Part::Object, .. })
        });
        assert!(value.is_some_and(|at| at < own), "{:?}", state.lines);
    }

    #[test]
    fn a_circle_ends_and_a_crowd_is_counted() {
        let mut script = Script::new();
        script.prompt("A prompt that says a lot.");
        let hub = script.entry(EntryKind::Value, Weight::Repair, "the hub");
        let users: Vec<EntryId> = (0..20).map(|n| script.entry(EntryKind::Task, Weight::Repair, &format!("user {n}"))).collect();
        for user in &users {
            let uses = |to| Edge { kind: EdgeKind::Uses, to, since: EventIx(0) };
            script.change(*user, |entry| entry.edges.push(uses(hub)));
            script.change(hub, |entry| entry.edges.push(uses(*user)));
        }
        let state = around(&script.lane, hub);
        let nodes: Vec<Node> = state.lines.iter().filter_map(GraphLine::node).collect();
        let distinct: BTreeSet<&Node> = nodes.iter().collect();
        assert_eq!(nodes.len(), distinct.len(), "each node once");
        assert!(state.lines.iter().any(|line| matches!(line, GraphLine::More { count, .. } if *count > 0)), "{:?}", state.lines);
    }
}
