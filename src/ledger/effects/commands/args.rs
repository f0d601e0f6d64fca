//! The words behind a key: options, their values, operands, and where another command begins.

use super::super::data::Runs;
use super::super::rule::Rule;
use super::Found;

/// Words on their way to options and operands.
#[derive(Clone)]
pub(super) struct Args<'w> {
    words: &'w [&'w str],
    next: usize,
    pub(super) options: Vec<(&'w str, Option<&'w str>)>,
    pub(super) operands: Vec<&'w str>,
    pub(super) inner: Option<usize>,
}

impl<'w> Args<'w> {
    /// All words behind the program.
    pub(super) fn of(words: &'w [&'w str]) -> Self {
        Self { words, next: 1, options: Vec::new(), operands: Vec::new(), inner: None }
    }

    /// The word that comes next, if it is not handed on.
    pub(super) fn next_operand(&self) -> Option<&'w str> {
        self.words.get(self.next).copied().filter(|_| self.inner.is_none())
    }

    /// Takes the next word, whatever it is.
    pub(super) fn take(&mut self) -> Option<&'w str> {
        let word = self.words.get(self.next).copied();
        self.next += usize::from(word.is_some());
        word
    }

    /// Takes the options that come next, up to an operand, the end of options, or something that is handed on.
    pub(super) fn options(&mut self, rule: &Rule) {
        while let Some(word) = self.next_operand() {
            if rule.runs() == Some(Runs::Words) && rule.at().iter().any(|at| **at == *word) {
                self.inner = Some(self.next + 1);
                return;
            }
            if word == "--" || word.len() < 2 || !word.starts_with(['-', '+']) {
                return;
            }
            self.next += 1;
            self.option(word, rule);
        }
    }

    fn option(&mut self, word: &'w str, rule: &Rule) {
        let takes_value = || rule.values().iter().chain(rule.at());
        if takes_value().any(|own| **own == *word) {
            let value = self.take();
            return self.options.push((word, value));
        }
        if let Some((name, value)) = word.split_once('=') {
            return self.options.push((name, Some(value)));
        }
        // Letters in a row: the first one that takes a value takes the rest of the word, or else the next word.
        let letter = letters(word).and_then(|l| l.char_indices().find(|(_, c)| takes_value().any(|own| single(own) == Some(*c))));
        match letter.map(|(n, c)| word.split_at(1 + n + c.len_utf8())) {
            Some((name, "")) => {
                let value = self.take();
                self.options.push((name, value));
            }
            Some((name, value)) => self.options.push((name, Some(value))),
            None => self.options.push((word, None)),
        }
    }

    /// Takes all that is left; stops where something is handed on.
    pub(super) fn rest(&mut self, rule: &Rule) {
        let hands_on_words = matches!(rule.runs(), Some(Runs::Words | Runs::Text | Runs::Sql)) && rule.at().is_empty();
        let stop = rule.skip().or(hands_on_words.then_some(0));
        loop {
            self.options(rule);
            let Some(word) = self.next_operand() else { return };
            if stop == Some(self.operands.len()) {
                match hands_on_words {
                    true => self.inner = Some(self.next + usize::from(word == "--")),
                    false => self.operands.extend(self.words.get(self.next..).unwrap_or_default()),
                }
                return;
            }
            self.next += 1;
            if word != "--" {
                self.operands.push(word);
                continue;
            }
            self.options.push((word, None));
            if stop.is_none() {
                // Behind `--` everything is an operand.
                self.operands.extend(self.words.get(self.next..).unwrap_or_default());
                return;
            }
        }
    }
}

/// Whether an option is given: by its name, or as one letter of several (`-lc`).
pub(super) fn has(options: &[(&str, Option<&str>)], name: &str) -> bool {
    let among = |given: &str| single(name).zip(letters(given)).is_some_and(|(letter, letters)| letters.contains(letter));
    options.iter().any(|(given, _)| *given == name || among(given))
}

/// The letter of an option that is one.
fn single(name: &str) -> Option<char> {
    let mut chars = name.strip_prefix('-')?.chars();
    chars.next().filter(|c| c.is_ascii_alphanumeric() && chars.next().is_none())
}

/// The letters of an option that may be several.
fn letters(option: &str) -> Option<&str> {
    let letters = option.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
    let end = letters.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(letters.len());
    letters.get(..end)
}

impl<'w> Found<'_, 'w> {
    /// Whether an option is given.
    pub(in super::super) fn has(&self, name: &str) -> bool {
        has(&self.options, name)
    }

    /// The values of an option, in order.
    pub(in super::super) fn values_of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'w str> + 's {
        let ends = |given: &str| single(name).zip(letters(given)).is_some_and(|(letter, letters)| letters.ends_with(letter));
        self.options.iter().filter(move |(given, _)| *given == name || ends(given)).filter_map(|(_, value)| *value)
    }

    /// What stands at the first of some places that is there: `1` the first operand, `last`, `all`, `2..` from the second on, `-f` the
    /// value of that option, `.` this folder.
    pub(in super::super) fn at(&self, places: &[Box<str>]) -> Option<String> {
        places.iter().find_map(|place| self.at_one(place))
    }

    fn at_one(&self, place: &str) -> Option<String> {
        let from = |n: usize| self.operands.get(n..).filter(|some| !some.is_empty()).map(|some| some.join(" "));
        match place {
            "." => Some(".".to_owned()),
            "all" => from(0),
            "last" => self.operands.last().map(|&operand| operand.to_owned()),
            option if option.starts_with('-') => self.values_of(option).next().map(str::to_owned),
            _ => match place.strip_suffix("..") {
                Some(first) => from(first.parse::<usize>().ok()?.checked_sub(1)?),
                None => self.operands.get(place.parse::<usize>().ok()?.checked_sub(1)?).map(|&operand| operand.to_owned()),
            },
        }
    }
}
