//! What tests of single rules share.

use crate::evidence::{Phrasebook, Words};

/// Whether something holds of the words of a text.
pub(super) fn holds(text: &str, is: fn(&Words, &Phrasebook) -> bool) -> bool {
    let phrasebook = Phrasebook::load(None).unwrap();
    is(&Words::of(text, &phrasebook), &phrasebook)
}
