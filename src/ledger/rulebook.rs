//! What the fold goes by: the catalogues that a user may lay their own over.

use std::sync::Arc;

use crate::base::data::{DataError, DataFile};
use crate::base::deferred::Deferred;
use crate::evidence::Phrasebook;
use crate::ledger::effects::{Catalogue, Things, Wordings};
use crate::ledger::tagging::{Cues, Setting};

/// The rules of the fold, as data.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// What tools and programs do (`assets/effects.toml`), what they leave open, and what closes it (`assets/transactions.toml`).
    pub effects: Arc<Deferred<Arc<Catalogue>>>,
    /// What people call what a command does (`assets/wordings.toml`).
    pub wordings: Arc<Deferred<Wordings>>,
    /// What words say (`assets/cues.toml`).
    pub cues: Arc<Cues>,
    /// What counts as the same (`assets/evidence.toml`).
    pub phrasebook: Arc<Deferred<Phrasebook>>,
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
        // What is built in is read by whoever first needs it, who may be one of two threads that read and fold; a user's overlay is read
        // at once all the same, so that its mistakes are told.
        let effects = match (overlays.effects, overlays.things) {
            (None, None) => Deferred::new(|| Arc::new(Catalogue::load(None).unwrap_or_default())),
            (effects, things) => Arc::new(Catalogue::with_things(effects, Arc::new(Things::load(things)?))?).into(),
        };
        let cues = Arc::new(Cues::load(overlays.cues)?);
        // Only an audit needs these.
        let wordings = match overlays.wordings {
            None => Deferred::new(|| Wordings::load(None).unwrap_or_default()),
            overlay => Wordings::load(overlay)?.into(),
        };
        let phrasebook = match overlays.phrasebook {
            None => Deferred::new(|| Phrasebook::load(None).unwrap_or_default()),
            overlay => Phrasebook::load(overlay)?.into(),
        };
        let (effects, wordings, phrasebook) = (Arc::new(effects), Arc::new(wordings), Arc::new(phrasebook));
        Ok(Self { effects, wordings, cues, phrasebook, human: Setting::default() })
    }
}
