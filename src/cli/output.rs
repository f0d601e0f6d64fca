//! A report on standard output: JSON for scripts, text for people.

use std::io::Write as _;

use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::report::{Style, json};

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON alone, one value a line.
    Json,
    /// Text for people.
    Text(Style),
}

impl Form {
    /// What `--json`, given or not, asks for.
    pub(super) fn of(json: bool, settings: &Settings) -> Self {
        if json { Self::Json } else { Self::Text(settings.style) }
    }
}

/// Prints a report.
///
/// # Errors
/// Standard output cannot be written; a reader who has gone is no error.
pub(super) fn print<R: Serialize>(io: &mut Io, form: Form, report: &R, text: impl Fn(&R, Style) -> String) -> Result<(), Failure> {
    match form {
        Form::Json => json::write_line(&mut io.stdout, report)?,
        Form::Text(style) => io.stdout.write_all(text(report, style).as_bytes())?,
    }
    Ok(())
}
