//! Where something lies in a file.

/// A range of bytes in a file: `start` from the file's first byte, `len` in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteRange {
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes; a record of over 4 GiB is cut here, never in the file.
    pub len: u32,
}

impl ByteRange {
    /// A range that starts at `start` and holds `len` bytes.
    #[must_use]
    pub fn new(start: u64, len: usize) -> Self {
        Self { start, len: u32::try_from(len).unwrap_or(u32::MAX) }
    }

    /// Offset of the first byte after the range.
    #[must_use]
    pub fn end(self) -> u64 {
        self.start.saturating_add(u64::from(self.len))
    }
}
