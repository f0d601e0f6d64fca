//! `owed audit`: what the compactions of a session lost, and what that cost.

use crate::cli::args::AuditArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::{AuditReport, text};
use crate::session::{Audited, Feed};

/// Audits every boundary of the session.
pub(super) fn run(args: &AuditArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let options = input::options(&args.input.how, settings)?;
    let feed = if input::is_standard_input(&args.input.path) {
        Feed::whole_input(&mut io.stdin, &options)
    } else {
        Feed::whole(&args.input.path, &options)
    };
    let audited = Audited::of(&feed?, &options.rules);
    let report = AuditReport::of(&audited);
    output::print(io, Form::of(args.json, settings), &report, text::audit)?;
    Ok(if report.is_clean() { Exit::Done } else { Exit::Found })
}
