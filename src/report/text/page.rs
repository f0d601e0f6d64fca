//! A report being written, line by line.

use crate::report::style::{Style, Tone};

/// The text so far, and whether it is coloured.
pub(super) struct Page {
    text: String,
    style: Style,
}

impl Page {
    pub(super) fn new(style: Style) -> Self {
        Self { text: String::new(), style }
    }

    /// Adds a line made of parts, each clean already, without blanks at its end.
    pub(super) fn line<'t>(&mut self, parts: impl IntoIterator<Item = (Tone, &'t str)>) {
        for (tone, text) in parts {
            self.text.push_str(&self.style.paint(tone, text));
        }
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    /// Starts a section.
    pub(super) fn heading(&mut self, title: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.line([(Tone::Strong, title)]);
    }

    /// The whole text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}
