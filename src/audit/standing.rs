//! What stands after a boundary, before the model first speaks: the summary, what was kept, and what the runtime put in.

use crate::audit::sheets::Sheets;
use crate::audit::texts::Texts;
use crate::audit::values;
use crate::base::ids::EventIx;
use crate::evidence::{Page, Phrasebook};
use crate::ledger::LaneSnapshot;
use crate::ledger::rows::{BoundaryRow, EventKind, EventRow};

/// What stands after a boundary.
pub(super) struct Standing {
    /// The last event before the model first speaks.
    pub(super) until: EventIx,
    /// Its texts, the summary first.
    pub(super) pieces: Vec<Piece>,
    /// What they say.
    pub(super) page: Page,
    /// The share of its sentences that are in another language than English.
    pub(super) abroad: f64,
    /// The same without the marks between letters and digits.
    squeezed: String,
}

/// One text that stands.
pub(super) struct Piece {
    /// The event that holds it.
    pub(super) event: EventIx,
    /// Its line.
    pub(super) line: u32,
}

impl Standing {
    /// Reads what stands after the boundary.
    pub(super) fn after(
        boundary: &BoundaryRow,
        lane: &LaneSnapshot,
        texts: &dyn Texts,
        (phrasebook, sheets): (&Phrasebook, &mut Sheets),
    ) -> Self {
        let later = || lane.events.range(boundary.event.index() + 1..lane.events.len()).enumerate();
        let silent = later().take_while(|(_, row)| !speaks(row)).count();
        let until = EventIx::from_index(boundary.event.index() + silent);
        let told = later().take(silent).filter(|(_, row)| is_told(row.kind));
        let mut events: Vec<EventIx> = told.map(|(n, _)| EventIx::from_index(boundary.event.index() + 1 + n)).collect();
        events.sort_by_key(|event| Some(*event) != boundary.summary);
        let (mut pieces, mut page, mut squeezed) = (Vec::new(), Page::default(), String::new());
        for event in events {
            let text = texts.text(event);
            page.take(sheets.read(&text, phrasebook));
            squeezed.push_str(&values::squeezed(&text));
            pieces.push(Piece { event, line: lane.events.get(event.index()).map_or(0, |row| row.place.line) });
        }
        let abroad = page.abroad();
        Self { until, pieces, page, abroad, squeezed }
    }

    /// A summary that stands nowhere yet, as if event `event` held it and nothing stood beside it.
    pub(super) fn proposed(summary: &str, event: EventIx, phrasebook: &Phrasebook) -> Self {
        let page = Page::new([summary], phrasebook);
        let abroad = page.abroad();
        Self { until: event, pieces: vec![Piece { event, line: 0 }], page, abroad, squeezed: values::squeezed(summary) }
    }

    /// Whether a value stands: in full, or one with a digit with whatever marks between its letters and digits, as "PR #68" for "PR#68".
    pub(super) fn names(&self, value: &str) -> bool {
        self.page.names(value) || self.names_loosely(value)
    }

    /// Whether something has the words of a name that is made of words.
    pub(super) fn has_words(&self, value: &str) -> bool {
        value.contains('-') && self.page.sentences().iter().any(|sentence| values::has_words(value, self.page.text_of(sentence)))
    }

    fn names_loosely(&self, value: &str) -> bool {
        let value = values::squeezed(value);
        value.len() >= LONG_ENOUGH
            && value.bytes().any(|byte| byte.is_ascii_digit())
            && memchr::memmem::find(self.squeezed.as_bytes(), value.as_bytes()).is_some()
    }
}

/// A value of fewer letters and digits stands somewhere by accident.
const LONG_ENOUGH: usize = 4;

/// Whether the model speaks in an event.
fn speaks(row: &EventRow) -> bool {
    matches!(row.kind, EventKind::Assistant | EventKind::Reasoning | EventKind::Call | EventKind::Boundary)
}

/// Whether the model is told something by an event of the runtime's.
fn is_told(kind: EventKind) -> bool {
    matches!(kind, EventKind::Summary | EventKind::Injected | EventKind::Rules | EventKind::Job | EventKind::Unrecognised)
}
