//! `owed check` and `owed plan`: the ledger, the verdict and the dry run at a moment. The verdict is the exit code.

use crate::cli::args::AskArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::{Breadth, CheckReport, PlanReport, Subject, text};

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
    let bench = Bench::load(settings)?;
    let question = Question::of_args(args, settings);
    let snapshot = input::read(&args.input, settings, io)?;
    let lane = input::lane(&snapshot, &args.lane)?;
    let at = input::moment(&snapshot, lane, &args.moment)?;
    input::cut(lane, at, question.cut)?;
    let policy = bench.policy(question.policy.as_deref(), snapshot.facts.agent)?;
    let judgement = bench.judge(lane, at, policy, &question);
    let subject = Subject { snapshot: &snapshot, lane, judgement: &judgement, strictness: question.strictness };
    let breadth = if args.all { Breadth::All } else { Breadth::Live };
    let form = Form::of(args.json, settings);
    match depth {
        Depth::Check => output::print(io, form, &CheckReport::of(&subject, breadth), text::check)?,
        Depth::Plan => output::print(io, form, &PlanReport::of(&subject, breadth), text::plan)?,
    }
    Ok(Exit::Verdict(judgement.verdict))
}
