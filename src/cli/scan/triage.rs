//! `owed scan --open`: what was found as a list on the screen, from which one session after the other is opened.

use std::path::Path;

use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::open::name;
use crate::cli::screen::{Screen, Shown};
use crate::cli::settings::Settings;
use crate::report::scan::ScanReport;
use crate::session::Options;
use crate::ui::{self, Case, Choice, Front};

/// Shows the rows until their reader leaves. A session that lost something is opened on what it lost.
pub(super) fn run(rows: &[ScanReport], options: &Options, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let mut screen = Screen::open(settings, io)?;
    let left = browse(&mut screen, rows, options, settings);
    screen.leave(left, io)
}

fn browse(screen: &mut Screen, rows: &[ScanReport], options: &Options, settings: &Settings) -> Result<(), Failure> {
    let (mut selected, mut refused) = (0, None);
    loop {
        let cases = rows.iter().map(case).collect();
        let chosen = match screen.triage(cases, selected, refused.take())? {
            Choice::Open(n) => rows.get(n).map(|row| (n, row)),
            Choice::Back => None,
            Choice::Quit => return Ok(()),
        };
        selected = chosen.map_or(selected, |(n, _)| n);
        let exit = match chosen {
            None => screen.go_on()?,
            Some((_, row)) if screen.turn_to(Path::new(&row.path)) => screen.go_on()?,
            Some((_, row)) => match Shown::listed(Path::new(&row.path), options, settings) {
                Ok(shown) => screen.show(shown.opened_for(if row.is_lossy() { Front::Findings } else { Front::Timeline }))?,
                // It was there when the scan went by.
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

fn case(row: &ScanReport) -> Case {
    let path = Path::new(&row.path);
    let project = row.directory.as_deref().map(Path::new).or_else(|| path.parent());
    Case {
        worst: row.worst,
        score: row.score,
        verdict: row.verdict.unwrap_or_default(),
        lost: row.lost(),
        agent: row.format.to_owned(),
        project: project.map(name).unwrap_or_default(),
        day: row.ended.as_deref().and_then(|at| at.get(..10)).unwrap_or_default().to_owned(),
        title: row.title.clone().unwrap_or_else(|| name(path)),
    }
}
