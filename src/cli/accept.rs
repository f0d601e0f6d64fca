//! `owed audit --summary`: whether a summary, with its carriers, would be a safe stand-in for the context.

use std::io::Read as _;
use std::path::Path;

use crate::audit::{Proposal, accept};
use crate::cli::answer::Answer;
use crate::cli::args::AuditArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::ledger::record::read_carriers;
use crate::report::{AcceptReport, text};
use crate::session::LaneTexts;
use crate::source::file::{bytes_of, is_pipe};

/// Asks whether the summary may stand in for the lane's context, and says so.
pub(super) fn run(args: &AuditArgs, summary: &Path, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let files = [Some(args.input.path.as_path()), Some(summary), args.proposal.carriers.as_deref()];
    if files.into_iter().flatten().filter(|path| input::is_standard_input(path)).count() > 1 {
        return Err(Failure::usage("only one of the session, the summary and the carriers can be standard input"));
    }
    let summary = read(summary, io)?;
    let carried = args.proposal.carriers.as_deref().map(|path| read(path, io)).transpose()?;
    let carried = carried.as_deref().map(read_carriers).unwrap_or_default();
    let options = input::options(&args.input.how, settings)?;
    let feed = input::feed(&args.input.path, &options, io)?;
    let answer = Answer::of((*feed.latest()).clone(), &args.proposal.about(), settings)?;
    let subject = answer.subject();
    let texts = LaneTexts { lane: subject.lane, bodies: &feed.bodies() };
    let proposal = Proposal { summary: &summary, carriers: &carried.held, strictness: subject.strictness };
    let acceptance = accept(subject.lane, &texts, &options.rules, subject.judgement, &proposal);
    let report = AcceptReport::of(subject.scene(), subject.judgement.at, &acceptance, &carried.misread);
    output::print(io, Form::of(args.json, settings), &report, text::accept)?;
    Ok(if report.accepted { Exit::Done } else { Exit::Rejected })
}

/// The text of a file; what in it is no UTF-8 holds nothing.
fn read(path: &Path, io: &mut Io) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if input::is_standard_input(path) {
        io.stdin.read_to_end(&mut bytes).map(|_| ())
    } else {
        // A shell may hand over the output of a command as a pipe; a device may have no end.
        if is_pipe(path) { std::fs::read(path) } else { bytes_of(path) }.map(|read| bytes = read)
    };
    read.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
