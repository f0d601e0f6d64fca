//! What the inspector is given: a session's feed, a judge, a look and a clock.

use std::io::Write as _;
use std::sync::Arc;

use crate::audit::{Audit, Texts, audit};
use crate::base::time::Stamp;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::compaction::{Judgement, Policy};
use crate::ledger::tagging::{Region, Said};
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::session::{Error, Feed, Options, Wake, clock};
use crate::transcript::Agent;
use crate::ui::{self, Bell, Replay, Terminal};

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
            name: "owed".to_owned(),
            greeting: None,
            front: ui::Front::default(),
            replay: None,
        };
        Ok(Self { terminal: Terminal::open(settings.mouse()).map_err(Failure::unexpected)?, options })
    }

    /// This machine's time.
    pub(super) fn now(&self) -> Stamp {
        (self.options.clock)()
    }

    /// Lets its reader choose one of these.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn pick(&mut self, candidates: Vec<ui::Candidate>) -> Result<ui::Choice, Failure> {
        ui::pick(&mut self.terminal, candidates, &self.options).map_err(Failure::unexpected)
    }

    /// Lets its reader choose one of what a scan found, with the one of this number selected.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn triage(&mut self, cases: Vec<ui::Case>, selected: usize) -> Result<ui::Choice, Failure> {
        ui::triage(&mut self.terminal, cases, selected, &self.options).map_err(Failure::unexpected)
    }

    /// Shows a session until its reader leaves it.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn show(&mut self, session: Shown) -> Result<ui::Exit, Failure> {
        let Shown { feed, bell, judging, name, greeting, front, replay } = session;
        let options = ui::Options { name, greeting, front, replay, ..self.options.clone() };
        ui::run(&mut self.terminal, (&feed, &bell), Box::new(judging), &options).map_err(Failure::unexpected)
    }

    /// Gives the terminal back, and tells what would have spoilt the screen.
    pub(super) fn leave(self, left: Result<(), Failure>, io: &mut Io) -> Result<Exit, Failure> {
        let complaints = self.terminal.complaints();
        drop(self.terminal);
        for complaint in complaints {
            writeln!(io.stderr, "owed: {complaint}").ok();
        }
        left.map(|()| Exit::Done)
    }
}

/// A session that can be shown: it was opened, and there is a policy to judge it by.
pub(super) struct Shown {
    feed: Feed,
    bell: Bell,
    judging: Judging,
    name: String,
    greeting: Option<String>,
    front: ui::Front,
    replay: Option<Replay>,
}

impl Shown {
    /// Opens a session that may still be growing.
    ///
    /// # Errors
    /// It cannot be read, is no transcript, or the settings are wrong.
    pub(super) fn open(
        open: impl FnOnce(Wake) -> Result<Feed, Error>,
        options: &Options,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let judging = Judging::load(&options.rules, settings)?;
        let bell = Bell::default();
        let feed = open(bell.wake())?;
        Ok(Self { feed, bell, judging, name: "owed".to_owned(), greeting: None, front: ui::Front::default(), replay: None })
    }

    /// A session that has been read.
    ///
    /// # Errors
    /// The settings are wrong.
    pub(super) fn of(feed: Feed, options: &Options, settings: &Settings) -> Result<Self, Failure> {
        Self::open(|_| Ok(feed), options, settings)
    }

    /// The same under another name in line one.
    pub(super) fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The same with something to tell its reader first.
    pub(super) fn greeting(self, greeting: &str) -> Self {
        Self { greeting: Some(greeting.to_owned()), ..self }
    }

    /// The same, opened for something.
    pub(super) fn opened_for(self, front: ui::Front) -> Self {
        Self { front, ..self }
    }

    /// The same, played.
    pub(super) fn played(self, replay: Replay) -> Self {
        Self { replay: Some(replay), ..self }
    }
}

/// Judges by the policy that is asked for; else by the settings' one, else by that of the session's agent.
struct Judging {
    bench: Bench,
    rules: Arc<Rulebook>,
    question: Question,
    /// Of an agent that has none.
    policy: Policy,
}

impl Judging {
    fn load(rules: &Arc<Rulebook>, settings: &Settings) -> Result<Self, Failure> {
        let bench = Bench::load(settings)?;
        let question = Question::of_settings(settings);
        // A name that nobody knows is told now, not when the first judgement is due.
        let policy = bench.policy(question.policy.as_deref(), Agent(""))?.clone();
        Ok(Self { bench, rules: Arc::clone(rules), question, policy })
    }
}

impl ui::Judge for Judging {
    fn policies(&self) -> Vec<ui::PolicyName> {
        let name = |policy: &Policy| ui::PolicyName { id: Arc::clone(&policy.id), title: policy.title.clone() };
        self.bench.policies.iter().map(name).collect()
    }

    fn regions(&self, said: &Said<'_>) -> Vec<Region> {
        self.rules.cues.read(said, self.rules.human)
    }

    fn audit(&self, lane: &LaneSnapshot, texts: &dyn Texts) -> Audit {
        audit(lane, texts, &self.rules)
    }

    fn judge(&self, agent: Agent, lane: &LaneSnapshot, asked: &ui::Question) -> Judgement {
        let question = self.question.cut_at(asked.cut);
        let name = asked.policy.as_deref().or(question.policy.as_deref());
        let policy = self.bench.policy(name, agent).unwrap_or(&self.policy);
        self.bench.judge(lane, lane.end(), policy, &question)
    }
}
