//! What the inspector is given: a session's feed, a judge, a look and a clock.

use std::io::Write as _;
use std::sync::Arc;

use crate::base::time::Stamp;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::compaction::{Judgement, Policy};
use crate::ledger::LaneSnapshot;
use crate::session::{Error, Feed, Snapshot, Wake, clock};
use crate::transcript::Agent;
use crate::ui::{self, Bell, Mouse, Terminal};

/// The terminal with a look, before it is known what to show on it.
pub(super) struct Screen {
    terminal: Terminal,
    options: ui::Options,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// The settings of the screen are wrong, or the terminal fails.
    pub(super) fn open(settings: &Settings, io: &Io) -> Result<Self, Failure> {
        let options = ui::Options {
            theme: settings.theme()?,
            keymap: settings.keymap()?,
            zone: io.zone.clone(),
            clock: Arc::new(clock::wall),
            greeting: None,
        };
        Ok(Self { terminal: Terminal::open(Mouse::default()).map_err(Failure::unexpected)?, options })
    }

    /// The same, with something to tell its reader first.
    pub(super) fn greeting(mut self, greeting: &str) -> Self {
        self.options.greeting = Some(greeting.to_owned());
        self
    }

    /// Lets its reader choose one of these.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn pick(&mut self, candidates: Vec<ui::Candidate>) -> Result<ui::Choice, Failure> {
        ui::pick(&mut self.terminal, candidates, &self.options).map_err(Failure::unexpected)
    }

    /// Shows a session until its reader leaves.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn show(mut self, session: Shown, io: &mut Io) -> Result<Exit, Failure> {
        let Shown { feed, bell, time, judging } = session;
        if time == Time::Sessions {
            let feed = Arc::clone(&feed);
            self.options.clock = Arc::new(move || newest(&feed.latest()));
        }
        let left = ui::run(&mut self.terminal, (&*feed, &bell), Box::new(judging), &self.options);
        let complaints = self.terminal.complaints();
        drop(self.terminal);
        for complaint in complaints {
            writeln!(io.stderr, "owed: {complaint}").ok();
        }
        left.map(|_| Exit::Done).map_err(Failure::unexpected)
    }
}

/// Whose clock the ages on the screen are told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    /// This machine's: the session is live, or was.
    Ours,
    /// The session's own: it is being played.
    Sessions,
}

/// A session that can be shown: it was opened, and there is a policy to judge it by.
pub(super) struct Shown {
    feed: Arc<Feed>,
    bell: Bell,
    time: Time,
    judging: Judging,
}

impl Shown {
    /// Opens a session.
    ///
    /// # Errors
    /// It cannot be read, is no transcript, or the settings are wrong.
    pub(super) fn open(open: impl FnOnce(Wake) -> Result<Feed, Error>, time: Time, settings: &Settings) -> Result<Self, Failure> {
        let judging = Judging::load(settings)?;
        let bell = Bell::default();
        let feed = Arc::new(open(bell.wake())?);
        Ok(Self { feed, bell, time, judging })
    }
}

/// The time of the newest record that states one.
fn newest(snapshot: &Snapshot) -> Stamp {
    let newest = snapshot.lanes.iter().filter_map(|lane| lane.events.iter().rev().find_map(|row| row.at)).max();
    newest.unwrap_or(Stamp(0))
}

/// Judges by the policy that is asked for; else by the settings' one, else by that of the session's agent.
struct Judging {
    bench: Bench,
    question: Question,
    /// Of an agent that has none.
    policy: Policy,
}

impl Judging {
    fn load(settings: &Settings) -> Result<Self, Failure> {
        let bench = Bench::load(settings)?;
        let question = Question::of_settings(settings);
        // A name that nobody knows is told now, not when the first judgement is due.
        let policy = bench.policy(question.policy.as_deref(), Agent(""))?.clone();
        Ok(Self { bench, question, policy })
    }
}

impl ui::Judge for Judging {
    fn policies(&self) -> Vec<ui::PolicyName> {
        let name = |policy: &Policy| ui::PolicyName { id: Arc::clone(&policy.id), title: policy.title.clone() };
        self.bench.policies.iter().map(name).collect()
    }

    fn judge(&self, agent: Agent, lane: &LaneSnapshot, asked: &ui::Question) -> Judgement {
        let question = self.question.cut_at(asked.cut);
        let name = asked.policy.as_deref().or(question.policy.as_deref());
        let policy = self.bench.policy(name, agent).unwrap_or(&self.policy);
        self.bench.judge(lane, lane.end(), policy, &question)
    }
}
