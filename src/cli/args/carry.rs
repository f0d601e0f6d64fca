//! `owed carry`, whose `--format` names the form of the carriers and, beside it, the format of the transcript.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::cli::args::{AboutArgs, AlsoArgs, InputArgs, ReadArgs};

/// `owed carry`.
#[derive(Debug, Args)]
pub(in crate::cli) struct CarryArgs {
    /// The session's main file; `-` is standard input
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    path: PathBuf,
    #[command(flatten)]
    also: AlsoArgs,
    #[command(flatten)]
    pub(in crate::cli) about: AboutArgs,
    /// Only what the policy would sever now
    #[arg(long, help_heading = "Report")]
    pub(in crate::cli) severed: bool,
    /// `markdown` for a model, `json` for a program; or, beside it, the transcript's format (`owed formats`) [default: markdown]
    #[arg(long, value_name = "NAME", help_heading = "Report")]
    format: Vec<CarryFormat>,
}

/// How carriers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) enum CarrierForm {
    /// For a model.
    #[default]
    Markdown,
    /// For a program.
    Json,
}

/// What `carry --format` may name.
#[derive(Clone, Debug)]
enum CarryFormat {
    Of(CarrierForm),
    Transcript(String),
}

impl From<&str> for CarryFormat {
    fn from(name: &str) -> Self {
        match name {
            "markdown" => Self::Of(CarrierForm::Markdown),
            "json" => Self::Of(CarrierForm::Json),
            name => Self::Transcript(name.to_owned()),
        }
    }
}

impl CarryArgs {
    /// Which transcript.
    pub(in crate::cli) fn input(&self) -> InputArgs {
        let format = self.format.iter().rev().find_map(|format| match format {
            CarryFormat::Of(_) => None,
            CarryFormat::Transcript(name) => Some(name.clone()),
        });
        InputArgs { path: self.path.clone(), how: ReadArgs { format, also: self.also.clone() } }
    }

    /// How the carriers are written.
    pub(in crate::cli) fn form(&self) -> CarrierForm {
        let form = self.format.iter().rev().find_map(|format| match format {
            CarryFormat::Of(form) => Some(*form),
            CarryFormat::Transcript(_) => None,
        });
        form.unwrap_or_default()
    }
}
