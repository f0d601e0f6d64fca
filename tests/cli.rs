//! The command line as scripts and people meet it: OUTPUT's keys and exit codes, help, and input that is not nice.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "cli/accept.rs"]
mod accept;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/carry.rs"]
mod carry;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/contract.rs"]
mod contract;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/harness.rs"]
mod harness;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/hook.rs"]
mod hook;
#[path = "cli/input.rs"]
mod input;
#[path = "cli/known.rs"]
mod known;
#[path = "cli/readme.rs"]
mod readme;
#[path = "cli/real.rs"]
mod real;
#[path = "cli/scan.rs"]
mod scan;
#[path = "cli/screen.rs"]
mod screen;
#[path = "cli/settings.rs"]
mod settings;
#[path = "cli/side.rs"]
mod side;
#[path = "cli/tag.rs"]
mod tag;
#[path = "cli/transcript.rs"]
mod transcript;
