//! The two ends of an ordering: "run the tests before you push".

use crate::ledger::tagging::Deeds;

/// Two ends, each by the stems of the actions that its words name.
pub(in crate::ledger) struct Order {
    first: Vec<Box<str>>,
    second: Vec<Box<str>>,
    seen: Seen,
}

#[derive(PartialEq, Eq)]
enum Seen {
    Nothing,
    First,
}

impl Order {
    /// The ends of an ordering, where its words name an action at both. English.
    pub(in crate::ledger) fn of(text: &str, deeds: &Deeds) -> Option<Self> {
        let text = text.to_lowercase();
        let (first, second) = halves(&text)?;
        let actions = |clause| deeds.actions(clause).into_iter().map(Box::from).collect::<Vec<Box<str>>>();
        let (first, second) = (actions(first), actions(second));
        (!first.is_empty() && !second.is_empty() && first != second).then_some(Self { first, second, seen: Seen::Nothing })
    }

    /// Whether what is to come last is an action: "read the notes, then run the import". "Once that is done, tell me" only asks.
    pub(in crate::ledger) fn ends_with_an_action(text: &str, deeds: &Deeds) -> bool {
        halves(&text.to_lowercase()).is_some_and(|(_, second)| !deeds.actions(second).is_empty())
    }

    /// Folds an action of these words, in small letters, that succeeded. Whether both ends have now been done, in their order.
    pub(super) fn is_done_with(&mut self, label: &str) -> bool {
        let names = |stems: &[Box<str>]| stems.iter().any(|stem| label.contains(&**stem));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::testing::rules;

    #[test]
    fn the_ends_are_what_the_words_name() {
        for (text, first, second) in [
            ("Run the test suite before applying the patch.", ["test"], ["appl"]),
            ("push after the tests pass", ["test"], ["push"]),
            ("Once the migration is done, restart the workers", ["migrat"], ["restart"]),
            ("commit and then push", ["commit"], ["push"]),
        ] {
            let order = Order::of(text, rules().cues.deeds()).unwrap();
            let words = |stems: &[Box<str>]| stems.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(
                (words(&order.first), words(&order.second)),
                (first.map(str::to_owned).to_vec(), second.map(str::to_owned).to_vec()),
                "{text}"
            );
        }
        let ends = |text| Order::ends_with_an_action(text, rules().cues.deeds());
        assert!(ends("Read the notes, then run the import."));
        assert!(!ends("Once that is done, let me know how it went."));
        assert!(Order::of("Tell me the plan before you do it", rules().cues.deeds()).is_none());
    }

    #[test]
    fn only_their_order_ends_it() {
        let mut order = Order::of("run the tests before you push", rules().cues.deeds()).unwrap();
        assert!(!order.is_done_with("git push origin main"));
        assert!(!order.is_done_with("cargo test"));
        assert!(order.is_done_with("git push origin main"));
    }
}
