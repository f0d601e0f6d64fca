//! Commitments: what was said that must survive. From the regions of a text to entries, each with a key, a scope and a lifetime
//! (DESIGN section 4).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::hash::Hash64;
use crate::base::ids::{CallIx, EntryId, TurnIx};
use crate::base::text::prefix;
use crate::ledger::book::{self, Draft};
use crate::ledger::entry::{
    Check, Discharge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Pointer, Scope, Trust, Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::identifiers::identifiers;
use crate::ledger::lifetimes::{LastTurn, Life, Living, Order, Trouble, Wanted};
use crate::ledger::rows::EndHow;
use crate::ledger::snapshot::Slot;
use crate::ledger::tagging::{Act, Deeds, Region, Source};
use crate::transcript::ResolutionStatus;

/// A text of more bytes than this is one commitment, with what holds on and what forbids lifted out (DESIGN section 4, "Lifetimes").
pub(super) const LONG_BYTES: usize = 1500;

/// So is a text of more segments than this.
const LONG_SEGMENTS: usize = 12;

/// At most this many segments are lifted out of such a text.
const MOST_LIFTED: usize = 8;

/// A value, a choice or a decision of at most this many bytes lives as long as it is used.
const SHORT_BYTES: usize = 240;

/// Something said.
#[derive(Clone, Copy)]
pub(super) struct Speech<'a> {
    /// Who says it, and where.
    pub(super) source: Source,
    /// The words.
    pub(super) text: &'a str,
    /// What the tagger makes of them.
    pub(super) regions: &'a [Region],
    /// Whether it does no more than answer what the human was asked.
    pub(super) answers: bool,
    /// Where they stand; the last message of a turn is read when the turn is over.
    pub(super) at: Moment,
    /// The bytes of their record.
    pub(super) pointer: Pointer,
    /// The verbs of what a session shows to be done.
    pub(super) verbs: &'a Deeds,
}

/// The commitments of a lane.
#[derive(Default)]
pub(super) struct Commitments {
    /// The newest entry of each key: the same words said again are one entry with one more place.
    by_key: FxHashMap<String, EntryId>,
    living: Living,
}

impl Commitments {
    /// A human said something, or whoever stands for one.
    pub(super) fn hear(&mut self, page: &mut Page<'_>, speech: Speech<'_>, last: LastTurn<'_>) {
        if speech.source == Source::Typed {
            self.living.prompt(page, &speech, last);
        }
        let opened = self.open(page, &speech);
        self.living.acts(page, &speech, &opened);
    }

    /// A turn is over, and this was its last message: the one that the human answers.
    pub(super) fn last_word(&mut self, page: &mut Page<'_>, speech: Speech<'_>) {
        let reports = self.living.turn_over(page, &speech);
        // That it was done is known already.
        if !reports || speech.regions.iter().any(|region| is_lifted(&speech, region)) {
            self.open(page, &speech);
        }
    }

    /// An action was begun whose words are `label`.
    pub(super) fn began(&mut self, page: &Page<'_>, label: &str) {
        self.living.began(label, page.at.turn);
    }

