//! `owed sessions`: what lies on this machine, live ones first.

use std::io::Write as _;

use crate::base::text::clean;
use crate::cli::args::{ListArgs, ReadArgs};
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::report::sessions::FoundReport;
use crate::report::{json, text};
use crate::session::sessions::{Glimpse, glimpse, sessions};
use crate::session::{Error, Options};
use crate::source::{Discovery, Found, Surroundings};

/// Sessions shown to people: to know a session's title it has to be opened.
pub(super) const SHOWN: usize = 100;

/// Lists them.
pub(super) fn run(args: &ListArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let options = input::options(&ReadArgs::default(), settings)?;
    let Discovery { sessions, unreadable } = found(io);
    for error in &unreadable {
        // That a folder is passed over is no failure, and neither is it when nobody can be told.
        writeln!(io.stderr, "owed: {}", clean(&error.to_string())).ok();
    }
    let reports = sessions.iter().filter_map(|found| Some(FoundReport::of(found, look(found, &options)?)));
    if args.json {
        for report in reports {
            if io.stdout.is_closed() {
                break;
            }
            json::write_line(&mut io.stdout, &report)?;
        }
        return Ok(Exit::Done);
    }
    let shown: Vec<FoundReport> = reports.take(SHOWN).collect();
    io.stdout.write_all(text::sessions(&shown, sessions.len(), io.now, settings.style).as_bytes())?;
    Ok(Exit::Done)
}

/// Every session on this machine.
pub(super) fn found(io: &Io) -> Discovery {
    sessions(&Surroundings { home: io.home.as_deref(), variable: &*io.env, now: io.now })
}

/// What a look into a session tells; none: it is no transcript, whatever its place. One that cannot be read is listed all the same.
pub(super) fn look(found: &Found, options: &Options) -> Option<Glimpse> {
    match glimpse(found, options) {
        Ok(glimpse) => Some(glimpse),
        Err(Error::Unknown { .. }) => None,
        Err(_) => Some(Glimpse::default()),
    }
}
