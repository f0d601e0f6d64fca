//! The shape of `assets/cues.toml`: what may stand in it, and nothing else. The file itself explains the fields.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Act;
use super::deeds::Deeds;
use super::language::Language;
use crate::ledger::entry::EntryKind;

/// The file, or the part of it about one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CuesFile {
    pub(super) common: BTreeMap<Language, String>,
    pub(super) deeds: Deeds,
    any: Tongue,
    en: Tongue,
    zh: Tongue,
    ja: Tongue,
    ko: Tongue,
    ru: Tongue,
    de: Tongue,
    fr: Tongue,
    es: Tongue,
    pt: Tongue,
    other: Tongue,
}

impl CuesFile {
    /// What is said of a language; of none: what holds for all.
    pub(super) fn of(self, language: Option<Language>) -> Tongue {
        match language {
            None => self.any,
            Some(Language::English) => self.en,
            Some(Language::Chinese) => self.zh,
            Some(Language::Japanese) => self.ja,
            Some(Language::Korean) => self.ko,
            Some(Language::Russian) => self.ru,
            Some(Language::German) => self.de,
            Some(Language::French) => self.fr,
            Some(Language::Spanish) => self.es,
            Some(Language::Portuguese) => self.pt,
            Some(Language::Other) => self.other,
        }
    }
}

/// What is said of one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tongue {
    /// Lists of words that patterns name as `<name>`.
    pub(super) words: BTreeMap<String, String>,
    /// Cues by id.
    pub(super) cue: BTreeMap<String, Cue>,
    /// Cues that hold for every language.
    #[serde(skip)]
    pub(super) shared: BTreeMap<String, Cue>,
}

impl Tongue {
    /// Adds what holds for every language. Cues that look at lines are not of a language.
    pub(super) fn share(&mut self, any: Self) {
        self.words.extend(any.words);
        self.shared = any.cue.into_iter().filter(|(_, cue)| cue.place != Place::Line).collect();
    }
}

/// One cue.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Cue {
    pub(super) kind: Option<CueKind>,
    pub(super) who: Who,
    #[serde(rename = "in")]
    pub(super) place: Place,
    pub(super) asks: Asks,
    pub(super) scope: Option<Lasting>,
    pub(super) drop: Drop,
    pub(super) force: Force,
    pub(super) acts: Vec<Act>,
    pub(super) any: Vec<String>,
    pub(super) not: Vec<String>,
    pub(super) only: String,
    pub(super) beside: String,
    pub(super) regex: Vec<String>,
    pub(super) regex_not: Vec<String>,
    pub(super) marks: String,
}

impl Cue {
    /// Whether there is anything that it can be found by.
    pub(super) fn speaks(&self) -> bool {
        !self.any.is_empty() || !self.regex.is_empty()
    }
}

/// What a cue says that a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CueKind {
    Prohibition,
    Requirement,
    Ordering,
    Decision,
    Value,
    Reference,
    Task,
    Question,
    Unclassified,
    Narrative,
}

impl CueKind {
    /// The kind of entry; none: narrative.
    pub(super) fn entry(self) -> Option<EntryKind> {
        Some(match self {
            Self::Prohibition => EntryKind::Prohibition,
            Self::Requirement => EntryKind::Requirement,
            Self::Ordering => EntryKind::Ordering,
            Self::Decision => EntryKind::Decision,
            Self::Value => EntryKind::Value,
            Self::Reference => EntryKind::Reference,
            Self::Task => EntryKind::Task,
            Self::Question => EntryKind::Question,
            Self::Unclassified => EntryKind::Unclassified,
            Self::Narrative => return None,
        })
    }
}

/// Whose words a cue is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Who {
    #[default]
    All,
    Human,
    Assistant,
    /// The assistant, in the last message of a turn.
    Last,
}

/// Where a cue is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Place {
    /// In every sentence and item, made plain.
    #[default]
    Sentence,
    /// In the head of a list, made plain; its items are of that kind.
    Head,
    /// In a line as it stands.
    Line,
}

/// What a cue is worth in a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Asks {
    /// Nothing.
    #[default]
    Never,
    /// It shows that the question is a request: other cues count too.
    Request,
    /// It counts, and others still do not.
    Suggestion,
    /// As [`Asks::Suggestion`], and it counts nowhere else.
    Only,
}

/// How long what a cue finds holds, if not once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Lasting {
    /// Until it is lifted.
    Standing,
    /// So does a sentence of the cue's kind, if a short prompt says it; the cue says nothing else.
    Outright,
}

/// How strong the evidence of a narrative is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Drop {
    /// Counts in the lean setting, where no cue says more.
    Lean,
    /// Counts where no cue says more.
    #[default]
    Soft,
    /// Counts whatever else is said.
    Hard,
}

/// How much a cue says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Force {
    /// What the sentence is.
    #[default]
    Strong,
    /// What it may be besides.
    Weak,
    /// Nothing of a kind: only its acts.
    Mute,
}