    /// A call ended.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, how: EndHow) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        self.living.ended(call, how, page.at.turn);
        if how.status() == ResolutionStatus::Result {
            let label = Arc::clone(&call.label);
            self.living.done(page, &label);
        }
    }

    /// Joins the entries about actions that the event opened to the conditions and prohibitions that they stand under.
    pub(super) fn guard(&self, page: &mut Page<'_>) {
        let opened: Vec<EntryId> = page.delta.opened().collect();
        for id in opened {
            let Some(Slot::Entry(action)) = page.rows.entries.get(id.index()).filter(|slot| is_action(slot)) else { continue };
            let label = action.line_text.clone();
            for guard in self.living.guards(page.rows, &label) {
                let Some(Slot::Entry(words)) = page.rows.entries.get(guard.index()) else { continue };
                let condition = words.text.to_string();
                book::edit(page.rows, id, |entry| {
                    if !entry.preconditions.contains(&condition) {
                        entry.preconditions.push(condition);
                    }
                });
                book::link(page.rows, guard, EdgeKind::Guards, id, page.at.event);
            }
        }
    }

    /// A human picked from the last message of a turn: they may pick from it again.
    pub(super) fn picked_from(&mut self, turn: TurnIx, now: TurnIx) {
        self.living.picked_from(turn, now);
    }

    /// Something came in between: the turn does not end as it would have.
    pub(super) fn troubled(&mut self, trouble: Trouble) {
        self.living.troubled(trouble);
    }

    /// A message that nothing follows reports: what was asked for in the turn that goes on counts for now as claimed.
    pub(super) fn reported(&mut self, page: &mut Page<'_>) {
        self.living.reported(page);
    }

    /// The turn goes on: nothing had been reported yet.
    pub(super) fn reported_too_early(&mut self, page: &mut Page<'_>) {
        self.living.reported_too_early(page);
    }

    /// Whether something was asked in a turn, and is owed until that is over.
    pub(super) fn is_asked(&self, turn: TurnIx) -> bool {
        self.living.is_asked(turn)
    }

    /// The turn goes on: what counted for now as its last message was none.
    pub(super) fn went_on(&mut self) {
        self.living.went_on();
    }

    /// The turns from `first_gone` on were taken back, and what they had closed is live again.
    pub(super) fn rewound(&mut self, page: &mut Page<'_>, first_gone: TurnIx) {
        let back: Vec<EntryId> = page.delta.revived().collect();
        self.living.rewound(first_gone);
        for id in back {
            let Some(Slot::Entry(entry)) = page.rows.entries.get(id.index()).filter(|slot| is_commitment(slot)) else { continue };
            let (key, life) = (entry.key.clone(), life_of(entry, page.rules.cues.deeds()));
            let source = if entry.is_of_last_message() { Source::LastOfTurn } else { Source::Typed };
            self.by_key.insert(key, id);
            if !self.living.knows(id) {
                self.living.born(page, id, (life, Wanted::Else), source);
            }
        }
    }

    /// A record stated a commitment: from now on it is known by its key, and lives as others do.
    pub(super) fn recorded(&mut self, page: &Page<'_>, id: EntryId) {
        let Some(Slot::Entry(entry)) = page.rows.entries.get(id.index()).filter(|slot| is_commitment(slot)) else { return };
        let life = life_of(entry, page.rules.cues.deeds());
        self.by_key.insert(entry.key.clone(), id);
        self.living.born(page, id, (life, Wanted::Else), Source::Answer);
    }

    /// Opens the entries of a text: one a region, in their order.
    fn open(&mut self, page: &mut Page<'_>, speech: &Speech<'_>) -> Vec<(EntryId, usize)> {
        let mut opened = Vec::new();
        let words = speech.regions.iter().filter(|region| region.kind.is_some()).count();
        let is_long = speech.text.len() > LONG_BYTES || words > LONG_SEGMENTS;
        if is_only_pasted(speech) {
            self.note(page, speech, &whole(speech));
            return opened;
        }
        let is_whole = is_long || matches!(speech.source, Source::LastOfTurn | Source::Rules);
        // An order that is most of a long prompt is the same thing once more.
        let is_most = |region: &Region| is_long && region.is_order && region.range.len() * 2 > speech.text.len();
        if is_whole && speech.regions.iter().any(|region| region.kind.is_some()) {
            let most = speech.regions.iter().find(|region| is_most(region)).and_then(|region| region.kind);
            self.note(page, speech, &Region { also: most.into_iter().collect(), ..whole(speech) });
        }
        let lifted = speech.regions.iter().filter(|region| is_lifted(speech, region)).count();
        // What forbids in every other line is a template, and holds as a whole.
        let is_template = is_whole && lifted > MOST_LIFTED;
        for (n, region) in speech.regions.iter().enumerate() {
            if !is_whole && only_asks(speech.source, region) {
                opened.push((self.note(page, speech, &Region { rule: Entry::OF_INQUIRY.into(), ..region.clone() }), n));
            }
            if !commits(region) {
                continue;
            }
            let is_part = !is_template && is_lifted(speech, region) && !(is_most(region) && region.scope != Scope::Standing);
            let is_own = !is_whole || region.trust == Trust::Explicit || is_part;
            if !is_own {
                continue;
            }
            opened.push((self.note(page, speech, region), n));
        }
        opened
    }

    /// Opens the entry of one region, or adds a place to the one that says the same.
    fn note(&mut self, page: &mut Page<'_>, speech: &Speech<'_>, region: &Region) -> EntryId {
        let text = speech.text.get(region.range.clone()).unwrap_or("").trim();
        let kind = kind_of(region);
        let key = region.key.clone().map_or_else(|| key(kind, text), Cow::Owned).into_owned();
        let known = self.by_key.get(&key).copied().filter(|id| page.rows.live.contains(id));
        if let Some(id) = known {
            if region.key.is_none() || has_text(page, id, text) {
                again(page, id, speech.at);
                // Who asks once more has not got it.
                if book::status(page.rows, id) == Some(EntryStatus::Claimed) {
                    book::set_status(page.rows, page.delta, id, page.at.event, EntryStatus::Live);
                }
                self.living.again(id, page.at.turn);
                return id;
            }
            // An explicit key with new words: a human's take the place of the old ones; else both stay, and somebody must decide.
            let id = self.add(page, speech, region, key, text);
            if is_human(speech.source) {
                book::set_status(page.rows, page.delta, known.unwrap_or(id), page.at.event, EntryStatus::Superseded);
                book::link(page.rows, id, EdgeKind::Supersedes, known.unwrap_or(id), page.at.event);
            }
            return id;
        }
        self.add(page, speech, region, key, text)
    }

    fn add(&mut self, page: &mut Page<'_>, speech: &Speech<'_>, region: &Region, key: String, text: &str) -> EntryId {
        let draft = draft(speech, region, key.clone(), text);
        let id = book::open_at(page.rows, page.delta, draft, page.at.event);
        book::edit(page.rows, id, |entry| {
            entry.also.clone_from(&region.also);
            if region.kind == Some(EntryKind::Reference) {
                entry.also.push(EntryKind::Reference);
            }
            if entry.pointer.is_some() {
                entry.marked = marked(speech);
            }
            if region.acts.contains(&Act::Guards) {
                entry.preconditions.extend(condition(text));
            }
        });
        self.by_key.insert(key, id);
        let Some(Slot::Entry(entry)) = page.rows.entries.get(id.index()) else { return id };
        let life = life_of(entry, speech.verbs);
        let wanted = if kind_is_asked_for(region, text, speech.verbs) || region.kind.is_none() {
            Wanted::of(speech.source, region, text, speech.verbs)
        } else {
            Wanted::Else
        };
        self.living.born(page, id, (life, wanted), speech.source);
        id
    }
}

