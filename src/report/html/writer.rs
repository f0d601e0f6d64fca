//! Where a page is written to: tags as they are, texts redacted, cleaned and escaped.

use std::io::{self, Write};

use crate::base::text::is_unsafe;
use crate::report::redact::Redactor;

/// Writes a page.
pub(super) struct Writer<'w> {
    out: &'w mut dyn Write,
    redactor: &'w Redactor,
}

impl<'w> Writer<'w> {
    pub(super) fn new(out: &'w mut dyn Write, redactor: &'w Redactor) -> Self {
        Self { out, redactor }
    }

    /// Tags: nothing of a transcript's.
    pub(super) fn tag(&mut self, tags: &str) -> io::Result<()> {
        self.out.write_all(tags.as_bytes())
    }

    /// A text: it can do nothing on the page.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        let text = self.redactor.redact(text);
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let instead = match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                '\n' | '\t' => continue,
                c if is_unsafe(c) => "\u{FFFD}",
                _ => continue,
            };
            self.out.write_all(text.get(from..at).unwrap_or_default().as_bytes())?;
            self.out.write_all(instead.as_bytes())?;
            from = at + c.len_utf8();
        }
        self.out.write_all(text.get(from..).unwrap_or_default().as_bytes())
    }

    /// A text between two tags.
    pub(super) fn within(&mut self, before: &str, text: &str, behind: &str) -> io::Result<()> {
        self.tag(before)?;
        self.text(text)?;
        self.tag(behind)
    }
}
