//! `owed audit`: what compactions lost, or whether a summary would be accepted now.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::args::{AboutArgs, InputArgs, MAIN, MomentArgs};
use crate::cli::count::{TokenCount, number};

/// `owed audit`.
#[derive(Debug, Args)]
pub(in crate::cli) struct AuditArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    #[command(flatten)]
    pub(in crate::cli) proposal: ProposalArgs,
    /// Print an incident report as Markdown: what was lost, the chain to what it cost, and the records
    #[arg(long, conflicts_with_all = ["json", "summary"], help_heading = "Report")]
    pub(in crate::cli) markdown: bool,
    /// Print JSON, and JSON alone
    #[arg(long, help_heading = "Report")]
    pub(in crate::cli) json: bool,
}

/// What would stand in for the context now, instead of the compactions that happened.
#[derive(Debug, Args)]
pub(in crate::cli) struct ProposalArgs {
    /// Would this summary be a safe stand-in for the context? `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Acceptance")]
    pub(in crate::cli) summary: Option<PathBuf>,
    /// The carriers that come with it, as `owed carry` prints them; `-` is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "summary", help_heading = "Acceptance")]
    pub(in crate::cli) carriers: Option<PathBuf>,
    /// The lane whose context it is: `main`, or a sub-agent's id (its beginning will do) [default: main]
    #[arg(long, value_name = "LANE", requires = "summary", help_heading = "Acceptance")]
    lane: Option<String>,
    /// The context after this event of the lane, from 0 [default: the last]
    #[arg(long, value_name = "N", value_parser = number, requires = "summary", conflicts_with = "line", help_heading = "Acceptance")]
    event: Option<u32>,
    /// The context after the last event at or before this line of the lane's file, from 1
    #[arg(long, value_name = "N", value_parser = number, requires = "summary", help_heading = "Acceptance")]
    line: Option<u32>,
    /// The compaction policy whose budget it must fit [default: the one of the session's agent]
    #[arg(long, value_name = "NAME", requires = "summary", help_heading = "Acceptance")]
    policy: Option<String>,
    /// The size that the context must get under, in tokens [default: what the policy leaves]
    #[arg(long, value_name = "TOKENS", requires = "summary", help_heading = "Acceptance")]
    budget: Option<TokenCount>,
}

impl ProposalArgs {
    /// The lane, the moment and the budget.
    pub(in crate::cli) fn about(&self) -> AboutArgs {
        AboutArgs {
            lane: self.lane.clone().unwrap_or_else(|| MAIN.to_owned()),
            moment: MomentArgs { event: self.event, line: self.line },
            policy: self.policy.clone(),
            budget: self.budget,
            ..AboutArgs::plain()
        }
    }
}
