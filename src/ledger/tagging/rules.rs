//! The cues of one language, compiled. The engine is the crate `regex`: whatever a pattern and a text are, time is linear in the text.

use std::sync::Arc;

use regex::bytes::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};

use super::data::{ActWord, Asks, Cue, CueKind, Drop, Lasting, Place, Tongue, Who};
use super::language::Language;

/// The cues of one language.
#[derive(Debug, Default)]
pub(super) struct Rules {
    sentence: Matcher,
    head: Matcher,
    line: Matcher,
}

/// A cue, ready to be found.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its id in the file; with its language where that is not English.
    pub(super) id: Arc<str>,
    pub(super) kind: CueKind,
    pub(super) who: Who,
    pub(super) asks: Asks,
    pub(super) scope: Option<Lasting>,
    pub(super) drop: Drop,
    pub(super) acts: Vec<ActWord>,
    /// What is blanked out before it is looked for, and it alone.
    unless: Option<(Regex, Regex)>,
}

/// A pattern that does not compile, or a cue that says nothing.
#[derive(Debug)]
pub(super) struct Mistake {
    /// The cue's id.
    pub(super) cue: String,
    /// The pattern as it is written, if it is at fault.
    pub(super) pattern: Option<String>,
    pub(super) message: String,
}

impl Rules {
    /// Compiles what is said of a language.
    ///
    /// # Errors
    /// The first cue that cannot be used.
    pub(super) fn new(language: Option<Language>, tongue: Tongue) -> Result<Self, Mistake> {
        let parts_words = language.is_none_or(Language::parts_words);
        let mut rules = Self::default();
        for place in [Place::Sentence, Place::Head, Place::Line] {
            let cues = tongue.cue.iter().filter(|(_, cue)| cue.place == place && !cue.any.is_empty());
            let form = Form { words: &tongue.words, whole: place != Place::Line && parts_words, unicode: !parts_words };
            let matcher = Matcher::new(language, cues, &form)?;
            match place {
                Place::Sentence => rules.sentence = matcher,
                Place::Head => rules.head = matcher,
                Place::Line => rules.line = matcher,
            }
        }
        Ok(rules)
    }

    /// The cues that a plain sentence holds, in the file's order of ids.
    pub(super) fn find_sentence(&self, plain: &str) -> Vec<&Rule> {
        self.sentence.find(plain)
    }

    /// The cues that the head of a list holds.
    pub(super) fn find_head(&self, plain: &str) -> Vec<&Rule> {
        self.head.find(plain)
    }

    /// The cues that a line holds as it stands.
    pub(super) fn find_line(&self, line: &str) -> Vec<&Rule> {
        self.line.find(line)
    }
}

/// All patterns that are looked for in one place, in one pass.
#[derive(Debug)]
struct Matcher {
    set: RegexSet,
    rules: Vec<Rule>,
}

impl Default for Matcher {
    fn default() -> Self {
        Self { set: RegexSet::empty(), rules: Vec::new() }
    }
}

impl Matcher {
    fn new<'c>(
        language: Option<Language>,
        cues: impl Iterator<Item = (&'c String, &'c Cue)>,
        form: &Form<'_>,
    ) -> Result<Self, Mistake> {
        let cues: Vec<_> = cues.collect();
        let mut rules = Vec::with_capacity(cues.len());
        for (id, cue) in &cues {
            let mistake =
                |pattern: Option<&String>, message: String| Mistake { cue: (*id).clone(), pattern: pattern.cloned(), message };
            let kind = cue.kind.ok_or_else(|| mistake(None, "says no `kind`".to_owned()))?;
            let compile = |list: &[String]| compile(&form.all(list), form).map_err(|_| form.mistake(id, list));
            let unless = if cue.not.is_empty() { None } else { Some((compile(&cue.not)?, compile(&cue.any)?)) };
            rules.push(Rule {
                id: name(language, id),
                kind,
                who: cue.who,
                asks: cue.asks,
                scope: cue.scope,
                drop: cue.drop,
                acts: cue.acts.clone(),
                unless,
            });
        }
        let patterns = cues.iter().map(|(_, cue)| form.all(&cue.any));
        let set = RegexSetBuilder::new(patterns).unicode(form.unicode).size_limit(SIZE).dfa_size_limit(SIZE).build();
        let wrong = || cues.iter().find(|(_, cue)| compile(&form.all(&cue.any), form).is_err());
        let set = set.map_err(|error| match wrong() {
            Some((id, cue)) => form.mistake(id, &cue.any),
            None => Mistake { cue: "*".to_owned(), pattern: None, message: said(&error) },
        })?;
        Ok(Self { set, rules })
    }

    fn find(&self, text: &str) -> Vec<&Rule> {
        let found = self.set.matches(text.as_bytes());
        self.rules.iter().enumerate().filter(move |(n, rule)| found.matched(*n) && rule.holds(text)).map(|(_, rule)| rule).collect()
    }
}

impl Rule {
    /// Whether it is still found when what its exceptions say is blanked out.
    fn holds(&self, text: &str) -> bool {
        let Some((not, any)) = &self.unless else { return true };
        if !not.is_match(text.as_bytes()) {
            return true;
        }
        any.is_match(&not.replace_all(text.as_bytes(), &b" ~ "[..]))
    }
}

/// The most memory that the patterns of one language may take, in bytes.
const SIZE: usize = 64 << 20;

fn compile(pattern: &str, form: &Form<'_>) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(form.unicode).size_limit(SIZE).dfa_size_limit(SIZE).build()
}

fn said(error: &regex::Error) -> String {
    let text = error.to_string();
    // The parser draws the pattern and points at the place; its last line says what is wrong.
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn name(language: Option<Language>, id: &str) -> Arc<str> {
    match language {
        None | Some(Language::English) => Arc::from(id),
        Some(language) => Arc::from(format!("{}.{id}", language.name())),
    }
}

/// How the patterns of a file become those of the engine.
struct Form<'w> {
    words: &'w std::collections::BTreeMap<String, String>,
    /// Whether a pattern is of whole words.
    whole: bool,
    /// Whether `.` and classes are of characters, not of bytes. Where words are parted by spaces bytes do, and cost less.
    unicode: bool,
}

impl Form<'_> {
    fn all(&self, patterns: &[String]) -> String {
        let joined = patterns.iter().map(|pattern| format!("(?:{})", self.named(pattern))).collect::<Vec<_>>().join("|");
        if self.whole { format!("(?:^| )(?:{joined})(?: |$)") } else { joined }
    }

    /// Which pattern of a list is wrong, and why.
    fn mistake(&self, cue: &str, list: &[String]) -> Mistake {
        let wrong = list.iter().find_map(|pattern| Some((pattern, compile(&self.all(std::slice::from_ref(pattern)), self).err()?)));
        let message = wrong.as_ref().map_or_else(|| "its patterns are too large".to_owned(), |(_, error)| said(error));
        Mistake { cue: cue.to_owned(), pattern: wrong.map(|(pattern, _)| pattern.clone()), message }
    }

    /// Puts the words of a list in place of its `<name>`.
    fn named(&self, pattern: &str) -> String {
        self.words.iter().fold(pattern.to_owned(), |pattern, (name, words)| {
            let mark = format!("<{name}>");
            if !pattern.contains(&mark) {
                return pattern;
            }
            let words: Vec<String> = words.split_whitespace().map(regex::escape).collect();
            pattern.replace(&mark, &format!("(?:{})", words.join("|")))
        })
    }
}
