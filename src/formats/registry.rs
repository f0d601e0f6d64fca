//! The supported formats: one row each.

use super::adapter::Format;
use super::codex;

/// Every supported format.
pub static FORMATS: &[&Format] = &[&codex::FORMAT];

/// The format of this id or alias.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.agent.0 == name || format.aliases.contains(&name))
}
