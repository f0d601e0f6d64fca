//! Whether a call does what words speak of, as far as a call can show it.

use crate::audit::consequences::shown::Shown;
use crate::evidence::Gist;
use crate::ledger::effects::{Class, Wording, Wordings};
use crate::ledger::rows::CallRow;

/// What a text asks for, forbids or says was done.
pub(super) struct Speaks<'d> {
    deeds: Vec<&'d Wording>,
    /// What it says of the deeds, in small letters.
    text: String,
    /// Exact values and places that it names, in small letters.
    names: Vec<String>,
    /// Whether places are all that it names: "the live server" is hardly called so in a command.
    is_of_places: bool,
    /// What else it is about.
    about: Gist,
    objects: Objects,
}

/// Whether a deed is told by its verb, or only with what it is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objects {
    /// As the wordings say.
    AsWorded,
    /// Another deed differs in nothing else.
    Needed,
}

impl<'d> Speaks<'d> {
    /// What a text speaks of; `names` are the exact values of the whole that it is a part of.
    pub(super) fn of(text: &str, names: &[String], wordings: &'d Wordings) -> Self {
        let text = text.to_lowercase();
        let named = wordings.named_in(&text);
        let about = Gist::of(&without(&text, &named));
        let own = names.iter().map(|name| name.to_lowercase()).filter(|name| text.contains(name.as_str()));
        let own: Vec<String> = own.collect();
        let is_of_places = own.is_empty();
        let names = own.into_iter().chain(wordings.places_in(&text).map(str::to_owned)).collect();
        let clear: Vec<&Wording> = named.iter().copied().filter(|deed| !deed.vague).collect();
        Self { deeds: if clear.is_empty() { named } else { clear }, text, names, is_of_places, about, objects: Objects::AsWorded }
    }

    /// The two ends of an order. "Deploy A before B" names its deed once; what both are about tells neither from the other.
    pub(super) fn ends((first, second): (&str, &str), names: &[String], wordings: &'d Wordings) -> (Self, Self) {
        let (mut first, mut second) = (Self::of(first, names, wordings), Self::of(second, names, wordings));
        let same = |a: &Self, b: &Self| a.deeds.iter().any(|deed| b.deeds.iter().any(|other| std::ptr::eq(*deed, *other)));
        if first.deeds.is_empty() {
            first.deeds.clone_from(&second.deeds);
        } else if second.deeds.is_empty() {
            second.deeds.clone_from(&first.deeds);
        }
        if same(&first, &second) {
            let (own, other) = (first.about.without(&second.about), second.about.without(&first.about));
            (first.about, second.about) = (own, other);
            (first.objects, second.objects) = (Objects::Needed, Objects::Needed);
        }
        (first, second)
    }

    /// Whether a call can show at all that it does it.
    pub(super) fn is_visible(&self) -> bool {
        self.deeds.iter().any(|deed| !deed.vague) || !self.names.is_empty() || (!self.deeds.is_empty() && !self.about.is_empty())
    }

    /// Whether it names a deed that another text names, too; one of vague deeds may speak of anything.
    pub(super) fn may_be_of(&self, other: &Speaks<'_>) -> bool {
        let is_other = |deed: &&Wording| other.deeds.iter().any(|own| std::ptr::eq(*own, *deed));
        other.deeds.iter().all(|deed| deed.vague) || self.deeds.iter().any(is_other)
    }

    /// Whether a call does it.
    pub(super) fn is_done_by(&self, call: &CallRow, shown: &Shown<'_>) -> bool {
        let Some(words) = shown.words(call) else { return false };
        let shown = words.text();
        let named = || self.names.iter().any(|name| is_named(name, shown, call));
        let shared = || self.about.shared(words.about());
        if self.deeds.iter().all(|deed| deed.vague) {
            // "Run the backfill", "never flash station 4": what it is done to tells it.
            let acts = call.class.has_effect() || call.class == Class::Check;
            let is_shown = |deed: &&Wording| words.show(deed) || call.world.as_deref() != Some("file");
            let enough = if self.deeds.is_empty() { 2 } else { 1 };
            return acts
                && (self.deeds.is_empty() || self.deeds.iter().any(is_shown))
                && if self.names.is_empty() { shared() >= enough } else { named() };
        }
        let mut doing = self.deeds.iter().filter(|deed| words.show(deed)).peekable();
        if doing.peek().is_none() {
            return false;
        }
        if self.objects == Objects::Needed {
            return named() || shared() > 0;
        }
        let is_literal = |deed: &&Wording| !deed.broad && deed.is_said_in_both(&self.text, words.intent());
        let is_literal = doing.clone().any(is_literal);
        if doing.any(|deed| deed.bare) {
            return self.names.is_empty() || named() || call.target.is_none() || shared() > 0;
        }
        if !self.names.is_empty() {
            named() || (self.is_of_places && is_literal && shared() > 0)
        } else {
            is_literal || self.about.is_empty() || shared() > 0
        }
    }
}

/// The words of a text that name none of its deeds.
fn without(text: &str, deeds: &[&Wording]) -> String {
    let is_deed = |word: &&str| deeds.iter().any(|deed| deed.is_called(word));
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !is_deed(word)).collect::<Vec<_>>().join(" ")
}

/// Whether a call names a value, the file of a path, or a folder that holds it.
fn is_named(name: &str, shown: &str, call: &CallRow) -> bool {
    if memchr::memmem::find(shown.as_bytes(), name.as_bytes()).is_some() {
        return true;
    }
    let base = name.rsplit('/').next().unwrap_or(name);
    let ends = format!("/{base}");
    let targets =
        || call.target.as_deref().unwrap_or_default().split(' ').filter(|target| !target.is_empty()).map(str::to_lowercase);
    let holds = |target: &String| name.strip_prefix(target.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'));
    targets().any(|target| target.ends_with(&ends) || holds(&target))
}
