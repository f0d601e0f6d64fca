//! What ends a short request before later prompts leave it behind: an answer to a question, or deeds that the session shows.

use crate::base::ids::EntryId;
use crate::evidence::Gist;
use crate::ledger::parts::{self, Part};
use crate::ledger::rows::{CallRow, EndHow};
use crate::ledger::tagging::{Act, Deeds, Region, Source};

/// Besides what is seen done a request says at most this many content words: more may ask for something that nobody sees.
const UNSEEN_WORDS: usize = 1;

/// A yes of at most so many content words says nothing else. "Ok, now sort the table" is a nod, where nothing was offered.
pub(super) const A_YES: usize = 2;

/// What a human wants by saying something.
pub(in crate::ledger) enum Wanted {
    /// To be told something, or that it goes on: the message that ends the turn does that.
    Answer,
    /// Deeds that calls show, each with the entry of the call that did it.
    Deeds(Vec<(Part, Option<EntryId>)>),
    /// More than the deeds that it names: that these were done shows only that it was worked at.
    More(Vec<(Part, Option<EntryId>)>),
    /// Something that no single event shows.
    Else,
}

impl Wanted {
    /// What a region of a text wants.
    pub(in crate::ledger) fn of(source: Source, region: &Region, text: &str, verbs: &Deeds) -> Self {
        let does = |act| region.acts.contains(&act);
        let lasts = |act: &Act| matches!(act, Act::NotYet | Act::Waives | Act::Rejects | Act::Revokes);
        let waits = does(Act::Guards) && !does(Act::Inquires);
        if !matches!(source, Source::Typed | Source::Steering) || waits || region.acts.iter().any(lasts) {
            Self::Else
        } else if (does(Act::Asks) || does(Act::Inquires)) && !does(Act::Faults) {
            // Who asks why it fails wants it to work.
            Self::Answer
        } else {
            match deeds(text, verbs) {
                // Who only says to go on wants the turn, and has it when it is over.
                Self::Else if does(Act::Approves) && Gist::of(text).len() <= A_YES => Self::Answer,
                wanted => wanted,
            }
        }
    }

    /// Folds a call that ended.
    pub(super) fn ended(&mut self, call: &CallRow, how: EndHow) {
        let (Self::Deeds(deeds) | Self::More(deeds)) = self else { return };
        for (_, by) in deeds.iter_mut().filter(|(part, by)| by.is_none() && part.is_done_by(call, how)) {
            *by = Some(call.entry);
        }
    }

    /// The entries of the calls that did it, if all of it is done.
    pub(super) fn done_by(&self) -> Option<Vec<EntryId>> {
        match self {
            Self::Deeds(deeds) => deeds.iter().map(|(_, by)| *by).collect(),
            Self::More(_) | Self::Answer | Self::Else => None,
        }
    }

    /// The entries of the calls that did what it names, if all of that is done.
    pub(super) fn named_done_by(&self) -> Option<Vec<EntryId>> {
        match self {
            Self::Deeds(deeds) | Self::More(deeds) => deeds.iter().map(|(_, by)| *by).collect(),
            Self::Answer | Self::Else => None,
        }
    }
}

/// The deeds that a short request names: all that it wants, if it says hardly more. English, and file names.
fn deeds(text: &str, verbs: &Deeds) -> Wanted {
    let parts = parts::of_request(text, verbs);
    if parts.is_empty() {
        return Wanted::Else;
    }
    let names: Vec<String> = parts.iter().map(|part| part.words(verbs)).collect();
    let words = Gist::of(text);
    let seen = words.shared(&Gist::of(&names.join(" ")));
    let parts = parts.into_iter().map(|part| (part, None)).collect();
    if words.len() <= seen + UNSEEN_WORDS { Wanted::Deeds(parts) } else { Wanted::More(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::testing::rules;

    #[test]
    fn only_what_is_all_seen_is_a_deed() {
        let names = |text| match deeds(text, rules().cues.deeds()) {
            Wanted::Deeds(deeds) => Some(deeds.iter().map(|(part, _)| part.name().to_owned()).collect::<Vec<_>>().join(" ")),
            Wanted::More(_) | Wanted::Answer | Wanted::Else => None,
        };
        for (text, expected) in [
            ("commit", Some("commit")),
            ("please commit and push", Some("commit push")),
            ("ok lets get a pr up for this", Some("pr create")),
            ("can you open a pull request", Some("pr create")),
            ("please push to the pr and merge this.", Some("merg push")),
            ("delete teal.md and colours.md", Some("teal.md colours.md")),
            ("Can you add this to NOTES.md?", Some("NOTES.md")),
            ("run the tests", Some("test")),
            // Whoever sees a file written does not see what it was to say.
            ("Update NOTES.md with the steps for a release", None),
            ("commit with a message that says why the timeout was raised", None),
            ("make the sync safe", None),
            ("the pr is failing", None),
            ("", None),
        ] {
            assert_eq!(names(text).as_deref(), expected, "{text}");
        }
    }
}
