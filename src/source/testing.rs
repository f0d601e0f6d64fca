//! Where two agents keep their sessions, for tests: this floor does not know the real ones.

use crate::transcript::{Agent, Brood, Whereabouts};

pub(super) const CLAUDE: Whereabouts = Whereabouts {
    agent: Agent("claude-code"),
    variable: "CLAUDE_CONFIG_DIR",
    home: ".claude",
    folders: &["projects"],
    depth: Whereabouts::ANY_DEPTH,
    prefix: "",
    suffix: ".jsonl",
    not_below: Some("subagents"),
    children: Some(Brood::Own { folder: "subagents", prefix: "agent-" }),
    locks: None,
};

pub(super) const CODEX: Whereabouts = Whereabouts {
    agent: Agent("codex"),
    variable: "CODEX_HOME",
    home: ".codex",
    folders: &["sessions", "archived_sessions"],
    depth: Whereabouts::ANY_DEPTH,
    prefix: "rollout-",
    suffix: ".jsonl",
    not_below: None,
    children: None,
    locks: Some("thread-writer-locks"),
};

pub(super) const GEMINI: Whereabouts = Whereabouts {
    variable: "GEMINI_CLI_HOME",
    folders: &[".gemini/tmp"],
    prefix: "session-",
    suffix: ".jsonl",
    children: Some(Brood::ById { below: "chats", characters: 8 }),
    ..Whereabouts::new(Agent("gemini-cli"))
};
