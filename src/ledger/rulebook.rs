//! What the fold goes by: the catalogues that a user may lay their own over.

use std::sync::Arc;

use crate::base::data::{DataError, DataFile};
use crate::evidence::Phrasebook;
use crate::ledger::effects::{Catalogue, Things, Wordings};
use crate::ledger::tagging::{Cues, Setting};

/// The rules of the fold, as data.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What tools and programs do (`assets/effects.toml`).
    pub effects: Arc<Catalogue>,
    /// What they leave open, and what closes it (`assets/transactions.toml`).
    pub things: Arc<Things>,
    /// What people call what a command does (`assets/wordings.toml`).
    pub wordings: Arc<Wordings>,
    /// What words say (`assets/cues.toml`).
    pub cues: Arc<Cues>,
    /// What counts as the same (`assets/evidence.toml`).
    pub phrasebook: Arc<Phrasebook>,
    /// How much of human text is kept where no cue says what it is.
    pub human: Setting,
}

/// A user's own files over the built-in ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlays<'a> {
    /// `effects.toml`.
    pub effects: Option<DataFile<'a>>,
    /// `transactions.toml`.
    pub things: Option<DataFile<'a>>,
    /// `wordings.toml`.
    pub wordings: Option<DataFile<'a>>,
    /// `cues.toml`.
    pub cues: Option<DataFile<'a>>,
    /// `evidence.toml`.
    pub phrasebook: Option<DataFile<'a>>,
}

impl Rulebook {
    /// The built-in rules with the user's laid over them.
    ///
    /// # Errors
    /// A mistake in one of the files.
    pub fn load(overlays: Overlays<'_>) -> Result<Self, DataError> {
        let things = Arc::new(Things::load(overlays.things)?);
        let effects = Arc::new(Catalogue::with_things(overlays.effects, Arc::clone(&things))?);
        let (wordings, cues) = (Arc::new(Wordings::load(overlays.wordings)?), Arc::new(Cues::load(overlays.cues)?));
        let phrasebook = Arc::new(Phrasebook::load(overlays.phrasebook)?);
        Ok(Self { effects, things, wordings, cues, phrasebook, human: Setting::default() })
    }
}
