//! A policy: a runtime's compaction algorithm as data, `assets/policies/*.toml`, one file each.
//!
//! It is made of orthogonal primitives, each read by one type here and simulated by one function of `compaction::cut`:
//!
//! | key | what it says | where |
//! |---|---|---|
//! | `trigger`, `count`, `target` | when the runtime compacts, how it counts, what it must get under | [`trigger`] |
//! | `mask` | bodies that it takes out of messages that stay; done first, and what follows counts what is left | [`mask`] |
//! | `keep` | what stays verbatim: `head`, `tail`, `ends`, `roles` and `pin`, together | [`keep`] |
//! | `cut` | where the first message of the tail may stand | [`keep::Cut`] |
//! | `pair` | what becomes of a call without its result, and of a result without its call | [`rest`] |
//! | `guards` | when nothing is done after all, and who takes over | [`rest`] |
//! | `rest` | what becomes of everything else | [`rest`] |
//! | `after`, `asks`, `recover`, `size` | what is put back, what the summariser is asked for, how the model gets back what is gone, what it comes to | here |
//!
//! Numbers may be expressions over the model's limits (`compaction::expr`). The schema is closed: a misspelt key is a mistake, told
//! with file, line and field. What no primitive says goes into `note`; what a transcript cannot tell is said in the result
//! ([`limits`]). The smallest policy with a tail:
//!
//! ```toml
//! title      = "The newest 20 messages stay"
//! confidence = "generic"
//! recover    = "none"
//! trigger    = { tokens = "0.8*W", check = ["step"] }
//! keep       = { tail = { by = "messages", n = 20 } }
//! cut        = { at = ["group"], direction = "back" }    # a message with calls stays with its results
//! rest       = { do = "summarise" }
//! ```

pub mod asks;
pub mod keep;
pub mod limits;
pub mod mask;
pub mod rest;
pub mod set;
pub mod trigger;
pub mod words;

use std::sync::Arc;

use serde::Deserialize;

use crate::compaction::expr::{Env, Expr};
use crate::compaction::models::Window;
use crate::compaction::policy::mask::MaskHow;

pub use asks::Topic;
pub use keep::{Cut, Keep};
pub use limits::Unknown;
pub use mask::Mask;
pub use rest::{Does, Guards, Orphan, Pair, Reinjected, Rest};
pub use set::{Policies, UnknownPolicy};
pub use trigger::{Count, Moment, Threshold, Trigger};

/// A compaction algorithm.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its id: the name of its file.
    #[serde(skip)]
    pub id: Arc<str>,
    /// What people call it.
    pub title: String,
    /// Whose it is.
    #[serde(default)]
    pub family: Family,
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
    /// `U` of the expressions: what the runtime's user has set, in the unit of where it stands.
    pub user: Option<f64>,
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

/// Whose policy it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Of an agent that people run.
    Agent,
    /// Of a model's vendor, at the server or in its client library.
    Api,
    /// Of a library that agents are built with.
    Framework,
    /// Of nobody: a shape that many have, or the user's own.
    #[default]
    Shape,
}

impl Family {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Api => "api",
            Self::Framework => "framework",
            Self::Shape => "shape",
        }
    }

    /// Whose, over a list.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Agent => "Agents",
            Self::Api => "Model APIs",
            Self::Framework => "Frameworks",
            Self::Shape => "Of nobody in particular, and your own",
        }
    }
}

/// How much a context holds, as a runtime counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Messages.
    pub messages: usize,
    /// Records that they are made of.
    pub events: usize,
    /// Tokens by the runtime's own estimate.
    pub tokens: u64,
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
    /// What the names of its expressions stand for in a context of this load.
    #[must_use]
    pub fn env(&self, window: Window, load: Load) -> Env {
        let bare = Env {
            window: window.tokens as f64,
            output: window.output as f64,
            input: window.input as f64,
            user: self.user.unwrap_or(f64::INFINITY),
            trigger: window.tokens as f64,
            target: window.tokens as f64,
            messages: load.messages as f64,
            events: load.events as f64,
            tokens: load.tokens as f64,
        };
        let finite = |value: f64| value.is_finite().then_some(value);
        let trigger = self.trigger.tokens.as_ref().and_then(|at| finite(at.value.value(&bare))).unwrap_or(bare.trigger);
        let known = Env { trigger, target: trigger, ..bare };
        let target = self.target.as_ref().and_then(|target| finite(target.value(&known))).unwrap_or(trigger);
        Env { target, ..known }
    }

    /// Tokens at which it compacts by itself; none where tokens never make it.
    #[must_use]
    pub fn trigger_tokens(&self, window: Window) -> Option<u64> {
        self.trigger.tokens.as_ref()?.value.count(&self.env(window, Load::default()))
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
        let (keep, trigger) = (&self.keep, &self.trigger);
        let counts = [&trigger.messages, &trigger.events, &trigger.items, &trigger.tool_uses].into_iter().any(Option::is_some);
        let parts = keep.tail.is_some() || keep.ends.is_some() || !keep.pin.is_empty() || keep.head.messages.is_some();
        parts || counts || !self.mask.is_empty()
    }
}
