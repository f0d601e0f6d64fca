//! The primitive `trigger`: when a runtime compacts by itself, and `count`: how it counts for that.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::compaction::expr::{Env, Expr};

/// When a runtime compacts by itself: as soon as one of these counts reaches its threshold.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// Tokens of the context.
    pub tokens: Option<Threshold>,
    /// Messages in the context.
    pub messages: Option<Threshold>,
    /// Human prompts in the context.
    pub turns: Option<Threshold>,
    /// Records in the context: each text, each call and each result is one.
    pub events: Option<Threshold>,
    /// The same without prompts and summaries.
    pub items: Option<Threshold>,
    /// Calls in the context that were answered.
    pub tool_uses: Option<Threshold>,
    /// Images in the context. A transcript alone does not tell.
    pub images: Option<Threshold>,
    /// Minutes without a request. A transcript alone does not tell.
    pub idle_minutes: Option<Threshold>,
    /// Tokens at which the run has to wait for a compaction that goes on beside it.
    pub block: Option<Threshold>,
    /// When it looks.
    #[serde(default)]
    pub check: Vec<Moment>,
}

/// A value that a count is held against: `"0.9*W"` is reached by as much, `"> 0.8*W"` by more only.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The value.
    pub value: Expr,
    /// What reaches it.
    pub reached: Reached,
}

/// What reaches a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// As much as its value.
    AtLeast,
    /// More than its value.
    Above,
}

/// When a runtime looks at its triggers, or compacts whatever they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
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
    /// When its user, or the program that embeds it, says so.
    Manual,
}

/// How a runtime counts the tokens of its context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// What the last request was charged, and an estimate of what came later.
    #[default]
    Usage,
    /// An estimate of all messages.
    Estimate,
}

impl Trigger {
    /// Every threshold that it has on what stands in the context, the tokens first.
    pub fn thresholds(&self) -> impl Iterator<Item = &Threshold> + '_ {
        let all = [&self.tokens, &self.messages, &self.turns, &self.events, &self.items, &self.tool_uses, &self.images];
        all.into_iter().flatten()
    }
}

impl Threshold {
    /// Whether a count reaches it; never where its value rests on what the runtime's user has not set.
    #[must_use]
    pub fn is_reached(&self, count: u64, env: &Env) -> bool {
        self.value.count(env).is_some_and(|value| match self.reached {
            Reached::AtLeast => count >= value,
            Reached::Above => count > value,
        })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reached {
            Reached::AtLeast => self.value.fmt(f),
            Reached::Above => write!(f, "> {}", self.value),
        }
    }
}

/// From a string, or from a plain number.
impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Threshold;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a threshold, as \"0.9*W\" (reached), \"> 0.8*W\" (passed), or a number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Threshold, E> {
                // The sign leaves a blank, so that a mistake keeps its column.
                let (reached, value) = match text.trim_start().strip_prefix('>') {
                    Some(_) => (Reached::Above, text.replacen('>', " ", 1)),
                    None => (Reached::AtLeast, text.to_owned()),
                };
                Ok(Threshold { value: Expr::parse(&value).map_err(E::custom)?, reached })
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Threshold, E> {
                self.visit_f64(number as f64)
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Threshold, E> {
                Ok(Threshold { value: Expr::number(number), reached: Reached::AtLeast })
            }
        }
        from.deserialize_any(Text)
    }
}
