//! An event as a document: prose, code, JSON and diffs as lines of styled pieces, wrapped to a width.
//!
//! A document is made by the worker and never by a frame. It holds roles and not styles, so it is a function of the event and the
//! width alone; its text is cleaned here, and again where it is drawn.

mod ansi;
mod beside;
mod blobs;
mod call;
mod code;
mod diff;
mod json;
mod layout;
mod payload;
mod plain;
mod prose;
mod regions;
mod text;

pub(crate) use self::beside::NARROWEST;
pub(crate) use self::blobs::attached;
pub(crate) use self::code::Painter;
pub(crate) use self::layout::{Block, Line, lay_out};
pub(crate) use self::payload::{call_and_result, other, raw};
pub(crate) use self::plain::{command, plain};
pub(crate) use self::regions::{Tag, tags};
pub(crate) use self::text::shown;

/// Text that nobody wants to scroll through is left out, and its size told, in bytes.
const LONGEST: usize = 1 << 20;

/// A line without its roles.
pub(crate) fn text_of(line: &Line) -> String {
    line.iter().map(|piece| &*piece.text).collect()
}

/// What the worker answers with: lines that fit their width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) lines: Vec<Line>,
    /// Its regions, those that are seen in it, by place.
    pub(crate) tags: Vec<Tag>,
}

impl Document {
    /// The lines in which words stand, in any case.
    pub(crate) fn places<'d>(&'d self, words: &'d str) -> impl Iterator<Item = usize> + 'd {
        let holds = move |line: &Line| text_of(line).to_lowercase().contains(words);
        self.lines.iter().enumerate().filter(move |(_, line)| holds(line)).map(|(n, _)| n)
    }

    /// The same with its regions named, by number.
    pub(crate) fn tagged(self, tags: Vec<Tag>) -> Self {
        let mut first = vec![None; tags.len()];
        for (n, line) in self.lines.iter().enumerate() {
            for mark in line.iter().filter_map(|piece| piece.mark) {
                if let Some(first) = first.get_mut(usize::from(mark.region)) {
                    first.get_or_insert(n);
                }
            }
        }
        let seen = tags.into_iter().zip(first).filter_map(|(tag, line)| Some(Tag { line: line?, ..tag }));
        Self { tags: seen.collect(), ..self }
    }
}
