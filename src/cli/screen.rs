//! What the inspector is given: a session's feed, a judge, a look and a clock.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::audit::{Audit, Texts, audit};
use crate::base::time::Stamp;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::outside::World;
use crate::cli::scout::Scouts;
use crate::cli::settings::Settings;
use crate::compaction::{Judgement, Policy};
use crate::ledger::tagging::{Region, Said};
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::session::{Error, Feed, Options, Snapshot, Wake, clock};
use crate::source::file::is_pipe;
use crate::transcript::Agent;
use crate::ui::theme::Depth;
use crate::ui::{self, Background, Bell, Replay, Terminal};

/// The terminal with a look, before it is known what to show on it.
pub(super) struct Screen {
    terminal: Terminal,
    options: ui::Options,
    deck: ui::Deck,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// The settings of the screen are wrong, or the terminal fails.
    pub(super) fn open(settings: &Settings, io: &Io) -> Result<Self, Failure> {
        let world = World::of(settings, io);
        let options = ui::Options {
            theme: settings.theme(depth(io), || background(io))?,
            keymap: settings.keymap()?,
            zone: io.zone.clone(),
            clock: Arc::new(clock::wall),
            name: "owed".to_owned(),
            greeting: None,
            front: ui::Front::default(),
            replay: None,
            beside: None,
            arrangement: world.arrangement(),
            behind: ui::Behind::Shell,
            outside: Arc::new(world),
        };
        Ok(Self { terminal: Terminal::open(settings.mouse()).map_err(Failure::unexpected)?, options, deck: ui::Deck::default() })
    }

    /// This machine's time.
    pub(super) fn now(&self) -> Stamp {
        (self.options.clock)()
    }

    /// Lets its reader choose one of these, with the one of this number selected, told why the one that was chosen before could not be opened.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn pick(
        &mut self,
        candidates: (Vec<ui::Candidate>, usize),
        scout: Scouts,
        refused: Option<Failure>,
    ) -> Result<ui::Choice, Failure> {
        let options = self.telling(refused);
        ui::pick(&mut self.terminal, candidates, Box::new(scout), &options).map_err(Failure::unexpected)
    }

    /// Lets its reader choose one of what a scan found, with the one of this number selected, and told why it could not be opened.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn triage(
        &mut self,
        cases: Vec<ui::Case>,
        selected: usize,
        refused: Option<Failure>,
    ) -> Result<ui::Choice, Failure> {
        let options = self.telling(refused);
        ui::triage(&mut self.terminal, cases, selected, &options).map_err(Failure::unexpected)
    }

    /// The options of a list that tells why something could not be opened. Whatever is shown from now on has the list behind it.
    fn telling(&mut self, refused: Option<Failure>) -> ui::Options {
        self.options.behind = ui::Behind::List;
        let behind = if self.deck.is_empty() { ui::Behind::Shell } else { ui::Behind::Sessions };
        ui::Options { greeting: refused.map(|failure| failure.what().to_owned()), behind, ..self.options.clone() }
    }

    /// Opens a session beside those that are open, and shows them until their reader leaves.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn show(&mut self, session: Shown) -> Result<ui::Exit, Failure> {
        let Shown { feed, bell, judging, name, greeting, front, replay, beside } = session;
        let options = ui::Options { name, greeting, front, replay, beside, ..self.options.clone() };
        let session = ui::Session { supply: Box::new(feed), bell, judge: Box::new(judging) };
        self.deck.open(session, &options).map_err(Failure::unexpected)?;
        self.go_on()
    }

    /// Shows the open sessions again.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn go_on(&mut self) -> Result<ui::Exit, Failure> {
        self.deck.show(&mut self.terminal, &self.options).map_err(Failure::unexpected)
    }

    /// Brings the session of a file to the front; whether it is open.
    pub(super) fn turn_to(&mut self, path: &Path) -> bool {
        self.deck.turn_to(path)
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

/// How many colours the terminal says that it has.
fn depth(io: &Io) -> Depth {
    let of = |name| (io.env)(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
    match (of("COLORTERM").as_str(), of("TERM")) {
        ("truecolor" | "24bit", _) => Depth::Full,
        (_, term) if term.contains("direct") => Depth::Full,
        (_, term) if term.contains("256color") => Depth::Indexed,
        _ => Depth::Sixteen,
    }
}

/// What is behind the terminal's text, as it or its environment says; dark where neither does.
fn background(io: &Io) -> Background {
    let variable = (io.env)("COLORFGBG").and_then(|value| Background::of_variable(value.to_str()?));
    variable.or_else(|| Background::ask().ok().flatten()).unwrap_or_default()
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
    beside: Option<(String, Arc<Snapshot>)>,
}

impl Shown {
    /// Opens a session of a list. A file that has become a pipe since would make everybody wait for its writer.
    ///
    /// # Errors
    /// It cannot be read, or is no transcript, or the settings are wrong.
    pub(super) fn listed(path: &Path, options: &Options, settings: &Settings) -> Result<Self, Failure> {
        if is_pipe(path) {
            return Err(Failure::input(format!("{}: is a pipe, not a file", path.display())));
        }
        Self::open(|wake| Feed::open(path, options, wake), options, settings)
    }

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
        let name = "owed".to_owned();
        Ok(Self { feed, bell, judging, name, greeting: None, front: ui::Front::default(), replay: None, beside: None })
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

    /// The same beside another session, under its name.
    pub(super) fn beside(self, name: String, other: Arc<Snapshot>) -> Self {
        Self { beside: Some((name, other)), ..self }
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
        self.bench.policies.iter().map(ui::PolicyName::from).collect()
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
