//! When to colour.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::cli::io::Io;
use crate::report::Style;

/// A choice on the command line or in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ColorChoice {
    /// On a terminal that can, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What decides under [`ColorChoice::Auto`].
pub(super) struct Circumstances {
    /// Whether somebody reads it on a terminal.
    pub(super) terminal: bool,
    /// Whether `NO_COLOR` is set and not empty (no-color.org).
    pub(super) no_color: bool,
    /// Whether `TERM` is `dumb`.
    pub(super) dumb: bool,
}

impl Circumstances {
    /// Of a stream that is a terminal or not.
    pub(super) fn of(io: &Io, terminal: bool) -> Self {
        Self { terminal, no_color: io.is_set("NO_COLOR"), dumb: (io.env)("TERM").is_some_and(|term| term == "dumb") }
    }
}

impl ColorChoice {
    /// The style that follows.
    pub(super) fn style(self, circumstances: &Circumstances) -> Style {
        let Circumstances { terminal, no_color, dumb } = *circumstances;
        match self {
            Self::Always => Style::Coloured,
            Self::Auto if terminal && !no_color && !dumb => Style::Coloured,
            Self::Auto | Self::Never => Style::Plain,
        }
    }
}
