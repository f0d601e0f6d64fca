//! The worker: one thread that judges, reads and paints, so that the thread that draws never waits.
//!
//! Of each kind of job only the newest counts: asking never blocks and nothing piles up.

mod hands;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::Sender;

use super::app::{AuditKey, DocumentKey, SearchKey};
use super::assess::{Seat, Ticket};
use super::msg::{Job, Msg, TextKey};
use super::runtime::Ask;
use crate::ledger::LaneSnapshot;
use crate::session::Snapshot;

pub(crate) use self::hands::Hands;

/// The handle of the worker. Dropping it lets the thread end after the job at hand.
pub(crate) struct Worker {
    slots: Arc<Slots>,
}

/// The newest job of each kind.
#[derive(Default)]
struct Slots {
    jobs: Mutex<Waiting>,
    wake: Condvar,
}

#[derive(Default)]
struct Waiting {
    assess: Option<(Ticket, Arc<Snapshot>)>,
    beside: Option<(Ticket, Arc<Snapshot>)>,
    survey: Option<(Ticket, Arc<Snapshot>)>,
    audit: Option<(AuditKey, Arc<LaneSnapshot>)>,
    search: Option<(SearchKey, Arc<LaneSnapshot>)>,
    text: Option<(TextKey, Arc<LaneSnapshot>)>,
    document: Option<(DocumentKey, Arc<LaneSnapshot>)>,
    over: bool,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn start(mut hands: Hands, answers: Sender<Msg>) -> std::io::Result<Self> {
        let slots = Arc::new(Slots::default());
        let own = slots.clone();
        thread::Builder::new().name("owed-worker".to_owned()).spawn(move || {
            while let Some(job) = own.next() {
                let mut gone = false;
                hands.work_guarded(&job, &mut |msg| gone |= answers.send(msg).is_err());
                if gone {
                    break;
                }
            }
        })?;
        Ok(Self { slots })
    }

    fn put(&self, job: Job) {
        let mut waiting = self.slots.lock();
        match job {
            Job::Assess(Seat::One, ticket, snapshot) => waiting.assess = Some((ticket, snapshot)),
            Job::Assess(Seat::Other, ticket, snapshot) => waiting.beside = Some((ticket, snapshot)),
            Job::Survey(ticket, snapshot) => waiting.survey = Some((ticket, snapshot)),
            Job::Audit(key, lane) => waiting.audit = Some((key, lane)),
            Job::Search(key, lane) => waiting.search = Some((key, lane)),
            // The list of sessions has a thread of its own.
            Job::Scout(_) => return,
            Job::Text(key, lane) => waiting.text = Some((key, lane)),
            Job::Document(key, lane) => waiting.document = Some((key, lane)),
        }
        self.slots.wake.notify_one();
    }
}

impl Ask for Worker {
    /// Asks for a job; an older one of its kind that has not begun is forgotten.
    fn ask(&self, job: Job) {
        self.put(job);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.slots.lock().over = true;
        self.slots.wake.notify_one();
    }
}

impl Slots {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job. The event under the reader's cursor comes before the judgement, and that before those of other
    /// policies; what compactions lost long ago can wait for all of these. None: it is over.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if waiting.over {
                return None;
            }
            if let Some((key, lane)) = waiting.text.take() {
                return Some(Job::Text(key, lane));
            }
            if let Some((key, lane)) = waiting.document.take() {
                return Some(Job::Document(key, lane));
            }
            if let Some((ticket, snapshot)) = waiting.assess.take() {
                return Some(Job::Assess(Seat::One, ticket, snapshot));
            }
            if let Some((ticket, snapshot)) = waiting.beside.take() {
                return Some(Job::Assess(Seat::Other, ticket, snapshot));
            }
            if let Some((key, lane)) = waiting.search.take() {
                return Some(Job::Search(key, lane));
            }
            if let Some((ticket, snapshot)) = waiting.survey.take() {
                return Some(Job::Survey(ticket, snapshot));
            }
            if let Some((key, lane)) = waiting.audit.take() {
                return Some(Job::Audit(key, lane));
            }
            waiting = self.wake.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::{EventIx, LaneIx};
    use crate::compaction::Judgement;
    use crate::ui::app::Word;
    use crate::ui::assess::{Judge, PolicyName, Question};
    use crate::ui::feed::Supply;
    use crate::ui::testing::{Fake, migration};
    use crossbeam_channel::bounded;
    use std::time::Duration;

    fn ticket(revision: u64) -> Ticket {
        Ticket { epoch: 0, revision, lane: LaneIx(0), moment: None, question: Question::default() }
    }

    pub(super) fn key(event: u32) -> DocumentKey {
        DocumentKey {
            epoch: 0,
            lane: LaneIx(0),
            event: EventIx(event),
            end: None,
            word: Word::Other,
            width: 60,
            form: Default::default(),
        }
    }

    #[test]
    fn of_each_kind_only_the_newest_job_counts_and_the_readers_event_comes_first() {
        let slots = Slots::default();
        let snapshot = Fake::new(&migration()).latest();
        let lane = snapshot.lanes.first().cloned().unwrap();
        {
            let mut waiting = slots.lock();
            waiting.assess = Some((ticket(1), snapshot.clone()));
            waiting.survey = Some((ticket(3), snapshot.clone()));
            waiting.beside = Some((ticket(4), snapshot.clone()));
            waiting.assess = Some((ticket(2), snapshot));
            waiting.document = Some((key(3), lane.clone()));
            waiting.document = Some((key(4), lane));
        }
        assert!(matches!(slots.next(), Some(Job::Document(k, _)) if k == key(4)));
        assert!(matches!(slots.next(), Some(Job::Assess(Seat::One, t, _)) if t == ticket(2)));
        assert!(matches!(slots.next(), Some(Job::Assess(Seat::Other, t, _)) if t == ticket(4)));
        assert!(matches!(slots.next(), Some(Job::Survey(t, _)) if t == ticket(3)));
        slots.lock().over = true;
        assert!(slots.next().is_none());
    }

    /// A judge with a defect.
    struct Broken;

    impl Judge for Broken {
        fn policies(&self) -> Vec<PolicyName> {
            Vec::new()
        }

        fn judge(&self, _: crate::transcript::Agent, _: &LaneSnapshot, _: &Question) -> Judgement {
            panic!("a defect in the judge, on purpose")
        }
    }

    #[test]
    fn a_defect_in_one_answer_is_told_and_the_next_job_is_done() {
        let fake = Fake::new(&migration());
        let (sender, answers) = bounded(8);
        let worker = Worker::start(Hands::new(Box::new(Broken), fake.bodies()), sender).unwrap();
        let snapshot = fake.latest();
        worker.ask(Job::Assess(Seat::One, ticket(1), snapshot.clone()));
        let told = answers.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(&told, Msg::NotAssessed(Seat::One, t) if *t == ticket(1)), "{told:?}");
        worker.ask(Job::Survey(ticket(5), snapshot.clone()));
        let told = answers.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(&told, Msg::Surveyed(t, None) if *t == ticket(5)), "{told:?}");
        worker.ask(Job::Document(key(1), snapshot.lanes.first().cloned().unwrap()));
        let told = answers.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(told, Msg::Document(k, _) if k == key(1)));
    }
}
