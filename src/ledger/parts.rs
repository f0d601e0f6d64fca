//! What the words of a task name that a session shows when it is done: files that are written or looked at, actions that run.

use crate::base::text::prefix;
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::identifiers::{IdentifierKind, identifiers};
use crate::ledger::lifetimes::actions;
use crate::ledger::proof::same_handle;
use crate::ledger::rows::{CallRow, EndHow};
use crate::transcript::ResolutionStatus;

/// Of a longer text only this much is looked at, in bytes.
const LOOKED_AT: usize = 16 * 1024;
/// At most this many parts are followed.
const PARTS: usize = 24;

/// Verbs of tasks that only look: what they name need not be written.
const LOOKS: &[&str] = &[
    "analyse",
    "analyze",
    "check",
    "examine",
    "explore",
    "find",
    "inspect",
    "investigate",
    "look",
    "read",
    "research",
    "review",
    "run",
    "search",
    "study",
    "understand",
    "validate",
    "verify",
];

/// Verbs in front of the action that is meant: "run the tests".
const LEADS: &[&str] = &["check", "ensure", "execute", "re-run", "rerun", "run", "verify"];

/// Actions that a task means when it begins with them. "Build the page" and "test the login" may mean something else.
const MEANT: &[&str] = &["commit", "deploy", "install", "lint", "merg", "publish", "push", "rebase"];

/// Verbs by which a pull request is asked for, and the action that opens one.
const MAKES: &[&str] = &["create", "get", "make", "open", "put", "raise", "submit"];
const OPEN_A_PULL_REQUEST: &str = "pr create";

/// Something that can be seen done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A file that is to be written.
    Written(String),
    /// A file that is to be looked at.
    Seen(String),
    /// An action that is to run, by the stem of its verb.
    Ran(&'static str),
}

impl Part {
    /// What it is called.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Written(name) | Self::Seen(name) => name,
            Self::Ran(stem) => stem,
        }
    }

    /// The words by which it is asked for.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Ran(OPEN_A_PULL_REQUEST) => format!("pr pull request {}", MAKES.join(" ")),
            _ => self.name().to_owned(),
        }
    }

    /// Whether a call that ended did it.
    pub(super) fn is_done_by(&self, call: &CallRow, how: EndHow) -> bool {
        // What goes on in the background has not been done yet.
        let went_well = how.status() == ResolutionStatus::Result && how != EndHow::Started;
        match self {
            Self::Written(name) => call.ended().and_then(|end| end.effect) == Some(EffectStatus::Committed) && touches(call, name),
            // Who looks and finds nothing has looked.
            Self::Seen(name) => (went_well || matches!(how, EndHow::Failed(_))) && touches(call, name),
            Self::Ran(stem) => went_well && runs(call) && call.label.to_lowercase().contains(stem),
        }
    }
}

/// Whether a text only wants something to be looked at.
pub(super) fn looks(text: &str) -> bool {
    words(text).take(4).any(|word| LOOKS.contains(&word.as_str()))
}

/// The parts that a text names, each once.
pub(super) fn of_text(text: &str) -> Vec<Part> {
    let text = prefix(text, LOOKED_AT);
    let looks = looks(text);
    let mut parts: Vec<Part> = Vec::new();
    for found in identifiers(text) {
        let name = text.get(found.range).unwrap_or_default();
        // `src/a.rs:12-40` is a place in the file.
        let name = name.split_once(':').map_or(name, |(file, _)| file);
        let is_file = matches!(found.kind, IdentifierKind::Path | IdentifierKind::File) && has_ending(name);
        if is_file && !parts.iter().any(|part| part.name() == name) {
            parts.push(if looks { Part::Seen(name.to_owned()) } else { Part::Written(name.to_owned()) });
        }
    }
    parts.extend(meant(text).into_iter().map(Part::Ran));
    parts.truncate(PARTS);
    parts
}

