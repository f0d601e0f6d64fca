//! Events and facts whose texts stand elsewhere than in their record: copied, so that they outlive it, or put into a buffer that many
//! share.

use std::borrow::Cow;

use super::boundary::{Boundary, Kept};
use super::call::{Call, Input, Outcome, Resolution};
use super::event::{Event, Payload};
use super::place::LaneKey;
use super::sink::Fact;

type Text<'a> = Cow<'a, str>;

fn own(text: Text<'_>) -> Text<'static> {
    Cow::Owned(text.into_owned())
}

impl<'a> Event<'a> {
    /// The same event with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Event<'static> {
        self.map_texts(&mut own)
    }

    /// The same event with what `to` makes of each of its texts: always the same ones in the same order.
    #[must_use]
    pub fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Event<'b> {
        Event {
            lane: self.lane.map_texts(to),
            place: self.place,
            at: self.at,
            record: self.record.map(&mut *to),
            step: self.step.map(&mut *to),
            usage: self.usage,
            finish: self.finish,
            payload: self.payload.map_texts(to),
        }
    }
}

impl<'a> Fact<'a> {
    /// The same fact with what `to` makes of each of its texts: always the same ones in the same order.
    #[must_use]
    pub fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Fact<'b> {
        match self {
            Self::Session(id) => Fact::Session(to(id)),
            Self::Version(version) => Fact::Version(to(version)),
            Self::Model(lane, model) => Fact::Model(lane.map_texts(to), to(model)),
            Self::Directory(directory) => Fact::Directory(to(directory)),
            Self::Branch(branch) => Fact::Branch(to(branch)),
            Self::Title(title) => Fact::Title(to(title)),
            Self::Lane { lane, parent } => Fact::Lane { lane: lane.map_texts(to), parent: parent.map_texts(to) },
            Self::Bookkeeping(name) => Fact::Bookkeeping(to(name)),
            Self::Ledger { json, place } => Fact::Ledger { json: to(json), place },
        }
    }
}

impl<'a> Payload<'a> {
    /// The same payload with its texts copied.
    #[must_use]
    pub fn into_owned(self) -> Payload<'static> {
        self.map_texts(&mut own)
    }

    fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Payload<'b> {
        match self {
            Self::User { speaker, text } => Payload::User { speaker, text: to(text) },
            Self::Assistant { text } => Payload::Assistant { text: to(text) },
            Self::Reasoning { text } => Payload::Reasoning { text: to(text) },
            Self::Call(call) => Payload::Call(call.map_texts(to)),
            Self::Resolution(resolution) => Payload::Resolution(resolution.map_texts(to)),
            Self::Boundary(boundary) => Payload::Boundary(boundary.map_texts(to)),
            Self::Summary { text, opaque } => Payload::Summary { text: to(text), opaque },
            Self::Ran { call, tool } => Payload::Ran { call: to(call), tool: to(tool) },
            Self::Job { handle, state, text } => Payload::Job { handle: to(handle), state, text: to(text) },
            Self::Mark(mark) => Payload::Mark(mark),
            Self::Unrecognised { name, text } => Payload::Unrecognised { name: to(name), text: to(text) },
        }
    }
}

impl<'a> LaneKey<'a> {
    fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> LaneKey<'b> {
        match self {
            Self::Main => LaneKey::Main,
            Self::Sub(id) => LaneKey::Sub(to(id)),
        }
    }
}

impl<'a> Call<'a> {
    fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Call<'b> {
        let (id, tool) = (to(self.id), to(self.tool));
        let input = match self.input {
            Input::Json(text) => Input::Json(to(text)),
            Input::Text(text) => Input::Text(to(text)),
        };
        Call { id, tool, input }
    }
}

impl<'a> Resolution<'a> {
    fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Resolution<'b> {
        let outcome = match self.outcome {
            Outcome::Success => Outcome::Success,
            Outcome::Returned => Outcome::Returned,
            Outcome::Started { handle } => Outcome::Started { handle: to(handle) },
            Outcome::Failed { exit } => Outcome::Failed { exit },
            Outcome::Refused => Outcome::Refused,
            Outcome::Declined => Outcome::Declined,
            Outcome::TimedOut => Outcome::TimedOut,
            Outcome::Interrupted => Outcome::Interrupted,
            Outcome::Lost => Outcome::Lost,
            Outcome::Synthetic => Outcome::Synthetic,
        };
        Resolution { call: to(self.call), outcome, text: to(self.text), said: self.said.map(to) }
    }
}

impl<'a> Boundary<'a> {
    fn map_texts<'b>(self, to: &mut impl FnMut(Text<'a>) -> Text<'b>) -> Boundary<'b> {
        let mut all = |texts: Vec<Text<'a>>| texts.into_iter().map(&mut *to).collect();
        let kept = match self.kept {
            Kept::Nothing => Kept::Nothing,
            Kept::Records(ids) => Kept::Records(all(ids)),
            Kept::Texts(texts) => Kept::Texts(all(texts)),
            Kept::Prompts { tokens } => Kept::Prompts { tokens },
        };
        Boundary {
            kind: self.kind,
            trigger: self.trigger,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            kept,
            masked: all(self.masked),
            reinjected_bytes: self.reinjected_bytes,
        }
    }
}
