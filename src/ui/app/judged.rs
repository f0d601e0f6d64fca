//! What the reader has asked to be judged, and the newest answer.

use std::sync::Arc;

use crate::base::ids::{EventIx, LaneIx};
use crate::session::{Progress, Snapshot};
use crate::ui::assess::{Assessment, PolicyName, Question, Ticket};

/// Question and answer.
#[derive(Debug)]
pub(crate) struct Judged {
    /// The policies that there are.
    policies: Vec<PolicyName>,
    /// What is asked, beside lane and moment.
    pub(crate) question: Question,
    asked: Option<Ticket>,
    answer: Option<Arc<Assessment>>,
    /// What could not be answered.
    failed: Option<Ticket>,
    taken: u64,
}

impl Judged {
    pub(crate) fn new(policies: Vec<PolicyName>) -> Self {
        Self { policies, question: Question::default(), asked: None, answer: None, failed: None, taken: 0 }
    }

    pub(crate) fn answer(&self) -> Option<&Assessment> {
        self.answer.as_deref()
    }

    /// How many answers have been taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes an answer, unless the reader has asked something else meanwhile. One for a cut that has been moved on is taken too:
    /// whoever drags the cut sees what it does on the way.
    pub(crate) fn take(&mut self, answer: Arc<Assessment>) -> bool {
        let of = |ticket: &Ticket| (ticket.epoch, ticket.lane, ticket.question.policy.clone());
        let asked = self.asked.as_ref().is_some_and(|asked| of(asked) == of(&answer.ticket));
        let newer = self.answer.as_ref().is_none_or(|old| {
            (old.ticket.epoch, old.ticket.lane, old.ticket.moment)
                != (answer.ticket.epoch, answer.ticket.lane, answer.ticket.moment)
                || old.ticket.revision <= answer.ticket.revision
        });
        if asked && newer {
            self.answer = Some(answer);
            self.taken += 1;
        }
        asked && newer
    }

    /// Notes that a question could not be answered: an older answer is none to it. Whether anything has changed.
    pub(crate) fn fail(&mut self, ticket: Ticket) -> bool {
        if self.asked.as_ref() != Some(&ticket) {
            return false;
        }
        (self.answer, self.failed) = (None, Some(ticket));
        true
    }

    /// Whether what was asked last could not be answered.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.is_some() && self.failed == self.asked
    }

    /// The question to put to the worker, if it has not been put. While a session is being read nothing is judged.
    pub(crate) fn ask(&mut self, snapshot: &Snapshot, lane: LaneIx, moment: Option<EventIx>) -> Option<Ticket> {
        if snapshot.progress != Progress::Complete || snapshot.lane(lane).is_none() {
            return None;
        }
        let Snapshot { epoch, revision, .. } = *snapshot;
        let ticket = Ticket { epoch, revision, lane, moment, question: self.question.clone() };
        if self.asked.as_ref() == Some(&ticket) {
            return None;
        }
        self.asked = Some(ticket.clone());
        Some(ticket)
    }

    /// The policies that there are.
    pub(crate) fn policies(&self) -> &[PolicyName] {
        &self.policies
    }

    /// The policy that is asked by, or was answered by where the agent's own was asked for.
    pub(crate) fn policy(&self) -> Option<&Arc<str>> {
        self.question.policy.as_ref().or_else(|| self.answer.as_ref().map(|answer| &answer.judgement.policy))
    }

    /// Asks by the policy that stands `steps` after `from`, and says its title.
    pub(crate) fn turn_policy(&mut self, from: Option<&Arc<str>>, steps: isize) -> Option<String> {
        let at = self.policies.iter().position(|policy| Some(&policy.id) == from).and_then(|n| isize::try_from(n).ok());
        let count = isize::try_from(self.policies.len()).ok().filter(|count| *count > 0)?;
        let next = usize::try_from((at.unwrap_or(-1) + steps).rem_euclid(count)).ok()?;
        let id = self.policies.get(next)?.id.clone();
        self.choose(id)
    }

    /// Asks by a policy, and says its title.
    pub(crate) fn choose(&mut self, id: Arc<str>) -> Option<String> {
        let title = self.policies.iter().find(|policy| policy.id == id)?.title.clone();
        self.question = Question { policy: Some(id), cut: None };
        Some(title)
    }
}
