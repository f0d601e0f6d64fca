//! What an agent's format has to say about itself.

use crate::transcript::{Agent, Container, LaneKey, Record, Sink, Whereabouts};

/// Translates one file's records, in order.
pub trait Adapter: Send {
    /// Puts the events, facts and oddities of one record into `sink`. Never fails: what it cannot read is an oddity.
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink);
}

/// What is known of a file before its first record is translated.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The lane of the file's records: main, or the sub-agent whose own file it is.
    pub lane: LaneKey<'static>,
    /// Sub-agents that have files of their own: what the main file repeats of them is left out.
    pub elsewhere: Vec<String>,
}

/// One supported format: a row of the registry.
pub struct Format {
    /// Its id, as `--format` and the reports name it.
    pub agent: Agent,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What people call the agent.
    pub title: &'static str,
    /// How it is stored, in one way or another.
    pub containers: &'static [Container],
    /// Whether a record, the first readable ones of a file, is certainly of this format. Never by the file's name alone. A document
    /// is asked for like a record, with what is long or deep in it left out.
    pub recognises: fn(&serde_json::Map<String, serde_json::Value>) -> Recognised,
    /// An adapter for one file.
    pub open: fn(&Opening) -> Box<dyn Adapter>,
    /// Where its sessions lie. None for a format that no agent of this machine writes by itself.
    pub whereabouts: &'static [Whereabouts],
}

impl Format {
    /// How the sub-agents of its sessions have files of their own.
    #[must_use]
    pub fn family(&self) -> Option<&'static Whereabouts> {
        self.whereabouts.iter().find(|place| place.children.is_some())
    }
}

/// What a record says about its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// It is of this format, and of no other that is known.
    Yes,
    /// It may be.
    Maybe,
    /// It is not.
    No,
}
