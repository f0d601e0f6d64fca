//! A policy: a runtime's compaction algorithm as data, `assets/policies/*.toml`.
//!
//! It is made of orthogonal primitives, each simulated by one function of `compaction::cut`, in this order: `trigger`, `mask`,
//! `keep` (head, tail, roles, pins), `cut`, `pair`, `guards`, `rest`. What is put back (`after`), what the summariser is asked for (`asks`) and
//! what can be fetched again (`recover`) word the risk. The schema is closed: a misspelt key is a mistake. Prose goes into `note`.

pub mod asks;
pub mod keep;
pub mod mask;
pub mod set;

use std::sync::Arc;

use serde::Deserialize;

use crate::compaction::expr::{Env, Expr};
use crate::compaction::models::Window;
use crate::compaction::policy::mask::MaskHow;

pub use asks::Topic;
pub use keep::{Cut, Keep};
pub use mask::Mask;
pub use set::{Policies, UnknownPolicy};

/// A compaction algorithm.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its id: the name of its file.
    #[serde(skip)]
    pub id: Arc<str>,
    /// What people call it.
    pub title: String,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The agents that run by it unless told otherwise, by their formats' ids.
    #[serde(default)]
    pub agents: Vec<String>,
    /// Where its numbers come from.
    #[serde(default)]
    pub source: String,
    /// How far they can be trusted.
    pub confidence: Confidence,
    /// What the primitives do not say.
    #[serde(default)]
    pub note: String,
    /// When the runtime compacts by itself.
    #[serde(default)]
    pub trigger: Trigger,
    /// How it counts tokens for its trigger.
    #[serde(default)]
    pub count: Count,
    /// What the run must get under, where the runtime has such a figure.
    pub target: Option<Expr>,
    /// Bodies that it takes out of messages that stay.
    #[serde(default)]
    pub mask: Vec<Mask>,
    /// What stays verbatim.
    #[serde(default)]
    pub keep: Keep,
    /// Where the first message of a kept tail may stand.
    pub cut: Option<Cut>,
    /// What becomes of the rest. None: it stays.
    pub rest: Option<Rest>,
    /// What becomes of a call without its result, and of a result without its call.
    #[serde(default)]
    pub pair: Pair,
    /// When it does nothing after all.
    #[serde(default)]
    pub guards: Guards,
    /// What is put back after a compaction.
    #[serde(default)]
    pub after: Vec<Reinjected>,
    /// What the summariser is explicitly asked to keep.
    #[serde(default)]
    pub asks: Vec<Topic>,
    /// Whether the summariser is given the pending-call table as data.
    #[serde(default)]
    pub sees_pending: bool,
    /// How the model gets back what is gone.
    pub recover: Recover,
    /// What the runtime can do for a plan that respects barriers.
    #[serde(default)]
    pub can: Vec<Ability>,
    /// How much stands in the context after a compaction besides what was kept. Estimates.
    #[serde(default)]
    pub size: Size,
}

/// How far a policy's numbers can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Checked against real transcripts.
    Measured,
    /// Read in the source.
    Source,
    /// Read in an older source.
    SourceOld,
    /// From the vendor's documentation.
    Docs,
    /// From what others wrote about it.
    Secondary,
    /// What happens cannot be seen.
    Opaque,
    /// Not of a runtime: a shape that many have.
    Generic,
}

/// When a runtime compacts by itself: at any of these, each reached when the count is at least the value.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// Tokens of the context.
    pub tokens: Option<Expr>,
    /// Messages in the context.
    pub messages: Option<Expr>,
    /// Human prompts in the context.
    pub turns: Option<Expr>,
    /// Calls in the context.
    pub tool_uses: Option<Expr>,
    /// Minutes without a request. Never reached by a transcript alone.
    pub idle_minutes: Option<Expr>,
    /// When it looks.
    #[serde(default)]
    pub check: Vec<Moment>,
}

/// When a runtime looks at its triggers, or compacts whatever they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before a human prompt is answered.
    Turn,
    /// Between two requests: the results are in.
    Step,
    /// At the server, with each request.
    Request,
    /// When a turn has ended.
    End,
    /// Beside the run.
    Background,
    /// When a request was too long.
    Overflow,
    /// When its user says so.
    Manual,
}

/// How a runtime counts the tokens of its context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// What the last request was charged, and an estimate of what came later.
    #[default]
    Usage,
    /// An estimate of all messages.
    Estimate,
}

/// When a runtime does nothing after all.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guards {
    /// When less than this share of the messages would go.
    pub min_progress: Option<f64>,
    /// When it has failed so many times in a row.
    pub breaker: Option<u32>,
}

