//! What the pipeline publishes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::base::data::DataError;
use crate::base::ids::LaneIx;
use crate::ledger::LaneSnapshot;
use crate::transcript::{Agent, Diagnostic};

/// A session, frozen at one moment of its reading.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Grows with every publication within an epoch.
    pub revision: u64,
    /// Grows when the file was truncated or replaced and reading began again: rows of another epoch mean nothing any more.
    pub epoch: u32,
    /// How far reading has come.
    pub progress: Progress,
    /// What the transcript says about its session.
    pub facts: Arc<Facts>,
    /// The lanes; lane 0 is the main agent. Never empty.
    pub lanes: Vec<Arc<LaneSnapshot>>,
}

impl Snapshot {
    /// The lane of this number.
    #[must_use]
    pub fn lane(&self, ix: LaneIx) -> Option<&Arc<LaneSnapshot>> {
        self.lanes.get(ix.index())
    }
}

/// What a transcript says about its session, outside the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The session's main file; `-` for standard input.
    pub path: PathBuf,
    /// Its files, by number: the main one, then its sub-agents' in the order in which they were found.
    pub files: Vec<SessionFile>,
    /// Its format.
    pub agent: Agent,
    /// The session's own id.
    pub id: Option<String>,
    /// The agent's version.
    pub version: Option<String>,
    /// The working directory.
    pub directory: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// A title.
    pub title: Option<String>,
    /// Records of types that the adapter does not know, counted by type.
    pub unrecognised: BTreeMap<String, u64>,
    /// Records that carry nothing for the ledger, counted by type.
    pub bookkeeping: BTreeMap<String, u64>,
    /// What was odd in the input.
    pub diagnostics: Vec<Diagnostic>,
    /// Its side ledgers that are there.
    pub side: Vec<SideLedger>,
    /// What was wrong in them, by file and line.
    pub mistakes: Vec<DataError>,
    /// Bytes read of all files.
    pub bytes: u64,
}

/// A file in which the session's runtime writes down what it owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideLedger {
    /// Where it lies.
    pub path: PathBuf,
    /// Its records that could be read.
    pub records: u64,
}

/// One file of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// Where it lies; `-` for standard input.
    pub path: PathBuf,
    /// The newest line that holds a record, from 1; 0 while there is none.
    pub lines: u32,
}

/// How far reading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Bytes folded, of the bytes that were there when reading began: no verdict yet.
    Reading {
        /// Folded.
        done: u64,
        /// In all.
        total: u64,
    },
    /// Everything that is there has been folded.
    Complete,
}
