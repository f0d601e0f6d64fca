//! `owed scan`, and what it is to show of what it finds.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use jiff::civil::Date;

use crate::audit::FindingClass;
use crate::cli::args::ReadArgs;
use crate::cli::count::ordinal;

/// `owed scan`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ScanArgs {
    /// Sessions, folders of them, or patterns; `-` reads a list of these, one a line
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    pub(in crate::cli) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) how: ReadArgs,
    #[command(flatten)]
    pub(in crate::cli) sieve: SieveArgs,
    /// Sessions that are read at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = ordinal)]
    pub(in crate::cli) threads: Option<NonZeroU32>,
    /// Print JSON, one object a line in the order of the input, as soon as it is known
    #[arg(long, help_heading = "Report", conflicts_with = "open")]
    pub(in crate::cli) json: bool,
    /// Show them as a list on the screen, worst first, to open one after the other
    #[arg(long, help_heading = "Report")]
    pub(in crate::cli) open: bool,
}

impl ScanArgs {
    /// The sessions of a folder as a list on the screen.
    pub(in crate::cli) fn listing(folder: PathBuf, how: ReadArgs) -> Self {
        Self { paths: vec![folder], how, sieve: SieveArgs::default(), threads: None, json: false, open: true }
    }
}

/// Which sessions a scan shows: those that all of these let through.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(in crate::cli) struct SieveArgs {
    /// Only sessions with a finding of this class; may be given more than once
    #[arg(long, value_name = "CLASS", value_parser = PossibleValuesParser::new(FindingClass::ALL.map(FindingClass::word)), hide_possible_values = true)]
    pub(in crate::cli) class: Vec<String>,
    /// Only sessions of this agent (`owed formats`); may be given more than once
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) agent: Vec<String>,
    /// Only sessions whose working directory, or file, has this in its path
    #[arg(long, value_name = "TEXT")]
    pub(in crate::cli) project: Option<String>,
    /// Only sessions that went on on this day or later: `2026-05-04`, UTC
    #[arg(long, value_name = "DATE")]
    pub(in crate::cli) since: Option<Date>,
    /// Only sessions that had begun on this day or earlier
    #[arg(long, value_name = "DATE")]
    pub(in crate::cli) until: Option<Date>,
}
