//! `owed hook`: the gate in an agent's own hooks. A failure lets the agent go on, whatever it is: its exit code is 1, which stops nobody.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::base::text::clean;
use crate::cli::args::{HookArgs, Protocol, ReadArgs};
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::cli::{input, install};
use crate::compaction::{Urgency, Verdict};
use crate::hooks::protocol::{Before, Event, Reply, Then};
use crate::hooks::whose::{self, Whose};
use crate::hooks::{Answer, Gate, Trigger, claude, generic};
use crate::report::Subject;
use crate::session;
use crate::source::Origin;

/// Answers a hook, or installs it.
pub(super) fn run(args: &HookArgs, settings: impl FnOnce(&Io) -> Result<Settings, Failure>, io: &mut Io) -> Result<Exit, Failure> {
    let protocol = match &args.command {
        Protocol::ClaudeCode => &CLAUDE_CODE,
        Protocol::Generic => &GENERIC,
        Protocol::Install(args) => return install::run(args, io),
    };
    let settings = settings(io).map_err(Failure::harmless)?;
    let reply = answer(protocol, &settings, io).map_err(Failure::harmless)?;
    if let Some(line) = &reply.stderr {
        writeln!(io.stderr, "{}", clean(line)).ok();
    }
    io.stdout.write_all(&reply.stdout)?;
    Ok(match reply.then {
        Then::GoOn => Exit::Done,
        Then::Stop(verdict) => (protocol.stop)(verdict),
    })
}

/// How an agent speaks with its hooks.
struct Spoken {
    read: fn(&[u8]) -> Result<Event, String>,
    before: fn(&Answer) -> Reply,
    after: fn(Option<Vec<u8>>) -> Reply,
    stop: fn(Verdict) -> Exit,
}

const CLAUDE_CODE: Spoken = Spoken { read: claude::read, before: claude::before, after: claude::after, stop: |_| Exit::Blocked };

const GENERIC: Spoken = Spoken { read: generic::read, before: generic::before, after: generic::after, stop: Exit::Verdict };

fn answer(protocol: &Spoken, settings: &Settings, io: &mut Io) -> Result<Reply, Failure> {
    let mut bytes = Vec::new();
    io.stdin.read_to_end(&mut bytes).map_err(|error| Failure::input(format!("standard input cannot be read: {error}")))?;
    let event = (protocol.read)(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes)).map_err(Failure::input)?;
    let state = settings.state.as_ref().ok_or_else(|| Failure::unexpected("there is no home folder to keep carriers in"));
    let gate = || state.map(|state| Gate::new(state, settings.config.gate.rules()));
    match event {
        Event::Other => Ok(Reply::default()),
        Event::After { session, lane } => {
            let gate = gate()?;
            let whose = Whose { session: &session, lane: lane.as_deref() };
            let carriers =
                gate.after(whose).map_err(|error| Failure::unexpected(format!("the carriers cannot be read: {error}")))?;
            Ok((protocol.after)(carriers))
        }
        Event::Before(before) => {
            let gate = gate()?;
            let judged = judged(&gate, &before, settings, io);
            if judged.is_err() {
                // What an earlier compaction left must not be taken for what this one carries.
                gate.forget(Whose { session: &before.session, lane: before.lane.as_deref() }).ok();
            }
            judged.map(|answer| (protocol.before)(&answer))
        }
    }
}

/// Reads the transcript as it stands now, judges the context that is about to be compacted, and asks the gate.
fn judged(gate: &Gate, before: &Before, settings: &Settings, io: &Io) -> Result<Answer, Failure> {
    let how = ReadArgs { format: before.format.clone(), ..ReadArgs::default() };
    let options = input::options(&how, settings)?;
    let transcript = at_home(&before.transcript, io);
    // A pipe is waited for by whoever names one, but not by an agent.
    Origin::Path(transcript.clone()).stat().map_err(session::Error::from)?;
    let snapshot = input::read_at(&transcript, &options)?;
    let bench = Bench::load(settings)?;
    // What the runtime begins by itself is forced on it now, whatever the window is taken for.
    let urgency = match before.trigger {
        Trigger::Manual => Urgency::Measured,
        Trigger::Auto => Urgency::Forced,
    };
    let question = Question::in_hook(before.policy.as_deref(), urgency, settings);
    let policy = bench.policy(question.policy.as_deref(), snapshot.facts.agent)?;
    let measured = question.measured();
    let (lane, name) = whose::lane(&snapshot, before, |lane| bench.judge(lane, lane.end(), policy, &measured).context.pressure)
        .map_err(Failure::input)?;
    let judgement = bench.judge(lane, lane.end(), policy, &question);
    let subject = Subject { snapshot: &snapshot, lane, judgement: &judgement, strictness: question.strictness };
    let whose = Whose { session: &before.session, lane: name.as_deref() };
    let answer = gate.before(whose, before.trigger, &subject);
    answer.map_err(|error| Failure::unexpected(format!("{}: the carriers cannot be written: {error}", gate.folder().display())))
}

/// A path of which `~` is the home folder.
fn at_home(path: &Path, io: &Io) -> PathBuf {
    match (path.strip_prefix("~"), &io.home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_path_buf(),
    }
}
