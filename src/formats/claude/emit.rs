//! Where one record's events go: numbered, and stamped with what they share.

use std::borrow::Cow;

use super::branch::Was;
use crate::base::time::Stamp;
use crate::transcript::{BoundaryKind, Event, LaneKey, Mark, Payload, Place, Sink, Speaker, Usage};

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
    /// How many prompts are taken back if the record is one.
    pub(super) leaves: u32,
    /// What the record has turned out to be so far.
    pub(super) was: Was,
    place: Place,
    sink: &'s mut dyn Sink,
}

impl<'a, 's> Emit<'a, 's> {
    /// Nothing yet.
    pub(super) fn new(lane: LaneKey<'a>, place: Place, sink: &'s mut dyn Sink) -> Self {
        Self {
            lane,
            at: None,
            record: None,
            step: None,
            usage: None,
            leaves: 0,
            was: Was::Other,
            place: Place { nth: 0, ..place },
            sink,
        }
    }

    /// Whether the record has said nothing so far.
    pub(super) fn is_empty(&self) -> bool {
        self.place.nth == 0
    }

    /// The next event.
    pub(super) fn push(&mut self, payload: Payload<'_>) {
        match &payload {
            Payload::User { speaker: Speaker::Human, .. } => {
                self.was = Was::Prompt;
                let turns = std::mem::take(&mut self.leaves);
                if turns > 0 {
                    self.push(Payload::Mark(Mark::RolledBack { turns }));
                }
            }
            Payload::Boundary(boundary) if boundary.kind != BoundaryKind::Masking => self.was = Was::Boundary,
            _ => {}
        }
        self.sink.event(Event {
            lane: self.lane.clone(),
            place: self.place,
            at: self.at,
            record: self.record.map(Cow::Borrowed),
            step: self.step.map(Cow::Borrowed),
            usage: self.usage,
            payload,
        });
        self.place.nth = self.place.nth.saturating_add(1);
    }
}
