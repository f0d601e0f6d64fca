//! What a command line asks about a session, answered: the session, the lane, and the judgement on it.

use std::sync::Arc;

use crate::cli::args::{AboutArgs, InputArgs};
use crate::cli::failure::Failure;
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::compaction::{Judgement, Strictness};
use crate::ledger::LaneSnapshot;
use crate::report::Subject;
use crate::session::Snapshot;

/// A session that was read and judged.
pub(super) struct Answer {
    snapshot: Snapshot,
    lane: Arc<LaneSnapshot>,
    pub(super) judgement: Judgement,
    strictness: Strictness,
}

impl Answer {
    /// Reads the session and judges the lane asked for, at the moment asked for.
    ///
    /// # Errors
    /// It cannot be read, or there is no such lane, moment, cut or policy.
    pub(super) fn to(session: &InputArgs, about: &AboutArgs, settings: &Settings, io: &mut Io) -> Result<Self, Failure> {
        Self::of(input::read(session, settings, io)?, about, settings)
    }

    /// Judges the lane asked for of a session that was read, at the moment asked for.
    ///
    /// # Errors
    /// There is no such lane, moment, cut or policy.
    pub(super) fn of(snapshot: Snapshot, about: &AboutArgs, settings: &Settings) -> Result<Self, Failure> {
        let bench = Bench::load(settings)?;
        let question = Question::of_args(about, settings);
        let now = input::lane(&snapshot, &about.lane)?;
        let at = input::moment(&snapshot, now, &about.moment)?;
        // A moment knows nothing of what came later.
        let lane = at.filter(|at| now.end() != Some(*at)).map_or_else(|| Arc::clone(now), |at| Arc::new(now.as_of(at)));
        input::cut(&lane, at, question.cut)?;
        let policy = bench.policy(question.policy.as_deref(), snapshot.facts.agent)?;
        let judgement = bench.judge(&lane, at, policy, &question);
        Ok(Self { snapshot, lane, judgement, strictness: question.strictness })
    }

    /// What a report is about.
    pub(super) fn subject(&self) -> Subject<'_> {
        Subject { snapshot: &self.snapshot, lane: &self.lane, judgement: &self.judgement, strictness: self.strictness }
    }
}
