//! What the fold goes by: the catalogues that a user may lay their own over.

use std::sync::Arc;

use crate::base::data::{DataError, DataFile};
use crate::ledger::effects::Catalogue;
use crate::ledger::tagging::Cues;

/// The rules of the fold, as data.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What tools and programs do (`assets/effects.toml`).
    pub effects: Arc<Catalogue>,
    /// What words say (`assets/cues.toml`).
    pub cues: Arc<Cues>,
}

/// A user's own files over the built-in ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlays<'a> {
    /// `effects.toml`.
    pub effects: Option<DataFile<'a>>,
    /// `cues.toml`.
    pub cues: Option<DataFile<'a>>,
}

impl Rulebook {
    /// The built-in rules with the user's laid over them.
    ///
    /// # Errors
    /// A mistake in one of the files.
    pub fn load(overlays: Overlays<'_>) -> Result<Self, DataError> {
        Ok(Self { effects: Arc::new(Catalogue::load(overlays.effects)?), cues: Arc::new(Cues::load(overlays.cues)?) })
    }
}
