//! What humans have said in a lane, up to a moment: by this an approval, an answer or a rule in a summary is held to its source.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::audit::hearing::Heard;
use crate::base::ids::EventIx;
use crate::evidence::{Page, Sentence};

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
}

impl Humans {
    /// Takes what was said since the last time.
    pub(super) fn take(&mut self, heard: Vec<Heard>) {
        for one in heard {
            match one {
                Heard::Prompt(event, sheet) => _ = self.prompts.insert(event, self.page.take(sheet)),
                Heard::Agreed(sheet) => _ = self.agreed.insert(self.page.take(sheet)),
                Heard::Proposed(sheet) => _ = self.proposed.take(sheet),
                Heard::Other(sheet) => _ = self.others.take(sheet),
            }
        }
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
