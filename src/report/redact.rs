//! Takes secrets and names out of texts that leave this machine: `assets/redact.toml`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;

use crate::base::data::{DataError, DataFile, parse_over};

const BUILT_IN: DataFile<'static> = DataFile { name: "redact.toml (built in)", text: include_str!("../../assets/redact.toml") };

/// What is taken out. The same text is replaced by the same words wherever it stands, so that a reader can follow it.
#[derive(Debug, Default)]
pub struct Redactor {
    patterns: Vec<Pattern>,
    /// What was taken out of texts so far, with the number that it got.
    known: RefCell<BTreeMap<String, usize>>,
}

#[derive(Debug)]
struct Pattern {
    name: String,
    regex: Regex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    pattern: BTreeMap<String, String>,
}

impl Redactor {
    /// One that takes nothing out.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The built-in patterns with the user's laid over them, by name.
    ///
    /// # Errors
    /// A mistake in the overlay: its shape, or a pattern that is none.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let file: File = parse_over(BUILT_IN, overlay)?;
        let told = overlay.unwrap_or(BUILT_IN);
        let patterns = file.pattern.into_iter().filter(|(_, pattern)| !pattern.is_empty()).map(|(name, pattern)| {
            let regex = Regex::new(&pattern).map_err(|error| DataError {
                file: told.name.to_owned(),
                line: told.text.lines().position(|line| line.trim_start().starts_with(&name)).map(|n| n + 1),
                field: Some(format!("pattern.{name}")),
                message: error.to_string(),
            })?;
            Ok(Pattern { name, regex })
        });
        Ok(Self { patterns: patterns.collect::<Result<_, DataError>>()?, known: RefCell::default() })
    }

    /// The text without what must not be seen. Where two patterns match the same place, the one that begins first counts, of these the
    /// longer one.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found: Vec<Match<'_>> = self.patterns.iter().flat_map(|pattern| pattern.matches(text)).collect();
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        found.sort_by_key(|found| (found.whole.start, std::cmp::Reverse(found.whole.end)));
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for Match { name, whole, part } in found {
            if whole.start < from {
                continue;
            }
            let taken = text.get(part.clone()).unwrap_or_default();
            out.push_str(text.get(from..part.start).unwrap_or_default());
            out.push_str(&format!("[{name} {}]", self.number(taken)));
            out.push_str(text.get(part.end..whole.end).unwrap_or_default());
            from = whole.end;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }

    fn number(&self, taken: &str) -> usize {
        let mut known = self.known.borrow_mut();
        let next = known.len() + 1;
        *known.entry(taken.to_owned()).or_insert(next)
    }
}

/// A place where a pattern matches, and the part of it that is taken out.
struct Match<'p> {
    name: &'p str,
    whole: Range<usize>,
    part: Range<usize>,
}

impl Pattern {
    fn matches<'p>(&'p self, text: &str) -> Vec<Match<'p>> {
        let all = self.regex.captures_iter(text).filter_map(|found| {
            let whole = found.get(0)?.range();
            Some(Match { name: &self.name, part: found.name("it").map_or(whole.clone(), |part| part.range()), whole })
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_names_are_taken_out_and_nothing_else() {
        let redactor = Redactor::load(None).unwrap();
        for (text, expected) in [
            ("export OPENAI_API_KEY=sk-abcdefghijklmnop1234", "export OPENAI_API_KEY=[secret 1]"),
            ("curl -H 'Authorization: Bearer abc.def-ghi_jkl'", "curl -H 'Authorization: Bearer [bearer 2]'"),
            ("postgres://app:hunter22@db.example/orders", "postgres://app:[url-password 3]@db.example/orders"),
            ("mail jane@example.com and jane@example.com", "mail [email 4] and [email 4]"),
            ("cd /home/jane/src && ls", "cd /home/[user 5]/src && ls"),
            ("{\"password\": \"correct horse\"}", "{\"password\": \"[secret 6] horse\"}"),
            ("the token count is 12000 tokens", "the token count is 12000 tokens"),
            ("max_tokens: 4096", "max_tokens: 4096"),
            ("listening on 127.0.0.1:8080", "listening on [address 7]:8080"),
        ] {
            assert_eq!(redactor.redact(text), expected);
        }
        assert_eq!(Redactor::none().redact("jane@example.com"), "jane@example.com");
    }

    #[test]
    fn a_user_adds_names_and_is_told_of_mistakes() {
        let load = |text| Redactor::load(Some(DataFile { name: "redact.toml", text }));
        let redactor = load("[pattern]\nnames = '(?i)\\bacme\\b'\nemail = ''\n").unwrap();
        assert_eq!(redactor.redact("Acme: a@b.example"), "[names 1]: a@b.example");
        let error = load("[pattern]\nnames = '('\n").unwrap_err().to_string();
        assert!(error.starts_with("redact.toml:2: pattern.names: "), "{error}");
    }
}
