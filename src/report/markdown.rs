//! Carriers as Markdown, for the model that goes on after a compaction: what to check first, then the records themselves, one a line
//! (DESIGN section 7). `ledger::record` finds them in a transcript again.

use serde::Serialize;

use crate::ledger::record::CARRIER;
use crate::report::carrier::{CarrierReport, CarriersReport, PointerReport};
use crate::report::entry::DischargeReport;
use crate::report::json;
use crate::report::text::short;
use crate::transcript::LaneKey;

/// Characters of an action in the list of checks.
const TOLD: usize = 100;

/// What every such text opens with.
const OPENING: &str = "A compaction happened here. The summary of what stood before is no evidence of what was done: where it says \
                       something else than these records, they hold.";

/// The carriers as Markdown; empty where there is nothing to carry.
#[must_use]
pub fn carriers(report: &CarriersReport) -> String {
    if report.carriers.is_empty() && report.left_out.is_empty() {
        return String::new();
    }
    let mut text = format!("# Carried over word by word\n\n{OPENING}\n");
    let (done, owed): (Vec<&CarrierReport>, Vec<&CarrierReport>) = report.carriers.iter().partition(|one| one.kind == "done");
    checks(&mut text, &owed);
    if !owed.is_empty() {
        text.push_str("\n## Still owed and in force, in order of opening\n\n```json\n");
        owed.into_iter().for_each(|one| line(&mut text, &Alone { schema: CARRIER, carrier: one.into() }));
        text.push_str("```\n");
    }
    if !done.is_empty() {
        text.push_str("\n## Done: do not repeat\n\n```json\n");
        line(&mut text, &Listed { schema: CARRIER, carriers: done.into_iter().map(Lean::from).collect() });
        text.push_str("```\n");
    }
    if !report.left_out.is_empty() {
        text.push_str("\n## Not carried: look these up before you go on\n\n");
        for one in &report.left_out {
            text.push_str(&format!("- {}\n", short(&one.line_text, TOLD)));
        }
    }
    text
}

/// What must be looked at before anything is done about what stood open.
fn checks(text: &mut String, owed: &[&CarrierReport]) {
    let open: Vec<&&CarrierReport> = owed.iter().filter(|one| is_unverified(one)).collect();
    if open.is_empty() {
        return;
    }
    text.push_str("\nBefore acting on these, run these checks:\n\n");
    for one in open {
        text.push_str(&format!(
            "- unverified, check first: {} ({})\n",
            short(&one.line_text, TOLD),
            short(&one.discharge.text, TOLD)
        ));
    }
}

/// Whether it can have changed unobserved, or nobody knows what it did. What a chain of retries left unknown is an effect beside it.
fn is_unverified(carrier: &CarrierReport) -> bool {
    carrier.kind != "retry" && (carrier.colour == Some("barrier") || matches!(carrier.kind, "call" | "effect"))
}

fn line(text: &mut String, value: &impl Serialize) {
    let mut line = Vec::new();
    // Writing to memory does not fail, and what is written is UTF-8.
    json::write_line(&mut line, value).ok();
    text.push_str(&String::from_utf8(line).unwrap_or_default());
}

/// One carrier, with its schema.
#[derive(Serialize)]
struct Alone<'a> {
    schema: &'static str,
    #[serde(flatten)]
    carrier: Lean<'a>,
}

/// Carriers in a list, which has the schema.
#[derive(Serialize)]
struct Listed<'a> {
    schema: &'static str,
    carriers: Vec<Lean<'a>>,
}

/// The fields of a carrier that say anything, the telling ones first: a model pays for each. What is left out is read back as what it
/// was.
#[derive(Serialize)]
struct Lean<'a> {
    key: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    also: &'a [&'static str],
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<LeanPointer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    progress: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    preconditions: &'a [String],
    discharge: LeanDischarge<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<LeanEdge<'a>>,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    colour: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'a str>,
    #[serde(skip_serializing_if = "is_main")]
    lane: &'a str,
    place: LeanPlace<'a>,
}

#[derive(Serialize)]
struct LeanPointer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    len: u32,
    start: u64,
}

#[derive(Serialize)]
struct LeanDischarge<'a> {
    check: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    needs: &'a [String],
    #[serde(skip_serializing_if = "is_true")]
    observable: bool,
    text: &'a str,
}

#[derive(Serialize)]
struct LeanEdge<'a> {
    to: &'a str,
    r#type: &'static str,
}

#[derive(Serialize)]
struct LeanPlace<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    line: u32,
}

impl<'a> From<&'a CarrierReport> for Lean<'a> {
    fn from(carrier: &'a CarrierReport) -> Self {
        let pointer =
            |pointer: &'a PointerReport| LeanPointer { file: pointer.file.as_deref(), len: pointer.len, start: pointer.start };
        let DischargeReport { text, check, needs, observable } = &carrier.discharge;
        Self {
            key: &carrier.key,
            kind: carrier.kind,
            also: &carrier.also,
            text: &carrier.text,
            pointer: carrier.pointer.as_ref().map(pointer),
            effect: carrier.effect,
            attempts: carrier.attempts,
            target: carrier.target.as_deref(),
            idempotency_key: carrier.idempotency_key.as_deref(),
            progress: &carrier.progress,
            preconditions: &carrier.preconditions,
            discharge: LeanDischarge { check, needs, observable: *observable, text },
            edges: carrier.edges.iter().map(|edge| LeanEdge { to: &edge.to, r#type: edge.r#type }).collect(),
            scope: carrier.scope,
            colour: carrier.colour,
            call: carrier.call.as_deref(),
            action: carrier.action.as_deref(),
            lane: &carrier.lane,
            place: LeanPlace { at: carrier.place.at.as_deref(), line: carrier.place.line },
        }
    }
}

fn is_main(lane: &&str) -> bool {
    *lane == LaneKey::Main.name()
}

fn is_true(holds: &bool) -> bool {
    *holds
}
