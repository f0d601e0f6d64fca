//! `ENTRY`: one record of the ledger as scripts read it.

use serde::{Serialize, Serializer};

use crate::base::ids::{EntryId, EventIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{ActionFacts, Discharge, Edge, Entry, EntryKind, EntryStatus, Settled};
use crate::report::effects::may_be_repeated;
use crate::report::subject::{Scene, Spot};

/// One entry at one moment. A commitment has no action: `effect`, `class`, `action`, `intent`, `target`, `idempotency_key`,
/// `idempotent` and `attempts` are null.
#[derive(Clone, Debug, Serialize)]
pub struct EntryReport {
    /// `e17`.
    pub id: Id,
    /// `prohibition`, `call`, ...
    pub kind: &'static str,
    /// Further kinds.
    pub also: Vec<&'static str>,
    /// `live`, `discharged`, ...
    pub status: &'static str,
    /// `explicit`, `structured` or `inferred`.
    pub trust: &'static str,
    /// The rule that made it.
    pub rule: String,
    /// Its key.
    pub key: String,
    /// Exact text (commitments) or exact input (actions).
    pub text: String,
    /// For display.
    pub line_text: String,
    /// `standing`, `one-shot` or `action`.
    pub scope: &'static str,
    /// The lane's name.
    pub lane: String,
    /// `committed`, `not_started` or `unknown`.
    pub effect: Option<&'static str>,
    /// `read`, `write`, `external`, ...
    pub class: Option<&'static str>,
    /// Identity of the action: 16 hexadecimal digits.
    pub action: Option<String>,
    /// What retries share.
    pub intent: Option<String>,
    /// What it acts on.
    pub target: Option<String>,
    /// A key that stands in the input.
    pub idempotency_key: Option<String>,
    /// Whether the whole action may be done again; null where nobody knows.
    pub idempotent: Option<bool>,
    /// Attempts so far, the first included.
    pub attempts: Option<u32>,
    /// Exact values that it names.
    pub identifiers: Vec<String>,
    /// What must hold before it may be acted on.
    pub preconditions: Vec<String>,
    /// Of an unknown effect that was settled: by which event, and as what.
    pub settled: Option<SettledReport>,
    /// How it ends.
    pub discharge: DischargeReport,
    /// Relations to other entries.
    pub edges: Vec<EdgeReport>,
    /// Where it stands in the context.
    pub holders: Vec<HolderReport>,
    /// The boundary, from 0, after which nothing in the context holds it.
    pub lost_at: Option<u32>,
    /// What it does to the spans that it touches; null once it no longer counts.
    pub colour: Option<&'static str>,
    /// Where it opened.
    pub opened: MomentReport,
    /// Where it closed.
    pub closed: Option<MomentReport>,
    /// The events that show it.
    pub evidence: Vec<EvidenceReport>,
}

/// An entry's id, written as `e17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(pub EntryId);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// What showed an outcome that had been unknown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SettledReport {
    /// The event that showed it.
    pub by: u32,
    /// `committed` or `not_started`; null where the agent looked, and only what it saw says more.
    pub effect: Option<&'static str>,
}

impl SettledReport {
    fn of(settled: Settled) -> Self {
        Self { by: settled.by.0, effect: settled.effect.map(EffectStatus::word) }
    }
}

/// How an entry ends.
#[derive(Clone, Debug, Serialize)]
pub struct DischargeReport {
    /// In words.
    pub text: String,
    /// `resolved`, `reconciled`, `succeeded`, `undone`, `ended`, `revoked` or `answered`.
    pub check: &'static str,
    /// Identifiers that the check needs.
    pub needs: Vec<String>,
    /// Whether it can be decided from what is retained plus the carrier.
    pub observable: bool,
}

impl DischargeReport {
    /// The twin of `discharge`.
    #[must_use]
    pub fn of(discharge: &Discharge) -> Self {
        Self {
            text: discharge.text.clone(),
            check: discharge.check.word(),
            needs: discharge.needs.clone(),
            observable: discharge.observable,
        }
    }
}

/// A typed relation to another entry.
#[derive(Clone, Debug, Serialize)]
pub struct EdgeReport {
    /// `guards`, `before`, ...
    pub r#type: &'static str,
    /// The other entry.
    pub to: Id,
}

