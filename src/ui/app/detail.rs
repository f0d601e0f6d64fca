//! The selected event, whole: documents that the worker has answered with, and how far the reader has scrolled.

use std::sync::Arc;

use super::Scroll;
use crate::base::ids::{EventIx, LaneIx};
use crate::ui::document::Document;

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
    /// Cells of a line.
    pub(crate) width: u16,
}

/// Documents and the reader's place in the one that is shown.
#[derive(Debug, Default)]
pub(crate) struct DetailState {
    pub(crate) scroll: Scroll,
    /// The newest answer last.
    documents: Vec<(DocumentKey, Arc<Document>)>,
    asked: Option<DocumentKey>,
    /// The event to which `scroll` belongs.
    shown: Option<(LaneIx, EventIx)>,
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
    pub(crate) fn turn_to(&mut self, lane: LaneIx, event: Option<EventIx>) {
        let shown = event.map(|event| (lane, event));
        if self.shown != shown {
            (self.shown, self.scroll) = (shown, Scroll::default());
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

    /// Forgets everything: the file is another one now.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}
