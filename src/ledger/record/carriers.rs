//! Carriers in a text: objects whose `schema` is `owed.carrier/1`, or one such object with a list of them under `carriers`. They begin a
//! line (a fenced block, lines of their own), or have their schema first.

use memchr::memmem;
use serde_json::Value;

use super::read::carrier;
use super::{CARRIER, Mistake, Opening};

/// What stands in a text as carriers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carriers {
    /// Those that can be read, in order.
    pub held: Vec<Opening>,
    /// What is wrong with the others, in order.
    pub misread: Vec<Misread>,
}

/// What stands in a text as a carrier and holds nothing, because of a mistake in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The 1-based line on which it begins.
    pub line: u32,
    /// What is wrong with it.
    pub mistake: Mistake,
}

/// The carriers of a text, in order. What is no whole carrier any more, because it was cut or changed, holds nothing.
#[must_use]
pub fn carriers(text: &str) -> Vec<Opening> {
    read_carriers(text).held
}

/// All that stands in a text as a carrier: what can be read, and what is wrong with the rest.
#[must_use]
pub fn read_carriers(text: &str) -> Carriers {
    let mut found = Carriers::default();
    let Some(last) = memmem::rfind(text.as_bytes(), CARRIER.as_bytes()) else { return found };
    let mut from = 0;
    while let Some(rest) = text.get(from..last) {
        let Some(start) = rest.match_indices('{').map(|(at, _)| from + at).find(|at| begins(text, *at)) else { break };
        let line = || line_of(text, start);
        let Some((value, end)) = value_at(text, start) else {
            if is_marked(text, start) {
                let mistake = Mistake::whole("is no whole JSON object: it was cut or changed");
                found.misread.push(Misread { line: line(), mistake });
            }
            from = start + 1;
            continue;
        };
        from = end;
        let mut note = |value| match carrier(value) {
            Ok(carrier) => found.held.push(carrier),
            Err(mistake) => found.misread.push(Misread { line: line(), mistake }),
        };
        match value {
            Value::Object(mut object) if object.get("schema").is_some_and(|schema| schema == CARRIER) => {
                match object.remove("carriers") {
                    Some(Value::Array(list)) => list.into_iter().for_each(note),
                    _ => note(Value::Object(object)),
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether what begins at a brace says first that it is a carrier.
fn is_marked(text: &str, brace: usize) -> bool {
    let behind = text.get(brace + 1..).unwrap_or("").trim_start();
    let value = behind.strip_prefix("\"schema\"").map(|rest| rest.trim_start_matches([' ', ':']));
    value.and_then(|value| value.strip_prefix('"')).is_some_and(|value| value.starts_with(CARRIER))
}

/// The 1-based line of a place.
fn line_of(text: &str, at: usize) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count();
    u32::try_from(breaks + 1).unwrap_or(u32::MAX)
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
