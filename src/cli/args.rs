//! The command line as it is typed. Parsing validates, and never does anything.

mod audit;
mod carry;
mod hook;
mod scan;

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use serde::{Deserialize, Serialize};

pub(super) use self::audit::AuditArgs;
pub(super) use self::carry::{CarrierForm, CarryArgs};
pub(super) use self::hook::{HookArgs, InstallArgs, Protocol};
pub(super) use self::scan::{ScanArgs, SieveArgs};
use crate::cli::color::ColorChoice;
use crate::cli::count::{TokenCount, number, ordinal};
use crate::cli::speed::Speed;
use crate::ledger::tagging::Setting;

/// What was typed.
#[derive(Debug, Parser)]
#[command(
    name = "owed",
    version,
    about = "What an AI agent still owes, and what a compaction of its context would drop",
    long_about = "Opens an AI agent's transcript and answers what the agent still owes right now (calls without a result, side effects \
                  that nobody confirmed, commitments in force), and what a compaction of its context would drop.",
    after_long_help = EXIT_STATUS,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) open: OpenArgs,
    /// When to colour: auto, always or never [default: auto]
    #[arg(long, value_name = "WHEN", global = true, hide_possible_values = true, help_heading = "Everywhere")]
    pub(super) color: Option<ColorChoice>,
}

const EXIT_STATUS: &str = "Exit status of `check` and `plan`, by the verdict: 0 compact, 10 repair, 11 defer, 12 refuse, 13 escalate, \
                           14 around; of `audit`: 0 nothing was lost, 20 findings, 21 the summary is rejected. Everywhere: 0 done, 1 an unexpected failure, 2 wrong usage, 3 the input cannot be read or is \
                           no transcript.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play a bundled session in the inspector, as if it were live
    Demo,
    /// Play a session in the inspector by its own clock
    #[command(after_help = REPLAY)]
    Replay(ReplayArgs),
    /// List the sessions on this machine, live ones first
    Sessions(ListArgs),
    /// The ledger and the verdict at a moment
    #[command(after_help = VERDICTS)]
    Check(AskArgs),
    /// The dry run: what a policy would do span by span, and the plan that respects the barriers
    #[command(after_help = VERDICTS)]
    Plan(AskArgs),
    /// The carriers: what a compaction must not lose, ready to be put back into the context word by word
    Carry(CarryArgs),
    /// What the compactions that happened have lost, and what that cost later
    #[command(after_help = LOSSES)]
    Audit(AuditArgs),
    /// Many sessions at once, a row each, worst first: what is owed, what was lost, what it cost
    #[command(after_help = FINDINGS)]
    Scan(ScanArgs),
    /// One self-contained page of a session: colours, ledger, dry run and findings
    Export(ExportArgs),
    /// The normalised events, one JSON object a line
    #[command(after_long_help = EVENTS)]
    Events(EventsArgs),
    /// The transcript formats that are known, and where their sessions lie
    Formats(ListArgs),
    /// The compaction policies that are known, or what one of them does
    Policies(PoliciesArgs),
    /// The tools that are known, or how one tool or command is classified, and why
    Effects(EffectsArgs),
    /// How the words of a text are read: commitments, by what rule, and exact values
    #[command(after_long_help = TAG)]
    Tag(TagArgs),
    /// The gate: answers an agent's hook before and after a compaction
    Hook(HookArgs),
    /// The settings in force, and where each file was looked for
    Config(ConfigArgs),
    /// A completion script for a shell
    Completions(CompletionsArgs),
    /// The manual page
    Man,
}

const VERDICTS: &str = "Exit status: 0 compact, 10 repair, 11 defer, 12 refuse, 13 escalate, 14 around; 1 an unexpected failure, \
                        2 wrong usage, 3 the input cannot be read or is no transcript.";

const FINDINGS: &str = "Exit status: 0 nothing was lost, 20 there are findings; 1 an unexpected failure, 2 wrong usage, 3 the input \
                        cannot be read or is no transcript.";

const LOSSES: &str = "Exit status: 0 nothing was lost, 20 there are findings; with --summary 0 accepted, 21 rejected; 1 an unexpected \
                      failure, 2 wrong usage, 3 the input cannot be read or is no transcript.";

