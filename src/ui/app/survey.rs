//! The table of all policies: what each would drop now. One policy is asked for at a time, so that nothing else waits for it.

use std::sync::Arc;

use super::{List, Narrow};
use crate::base::ids::{EventIx, LaneIx};
use crate::compaction::judgement::Verdict;
use crate::session::{Progress, Snapshot};
use crate::ui::assess::{Outcome, PolicyName, Question, Ticket};

/// What each policy would do.
#[derive(Debug)]
pub(crate) struct Survey {
    policies: Vec<PolicyName>,
    /// The newest answer for each.
    answers: Vec<Answer>,
    /// What the worker has been asked for and has not answered.
    asked: Option<Ticket>,
    /// The policy to ask for next.
    next: usize,
    sort: Order,
    narrow: Narrow,
    /// The rows in order, as places among the policies.
    rows: Vec<usize>,
    pub(crate) list: List,
}

/// What is known of a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Answer {
    /// Nothing yet.
    #[default]
    Unknown,
    /// What it would do to the state that the ticket names.
    Known(Ticket, Outcome),
    /// That judging by it failed: a defect.
    Failed(Ticket),
}

/// By what the table is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The fewest severed entries, then the least at risk.
    #[default]
    Severed,
    AtRisk,
    Reclaimed,
    After,
    Verdict,
    Name,
}

impl Order {
    const ALL: [Self; 6] = [Self::Severed, Self::AtRisk, Self::Reclaimed, Self::After, Self::Verdict, Self::Name];

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Severed => "fewest severed first",
            Self::AtRisk => "least at risk first",
            Self::Reclaimed => "most reclaimed safely first",
            Self::After => "fewest tokens after first",
            Self::Verdict => "by verdict",
            Self::Name => "by name",
        }
    }

    /// The place of an outcome in this order.
    fn place(self, outcome: &Outcome) -> [u64; 3] {
        let (severed, at_risk) = (outcome.severed as u64, outcome.tokens.at_risk);
        let unreclaimed = u64::MAX - outcome.tokens.reclaimed_safely;
        match self {
            Self::Severed => [severed, at_risk, unreclaimed],
            Self::AtRisk => [at_risk, severed, unreclaimed],
            Self::Reclaimed => [unreclaimed, at_risk, severed],
            Self::After => [outcome.tokens.after, at_risk, severed],
            Self::Verdict => [best_first(outcome.verdict), severed, at_risk],
            Self::Name => [0; 3],
        }
    }
}

fn best_first(verdict: Verdict) -> u64 {
    match verdict {
        Verdict::Compact => 0,
        Verdict::Repair => 1,
        Verdict::Around => 2,
        Verdict::Defer => 3,
        Verdict::Refuse => 4,
        Verdict::Escalate => 5,
    }
}

impl Survey {
    pub(crate) fn new(policies: Vec<PolicyName>) -> Self {
        let answers = vec![Answer::Unknown; policies.len()];
        let rows = (0..policies.len()).collect();
        Self {
            policies,
            answers,
            asked: None,
            next: 0,
            sort: Order::default(),
            narrow: Narrow::default(),
            rows,
            list: List::default(),
        }
    }

    pub(crate) fn sort(&self) -> Order {
        self.sort
    }

    pub(crate) fn narrow(&self) -> &Narrow {
        &self.narrow
    }

    pub(crate) fn set_narrow(&mut self, narrow: Narrow) {
        self.narrow = narrow;
        self.arrange();
    }

    /// Number of policies.
    pub(crate) fn all(&self) -> usize {
        self.policies.len()
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows from number `first` on: each policy with what is known of it.
    pub(crate) fn rows(&self, first: usize) -> impl Iterator<Item = (&PolicyName, &Answer)> + '_ {
        self.rows.iter().skip(first).filter_map(|n| Some((self.policies.get(*n)?, self.answers.get(*n)?)))
    }

    /// At which row a policy stands, from 1.
    pub(crate) fn place(&self, id: &Arc<str>) -> Option<usize> {
        self.rows.iter().position(|n| self.policies.get(*n).is_some_and(|policy| policy.id == *id)).map(|place| place + 1)
    }

    /// The policy under the cursor.
    pub(crate) fn selected(&self) -> Option<&PolicyName> {
        self.rows(self.list.selected).next().map(|(policy, _)| policy)
    }

