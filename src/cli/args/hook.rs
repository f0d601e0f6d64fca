//! `owed hook`: whose hook is answered, and its installation.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

/// `owed hook`.
#[derive(Debug, Args)]
pub(in crate::cli) struct HookArgs {
    #[command(subcommand)]
    pub(in crate::cli) command: Protocol,
}

/// Whose hook.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Protocol {
    /// Answer a hook of Claude Code (PreCompact, SessionStart), whose JSON stands on standard input
    ClaudeCode,
    /// Answer any runtime: one JSON object on standard input, one on standard output
    #[command(after_long_help = GENERIC)]
    Generic,
    /// Print the settings that install the hooks of Claude Code, or write them into its settings file
    Install(InstallArgs),
}

const GENERIC: &str = "Before a compaction: {\"event\":\"before\",\"session\":ID,\"transcript\":PATH}, and if they are known `trigger` \
                       (manual, auto), `lane` (the sub-agent whose context it is), `format` and `policy`. The answer (owed.gate/1) has \
                       `decision` (pass, warn, block, forced), `verdict`, `reason`, `carriers` (a file) and `briefing` (for the \
                       summariser, as it stands). After one: {\"event\":\"after\",\"session\":ID}, and `lane`; the answer has `inject`, \
                       which goes into the context as it stands. Exit status: 0 go on; 11, 12, 13 do not compact now (defer, refuse, \
                       escalate; only where settings ask for it); 1 a failure of owed's own: go on.";

/// `owed hook install`.
#[derive(Debug, Args)]
pub(in crate::cli) struct InstallArgs {
    /// Write them, beside whatever is there; the file as it was is kept
    #[arg(long, conflicts_with = "remove")]
    pub(in crate::cli) write: bool,
    /// Take them out again
    #[arg(long)]
    pub(in crate::cli) remove: bool,
    /// The settings file [default: settings.json in Claude Code's folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) settings: Option<PathBuf>,
}
