//! A cheap guess at the language of a sentence: by its script, and in Latin letters by its commonest words.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::plain::Plain;

/// The languages that have cues of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub(super) enum Language {
    /// English.
    #[serde(rename = "en")]
    English,
    /// Chinese.
    #[serde(rename = "zh")]
    Chinese,
    /// Japanese.
    #[serde(rename = "ja")]
    Japanese,
    /// Korean.
    #[serde(rename = "ko")]
    Korean,
    /// Russian, and what else is written in Cyrillic letters.
    #[serde(rename = "ru")]
    Russian,
    /// German.
    #[serde(rename = "de")]
    German,
    /// French.
    #[serde(rename = "fr")]
    French,
    /// Spanish.
    #[serde(rename = "es")]
    Spanish,
    /// Portuguese.
    #[serde(rename = "pt")]
    Portuguese,
    /// Any other.
    #[serde(rename = "other")]
    Other,
}

impl Language {
    /// All of them.
    pub(super) const ALL: [Self; 10] = [
        Self::English,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
        Self::Russian,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Portuguese,
        Self::Other,
    ];

    /// The name of its table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Korean => "ko",
            Self::Russian => "ru",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Portuguese => "pt",
            Self::Other => "other",
        }
    }

    /// Whether it parts its words by spaces, so that a pattern is of whole words.
    pub(super) fn parts_words(self) -> bool {
        !matches!(self, Self::Chinese | Self::Japanese | Self::Korean)
    }
}

/// Which languages written in Latin letters each common word belongs to, as bits.
#[derive(Debug, Default)]
pub(super) struct CommonWords(FxHashMap<String, u16>);

impl CommonWords {
    /// From lists of words parted by spaces.
    pub(super) fn new(lists: impl IntoIterator<Item = (Language, String)>) -> Self {
        let mut words = FxHashMap::<String, u16>::default();
        for (language, list) in lists {
            for word in list.split_whitespace() {
                *words.entry(word.to_owned()).or_default() |= bit(language);
            }
        }
        Self(words)
    }

    /// The languages that a sentence may be in, the likeliest; none where nothing tells it.
    pub(super) fn guess(&self, plain: &Plain) -> Vec<Language> {
        let scripts = plain.scripts;
        let cjk = scripts.han + scripts.kana + scripts.hangul;
        match () {
            () if cjk * 3 > scripts.latin && scripts.hangul >= scripts.han + scripts.kana => vec![Language::Korean],
            () if cjk * 3 > scripts.latin && scripts.kana > 0 => vec![Language::Japanese],
            () if cjk * 3 > scripts.latin => vec![Language::Chinese],
            () if scripts.cyrillic * 2 > scripts.latin => vec![Language::Russian],
            () if scripts.other * 2 > scripts.latin => vec![Language::Other],
            () => self.latin(plain),
        }
    }

    fn latin(&self, plain: &Plain) -> Vec<Language> {
        let mut counts = [0_u16; Language::ALL.len()];
        let (mut words, mut known, mut foreign) = (0_u16, 0_u16, 0_u16);
        for word in
            plain.text.split_ascii_whitespace().filter(|word| word.bytes().next().is_some_and(|b| b.is_ascii_lowercase())).take(64)
        {
            words += 1;
            let Some(languages) = self.0.get(word) else { continue };
            known += 1;
            foreign |= if languages & bit(Language::English) == 0 { *languages } else { 0 };
            for (count, language) in counts.iter_mut().zip(Language::ALL) {
                *count += WORD * u16::from(languages & bit(language) != 0);
            }
        }
        if known == 0 {
            return if words > 3 { vec![Language::Other] } else { Vec::new() };
        }
        // Letters decide where words do not.
        for (count, language) in counts.iter_mut().zip(Language::ALL) {
            *count += plain.letters_of(language).min(WORD - 1);
        }
        let best = counts.iter().copied().max().unwrap_or(0);
        let mut likeliest: Vec<Language> =
            Language::ALL.into_iter().zip(counts).filter(|(_, count)| *count == best).map(|(language, _)| language).collect();
        // Words of the trade are English in every language: where several words of another say as much, it is that one.
        if likeliest.len() > 1 && likeliest.first() == Some(&Language::English) {
            likeliest.retain(|language| foreign & bit(*language) != 0);
        }
        if likeliest.is_empty() { vec![Language::English] } else { likeliest }
    }
}

/// What a common word weighs against letters that a language alone has.
const WORD: u16 = 4;

fn bit(language: Language) -> u16 {
    1 << (language as u16)
}
