//! Whether a call does what words speak of, as far as a call can show it.

use crate::evidence::Gist;
use crate::ledger::effects::{Wording, Wordings};
use crate::ledger::rows::CallRow;

/// What a text asks for, forbids or says was done.
pub(super) struct Speaks<'d> {
    deeds: Vec<&'d Wording>,
    /// Exact values that it names, in small letters.
    names: Vec<String>,
    /// What else it is about.
    about: Gist,
}

impl<'d> Speaks<'d> {
    /// What a text speaks of; `names` are the exact values of the whole that it is a part of.
    pub(super) fn of(text: &str, names: &[String], deeds: &'d Wordings) -> Self {
        let text = text.to_lowercase();
        let mut named = deeds.named_in(&text);
        let is_deed = |word: &&str| named.iter().any(|deed| deed.is_called(word));
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !is_deed(word));
        let about = Gist::of(&words.collect::<Vec<_>>().join(" "));
        if named.iter().any(|deed| !deed.vague) {
            named.retain(|deed| !deed.vague);
        }
        let own = names.iter().map(|name| name.to_lowercase()).filter(|name| text.contains(name.as_str()));
        let names = own.chain(deeds.places_in(&text).map(str::to_owned)).collect();
        Self { deeds: named, names, about }
    }

    /// Whether a call can show at all that it does it.
    pub(super) fn is_visible(&self) -> bool {
        self.deeds.iter().any(|deed| !deed.vague) || !self.names.is_empty()
    }

    /// Whether a call does it.
    pub(super) fn is_done_by(&self, call: &CallRow) -> bool {
        let shown = format!("{} {} {}", call.tool, call.label, call.input).to_lowercase();
        let doing: Vec<&&Wording> = self.deeds.iter().filter(|deed| deed.is_shown_by(call, &shown)).collect();
        if self.deeds.is_empty() {
            return call.class.has_effect() && self.names.iter().any(|name| shown.contains(name.as_str()));
        }
        if doing.is_empty() {
            return false;
        }
        let names_nothing = call.target.is_none();
        let named = self.names.iter().any(|name| is_named(name, &shown, call));
        let about = self.about.shared(&Gist::of(&shown)) > 0;
        let is_bare = doing.iter().any(|deed| deed.bare);
        match (is_bare, self.names.is_empty()) {
            (true, true) => true,
            (true, false) => named || names_nothing || about,
            (false, false) => named,
            (false, true) => about || self.about.is_empty(),
        }
    }
}

/// Whether a call names a value, or the file of a path.
fn is_named(name: &str, shown: &str, call: &CallRow) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    shown.contains(name) || call.target.as_deref().is_some_and(|target| target.to_lowercase().ends_with(&format!("/{base}")))
}
