//! Questions: what the human was asked in the last message of a turn, and has not answered (DESIGN section 3).
//!
//! **One entry a message**, with every question of it word by word: a human answers a message, and nobody can tell which of its
//! questions a "yes" was for. Only a human closes it. What the runtime puts in is no answer; a question of the tool that asks is that
//! call's own obligation.

use std::sync::Arc;

use crate::base::ids::EntryId;
use crate::evidence::Gist;
use crate::ledger::book::{self, Draft};
use crate::ledger::commitments::key;
use crate::ledger::entry::{Check, Discharge, EntryKind, EntryStatus, Moment, Scope, Trust, Weight};
use crate::ledger::folds::Page;
use crate::ledger::label::first_line;
use crate::ledger::last_word::Closing;
use crate::ledger::tagging::{Act, Region, Source};

/// A reply of at most this many content words takes up the question before it: "the first", "Postgres".
const SHORT_REPLY: usize = 3;

/// A longer one does so if it shares this many.
const SHARED: usize = 2;

/// Every question so far, in order. Whether one waits, its entry says: a rewind may bring it back to life.
#[derive(Default)]
pub(super) struct Questions {
    all: Vec<Asked>,
}

struct Asked {
    entry: EntryId,
    about: Gist,
    /// Whether the human has asked back already.
    asked_back: bool,
}

/// What a prompt does to the question before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reply {
    /// It takes it up.
    Answers,
    /// It asks back.
    AsksBack,
    /// It puts the answer off.
    PutsOff,
    /// It goes on with something else.
    LeavesIt,
}

impl Questions {
    /// A turn is over, and this was its last message.
    pub(super) fn concluded(&mut self, page: &mut Page<'_>, closing: &Closing) {
        // Whoever launched a sub-agent reads its last message as a report.
        let asks = |region: &&Region| region.acts.contains(&Act::Asks);
        let asked: Vec<&str> = closing.regions.iter().filter(asks).filter_map(|region| closing.words(region)).collect();
        if asked.is_empty() || page.rows.parent.is_some() {
            return;
        }
        if let Some(older) = self.waiting(page) {
            older.end(page, EntryStatus::Settled);
        }
        let draft = draft(&asked, closing.said);
        let about = Gist::of(&draft.text);
        let entry = book::open_at(page.rows, page.delta, draft, page.at.event);
        self.all.push(Asked { entry, about, asked_back: false });
    }

    /// A human said something. Whether it does no more than answer what was asked.
    pub(super) fn heard(&mut self, page: &mut Page<'_>, source: Source, text: &str, regions: &[Region]) -> bool {
        if !matches!(source, Source::Typed | Source::Steering) {
            return false;
        }
        let Some(asked) = self.waiting(page) else { return false };
        let reply = asked.reply(text, regions);
        match reply {
            Reply::Answers => asked.end(page, EntryStatus::Discharged),
            Reply::AsksBack => asked.asked_back = true,
            Reply::PutsOff => {}
            Reply::LeavesIt => asked.end(page, EntryStatus::Settled),
        }
        // "Let's go back" answers, and asks for something of its own.
        let directs = |region: &Region| matches!(region.kind, Some(EntryKind::Requirement | EntryKind::Ordering));
        reply == Reply::Answers && Gist::of(text).len() <= SHORT_REPLY && !regions.iter().any(directs)
    }

    /// The question that waits: a newer one takes the place of an older.
    fn waiting(&mut self, page: &Page<'_>) -> Option<&mut Asked> {
        self.all.iter_mut().rfind(|asked| page.rows.live.contains(&asked.entry))
    }
}

impl Asked {
    fn end(&self, page: &mut Page<'_>, status: EntryStatus) {
        book::set_status(page.rows, page.delta, self.entry, page.at.event, status);
    }

    fn reply(&self, text: &str, regions: &[Region]) -> Reply {
        let does = |act| regions.iter().any(|region| region.acts.contains(&act));
        let refers = regions.iter().any(|region| region.is(EntryKind::Reference));
        let words = Gist::of(text);
        let decides = regions.iter().any(|region| region.kind == Some(EntryKind::Decision));
        if does(Act::Approves) || does(Act::Rejects) {
            Reply::Answers
        } else if does(Act::Defers) {
            Reply::PutsOff
        } else if does(Act::Asks) && !self.asked_back {
            Reply::AsksBack
        } else if decides || refers || words.len() <= SHORT_REPLY || words.shared(&self.about) >= SHARED {
            Reply::Answers
        } else {
            Reply::LeavesIt
        }
    }
}

