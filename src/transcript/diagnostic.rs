//! What was odd in the input. Never an error: reading goes on.

use std::fmt;

/// One oddity, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is.
    pub kind: DiagnosticKind,
    /// 1-based line of the file.
    pub line: u32,
}

/// The kinds of oddity that a reader or an adapter can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticKind {
    /// A line, or the rest of one, is no JSON.
    Garbage,
    /// Two or more records stand on one line.
    Glued,
    /// The record was only readable after invalid characters were replaced.
    Repaired,
    /// The record is JSON, but no object.
    NotAnObject,
    /// The file ends in the middle of a record: its writer was stopped, or is not done.
    Torn,
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Garbage => "garbage",
            Self::Glued => "glued-records",
            Self::Repaired => "repaired-text",
            Self::NotAnObject => "not-an-object",
            Self::Torn => "torn-record",
        })
    }
}
