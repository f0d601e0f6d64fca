//! `owed [PATH]`: the inspector on a session, the picker over all of them, or the demo when there is none.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::text::clean;
use crate::base::time::Stamp;
use crate::cli::args::{AskArgs, OpenArgs, ReadArgs, ScanArgs};
use crate::cli::check::{self, Depth};
use crate::cli::demo;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::scan;
use crate::cli::scout::Scouts;
use crate::cli::screen::{Screen, Shown};
use crate::cli::sessions::{self, SHOWN, found};
use crate::cli::settings::Settings;
use crate::session::{Feed, Glimpse, Options};
use crate::source::{Found, Life};
use crate::ui::{self, Candidate, Choice, Liveness};

/// What a reader is told who has nothing to pick from.
const NO_SESSION: &str =
    "no agent's session is on this machine, so this is the demo; `owed formats` says where they are looked for";

/// Opens what was named, or what the reader picks. Without a terminal, checks it.
pub(super) fn run(args: OpenArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let OpenArgs { path, how, beside, .. } = args;
    match path {
        Some(path) if !has_screen(&path, io) => check::run(&AskArgs::plain(path, how), Depth::Check, settings, io),
        // Of a folder, the sessions in it are the choice.
        Some(path) if path.is_dir() => scan::run(&ScanArgs::listing(path, how), settings, io),
        Some(path) => {
            let options = input::options(&how, settings)?;
            open(&path, beside.as_deref(), &options, settings, io)
        }
        None if !io.terminal.has_both_ends() => Err(Failure::usage("there is no terminal to pick a session on")
            .next("name one: `owed check PATH`; `owed sessions` lists them")),
        None => pick(settings, io),
    }
}

/// Whether there is a terminal for the screen, and for the keys if standard input is what is shown.
pub(super) fn has_screen(path: &Path, io: &Io) -> bool {
    io.terminal.stdout && (io.terminal.stdin || input::is_standard_input(path))
}

/// Follows a session on the screen.
fn open(path: &Path, beside: Option<&Path>, options: &Options, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let shown = if input::is_standard_input(path) {
        keyboard_is_free(io)?;
        let input = io.take_stdin();
        Shown::open(|wake| Feed::input(input, options, wake), options, settings)?
    } else {
        Shown::open(|wake| Feed::open(path, options, wake), options, settings)?
    };
    let shown = match beside {
        Some(other) => shown.beside(name(other), Feed::whole(other, options)?.latest()),
        None => shown,
    };
    // The terminal is taken last, so that what is wrong before is told on it as it is.
    on(Screen::open(settings, io)?, shown, settings, io)
}

/// That standard input, which is to be shown, is not the keyboard.
///
/// # Errors
/// It is.
pub(super) fn keyboard_is_free(io: &Io) -> Result<(), Failure> {
    if io.terminal.stdin {
        return Err(Failure::usage("standard input is the keyboard, and the screen needs it for its keys")
            .next("pipe a session in: `owed - < FILE`"));
    }
    Ok(())
}

/// Shows a session, and whatever its reader goes on to.
pub(super) fn on(mut screen: Screen, shown: Shown, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let left = match screen.show(shown) {
        Ok(ui::Exit::Sessions) => browse(&mut screen, settings, io),
        left => left.map(|_| ()),
    };
    screen.leave(left, io)
}

/// Lets the reader choose among all sessions of this machine; plays the demo where there is none.
fn pick(settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if found(io).sessions.is_empty() {
        return demo::run(NO_SESSION, settings, io);
    }
    let mut screen = Screen::open(settings, io)?;
    let left = browse(&mut screen, settings, io);
    screen.leave(left, io)
}

/// The list of sessions, and the one that is chosen, round and round until the reader leaves.
fn browse(screen: &mut Screen, settings: &Settings, io: &mut Io) -> Result<(), Failure> {
    let options = input::options(&ReadArgs::default(), settings)?;
    let (mut refused, mut last) = (None, None);
    loop {
        io.now = screen.now();
        let sessions = found(io).sessions;
        let looked = sessions.iter().enumerate().map(|(n, found)| (found, look(found, (n < SHOWN).then_some(&options))));
        let mut listed: Vec<(&Path, Candidate)> =
            looked.filter_map(|(found, look)| Some((found.path.as_path(), candidate(found, look?)))).collect();
        group(&mut listed);
        let (paths, candidates): (Vec<&Path>, Vec<Candidate>) = listed.into_iter().unzip();
        // The cursor is where the reader comes from.
        let selected = last.and_then(|last: PathBuf| paths.iter().position(|path| *path == last)).unwrap_or(0);
        let scout = Scouts {
            paths: paths.iter().map(|path| path.to_path_buf()).collect(),
            options: options.clone(),
            bench: Bench::load(settings)?,
            question: Question::of_settings(settings),
        };
        let chosen = match screen.pick((candidates, selected), scout, refused.take())? {
            Choice::Open(n) => paths.get(n),
            Choice::Back => None,
            Choice::Quit => return Ok(()),
        };
        last = chosen.map(|path| path.to_path_buf());
        let exit = match chosen {
            None => screen.go_on()?,
            Some(path) if screen.turn_to(path) => screen.go_on()?,
            Some(path) => match Shown::listed(path, &options, settings) {
                Ok(shown) => screen.show(shown)?,
                // It was there when the list was made.
                Err(failure) => {
                    refused = Some(failure);
                    continue;
                }
            },
        };
        if exit != ui::Exit::Sessions {
            return Ok(());
        }
    }
}

/// Live ones first; then project by project, the one that was worked on last first.
fn group(listed: &mut [(&Path, Candidate)]) {
    let mut newest: BTreeMap<String, Option<Stamp>> = BTreeMap::new();
    for (_, candidate) in &*listed {
        let known = newest.entry(candidate.project.clone()).or_default();
        *known = candidate.last.max(*known);
    }
    listed.sort_by_cached_key(|(_, candidate)| {
        let project = match candidate.liveness {
            Liveness::Live => None,
            Liveness::Quiet => Some((Reverse(newest.get(&candidate.project).copied().flatten()), candidate.project.clone())),
        };
        (project, Reverse(candidate.last))
    });
}

/// What a look into a session tells; none: it is no transcript. Only the newest are looked into, the rest are known by their place.
fn look(found: &Found, options: Option<&Options>) -> Option<Glimpse> {
    options.map_or(Some(Glimpse::default()), |options| sessions::look(found, options))
}

/// The last part of a path, as it can be shown.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map(|name| clean(&name.to_string_lossy()).into_owned()).unwrap_or_default()
}

/// A session for the picker.
fn candidate(found: &Found, glimpse: Glimpse) -> Candidate {
    let project = glimpse.directory.as_deref().or_else(|| found.path.parent()).map(name);
    Candidate {
        agent: glimpse.agent.unwrap_or(found.agent).0.to_owned(),
        project: project.unwrap_or_default(),
        title: glimpse.title.unwrap_or_else(|| name(&found.path)),
        last: glimpse.last.or(Some(found.modified)),
        bytes: found.size,
        liveness: match found.life {
            Life::Live => Liveness::Live,
            Life::Quiet => Liveness::Quiet,
        },
    }
}
