//! The graph of the ledger as scripts read it: one row a link.

use serde::Serialize;

use crate::ledger::Graph;
use crate::ledger::graph::{Link, Node};
use crate::report::entry::Id;
use crate::report::subject::{Spot, Subject};

/// One link: `from` does something to `to`. Read as a sentence: `e21 reconciles e17`, `(what stands on line 31) resolves e17`.
#[derive(Clone, Debug, Serialize)]
pub struct LinkReport {
    /// Who does it; null where it is no entry but the event alone.
    pub from: Option<Id>,
    /// `opens`, `shows`, `resolves`, `retries`, `discharges`, `reconciles`, `supersedes`, `revokes`, `guards`, `before`,
    /// `depends_on_output`, `defines`, `uses`, `shortens`, `launches`, `claims`, `settles`, `abandons` or `reopens`.
    pub r#type: &'static str,
    /// The entry that it is about.
    pub to: Id,
    /// The event since which it holds: of a link without `from`, the one that does it.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
}

impl LinkReport {
    /// The links of the subject's lane at the moment, by the entry that they are about.
    #[must_use]
    pub fn all(subject: &Subject<'_>) -> Vec<Self> {
        let Some(at) = subject.judgement.at else { return Vec::new() };
        Graph::of(subject.lane, &subject.judgement.bindings).links(subject.lane, at).map(|link| Self::of(subject, link)).collect()
    }

    fn of(subject: &Subject<'_>, link: Link) -> Self {
        let from = match link.from {
            Node::Entry(id) => Some(Id(id)),
            Node::Event(_) => None,
        };
        let spot = subject.spot(link.since);
        Self { from, r#type: link.relation.word(), to: Id(link.to), event: link.since.0, spot }
    }
}
