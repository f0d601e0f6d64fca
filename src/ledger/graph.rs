//! The graph of a lane: entries and the events that they cite, joined by typed links, walkable both ways.
//!
//! An entry keeps the edges that its fold drew, on one of their ends. The other way round, and what follows from rows and histories
//! (which result resolved a call, which prompt lifted a rule), is worked out here, once a snapshot and on demand: the fold pays
//! nothing for it. A call's own links are read off its row when somebody asks, so a graph costs what the other entries cost.
//!
//! **Invariant:** a link says since when it holds, and holds from then on: the graph after event *n* is a selection of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId, EventIx};
use crate::ledger::entry::{Edge, EdgeKind, Entry, EntryKind, EntryStatus};
use crate::ledger::rows::CallRow;
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::transcript::ResolutionStatus;

/// The graph of one lane. It goes with the snapshot that it was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// All links but those of calls' own entries, by the entry that they are about.
    links: Vec<Link>,
    /// The same by doer.
    done: Vec<(Node, usize)>,
}

/// One relation: `from` does something to the entry `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The entry that it is about.
    pub to: EntryId,
    /// What is done to it.
    pub relation: Relation,
    /// Who does it: an entry, else the event alone.
    pub from: Node,
    /// The event since which it holds.
    pub since: EventIx,
}

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// An entry of the ledger.
    Entry(EntryId),
    /// An event that is cited, and has no entry of its own.
    Event(EventIx),
}

/// What one end of a link does to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// It came to be with it.
    Opens,
    /// It is evidence for it.
    Shows,
    /// A relation that a fold draws, or that its status tells.
    Edge(EdgeKind),
    /// It says, without proof, that it is done.
    Claims,
    /// It was left behind by then.
    Settles,
    /// After it nobody answers any more.
    Abandons,
    /// It counts again.
    Reopens,
}

/// On which side of an entry the other end of a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// What it comes from, and what it stands on.
    Cause,
    /// What came of it.
    Effect,
}

impl Graph {
    /// The graph of a lane, and of the entries that a judgement on it has added.
    #[must_use]
    pub fn of(lane: &LaneSnapshot, added: &[Arc<Entry>]) -> Self {
        let mut links = BTreeSet::new();
        for slot in lane.entries.iter() {
            match slot {
                Slot::Entry(entry) => links.extend(entry.edges.iter().map(|edge| drawn(entry.id, *edge))),
                Slot::Call(ix) => {
                    if let Some(call) = lane.calls.get(ix.index()) {
                        links.extend(call.edges.iter().map(|edge| drawn(call.entry, *edge)));
                    }
                }
            }
        }
        links.extend(added.iter().flat_map(|entry| entry.edges.iter().map(|edge| drawn(entry.id, *edge))));
        // What a fold has drawn says more than what can be told from a history: there it stands once.
        let known: BTreeSet<(EntryId, Relation)> = links.iter().map(|link: &Link| (link.to, link.relation)).collect();
        let pairs: BTreeSet<(EntryId, Node)> = links.iter().flat_map(both_ways).collect();
        let own = lane.entries.iter().filter_map(Slot::own);
        for entry in own.chain(added) {
            links.extend(told(lane, entry).filter(|link| match link.relation {
                Relation::Shows => !pairs.contains(&(link.to, link.from)),
                relation => !known.contains(&(link.to, relation)),
            }));
        }
        let links: Vec<Link> = links.into_iter().collect();
        let mut done: Vec<(Node, usize)> = links.iter().enumerate().map(|(n, link)| (link.from, n)).collect();
        done.sort_unstable();
        Self { links, done }
    }

    /// The links of a node as they stood after event `at`, each with the side of the node on which its other end stands.
    #[must_use]
    pub fn around(&self, lane: &LaneSnapshot, node: Node, at: EventIx) -> Vec<(Side, Link)> {
        let mut around: Vec<(Side, Link)> = Vec::new();
        if let Node::Entry(id) = node {
            around.extend(calls_own(lane, id).chain(self.about(id).iter().copied()).map(|link| (link.relation.doer_side(), link)));
        }
        around.extend(self.done_by(lane, node).map(|link| (link.relation.doer_side().other(), link)));
        around.retain(|(_, link)| link.since <= at);
        around.sort_unstable_by_key(|(side, link)| (*side, link.since, *link));
        around.dedup();
        around
    }