/// The parts of a short request to an agent, wherever in it they are named.
pub(super) fn of_request(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = of_text(text).into_iter().filter(|part| !matches!(part, Part::Ran(_))).collect();
    let lower = text.to_lowercase();
    let named = actions(&lower).into_iter().filter(|stem| MEANT.contains(stem) || (*stem == "test" && lower.contains("run ")));
    parts.extend(named.map(Part::Ran));
    let said: Vec<String> = words(text).collect();
    let has = |word: &str| said.iter().any(|said| said == word);
    let makes = said.iter().any(|word| MAKES.contains(&word.as_str()));
    if makes && (has("pr") || (has("pull") && has("request"))) {
        parts.push(Part::Ran(OPEN_A_PULL_REQUEST));
    }
    parts
}

/// The actions that a task means: what it begins with, what a lead names, and what an "and" joins to these.
fn meant(text: &str) -> Vec<&'static str> {
    let text = text.lines().next().unwrap_or_default().to_lowercase().replace(" then ", " and ").replace(',', " and ");
    let mut found = Vec::new();
    for clause in text.split(" and ") {
        let mut words = words(clause);
        let Some(first) = words.next() else { continue };
        let named = if LEADS.contains(&first.as_str()) {
            let named = actions(&words.take(4).collect::<Vec<_>>().join(" "));
            named.into_iter().filter(|stem| !matches!(*stem, "check" | "run" | "verif")).collect::<Vec<_>>()
        } else {
            actions(&first).into_iter().filter(|stem| MEANT.contains(stem)).collect()
        };
        if named.is_empty() && found.is_empty() {
            break;
        }
        for stem in named {
            if !found.contains(&stem) {
                found.push(stem);
            }
        }
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| word.chars().any(char::is_alphabetic)).map(str::to_lowercase)
}

/// Whether a name ends as files do; a folder is written by nobody.
pub(super) fn has_ending(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.contains('.') && !file.ends_with('.') && !name.contains('*')
}

fn touches(call: &CallRow, name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let named = |target: &str| target.split(' ').any(|target| same_handle(target, name));
    call.target.as_deref().is_some_and(named) || (call.class != Class::Control && has_name(&call.label, base))
}

/// Whether a text holds a name that is not the end of a longer one.
fn has_name(text: &str, name: &str) -> bool {
    let is_whole = |at: usize| {
        !text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
    };
    text.match_indices(name).any(|(at, _)| is_whole(at))
}

/// Whether a call runs something, and does not only read or write a file.
fn runs(call: &CallRow) -> bool {
    let on_file = call.world.as_deref() == Some("file") && matches!(call.class, Class::Read | Class::Write);
    !matches!(call.class, Class::Control | Class::Read) && !on_file || call.aftermath.checks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_task_names() {
        for (text, expected) in [
            ("Fix the race in src/lock.rs and tests/lock.rs", vec!["Written src/lock.rs", "Written tests/lock.rs"]),
            ("Review docs/plan.md:12", vec!["Seen docs/plan.md"]),
            ("Run the full test suite", vec!["Ran test"]),
            ("Verify the build passes", vec!["Ran build"]),
            ("Run tests to verify the fix", vec!["Ran test"]),
            ("Test the login by hand", vec![]),
            ("Commit and push", vec!["Ran commit", "Ran push"]),
            ("Run linter, then commit", vec!["Ran lint", "Ran commit"]),
            ("Build the settings page and push it", vec![]),
            ("Deploy to production", vec!["Ran deploy"]),
            ("Add push notifications", vec![]),
            ("Handle the retry", vec![]),
            ("Update src/", vec![]),
            ("", vec![]),
        ] {
            let parts = of_text(text);
            let parts: Vec<_> =
                parts.iter().map(|part| format!("{part:?}").replace(['(', ')', '"'], " ").trim().replace("  ", " ")).collect();
            assert_eq!(parts, expected, "{text}");
        }
    }
}
