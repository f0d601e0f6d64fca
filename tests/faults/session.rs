//! A session as one of the agents writes it, and where the events of its script stand.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::claude::Claude;
use super::codex::Codex;
use super::script::{Step, Verb};

/// Whose session it is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Agent {
    ClaudeCode,
    Codex,
}

/// How an agent writes: each event gives lines.
pub(crate) trait Writer {
    fn event(&mut self, step: &Step) -> Vec<Value>;
    /// A compaction, with the summary that stands in for what was.
    fn compact(&mut self, summary: &str) -> Vec<Value>;
    /// A boundary that only takes the results of these calls out of the context.
    fn mask(&mut self, calls: &[String]) -> Vec<Value>;
}

/// A session's lines.
pub(crate) struct Session {
    writer: Box<dyn Writer>,
    lines: Vec<String>,
    /// The 1-based lines of an id: of a call, its own and its result's.
    places: HashMap<String, Vec<u32>>,
}

impl Session {
    pub(crate) fn of(agent: Agent) -> Self {
        let writer: Box<dyn Writer> = match agent {
            Agent::ClaudeCode => Box::new(Claude::default()),
            Agent::Codex => Box::new(Codex::default()),
        };
        let mut session = Self { writer, lines: Vec::new(), places: HashMap::new() };
        if agent == Agent::Codex {
            session.write(Codex::opening());
        }
        session
    }

    pub(crate) fn play(&mut self, steps: &[Step]) {
        for step in steps {
            let lines = match step.verb {
                Verb::Summary => self.writer.compact(&step.text),
                Verb::Mask => {
                    self.writer.mask(&[vec![step.id.clone()], step.text.split_whitespace().map(str::to_owned).collect()].concat())
                }
                _ => self.writer.event(step),
            };
            let first = self.lines.len() as u32 + 1;
            self.places.entry(step.id.clone()).or_default().extend(first..first + lines.len() as u32);
            self.write(lines);
        }
    }

    pub(crate) fn compact(&mut self, summary: &str) {
        let lines = self.writer.compact(summary);
        self.write(lines);
    }

    pub(crate) fn mask(&mut self, calls: &[String]) {
        let lines = self.writer.mask(calls);
        self.write(lines);
    }

    pub(crate) fn text(&self) -> String {
        self.lines.concat()
    }

    pub(crate) fn lines_of(&self, id: &str) -> &[u32] {
        self.places.get(id).map_or(&[], Vec::as_slice)
    }

    fn write(&mut self, lines: Vec<Value>) {
        self.lines.extend(lines.iter().map(|line| format!("{line}\n")));
    }
}

/// The hour of a line: three a minute.
pub(crate) fn time(number: usize) -> String {
    let (hour, minute, second) = (9 + number / 180, number / 3 % 60, number % 3 * 20);
    format!("2026-09-14T{hour:02}:{minute:02}:{second:02}.000Z")
}
