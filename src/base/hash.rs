//! One stable hash for records, actions and keys: the same bytes give the same number on every machine and in every release.

use xxhash_rust::xxh3::xxh3_64;

/// A 64-bit content hash (XXH3). Not for security.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash64(pub u64);

impl Hash64 {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_64(bytes))
    }

    /// The hash of several parts, each kept apart from the next.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        // Parts are short, and few: one buffer costs less than a state that is fed by turns.
        let mut all = Vec::with_capacity(256);
        for part in parts {
            all.extend_from_slice(&(part.len() as u64).to_le_bytes());
            all.extend_from_slice(part);
        }
        Self::of(&all)
    }

    /// The first 32 bits, as eight hexadecimal digits: enough for a key that a person reads.
    #[must_use]
    pub fn short(self) -> String {
        format!("{:08x}", self.0 >> 32)
    }
}
