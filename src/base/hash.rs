//! One stable hash for records, actions and keys: the same bytes give the same number on every machine and in every release.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

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
        let mut state = Xxh3Default::new();
        for part in parts {
            state.update(&(part.len() as u64).to_le_bytes());
            state.update(part);
        }
        Self(state.digest())
    }

    /// The first 32 bits, as eight hexadecimal digits: enough for a key that a person reads.
    #[must_use]
    pub fn short(self) -> String {
        format!("{:08x}", self.0 >> 32)
    }
}
