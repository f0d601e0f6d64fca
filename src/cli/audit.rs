//! `owed audit`: what the compactions of a session lost, and what that cost.

use std::io::Write as _;

use crate::base::ids::EventIx;
use crate::cli::accept;
use crate::cli::args::AuditArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::incident::incident;
use crate::report::{AuditReport, text};
use crate::session::Audited;

/// Audits every boundary of the session.
pub(super) fn run(args: &AuditArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if let Some(summary) = &args.proposal.summary {
        return accept::run(args, summary, settings, io);
    }
    let options = input::options(&args.input.how, settings)?;
    let feed = input::feed(&args.input.path, &options, io)?;
    let audited = Audited::of(&feed, &options.rules);
    let report = AuditReport::of(&audited);
    if args.markdown {
        let bodies = feed.bodies();
        let record = |lane: &str, event: EventIx| {
            let lane = audited.snapshot.lanes.iter().find(|known| &*known.name == lane)?;
            bodies.read(lane.events.get(event.index())?).ok().map(|body| body.raw)
        };
        io.stdout.write_all(incident(&report, &record).as_bytes())?;
    } else {
        output::print(io, Form::of(args.json, settings), &report, text::audit)?;
    }
    Ok(if report.is_clean() { Exit::Done } else { Exit::Found })
}
