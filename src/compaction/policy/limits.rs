//! What no simulation of a policy can tell from a transcript: it is said, and not guessed.

use crate::compaction::models::Window;
use crate::compaction::policy::trigger::Moment;
use crate::compaction::policy::{Confidence, Does, Policy};

/// Something about a policy that a transcript does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// Where it compacts: its user sets that, and has not told us.
    Setting,
    /// How long its agent has been idle.
    Idle,
    /// How many images the context holds.
    Images,
    /// What the server has done already.
    Server,
    /// What it keeps.
    Kept,
    /// What its summary says.
    Summary,
}

impl Policy {
    /// What about it a transcript does not tell.
    #[must_use]
    pub fn unknown(&self, window: Window) -> Vec<Unknown> {
        let env = self.env(window, Default::default());
        let trigger = &self.trigger;
        let told = [
            (Unknown::Setting, trigger.thresholds().any(|at| at.value.count(&env).is_none())),
            (Unknown::Idle, trigger.idle_minutes.is_some()),
            (Unknown::Images, trigger.images.is_some()),
            (Unknown::Server, trigger.check.contains(&Moment::Request)),
            (Unknown::Kept, self.confidence == Confidence::Opaque),
            (Unknown::Summary, self.rest.as_ref().is_some_and(|rest| rest.does == Does::Opaque)),
        ];
        told.into_iter().filter(|(_, holds)| *holds).map(|(unknown, _)| unknown).collect()
    }
}

impl Unknown {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Setting => "setting",
            Self::Idle => "idle",
            Self::Images => "images",
            Self::Server => "server",
            Self::Kept => "kept",
            Self::Summary => "summary",
        }
    }

    /// What cannot be known, and why.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Setting => "where it compacts: its user sets that",
            Self::Idle => "how long the agent has been idle",
            Self::Images => "how many images the context holds",
            Self::Server => "what the server has taken out already",
            Self::Kept => "what it keeps: nobody has published that",
            Self::Summary => "what its summary says: only the vendor can read it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compaction::testing::{WINDOW, built_in, policy};

    #[test]
    fn what_a_transcript_does_not_tell_is_said() {
        let named = |unknown: Unknown| {
            let of = built_in().iter().filter(|policy| policy.unknown(WINDOW).contains(&unknown));
            of.map(|policy| &*policy.id).collect::<Vec<_>>()
        };
        let set_by_users = [
            "autogen-buffered",
            "autogen-head-tail",
            "autogen-token",
            "google-adk",
            "langchain-summarize",
            "openai-compact",
            "semantic-kernel",
        ];
        assert_eq!(named(Unknown::Setting), set_by_users);
        assert_eq!(named(Unknown::Idle), ["claude-code-micro"]);
        assert_eq!(named(Unknown::Images), ["qwen-code"]);
        assert_eq!(named(Unknown::Server), ["anthropic-clear", "anthropic-compact", "openai-compact"]);
        assert_eq!(named(Unknown::Kept), ["copilot-cli"]);
        assert_eq!(named(Unknown::Summary), ["codex-remote-v1", "codex-remote-v2", "openai-compact"]);
    }

    #[test]
    fn what_a_user_has_set_is_known() {
        let langchain = Policy { user: Some(120_000.0), ..policy("langchain") };
        assert_eq!((langchain.unknown(WINDOW), langchain.trigger_tokens(WINDOW)), (vec![], Some(120_000)));
    }
}
