//! `owed completions SHELL`.

use std::io::Write as _;

use clap::CommandFactory;

use crate::cli::args::{Cli, CompletionsArgs};
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;

/// Prints a completion script.
pub(super) fn run(args: &CompletionsArgs, io: &mut Io) -> Result<Exit, Failure> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "owed", &mut script);
    io.stdout.write_all(&script)?;
    Ok(Exit::Done)
}
