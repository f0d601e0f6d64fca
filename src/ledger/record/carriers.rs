//! Carriers in a text: objects whose `schema` is `owed.carrier/1`, or one such object with a list of them under `carriers`. They begin a
//! line (a fenced block, lines of their own), or have their schema first.

use memchr::memmem;
use serde_json::Value;

use super::read::carrier;
use super::{CARRIER, Opening};

/// The carriers of a text, in order. What is no whole carrier any more, because it was cut or changed, holds nothing.
#[must_use]
pub fn carriers(text: &str) -> Vec<Opening> {
    let mut found = Vec::new();
    let Some(last) = memmem::rfind(text.as_bytes(), CARRIER.as_bytes()) else { return found };
    let mut from = 0;
    while let Some(rest) = text.get(from..last) {
        let Some(start) = rest.match_indices('{').map(|(at, _)| from + at).find(|at| begins(text, *at)) else { break };
        let Some((value, end)) = value_at(text, start) else {
            from = start + 1;
            continue;
        };
        from = end;
        match value {
            Value::Object(mut object) if object.get("schema").is_some_and(|schema| schema == CARRIER) => {
                match object.remove("carriers") {
                    Some(Value::Array(list)) => found.extend(list.into_iter().filter_map(|one| carrier(one).ok())),
                    _ => found.extend(carrier(Value::Object(object))),
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a carrier may begin with this brace.
fn begins(text: &str, brace: usize) -> bool {
    let before = text.get(..brace).unwrap_or("").trim_end_matches([' ', '\t']);
    let behind = text.get(brace + 1..).unwrap_or("").trim_start();
    before.is_empty() || before.ends_with('\n') || behind.starts_with("\"schema\"")
}

/// The JSON value that begins at `start`, and where it ends.
fn value_at(text: &str, start: usize) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text.get(start..)?).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, start + values.byte_offset()))
}
