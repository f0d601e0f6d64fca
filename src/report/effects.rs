//! `owed.effects/1` and `owed.effect/1`: the catalogue of tools and programs, and how one call is classified, and why.

use std::sync::Arc;

use serde::Serialize;

use crate::ledger::effects::{Action, Atomicity, Catalogue, Idempotency, Known, Listed, Role, ThingKind};
use crate::transcript::Agent;

/// Every tool and command that is known.
#[derive(Clone, Debug, Serialize)]
pub struct EffectsReport {
    /// `owed.effects/1`.
    pub schema: &'static str,
    /// Tools, by agent and name.
    pub tools: Vec<RowReport>,
    /// Commands, by their words.
    pub commands: Vec<RowReport>,
}

/// A row of the catalogue.
#[derive(Clone, Debug, Serialize)]
pub struct RowReport {
    /// Whose tool it is: an agent's id, `any`, or `command`.
    pub of: String,
    /// The tool's name, or the words of the command.
    pub name: String,
    /// What it may do.
    pub class: &'static str,
    /// Whether it may be done again; null where nobody knows.
    pub idempotent: Option<bool>,
    /// Where the row stands in `effects.toml`.
    pub place: Arc<str>,
}

impl EffectsReport {
    /// The twin of a catalogue.
    #[must_use]
    pub fn of(catalogue: &Catalogue) -> Self {
        let rows = |listed: Vec<Listed>| {
            let row = |Listed { of, name, class, idempotency, place }| RowReport {
                of,
                name,
                class: class.word(),
                idempotent: may_be_repeated(idempotency),
                place,
            };
            listed.into_iter().map(row).collect()
        };
        Self { schema: "owed.effects/1", tools: rows(catalogue.tools()), commands: rows(catalogue.commands()) }
    }
}

/// What the catalogue says about one call.
#[derive(Clone, Debug, Serialize)]
pub struct EffectReport<'a> {
    /// `owed.effect/1`.
    pub schema: &'static str,
    /// The agent whose tool it is.
    pub agent: &'static str,
    /// What was asked about: a tool's name, or a command.
    pub asked: &'a str,
    /// `read`, `check`, `write`, `create`, `external`, `execute` or `control`.
    pub class: &'static str,
    /// Whether the whole action may be done again; null where nobody knows.
    pub idempotent: Option<bool>,
    /// Whether the catalogue lists it; else the class is inferred.
    pub known: bool,
    /// Whether a failure of it leaves the world as it was.
    pub atomic: bool,
    /// Identity of the action: 16 hexadecimal digits.
    pub action: String,
    /// What retries share.
    pub intent: &'a str,
    /// What it acts on.
    pub target: Option<&'a str>,
    /// A key that stands in the input.
    pub idempotency_key: Option<&'a str>,
    /// What would show whether it happened.
    pub reconcile_with: Option<&'a str>,
    /// What it opens in the world and leaves open, in words: `resource: a worktree`.
    pub opens: Vec<String>,
    /// What it ends that had been opened.
    pub closes: Vec<String>,
    /// The rules that fired, in words.
    pub why: &'a [String],
}

impl<'a> EffectReport<'a> {
    /// The twin of `action`, which is what `asked` does when `agent` calls it.
    #[must_use]
    pub fn of(agent: Agent, asked: &'a str, action: &'a Action) -> Self {
        Self {
            schema: "owed.effect/1",
            agent: agent.0,
            asked,
            class: action.class.word(),
            idempotent: may_be_repeated(action.idempotency),
            known: action.known == Known::Listed,
            atomic: action.atomicity == Atomicity::Atomic,
            action: format!("{:016x}", action.action.0),
            intent: &action.intent,
            target: action.target.as_deref(),
            idempotency_key: action.key.as_deref(),
            reconcile_with: action.reconcile_with.as_deref(),
            opens: opens(action),
            closes: things(action, |role| matches!(role, Role::Closes | Role::Aborts | Role::Clears)),
            why: &action.why,
        }
    }
}

fn opens(action: &Action) -> Vec<String> {
    let mut opens = things(action, |role| role == Role::Opens);
    if action.aftermath.serves && action.aftermath.jobs.is_empty() {
        opens.push("process: it runs until somebody ends it".to_owned());
    }
    opens.extend(action.aftermath.jobs.iter().map(|job| format!("process: {} goes on in the background", job.command)));
    opens
}

/// The things to which a deed of such a role is done, each once.
fn things(action: &Action, picks: impl Fn(Role) -> bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for deed in action.aftermath.deeds.iter().filter(|deed| picks(deed.role) && deed.thing.kind() != ThingKind::Milestone) {
        let told = format!("{}: {}", deed.thing.kind().word(), deed.thing.what());
        if !found.contains(&told) {
            found.push(told);
        }
    }
    found
}

/// Whether an action may be done again; none where nobody knows.
pub(super) fn may_be_repeated(idempotency: Idempotency) -> Option<bool> {
    match idempotency {
        Idempotency::Idempotent => Some(true),
        Idempotency::NotIdempotent => Some(false),
        Idempotency::Unknown => None,
    }
}
