//! Patterns of words, as `cues.toml` writes them: `(do not|don't) [ever] <verb>`, `leave ... alone`, `verbot*`, `^no *ing`, `at # px$`.
//! Each is read into the tree that is walked to find it; a pattern may stand for thousands of phrases, but they share their beginnings.

use std::collections::BTreeMap;

use super::tree::{End, NodeIx, Part, ROOT, Side, Tree};

/// Patterns and the words that they name, as they are read.
#[derive(Debug, Default)]
pub(super) struct Phrases {
    pub(super) tree: Tree,
    /// The names of the lists of words; a list's bit is its place.
    names: Vec<String>,
}

/// The most places of the tree that one pattern may lead to.
const MOST: usize = 4_000;
/// Where a group would lead to more places than this, the ways before it are joined into one.
const MANY: usize = 48;

impl Phrases {
    /// Nothing yet but lists by name, each of words parted by spaces.
    ///
    /// # Errors
    /// There are too many lists.
    pub(super) fn new(lists: &BTreeMap<String, String>) -> Result<Self, String> {
        if lists.len() > u32::BITS as usize {
            return Err(format!("there are {} lists of words, and {} is the most", lists.len(), u32::BITS));
        }
        let mut phrases = Self { names: lists.keys().cloned().collect(), ..Self::default() };
        for (n, words) in lists.values().enumerate() {
            for word in words.split_whitespace() {
                phrases.tree.put_in_list(word, n as u8);
            }
        }
        Ok(phrases)
    }

    /// The bits of lists by their names, parted by spaces; none where a name is unknown.
    pub(super) fn lists(&self, names: &str) -> Option<u32> {
        names.split_whitespace().try_fold(0, |lists, name| Some(lists | 1 << self.list(name)?))
    }

    fn list(&self, name: &str) -> Option<u8> {
        self.names.iter().position(|own| own == name).and_then(|n| u8::try_from(n).ok())
    }

    /// Reads a pattern that speaks for an owner, or against it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(&mut self, pattern: &str, owner: usize, side: Side) -> Result<(), String> {
        let (at_start, at_end) = (pattern.starts_with('^'), pattern.ends_with('$'));
        let inner = pattern.strip_prefix('^').unwrap_or(pattern);
        let inner = inner.strip_suffix('$').unwrap_or(inner).trim();
        if inner.starts_with("...") || inner.ends_with("...") {
            return Err("it begins or ends with `...`".to_owned());
        }
        let mut reading = Reading { rest: inner, phrases: self };
        let last = reading.ways(&[ROOT])?;
        if let Some(left) = reading.rest.chars().next() {
            return Err(format!("`{left}` closes nothing"));
        }
        if last.contains(&ROOT) {
            return Err("it may stand for no words".to_owned());
        }
        for node in last {
            self.tree.end(node, End { owner, side, at_start, at_end });
        }
        Ok(())
    }
}

/// What is left of a pattern.
struct Reading<'p, 'l> {
    rest: &'p str,
    phrases: &'l mut Phrases,
}