/// Whether the words of a region are a commitment. Those that only point at something say what is wanted, too.
fn commits(region: &Region) -> bool {
    region.kind.is_some_and(|kind| kind.is_commitment() || kind == EntryKind::Reference)
}

/// The kind of the entry of a region.
fn kind_of(region: &Region) -> EntryKind {
    region.kind.filter(|kind| kind.is_commitment()).unwrap_or(EntryKind::Unclassified)
}

/// Whether a human does no more than ask: that is no commitment, and owed all the same until it is answered.
fn only_asks(source: Source, region: &Region) -> bool {
    let is_said = matches!(source, Source::Typed | Source::Steering);
    is_said && region.kind.is_none() && region.acts.contains(&Act::Asks)
}

/// Whether a region may ask for something that ends by itself: what forbids, orders or sets a value does not. "Once that is done, let
/// me know how it went" asks to be told.
fn kind_is_asked_for(region: &Region, text: &str, verbs: &Deeds) -> bool {
    let inquires = region.scope == Scope::OneShot && region.acts.contains(&Act::Inquires);
    let to_tell = inquires && (region.acts.contains(&Act::Asks) || !Order::ends_with_an_action(text, verbs));
    let asked_for = |kind: &EntryKind| match kind {
        EntryKind::Requirement | EntryKind::Reference | EntryKind::Unclassified => true,
        EntryKind::Ordering => to_tell,
        _ => false,
    };
    region.kind.as_ref().is_some_and(asked_for) && !region.is(EntryKind::Prohibition)
}

