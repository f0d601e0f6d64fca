//! What humans have said in a lane, up to a moment: by this an approval, an answer or a rule in a summary is held to its source.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::audit::sheets::Sheets;
use crate::audit::texts::Texts;
use crate::base::ids::EventIx;
use crate::evidence::{Page, Phrasebook, Sentence, Words};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::ledger::rows::EventKind;
use crate::ledger::snapshot::Slot;

/// The words of humans, and of what they agreed to.
#[derive(Default)]
pub(super) struct Humans {
    /// Prompts, answers, and what the assistant had said before a prompt that agrees to it.
    pub(super) page: Page,
    /// What earlier summaries and the runtime have said.
    pub(super) others: Page,
    /// What the assistant had said last: nobody has agreed to it.
    pub(super) proposed: Page,
    /// Which texts of the page somebody agreed to.
    agreed: FxHashSet<usize>,
    /// Which text of the page a prompt is.
    prompts: FxHashMap<EventIx, usize>,
    /// The summaries that count from the next reading on: none is its own source.
    waiting: Vec<EventIx>,
    /// The first event that was not read yet.
    next: EventIx,
}

impl Humans {
    /// Reads on, up to event `until`, which is read too.
    pub(super) fn read(
        &mut self,
        until: EventIx,
        lane: &LaneSnapshot,
        texts: &dyn Texts,
        (phrasebook, sheets): (&Phrasebook, &mut Sheets),
    ) {
        for summary in std::mem::take(&mut self.waiting) {
            self.others.take(sheets.read(&texts.text(summary), phrasebook));
        }
        let mut said: Option<EventIx> = None;
        for n in self.next.index()..=until.index() {
            let event = EventIx::from_index(n);
            match lane.events.get(n).map(|row| row.kind) {
                Some(EventKind::Prompt | EventKind::Task) => {
                    let text = texts.text(event);
                    if let Some(said) = said.filter(|_| agrees(&text, phrasebook)) {
                        self.agreed.insert(self.page.add(&texts.text(said), phrasebook));
                    }
                    self.prompts.insert(event, self.page.add(&text, phrasebook));
                }
                Some(EventKind::Assistant) => said = Some(event),
                Some(EventKind::Summary) => self.waiting.push(event),
                Some(EventKind::Rules | EventKind::Injected) => {
                    self.others.take(sheets.read(&texts.text(event), phrasebook));
                }
                _ => {}
            }
        }
        // Answers stand inside results: their words are entries.
        let is_new = |entry: &Entry| entry.known() >= self.next && entry.known() <= until && entry.kind.is_commitment();
        for entry in lane.entries.iter().filter_map(Slot::own).filter(|entry| is_new(entry)) {
            match lane.events.get(entry.opened.event.index()).map(|row| row.kind) {
                Some(EventKind::Prompt | EventKind::Task | EventKind::Rules | EventKind::Injected | EventKind::Summary) => {}
                Some(EventKind::Assistant | EventKind::Reasoning) => _ = self.proposed.add(&entry.text, phrasebook),
                _ => _ = self.agreed.insert(self.page.add(&entry.text, phrasebook)),
            }
        }
        self.next = EventIx(until.0.saturating_add(1));
    }

    /// Whether a text of the page is one that somebody agreed to.
    pub(super) fn has_agreed_to(&self, text: usize) -> bool {
        self.agreed.contains(&text)
    }

    /// The sentences of a prompt that was read.
    pub(super) fn sentences_of(&self, prompt: EventIx) -> &[Sentence] {
        self.prompts.get(&prompt).map_or(&[], |text| self.page.sentences_of(*text))
    }
}

/// A prompt of more bytes has words of its own for what it wants.
const LONG: usize = 400;

/// Whether a prompt agrees to what was said before it.
fn agrees(prompt: &str, phrasebook: &Phrasebook) -> bool {
    prompt.len() <= LONG && Words::of(prompt, phrasebook).assent(phrasebook)
}