impl Reading<'_, '_> {
    /// Alternatives, up to what closes them: from these places of the tree to those.
    fn ways(&mut self, from: &[NodeIx]) -> Result<Vec<NodeIx>, String> {
        let mut to = Vec::new();
        loop {
            self.way(from, &mut to)?;
            if to.len() > MOST {
                return Err(format!("it stands for more than {MOST} phrases"));
            }
            match self.rest.strip_prefix('|') {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        to.sort_unstable();
        to.dedup();
        Ok(to)
    }

    /// One alternative: words and groups, one behind the other. Where it leads to comes behind what stands in `to`.
    fn way(&mut self, from: &[NodeIx], to: &mut Vec<NodeIx>) -> Result<(), String> {
        let start = to.len();
        to.extend_from_slice(from);
        loop {
            self.rest = self.rest.trim_start_matches(' ');
            let Some(first) = self.rest.bytes().next() else { return Ok(()) };
            let at = to.get(start..).unwrap_or_default();
            if at.len() > 1 && at.len() * self.alternatives() > MANY {
                let joined = self.phrases.tree.join(at);
                to.truncate(start);
                to.push(joined);
            }
            match first {
                b'|' | b')' | b']' => return Ok(()),
                b'(' => {
                    let group = self.group(')', to.get(start..).unwrap_or_default())?;
                    to.truncate(start);
                    to.extend(group);
                }
                b'[' => to.extend(self.group(']', to.get(start..).unwrap_or_default())?),
                _ => {
                    let part = self.part()?;
                    for node in to.iter_mut().skip(start) {
                        *node = self.phrases.tree.step(*node, &part);
                    }
                }
            }
        }
    }

    /// How many alternatives the group that comes next has at least.
    fn alternatives(&self) -> usize {
        if !self.rest.starts_with(['(', '[']) {
            return 1;
        }
        let end = self.rest.find([')', ']']).unwrap_or(self.rest.len());
        self.rest.get(..end).unwrap_or("").matches('|').count() + 1
    }

    fn group(&mut self, close: char, from: &[NodeIx]) -> Result<Vec<NodeIx>, String> {
        self.rest = self.rest.get(1..).unwrap_or("");
        let to = self.ways(from)?;
        self.rest = self.rest.strip_prefix(close).ok_or_else(|| format!("`{close}` is missing"))?;
        Ok(to)
    }

    fn part(&mut self) -> Result<Part, String> {
        let ends = |byte: u8| matches!(byte, b' ' | b'|' | b'(' | b')' | b'[' | b']');
        let end = self.rest.bytes().position(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let inside = word.len() > 1;
        Ok(match word {
            "..." => Part::Gap,
            "#" => Part::Number,
            "*" => Part::Any,
            "^" | "$" => return Err(format!("`{word}` stands only at an end of a pattern")),
            _ if word.starts_with('<') && inside => {
                let name = word.trim_matches(['<', '>']);
                Part::List(self.phrases.list(name).ok_or_else(|| format!("`{name}` is no list of words"))?)
            }
            _ if word.ends_with('*') && inside => Part::Begins(Box::from(word.trim_end_matches('*'))),
            _ if word.starts_with('*') && inside => Part::Ends(Box::from(word.trim_start_matches('*'))),
            _ if inside && word.contains(['\\', '{', '}', '+', '?', '^', '$', '*', '#']) => {
                return Err(format!("`{word}` is no word: a regular expression belongs into `regex`"));
            }
            _ => Part::Word(self.phrases.tree.word(word)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(pattern: &str) -> Phrases {
        let mut phrases = Phrases::new(&BTreeMap::from([("verb".to_owned(), "add fix".to_owned())])).unwrap();
        phrases.read(pattern, 0, Side::For).unwrap();
        phrases
    }

    #[test]
    fn a_pattern_stands_for_all_its_ways() {
        for (pattern, found, not) in [
            ("(do not|don't) [ever|just] <verb>", vec!["do not add", "please don't ever fix it"], vec!["don't run", "do add"]),
            (
                "leave ... (alone|as is)",
                vec!["leave it alone", "leave all of that as is"],
                vec!["leave", "alone", "leave a b c d e f g h i alone"],
            ),
            ("^no *ing", vec!["no pushing", "no merging today"], vec!["say no pushing"]),
            ("<verb> # px$", vec!["add 3 px", "add 3 px ."], vec!["add 3 px now", "add x px"]),
            (
                "(a1|a2|a3|a4|a5|a6|a7|a8) [b] (c1|c2|c3|c4|c5|c6|c7|c8) (d1|d2|d3|d4|d5|d6|d7|d8)",
                vec!["a1 c8 d2", "a8 b c1 d8"],
                vec!["a1 b d1", "a1 c1 c2 d1", "c1 d1"],
            ),
            ("verbot* *", vec!["verboten ist"], vec!["verboten"]),
        ] {
            let tree = phrases(pattern).tree;
            for text in found {
                assert!(tree.find(text, 0).holds(0), "{pattern}: {text}");
            }
            for text in not {
                assert!(!tree.find(text, 0).holds(0), "{pattern}: {text}");
            }
        }
    }

    #[test]
    fn what_stands_against_a_phrase_at_its_place_takes_it_back() {
        let mut phrases = phrases("(do not|don't)");
        phrases.read("don't (worry|mind)", 0, Side::Against).unwrap();
        assert!(phrases.tree.find("don't worry , but don't push", 0).holds(0));
        let found = phrases.tree.find("don't worry about it", 0);
        assert!(!found.holds(0) && found.is_denied(0));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (pattern, told) in [
            ("(a|b", "`)` is missing"),
            ("a) b", "`)` closes nothing"),
            ("<verbs>", "`verbs` is no list of words"),
            ("a\\S+", "`a\\S+` is no word: a regular expression belongs into `regex`"),
            ("a ...", "it begins or ends with `...`"),
            ("[a]", "it may stand for no words"),
            ("a ^ b", "`^` stands only at an end of a pattern"),
            (&(0..5_000).map(|n| format!("w{n}")).collect::<Vec<_>>().join("|"), "it stands for more than 4000 phrases"),
        ] {
            assert_eq!(Phrases::default().read(pattern, 0, Side::For), Err(told.to_owned()));
        }
    }
}
