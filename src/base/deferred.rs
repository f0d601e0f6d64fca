//! A value that is made when somebody first asks for it.

use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// A value that is there, or that `make` makes at its first use: what only a few commands need costs the others nothing.
pub struct Deferred<T> {
    value: OnceLock<T>,
    make: fn() -> T,
}

impl<T> Deferred<T> {
    /// Made at its first use. `make` must give the same each time.
    #[must_use]
    pub fn new(make: fn() -> T) -> Self {
        Self { value: OnceLock::new(), make }
    }

    /// Whether it is there: before that, whoever asks first makes it, and whoever else does waits.
    pub fn is_made(&self) -> bool {
        self.value.get().is_some()
    }
}

impl<T: Default> From<T> for Deferred<T> {
    /// Already made.
    fn from(value: T) -> Self {
        Self { value: OnceLock::from(value), make: T::default }
    }
}

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(self.make)
    }
}

impl<T: fmt::Debug> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_when_it_is_asked_for() {
        let later: Deferred<Vec<u8>> = Deferred::new(|| vec![1, 2]);
        assert!(!later.is_made());
        assert_eq!(later.len(), 2);
        assert!(later.is_made());
        assert_eq!(Deferred::from(vec![3]).first(), Some(&3));
    }
}
