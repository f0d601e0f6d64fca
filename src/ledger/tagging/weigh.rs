//! Decides what a sentence is: by the cues in it, by the head above it, and by who says it (DESIGN section 4).
//!
//! Human text is opt-out, the last message of a turn is kept as it is, and what the assistant says in the middle of its work counts by
//! cue alone.

use super::data::{Asks, CueKind, Drop, Force, Lasting, Who};
use super::plain::Plain;
use super::rules::Rule;
use super::{Act, Setting, Source};
use crate::ledger::entry::{EntryKind, Scope};

/// How a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// A human, or whoever stands for one.
    Human,
    /// The assistant, in the last message of a turn.
    Last,
    /// The assistant, elsewhere.
    Assistant,
}

/// What a sentence was found to be.
#[derive(Debug)]
pub(super) struct Seen<'r> {
    /// What it is; none: narrative.
    pub(super) kind: Option<EntryKind>,
    pub(super) also: Vec<EntryKind>,
    pub(super) rule: String,
    pub(super) scope: Scope,
    /// Whether its words are an order that holds on after its turn.
    pub(super) is_outright: bool,
    pub(super) acts: Vec<Act>,
    /// Whether a cue or a head says that it directs somebody.
    pub(super) is_cued: bool,
    /// Whether it stands above a list, and what it passes down.
    pub(super) opens_list: bool,
    pub(super) head: Option<&'r Rule>,
}

impl Voice {
    /// How what a source says is read.
    pub(super) fn of(source: Source) -> Self {
        match source {
            Source::LastOfTurn => Self::Last,
            Source::Assistant | Source::Reasoning => Self::Assistant,
            _ => Self::Human,
        }
    }

    /// Whether a cue is for this voice.
    pub(super) fn hears(self, who: Who) -> bool {
        match who {
            Who::All => true,
            Who::Human => self == Self::Human,
            Who::Assistant => self != Self::Human,
            Who::Last => self == Self::Last,
        }
    }
}

impl Seen<'_> {
    /// Of a kind, by a rule.
    pub(super) fn of(kind: EntryKind, rule: &str) -> Self {
        Self {
            kind: Some(kind),
            also: Vec::new(),
            rule: rule.to_owned(),
            scope: Scope::OneShot,
            is_outright: false,
            acts: Vec::new(),
            is_cued: false,
            opens_list: false,
            head: None,
        }
    }

    /// No commitment, by a rule.
    pub(super) fn narrative(rule: &str) -> Self {
        Self { kind: None, ..Self::of(EntryKind::Unclassified, rule) }
    }

    /// By the first of the cues that were found.
    fn by(rule: &Rule) -> Self {
        let kind = rule.kind.entry().filter(|_| rule.force == Force::Strong).unwrap_or(EntryKind::Unclassified);
        let is_cued = !matches!(kind, EntryKind::Value | EntryKind::Reference | EntryKind::Unclassified);
        Self { is_cued, ..Self::of(kind, &rule.id) }
    }
}

