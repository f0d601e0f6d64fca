//! The rows of one program as a tree of words.
//!
//! A key is what one types: `git`, `git push`, `gh pr comment`. Its last word may be an option (`git branch -d`: the row counts when
//! that option is given), `*` (`git tag *`: when there is an operand; `* *`: two), `*x` (one ends with x) or `*x*` (one holds x).

use std::collections::BTreeMap;
use std::fmt;

use super::super::class::Known;
use super::super::data::{Row, RowFields};
use super::super::rule::Rule;
use super::args::has;

/// A program or sub-command.
#[derive(Debug)]
pub(super) struct Node {
    /// The key's words.
    pub(super) name: Box<str>,
    pub(super) rule: Rule,
    pub(super) listed: Known,
    pub(super) variants: Vec<(Variant, Rule)>,
    pub(super) below: BTreeMap<Box<str>, Node>,
}

/// What the last word of a key may ask for.
#[derive(Debug)]
pub(super) enum Variant {
    Option(Box<str>),
    Operands(usize),
    Ending(Box<str>),
    Holding(Box<str>),
}

impl Node {
    /// The tree of those rows that are `program`'s. Keys come in order, so a key stands before those that it begins.
    pub(super) fn of(program: &str, rows: BTreeMap<String, Row>) -> Option<Self> {
        let mut top: Option<Self> = None;
        for (key, row) in rows {
            let mut words: Vec<&str> = key.split_whitespace().collect();
            if words.first() == Some(&program) {
                let variant = words.last().filter(|_| words.len() > 1).and_then(|last| Variant::of(last, &words));
                match variant {
                    Some(Variant::Operands(_)) => words.retain(|word| *word != "*"),
                    Some(_) => words.truncate(words.len() - 1),
                    None => {}
                }
                let node = top.get_or_insert_with(|| Self::unlisted(program, None));
                node.insert(words.get(1..).unwrap_or_default(), variant, format!("command.{key:?}"), row.0);
            }
        }
        top
    }

    fn unlisted(name: &str, above: Option<&Rule>) -> Self {
        let place = format!("command.{name:?}");
        let rule = match above {
            Some(above) => above.below(place, RowFields::default()),
            None => Rule::new(place, RowFields::default()),
        };
        Self { name: name.into(), rule, listed: Known::Inferred, variants: Vec::new(), below: BTreeMap::new() }
    }

    fn insert(&mut self, words: &[&str], variant: Option<Variant>, place: String, row: RowFields) {
        if let Some((word, words)) = words.split_first() {
            let Self { name, rule, below, .. } = self;
            let node = below.entry((*word).into()).or_insert_with(|| Self::unlisted(&format!("{name} {word}"), Some(rule)));
            return node.insert(words, variant, place, row);
        }
        match variant {
            Some(variant) => self.variants.push((variant, self.rule.variant(place, row))),
            None => {
                // The node was made from the rule above it, so what it inherits is already in its own.
                self.rule = self.rule.below(place, row);
                self.listed = Known::Listed;
            }
        }
    }

    /// The variant that counts. Of several options the one that makes least of the command: `--dry-run` beats `--force`.
    pub(super) fn variant(&self, options: &[(&str, Option<&str>)], operands: &[&str]) -> Option<&Rule> {
        let rules = |counts: &dyn Fn(&Variant) -> bool| -> Vec<&Rule> {
            self.variants.iter().filter(|(variant, _)| counts(variant)).map(|(_, rule)| rule).collect()
        };
        let by_option = rules(&|variant| matches!(variant, Variant::Option(name) if has(options, name)));
        let by_text = || {
            rules(&|variant| match variant {
                Variant::Ending(ending) => operands.iter().any(|operand| operand.ends_with(&**ending)),
                Variant::Holding(part) => operands.iter().any(|operand| operand.contains(&**part)),
                _ => false,
            })
        };
        let by_number = || {
            let number = |variant: &Variant| if let Variant::Operands(n) = variant { Some(*n) } else { None };
            let reached = self.variants.iter().filter(|(variant, _)| number(variant).is_some_and(|n| n <= operands.len()));
            reached.max_by_key(|(variant, _)| number(variant)).map(|(_, rule)| rule)
        };
        let weakest = by_option.into_iter().min_by_key(|rule| rule.class());
        weakest.or_else(|| by_text().into_iter().next()).or_else(by_number)
    }
}

impl Variant {
    fn of(word: &str, words: &[&str]) -> Option<Self> {
        if word.starts_with('-') {
            return Some(Self::Option(word.into()));
        }
        let text = word.strip_prefix('*')?;
        Some(match text.strip_suffix('*') {
            _ if text.is_empty() => Self::Operands(words.iter().filter(|word| **word == "*").count()),
            Some(part) => Self::Holding(part.into()),
            None => Self::Ending(text.into()),
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(name) => f.write_str(name),
            Self::Operands(n) => f.write_str(vec!["*"; *n].join(" ").as_str()),
            Self::Ending(ending) => write!(f, "*{ending}"),
            Self::Holding(part) => write!(f, "*{part}*"),
        }
    }
}