/// Shown by the last one: with that the message ends, and the others may be answered by what stands behind them.
fn draft(asked: &[&str], said: Moment) -> Draft {
    let text = asked.join("\n");
    Draft {
        kind: EntryKind::Question,
        key: key(EntryKind::Question, &text).into_owned(),
        line_text: first_line(asked.last().copied().unwrap_or_default()),
        text: Arc::from(text),
        trust: Trust::Inferred,
        rule: "question".into(),
        scope: Scope::OneShot,
        opened: said,
        action: None,
        identifiers: Vec::new(),
        discharge: Discharge {
            text: "the human answers it; until then it is not answered".to_owned(),
            check: Check::Answered,
            needs: Vec::new(),
            observable: true,
        },
        weight: Weight::Repair,
        pointer: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ledger::entry::{EntryKind, EntryStatus};
    use crate::ledger::testing::fold;

    /// The questions of a session, with what became of each.
    fn questions(script: &str) -> Vec<(String, EntryStatus, u32)> {
        let lane = fold(script);
        let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind == EntryKind::Question);
        all.map(|entry| (entry.text.to_string(), entry.status(), entry.opened.line)).collect()
    }

    const ASKED: &str = "prompt Add retries to the sync worker.
         step m1
         say Done, with three attempts. Should the delay be 5 or 30 seconds? Shall I open the PR?
         turn-ended";

    fn became(rest: &str) -> EntryStatus {
        questions(&format!("{ASKED}\n{rest}"))[0].1
    }

    #[test]
    fn what_the_last_message_asks_waits_for_the_human() {
        let text = "Should the delay be 5 or 30 seconds?\nShall I open the PR?".to_owned();
        assert_eq!(questions(ASKED), [(text, EntryStatus::Live, 3)], "one entry for the message, where it was asked");
    }

    #[test]
    fn what_is_asked_on_the_way_is_not_asked_of_the_human() {
        let script = "prompt Fix it.
             step m1
             say Why does this fail?
             call a Read {\"file_path\":\"x\"}
             result a ok
             step m2
             say Fixed.
             turn-ended";
        assert_eq!(questions(script), []);
    }

    #[test]
    fn only_a_human_answers() {
        assert_eq!(became("injected <system-reminder>The delay is 5 seconds.</system-reminder>"), EntryStatus::Live);
        assert_eq!(became("boundary\nsummary The delay is 5 seconds."), EntryStatus::Live);
        assert_eq!(became("prompt 30 seconds, and yes"), EntryStatus::Discharged);
        assert_eq!(became("prompt 5"), EntryStatus::Discharged);
    }

    #[test]
    fn a_human_who_goes_on_with_something_else_has_left_it() {
        assert_eq!(became("prompt Now translate the handbook into French, chapter by chapter."), EntryStatus::Settled);
    }

    #[test]
    fn asking_back_answers_nothing_yet() {
        let back = "prompt What happens to the queued jobs meanwhile?";
        assert_eq!(became(back), EntryStatus::Live);
        assert_eq!(became(&format!("{back}\nstep m2\nsay They wait.\nturn-ended\nprompt ok, 30 seconds")), EntryStatus::Discharged);
    }

    #[test]
    fn who_puts_the_answer_off_has_not_answered() {
        for put_off in ["Let me sleep on the delay.", "I'm in meetings until two, will answer after that.", "Give me a minute."] {
            assert_eq!(became(&format!("prompt {put_off}")), EntryStatus::Live, "{put_off}");
        }
    }

    #[test]
    fn a_turn_without_a_mark_ends_with_the_next_prompt() {
        let script = "prompt Go.\nstep m1\nsay Shall I push?\nprompt Now translate the handbook into French, chapter by chapter.";
        assert_eq!(questions(script), [("Shall I push?".to_owned(), EntryStatus::Settled, 3)]);
    }

    #[test]
    fn a_rewind_takes_the_question_back() {
        assert_eq!(became("rolled-back 1"), EntryStatus::Abandoned);
    }

    #[test]
    fn an_answer_that_is_taken_back_was_none() {
        let back = "prompt 30 seconds\nstep m2\nsay Set.\nturn-ended\nrolled-back 1";
        assert_eq!(became(back), EntryStatus::Live);
        assert_eq!(became(&format!("{back}\nprompt 5")), EntryStatus::Discharged);
    }

    #[test]
    fn a_newer_question_takes_the_place_of_an_older_until_it_is_taken_back() {
        let newer = "prompt What happens meanwhile?\nstep m2\nsay They wait. Is that fine?\nturn-ended";
        assert_eq!(became(newer), EntryStatus::Settled);
        assert_eq!(became(&format!("{newer}\nrolled-back 1")), EntryStatus::Live);
        assert_eq!(became(&format!("{newer}\nrolled-back 1\nprompt 5")), EntryStatus::Discharged);
    }

    #[test]
    fn before_the_turn_ended_nobody_was_asked() {
        let lane = fold(ASKED);
        let question = lane.entries_until(lane.end().unwrap()).find(|entry| entry.kind == EntryKind::Question).unwrap();
        let (said, ended) = (question.opened.event, question.known());
        assert!(!question.is_live_at(said) && question.is_live_at(ended));
    }
}