/// Whether an entry is about an action that a condition may stand before.
fn is_action(slot: &Slot) -> bool {
    use EntryKind::{Done, Effect, Process, Retry, Task, Transaction};
    matches!(slot, Slot::Entry(entry) if matches!(entry.kind, Effect | Retry | Transaction | Process | Task | Done))
}

/// Whether somebody says nothing but what they pasted: then that is what they ask about, and what is left of it by sentence is no word
/// of theirs.
fn is_only_pasted(speech: &Speech<'_>) -> bool {
    let says = |region: &Region| {
        let text = speech.text.get(region.range.clone()).unwrap_or("");
        region.kind.is_some() && text.split_whitespace().nth(1).is_some()
    };
    speech.source == Source::Typed
        && speech.regions.iter().any(|region| region.rule == Region::PASTE)
        && !speech.regions.iter().any(says)
}

/// The whole of a text as one region.
fn whole(speech: &Speech<'_>) -> Region {
    let (rule, scope) = match speech.source {
        Source::Rules => (Entry::OF_RULES_FILE, Scope::Standing),
        Source::LastOfTurn => (Entry::OF_LAST_MESSAGE, Scope::OneShot),
        _ => (Entry::OF_LONG_PROMPT, Scope::OneShot),
    };
    Region {
        range: 0..speech.text.len(),
        kind: Some(EntryKind::Unclassified),
        also: Vec::new(),
        scope,
        is_order: false,
        rule: rule.into(),
        trust: Trust::Inferred,
        key: None,
        acts: Vec::new(),
    }
}

/// The parts of a long text that hold on or forbid.
fn marked(speech: &Speech<'_>) -> Vec<Range<usize>> {
    let start = speech.text.len() - speech.text.trim_start().len();
    let holds_on = |region: &&Region| {
        let text = speech.text.get(region.range.clone()).unwrap_or("");
        region.kind.is_some_and(EntryKind::is_commitment)
            && (region.is(EntryKind::Prohibition) || scope(speech, region, text) == Scope::Standing)
    };
    let own = speech.regions.iter().filter(holds_on).map(|region| &region.range);
    own.map(|range| range.start.saturating_sub(start)..range.end.saturating_sub(start)).collect()
}

/// Whether a region is an entry of its own beside the whole that it is a part of.
fn is_lifted(speech: &Speech<'_>, region: &Region) -> bool {
    let text = speech.text.get(region.range.clone()).unwrap_or("");
    match speech.source {
        Source::Rules => false,
        Source::LastOfTurn => region.kind == Some(EntryKind::Decision),
        _ => scope(speech, region, text) == Scope::Standing || (region.kind == Some(EntryKind::Prohibition) && region.is_order),
    }
}

/// Whether a human says it.
pub(super) fn is_human(source: Source) -> bool {
    matches!(source, Source::Typed | Source::Steering | Source::Answer)
}

/// How long an entry lives.
fn life_of(entry: &Entry, verbs: &Deeds) -> Life {
    if entry.scope == Scope::Standing || entry.trust == Trust::Explicit {
        return Life::Standing;
    }
    match entry.kind {
        _ if entry.rule == Entry::OF_INQUIRY => Life::Asked,
        EntryKind::Ordering => Order::of(&entry.text, verbs).map_or(Life::OneShot, Life::UntilDone),
        EntryKind::Value | EntryKind::Decision if entry.text.len() <= SHORT_BYTES && !entry.identifiers.is_empty() => {
            Life::WhileUsed
        }
        _ => Life::OneShot,
    }
}

