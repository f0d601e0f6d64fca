//! Events: the atomic, append-only things that a transcript records.

use std::borrow::Cow;

use super::boundary::Boundary;
use super::call::{Call, Resolution};
use super::place::{LaneKey, Place};
use super::usage::Usage;
use crate::base::time::Stamp;

/// One event, borrowed from its record.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// The context window that it belongs to.
    pub lane: LaneKey<'a>,
    /// Where it stands.
    pub place: Place,
    /// When its record says that it was written.
    pub at: Option<Stamp>,
    /// The record's own id (Claude Code: `uuid`), by which a boundary may name it as kept. A second record of the same id is a
    /// replay, and is dropped by the fold.
    pub record: Option<Cow<'a, str>>,
    /// The assistant message that it is part of: its events form one step, also when others stand between them. Where a format has
    /// no message id, its adapter numbers the steps.
    pub step: Option<Cow<'a, str>>,
    /// What the request that produced this message was charged, where the record says it. Counted once a step.
    pub usage: Option<Usage>,
    /// Whether its records tell when the model goes on and when it does not.
    pub finish: Finish,
    /// What happened.
    pub payload: Payload<'a>,
}

/// Whether the records of a message tell how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Finish {
    /// They do, or a record of its own does: [`Mark::TurnEnded`].
    #[default]
    Told,
    /// They leave it out: whether the message was the last of its turn, only what follows shows.
    Untold,
}

/// What an event says.
#[derive(Clone, Debug)]
pub enum Payload<'a> {
    /// Text with the role of the user.
    User {
        /// Who is really speaking.
        speaker: Speaker,
        /// The text, whole.
        text: Cow<'a, str>,
    },
    /// Text that the assistant wrote for its reader.
    Assistant {
        /// The text.
        text: Cow<'a, str>,
    },
    /// Reasoning; empty where it is encrypted.
    Reasoning {
        /// The text.
        text: Cow<'a, str>,
    },
    /// A tool call.
    Call(Call<'a>),
    /// The terminal resolution of a call.
    Resolution(Resolution<'a>),
    /// A compaction or a masking that happened here.
    Boundary(Boundary<'a>),
    /// The text that stands in for what a boundary removed. Empty text with `opaque`: it is encrypted.
    Summary {
        /// The summary.
        text: Cow<'a, str>,
        /// Whether it exists and cannot be read.
        opaque: bool,
    },
    /// Proof that a call ran, from a hook's line. The call itself may be nowhere in the file.
    Ran {
        /// The call's id.
        call: Cow<'a, str>,
        /// The tool's name.
        tool: Cow<'a, str>,
    },
    /// News of something that was started in the background.
    Job {
        /// The runtime's handle of it.
        handle: Cow<'a, str>,
        /// What became of it.
        state: JobState,
        /// What the model is told.
        text: Cow<'a, str>,
    },
    /// A change of state that carries no text for the model.
    Mark(Mark),
    /// A record, or a part of one, of a type that its adapter does not know.
    Unrecognised {
        /// The type's name, as the record gives it.
        name: Cow<'a, str>,
        /// The strings under `message`, `content` or `text`: what the model probably saw.
        text: Cow<'a, str>,
    },
}

/// Who is speaking in text with the role of the user (DESIGN: "Provenance").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// A person, at the keyboard.
    Human,
    /// A person, in the middle of a turn: words queued while the agent works, or typed beside an approval. They end no turn. Some
    /// runtimes record them twice, queued and delivered; the second time they may stand as [`Speaker::Human`].
    Steering,
    /// The runtime: notifications, reminders, hook output, echoes of slash commands, re-attached files, continuation markers.
    /// Never mined for commitments, never an answer.
    Injected,
    /// The agent that launched this sub-agent: the prompt of a lane that is not the main one.
    Parent,
    /// A rules file or a system prompt that the transcript quotes: commitments of another origin.
    Rules,
}

/// What became of a background job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Still running.
    Running,
    /// Ended well.
    Completed,
    /// Ended badly.
    Failed,
    /// Stopped from outside.
    Killed,
}

/// A change of state without text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The runtime says that the turn ended by itself.
    TurnEnded,
    /// The human stopped the turn.
    Interrupted,
    /// The runtime says that the session ended: nothing comes any more.
    SessionEnded,
    /// A request to the model failed; the runtime may try again.
    RequestFailed,
    /// The last turns of the conversation were taken back. The world was not.
    RolledBack {
        /// How many human prompts were taken back.
        turns: u32,
    },
    /// Only the usage that the event carries.
    Counted,
}
