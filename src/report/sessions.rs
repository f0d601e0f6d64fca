//! `owed.session/1`: the sessions of this machine, one object a line.

use std::path::Path;

use serde::Serialize;

use crate::session::sessions::Glimpse;
use crate::source::{Found, Life};

/// One session that was found.
#[derive(Clone, Debug, Serialize)]
pub struct FoundReport {
    /// `owed.session/1`.
    pub schema: &'static str,
    /// The agent: by what stands in the file, else by where it lies.
    pub agent: &'static str,
    /// The main file.
    pub path: String,
    /// The working directory.
    pub project: Option<String>,
    /// Its title; where it has none, how its first prompt begins.
    pub title: Option<String>,
    /// Its own id.
    pub id: Option<String>,
    /// When it was last written, RFC 3339, UTC.
    pub last_activity: String,
    /// Bytes of the main file.
    pub bytes: u64,
    /// Sub-agents with files of their own.
    pub sub_agents: u32,
    /// Whether an agent is at work on it, as far as files can tell.
    pub live: bool,
}

impl FoundReport {
    /// The twin of a session that was found and looked into.
    #[must_use]
    pub fn of(found: &Found, glimpse: Glimpse) -> Self {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        Self {
            schema: "owed.session/1",
            agent: glimpse.agent.unwrap_or(found.agent).0,
            path: shown(&found.path),
            project: glimpse.directory.as_deref().map(shown),
            title: glimpse.title,
            id: glimpse.id,
            last_activity: found.modified.to_string(),
            bytes: found.size,
            sub_agents: found.children,
            live: found.life == Life::Live,
        }
    }
}
