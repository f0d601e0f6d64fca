//! The texts that were read for the last two boundaries: what is told at one of them is often told at the next, and each summary is
//! looked at twice, as what stands and as a source of the next one.

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::evidence::{Phrasebook, Sheet};

/// The texts, by what they say.
#[derive(Default)]
pub(super) struct Sheets {
    now: FxHashMap<Hash64, Sheet>,
    before: FxHashMap<Hash64, Sheet>,
}

impl Sheets {
    /// Goes on to the next boundary.
    pub(super) fn turn(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    /// A text, prepared.
    pub(super) fn read(&mut self, text: &str, phrasebook: &Phrasebook) -> Sheet {
        let key = Hash64::of(text.as_bytes());
        let known = self.before.remove(&key).filter(|sheet| sheet.text() == text);
        let sheet = self.now.entry(key).or_insert_with(|| known.unwrap_or_else(|| Sheet::new(text, phrasebook)));
        if sheet.text() == text { sheet.clone() } else { Sheet::new(text, phrasebook) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_as_long_as_it_is_told() {
        let phrasebook = Phrasebook::load(None).unwrap();
        let mut sheets = Sheets::default();
        for (told, known) in [(&["a b. c", "d"] as &[&str], 0), (&["d"], 1), (&["a b. c"], 0), (&["a b. c", "e"], 1)] {
            sheets.turn();
            let is_known = |text: &&&str| sheets.before.contains_key(&Hash64::of(text.as_bytes()));
            assert_eq!(told.iter().filter(is_known).count(), known, "{told:?}");
            for text in told {
                assert_eq!(sheets.read(text, &phrasebook).text(), *text);
            }
        }
    }
}
