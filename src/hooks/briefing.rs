//! What a summariser is told: the pending-call table and what is open, as data to be copied and not restated (DESIGN section 11).

use serde::Serialize;

use crate::report::carrier::CarrierReport;
use crate::report::pending::PendingReport;
use crate::report::{Subject, json};

/// What stands before the data.
const HEAD: &str = "The block below is a record of what this agent still owes, made by a program from the transcript. Copy it into the \
                    summary as it stands, do not restate it. What is `unknown` or without a result is neither done nor failed. Name \
                    every value of `live_identifiers` that the summary touches in full.";

/// The data.
#[derive(Serialize)]
struct Open<'a> {
    schema: &'static str,
    pending: Vec<PendingReport<'a>>,
    open: Vec<Entry>,
    live_identifiers: &'a [String],
}

/// What is open, in a few words; its whole carrier is put back after the compaction.
#[derive(Serialize)]
struct Entry {
    key: String,
    kind: &'static str,
    text: String,
    effect: Option<&'static str>,
    discharge: String,
}

/// The text for the summariser, of the carriers of what is live; empty where nothing is open.
pub(super) fn briefing(subject: &Subject<'_>, carriers: Vec<CarrierReport>) -> String {
    let open: Vec<Entry> = carriers.into_iter().filter(is_open).map(Entry::from).collect();
    let pending = PendingReport::all(subject);
    if open.is_empty() && pending.is_empty() {
        return String::new();
    }
    let data = Open { schema: "owed.open/1", pending, open, live_identifiers: &subject.judgement.live_identifiers };
    let mut block = Vec::new();
    // Writing to memory does not fail.
    json::write_line(&mut block, &data).ok();
    format!("{HEAD}\n\n```json\n{}```\n", String::from_utf8_lossy(&block))
}

/// Whether something is still to be done or found out, and not only to be kept in mind.
fn is_open(carrier: &CarrierReport) -> bool {
    matches!(
        carrier.kind,
        "call" | "effect" | "retry" | "transaction" | "process" | "resource" | "unverified" | "task" | "question"
    )
}

impl From<CarrierReport> for Entry {
    fn from(carrier: CarrierReport) -> Self {
        let CarrierReport { key, kind, text, effect, discharge, .. } = carrier;
        Self { key, kind, text, effect, discharge: discharge.text }
    }
}
