//! The `owed` program.

use std::process::ExitCode;

use owed::cli::{self, io::Io};

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os(), Io::of_process()))
}