impl EdgeReport {
    /// The twins of `edges`.
    #[must_use]
    pub fn all(edges: impl Iterator<Item = Edge>) -> Vec<Self> {
        edges.map(|edge| Self { r#type: edge.kind.word(), to: Id(edge.to) }).collect()
    }
}

/// A place in the context where an entry stands.
#[derive(Clone, Debug, Serialize)]
pub struct HolderReport {
    /// `verbatim`, `restated` or `carrier`.
    pub r#where: &'static str,
    /// The span.
    pub span: u32,
}

/// An event with its place in the lane.
#[derive(Clone, Debug, Serialize)]
pub struct MomentReport {
    /// The event.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
    /// The span; null for a mark.
    pub span: Option<u32>,
    /// The turn; null for a mark.
    pub turn: Option<u32>,
    /// RFC 3339, UTC.
    pub at: Option<String>,
}

impl MomentReport {
    /// The place of `event` in the lane.
    #[must_use]
    pub fn of(scene: Scene<'_>, event: EventIx) -> Self {
        let row = scene.lane.events.get(event.index());
        let span = row.and_then(|row| row.span);
        Self {
            event: event.0,
            spot: scene.spot(event),
            span: span.map(|span| span.0),
            turn: span.and_then(|span| scene.lane.spans.get(span.index())).map(|span| span.turn.0),
            at: row.and_then(|row| row.at).map(|at| at.to_string()),
        }
    }
}

/// An event that shows an entry.
#[derive(Clone, Debug, Serialize)]
pub struct EvidenceReport {
    /// The event.
    pub event: u32,
    /// Its line.
    #[serde(flatten)]
    pub spot: Spot,
}

impl EntryReport {
    /// The entry as it stood after event `at`.
    #[must_use]
    pub fn of(scene: Scene<'_>, entry: &Entry, at: EventIx) -> Self {
        let lane = scene.lane;
        let status = entry.status_at(at).unwrap_or(EntryStatus::Live);
        let action = entry.action.as_ref();
        let closed = entry.history.iter().rev().find(|(event, _)| *event <= at).filter(|(_, status)| !status.is_live());
        Self {
            id: Id(entry.id),
            kind: entry.kind.word(),
            also: entry.also.iter().map(|kind| kind.word()).collect(),
            status: status.word(),
            trust: entry.trust_at(at).word(),
            rule: entry.rule.to_string(),
            key: entry.key.clone(),
            text: entry.text.to_string(),
            line_text: entry.line_text.clone(),
            scope: entry.scope.word(),
            lane: lane.name.to_string(),
            effect: action.and_then(|action| effect_at(lane, entry.kind, action, at)).map(EffectStatus::word),
            class: action.map(|action| action.class.word()),
            action: action.map(|action| format!("{:016x}", action.action.0)),
            intent: action.map(|action| action.intent.to_string()),
            target: action.and_then(|action| action.target.as_deref().map(str::to_owned)),
            idempotency_key: action.and_then(|action| action.key.as_deref().map(str::to_owned)),
            idempotent: action.and_then(|action| may_be_repeated(action.idempotency)),
            attempts: action.map(|action| action.attempts),
            identifiers: entry.names_at(at).map(str::to_owned).collect(),
            preconditions: entry.preconditions.clone(),
            settled: entry.settled.filter(|settled| settled.by <= at).map(SettledReport::of),
            discharge: DischargeReport::of(entry.discharge_at(at)),
            edges: EdgeReport::all(entry.edges_at(at)),
            holders: lane
                .holders_at(entry, at)
                .map(|holder| HolderReport { r#where: holder.form.word(), span: holder.span.0 })
                .collect(),
            lost_at: entry.lost_at(at).map(|boundary| boundary.0),
            colour: scene.counts(entry, at).then(|| entry.weight_at(at).word()),
            opened: MomentReport {
                span: Some(entry.opened.span.0),
                turn: Some(entry.opened.turn.0),
                ..MomentReport::of(scene, entry.opened.event)
            },
            closed: closed.map(|&(event, _)| MomentReport::of(scene, event)),
            evidence: (entry.evidence.iter().filter(|event| **event <= at))
                .map(|event| EvidenceReport { event: event.0, spot: scene.spot(*event) })
                .collect(),
        }
    }
}

/// What the action had done after event `at`. A call's own entry is older than its end; the others open with their effect.
fn effect_at(lane: &LaneSnapshot, kind: EntryKind, action: &ActionFacts, at: EventIx) -> Option<EffectStatus> {
    match kind {
        EntryKind::Call => lane.calls.get(action.call?.index())?.end_at(at)?.effect,
        _ => action.effect,
    }
}
