//! The two ends of an ordering: "run the tests before you push".

/// Actions that a session's calls show by their words.
const ACTIONS: &[&str] = &[
    "appl", "back", "build", "check", "commit", "compil", "deploy", "dump", "format", "install", "lint", "merg", "migrat",
    "publish", "pull", "push", "rebase", "releas", "restart", "rollback", "run", "ship", "tag", "test", "upload", "verif",
];

/// Two ends, each by the stems of the actions that its words name.
pub(in crate::ledger) struct Order {
    first: Vec<&'static str>,
    second: Vec<&'static str>,
    seen: Seen,
}

#[derive(PartialEq, Eq)]
enum Seen {
    Nothing,
    First,
}

impl Order {
    /// The ends of an ordering, where its words name an action at both. English.
    pub(in crate::ledger) fn of(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let (first, second) = halves(&text)?;
        let (first, second) = (actions(first), actions(second));
        (!first.is_empty() && !second.is_empty() && first != second).then_some(Self { first, second, seen: Seen::Nothing })
    }

    /// Folds an action of these words, in small letters, that succeeded. Whether both ends have now been done, in their order.
    pub(super) fn is_done_with(&mut self, label: &str) -> bool {
        let names = |stems: &[&str]| stems.iter().any(|stem| label.contains(stem));
        if self.seen == Seen::First && names(&self.second) {
            return true;
        }
        if names(&self.first) {
            self.seen = Seen::First;
        }
        false
    }
}

/// What comes first, and what comes then.
fn halves(text: &str) -> Option<(&str, &str)> {
    for (word, turned) in [(" before ", false), (" and then ", false), (" then ", false), (" after ", true), (" once ", true)] {
        if let Some((left, right)) = text.split_once(word) {
            return Some(if turned { (right, left) } else { (left, right) });
        }
    }
    for lead in ["after ", "once ", "before "] {
        if let Some((left, right)) = text.strip_prefix(lead).and_then(|rest| rest.split_once(',')) {
            return Some(if lead == "before " { (right, left) } else { (left, right) });
        }
    }
    None
}

/// The actions that a clause names. "Run" says which only where nothing else does.
pub(in crate::ledger) fn actions(clause: &str) -> Vec<&'static str> {
    let words: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).collect();
    // Most words are out by their first letter.
    let begins = |word: &str, stem: &str| word.bytes().next() == stem.bytes().next() && word.starts_with(stem);
    let named = |stem: &&&'static str| words.iter().any(|word| begins(word, stem));
    let mut found: Vec<&'static str> = ACTIONS.iter().filter(named).copied().collect();
    if found.len() > 1 {
        found.retain(|stem| *stem != "run");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_what_the_words_name() {
        for (text, first, second) in [
            ("Run the test suite before applying the patch.", vec!["test"], vec!["appl"]),
            ("push after the tests pass", vec!["test"], vec!["push"]),
            ("Once the migration is done, restart the workers", vec!["migrat"], vec!["restart"]),
            ("commit and then push", vec!["commit"], vec!["push"]),
        ] {
            let order = Order::of(text).unwrap();
            assert_eq!((order.first, order.second), (first, second), "{text}");
        }
        assert!(Order::of("Tell me the plan before you do it").is_none());
    }

    #[test]
    fn only_their_order_ends_it() {
        let mut order = Order::of("run the tests before you push").unwrap();
        assert!(!order.is_done_with("git push origin main"));
        assert!(!order.is_done_with("cargo test"));
        assert!(order.is_done_with("git push origin main"));
    }
}
