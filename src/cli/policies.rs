//! `owed policies`: the compaction policies that are known, the user's among them.

use crate::cli::args::ListArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::policies::PoliciesReport;
use crate::report::text;

/// Lists them.
pub(super) fn run(args: &ListArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let policies = settings.policies()?;
    output::print(io, Form::of(args.json, settings), &PoliciesReport::of(&policies), text::policies)?;
    Ok(Exit::Done)
}