    /// How many policies are known as of a state.
    pub(crate) fn known(&self, snapshot: &Snapshot, lane: LaneIx, moment: Option<EventIx>) -> usize {
        self.answers.iter().filter(|answer| answer.is_of(snapshot, lane, moment)).count()
    }

    /// Puts the cursor on a policy.
    pub(crate) fn select(&mut self, id: &Arc<str>) {
        self.list.selected = self.place(id).map_or(self.list.selected, |place| place - 1);
    }

    pub(crate) fn turn_sort(&mut self, steps: isize) {
        let count = isize::try_from(Order::ALL.len()).unwrap_or(1);
        let at = Order::ALL.iter().position(|order| *order == self.sort).and_then(|n| isize::try_from(n).ok()).unwrap_or(0);
        let next = usize::try_from((at + steps).rem_euclid(count)).unwrap_or(0);
        self.sort = Order::ALL.get(next).copied().unwrap_or_default();
        self.arrange();
    }

    /// The next policy to ask the worker for, of those that are not known as of this state. While a session is being read, none.
    pub(crate) fn ask(&mut self, snapshot: &Snapshot, lane: LaneIx, moment: Option<EventIx>) -> Option<Ticket> {
        if snapshot.progress != Progress::Complete || snapshot.lane(lane).is_none() || self.asked.is_some() {
            return None;
        }
        let count = self.policies.len();
        let round = (0..count).map(|n| (self.next + n) % count);
        let next = round.into_iter().find(|n| self.answers.get(*n).is_some_and(|answer| !answer.is_of(snapshot, lane, moment)))?;
        let question = Question { policy: Some(self.policies.get(next)?.id.clone()), cut: None };
        self.next = next + 1;
        self.asked = Some(Ticket { epoch: snapshot.epoch, revision: snapshot.revision, lane, moment, question });
        self.asked.clone()
    }

    /// Takes the answer to what was asked; none: judging failed. The cursor stays on its policy.
    pub(crate) fn take(&mut self, ticket: &Ticket, outcome: Option<Outcome>) -> bool {
        if self.asked.as_ref() != Some(ticket) {
            return false;
        }
        self.asked = None;
        let place = self.policies.iter().position(|policy| Some(&policy.id) == ticket.question.policy.as_ref());
        if let Some(answer) = place.and_then(|n| self.answers.get_mut(n)) {
            *answer = outcome.map_or_else(|| Answer::Failed(ticket.clone()), |outcome| Answer::Known(ticket.clone(), outcome));
        }
        self.arrange();
        true
    }

    /// Lists the rows that words leave: those of which nothing is known last, equal ones by name. The cursor stays on its policy.
    fn arrange(&mut self) {
        let held = self.selected().map(|policy| policy.id.clone());
        let (answers, sort) = (&self.answers, self.sort);
        let left = self.policies.iter().enumerate().filter(|(n, policy)| self.narrow.leaves(|| words_of(policy, answers.get(*n))));
        self.rows = left.map(|(n, _)| n).collect();
        self.rows.sort_by_key(|n| match answers.get(*n) {
            Some(Answer::Known(_, outcome)) => (0, sort.place(outcome), *n),
            _ => (1, [0; 3], *n),
        });
        if let Some(id) = held {
            self.select(&id);
        }
    }
}

/// What a row is found by.
fn words_of(policy: &PolicyName, answer: Option<&Answer>) -> String {
    let verdict = match answer {
        Some(Answer::Known(_, outcome)) => outcome.verdict.word(),
        _ => "",
    };
    format!("{} {} {} {verdict}", policy.id, policy.title, policy.alias.as_deref().unwrap_or_default())
}

impl Answer {
    /// Whether it is about this state of a session.
    pub(crate) fn is_of(&self, snapshot: &Snapshot, lane: LaneIx, moment: Option<EventIx>) -> bool {
        let (Self::Known(ticket, _) | Self::Failed(ticket)) = self else { return false };
        (ticket.epoch, ticket.revision, ticket.lane, ticket.moment) == (snapshot.epoch, snapshot.revision, lane, moment)
    }

    /// Whether it is about this lane at all.
    pub(crate) fn is_of_lane(&self, snapshot: &Snapshot, lane: LaneIx) -> bool {
        let (Self::Known(ticket, _) | Self::Failed(ticket)) = self else { return false };
        (ticket.epoch, ticket.lane) == (snapshot.epoch, lane)
    }
}
