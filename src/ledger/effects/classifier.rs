//! The classifier: from a call to what it may do, what it is, and what it acts on.

use std::sync::Arc;

use tree_sitter::Parser;

use super::action::{Action, Sight};
use super::catalogue::Catalogue;
use super::class::{Atomicity, Class, Idempotency, Known};
use super::combine::{Part, whole};
use super::deeds::{Aftermath, Deed};
use super::identity::Identity;
use super::reading::Reading;
use crate::transcript::{Agent, Call, Input};

/// Classifies calls. Holds the shell parser, so there is one for each lane.
pub struct Classifier {
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) parser: Parser,
}

/// How much an action says about itself.
#[derive(Clone, Copy, PartialEq)]
enum Detail {
    Brief,
    Explained,
}

impl Classifier {
    /// A classifier that knows what `catalogue` knows.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        let mut parser = Parser::new();
        // A grammar of another version would leave the parser without a language: then scripts are read as opaque.
        let loaded = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
        debug_assert!(loaded.is_ok(), "the grammar of the shell does not fit the parser");
        Self { catalogue, parser }
    }

    /// What it knows.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// What a call may do. Never fails, whatever the call holds. About 15 µs for a shell command.
    pub fn classify(&mut self, agent: Agent, call: &Call<'_>) -> Action {
        self.action(agent, &call.tool, &call.input, Detail::Brief)
    }

    /// The same, with the rules that fired, in words: for `owed effects`.
    pub fn explain(&mut self, agent: Agent, call: &Call<'_>) -> Action {
        self.action(agent, &call.tool, &call.input, Detail::Explained)
    }

    fn action(&mut self, agent: Agent, tool: &str, input: &Input<'_>, detail: Detail) -> Action {
        let Reading { parts, identity, label, deeds, jobs } = self.read(agent, tool, input, 0);
        let Some(whole) = whole(&parts) else { return nothing(tool, identity, label, deeds.into()) };
        let strongest = whole.strongest;
        let look = strongest.look.as_ref().or_else(|| self.catalogue.worlds.get(&**strongest.world.as_ref()?));
        let mut why: Vec<String> = Vec::new();
        if detail == Detail::Explained {
            why.extend(parts.iter().map(|part| part.why.words()));
            if parts.len() > 1 {
                why.push(format!("{}: the strongest of {} parts is {}", strongest.class.word(), parts.len(), strongest.intent));
            }
        }
        Action {
            class: strongest.class,
            idempotency: whole.idempotency,
            known: whole.known,
            action: identity.action,
            intent: strongest.intent.as_str().into(),
            target: strongest.target.as_deref().map(Arc::from),
            world: strongest.world.clone(),
            key: identity.key.as_deref().map(Arc::from),
            atomicity: whole.atomicity,
            reconcile_with: look
                .filter(|_| strongest.class.has_effect())
                .and_then(|look| filled(look, strongest.target.as_deref())),
            aftermath: Arc::new(Aftermath {
                deeds: deeds.into(),
                serves: strongest.serves,
                checks: parts.iter().any(|part| part.class == Class::Check),
                only_launches: parts.iter().filter(|part| part.class.has_effect()).all(|part| part.background) && !jobs.is_empty(),
                jobs: jobs.into(),
                ends: targets(&parts, ends),
                removes: targets(&parts, |part| part.removes),
                plan: (strongest.class == Class::Control).then(|| self.catalogue.tools.plan(agent.0, tool)).flatten(),
                is_last: strongest.class == Class::Control && self.catalogue.tools.is_last(agent.0, tool),
            }),
            sees: parts.iter().flat_map(sights).collect(),
            label,
            why,
        }
    }
}

/// A call that does nothing at all: an empty script, a lone assignment.
fn nothing(tool: &str, identity: Identity, label: String, deeds: Box<[Deed]>) -> Action {
    Action {
        class: Class::Control,
        idempotency: Idempotency::Idempotent,
        known: Known::Listed,
        action: identity.action,
        intent: tool.into(),
        target: None,
        world: None,
        key: identity.key.as_deref().map(Arc::from),
        atomicity: Atomicity::Partial,
        reconcile_with: None,
        sees: Arc::default(),
        aftermath: Arc::new(Aftermath { deeds, ..Aftermath::default() }),
        label,
        why: Vec::new(),
    }
}

/// What the parts of one sort act on, as it is written.
fn targets(parts: &[Part], of: impl Fn(&Part) -> bool) -> Box<[Box<str>]> {
    parts.iter().filter(|part| of(part)).map(|part| part.target.as_deref().unwrap_or_default().into()).collect()
}

/// Whether a part ends processes.
fn ends(part: &Part) -> bool {
    part.class == Class::Write && part.world.as_deref() == Some("process")
}

/// What a part lets its reader see. Of files only those that it names: `sort` in a pipeline shows nobody a file.
fn sights(part: &Part) -> impl Iterator<Item = Sight> {
    let looks = matches!(part.class, Class::Read | Class::Check);
    let names_it = part.target.is_some() || part.world.as_deref() != Some("file");
    let own = part.world.clone().filter(|_| looks && names_it);
    let own = own.map(|world| Sight { world, target: part.target.as_deref().map(Arc::from) });
    own.into_iter().chain(part.also.clone().filter(|_| looks).map(|world| Sight { world, target: None }))
}

/// A look with its target filled in; none where it needs one that is not there.
fn filled(look: &str, target: Option<&str>) -> Option<Arc<str>> {
    match (look.contains("{}"), target) {
        (false, _) => Some(look.into()),
        (true, Some(target)) => Some(look.replace("{}", target).into()),
        (true, None) => None,
    }
}
