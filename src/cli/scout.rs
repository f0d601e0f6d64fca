//! Looks into the sessions of the picker's list: each is read whole and judged by its own agent's policy.

use std::path::PathBuf;

use crate::base::text::clean;
use crate::cli::judge::{Bench, Question};
use crate::ledger::LaneSnapshot;
use crate::ledger::label::LABEL_BYTES;
use crate::ledger::rows::EventKind;
use crate::session::{Feed, Options};
use crate::ui::{Preview, Scout, Standing};

/// A label that is so much shorter than the longest, in bytes, may still have been cut: at the beginning of a character.
const ROUGHLY: usize = 4;

/// So many reasons are told.
const TOLD: usize = 4;

/// Reads and judges sessions by their row.
pub(super) struct Scouts {
    pub(super) paths: Vec<PathBuf>,
    pub(super) options: Options,
    pub(super) bench: Bench,
    pub(super) question: Question,
}

impl Scout for Scouts {
    fn look(&mut self, row: usize) -> Option<Preview> {
        let snapshot = Feed::whole(self.paths.get(row)?, &self.options).ok()?.latest();
        let lane = snapshot.lanes.first()?;
        let policy = self.bench.policy(self.question.policy.as_deref(), snapshot.facts.agent).ok()?;
        let judgement = self.bench.judge(lane, lane.end(), policy, &self.question);
        Some(Preview {
            standing: Standing::of(lane),
            verdict: judgement.verdict,
            open: judgement.in_the_way(lane).len(),
            live: lane.owed().count(),
            tokens: (judgement.context.tokens, judgement.context.window),
            boundaries: lane.boundaries.len(),
            reasons: judgement.named(lane).take(TOLD).collect(),
            directory: snapshot.facts.directory.as_deref().map(Into::into),
            last: [EventKind::Prompt, EventKind::Assistant].map(|kind| last(lane, kind)),
        })
    }
}

/// The newest event of a kind that says something, in a line.
fn last(lane: &LaneSnapshot, kind: EventKind) -> Option<String> {
    let label = |n: usize| lane.labels.get(n).filter(|label| !label.is_empty());
    let is_said = |n: &usize| lane.events.get(*n).is_some_and(|row| row.kind == kind) && label(*n).is_some();
    let said = (0..lane.events.len()).rev().find(is_said)?;
    let cut = |label: &str| if label.len() + ROUGHLY > LABEL_BYTES { "…" } else { "" };
    label(said).map(|label| format!("{}{}", clean(label).trim_end(), cut(label)))
}