    /// Every link as it stood after event `at`, by the entry that it is about.
    pub fn links<'a>(&'a self, lane: &'a LaneSnapshot, at: EventIx) -> impl Iterator<Item = Link> + 'a {
        let last = self.links.last().map_or(0, |link| link.to.index() + 1);
        let ids = (0..lane.entries.len().max(last)).map(EntryId::from_index);
        let links = ids.flat_map(|id| calls_own(lane, id).chain(self.about(id).iter().copied()));
        links.filter(move |link| link.since <= at)
    }

    /// The links that are about an entry.
    fn about(&self, id: EntryId) -> &[Link] {
        let from = self.links.partition_point(|link| link.to < id);
        let to = self.links.partition_point(|link| link.to <= id);
        self.links.get(from..to).unwrap_or_default()
    }

    /// The links in which a node is the doer.
    fn done_by<'a>(&'a self, lane: &'a LaneSnapshot, node: Node) -> impl Iterator<Item = Link> + 'a {
        let from = self.done.partition_point(|(doer, _)| *doer < node);
        let to = self.done.partition_point(|(doer, _)| *doer <= node);
        let known = self.done.get(from..to).unwrap_or_default().iter().filter_map(|(_, n)| self.links.get(*n).copied());
        let call = match node {
            Node::Event(event) => lane.events.get(event.index()).and_then(|row| lane.calls.get(row.call?.index())),
            Node::Entry(_) => None,
        };
        let own = call.into_iter().flat_map(own_links).filter(move |link| link.from == node);
        own.chain(known)
    }
}

impl Relation {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Opens => "opens",
            Self::Shows => "shows",
            Self::Edge(kind) => kind.word(),
            Self::Claims => "claims",
            Self::Settles => "settles",
            Self::Abandons => "abandons",
            Self::Reopens => "reopens",
        }
    }

    /// On which side of the entry that it is about its doer stands.
    #[must_use]
    pub fn doer_side(self) -> Side {
        match self {
            Self::Opens | Self::Shows => Side::Cause,
            Self::Edge(EdgeKind::Guards | EdgeKind::Before | EdgeKind::Defines | EdgeKind::Launches) => Side::Cause,
            Self::Edge(_) | Self::Claims | Self::Settles | Self::Abandons | Self::Reopens => Side::Effect,
        }
    }

    fn of_status(status: EntryStatus) -> Self {
        match status {
            EntryStatus::Live => Self::Reopens,
            EntryStatus::Claimed => Self::Claims,
            EntryStatus::Discharged => Self::Edge(EdgeKind::Discharges),
            EntryStatus::Settled => Self::Settles,
            EntryStatus::Abandoned => Self::Abandons,
            EntryStatus::Reconciled => Self::Edge(EdgeKind::Reconciles),
            EntryStatus::Superseded => Self::Edge(EdgeKind::Supersedes),
            EntryStatus::Revoked => Self::Edge(EdgeKind::Revokes),
        }
    }
}

impl Side {
    /// The side across.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Cause => Self::Effect,
            Self::Effect => Self::Cause,
        }
    }
}

/// The link of an edge that a fold has drawn. What ends, repeats or replaces something comes after it, so such an edge is read
/// alike on whichever end it stands; of the others the entry that holds it is the doer.
fn drawn(holder: EntryId, edge: Edge) -> Link {
    let later_acts = match edge.kind {
        EdgeKind::Resolves
        | EdgeKind::Retries
        | EdgeKind::Discharges
        | EdgeKind::Reconciles
        | EdgeKind::Supersedes
        | EdgeKind::Revokes => true,
        EdgeKind::Guards
        | EdgeKind::Before
        | EdgeKind::DependsOnOutput
        | EdgeKind::Defines
        | EdgeKind::Uses
        | EdgeKind::Shortens
        | EdgeKind::Launches => false,
    };
    let (doer, to) = if later_acts { (holder.max(edge.to), holder.min(edge.to)) } else { (holder, edge.to) };
    Link { to, relation: Relation::Edge(edge.kind), from: Node::Entry(doer), since: edge.since }
}

