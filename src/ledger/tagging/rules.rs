//! The cues of one language, ready to be found.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use regex::bytes::{Regex, RegexBuilder};

use super::Act;
use super::data::{Asks, Cue, CueKind, Drop, Force, Lasting, Place, Tongue, Who};
use super::language::Language;
use super::phrase::Phrases;
use super::tree::{Found, Side, Tree};

/// The cues of one language, by where they are looked for.
#[derive(Debug, Default)]
pub(super) struct Rules {
    sentence: Table,
    head: Table,
    line: Table,
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
    pub(super) force: Force,
    pub(super) acts: Vec<Act>,
    /// The ids of cues one of which must be in the sentence too; none: it counts alone.
    pub(super) beside: Vec<Arc<str>>,
    /// The lists one of which every word of the sentence must stand in; none: any word will do.
    only: u32,
    /// Its regular expressions.
    regex: Option<Expressions>,
}

/// A pattern that cannot be read, or a cue that says nothing.
#[derive(Debug)]
pub(super) struct Mistake {
    /// The cue's id.
    pub(super) cue: String,
    /// The pattern as it is written, if it is at fault.
    pub(super) pattern: Option<String>,
    pub(super) message: String,
}

impl Rules {
    /// What is said of a language. What cannot be read is left out: [`mistakes`] tells of it.
    pub(super) fn new(language: Option<Language>, tongue: &Tongue) -> Self {
        let table = |place| Table::new(language, place, tongue);
        Self { sentence: table(Place::Sentence), head: table(Place::Head), line: table(Place::Line) }
    }

    /// The cues that a plain sentence holds.
    pub(super) fn find_sentence(&self, plain: &str) -> Vec<&Rule> {
        self.sentence.find(plain)
    }

