//! What this adapter says of a few lines.

use super::FORMAT;
use crate::formats::adapter::Opening;
use crate::formats::testing::{self, Told};

pub(super) fn told(lines: &[&str]) -> Told {
    testing::told(&FORMAT, lines)
}

pub(super) fn told_in(opening: Opening, lines: &[&str]) -> Told {
    testing::told_in(&FORMAT, opening, lines)
}

pub(super) fn events(lines: &[&str]) -> Vec<String> {
    testing::events(&FORMAT, lines)
}