/// What an entry's own record tells: what it opened with, what changed its status, what else shows it.
fn told<'a>(lane: &'a LaneSnapshot, entry: &'a Entry) -> impl Iterator<Item = Link> + 'a {
    let to = entry.id;
    let opening = entry.opened.event;
    let by = if entry.action.is_some() { doer(lane, opening) } else { Node::Event(opening) };
    let relation = match by {
        Node::Entry(_) if entry.kind == EntryKind::Process => Relation::Edge(EdgeKind::Launches),
        _ => Relation::Opens,
    };
    let opens = Link { to, relation, from: by, since: entry.known() };
    let changes = entry.history.iter().skip(1).map(move |&(since, status)| Link {
        to,
        relation: Relation::of_status(status),
        from: doer(lane, since),
        since,
    });
    let changed = |event: EventIx| entry.history.iter().any(|(change, _)| *change == event);
    let shows = entry.evidence.iter().copied().filter(move |event| *event != opening && !changed(*event));
    let shows =
        shows.map(move |shown| Link { to, relation: Relation::Shows, from: doer(lane, shown), since: shown.max(entry.known()) });
    std::iter::once(opens).chain(changes).chain(shows).filter(move |link| link.from != Node::Entry(to))
}

/// Who acts in an event: its call, where it makes or ends one.
fn doer(lane: &LaneSnapshot, event: EventIx) -> Node {
    let call = lane.events.get(event.index()).and_then(|row| lane.calls.get(row.call?.index()));
    call.map_or(Node::Event(event), |call| Node::Entry(call.entry))
}

/// The links of a call's own entry, from its row; none of another entry.
fn calls_own(lane: &LaneSnapshot, id: EntryId) -> impl Iterator<Item = Link> + '_ {
    call_of(lane, id).and_then(|call| lane.calls.get(call.index())).into_iter().flat_map(own_links)
}

fn own_links(call: &CallRow) -> impl Iterator<Item = Link> + use<> {
    let to = call.entry;
    let opens = Link { to, relation: Relation::Opens, from: Node::Event(call.event), since: call.event };
    let ends = [call.given_up, call.end].into_iter().flatten().map(move |end| {
        let relation = match end.how.status() {
            ResolutionStatus::Result | ResolutionStatus::Error => Relation::Edge(EdgeKind::Resolves),
            ResolutionStatus::Abandoned => Relation::Abandons,
        };
        Link { to, relation, from: Node::Event(end.event), since: end.event }
    });
    std::iter::once(opens).chain(ends)
}

/// The call of which this is the own entry.
fn call_of(lane: &LaneSnapshot, id: EntryId) -> Option<CallIx> {
    match lane.entries.get(id.index())? {
        Slot::Call(call) => Some(*call),
        Slot::Entry(_) => None,
    }
}

