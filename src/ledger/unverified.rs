//! Unverified work: files written since the last passing check, edited since the last commit, committed and not pushed
//! (DESIGN section 3).
//!
//! One entry each, kept current: it stands at the newest write. A session that has never checked, committed or pushed says nothing about
//! whether it should, so there is none of that sort before the first time.

use std::sync::Arc;

use crate::base::ids::{CallIx, EntryId};
use crate::ledger::book::{self, Draft};
use crate::ledger::effects::{EffectStatus, UnverifiedFacts};
use crate::ledger::entry::{
    Check, Discharge, EdgeKind, Entry, EntryKind, EntryStatus, Holder, HolderForm, Moment, Scope, Trust, Weight,
};
use crate::ledger::folds::Page;
use crate::ledger::proof::{self, same_handle};
use crate::ledger::rows::{CallRow, EndHow};

/// Of the things that wait only this many are named; the others are known by their number alone.
const NAMED: usize = 20;

/// What has not been checked, committed, pushed.
#[derive(Default)]
pub(super) struct Unverified {
    check: Sort,
    commit: Sort,
    push: Sort,
}

/// One sort of verification.
#[derive(Default)]
struct Sort {
    /// It was tried in this session.
    used: bool,
    /// What waits for it, the oldest first.
    waiting: Vec<Waiting>,
    entry: Option<EntryId>,
}

struct Waiting {
    name: Arc<str>,
    at: Moment,
}

impl Unverified {
    /// Folds the end of a call whose result is `text`.
    pub(super) fn ended(&mut self, page: &mut Page<'_>, ix: CallIx, (how, text): (EndHow, &str), facts: &UnverifiedFacts) {
        let Some(call) = page.rows.calls.get(ix.index()) else { return };
        let wrote = written(call, facts);
        let (checks, milestones) = (call.aftermath.checks, (call.aftermath.commits(), call.aftermath.pushes()));
        if wrote.is_empty() && !checks && milestones == (false, false) {
            return;
        }
        let done = call_did_it(call, how, text);
        let (entry, span, label) = (call.entry, call.span, Arc::clone(&call.label));
        let at = Moment { span, ..page.at };
        for file in wrote {
            if !facts.unchecked.iter().any(|ending| file.ends_with(ending.as_str())) {
                self.check.wait(page, Milestone::Check, Arc::clone(&file), at);
            }
            self.commit.wait(page, Milestone::Commit, file, at);
        }
        if matches!(how, EndHow::Refused | EndHow::Declined) {
            // What the human does not allow, this session does not do.
            return;
        }
        if checks {
            self.check.tried(page, Milestone::Check);
            // Where nothing waits there is nothing to find in the result.
            if how == EndHow::Success && !self.check.waiting.is_empty() && !facts.failed.stand_in(text) {
                self.check.verified(page, entry);
            }
        }
        let (commits, pushes) = milestones;
        if commits {
            self.commit.tried(page, Milestone::Commit);
            // Of a command that failed after its commit the result says so.
            let ran = matches!(how, EndHow::Failed(_) | EndHow::Returned | EndHow::TimedOut);
            let committed = done || (ran && proof::of_commit(text).is_some());
            if committed {
                self.commit.verified(page, entry);
                // Its hooks let it through only when what they check had passed.
                if !self.check.waiting.is_empty() && facts.hooked.stand_in(text) {
                    self.check.verified(page, entry);
                }
            }
            if committed && !(pushes && done) {
                self.push.wait(page, Milestone::Push, proof::of_commit(text).map_or(label, Arc::from), at);
            }
        }
        if pushes {
            self.push.tried(page, Milestone::Push);
            if done {
                self.push.verified(page, entry);
            }
        }
    }
}

/// The files that a call has written and of which a check or a commit is expected.
fn written(call: &CallRow, facts: &UnverifiedFacts) -> Vec<Arc<str>> {
    let program = call.intent.split(' ').next().unwrap_or_default();
    let writes = is_committed(call) && call.world.as_deref() == Some("file") && !facts.harmless.iter().any(|own| own == program);
    let files = call.target.iter().filter(|_| writes).flat_map(|target| target.split(' '));
    let is_scratch = |file: &str| {
        let lies_in =
            |part: &String| part.strip_prefix('^').map_or_else(|| file.contains(part.as_str()), |start| file.starts_with(start));
        facts.scratch.iter().any(lies_in)
    };
    files.filter(|file| !is_scratch(file)).map(Arc::from).collect()
}

