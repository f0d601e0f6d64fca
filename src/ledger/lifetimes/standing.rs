//! Which words hold on after their turn. What a cue finds in a report ("it doesn't inherit", "the app crashed before it opened")
//! forbids nothing and gates nothing, whatever kind it is: it lives as long as anything said once.

/// How a clause begins that forbids its reader something.
const FORBIDS: &[&str] = &[
    "do not ",
    "don't ",
    "dont ",
    "don’t ",
    "never ",
    "avoid ",
    "must not ",
    "mustn't ",
    "you must not ",
    "you should not ",
    "you shouldn't ",
    "you may not ",
    "you can't ",
    "you cannot ",
    "we must not ",
    "we should not ",
    "we shouldn't ",
    "we don't want ",
    "i don't want ",
    "i do not want ",
    "no more ",
    "no changes ",
    "no new ",
    "stop ",
    "leave ",
    "keep your hands off ",
    "hands off ",
    "nobody ",
    "nothing ",
    "not allowed",
    "under no circumstances",
    "refrain ",
    "without ",
    "it is not allowed ",
    "should never ",
    "must never ",
    "you must never ",
    "better not ",
    "its better not ",
    "it's better not ",
];

/// Words before a clause that do not change what it does.
const OPENERS: &[&str] =
    &["and ", "but ", "so ", "then ", "also ", "please ", "just ", "ok ", "okay ", "again ", "remember ", "note ", "i think "];

/// A reminder, and not a prohibition: "don't forget to".
const REMINDERS: &[&str] = &["forget", "hesitate", "worry", "mind", "bother"];

/// Words that make an ordering a gate: what comes after must not be begun yet.
const GATES: &[&str] =
    &["wait", "hold off", "only after ", "only once ", "only when ", "only if ", "not before ", "before i ", "ask me "];

/// Words that do so only where something is withheld: a timer may run until midnight, and nobody waits for it.
const LIMITS: &[&str] = &["until ", "unless "];

/// Words that withhold.
const WITHHOLDS: &[&str] = &["not ", "n't ", "n’t ", "dont ", "never ", "nothing ", "stop ", "hold ", "leave "];

/// Whether a text forbids its reader something outright. English.
pub(in crate::ledger) fn forbids(text: &str) -> bool {
    let text = text.to_lowercase();
    let clauses = text.split([',', '.', ';', ':', '!', '?', '(', ')', '-', '—', '*', '\n', '`', '"']);
    clauses
        .flat_map(|clause| {
            [Some(clause), clause.split_once(" and ").map(|(_, rest)| rest), clause.split_once(" but ").map(|(_, rest)| rest)]
        })
        .flatten()
        .any(|clause| {
            let mut clause = clause.trim_start();
            while let Some(rest) = OPENERS.iter().find_map(|opener| clause.strip_prefix(opener)) {
                clause = rest.trim_start();
            }
            let Some(rest) = FORBIDS.iter().find_map(|begins| clause.strip_prefix(begins)) else { return false };
            !REMINDERS.iter().any(|word| rest.starts_with(word))
        })
}

/// Whether an ordering holds something back. English.
pub(in crate::ledger) fn gates(text: &str) -> bool {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    has(GATES) || (has(LIMITS) && has(WITHHOLDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_order_forbids() {
        for text in [
            "Do not drop columns.",
            "do not restart ngrok as the url is stable",
            "The migration must remain reversible; do not drop columns.",
            "Please provide the full content - don't summarize.",
            "push it, but never force it",
            "I think its better not to store any PII in local storage.",
        ] {
            assert!(forbids(text), "{text}");
        }
        for text in [
            "I see that files written this way have no trailing newline.",
            "I guess we don't always have session information",
            "shadow branches where we use `git add` but the folder tree is not changed",
            "No matching commits found on the fork.",
            "Can't we just keep the commits as they were?",
            "dont forget to switch to a fresh branch",
            "skip 5, 7, 8 and do the rest",
        ] {
            assert!(!forbids(text), "{text}");
        }
    }

    #[test]
    fn only_what_holds_back_is_a_gate() {
        assert!(gates("wait with the #ops note until Ines has approved") && gates("Do not deploy unless I say so"));
        assert!(gates("don't touch the schema until Ines has answered"));
        assert!(!gates("the timer counts down until the hand is over"));
        assert!(!gates("rebase to main before we start") && !gates("crash before app opens"));
    }
}
