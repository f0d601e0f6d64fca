//! One boundary: the ledger just before it against all that stands after it.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use rustc_hash::FxHashMap;

use crate::audit::case::{Case, HARDLY, SAID};
use crate::audit::consequences::{self, Later, Shown};
use crate::audit::fate::Fate;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::findings::{self, Loss};
use crate::audit::hearing::{Heard, Hearing};
use crate::audit::humans::Humans;
use crate::audit::lists::is_one_list;
use crate::audit::mention::Mention;
use crate::audit::owed::{Owed, is_word};
use crate::audit::readings::Readings;
use crate::audit::standing::Standing;
use crate::audit::texts::Texts;
use crate::audit::uses::Shared;
use crate::audit::{BoundaryAudit, Obligations, Passage, Told};
use crate::base::ids::{BoundaryIx, EntryId, EventIx};
use crate::compaction::carrier::{Carrier, floor};
use crate::ledger::entry::Entry;
use crate::ledger::rows::BoundaryRow;
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::transcript::BoundaryKind;

/// The threads that an audit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// What need not be judged is done beside it.
    Beside,
    /// All is done on this one.
    Here,
}

/// Every compaction and masking of a lane, by place. What one has lost the next cannot lose: so they are judged one after the other, what
/// stands after the next one is read meanwhile, and what each cost is looked for.
pub(super) fn all((lane, threads): (&LaneSnapshot, Threads), texts: &dyn Texts, rules: &Rulebook) -> Vec<BoundaryAudit> {
    let boundaries = lane.boundaries.iter().enumerate().filter(|(_, row)| row.kind != BoundaryKind::Rewound);
    let boundaries: Vec<(usize, &BoundaryRow)> = boundaries.collect();
    let (ahead, read) = bounded(AHEAD);
    let (send, judged) = bounded(boundaries.len());
    let hear = || {
        let mut hearing = Hearing::default();
        boundaries.iter().map(move |(n, row)| (*n, *row, hearing.at(row, lane, texts, &rules.phrasebook)))
    };
    let uses = Shared::default();
    let cost = |judged| cost((lane, texts, rules), Shared::clone(&uses), judged);
    let is_worth_threads = threads == Threads::Beside && boundaries.len() > 1;
    thread::scope(|scope| {
        let named = |name: &str| thread::Builder::new().name(name.to_owned());
        let read_ahead = || named("owed-hear").spawn_scoped(scope, move || hear().all(|heard| ahead.send(heard).is_ok())).ok();
        let read_ahead = if is_worth_threads { read_ahead() } else { None };
        let beside = || {
            let judged = judged.clone();
            named("owed-cost").spawn_scoped(scope, move || cost(judged)).ok()
        };
        let beside = if is_worth_threads { beside() } else { None };
        let mut past = Past { readings: Readings::with(Shared::clone(&uses)), ..Past::default() };
        let mut judge = |(n, row, heard)| {
            let told = (row, one(BoundaryIx::from_index(n), row, heard, (lane, texts, rules), &mut past));
            // There is room for all of them, and the receiver here.
            _ = send.send(told);
        };
        match read_ahead {
            Some(_) => read.into_iter().for_each(&mut judge),
            None => hear().for_each(&mut judge),
        }
        drop(send);
        match beside {
            Some(beside) => beside.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => cost(judged),
        }
    })
}

/// So many boundaries are read before they are judged.
const AHEAD: usize = 2;

