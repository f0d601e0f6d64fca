//! What the essays observed, each a session of its own (`essays.toml`).

use std::path::Path;

use serde::Deserialize;

use super::case::shares;
use super::judge::Judge;
use super::script::steps;
use super::session::{Agent, Session};
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
    /// It is a binding, which only what is kept after the boundary makes one.
    #[serde(default)]
    binding: bool,
    /// One of these must be named, with one of these costs.
    accepts: Vec<String>,
    costs: Vec<String>,
}

/// What of the essays is not found, by name, and why.
pub(crate) fn missed() -> Vec<String> {
    let judge = Judge::new();
    all().iter().filter_map(|essay| essay.missed(&judge)).collect()
}

/// What nobody could find, because the ledger does not hold what is lost.
pub(crate) fn without_entry(judge: &Judge) -> Vec<String> {
    let is_held = |essay: &Essay| {
        let (session, lost) = (essay.session(), essay.lost());
        judge.live(&session).iter().any(|(entry, lines)| lost.owns(&session, lines, &entry.text))
    };
    all()
        .iter()
        .filter(|essay| !essay.binding && !is_held(essay))
        .map(|essay| format!("essay {}: no live entry", essay.name))
        .collect()
}

fn all() -> Vec<Essay> {
    read::<Essays>(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/essays.toml")).essay
}

impl Essay {
    fn session(&self) -> Session {
        let mut session = Session::of(Agent::ClaudeCode);
        session.play(&steps(&self.before));
        session.compact(&self.summary);
        for turn in 0..self.idle {
            let script =
                format!("prompt i{turn} Show me page {turn} of the manual.\nread r{turn} docs/{turn}.md\nok r{turn} ...\nturn");
            session.play(&steps(&script));
        }
        session.play(&steps(&self.after));
        session
    }

    fn lost(&self) -> Fact {
        Fact {
            id: self.name.clone(),
            kind: Kind::Rule,
            at: self.at.clone(),
            said: self.said.clone(),
            live: true,
            told: vec![],
            faults: vec![],
        }
    }

    fn missed(&self, judge: &Judge) -> Option<String> {
        let (session, lost) = (self.session(), self.lost());
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
