//! Confirmation collapse, second kind: a file that this session wrote is told as committed or checked, and nothing in the session ever
//! committed or checked anything since. The ledger waits for a milestone only once a session has tried one; a summary that tells of it
//! makes it up all the same (essay 000, "Confirmation collapse").
//!
//! Medium for what is said to be recorded, low for what is said to be checked, as for work that the ledger knows to wait for it.

use std::collections::BTreeMap;

use crate::audit::case::Case;
use crate::audit::finding::{Finding, FindingClass, Severity};
use crate::audit::findings::constraint_inflation::is_from_summary;
use crate::base::ids::EventIx;
use crate::evidence::{Section, Sentence, Status, Words, stands_whole};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::EntryKind;
use crate::ledger::rows::{CallRow, EventKind};

/// A shorter name of a file is that of many, or a word.
const SHORT: usize = 5;

/// What may be made up of a file.
#[derive(Clone, Copy)]
enum Unseen {
    Commit,
    Check,
}

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    if case.is_unobserved() {
        return Vec::new();
    }
    let mut found: Vec<Finding> = Vec::new();
    for unseen in [Unseen::Commit, Unseen::Check] {
        for (file, first) in written(case, unseen) {
            let Some(sentence) = told(case, name_of(file), first, unseen) else { continue };
            let Some(passage) = case.passage(sentence).filter(|passage| !is_known(&found, &passage.text)) else { continue };
            let finding = Finding::of_passage(FindingClass::ConfirmationCollapse, unseen.severity(), passage);
            found.push(Finding { before: Some(format!("{}: {file}", unseen.before())), ..finding });
        }
    }
    found
}

/// So many calls before the boundary are looked through.
const LOOKED_AT: usize = 1000;

/// The files that were written since it may have happened, and that the page names; each with its first write.
fn written<'c>(case: &'c Case<'_>, unseen: Unseen) -> BTreeMap<&'c str, EventIx> {
    let before = case.lane.calls.iter().rev().skip_while(|call| call.event >= case.before);
    let since = before.take(LOOKED_AT).take_while(|call| !unseen.may_come_of(call)).filter(|call| writes(call));
    let named = since.filter_map(|call| Some((call.target.as_deref()?, call.event)));
    let mut written: BTreeMap<&str, EventIx> = named.filter(|(file, _)| !file.contains(' ')).collect();
    written.retain(|file, _| case.page().spells(name_of(file)) && !is_waited_for(case, file));
    written
}

/// Whether the ledger waits for something to be done with a file: then its entry's loss tells of it.
fn is_waited_for(case: &Case<'_>, file: &str) -> bool {
    let mut waiting = case.owed.iter().filter(|owed| owed.entry.kind == EntryKind::Unverified);
    waiting.any(|owed| owed.entry.identifiers.iter().any(|own| own == file))
}

fn is_known(found: &[Finding], text: &str) -> bool {
    found.iter().any(|other| other.after.as_deref() == Some(text))
}

/// Whether a call wrote a file, as its result shows.
fn writes(call: &CallRow) -> bool {
    call.class == Class::Write
        && call.world.as_deref() == Some("file")
        && call.ended().and_then(|end| end.effect) == Some(EffectStatus::Committed)
}

fn name_of(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The summary's sentence that names the file, and tells of it as done what nothing did.
fn told<'c>(case: &'c Case<'_>, name: &str, first: EventIx, unseen: Unseen) -> Option<&'c Sentence> {
    if name.len() < SHORT || !name.contains(|c: char| c == '.' || c.is_ascii_uppercase()) {
        return None;
    }
    let tells = |words: &Words| match unseen {
        Unseen::Commit => words.tell_a_commit(case.phrasebook),
        Unseen::Check => words.tell_a_check(case.phrasebook),
    };
    // Who typed that he did it himself is to be believed.
    let is_heard = || {
        let prompts = (first.index()..=case.before.index()).filter_map(|n| Some((n, case.lane.events.get(n)?)));
        let mut own = prompts.filter(|(_, row)| matches!(row.kind, EventKind::Prompt));
        own.any(|(n, _)| tells(&Words::of(&case.texts.text(EventIx::from_index(n)), case.phrasebook)))
    };
    let page = case.page();
    let told = page.sentences().iter().find(|sentence| {
        let is_own = || is_from_summary(case, sentence) && !matches!(sentence.section, Section::Quotes | Section::Requests);
        if !stands_whole(page.text_of(sentence), name) || !is_own() {
            return false;
        }
        let clauses = page.clauses_of(sentence);
        let denies = clauses.iter().any(|clause| clause.claim.denies);
        let waits = clauses.iter().any(|clause| clause.claim.status.is_some_and(|status| status != Status::Done));
        let done = clauses.iter().any(|clause| tells(&clause.words) && page.status_of(clause) == Some(Status::Done));
        done && !denies && !waits && !sentence.words.bind(case.phrasebook) && !sentence.words.need(case.phrasebook)
    });
    told.filter(|_| !is_heard())
}

impl Unseen {
    /// Whether a call may have been it, however it ended: another agent's work is seen by nobody.
    fn may_come_of(self, call: &CallRow) -> bool {
        let is_own = match self {
            Self::Commit => call.aftermath.commits(),
            Self::Check => call.aftermath.checks,
        };
        let is_of_another = call.class == Class::Control && call.aftermath.plan.is_none();
        is_own || is_of_another || (matches!(self, Self::Check) && call.class == Class::Execute)
    }

    fn before(self) -> &'static str {
        match self {
            Self::Commit => "written, and not committed since",
            Self::Check => "written, and not checked since",
        }
    }

    fn severity(self) -> Severity {
        match self {
            Self::Commit => Severity::Medium,
            Self::Check => Severity::Low,
        }
    }
}
