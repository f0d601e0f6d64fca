//! `owed carry`: the carriers of a lane, ready to be put back into its context.

use std::io::Write as _;

use crate::cli::answer::Answer;
use crate::cli::args::{CarrierForm, CarryArgs};
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::report::{CarriersReport, Wanted, json, markdown};

/// Prints the carriers.
pub(super) fn run(args: &CarryArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let answer = Answer::to(&args.input(), &args.about, settings, io)?;
    let wanted = if args.severed { Wanted::Severed } else { Wanted::Live };
    let report = CarriersReport::of(&answer.subject(), wanted);
    match args.form() {
        CarrierForm::Json => json::write_line(&mut io.stdout, &report)?,
        CarrierForm::Markdown => io.stdout.write_all(markdown::carriers(&report).as_bytes())?,
    }
    Ok(Exit::Done)
}