/// The ends of a link, each as seen from the other.
fn both_ways(link: &Link) -> impl Iterator<Item = (EntryId, Node)> + use<> {
    let back = match link.from {
        Node::Entry(from) => Some((from, Node::Entry(link.to))),
        Node::Event(_) => None,
    };
    std::iter::once((link.to, link.from)).chain(back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::book;
    use crate::ledger::testing::fold;

    /// A push that timed out, was tried again in vain, and then looked for.
    const PUSH: &str = r#"
        prompt Push it. Do not force it.
        step m1
        call c1 Bash {"command":"git push origin main"}
        result c1 timeout
        step m2
        call c2 Bash {"command":"git push origin main"}
        result c2 lost
        step m3
        call c3 Bash {"command":"git ls-remote origin"}
        result c3 ok abc123 refs/heads/main
    "#;

    fn of_kind(lane: &LaneSnapshot, kind: EntryKind) -> EntryId {
        let ids = (0..lane.entries.len()).map(EntryId::from_index);
        ids.into_iter().find(|id| lane.entry(*id).is_some_and(|entry| entry.kind == kind)).unwrap()
    }

    /// The links of a node, as `side relation doer>about`.
    fn said(lane: &LaneSnapshot, node: Node, at: u32) -> Vec<String> {
        let name = |node| match node {
            Node::Entry(id) => id.to_string(),
            Node::Event(event) => format!("#{event}"),
        };
        let said = |(side, link): (Side, Link)| {
            let side = if side == Side::Cause { "above" } else { "below" };
            format!("{side} {} {}>{}", link.relation.word(), name(link.from), link.to)
        };
        Graph::of(lane, &[]).around(lane, node, EventIx(at)).into_iter().map(said).collect()
    }

    #[test]
    fn a_call_is_opened_and_resolved_by_events() {
        let lane = fold(PUSH);
        let call = lane.calls.get(2).map(|call| call.entry).unwrap();
        let last = lane.end().unwrap();
        let links = said(&lane, Node::Entry(call), last.0);
        assert!(links.contains(&format!("above opens #5>{call}")), "{links:?}");
        assert!(links.contains(&format!("below resolves #6>{call}")), "{links:?}");
        assert_eq!(said(&lane, Node::Event(last), last.0), [format!("above resolves #6>{call}")], "and the other way round");
    }

    #[test]
    fn an_effect_leads_from_its_call_to_what_settled_it() {
        let lane = fold(PUSH);
        let effect = of_kind(&lane, EntryKind::Effect);
        let [first, again, look] = [0, 1, 2].map(|n| lane.calls.get(n).map(|call| call.entry).unwrap());
        let links = said(&lane, Node::Entry(effect), 99);
        assert!(links.contains(&format!("above opens {first}>{effect}")), "{links:?}");
        assert!(links.contains(&format!("below retries {again}>{effect}")), "{links:?}");
        assert!(links.contains(&format!("below reconciles {look}>{effect}")), "{links:?}");
        assert_eq!(links.iter().filter(|link| link.contains("reconciles")).count(), 1, "drawn and told, it stands once: {links:?}");
        let back = said(&lane, Node::Entry(look), 99);
        assert!(back.contains(&format!("above reconciles {look}>{effect}")), "{back:?}");
    }

    #[test]
    fn a_prefix_never_knows_the_future() {
        let (whole, script) = (fold(PUSH), PUSH.trim_end());
        for at in 0..u32::try_from(whole.events.len()).unwrap() {
            let lines = script.lines().filter(|line| !line.trim().is_empty());
            let mut events = 0;
            let prefix: Vec<&str> = lines
                .take_while(|line| {
                    events += u32::from(!line.trim().starts_with("step"));
                    events <= at + 1
                })
                .collect();
            let then = fold(&prefix.join("\n"));
            let graph = |lane: &LaneSnapshot| Graph::of(lane, &[]).links(lane, EventIx(at)).collect::<Vec<_>>();
            assert_eq!(graph(&whole), graph(&then), "after event {at}");
        }
    }

    #[test]
    fn a_condition_stands_before_what_it_guards_and_a_user_after_what_it_uses() {
        let mut lane = fold(PUSH);
        let [guard, effect] = [EntryKind::Requirement, EntryKind::Effect].map(|kind| of_kind(&lane, kind));
        let other = EntryId(guard.0 + 1);
        book::link(&mut lane, guard, EdgeKind::Guards, effect, EventIx(4));
        book::link(&mut lane, other, EdgeKind::DependsOnOutput, effect, EventIx(4));
        let links = said(&lane, Node::Entry(effect), 99);
        assert!(links.contains(&format!("above guards {guard}>{effect}")), "{links:?}");
        assert!(links.contains(&format!("below depends_on_output {other}>{effect}")), "{links:?}");
        let back = said(&lane, Node::Entry(other), 99);
        assert!(back.contains(&format!("above depends_on_output {other}>{effect}")), "{back:?}");
    }
}
