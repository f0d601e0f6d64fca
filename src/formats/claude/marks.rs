//! The marks that the runtime sets around its own text in user records: `<name>...</name>`.

/// What a marked span holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// The runtime's text.
    Injected,
    /// The name of a slash command.
    Command,
    /// What a human typed behind a slash command.
    Arguments,
    /// A human's words for the rules file (`# always use tabs`).
    Memory,
    /// News of a background job.
    Notice,
}

/// Every mark.
const MARKS: &[(&str, Holds)] = &[
    ("system-reminder", Holds::Injected),
    ("command-name", Holds::Command),
    ("command-message", Holds::Injected),
    ("command-args", Holds::Arguments),
    ("command-contents", Holds::Injected),
    ("local-command-caveat", Holds::Injected),
    ("local-command-stdout", Holds::Injected),
    ("local-command-stderr", Holds::Injected),
    ("bash-input", Holds::Injected),
    ("bash-stdout", Holds::Injected),
    ("bash-stderr", Holds::Injected),
    ("user-memory-input", Holds::Memory),
    ("task-notification", Holds::Notice),
    ("agent-notification", Holds::Notice),
    ("ide_opened_file", Holds::Injected),
    ("ide_selection", Holds::Injected),
    ("ide_diagnostics", Holds::Injected),
    ("new-diagnostics", Holds::Injected),
    ("user-prompt-submit-hook", Holds::Injected),
    ("session-start-hook", Holds::Injected),
    ("teammate-message", Holds::Injected),
    ("cross-session-message", Holds::Injected),
    ("channel", Holds::Injected),
    ("scheduled-task", Holds::Injected),
    ("tick", Holds::Injected),
];

/// A mark at one place of a text.
pub(super) struct Mark {
    /// Its row in the table.
    pub(super) row: usize,
    /// What it holds.
    pub(super) holds: Holds,
    name: &'static str,
    start: usize,
}

// The rows of marks without an end are kept as bits.
const _: () = assert!(MARKS.len() <= 64);

impl Mark {
    /// The mark of the runtime's that begins at `start`.
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.get(start + 1..)?;
        MARKS.iter().enumerate().find_map(|(row, &(name, holds))| {
            let after = rest.strip_prefix(name)?;
            after.starts_with(['>', ' ', '\n']).then_some(Self { row, holds, name, start })
        })
    }

    /// What stands inside, and where the span ends; none where it is never closed.
    pub(super) fn span<'t>(&self, text: &'t str) -> Option<(&'t str, usize)> {
        let rest = text.get(self.start..)?;
        let inside = rest.find('>')? + 1;
        let close = format!("</{}>", self.name);
        let length = rest.get(inside..)?.find(&close)?;
        Some((rest.get(inside..inside + length)?, self.start + inside + length + close.len()))
    }
}