fn is_committed(call: &CallRow) -> bool {
    call.ended().and_then(|end| end.effect) == Some(EffectStatus::Committed)
}

/// Whether a commit or a push is known to have happened, by its result or by a hook.
fn call_did_it(call: &CallRow, how: EndHow, text: &str) -> bool {
    is_committed(call) && !matches!(how, EndHow::Failed(_) | EndHow::Started) && !call.aftermath.half_done(how, text)
}

/// What unverified work waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Milestone {
    /// A check that passes.
    Check,
    /// A commit.
    Commit,
    /// A push.
    Push,
}

impl Milestone {
    /// What an entry of unverified work waits for; none of any other entry.
    #[must_use]
    pub fn of(entry: &Entry) -> Option<Self> {
        [Self::Check, Self::Commit, Self::Push].into_iter().find(|one| entry.key == one.words().key)
    }

    fn words(self) -> Words {
        let (key, line, end) = match self {
            Self::Check => ("unverified:check", "written since the last passing check", "a check passes after the newest write"),
            Self::Commit => ("unverified:commit", "written since the last commit", "it is committed"),
            Self::Push => ("unverified:push", "committed and not pushed", "it is pushed"),
        };
        Words { key, line, end }
    }
}

/// The words of one sort: its key, what it says, how it ends.
#[derive(Clone, Copy)]
struct Words {
    key: &'static str,
    line: &'static str,
    end: &'static str,
}

impl Sort {
    /// Something waits from now on.
    fn wait(&mut self, page: &mut Page<'_>, milestone: Milestone, name: Arc<str>, at: Moment) {
        let known = self.waiting.iter().any(|waiting| same_handle(&waiting.name, &name));
        match self.entry {
            Some(entry) => {
                let room = self.waiting.len() < NAMED;
                book::edit(page.rows, entry, |entry| {
                    let since = at.event;
                    if entry.holders.last().is_none_or(|holder| holder.span != at.span) {
                        entry.holders.push(Holder { span: at.span, form: HolderForm::Verbatim, since });
                    }
                    if !known && room {
                        entry.named.push((since, name.to_string()));
                    }
                    if entry.lost_at(since).is_some() {
                        entry.lost.push((since, None));
                    }
                    entry.evidence.push(since);
                });
                if !known && room {
                    self.waiting.push(Waiting { name, at });
                }
            }
            None if self.used => {
                self.waiting.clear();
                self.waiting.push(Waiting { name, at });
                self.open(page, milestone);
            }
            None => {
                self.waiting.retain(|waiting| !same_handle(&waiting.name, &name));
                if self.waiting.len() == NAMED {
                    self.waiting.remove(0);
                }
                self.waiting.push(Waiting { name, at });
            }
        }
    }

    /// It was tried, with whatever success: what was written before the first time counts from now on.
    fn tried(&mut self, page: &mut Page<'_>, milestone: Milestone) {
        let first = !std::mem::replace(&mut self.used, true);
        if first && !self.waiting.is_empty() {
            self.open(page, milestone);
        }
    }

    fn verified(&mut self, page: &mut Page<'_>, by: EntryId) {
        self.waiting.clear();
        if let Some(entry) = self.entry.take() {
            book::set_status(page.rows, page.delta, entry, page.at.event, EntryStatus::Discharged);
            book::link(page.rows, entry, EdgeKind::Discharges, by, page.at.event);
        }
    }

    fn open(&mut self, page: &mut Page<'_>, milestone: Milestone) {
        let Some(newest) = self.waiting.last() else { return };
        // It is known from now on; it stands where the newest write stands.
        let opened = Moment { span: newest.at.span, turn: newest.at.turn, ..page.at };
        let words = milestone.words();
        let names: Vec<String> = self.waiting.iter().map(|waiting| waiting.name.to_string()).collect();
        let draft = Draft {
            kind: EntryKind::Unverified,
            key: words.key.to_owned(),
            line_text: words.line.to_owned(),
            text: Arc::from(words.line),
            trust: Trust::Structured,
            rule: "unverified".into(),
            scope: Scope::Action,
            opened,
            action: None,
            identifiers: names,
            discharge: Discharge { text: words.end.to_owned(), check: Check::Succeeded, needs: Vec::new(), observable: true },
            weight: Weight::Repair,
            pointer: None,
        };
        self.entry = Some(book::open(page.rows, page.delta, draft));
    }
}
