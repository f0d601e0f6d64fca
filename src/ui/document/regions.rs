//! The regions of a text, as the document shows them: underlined by kind, with a letter beside the line in which each begins, so
//! that nothing is told by colour alone.

use std::ops::Range;

use crate::ledger::entry::EntryKind;
use crate::ledger::tagging::{Act, Region};
use crate::ui::piece::Mark;
use crate::ui::theme::Role;
use crate::ui::words;

/// A part of a text, in bytes, and how it is marked.
pub(crate) type Marked = (Range<usize>, Mark);

/// What is told of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The number by which its pieces are marked.
    pub(crate) region: u16,
    /// How it is underlined.
    pub(crate) role: Role,
    /// What stands for its kind beside the text.
    pub(crate) letter: &'static str,
    /// Its kind.
    pub(crate) name: &'static str,
    /// What else is known of it, the rule that tagged it among that.
    pub(crate) told: String,
    /// The line of the document in which it begins.
    pub(crate) line: usize,
}

/// The regions that say anything: where they stand, and what is told of each. Narrative is left as it is.
pub(crate) fn tags(regions: &[Region]) -> (Vec<Marked>, Vec<Tag>) {
    let speaking = regions.iter().filter(|region| region.kind.is_some() || !region.acts.is_empty());
    let tagged = speaking.enumerate().map(|(n, region)| {
        let tag = tag(region, u16::try_from(n).unwrap_or(u16::MAX));
        let mark = Mark { region: tag.region, role: tag.role };
        ((region.range.clone(), mark), tag)
    });
    tagged.unzip()
}

fn tag(region: &Region, number: u16) -> Tag {
    let (role, letter, name) = match region.kind {
        Some(EntryKind::Prohibition) => (Role::RegionProhibition, "P", "prohibition"),
        Some(EntryKind::Requirement) => (Role::RegionRequirement, "R", "requirement"),
        Some(EntryKind::Ordering) => (Role::RegionOrdering, "O", "ordering"),
        Some(EntryKind::Decision) => (Role::RegionDecision, "D", "decision"),
        Some(EntryKind::Value) => (Role::RegionValue, "V", "value"),
        Some(EntryKind::Question) => (Role::RegionQuestion, "Q", "question"),
        Some(EntryKind::Task) => (Role::RegionOther, "T", "task"),
        Some(EntryKind::Unclassified) => (Role::RegionOther, "U", "unclassified"),
        Some(other) => (Role::RegionOther, "·", words::kind(other)),
        None => (Role::RegionOther, "A", "an answer"),
    };
    let mut told = vec![format!("rule {}, {}", region.rule, words::trust(region.trust))];
    told.extend(region.kind.map(|_| region.scope.word().to_owned()));
    told.extend(region.also.iter().map(|kind| format!("also {}", words::kind(*kind))));
    told.extend(region.acts.iter().map(|act| act_words(*act).to_owned()));
    Tag { region: number, role, letter, name, told: told.join(" · "), line: 0 }
}

fn act_words(act: Act) -> &'static str {
    match act {
        Act::Revokes => "lifts something said earlier",
        Act::Approves => "says yes",
        Act::Rejects => "says no",
        Act::Asks => "asks",
        Act::Promises => "promises",
        Act::NotYet => "says that something is not done yet",
        Act::Guards => "sets a condition",
        Act::Waives => "takes back a duty",
        Act::Frees => "lets be done what was forbidden",
        Act::Inquires => "asks to be told what is found",
        Act::Faults => "tells of something broken",
        Act::Makes => "writes something",
        Act::Offers => "offers more",
        Act::Defers => "puts off an answer",
        Act::Refers => "points at the message before",
    }
}
