//! What the worker does with a job: judges, reads and paints.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventRow;
use crate::ledger::tagging::{Said, Source};
use crate::transcript::{Payload, Resolution, Speaker};
use crate::ui::app::{DetailFace, DocumentKey, PART, Word};
use crate::ui::assess::{Assessment, Judge, Outcome};
use crate::ui::document::{Block, Painter, Tag, attached, call_and_result, command, lay_out, other, plain, raw, shown, tags};
use crate::ui::feed::ReadBody;
use crate::ui::msg::{Job, Msg, TextKey, Want};
use crate::ui::outside::Columns;
use crate::ui::theme::Role;
use crate::ui::words;

/// What the worker works with.
pub(crate) struct Hands {
    judge: Box<dyn Judge>,
    bodies: Box<dyn ReadBody>,
    /// Loaded for the first code that is shown.
    painter: Option<Painter>,
}

impl Hands {
    pub(crate) fn new(judge: Box<dyn Judge>, bodies: Box<dyn ReadBody>) -> Self {
        Self { judge, bodies, painter: None }
    }

    /// Does one job; its answers go to `answer`.
    pub(crate) fn work(&mut self, job: &Job, answer: &mut dyn FnMut(Msg)) {
        match job {
            Job::Assess(seat, ticket, snapshot) => {
                let Some(lane) = snapshot.lane(ticket.lane) else { return };
                let judgement = self.judge.judge(snapshot.facts.agent, lane, &ticket.question);
                answer(Msg::Assessed(*seat, Arc::new(Assessment::new(ticket.clone(), judgement, snapshot, lane))));
            }
            Job::Survey(ticket, snapshot) => {
                let lane = snapshot.lane(ticket.lane);
                let outcome = lane.map(|lane| Outcome::of(&self.judge.judge(snapshot.facts.agent, lane, &ticket.question)));
                answer(Msg::Surveyed(ticket.clone(), outcome));
            }
            Job::Audit(key, lane) => {
                let texts = |event: EventIx| self.bodies.read(lane.events.get(event.index())?).ok().map(|body| body.payload);
                answer(Msg::Audited(*key, Some(Arc::new(self.judge.audit(lane, &texts)))));
            }
            Job::Search(key, lane) => {
                let until = (key.from + PART).min(lane.events.len());
                let rows = lane.events.range(key.from..until).zip(key.from..);
                let holds = |row: &EventRow| self.bodies.record(row).is_ok_and(|record| key.pattern.is_match(&record));
                let found = rows.filter(|(row, _)| holds(row)).map(|(_, n)| EventIx::from_index(n)).collect();
                answer(Msg::Searched(key.clone(), found, until));
            }
            Job::Scout(_) => {}
            Job::Text(key, lane) => answer(Msg::Text(*key, self.text(*key, lane))),
            Job::Document(key, lane) => self.document(*key, lane, answer),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a defect in one answer must not take the screen down")]
    pub(super) fn work_guarded(&mut self, job: &Job, answer: &mut dyn FnMut(Msg)) {
        let done = catch_unwind(AssertUnwindSafe(|| self.work(job, answer)));
        if done.is_err() {
            answer(match job {
                Job::Assess(seat, ticket, _) => Msg::NotAssessed(*seat, ticket.clone()),
                Job::Survey(ticket, _) => Msg::Surveyed(ticket.clone(), None),
                Job::Audit(key, _) => Msg::Audited(*key, None),
                Job::Search(key, lane) => Msg::Searched(key.clone(), Vec::new(), lane.events.len()),
                Job::Scout(row) => Msg::Scouted(*row, None),
                Job::Text(key, _) => Msg::Text(*key, Err("this event cannot be read: a defect of owed".to_owned())),
                Job::Document(key, _) => {
                    let why = Block::text(Role::Dim, "This event cannot be shown: a defect of owed.");
                    Msg::Document(*key, Arc::new(lay_out(&[why], usize::from(key.width), None)))
                }
            });
        }
    }

    /// Reads an event as text.
    fn text(&self, key: TextKey, lane: &LaneSnapshot) -> Result<String, String> {
        let body = |event: EventIx| match lane.events.get(event.index()) {
            Some(row) => self.bodies.read(row),
            None => Err("there is no such event any more".to_owned()),
        };
        let event = body(key.event)?;
        let end = key.end.map(body).transpose()?;
        Ok(match key.want {
            Want::CopyCommand => command(&event.payload).ok_or("this row is no call: it has no command")?,
            Want::Copy => plain(&event, end.as_ref()),
            // A pager may obey what a transcript says; our own text is safe to show.
            Want::Page => plain(&event, end.as_ref()).lines().map(shown).collect::<Vec<_>>().join("\n"),
        })
    }

    /// Reads an event and lays it out: plain first, then painted.
    fn document(&mut self, key: DocumentKey, lane: &LaneSnapshot, answer: &mut dyn FnMut(Msg)) {
        let (blocks, tags) = self.blocks(key, lane);
        let folded = blocks.into_iter().map(|block| block.folded(key.form.levels));
        let blocks: Vec<Block> = match key.form.columns {
            Columns::One => folded.collect(),
            Columns::Two => folded.map(Block::beside).collect(),
        };
        let width = usize::from(key.width);
        let answer_with =
            |painter: Option<&Painter>| Msg::Document(key, Arc::new(lay_out(&blocks, width, painter).tagged(tags.clone())));
        answer(answer_with(None));
        if blocks.iter().any(Block::has_colours) {
            let painter = self.painter.get_or_insert_with(Painter::load);
            answer(answer_with(Some(painter)));
        }
    }

    /// What there is to show of an event, and the regions of what it says.
    fn blocks(&mut self, key: DocumentKey, lane: &LaneSnapshot) -> (Vec<Block>, Vec<Tag>) {
        let mut body = |event: EventIx| match lane.events.get(event.index()) {
            Some(row) => self.bodies.read(row),
            None => Err("there is no such event any more".to_owned()),
        };
        let event = match body(key.event) {
            Ok(event) => event,
            Err(why) => return (vec![Block::text(Role::Dim, why)], Vec::new()),
        };
        let end = key.end.map(&mut body);
        if key.form.face == DetailFace::Record {
            let mut blocks = raw(&event.raw);
            // What a record holds of a call and of its result may be one and the same.
            let result = end.and_then(Result::ok).filter(|end| end.raw != event.raw);
            if let Some(end) = result {
                blocks.extend([Block::Gap, Block::text(Role::Heading, "record of its result")]);
                blocks.extend(raw(&end.raw));
            }
            return (blocks, Vec::new());
        }
        let ending = end.as_ref().and_then(|end| end.as_ref().ok()).map(|end| &end.payload);
        let regions = said(key.word, &event.payload, ending).map(|said| self.judge.regions(&said)).unwrap_or_default();
        let (parts, tags) = tags(&regions);
        let mut blocks = match (&event.payload, &end) {
            (call @ Payload::Call(_), end) => {
                let row = lane.events.get(key.event.index()).and_then(|row| lane.calls.get(row.call?.index()));
                let how = row.map(words::ending).unwrap_or_default();
                let mut blocks = call_and_result(call, ending, &how, &parts);
                if let Some(Err(why)) = end {
                    blocks.push(Block::text(Role::Dim, why.clone()));
                }
                blocks
            }
            (payload @ (Payload::Unrecognised { .. } | Payload::Boundary(_)), _) => {
                let mut blocks = other(payload, &parts);
                blocks.extend([Block::Gap, Block::text(Role::Heading, "record")]);
                blocks.extend(raw(&event.raw));
                blocks
            }
            (payload, _) => other(payload, &parts),
        };
        match (&event.payload, end) {
            (Payload::Call(call), Some(Ok(end))) => blocks.extend(attached(&end.raw, Some(&call.id))),
            // What is attached stands in the text as `[image]`.
            (Payload::User { text, .. }, _) if text.contains('[') => blocks.extend(attached(&event.raw, None)),
            (Payload::Resolution(result), _) => blocks.extend(attached(&event.raw, Some(&result.call))),
            _ => {}
        }
        (blocks, tags)
    }
}

/// What an event says to be read by the rules for words, and who says it; nothing of what commits nobody.
fn said<'a>(word: Word, payload: &'a Payload<'_>, ending: Option<&'a Payload<'_>>) -> Option<Said<'a>> {
    let (text, source) = match (payload, ending) {
        (Payload::User { speaker: Speaker::Human, text }, _) => (text, Source::Typed),
        (Payload::User { speaker: Speaker::Steering, text }, _) => (text, Source::Steering),
        (Payload::User { speaker: Speaker::Parent, text }, _) => (text, Source::Parent),
        (Payload::User { speaker: Speaker::Rules, text }, _) => (text, Source::Rules),
        (Payload::Assistant { text }, _) if word == Word::Last => (text, Source::LastOfTurn),
        (Payload::Assistant { text }, _) => (text, Source::Assistant),
        (Payload::Unrecognised { text, .. }, _) => (text, Source::Unknown),
        (Payload::Call(_), Some(Payload::Resolution(Resolution { said: Some(said), .. }))) => (said, Source::Answer),
        _ => return None,
    };
    Some(Said { text, source, before: "", head: "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::feed::Supply;
    use crate::ui::jobs::tests::key;
    use crate::ui::testing::{Fake, Simple, migration};

    #[test]
    fn what_cannot_be_read_says_why() {
        let fake = Fake::new(&migration());
        let mut hands = Hands::new(Box::new(Simple), fake.bodies());
        let lane = fake.latest().lanes.first().cloned().unwrap();
        fake.publish(&[&crate::ui::testing::Script::new()], 1, crate::session::Progress::Complete);
        let mut shown = Vec::new();
        let mut hands_of_another_file = Hands::new(Box::new(Simple), fake.bodies());
        for hands in [&mut hands, &mut hands_of_another_file] {
            hands.work(&Job::Document(key(1), lane.clone()), &mut |msg| {
                if let Msg::Document(_, document) = msg {
                    shown.push(
                        document.lines.first().map(|line| line.iter().map(|piece| piece.text.to_string()).collect::<String>()),
                    );
                }
            });
        }
        assert_eq!(shown[0].as_deref(), Some("Move orders to the new schema. Do not drop columns."));
        assert!(shown[1].as_deref().is_some_and(|why| why.starts_with("the source changed")), "{shown:?}");
    }
}
