//! Newtypes for every number that names something, so that one cannot be passed for another.
//!
//! All of them are dense indexes by order of appearance within one lane (or, for [`LaneIx`], within one session):
//! ids as they stand in a file are untrusted text, may repeat, and are kept beside these, never instead of them.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the element at `index` of its table; saturates at `u32::MAX`.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            /// Its place in the table that it indexes.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

index!(
    /// An event of one lane, in the order of that lane's file. `--event N` names it.
    EventIx, ""
);
index!(
    /// A span of one lane: one human prompt, one step, one injected or system record.
    SpanIx, ""
);
index!(
    /// A turn of one lane: a human prompt and the steps that answer it. Turn 0 is what stands before the first prompt.
    TurnIx, ""
);
index!(
    /// A tool call of one lane.
    CallIx, "c"
);
index!(
    /// An entry of one lane's ledger, shown as `e17`.
    EntryId, "e"
);
index!(
    /// A boundary of one lane.
    BoundaryIx, "boundary "
);
index!(
    /// An exact value of one lane.
    ValueIx, "value "
);
index!(
    /// A lane of a session. Lane 0 is the main agent.
    LaneIx, "lane "
);
index!(
    /// A file of a session: the main file is 0, a sub-agent's own file has a later number.
    FileIx, "file "
);