/// What becomes of what is not kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// What.
    #[serde(rename = "do")]
    pub does: Does,
    /// The most tokens that a summary may have.
    pub out: Option<Expr>,
    /// What the model is told in its place.
    pub notice: Option<String>,
}

/// What becomes of what is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Does {
    /// A model writes a summary.
    Summarise,
    /// A summary that nobody but the vendor can read.
    Opaque,
    /// A program writes a digest.
    Digest,
    /// Nothing stands in for it.
    Drop,
}

/// What becomes of the half of a pair.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// A kept call whose result is gone.
    #[serde(default)]
    pub orphan_call: Orphan,
    /// A kept result whose call is gone.
    #[serde(default)]
    pub orphan_result: Orphan,
}

/// What becomes of one half of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orphan {
    /// It is sent as it is.
    #[default]
    Stays,
    /// It goes too.
    Dropped,
    /// The missing half is made up.
    Stubbed,
}

/// Something that is put back after a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reinjected {
    /// Rules files and memory: what they say is not lost.
    Rules,
    /// The environment, permissions and settings.
    Environment,
    /// Files that were read last.
    Files,
    /// Skills in use.
    Skills,
    /// The approved plan.
    Plan,
    /// The todo list.
    Todos,
    /// Which tools and agents there are.
    Tools,
    /// What the user's hooks say.
    Hooks,
    /// Where the whole transcript lies.
    TranscriptPath,
    /// The newest prompt, once more.
    LastPrompt,
    /// An order to go on.
    Continue,
}

/// How the model gets back what is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recover {
    /// It is told where the text lies.
    PathTold,
    /// It has a tool for it.
    Tool,
    /// Not by itself: only the runtime's log has it.
    LogOnly,
    /// Not at all: the log is overwritten too.
    Erased,
    /// Not at all.
    None,
}

/// What a runtime can do for a plan that respects barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Keep single spans verbatim.
    PinSpans,
    /// Compact an older range only.
    CompactOlder,
}

/// How much stands in the context after a compaction besides what was kept, in tokens. Estimates.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// A summary. Where there is none, what may stand in its place: carriers need room too.
    #[serde(default = "short_summary")]
    pub summary: u64,
    /// What is put back.
    #[serde(default)]
    pub reinjected: u64,
}

impl Default for Size {
    fn default() -> Self {
        Self { summary: short_summary(), reinjected: 0 }
    }
}

/// A short summary, in tokens: what a policy has that states none.
fn short_summary() -> u64 {
    2_000
}

impl Policy {
    /// What the names of its expressions stand for, with `messages` in the context.
    #[must_use]
    pub fn env(&self, window: Window, messages: usize) -> Env {
        let bare = Env {
            window: window.tokens as f64,
            output: window.output as f64,
            input: window.input as f64,
            user: f64::INFINITY,
            trigger: window.tokens as f64,
            target: window.tokens as f64,
            messages: messages as f64,
        };
        let finite = |value: f64| value.is_finite().then_some(value);
        let trigger = self.trigger.tokens.as_ref().and_then(|at| finite(at.value(&bare))).unwrap_or(bare.trigger);
        let known = Env { trigger, target: trigger, ..bare };
        let target = self.target.as_ref().and_then(|target| finite(target.value(&known))).unwrap_or(trigger);
        Env { target, ..known }
    }

    /// Tokens at which it compacts by itself; none where tokens never make it.
    #[must_use]
    pub fn trigger_tokens(&self, window: Window) -> Option<u64> {
        self.trigger.tokens.as_ref()?.count(&self.env(window, 0))
    }

    /// Whether its runtime can do something.
    #[must_use]
    pub fn is_able(&self, ability: Ability) -> bool {
        self.can.contains(&ability)
    }

    /// Whether the model can fetch back everything that it takes, by a handle that stays in the context.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        let offloads = self.mask.iter().filter(|mask| !mask.off).all(|mask| mask.how == MaskHow::Offload);
        self.rest.is_none() && offloads && matches!(self.recover, Recover::PathTold | Recover::Tool)
    }

    /// Whether what it does has to be looked at message by message, and not just span by span.
    #[must_use]
    pub fn parts_spans(&self) -> bool {
        let keep = &self.keep;
        let counts = [&self.trigger.messages, &self.trigger.tool_uses].into_iter().any(Option::is_some);
        keep.tail.is_some() || !self.mask.is_empty() || !keep.pin.is_empty() || counts || keep.head.messages.is_some()
    }
}