    /// Whether the language says which of its words are orders that hold on.
    pub(super) fn tell_orders(&self) -> bool {
        let is_of = |rule: &Rule| rule.scope == Some(Lasting::Outright) && rule.kind == CueKind::Prohibition;
        self.sentence.rules.iter().any(is_of)
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

/// What is wrong in what is said of a language, cue by cue.
pub(super) fn mistakes(language: Option<Language>, tongue: &Tongue) -> Vec<Mistake> {
    let nobody = |message: String| vec![Mistake { cue: "*".to_owned(), pattern: None, message }];
    let mut phrases = match Phrases::new(&tongue.words) {
        Ok(phrases) => phrases,
        Err(message) => return nobody(message),
    };
    let form = Form::of(language);
    let mut found = Vec::new();
    for (id, cue) in &tongue.cue {
        let unread = cue.any.iter().chain(&cue.not).filter_map(|one| Some((one, phrases.read(one, 0, Side::For).err()?)));
        let mut wrong: Vec<_> = unread.map(|(one, message)| (Some(one.clone()), message)).collect();
        let expressions = cue.regex.iter().chain(&cue.regex_not).filter_map(|one| Some((one, form.compile(one).err()?)));
        wrong.extend(expressions.map(|(one, error)| (Some(one.clone()), said(&error))));
        if cue.kind.is_none() {
            wrong.push((None, "says no `kind`".to_owned()));
        }
        if phrases.lists(&cue.only).is_none() {
            wrong.push((None, "`only` names no list of words".to_owned()));
        }
        found.extend(wrong.into_iter().map(|(pattern, message)| Mistake { cue: id.clone(), pattern, message }));
    }
    found
}

/// Lists of words by name.
type Words = BTreeMap<String, String>;

/// The cues that are looked for in one place.
#[derive(Debug, Default)]
struct Table {
    rules: Vec<Rule>,
    tree: Tree,
    /// The lists of words that only open a sentence.
    openers: u32,
    /// The rules that have regular expressions.
    by_regex: Vec<usize>,
}

impl Table {
    fn new(language: Option<Language>, place: Place, tongue: &Tongue) -> Self {
        let own = tongue.cue.iter().map(|(id, cue)| (language, id, cue));
        let shared = tongue.shared.iter().map(|(id, cue)| (None, id, cue));
        let cues: Vec<_> = own.chain(shared).filter(|(_, _, cue)| cue.place == place && cue.speaks()).collect();
        if cues.is_empty() {
            return Self::default();
        }
        let names = |cue: &Cue| !cue.only.is_empty() || cue.any.iter().chain(&cue.not).any(|pattern| pattern.contains('<'));
        let lists = if cues.iter().any(|(_, _, cue)| names(cue)) { &tongue.words } else { &Words::new() };
        let mut phrases = Phrases::new(lists).unwrap_or_default();
        let mut rules = Vec::with_capacity(cues.len());
        for (language, id, cue) in cues {
            let (Some(kind), Some(only)) = (cue.kind, phrases.lists(&cue.only)) else { continue };
            let (any, not) = (cue.any.iter().map(|one| (one, Side::For)), cue.not.iter().map(|one| (one, Side::Against)));
            for (pattern, side) in any.chain(not) {
                // A mistake in a file of the user's is told when it is loaded.
                phrases.read(pattern, rules.len(), side).ok();
            }
            rules.push(Rule::new(language, id, (kind, only), cue));
        }
        let by_regex = rules.iter().enumerate().filter(|(_, rule)| rule.regex.is_some()).map(|(n, _)| n).collect();
        let openers = ["opener", "thanks"].iter().filter_map(|name| phrases.lists(name)).fold(0, |all, list| all | list);
        Self { rules, tree: phrases.tree, openers, by_regex }
    }

    fn find(&self, text: &str) -> Vec<&Rule> {
        let mut owners = if self.tree.is_empty() { Vec::new() } else { self.by_phrase(text) };
        let text = text.trim_matches(' ').as_bytes();
        owners.extend(self.by_regex.iter().filter(|n| self.rules.get(**n).is_some_and(|rule| rule.matches(text))));
        owners.sort_unstable();
        owners.dedup();
        owners.into_iter().filter_map(|n| self.rules.get(n)).collect()
    }

    fn by_phrase(&self, text: &str) -> Vec<usize> {
        let found = self.tree.find(text, self.openers);
        let mut owners = found.owners();
        owners.retain(|n| self.rules.get(*n).is_some_and(|rule| rule.holds(*n, &found)));
        owners
    }
}

impl Rule {
    fn new(language: Option<Language>, id: &str, (kind, only): (CueKind, u32), cue: &Cue) -> Self {
        let form = Form::of(language);
        let regex = (!cue.regex.is_empty()).then(|| Expressions::new(cue, form));
        Self {
            id: name(language, id),
            kind,
            who: cue.who,
            asks: cue.asks,
            scope: cue.scope,
            drop: cue.drop,
            force: cue.force,
            acts: cue.acts.clone(),
            beside: cue.beside.split_whitespace().map(|id| name(language, id)).collect(),
            only,
            regex,
        }
    }

    /// Whether what was found of its phrases makes it true.
    fn holds(&self, owner: usize, found: &Found) -> bool {
        let stands = if self.kind == CueKind::Narrative { !found.is_denied(owner) } else { found.holds(owner) };
        stands && (self.only == 0 || found.only(self.only))
    }

    fn matches(&self, text: &[u8]) -> bool {
        self.regex.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

/// Regular expressions, compiled when they are first needed. The engine is the crate `regex`: whatever an expression and a text are,
/// time is linear in the text.
#[derive(Debug)]
struct Expressions {
    any: String,
    not: Option<String>,
    /// Bytes one of which a text must hold, so that most texts need no more than a look; none: any text will do.
    marks: Option<Box<[bool; 256]>>,
    form: Form,
    compiled: OnceLock<Option<(Regex, Option<Regex>)>>,
}

impl Expressions {
    fn new(cue: &Cue, form: Form) -> Self {
        let joined = |list: &[String]| list.iter().map(|one| format!("(?:{one})")).collect::<Vec<_>>().join("|");
        let not = (!cue.regex_not.is_empty()).then(|| joined(&cue.regex_not));
        let byte_set = || Box::new(std::array::from_fn(|byte| cue.marks.bytes().any(|mark| usize::from(mark) == byte)));
        let marks = (!cue.marks.is_empty()).then(byte_set);
        Self { any: joined(&cue.regex), not, marks, form, compiled: OnceLock::new() }
    }

    /// Whether one of them is found when what the exceptions say is blanked out.
    fn is_match(&self, text: &[u8]) -> bool {
        let is_marked = |marks: &[bool; 256]| text.iter().any(|byte| marks.get(usize::from(*byte)).is_some_and(|mark| *mark));
        if self.marks.as_deref().is_some_and(|marks| !is_marked(marks)) {
            return false;
        }
        let compile = || {
            let not = self.not.as_ref().and_then(|not| self.form.compile(not).ok());
            Some((self.form.compile(&self.any).ok()?, not))
        };
        let Some((any, not)) = self.compiled.get_or_init(compile) else { return false };
        any.is_match(text)
            && match not.as_ref().filter(|not| not.is_match(text)) {
                Some(not) => any.is_match(&not.replace_all(text, &b" ~ "[..])),
                None => true,
            }
    }
}

/// How expressions are compiled.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// Whether `.` and classes are of characters, not of bytes: where words are parted by spaces bytes do, and cost less.
    unicode: bool,
}

/// The most memory that one compiled expression may take, in bytes.
const SIZE: usize = 16 << 20;

impl Form {
    fn of(language: Option<Language>) -> Self {
        Self { unicode: !language.is_none_or(Language::parts_words) }
    }

    fn compile(self, pattern: &str) -> Result<Regex, regex::Error> {
        RegexBuilder::new(pattern).unicode(self.unicode).size_limit(SIZE).dfa_size_limit(SIZE).build()
    }
}

/// What an error says. The parser draws the expression and points at the place; its last line says what is wrong.
fn said(error: &regex::Error) -> String {
    error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

fn name(language: Option<Language>, id: &str) -> Arc<str> {
    match language {
        None | Some(Language::English) => Arc::from(id),
        Some(language) => Arc::from(format!("{}.{id}", language.name())),
    }
}
