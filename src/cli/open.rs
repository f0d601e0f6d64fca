//! `owed [PATH]`: the inspector on a session, the picker over all of them, or the demo when there is none.

use std::path::Path;

use crate::base::text::clean;
use crate::cli::args::{AskArgs, InputArgs, OpenArgs};
use crate::cli::check::{self, Depth};
use crate::cli::demo;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::screen::{Screen, Shown, Time};
use crate::cli::sessions::{SHOWN, found};
use crate::cli::settings::Settings;
use crate::session::sessions::glimpse;
use crate::session::{Feed, Options};
use crate::source::{Found, Life};
use crate::ui::{Candidate, Choice, Liveness};

/// What a reader is told who has nothing to pick from.
const NO_SESSION: &str =
    "no agent's session is on this machine, so this is the demo; `owed formats` says where they are looked for";

/// Opens what was named, or what the reader picks. Without a terminal, checks it.
pub(super) fn run(args: OpenArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let OpenArgs { path, format } = args;
    match path {
        Some(path) if !has_screen(&path, io) => check::run(&AskArgs::plain(InputArgs { path, format }), Depth::Check, settings, io),
        Some(path) => {
            let options = input::options(format.as_deref(), settings)?;
            open(&path, &options, settings, io)
        }
        None if !(io.terminal.stdin && io.terminal.stdout) => Err(Failure::usage("there is no terminal to pick a session on")
            .next("name one: `owed check PATH`; `owed sessions` lists them")),
        None => pick(settings, io),
    }
}

/// Whether there is a terminal for the screen, and for the keys if standard input is what is shown.
fn has_screen(path: &Path, io: &Io) -> bool {
    io.terminal.stdout && (io.terminal.stdin || input::is_standard_input(path))
}

/// Follows a session on the screen.
fn open(path: &Path, options: &Options, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let shown = if input::is_standard_input(path) {
        if io.terminal.stdin {
            return Err(Failure::usage("standard input is the keyboard, and the screen needs it for its keys")
                .next("pipe a session in: `owed - < FILE`"));
        }
        let input = io.take_stdin();
        Shown::open(|wake| Feed::input(input, options, wake), Time::Ours, settings)?
    } else {
        Shown::open(|wake| Feed::open(path, options, wake), Time::Ours, settings)?
    };
    // The terminal is taken last, so that what is wrong before is told on it as it is.
    Screen::open(settings, io)?.show(shown, io)
}

/// Lets the reader choose among all sessions of this machine; plays the demo where there is none.
fn pick(settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let sessions = found(io).sessions;
    if sessions.is_empty() {
        return demo::run(NO_SESSION, settings, io);
    }
    let options = input::options(None, settings)?;
    let candidates = sessions.iter().enumerate().map(|(n, found)| candidate(found, (n < SHOWN).then_some(&options))).collect();
    let mut screen = Screen::open(settings, io)?;
    let chosen = match screen.pick(candidates)? {
        Choice::Open(n) => sessions.get(n),
        Choice::Quit => None,
    };
    match chosen {
        None => Ok(Exit::Done),
        Some(found) => screen.show(Shown::open(|wake| Feed::open(&found.path, &options, wake), Time::Ours, settings)?, io),
    }
}

/// A session for the picker. Only the newest are looked into: the rest are known by their place.
fn candidate(found: &Found, look: Option<&Options>) -> Candidate {
    let glimpse = look.and_then(|options| glimpse(found, options).ok()).unwrap_or_default();
    let name = |path: &Path| path.file_name().map(|name| clean(&name.to_string_lossy()).into_owned()).unwrap_or_default();
    let project = glimpse.directory.as_deref().or_else(|| found.path.parent()).map(name);
    Candidate {
        agent: glimpse.agent.unwrap_or(found.agent).0.to_owned(),
        project: project.unwrap_or_default(),
        title: glimpse.title.unwrap_or_else(|| name(&found.path)),
        last: Some(found.modified),
        bytes: found.size,
        liveness: match found.life {
            Life::Live => Liveness::Live,
            Life::Quiet => Liveness::Quiet,
        },
    }
}
