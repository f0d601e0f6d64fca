//! What an event says by itself, whatever came before it: the part of the fold that needs no ledger. It is more than half of the
//! work, and may be done ahead of the fold, on another thread.

use std::sync::Arc;

use crate::ledger::effects::{Action, Classifier};
use crate::ledger::rulebook::Rulebook;
use crate::ledger::tagging::{Region, Said, Source};
use crate::ledger::values::{Spelled, Speller, Spellings};
use crate::transcript::{Agent, Call, Payload, Speaker};

/// What an event says by itself, as far as there was time to ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prepared<'p> {
    /// What its text spells.
    pub spelled: Option<Spelled<'p>>,
    /// What it means.
    pub meaning: Option<&'p Meaning>,
}

/// What an event means.
#[derive(Debug, Default)]
pub struct Meaning {
    /// What it calls may do; none where it is no call.
    pub(super) action: Option<Action>,
    /// What is done by the words in it that are heard.
    pub(super) regions: Vec<Region>,
}

/// Tells what events spell and mean. Holds the shell parser, so there is one for each thread that does so.
pub struct Preparer {
    agent: Agent,
    rules: Arc<Rulebook>,
    /// Once something was called.
    classifier: Option<Classifier>,
    speller: Speller,
}

impl Preparer {
    /// A preparer for the events of an agent, by these rules.
    #[must_use]
    pub fn new(agent: Agent, rules: Arc<Rulebook>) -> Self {
        Self { agent, rules, classifier: None, speller: Speller::default() }
    }

    /// Adds what the text of an event of this payload spells.
    pub fn spell(&mut self, payload: &Payload<'_>, spellings: &mut Spellings) {
        spellings.add(payload, &mut self.speller);
    }

    /// What an event of this payload means, if finding it out is worth doing ahead: where nothing is called or heard it costs nothing,
    /// and where the rules are still being read it would mean to wait for them.
    pub fn read_ahead(&mut self, payload: &Payload<'_>) -> Option<Box<Meaning>> {
        let is_work = match payload {
            Payload::Call(_) => self.rules.effects.is_made(),
            payload => self.rules.cues.are_compiled() && words(payload).is_some(),
        };
        is_work.then(|| Box::new(self.read(payload)))
    }

    /// What an event of this payload means.
    pub(super) fn read(&mut self, payload: &Payload<'_>) -> Meaning {
        let action = match payload {
            Payload::Call(call) => Some(self.classify(call)),
            _ => None,
        };
        let read = |(source, text)| self.rules.cues.read(&Said { text, source, before: "", head: "" }, self.rules.human);
        Meaning { action, regions: words(payload).map(read).unwrap_or_default() }
    }

    /// What a call may do.
    pub(super) fn classify(&mut self, call: &Call<'_>) -> Action {
        let classifier = self.classifier.get_or_insert_with(|| Classifier::new(Arc::clone(&self.rules.effects)));
        classifier.classify(self.agent, call)
    }
}

/// The words in an event that somebody says to the agent, and who. What the runtime says is not heard.
pub(super) fn words<'p>(payload: &'p Payload<'_>) -> Option<(Source, &'p str)> {
    let (source, text) = match payload {
        Payload::User { speaker: Speaker::Human, text } => (Source::Typed, &**text),
        Payload::User { speaker: Speaker::Steering, text } => (Source::Steering, &**text),
        Payload::User { speaker: Speaker::Parent, text } => (Source::Parent, &**text),
        Payload::User { speaker: Speaker::Rules, text } => (Source::Rules, &**text),
        Payload::Unrecognised { text, .. } => (Source::Unknown, &**text),
        Payload::Resolution(resolution) => (Source::Answer, resolution.said.as_deref()?),
        _ => return None,
    };
    (!text.is_empty()).then_some((source, text))
}
