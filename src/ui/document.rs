//! An event as a document: prose, code, JSON and diffs as lines of styled pieces, wrapped to a width.
//!
//! A document is made by the worker and never by a frame. It holds roles and not styles, so it is a function of the event and the
//! width alone; its text is cleaned here, and again where it is drawn.

mod call;
mod code;
mod diff;
mod json;
mod layout;
mod payload;
mod prose;
mod text;

pub(crate) use self::code::Painter;
pub(crate) use self::layout::{Block, Line, lay_out};
pub(crate) use self::payload::{call_and_result, other, raw};

/// Text that nobody wants to scroll through is left out, and its size told, in bytes.
const LONGEST: usize = 1 << 20;

/// What the worker answers with: lines that fit their width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) lines: Vec<Line>,
}