/// The scope of a region. An ordering whose two ends are actions is seen to end.
fn scope(speech: &Speech<'_>, region: &Region, text: &str) -> Scope {
    let may_be_seen = region.scope != Scope::OneShot && region.kind == Some(EntryKind::Ordering) && region.trust != Trust::Explicit;
    if may_be_seen && Order::of(text, speech.verbs).is_some() { Scope::OneShot } else { region.scope }
}

fn is_commitment(slot: &Slot) -> bool {
    matches!(slot, Slot::Entry(entry) if entry.kind.is_commitment())
}

/// The condition in a text that sets one: from its word to the end of its clause.
pub(super) fn condition(text: &str) -> Option<String> {
    const WORDS: &[&str] = &["unless ", "until ", "while ", "as long as ", "only if ", "only when ", "once ", "if "];
    let lower = text.to_ascii_lowercase();
    let at = WORDS.iter().filter_map(|word| lower.find(word)).min()?;
    let clause = text.get(at..)?;
    let end = clause.find([',', ';', '.', '!']).unwrap_or(clause.len());
    clause.get(..end).map(|clause| clause.trim().to_owned())
}

fn has_text(page: &Page<'_>, id: EntryId, text: &str) -> bool {
    matches!(page.rows.entries.get(id.index()), Some(Slot::Entry(entry)) if *entry.text == *text)
}

/// Adds a place at which a live entry was said again.
fn again(page: &mut Page<'_>, id: EntryId, at: Moment) {
    let since = page.at.event;
    book::edit(page.rows, id, |entry: &mut Entry| {
        entry.evidence.push(since);
        entry.holders.push(Holder { span: at.span, form: HolderForm::Verbatim, since });
        if entry.lost_at(since).is_some() {
            entry.lost.push((since, None));
        }
    });
}

fn draft(speech: &Speech<'_>, region: &Region, key: String, text: &str) -> Draft {
    let is_part = region.range.len() < speech.text.trim().len();
    Draft {
        kind: kind_of(region),
        key,
        line_text: crate::ledger::label::first_line(text),
        text: Arc::from(text),
        trust: if speech.source == Source::Answer { region.trust.min(Trust::Structured) } else { region.trust },
        rule: region.rule.clone(),
        scope: scope(speech, region, text),
        opened: speech.at,
        action: None,
        identifiers: exact_values(text),
        discharge: Discharge {
            text: match scope(speech, region, text) {
                Scope::Standing => "a later prompt that lifts it, or replaces it".to_owned(),
                Scope::OneShot | Scope::Action => "done, and left behind by later prompts; or lifted".to_owned(),
            },
            check: Check::Revoked,
            needs: Vec::new(),
            observable: true,
        },
        weight: Weight::Repair,
        pointer: (!is_part && text.len() > LONG_BYTES).then_some(speech.pointer),
    }
}

/// The exact values that a text names, each once.
pub(super) fn exact_values(text: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for found in identifiers(text) {
        let value = text.get(found.range).unwrap_or("");
        if !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    values
}

/// `kind:slug~hash`: readable, and the same for the same words however they are spaced or cased.
pub(crate) fn key(kind: EntryKind, text: &str) -> Cow<'static, str> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let slug = words.iter().take(5).map(|word| prefix(word, 16)).collect::<Vec<_>>().join("-");
    let hash = Hash64::of_parts(words.iter().map(|word| word.as_bytes()));
    format!("{}:{slug}~{}", kind.word(), hash.short()).into()
}

#[cfg(test)]
mod tests {
    use super::{EntryKind, key};

    #[test]
    fn the_same_words_have_the_same_key() {
        let key = |text| key(EntryKind::Prohibition, text);
        assert_eq!(key("Do not drop  columns."), key("do not drop columns"));
        assert_ne!(key("Do not drop columns."), key("Do drop columns."));
        assert!(key("Do not drop or rename any column").starts_with("prohibition:do-not-drop-or-rename~"));
    }
}