/// Decides what a sentence is. `found` are the cues in it that are for this voice, `over` is the rule of the head that it stands under.
pub(super) fn weigh<'r>(voice: Voice, setting: Setting, plain: &Plain, found: Vec<&'r Rule>, over: Option<&'r Rule>) -> Seen<'r> {
    let asked = voice == Voice::Human && found.iter().any(|rule| rule.kind == CueKind::Question);
    let request = found.iter().any(|rule| rule.asks == Asks::Request && rule.kind != CueKind::Narrative);
    let asks = (plain.asks() || asked) && !request;
    let found = together(found.into_iter().filter(|rule| counts(rule, asks)).collect());
    let narrative = found.iter().filter(|rule| rule.kind == CueKind::Narrative).max_by_key(|rule| rule.drop).copied();
    if let Some(rule) = narrative.filter(|rule| rule.drop == Drop::Hard) {
        return Seen::narrative(&rule.id);
    }
    let (lasting, found): (Vec<&Rule>, Vec<&Rule>) = found.into_iter().partition(|rule| rule.scope == Some(Lasting::Outright));
    let (mute, found): (Vec<&Rule>, Vec<&Rule>) = found.into_iter().partition(|rule| rule.force == Force::Mute);
    let mut cues: Vec<&Rule> = found.into_iter().filter(|rule| commits(rule, voice)).collect();
    cues.sort_by_key(|rule| (rule.force == Force::Weak, rank(rule.kind)));
    let mut seen = match cues.first() {
        Some(first) => Seen::by(first),
        None => uncued(voice, setting, narrative, over),
    };
    let inherited = over.filter(|_| seen.kind.is_some());
    // "Do not do any of these: push to main" orders nothing.
    let is_banned = voice == Voice::Human
        && inherited.is_some_and(|rule| rule.kind == CueKind::Prohibition)
        && matches!(seen.kind, Some(EntryKind::Requirement | EntryKind::Unclassified));
    if is_banned {
        seen.kind = Some(EntryKind::Prohibition);
    }
    for kind in cues.iter().copied().chain(inherited).filter_map(|rule| rule.kind.entry()) {
        if Some(kind) != seen.kind && !seen.also.contains(&kind) && kind != EntryKind::Unclassified {
            seen.also.push(kind);
        }
    }
    seen.also.sort_unstable();
    if voice == Voice::Human && cues.iter().copied().chain(inherited).any(|rule| rule.scope == Some(Lasting::Standing)) {
        seen.scope = Scope::Standing;
    }
    seen.is_outright = is_banned || seen.kind.is_some() && lasting.iter().any(|rule| rule.kind.entry() == seen.kind);
    let owed = over.is_some_and(|rule| rule.acts.contains(&Act::NotYet));
    let asks = asks || seen.kind == Some(EntryKind::Question);
    let said = cues.iter().chain(&mute).flat_map(|rule| rule.acts.iter().copied());
    seen.acts = said.chain(asks.then_some(Act::Asks)).chain(owed.then_some(Act::NotYet)).collect();
    seen.acts.sort_unstable();
    seen.acts.dedup();
    seen
}

/// Whether a cue says anything in a sentence that asks, or does not.
fn counts(rule: &Rule, asks: bool) -> bool {
    if asks { rule.asks != Asks::Never || rule.kind == CueKind::Question } else { rule.asks != Asks::Only }
}

/// Without the cues that count only beside others that are not there.
fn together(found: Vec<&Rule>) -> Vec<&Rule> {
    let is_there = |id: &str| found.iter().any(|rule| *rule.id == *id);
    let alone = |rule: &&Rule| rule.beside.is_empty() || rule.beside.iter().any(|id| is_there(id));
    found.iter().copied().filter(alone).collect()
}

/// Whether a cue makes a commitment of what this voice says.
fn commits(rule: &Rule, voice: Voice) -> bool {
    match rule.kind {
        CueKind::Narrative => false,
        CueKind::Question => voice != Voice::Human,
        _ => voice != Voice::Assistant || rule.force == Force::Strong,
    }
}

/// What a sentence without a cue is.
fn uncued<'r>(voice: Voice, setting: Setting, narrative: Option<&'r Rule>, over: Option<&'r Rule>) -> Seen<'r> {
    if let Some((kind, rule)) = over.and_then(|rule| Some((rule.kind.entry()?, rule))) {
        return Seen { is_cued: true, ..Seen::of(kind, &rule.id) };
    }
    let counts = |rule: &&Rule| rule.drop == Drop::Soft || setting == Setting::Lean;
    match (voice, narrative.filter(counts)) {
        (Voice::Assistant, _) => Seen::narrative("assistant"),
        (Voice::Human, Some(rule)) => Seen::narrative(&rule.id),
        (Voice::Human, None) => Seen::of(EntryKind::Unclassified, "human"),
        (Voice::Last, _) => Seen::of(EntryKind::Unclassified, "last-of-turn"),
    }
}

/// Which of several kinds is a sentence's own; the others are further ones.
pub(super) fn rank(kind: CueKind) -> u8 {
    match kind {
        CueKind::Prohibition => 0,
        CueKind::Task => 1,
        CueKind::Question => 2,
        CueKind::Ordering => 3,
        CueKind::Requirement => 4,
        CueKind::Decision => 5,
        CueKind::Value => 6,
        CueKind::Reference => 7,
        CueKind::Unclassified => 8,
        CueKind::Narrative => 9,
    }
}
