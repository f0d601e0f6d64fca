//! What `sample-sessions/NAME.expect.toml` may say; each key is explained in `sample-sessions/README.md`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What must be true of one session.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) format: String,
    pub(crate) version: Option<String>,
    pub(crate) window: u64,
    pub(crate) prompts: usize,
    pub(crate) events: usize,
    pub(crate) calls: usize,
    pub(crate) resolutions: usize,
    #[serde(default)]
    pub(crate) anomalies: BTreeMap<String, usize>,
    pub(crate) end: State,
    #[serde(default, rename = "moment")]
    pub(crate) moments: Vec<State>,
    #[serde(default, rename = "call")]
    pub(crate) ends: Vec<CallEnds>,
    #[serde(default, rename = "boundary")]
    pub(crate) boundaries: Vec<Boundary>,
    #[serde(default, rename = "lane")]
    pub(crate) lanes: Vec<Lane>,
}

/// The state after everything that stands on a line or before it; without a line, at the end. What is left out is not checked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    pub(crate) line: Option<u32>,
    pub(crate) verdict: Option<String>,
    pub(crate) pressure: Option<String>,
    pub(crate) open: Option<Vec<String>>,
    pub(crate) unknown: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) recorded: Vec<String>,
    #[serde(default)]
    pub(crate) done: Vec<String>,
    pub(crate) barriers: Option<Vec<u32>>,
    #[serde(default)]
    pub(crate) lost: Vec<String>,
}

/// How the call on a line ended.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallEnds {
    pub(crate) line: u32,
    pub(crate) end: String,
    pub(crate) effect: Option<String>,
}

/// A boundary, by its line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Boundary {
    pub(crate) line: u32,
    pub(crate) kind: String,
    pub(crate) trigger: String,
    pub(crate) before: Option<u64>,
    pub(crate) kept: usize,
    pub(crate) masked: usize,
}

/// A lane besides the main one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) parent: String,
    pub(crate) calls: usize,
    pub(crate) resolutions: usize,
}
