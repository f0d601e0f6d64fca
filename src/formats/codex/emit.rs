//! Where one record's events go: numbered, and stamped with what they share.

use std::borrow::Cow;

use crate::base::time::Stamp;
use crate::transcript::{Event, Fact, LaneKey, Payload, Place, Sink, Usage};

/// The events of one record.
pub(super) struct Emit<'r> {
    lane: &'r LaneKey<'static>,
    at: Option<Stamp>,
    place: Place,
    sink: &'r mut dyn Sink,
}

impl<'r> Emit<'r> {
    /// Nothing yet, for the record at `place` that was written at `at`.
    pub(super) fn new(lane: &'r LaneKey<'static>, at: Option<Stamp>, place: Place, sink: &'r mut dyn Sink) -> Self {
        Self { lane, at, place: Place { nth: 0, ..place }, sink }
    }

    /// 1-based line of the record.
    pub(super) fn line(&self) -> u32 {
        self.place.line
    }

    /// The record's lane.
    pub(super) fn lane(&self) -> LaneKey<'r> {
        match self.lane {
            LaneKey::Main => LaneKey::Main,
            LaneKey::Sub(id) => LaneKey::Sub(Cow::Borrowed(id)),
        }
    }

    /// The next event, which belongs to no step by itself.
    pub(super) fn event(&mut self, payload: Payload<'_>) {
        self.push(None, None, payload);
    }

    /// The next event, a part of this step.
    pub(super) fn step(&mut self, step: u32, payload: Payload<'_>) {
        self.push(Some(step), None, payload);
    }

    /// The next event, which says what the request of this step was charged.
    pub(super) fn charge(&mut self, step: u32, usage: Usage, payload: Payload<'_>) {
        self.push(Some(step), Some(usage), payload);
    }

    /// Something that the record says about its session.
    pub(super) fn fact(&mut self, fact: Fact<'_>) {
        self.sink.fact(fact);
    }

    /// The record carries nothing for the ledger.
    pub(super) fn bookkeeping(&mut self, kind: &str) {
        self.sink.fact(Fact::Bookkeeping(kind));
    }

    fn push(&mut self, step: Option<u32>, usage: Option<Usage>, payload: Payload<'_>) {
        let step = step.map(|step| Cow::Owned(format!("s{step}")));
        self.sink.event(Event { lane: self.lane(), place: self.place, at: self.at, record: None, step, usage, payload });
        self.place.nth = self.place.nth.saturating_add(1);
    }
}
