//! `owed formats`: the transcript formats that are known.

use crate::cli::args::ListArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::formats::registry;
use crate::report::formats::FormatsReport;
use crate::report::text;

/// Lists them.
pub(super) fn run(args: &ListArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let report = FormatsReport::of(registry::FORMATS.iter().copied());
    output::print(io, Form::of(args.json, settings), &report, text::formats)?;
    Ok(Exit::Done)
}
