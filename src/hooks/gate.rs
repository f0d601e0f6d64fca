//! The gate: whether a compaction may be, by DESIGN section 11. Compact passes; repair and around pass with their carriers; defer, refuse
//! and escalate warn, or stop it where its owner opted in, so many times in a row; after that it is forced.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::compaction::Verdict;
use crate::hooks::briefing::briefing;
use crate::hooks::crossing::Crossing;
use crate::hooks::shelf::{Shelf, Tally};
use crate::hooks::whose::Whose;
use crate::report::text::verdict_line;
use crate::report::{Breadth, CarriersReport, CheckReport, Subject, Wanted, markdown};
use crate::transcript::LaneKey;

/// So many crossings of a session are remembered.
const LONGEST_RECORD: usize = 64;

/// Who asked for a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trigger {
    /// A human.
    Manual,
    /// The runtime, by itself.
    Auto,
}

/// What becomes of a compaction that would lose something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnDanger {
    /// It goes on, and somebody is told.
    #[default]
    Warn,
    /// It is stopped.
    Block,
}

/// What the owner of an agent opted in to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateRules {
    /// For compactions that a human asks for.
    pub manual: OnDanger,
    /// For those that the runtime begins by itself.
    pub auto: OnDanger,
    /// How many in a row are stopped at most: an agent that can never compact is stranded.
    pub refusals: u32,
}

impl Default for GateRules {
    fn default() -> Self {
        Self { manual: OnDanger::Warn, auto: OnDanger::Warn, refusals: 2 }
    }
}

/// What is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is safe, with the carriers.
    Pass,
    /// It goes on over this danger.
    Warn(String),
    /// It is stopped for this reason.
    Block(String),
    /// It was stopped as often as it may be, and goes on for all that.
    Forced(String),
}

impl Decision {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn(_) => "warn",
            Self::Block(_) => "block",
            Self::Forced(_) => "forced",
        }
    }

    /// Why it does not simply pass, in one line.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Pass => None,
            Self::Warn(reason) | Self::Block(reason) | Self::Forced(reason) => Some(reason),
        }
    }
}

/// What is answered before a compaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is decided.
    pub decision: Decision,
    /// The verdict behind it; no decision changes it.
    pub verdict: Verdict,
    /// Where the carriers stand; none where nothing is owed.
    pub carriers: Option<PathBuf>,
    /// What the summariser is told: the pending calls and what is open, as data. Empty where nothing is.
    pub briefing: String,
}

/// The gate of one state folder.
#[derive(Clone, Debug)]
pub struct Gate {
    folder: PathBuf,
    rules: GateRules,
}

impl Gate {
    /// A gate that keeps its files in `folder`, which is made when it is first needed.
    #[must_use]
    pub fn new(folder: &Path, rules: GateRules) -> Self {
        Self { folder: folder.to_path_buf(), rules }
    }

