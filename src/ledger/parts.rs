//! What the words of a task name that a session shows when it is done: files that are written or looked at, actions that run.

use std::borrow::Cow;

use crate::base::text::prefix;
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::identifiers::{IdentifierKind, identifiers};
use crate::ledger::proof::same_handle;
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::tagging::Deeds;
use crate::transcript::ResolutionStatus;

/// Of a longer text only this much is looked at, in bytes.
const LOOKED_AT: usize = 16 * 1024;
/// At most this many parts are followed.
const PARTS: usize = 24;

/// How a call says that it opens a pull request.
const OPEN_A_PULL_REQUEST: &str = "pr create";

/// Something that can be seen done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A file that is to be written.
    Written(String),
    /// A file that is to be looked at.
    Seen(String),
    /// An action that is to run, by the stem of its verb.
    Ran(Box<str>),
    /// A pull request that is to be opened.
    Proposed,
}

impl Part {
    /// What it is called.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Written(name) | Self::Seen(name) => name,
            Self::Ran(stem) => stem,
            Self::Proposed => OPEN_A_PULL_REQUEST,
        }
    }

    /// The words by which it is asked for.
    pub(super) fn words(&self, verbs: &Deeds) -> String {
        match self {
            Self::Proposed => format!("pr pull request {}", verbs.opens().collect::<Vec<_>>().join(" ")),
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
            Self::Seen(name) => {
                (went_well || matches!(how, EndHow::Failed(_))) && touches(call, name) || went_well && is_handed_on(call, name)
            }
            Self::Ran(_) | Self::Proposed => went_well && runs(call) && call.label.to_lowercase().contains(self.name()),
        }
    }
}

/// Whether a text only wants something to be looked at.
pub(super) fn looks(text: &str, verbs: &Deeds) -> bool {
    words(text).take(4).any(|word| verbs.is_look(&word))
}

/// The parts that a text names, each once.
pub(super) fn of_text(text: &str, verbs: &Deeds) -> Vec<Part> {
    let mut parts = files(text, verbs);
    parts.extend(meant(prefix(text, LOOKED_AT), verbs).into_iter().map(|stem| Part::Ran(stem.into())));
    parts.truncate(PARTS);
    parts
}

/// The files that a text names, each once.
fn files(text: &str, verbs: &Deeds) -> Vec<Part> {
    let text = prefix(text, LOOKED_AT);
    let looks = looks(text, verbs);
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
    parts.truncate(PARTS);
    parts
}

/// The parts of a short request to an agent, wherever in it they are named.
pub(super) fn of_request(text: &str, verbs: &Deeds) -> Vec<Part> {
    let mut parts = files(text, verbs);
    let lower = text.to_lowercase();
    let said: Vec<Cow<'_, str>> = words(text).collect();
    let named = verbs.actions(&lower).into_iter().filter(|stem| verbs.is_meant(stem) || verbs.is_led(stem, &said));
    parts.extend(named.map(|stem| Part::Ran(stem.into())));
    let has = |word: &str| said.iter().any(|said| said == word);
    if verbs.opens().any(has) && (has("pr") || (has("pull") && has("request"))) {
        parts.push(Part::Proposed);
    }
    parts
}

/// The actions that a task means: what it begins with, what a lead names, and what an "and" joins to these.
fn meant<'v>(text: &str, verbs: &'v Deeds) -> Vec<&'v str> {
    let text = text.lines().next().unwrap_or_default().to_lowercase().replace(" then ", " and ").replace(',', " and ");
    let mut found = Vec::new();
    for clause in text.split(" and ") {
        let mut words = words(clause);
        let Some(first) = words.next() else { continue };
        let named: Vec<&str> = if verbs.leads(&first) {
            let named = verbs.actions(&words.take(4).collect::<Vec<_>>().join(" "));
            named.into_iter().filter(|stem| !verbs.is_lead(stem)).collect()
        } else {
            verbs.actions(&first).into_iter().filter(|stem| verbs.is_meant(stem)).collect()
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

/// The words of a text in small letters, as most are written.
fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let may_change = |word: &str| word.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
    let small = move |word| if may_change(word) { word.to_lowercase().into() } else { Cow::Borrowed(word) };
    words.filter(|word| word.chars().any(char::is_alphabetic)).map(small)
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

/// Whether a sub-agent was asked to look at a file, by the prompt of the call that sent it.
fn is_handed_on(call: &CallRow, name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let sends = call.class == Class::Control && call.aftermath.plan.is_none();
    sends && call.input.split_once("\"prompt\"").is_some_and(|(_, prompt)| has_name(prompt, base))
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
    use crate::ledger::testing::rules;

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
            let parts = of_text(text, rules().cues.deeds());
            let parts: Vec<_> =
                parts.iter().map(|part| format!("{part:?}").replace(['(', ')', '"'], " ").trim().replace("  ", " ")).collect();
            assert_eq!(parts, expected, "{text}");
        }
    }
}
