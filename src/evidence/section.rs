//! Sections: what a heading says of the sentences below it.

use crate::evidence::claim::Claim;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::words::Words;

/// What the heading of a sentence says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Section {
    /// Nothing.
    #[default]
    Plain,
    /// It is still to do.
    Pending,
    /// It is done.
    Done,
    /// It is a rule.
    Rules,
    /// It is what was asked for, at whatever time.
    Requests,
    /// It is quoted: what was said at some time.
    Quotes,
    /// Its outcome is not known.
    Unknown,
}

/// What a heading says of what stands below it. What is quoted is quoted, whatever else the heading says; and what "the plan involved"
/// is no more to do.
pub(super) fn section(heading: &str, phrasebook: &Phrasebook) -> Section {
    let words = Words::of(heading, phrasebook);
    let headings = &phrasebook.headings;
    let sections = [
        (&headings.quotes, Section::Quotes),
        (&headings.unknown, Section::Unknown),
        (&headings.pending, Section::Pending),
        (&headings.rules, Section::Rules),
        (&headings.requests, Section::Requests),
        (&headings.done, Section::Done),
    ];
    let found = sections.iter().find(|(phrases, _)| phrases.is_in(&words.tokens)).map_or(Section::Plain, |(_, section)| *section);
    let claim = Claim::of_words(heading, &words, phrasebook);
    let is_history = claim.tells_past && !claim.denies && claim.status.is_none();
    if found == Section::Pending && is_history { Section::Plain } else { found }
}
