//! Where an event stands: its file, its line, its bytes, its lane.

use std::borrow::Cow;

use crate::base::ids::FileIx;
use crate::base::range::ByteRange;

/// One whole record as it stands in its file: one JSON value of a line-based transcript.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The record's own bytes, without the line break.
    pub bytes: &'a [u8],
    /// Where they are.
    pub place: Place,
}

/// The locator of a record, or of the `nth` event in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Place {
    /// The file of the session.
    pub file: FileIx,
    /// 1-based line of the file; in formats that are one document, the 1-based index of the message.
    pub line: u32,
    /// The record's bytes. Two records that share a line have ranges of their own.
    pub bytes: ByteRange,
    /// Which event of the record, from 0; [`Place::ASIDE`] for one that only the records before it explain.
    pub nth: u16,
    /// Low 32 bits of the hash of the record's bytes: what is read again later is checked against it.
    pub hash: u32,
}

impl Place {
    /// The number of an event that does not stand in its record: what a prompt takes back, which only the records before it tell. Who
    /// reads the record alone does not find it there.
    pub const ASIDE: u16 = u16::MAX;
}

/// Which context window an event belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaneKey<'a> {
    /// The main agent.
    Main,
    /// A sub-agent, by the id that its runtime gave it.
    Sub(Cow<'a, str>),
}

impl LaneKey<'_> {
    /// The name that people and reports use: `main`, or the sub-agent's id.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Main => "main",
            Self::Sub(id) => id,
        }
    }

    /// The same key, borrowed.
    #[must_use]
    pub fn borrowed(&self) -> LaneKey<'_> {
        match self {
            Self::Main => LaneKey::Main,
            Self::Sub(id) => LaneKey::Sub(Cow::Borrowed(id)),
        }
    }
}