const EVENTS: &str = "Keys of an object: `schema` (owed.event/1), `event` (its number in the lane, from 0), `line` and `bytes` (its \
                      record in the file: the first byte, and how many; `file` where it is not the session's main one), `lane`, \
                      `at`, `kind`, `span`, `turn`, `label` (one line for display), `tokens` (estimated, before calibration), \
                      `call` (id, tool, class, intent, target), `end` (of a resolution: outcome, exit, effect) and `boundary` \
                      (kind, trigger, tokens before and after). What does not apply is null.";

/// `owed [PATH]`.
#[derive(Debug, Args)]
pub(super) struct OpenArgs {
    /// The session to open and follow, or a folder of them to pick from; `-` is standard input. Without one: a picker over every session
    /// on this machine
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(super) path: Option<PathBuf>,
    /// Another session: the screen shows what only one of both owes
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, requires = "path")]
    pub(super) beside: Option<PathBuf>,
    #[command(flatten)]
    pub(super) how: ReadArgs,
    /// Count what only settled by age as still owed
    #[arg(long)]
    pub(super) strict: bool,
}

/// How a transcript is read.
#[derive(Debug, Default, Args)]
pub(super) struct ReadArgs {
    /// The transcript's format, instead of telling it by its content (`owed formats` lists them)
    #[arg(long, value_name = "NAME")]
    pub(super) format: Option<String>,
    #[command(flatten)]
    pub(super) also: AlsoArgs,
}

/// What is read of a session beside its transcript, and how.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct AlsoArgs {
    /// What the agent's runtime wrote down itself [default: SESSION.owed.jsonl beside the session, or in owed's state folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) side_ledger: Option<PathBuf>,
    /// How much of human text counts: `keep` all but what is known to be no commitment, or `lean` on cues [default: keep]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(super) human: Option<HowMuch>,
}

/// Which transcript.
#[derive(Debug, Args)]
pub(super) struct InputArgs {
    /// The session's main file; `-` is standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(super) path: PathBuf,
    #[command(flatten)]
    pub(super) how: ReadArgs,
}

const REPLAY: &str = "Keys: y plays or pauses, - and + slow down and speed up; , and . step by event, < and > by span, [ and ] by change \
                      of the ledger. Pauses of more than two seconds are cut short, and the screen says so.";

/// `owed replay`.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// How fast: 1 is as it was, 8 eight times as fast
    #[arg(long, value_name = "N", default_value = "1")]
    pub(super) speed: Speed,
    /// The line at which playing begins, from 1; what stands before it is there from the start
    #[arg(long, value_name = "LINE", default_value = "1", value_parser = ordinal)]
    pub(super) from: NonZeroU32,
    /// Count what only settled by age as still owed
    #[arg(long)]
    pub(super) strict: bool,
}

/// The lane that is asked about unless another is named.
const MAIN: &str = "main";

/// `owed check`, `owed plan`.
#[derive(Debug, Args)]
pub(super) struct AskArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) about: AboutArgs,
    /// List closed entries too
    #[arg(long, help_heading = "Report")]
    pub(super) all: bool,
    /// Print JSON, and JSON alone
    #[arg(long, help_heading = "Report")]
    pub(super) json: bool,
}

/// What is asked about a session: a lane, a moment, and whose compaction.
#[derive(Debug, Args)]
pub(super) struct AboutArgs {
    /// The lane to judge: `main`, or a sub-agent's id (its beginning will do)
    #[arg(long, value_name = "LANE", default_value = MAIN)]
    pub(super) lane: String,
    #[command(flatten)]
    pub(super) moment: MomentArgs,
    /// The compaction policy (`owed policies` lists them) [default: the one of the session's agent]
    #[arg(long, value_name = "NAME", help_heading = "Compaction")]
    pub(super) policy: Option<String>,
    /// The model's context window in tokens: 200000, 200k, 1m [default: by the model's name]
    #[arg(long, value_name = "TOKENS", help_heading = "Compaction")]
    pub(super) window: Option<TokenCount>,
    /// The size that the context must get under, in tokens [default: what the policy leaves]
    #[arg(long, value_name = "TOKENS", help_heading = "Compaction")]
    pub(super) budget: Option<TokenCount>,
    /// The first span to keep [default: where the policy cuts]
    #[arg(long, value_name = "SPAN", value_parser = number, help_heading = "Compaction")]
    pub(super) cut: Option<u32>,
    /// Count what only settled by age as still owed
    #[arg(long, help_heading = "Report")]
    pub(super) strict: bool,
}

