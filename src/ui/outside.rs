//! What lies outside of the screen: the clipboard, programs that borrow the terminal, somebody to call, and what is remembered.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What the screen may ask of the world around it.
pub trait Outside: Send + Sync {
    /// Puts a text into the system's clipboard, beside what the terminal is told.
    fn copy(&self, text: &str);

    /// Runs a program on the terminal, and waits for its end.
    ///
    /// # Errors
    /// In words for the reader: there is none, or it cannot be run.
    fn visit(&self, visit: &Visit) -> Result<(), String>;

    /// Calls the reader as they have asked for; what is to be written to the terminal for it.
    fn alert(&self, told: &str) -> String;

    /// Remembers how the panes lie.
    fn remember(&self, arrangement: Arrangement);
}

/// A program that borrows the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visit {
    /// The reader's pager, on a text.
    Pager(String),
    /// The reader's editor, on a line of a file.
    Editor {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u32,
    },
}

/// How the panes lie, where their reader has said so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Arrangement {
    /// The share of the time line beside the tabs, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<u16>,
    /// The rows of the pending calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<u16>,
    /// Whether the pending calls are shown.
    pub calls: Shown,
    /// Whether the tabs are shown beside the time line.
    pub tabs: Shown,
    /// How a change is shown where there is room for two columns.
    pub changes: Columns,
}

/// Whether a pane is shown where there is room for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// It is.
    #[default]
    Shown,
    /// Only while it has the keys.
    Hidden,
}

/// In how many columns a change is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Columns {
    /// What it was beside what it is.
    #[default]
    Two,
    /// Line by line.
    One,
}

impl Columns {
    /// The other number.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Two => Self::One,
            Self::One => Self::Two,
        }
    }
}

impl Shown {
    /// The other one.
    #[must_use]
    pub fn turned(self) -> Self {
        match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        }
    }
}

/// Nothing outside: for pictures and tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Outside for Nowhere {
    fn copy(&self, _: &str) {}

    fn visit(&self, _: &Visit) -> Result<(), String> {
        Err("there is nothing outside of this screen".to_owned())
    }

    fn alert(&self, _: &str) -> String {
        String::new()
    }

    fn remember(&self, _: Arrangement) {}
}
