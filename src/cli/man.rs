//! `owed man`: one page with every subcommand, made from the same table as the help.

use std::io::Write as _;

use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::args::Cli;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;

/// What stands behind the options: in roff, since no help text says it.
const TAIL: &str = include_str!("../../assets/man-tail.roff");

/// Prints the page.
pub(super) fn run(io: &mut Io) -> Result<Exit, Failure> {
    let mut root = Cli::command();
    root.build();
    let mut page = Vec::new();
    let man = Man::new(root.clone()).section("1").manual("owed");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    writeln!(page, ".SH COMMANDS")?;
    for command in root.get_subcommands() {
        subcommand(command, &mut page)?;
    }
    page.extend_from_slice(TAIL.as_bytes());
    io.stdout.write_all(&page)?;
    Ok(Exit::Done)
}

/// A subcommand's own sections, as one sub-section of the page; what every command takes is said once above.
fn subcommand(command: &Command, page: &mut Vec<u8>) -> Result<(), Failure> {
    let shared = |arg: &Arg| arg.is_global_set() || arg.get_id() == "help";
    let own = command.get_arguments().any(|arg| !shared(arg));
    let man = Man::new(command.clone().mut_args(|arg| if shared(&arg) { arg.hide(true) } else { arg }));
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    if own {
        man.render_options_section(&mut text)?;
    }
    writeln!(page, ".SS {}", command.get_name())?;
    for line in String::from_utf8_lossy(&text).lines() {
        writeln!(page, "{}", if line.starts_with(".SH") { ".PP" } else { line })?;
    }
    Ok(())
}
