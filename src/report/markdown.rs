//! Carriers as Markdown, for the model that goes on after a compaction: what to check first, then the records themselves, one a line
//! (DESIGN section 7). `ledger::record` finds them in a transcript again.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::ledger::record::CARRIER;
use crate::report::carrier::{CarrierReport, CarriersReport};
use crate::report::json;
use crate::report::text::short;

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
        owed.iter().for_each(|one| line(&mut text, &Alone(one)));
        text.push_str("```\n");
    }
    if !done.is_empty() {
        text.push_str("\n## Done: do not repeat\n\n```json\n");
        line(&mut text, &Listed(&done));
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
    text.push_str(&String::from_utf8_lossy(&line));
}

/// One carrier, with its schema.
struct Alone<'a>(&'a CarrierReport);

/// Carriers in a list, which has the schema.
struct Listed<'a>(&'a [&'a CarrierReport]);

/// A carrier in a list.
struct Within<'a>(&'a CarrierReport);

impl Serialize for Alone<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", CARRIER)?;
        fields(&mut map, self.0)?;
        map.end()
    }
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", CARRIER)?;
        map.serialize_entry("carriers", &self.0.iter().copied().map(Within).collect::<Vec<_>>())?;
        map.end()
    }
}

impl Serialize for Within<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        fields(&mut map, self.0)?;
        map.end()
    }
}

/// The fields of a carrier that say anything: a model pays for each. What is left out is read back as what it was.
fn fields<M: SerializeMap>(map: &mut M, carrier: &CarrierReport) -> Result<(), M::Error> {
    let Ok(Value::Object(mut values)) = serde_json::to_value(carrier) else { return Ok(()) };
    for name in ORDER {
        match values.remove(*name).map(lean) {
            Some(value) if says_something(name, &value) => map.serialize_entry(name, &value)?,
            Some(_) | None => {}
        }
    }
    Ok(())
}

/// An object without what says nothing.
fn lean(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().filter(|(name, value)| says_something(name, value)).collect(),
        value => value,
    }
}

/// Whether a field says what its absence would not.
fn says_something(name: &str, value: &Value) -> bool {
    let is_default = match name {
        "lane" => value == "main",
        "observable" => value == true,
        _ => false,
    };
    !(is_default || value.is_null() || value.as_array().is_some_and(Vec::is_empty))
}

/// The fields that a model is given, the telling ones first.
const ORDER: &[&str] = &[
    "key",
    "kind",
    "also",
    "text",
    "pointer",
    "effect",
    "attempts",
    "target",
    "idempotency_key",
    "progress",
    "preconditions",
    "discharge",
    "edges",
    "scope",
    "colour",
    "call",
    "action",
    "lane",
    "place",
];
