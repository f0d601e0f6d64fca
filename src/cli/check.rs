//! `owed check` and `owed plan`: the ledger, the verdict and the dry run at a moment. The verdict is the exit code.

use crate::cli::answer::Answer;
use crate::cli::args::AskArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::{Breadth, CheckReport, PlanReport, text};

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// The ledger and the verdict.
    Check,
    /// The dry run too.
    Plan,
}

/// Judges the lane asked for, and says so.
pub(super) fn run(args: &AskArgs, depth: Depth, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let answer = Answer::to(&args.input, &args.about, settings, io)?;
    let subject = answer.subject();
    let breadth = if args.all { Breadth::All } else { Breadth::Live };
    let form = Form::of(args.json, settings);
    match depth {
        Depth::Check => output::print(io, form, &CheckReport::of(&subject, breadth), text::check)?,
        Depth::Plan => output::print(io, form, &PlanReport::of(&subject, breadth), text::plan)?,
    }
    Ok(Exit::Verdict(answer.judgement.verdict))
}
