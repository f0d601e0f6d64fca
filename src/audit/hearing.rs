//! What is read at a boundary, in the order of the lane: what stands after it, and what was said up to there. It needs nothing that is
//! judged, so it may run ahead of the judgement.

use crate::audit::sheets::Sheets;
use crate::audit::standing::Standing;
use crate::audit::texts::Texts;
use crate::base::ids::EventIx;
use crate::evidence::{Phrasebook, Sheet, Words};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::{BoundaryRow, EventKind};
use crate::ledger::snapshot::Slot;

/// Reads a lane, boundary by boundary.
#[derive(Default)]
pub(super) struct Hearing {
    sheets: Sheets,
    /// The summaries that count from the next reading on: none is its own source.
    waiting: Vec<EventIx>,
    /// The first event that was not read yet.
    next: EventIx,
}

/// A text that was said.
pub(super) enum Heard {
    /// A human's prompt.
    Prompt(EventIx, Sheet),
    /// An answer, or what the assistant had said before a prompt that agrees to it.
    Agreed(Sheet),
    /// What the assistant had said last: nobody has agreed to it.
    Proposed(Sheet),
    /// What an earlier summary or the runtime has said.
    Other(Sheet),
}

impl Hearing {
    /// What stands after a boundary, and what was said up to there since the last one.
    pub(super) fn at(
        &mut self,
        boundary: &BoundaryRow,
        lane: &LaneSnapshot,
        texts: &dyn Texts,
        phrasebook: &Phrasebook,
    ) -> (Standing, Vec<Heard>) {
        self.sheets.turn();
        let standing = Standing::after(boundary, lane, texts, (phrasebook, &mut self.sheets));
        let mut heard = self.up_to(boundary.event, lane, texts, phrasebook);
        let behind = (boundary.event.index() + 1..=standing.until.index()).map(EventIx::from_index);
        heard.extend(behind.filter_map(|event| self.known_already(event, boundary, lane, texts, phrasebook)));
        (standing, heard)
    }

    /// Reads on, up to event `until`, which is read too.
    pub(super) fn up_to(&mut self, until: EventIx, lane: &LaneSnapshot, texts: &dyn Texts, phrasebook: &Phrasebook) -> Vec<Heard> {
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let mut heard: Vec<Heard> = waiting.map(|event| self.other(event, texts, phrasebook)).collect();
        let mut said: Option<EventIx> = None;
        for n in self.next.index()..=until.index() {
            let event = EventIx::from_index(n);
            match lane.events.get(n).map(|row| row.kind) {
                Some(EventKind::Prompt | EventKind::Task) => {
                    let text = texts.text(event);
                    if let Some(said) = said.filter(|_| agrees(&text, phrasebook)) {
                        heard.push(Heard::Agreed(Sheet::new(&texts.text(said), phrasebook)));
                    }
                    heard.push(Heard::Prompt(event, Sheet::new(&text, phrasebook)));
                }
                Some(EventKind::Assistant) => said = Some(event),
                Some(EventKind::Summary) => self.waiting.push(event),
                Some(EventKind::Rules | EventKind::Injected) => heard.push(self.other(event, texts, phrasebook)),
                _ => {}
            }
        }
        // Answers stand inside results: their words are entries.
        let says = |entry: &Entry| entry.kind.is_commitment() || entry.kind == EntryKind::Reference;
        let is_new = |entry: &Entry| entry.known() >= self.next && entry.known() <= until && says(entry);
        for entry in lane.entries.iter().filter_map(Slot::own).filter(|entry| is_new(entry)) {
            match lane.events.get(entry.opened.event.index()).map(|row| row.kind) {
                // Who chooses an option agrees to what it says.
                Some(EventKind::Prompt) if entry.kind == EntryKind::Reference => {
                    heard.push(Heard::Agreed(Sheet::new(&entry.text, phrasebook)));
                }
                Some(EventKind::Prompt | EventKind::Task | EventKind::Rules | EventKind::Injected | EventKind::Summary) => {}
                Some(EventKind::Assistant | EventKind::Reasoning) => {
                    heard.push(Heard::Proposed(Sheet::new(&entry.text, phrasebook)));
                }
                _ => heard.push(Heard::Agreed(Sheet::new(&entry.text, phrasebook))),
            }
        }
        self.next = EventIx(until.0.saturating_add(1));
        heard
    }

    /// What stands behind a boundary and was there before: what the runtime tells, and what a human had typed by then, as the words
    /// behind `/compact` are. What is typed later nobody knew who wrote the summary.
    fn known_already(
        &mut self,
        event: EventIx,
        boundary: &BoundaryRow,
        lane: &LaneSnapshot,
        texts: &dyn Texts,
        phrasebook: &Phrasebook,
    ) -> Option<Heard> {
        let row = lane.events.get(event.index())?;
        let of_boundary = lane.events.get(boundary.event.index())?.at;
        let is_older = row.at.zip(of_boundary).is_some_and(|(typed, cut)| typed < cut);
        match row.kind {
            EventKind::Rules | EventKind::Injected => Some(self.other(event, texts, phrasebook)),
            EventKind::Prompt if is_older => Some(Heard::Prompt(event, Sheet::new(&texts.text(event), phrasebook))),
            _ => None,
        }
    }

    fn other(&mut self, event: EventIx, texts: &dyn Texts, phrasebook: &Phrasebook) -> Heard {
        Heard::Other(self.sheets.read(&texts.text(event), phrasebook))
    }
}

/// A prompt of more bytes has words of its own for what it wants.
const LONG: usize = 400;

/// Whether a prompt agrees to what was said before it.
fn agrees(prompt: &str, phrasebook: &Phrasebook) -> bool {
    prompt.len() <= LONG && Words::of(prompt, phrasebook).assent(phrasebook)
}
