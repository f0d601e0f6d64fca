//! `owed audit`: what the compactions of a session lost, and what that cost.

use crate::cli::accept;
use crate::cli::args::AuditArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::{AuditReport, text};
use crate::session::Audited;

/// Audits every boundary of the session.
pub(super) fn run(args: &AuditArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if let Some(summary) = &args.proposal.summary {
        return accept::run(args, summary, settings, io);
    }
    let options = input::options(&args.input.how, settings)?;
    let audited = Audited::of(&input::feed(&args.input.path, &options, io)?, &options.rules);
    let report = AuditReport::of(&audited);
    output::print(io, Form::of(args.json, settings), &report, text::audit)?;
    Ok(if report.is_clean() { Exit::Done } else { Exit::Found })
}
