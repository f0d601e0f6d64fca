//! JSON lines, as agents really write them: two records on a line, torn ones, broken text, fields of another type than yesterday.
//!
//! [`each_record`] gives an adapter every record of a physical line, [`read`] reads one, and steps over what nobody asks for; the
//! lenient field types let one pass do that without buffering, whatever a field holds.

mod fields;
mod lenient;
mod reader;
mod records;
mod repair;
mod strings;

pub(in crate::formats) use fields::fields;
pub use fields::{Fields, in_place};
pub use lenient::{Content, Element, Flag, List, Maybe, Number, ODD, Pairs, Text};
pub use reader::read;
pub use records::each_record;
pub use strings::text_under;
