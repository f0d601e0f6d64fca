//! Floor 9: the command line. Arguments, configuration, injected input and output, and one file a subcommand.
//!
//! **Invariants:** parsing never does anything; only [`io`] touches the standard streams, the environment and the clock; JSON stands
//! alone on standard output, messages go to standard error; a person is told what happened and what to do next, never a debug print.

mod accept;
mod answer;
mod args;
mod audit;
mod carry;
mod check;
mod color;
mod completions;
mod config;
mod count;
mod demo;
mod effects;
mod events;
mod export;
mod failure;
mod folder;
mod formats;
mod hook;
mod input;
mod install;
pub mod io;
mod judge;
mod man;
mod open;
mod output;
mod outside;
mod policies;
mod replay;
mod scan;
mod scout;
mod screen;
mod sessions;
mod settings;
mod speed;
mod tag;

use std::ffi::OsString;
use std::io::Write as _;

use clap::Parser as _;

use self::args::{Cli, Command};
use self::check::Depth;
use self::color::{Circumstances, ColorChoice};
use self::failure::{Exit, Failure, Fault};
use self::io::Io;
use self::settings::Settings;
use crate::compaction::Strictness;
use crate::report::Style;

/// Runs the program on its command line, the program's own name first. Returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>, mut io: Io) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_hook = arguments.get(1).is_some_and(|name| name == "hook");
    let exit = match Cli::try_parse_from(arguments) {
        Ok(cli) => dispatch(cli, &mut io),
        // A hook that is called wrongly must not end with the code that stops its agent.
        Err(error) if is_hook && error.use_stderr() => explain(&error, &mut io).map(|_| Exit::Failed(Fault::Unexpected)),
        Err(error) => explain(&error, &mut io),
    };
    let exit = exit.and_then(|exit| io.stdout.flush().map(|()| exit).map_err(Failure::from));
    match exit {
        Ok(exit) => exit.code(),
        Err(failure) => {
            // When not even the error stream takes it, the exit code is all that is left to say.
            writeln!(io.stderr, "{failure}").ok();
            Exit::Failed(failure.fault).code()
        }
    }
}

fn dispatch(cli: Cli, io: &mut Io) -> Result<Exit, Failure> {
    // What helps to get the settings right does without them.
    let settings = |io: &Io| Settings::load(cli.color, io);
    match cli.command {
        None => {
            let settings = settings(io)?.with(counted(cli.open.strict));
            open::run(cli.open, &settings, io)
        }
        Some(Command::Demo) => demo::run(demo::GREETING, &settings(io)?, io),
        Some(Command::Replay(args)) => replay::run(&args, &settings(io)?.with(counted(args.strict)), io),
        Some(Command::Sessions(args)) => sessions::run(&args, &settings(io)?, io),
        Some(Command::Check(args)) => check::run(&args, Depth::Check, &settings(io)?, io),
        Some(Command::Plan(args)) => check::run(&args, Depth::Plan, &settings(io)?, io),
        Some(Command::Carry(args)) => carry::run(&args, &settings(io)?, io),
        Some(Command::Audit(args)) => audit::run(&args, &settings(io)?, io),
        Some(Command::Scan(args)) => scan::run(&args, &settings(io)?, io),
        Some(Command::Export(args)) => export::run(&args, &settings(io)?, io),
        Some(Command::Events(args)) => events::run(&args, &settings(io)?, io),
        Some(Command::Formats(args)) => formats::run(&args, &settings(io)?, io),
        Some(Command::Policies(args)) => policies::run(&args, &settings(io)?, io),
        Some(Command::Effects(args)) => effects::run(&args, &settings(io)?, io),
        Some(Command::Tag(args)) => tag::run(&args, &settings(io)?, io),
        Some(Command::Hook(args)) => hook::run(&args, settings, io),
        Some(Command::Config(args)) if args.default => config::print_default(io),
        Some(Command::Config(_)) => config::run(&settings(io)?, io),
        Some(Command::Completions(args)) => completions::run(&args, io),
        Some(Command::Man) => man::run(io),
    }
}

/// What `--strict` asks for.
fn counted(strict: bool) -> Strictness {
    if strict { Strictness::Strict } else { Strictness::Normal }
}

/// Prints what the argument parser has to say: help on standard output, mistakes on standard error.
fn explain(error: &clap::Error, io: &mut Io) -> Result<Exit, Failure> {
    let (help, terminal) = if error.use_stderr() { (false, io.terminal.stderr) } else { (true, io.terminal.stdout) };
    let text = error.render();
    let text = match ColorChoice::Auto.style(&Circumstances::of(io, terminal)) {
        Style::Coloured => text.ansi().to_string(),
        Style::Plain => text.to_string(),
    };
    if help {
        write!(io.stdout, "{text}")?;
        return Ok(Exit::Done);
    }
    write!(io.stderr, "{text}").ok();
    Ok(Exit::Failed(Fault::Usage))
}