    /// Where it keeps its files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Before a compaction of the subject's lane: the carriers are on disk when this returns. Of a session's name alone it is that of
    /// the main agent.
    ///
    /// # Errors
    /// They could not be written. Then the compaction should go on, and [`Gate::forget`] keeps older ones from being taken for them.
    pub fn before<'w>(&self, whose: impl Into<Whose<'w>>, trigger: Trigger, subject: &Subject<'_>) -> io::Result<Answer> {
        let whose = whose.into();
        let shelf = Shelf::of(&self.folder, whose);
        let verdict = subject.judgement.verdict;
        let report = CarriersReport::of(subject, Wanted::Live);
        let carriers = shelf.write(&markdown::carriers(&report))?;
        let decision = match verdict {
            Verdict::Compact | Verdict::Repair | Verdict::Around => Decision::Pass,
            Verdict::Defer | Verdict::Refuse | Verdict::Escalate => self.danger(&shelf, trigger, reason(subject)),
        };
        let decision = self.count(whose, trigger, decision, subject);
        Ok(Answer { decision, verdict, carriers, briefing: briefing(subject, report.carriers) })
    }

    /// After a compaction: the carriers as they were written, byte for byte; none where nothing was. Of a session's name alone they are
    /// those of the context that was asked about last.
    ///
    /// # Errors
    /// They are there and cannot be read.
    pub fn after<'w>(&self, whose: impl Into<Whose<'w>>) -> io::Result<Option<Vec<u8>>> {
        let Whose { session, lane } = whose.into();
        let newest =
            if lane.is_none() { Shelf::of(&self.folder, session.into()).tally().ok().and_then(|tally| tally.lane) } else { None };
        Shelf::of(&self.folder, Whose { session, lane: lane.or(newest.as_deref()) }).read()
    }

    /// The compactions of a session, its sub-agents' too, that went on over something open: the newest last. What was forced is what an
    /// audit looks at first.
    ///
    /// # Errors
    /// The record is there and cannot be read.
    pub fn crossings(&self, session: &str) -> io::Result<Vec<Crossing>> {
        Ok(Shelf::of(&self.folder, session.into()).tally()?.crossed)
    }

    /// Takes the carriers of an earlier compaction away, where those of the next could not be written.
    ///
    /// # Errors
    /// They cannot be taken away.
    pub fn forget<'w>(&self, whose: impl Into<Whose<'w>>) -> io::Result<()> {
        Shelf::of(&self.folder, whose.into()).write("").map(|_| ())
    }

    fn danger(&self, shelf: &Shelf, trigger: Trigger, reason: String) -> Decision {
        let on_danger = match trigger {
            Trigger::Manual => self.rules.manual,
            Trigger::Auto => self.rules.auto,
        };
        match (on_danger, shelf.tally()) {
            (OnDanger::Warn, _) => Decision::Warn(reason),
            // Who cannot count must not stop anybody.
            (OnDanger::Block, Err(_)) => Decision::Warn(reason),
            (OnDanger::Block, Ok(tally)) if tally.of(trigger) < self.rules.refusals => {
                let left = self.rules.refusals - tally.of(trigger) - 1;
                Decision::Block(format!("{reason}; stopped, {left} more before it is let through"))
            }
            (OnDanger::Block, Ok(tally)) => {
                Decision::Forced(format!("{reason}; let through after {} refusals: what was open is unverified", tally.of(trigger)))
            }
        }
    }

    /// Counts what was decided, and records what is crossed. A refusal that cannot be counted is none.
    fn count(&self, whose: Whose<'_>, trigger: Trigger, decision: Decision, subject: &Subject<'_>) -> Decision {
        let shelf = Shelf::of(&self.folder, whose);
        let mut tally = shelf.tally().unwrap_or_default();
        match decision {
            Decision::Block(_) => *tally.of_mut(trigger) += 1,
            Decision::Pass | Decision::Warn(_) | Decision::Forced(_) => (tally.manual, tally.auto) = (0, 0),
        }
        decision.word().clone_into(&mut tally.last);
        subject.judgement.verdict.word().clone_into(&mut tally.verdict);
        tally.line = subject.judgement.at.and_then(|at| subject.spot(at).line);
        let lane = whose.lane.unwrap_or(LaneKey::Main.name());
        let crossing = Crossing::of(&decision, trigger, lane, subject);
        let kept = match whose.lane {
            None => {
                tally.asked(None, crossing);
                shelf.keep(&tally)
            }
            // What the session's own file tells is told of its sub-agents too.
            Some(lane) => shelf.keep(&tally).and_then(|()| {
                let own = Shelf::of(&self.folder, whose.session.into());
                let mut tally = own.tally().unwrap_or_default();
                tally.asked(Some(lane), crossing);
                own.keep(&tally)
            }),
        };
        match (kept, decision) {
            (Err(_), Decision::Block(reason)) => Decision::Warn(reason),
            (_, decision) => decision,
        }
    }
}

impl Tally {
    fn of(&self, trigger: Trigger) -> u32 {
        match trigger {
            Trigger::Manual => self.manual,
            Trigger::Auto => self.auto,
        }
    }

    /// Notes which context was asked about, and what is crossed.
    fn asked(&mut self, lane: Option<&str>, crossing: Option<Crossing>) {
        self.lane = lane.map(str::to_owned);
        self.crossed.extend(crossing);
        let surplus = self.crossed.len().saturating_sub(LONGEST_RECORD);
        self.crossed.drain(..surplus);
    }

    fn of_mut(&mut self, trigger: Trigger) -> &mut u32 {
        match trigger {
            Trigger::Manual => &mut self.manual,
            Trigger::Auto => &mut self.auto,
        }
    }
}

/// The verdict with its first reasons, in one line.
fn reason(subject: &Subject<'_>) -> String {
    verdict_line(&CheckReport::of(subject, Breadth::Live))
}
