//! Events and facts that outlive their record: for another thread, and for whoever reads one event's body again.

use std::borrow::Cow;

use super::boundary::{Boundary, Kept};
use super::call::{Call, Input, Outcome, Resolution};
use super::event::{Event, Payload};
use super::place::LaneKey;
use super::sink::Fact;

fn own(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn own_all(texts: Vec<Cow<'_, str>>) -> Vec<Cow<'static, str>> {
    texts.into_iter().map(own).collect()
}

impl Event<'_> {
    /// The same event with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        Event {
            lane: self.lane.into_owned(),
            place: self.place,
            at: self.at,
            record: self.record.map(own),
            step: self.step.map(own),
            usage: self.usage,
            payload: self.payload.into_owned(),
        }
    }
}

impl LaneKey<'_> {
    /// The same key with its text copied.
    #[must_use]
    pub fn into_owned(self) -> LaneKey<'static> {
        match self {
            Self::Main => LaneKey::Main,
            Self::Sub(id) => LaneKey::Sub(own(id)),
        }
    }
}

impl Fact<'_> {
    /// The same fact with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Fact<'static> {
        match self {
            Self::Session(id) => Fact::Session(own(id)),
            Self::Version(version) => Fact::Version(own(version)),
            Self::Model(lane, model) => Fact::Model(lane.into_owned(), own(model)),
            Self::Directory(directory) => Fact::Directory(own(directory)),
            Self::Branch(branch) => Fact::Branch(own(branch)),
            Self::Title(title) => Fact::Title(own(title)),
            Self::Lane { lane, parent } => Fact::Lane { lane: lane.into_owned(), parent: parent.into_owned() },
            Self::Bookkeeping(name) => Fact::Bookkeeping(own(name)),
            Self::Ledger { json, place } => Fact::Ledger { json: own(json), place },
        }
    }
}

impl Payload<'_> {
    /// The same payload with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Payload<'static> {
        match self {
            Self::User { speaker, text } => Payload::User { speaker, text: own(text) },
            Self::Assistant { text } => Payload::Assistant { text: own(text) },
            Self::Reasoning { text } => Payload::Reasoning { text: own(text) },
            Self::Call(call) => Payload::Call(call.into_owned()),
            Self::Resolution(resolution) => Payload::Resolution(resolution.into_owned()),
            Self::Boundary(boundary) => Payload::Boundary(boundary.into_owned()),
            Self::Summary { text, opaque } => Payload::Summary { text: own(text), opaque },
            Self::Ran { call, tool } => Payload::Ran { call: own(call), tool: own(tool) },
            Self::Job { handle, state, text } => Payload::Job { handle: own(handle), state, text: own(text) },
            Self::Mark(mark) => Payload::Mark(mark),
            Self::Unrecognised { name, text } => Payload::Unrecognised { name: own(name), text: own(text) },
        }
    }
}

impl Call<'_> {
    /// The same call with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Call<'static> {
        let input = match self.input {
            Input::Json(text) => Input::Json(own(text)),
            Input::Text(text) => Input::Text(own(text)),
        };
        Call { id: own(self.id), tool: own(self.tool), input }
    }
}

impl Resolution<'_> {
    /// The same resolution with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Resolution<'static> {
        let outcome = match self.outcome {
            Outcome::Success => Outcome::Success,
            Outcome::Returned => Outcome::Returned,
            Outcome::Started { handle } => Outcome::Started { handle: own(handle) },
            Outcome::Failed { exit } => Outcome::Failed { exit },
            Outcome::Refused => Outcome::Refused,
            Outcome::Declined => Outcome::Declined,
            Outcome::TimedOut => Outcome::TimedOut,
            Outcome::Interrupted => Outcome::Interrupted,
            Outcome::Lost => Outcome::Lost,
            Outcome::Synthetic => Outcome::Synthetic,
        };
        Resolution { call: own(self.call), outcome, text: own(self.text), said: self.said.map(own) }
    }
}

impl Boundary<'_> {
    /// The same boundary with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Boundary<'static> {
        let kept = match self.kept {
            Kept::Nothing => Kept::Nothing,
            Kept::Records(ids) => Kept::Records(own_all(ids)),
            Kept::Texts(texts) => Kept::Texts(own_all(texts)),
            Kept::Prompts { tokens } => Kept::Prompts { tokens },
        };
        Boundary {
            kind: self.kind,
            trigger: self.trigger,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            kept,
            masked: own_all(self.masked),
            reinjected_bytes: self.reinjected_bytes,
        }
    }
}
