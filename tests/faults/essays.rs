//! What the essays observed, each a session of its own (`essays.toml`).

use std::path::Path;

use serde::Deserialize;

use super::case::shares;
use super::claude::Session;
use super::judge::Judge;
use super::script::steps;
use super::story::{Fact, Kind, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Essays {
    essay: Vec<Essay>,
}

/// One observation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Essay {
    name: String,
    before: String,
    summary: String,
    after: String,
    /// So many turns pass before what comes after.
    #[serde(default)]
    idle: usize,
    /// What is lost: where it comes from, and its words.
    at: Vec<String>,
    said: Option<String>,
    /// One of these must be named, with one of these costs.
    accepts: Vec<String>,
    costs: Vec<String>,
}

/// What of the essays is not found, by name, and why.
pub(crate) fn missed() -> Vec<String> {
    let judge = Judge::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/essays.toml");
    read::<Essays>(&path).essay.iter().filter_map(|essay| essay.missed(&judge)).collect()
}

impl Essay {
    fn missed(&self, judge: &Judge) -> Option<String> {
        let mut session = Session::default();
        session.play(&steps(&self.before));
        session.compact(&self.summary);
        for turn in 0..self.idle {
            session.play(&steps(&format!(
                "prompt i{turn} Show me page {turn} of the manual.\nread r{turn} docs/{turn}.md\nok r{turn} ...\nturn"
            )));
        }
        session.play(&steps(&self.after));
        let lost = Fact {
            id: String::new(),
            kind: Kind::Rule,
            at: self.at.clone(),
            said: self.said.clone(),
            told: vec![],
            faults: vec![],
        };
        let judgement = judge.judge(&session);
        let is_on = |found: &&super::judge::Found| match &found.finding.entry {
            Some(entry) => lost.owns(&session, &found.lines, &entry.text),
            None => found.finding.after.iter().any(|after| shares(after, &self.summary)),
        };
        let right = judgement.findings.iter().filter(is_on).filter(|found| self.accepts.iter().any(|class| class == found.class()));
        let right: Vec<_> = right.collect();
        let is_wanted = |cost: &str| self.costs.iter().any(|wanted| wanted == cost);
        let what = match right.iter().flat_map(|found| found.costs()).any(is_wanted) {
            true => return None,
            false if right.is_empty() => "is not named",
            false => "has no cost",
        };
        let said: String = judgement.findings.iter().map(|found| format!("\n      said: {}", found.line())).collect();
        Some(format!("{} {what}: {:?} {:?}{said}", self.name, self.accepts, self.costs))
    }
}
