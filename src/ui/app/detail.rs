//! The selected event, whole: documents that the worker has answered with, and how far the reader has scrolled.

use std::sync::Arc;

use super::Scroll;
use crate::base::ids::{EventIx, LaneIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::EventKind;
use crate::ui::document::Document;
use crate::ui::outside::Columns;
use crate::ui::rows::Row;

/// How many documents are kept.
const KEPT: usize = 32;

/// What a document is a function of. The theme is not among it: a document holds roles, not styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DocumentKey {
    pub(crate) epoch: u32,
    pub(crate) lane: LaneIx,
    pub(crate) event: EventIx,
    /// The event that ended the call, once one did.
    pub(crate) end: Option<EventIx>,
    /// Whether it is a last word by now.
    pub(crate) word: Word,
    /// Cells of a line.
    pub(crate) width: u16,
    pub(crate) form: Form,
}

/// In which form an event is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Form {
    pub(crate) face: DetailFace,
    /// How many levels of JSON deeper than by itself.
    pub(crate) levels: i8,
    pub(crate) columns: Columns,
}

/// Read, or as it stands in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum DetailFace {
    #[default]
    Read,
    Record,
}

/// What becomes of a line that is wider than the pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// It goes on in the next one.
    #[default]
    Wrapped,
    /// It is cut; so many cells of each line lie to the left of the pane.
    Long {
        /// Cells.
        left: usize,
    },
}

/// Cells of a line that is not to be wrapped: more than anybody scrolls through sideways.
pub(crate) const LONG_LINE: u16 = 1_000;

/// Whether the human answers a message: the rules for words ask that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    /// It is the assistant's last one of a turn that is over.
    Last,
    /// It is another one, or none of the assistant's.
    Other,
}

impl Word {
    /// Of an event of a lane.
    pub(crate) fn of(lane: &LaneSnapshot, event: EventIx) -> Self {
        let turn = lane.events.get(event.index()).and_then(|row| lane.spans.get(row.span?.index())).map(|span| span.turn.index());
        let Some((turn, row)) = turn.and_then(|n| Some((n, lane.turns.get(n)?))) else { return Self::Other };
        let next = lane.turns.get(turn + 1);
        let end = next.map_or(lane.events.len(), |next| next.first.index());
        let mut later = lane.events.range(event.index() + 1..end);
        let is_over = row.end.is_some() || next.is_some();
        if is_over && !later.any(|row| row.kind == EventKind::Assistant) { Self::Last } else { Self::Other }
    }
}

/// Documents and the reader's place in the one that is shown.
#[derive(Debug, Default)]
pub(crate) struct DetailState {
    pub(crate) scroll: Scroll,
    /// The region that is told about, by its place among those of the document.
    pub(crate) region: Option<usize>,
    pub(crate) form: Form,
    pub(crate) wrap: Wrap,
    /// What is looked for in it, in small letters.
    pub(crate) wanted: Option<String>,
    /// The line of the document at which it was found last.
    pub(crate) place: Option<usize>,
    /// The newest answer last.
    documents: Vec<(DocumentKey, Arc<Document>)>,
    asked: Option<DocumentKey>,
    /// The row to which `scroll` belongs.
    shown: Option<Row>,
}

impl DetailState {
    pub(crate) fn document(&self, key: &DocumentKey) -> Option<&Arc<Document>> {
        self.documents.iter().rev().find(|(known, _)| known == key).map(|(_, document)| document)
    }

    pub(crate) fn answer(&mut self, key: DocumentKey, document: Arc<Document>) {
        self.documents.retain(|(known, _)| *known != key);
        self.documents.push((key, document));
        if self.documents.len() > KEPT {
            self.documents.remove(0);
        }
    }

    /// Starts at the top of another event.
    pub(crate) fn turn_to(&mut self, shown: Option<Row>) {
        if self.shown != shown {
            (self.shown, self.scroll, self.region) = (shown, Scroll::default(), None);
            (self.form.levels, self.place) = (0, None);
            if let Wrap::Long { left } = &mut self.wrap {
                *left = 0;
            }
        }
    }

    /// The document to ask for, if it is neither here nor asked for.
    pub(crate) fn ask(&mut self, key: DocumentKey) -> Option<DocumentKey> {
        if self.asked == Some(key) || self.document(&key).is_some() {
            return None;
        }
        self.asked = Some(key);
        Some(key)
    }

    /// Forgets everything that was read: the file is another one now.
    pub(crate) fn forget(&mut self) {
        *self = Self { form: self.form, wrap: self.wrap, ..Self::default() };
    }
}
