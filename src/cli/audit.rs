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
use crate::hooks::{Crossing, Gate};
use crate::report::crossed::{AskedAt, CrossedReport, UnverifiedReport};
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
    let mut report = AuditReport::of(&audited);
    if let Some(session) = &audited.snapshot.facts.id {
        cross(&mut report, session, settings, io);
    }
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

/// Sets beside the boundaries what the gate of this machine let through there. A record that cannot be read is told, and stops nobody.
fn cross(report: &mut AuditReport<'_>, session: &str, settings: &Settings, io: &mut Io) {
    let Some(state) = &settings.state else { return };
    match Gate::new(state, settings.config.gate.rules()).crossings(session) {
        Ok(crossings) => {
            for crossing in crossings {
                if let Some(line) = crossing.line {
                    let lane = crossing.lane.clone();
                    report.cross(AskedAt { lane: &lane, line }, told(crossing));
                }
            }
        }
        Err(error) => _ = writeln!(io.stderr, "owed: the gate's record of this session cannot be read: {error}"),
    }
}

fn told(crossing: Crossing) -> CrossedReport {
    let unverified = crossing.unverified.into_iter().map(|entry| UnverifiedReport {
        key: entry.key,
        kind: entry.kind,
        line_text: entry.what,
        discharge: entry.discharge,
        check: entry.check,
        line: entry.line,
    });
    CrossedReport { decision: crossing.decision, verdict: crossing.verdict, unverified: unverified.collect() }
}