/// Looks for what the losses of each boundary cost.
fn cost<'a>(
    (lane, texts, rules): (&'a LaneSnapshot, &'a dyn Texts, &'a Rulebook),
    uses: Shared,
    judged: Receiver<(&'a BoundaryRow, BoundaryAudit)>,
) -> Vec<BoundaryAudit> {
    let shown = Shown::of(lane, uses, (texts, &rules.wordings));
    let all = judged.into_iter().map(|(row, mut audit)| {
        let later = Later::than(row, (lane, &shown), texts, rules);
        for finding in &mut audit.findings {
            finding.consequences = consequences::search(finding, &later);
        }
        audit.findings.sort_by_key(Finding::gravity);
        audit
    });
    all.collect()
}

/// What earlier boundaries have done, since what one has lost the next cannot lose; and what was read for them.
#[derive(Default)]
struct Past {
    lost: FxHashMap<EntryId, EventIx>,
    humans: Humans,
    readings: Readings,
}

fn one(
    ix: BoundaryIx,
    row: &BoundaryRow,
    (standing, heard): (Standing, Vec<Heard>),
    (lane, texts, rules): (&LaneSnapshot, &dyn Texts, &Rulebook),
    past: &mut Past,
) -> BoundaryAudit {
    let before = EventIx(row.event.0.saturating_sub(1));
    past.humans.take(heard);
    let entries: Vec<Arc<Entry>> = lane.live_at(before).into_iter().filter(|entry| past.stood(entry, before)).collect();
    let case = Case::new((lane, row, standing), texts, rules, (entries, &past.humans, &past.readings));
    let (entries, found) = if row.kind == BoundaryKind::Masking { masked(&case) } else { judged(&case) };
    for told in entries.iter().filter(|told: &&Told| matches!(told.fate, Fate::Missing | Fate::Contradicted)) {
        past.lost.insert(told.entry.id, row.event);
    }
    BoundaryAudit { boundary: ix, obligations: obligations(&entries, before), entries, findings: found }
}

impl Past {
    /// Whether an entry stood in the context: no earlier boundary has lost it, or it was said again since.
    fn stood(&self, entry: &Entry, before: EventIx) -> bool {
        let again = |lost: &EventIx| entry.places_at(before).any(|holder| holder.since > *lost);
        self.lost.get(&entry.id).is_none_or(again)
    }
}

/// The fate of each entry, and the findings: of an entry at most one, of a text that several entries say one.
fn judged(case: &Case<'_>) -> (Vec<Told>, Vec<Finding>) {
    let mut whole = findings::of_boundary(case);
    // What a commit was for, and what was answered with it, are gone with one sentence.
    let severed = whole.iter().filter(|finding| finding.class == FindingClass::BindingSevered && finding.entry.is_none());
    let of_commits: Vec<String> = severed.filter_map(|finding| finding.after.clone()).collect();
    let is_told_of = |finding: &Finding| finding.after.as_ref().is_some_and(|after| of_commits.contains(after));
    whole.retain(|finding| finding.class != FindingClass::CompletionErasure || !is_told_of(finding));
    let (mut told, mut found) = (Vec::new(), Vec::new());
    for owed in &case.owed {
        match findings::of_entry(case, owed) {
            Some((class, loss)) => {
                told.push(Told { entry: Arc::clone(&owed.entry), fate: loss.fate, stands: loss.after.clone() });
                if !is_told(&found, &whole, class, &loss, owed) {
                    found.push(Finding::of_loss(class, loss, &owed.entry));
                }
            }
            None => told.push(stands(case, owed)),
        }
    }
    let whole: Vec<Finding> = whole.into_iter().filter(|finding| !is_erasure(finding, &mut found)).collect();
    found.extend(whole);
    (told, found)
}

/// Whether a request that is back is what an effect has done that counts as gone: one loss, which is told as that of the effect.
fn is_erasure(directive: &Finding, found: &mut [Finding]) -> bool {
    let is_it = |finding: &&mut Finding| finding.class == FindingClass::CompletionErasure && of_one_turn(finding, directive);
    let erased = found.iter_mut().filter(|_| directive.class == FindingClass::StaleDirective).find(is_it);
    let Some(erased) = erased else { return false };
    if erased.after.is_none() {
        let Finding { after, after_event, after_line, .. } = directive.clone();
        *erased =
            Finding { after, after_event, after_line, severity: Severity::High, fate: Some(Fate::Contradicted), ..erased.clone() };
    }
    true
}

/// Whether the entries of two findings come from one turn.
fn of_one_turn(one: &Finding, other: &Finding) -> bool {
    let turn = |finding: &Finding| finding.entry.as_ref().map(|entry| entry.opened.turn);
    turn(one).is_some() && turn(one) == turn(other)
}

/// A masking takes no words away: what stood in them stands. What it hides is the boundary's own finding.
fn masked(case: &Case<'_>) -> (Vec<Told>, Vec<Finding>) {
    let told = |owed: &Owed| Told { entry: Arc::clone(&owed.entry), fate: Fate::Verbatim, stands: None };
    (case.owed.iter().map(told).collect(), findings::of_masking(case))
}

/// Whether a finding tells of this loss already: of the prompt that an entry is a part of, or of the same words.
fn is_told(found: &[Finding], whole: &[Finding], class: FindingClass, loss: &Loss, owed: &Owed) -> bool {
    let text = &*owed.entry.text;
    let is_part = |finding: &Finding| {
        finding.class == FindingClass::PromptLost && finding.before.as_deref().is_some_and(|before| before.contains(text))
    };
    let is_same_passage = |finding: &Finding, entry: &Entry| {
        let passage = loss.after.as_ref().map(|passage| passage.text.as_str());
        // What is told of an action and of the words that asked for it is told once.
        let is_one = entry.opened.event == owed.entry.opened.event || is_word(entry) != is_word(&owed.entry);
        passage.is_some() && finding.after.as_deref() == passage && is_one
    };
    let is_same = |finding: &Finding| {
        let entry = finding.entry.as_deref().filter(|_| finding.class == class);
        entry.is_some_and(|entry| *entry.text == *text || is_one_list(entry, &owed.entry) || is_same_passage(finding, entry))
    };
    whole.iter().any(is_part) || whole.iter().chain(found).any(is_same)
}

/// What stands for an entry that has no loss.
pub(super) fn stands(case: &Case<'_>, owed: &Owed) -> Told {
    let best = case.said(owed).max_by(|one, other| one.share.total_cmp(&other.share));
    let share = best.map_or(0.0, |saying| saying.share);
    let passage = || best.and_then(|saying| case.passage(saying.sentence));
    let quoted = || {
        let piece = case.standing.pieces.get(owed.quoted?)?;
        Some(Passage { event: piece.event, line: piece.line, text: owed.entry.text.to_string() })
    };
    let is_mentioned = || !is_word(&owed.entry) && Mention::of(case, owed).is_there();
    let (fate, stands) = match () {
        () if owed.stands() => (Fate::Verbatim, quoted()),
        () if case.is_unobserved() => (Fate::Unobserved, None),
        () if share >= SAID || is_mentioned() => (Fate::Restated, passage()),
        () if share >= HARDLY || owed.is_vague() => (Fate::Unverifiable, passage()),
        () => (Fate::Missing, None),
    };
    Told { entry: Arc::clone(&owed.entry), fate, stands }
}

fn obligations(entries: &[Told], at: EventIx) -> Obligations {
    let mut sum = Obligations::default();
    for told in entries {
        let tokens = Carrier::of(&told.entry, at).tokens;
        sum.before += tokens;
        sum.floor += floor(&told.entry);
        sum.after += if told.fate.is_kept() { tokens } else { 0 };
    }
    sum
}