impl AboutArgs {
    /// The main lane, at its end.
    fn plain() -> Self {
        Self {
            lane: MAIN.to_owned(),
            moment: MomentArgs { event: None, line: None },
            policy: None,
            window: None,
            budget: None,
            cut: None,
            strict: false,
        }
    }
}

impl AskArgs {
    /// The question that nobody asked for more than a path.
    pub(super) fn plain(path: PathBuf, how: ReadArgs) -> Self {
        Self { input: InputArgs { path, how }, about: AboutArgs::plain(), all: false, json: false }
    }
}

/// The moment: the end, unless one of these is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct MomentArgs {
    /// The state after this event of the lane, from 0 [default: the last]
    #[arg(long, value_name = "N", value_parser = number)]
    pub(super) event: Option<u32>,
    /// The state after the last event at or before this line of the lane's file, from 1
    #[arg(long, value_name = "N", value_parser = number)]
    pub(super) line: Option<u32>,
}

/// `owed export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Write the page to this file; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(super) html: PathBuf,
    /// Take secrets and names out (the patterns of `redact.toml`)
    #[arg(long)]
    pub(super) redact: bool,
}

/// `owed events`.
#[derive(Debug, Args)]
pub(super) struct EventsArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Only this lane: `main`, or a sub-agent's id (its beginning will do)
    #[arg(long, value_name = "LANE")]
    pub(super) lane: Option<String>,
}

/// A list.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// Print JSON, and JSON alone
    #[arg(long)]
    pub(super) json: bool,
}

/// `owed policies`.
#[derive(Debug, Args)]
pub(super) struct PoliciesArgs {
    /// A policy, or another name for it
    pub(super) name: Option<String>,
    /// Print JSON, and JSON alone
    #[arg(long)]
    pub(super) json: bool,
}

/// `owed effects`.
#[derive(Debug, Args)]
pub(super) struct EffectsArgs {
    /// A tool, as its agent names it
    #[arg(value_name = "TOOL", conflicts_with = "command")]
    pub(super) tool: Option<String>,
    /// A shell command, after `--`
    #[arg(value_name = "COMMAND", last = true)]
    pub(super) command: Vec<OsString>,
    /// Print JSON, and JSON alone
    #[arg(long)]
    pub(super) json: bool,
}

const TAG: &str = "With --jsonl, a line in is an object with `text`, and if they are known `id`, `role` (user, system, assistant, \
                   thinking, tool), `prev` (the text just before), `head` (the list head that it stands under), `injected` (the \
                   runtime speaks), `eot` (the last text of a turn) and `tool` (the tool whose output it is). A line out is an \
                   object with `id`, `regions` (kind, also, scope, start, end, text, rule, trust, key, acts), which cover the text \
                   without overlap, and `identifiers` (kind, start, end, text). Offsets are bytes.";

/// `owed tag`.
#[derive(Debug, Args)]
pub(super) struct TagArgs {
    /// Who says it; with --jsonl, where a line does not say it
    #[arg(long, value_name = "ROLE", default_value = "user")]
    pub(super) role: Role,
    /// How much of human text is kept: all but what is known to be none of it, or what a cue or its form calls a commitment
    #[arg(long, value_name = "HOW", default_value = "keep")]
    pub(super) setting: HowMuch,
    /// Read one text a line, and print one result a line, as JSON
    #[arg(long)]
    pub(super) jsonl: bool,
}

/// Who says a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    /// A human.
    User,
    /// A rules file, or a system prompt.
    System,
    /// The assistant.
    Assistant,
    /// The assistant, to itself.
    Thinking,
    /// A tool.
    Tool,
}

/// How much of human text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum HowMuch {
    /// All but what is known to be no commitment.
    Keep,
    /// What a cue or its form calls one.
    Lean,
}

impl From<HowMuch> for Setting {
    fn from(how: HowMuch) -> Self {
        match how {
            HowMuch::Keep => Self::Keep,
            HowMuch::Lean => Self::Lean,
        }
    }
}

/// `owed config`.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// Print the built-in file with its comments: a start for your own
    #[arg(long)]
    pub(super) default: bool,
}

/// `owed completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}
