//! Where one record's events go: numbered, and stamped with what they share.

use std::borrow::Cow;

use super::json::text_under;
use crate::base::time::Stamp;
use crate::transcript::{BoundaryKind, Event, Fact, Finish, LaneKey, Mark, Payload, Place, Sink, Speaker, Usage};

/// The events of one record.
pub(super) struct Emit<'a, 's> {
    /// The lane they belong to.
    pub(super) lane: LaneKey<'a>,
    /// When the record was written.
    pub(super) at: Option<Stamp>,
    /// The record's own id.
    pub(super) record: Option<&'a str>,
    /// The assistant message they are part of.
    pub(super) step: Option<&'a str>,
    /// What that message was charged.
    pub(super) usage: Option<Usage>,
    /// Whether the record tells how that message ended.
    pub(super) finish: Finish,
    /// How many prompts are taken back if the record is one.
    pub(super) leaves: u32,
    /// What the record has turned out to be so far.
    pub(super) was: Was,
    /// Whether the record has said anything so far.
    spoke: bool,
    /// Whether the text of all that is unrecognised in it was told.
    told: bool,
    place: Place,
    sink: &'s mut dyn Sink,
}

/// What a record turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Was {
    /// A prompt that a human typed.
    Prompt,
    /// A boundary that replaced the context.
    Boundary,
    /// Anything else.
    Other,
}

impl<'a, 's> Emit<'a, 's> {
    /// Nothing yet.
    pub(super) fn new(lane: LaneKey<'a>, place: Place, sink: &'s mut dyn Sink) -> Self {
        let place = Place { nth: 0, ..place };
        Self {
            lane,
            at: None,
            record: None,
            step: None,
            usage: None,
            finish: Finish::Told,
            leaves: 0,
            was: Was::Other,
            spoke: false,
            told: false,
            place,
            sink,
        }
    }

    /// Whether the record has said nothing so far.
    pub(super) fn is_empty(&self) -> bool {
        !self.spoke
    }

    /// 1-based line of the record.
    pub(super) fn line(&self) -> u32 {
        self.place.line
    }

    /// The next event.
    pub(super) fn push(&mut self, payload: Payload<'_>) {
        self.event(self.step.map(Cow::Borrowed), payload);
    }

    /// The next event, a part of this one of the steps that the adapter numbers itself.
    pub(super) fn push_in(&mut self, step: u32, payload: Payload<'_>) {
        self.event(Some(Cow::Owned(format!("s{step}"))), payload);
    }

    /// The next event was told before: its number stays free, so that every event has the number that it has in its record alone.
    pub(super) fn skip(&mut self) {
        self.place.nth = self.place.nth.saturating_add(1);
    }

    /// An event that does not stand in the record: only what came before it explains it.
    pub(super) fn aside(&mut self, payload: Payload<'_>) {
        let nth = std::mem::replace(&mut self.place.nth, Place::ASIDE);
        self.event(self.step.map(Cow::Borrowed), payload);
        self.place.nth = nth;
    }

    /// The next event, a part of the step of this name.
    pub(super) fn push_of(&mut self, step: &str, payload: Payload<'_>) {
        self.event(Some(Cow::Borrowed(step)), payload);
    }

    /// Something of no known type: told with the text in its record that the model probably saw, once for all of a record.
    pub(super) fn unrecognised(&mut self, name: &str, record: &[u8]) {
        let is_told = std::mem::replace(&mut self.told, true);
        let text = if is_told { String::new() } else { text_under(record, &["message", "content", "text"]) };
        self.push(Payload::Unrecognised { name: name.into(), text: text.into() });
    }

    /// Something that the record says about its session.
    pub(super) fn fact(&mut self, fact: Fact<'_>) {
        self.sink.fact(fact);
    }

    /// What the record says about its session, of all that it might.
    pub(super) fn facts<'f>(&mut self, facts: impl IntoIterator<Item = Option<Fact<'f>>>) {
        facts.into_iter().flatten().for_each(|fact| self.sink.fact(fact));
    }

    /// The record carries nothing for the ledger.
    pub(super) fn bookkeeping(&mut self, kind: &str) {
        self.sink.fact(Fact::Bookkeeping(kind.into()));
    }

    fn event(&mut self, step: Option<Cow<'_, str>>, payload: Payload<'_>) {
        match &payload {
            Payload::User { speaker: Speaker::Human, .. } => {
                self.was = Was::Prompt;
                let turns = std::mem::take(&mut self.leaves);
                if turns > 0 {
                    self.aside(Payload::Mark(Mark::RolledBack { turns }));
                }
            }
            Payload::Boundary(boundary) if boundary.kind != BoundaryKind::Masking => self.was = Was::Boundary,
            _ => {}
        }
        self.spoke = true;
        self.sink.event(Event {
            lane: self.lane.clone(),
            place: self.place,
            at: self.at,
            record: self.record.map(Cow::Borrowed),
            step,
            usage: self.usage,
            finish: self.finish,
            payload,
        });
        self.place.nth = self.place.nth.saturating_add(1);
    }
}
