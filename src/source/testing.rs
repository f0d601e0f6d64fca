//! Where two agents keep their sessions, for tests: this floor does not know the real ones.

use crate::transcript::{Agent, Brood, Whereabouts};

pub(super) const CLAUDE: Whereabouts = Whereabouts {
    variable: "CLAUDE_CONFIG_DIR",
    home: ".claude",
    folders: &["projects"],
    suffix: ".jsonl",
    not_below: Some("subagents"),
    children: Some(Brood::Own { folder: "subagents", prefix: "agent-" }),
    ..Whereabouts::new(Agent("claude-code"))
};

pub(super) const CODEX: Whereabouts = Whereabouts {
    variable: "CODEX_HOME",
    home: ".codex",
    folders: &["sessions", "archived_sessions"],
    prefix: "rollout-",
    suffix: ".jsonl",
    locks: Some("thread-writer-locks"),
    ..Whereabouts::new(Agent("codex"))
};

pub(super) const GEMINI: Whereabouts = Whereabouts {
    variable: "GEMINI_CLI_HOME",
    folders: &[".gemini/tmp"],
    prefix: "session-",
    suffix: ".jsonl",
    children: Some(Brood::ById { below: "chats", characters: 8 }),
    ..Whereabouts::new(Agent("gemini-cli"))
};
