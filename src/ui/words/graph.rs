//! How the nodes of the graph belong to each other, in words.

use crate::ledger::entry::EdgeKind;
use crate::ledger::graph::Relation;
use crate::ui::app::Part;

/// How a node of the graph belongs to the one that it is joined to: `ended by`, `guards`.
pub(crate) fn relation(relation: Relation, part: Part) -> &'static str {
    // A doer stands beside what it is done to, and is named from there.
    match (relation, part) {
        (Relation::Opens, Part::Doer) => "opened by",
        (Relation::Opens, Part::Object) => "opens",
        (Relation::Shows, Part::Doer) => "shown by",
        (Relation::Shows, Part::Object) => "shows",
        (Relation::Claims, Part::Doer) => "claimed done by",
        (Relation::Claims, Part::Object) => "claims to have done",
        (Relation::Settles, Part::Doer) => "left behind by",
        (Relation::Settles, Part::Object) => "leaves behind",
        (Relation::Abandons, Part::Doer) => "abandoned at",
        (Relation::Abandons, Part::Object) => "abandons",
        (Relation::Reopens, Part::Doer) => "reopened by",
        (Relation::Reopens, Part::Object) => "reopens",
        (Relation::Edge(kind), part) => edge(kind, part),
    }
}

fn edge(kind: EdgeKind, part: Part) -> &'static str {
    match (kind, part) {
        // A time-out or a refusal ends a call as well, and resolves nothing.
        (EdgeKind::Resolves, Part::Doer) => "ended by",
        (EdgeKind::Resolves, Part::Object) => "ends",
        (EdgeKind::Retries, Part::Doer) => "retried by",
        (EdgeKind::Retries, Part::Object) => "retries",
        (EdgeKind::Discharges, Part::Doer) => "discharged by",
        (EdgeKind::Discharges, Part::Object) => "discharges",
        (EdgeKind::Reconciles, Part::Doer) => "reconciled by",
        (EdgeKind::Reconciles, Part::Object) => "reconciles",
        (EdgeKind::Supersedes, Part::Doer) => "superseded by",
        (EdgeKind::Supersedes, Part::Object) => "supersedes",
        (EdgeKind::Revokes, Part::Doer) => "revoked by",
        (EdgeKind::Revokes, Part::Object) => "revokes",
        (EdgeKind::Guards, Part::Doer) => "guarded by",
        (EdgeKind::Guards, Part::Object) => "guards",
        (EdgeKind::Before, Part::Doer) => "only after",
        (EdgeKind::Before, Part::Object) => "before",
        (EdgeKind::DependsOnOutput, Part::Doer) => "its output used by",
        (EdgeKind::DependsOnOutput, Part::Object) => "uses output of",
        (EdgeKind::Defines, Part::Doer) => "defined by",
        (EdgeKind::Defines, Part::Object) => "defines",
        (EdgeKind::Uses, Part::Doer) => "used by",
        (EdgeKind::Uses, Part::Object) => "uses",
        (EdgeKind::Shortens, Part::Doer) => "shortened by",
        (EdgeKind::Shortens, Part::Object) => "shortens",
        (EdgeKind::Launches, Part::Doer) => "launched by",
        (EdgeKind::Launches, Part::Object) => "launches",
    }
}
