//! Carriers in a text: each an object whose first field is `"schema": "owed.carrier/1"`, in a fenced block, on lines of their own or
//! anywhere else; or one such object with a list of them under `carriers`.

use memchr::memmem;
use serde_json::Value;

use super::read::carrier;
use super::{CARRIER, Opening};

/// The carriers of a text, in order. What is no whole carrier any more, because it was cut or changed, holds nothing.
#[must_use]
pub fn carriers(text: &str) -> Vec<Opening> {
    let mut found = Vec::new();
    let mark = format!("\"{CARRIER}\"");
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| memmem::find(rest.as_bytes(), mark.as_bytes())).map(|at| from + at) {
        let value = text.get(from..at).and_then(opens).and_then(|start| value_at(text, from + start));
        let Some((value, end)) = value else {
            from = at + mark.len();
            continue;
        };
        from = end.max(at + mark.len());
        match value {
            Value::Object(mut object) if object.contains_key("carriers") => {
                let list = object.remove("carriers").map(|list| if let Value::Array(list) = list { list } else { Vec::new() });
                found.extend(list.unwrap_or_default().into_iter().filter_map(|one| carrier(one).ok()));
            }
            value => found.extend(carrier(value)),
        }
    }
    found
}

/// Where the object begins whose schema stands behind this text.
fn opens(before: &str) -> Option<usize> {
    let name = before.trim_end().strip_suffix(':')?.trim_end().strip_suffix("\"schema\"")?;
    name.trim_end().strip_suffix('{').map(str::len)
}

/// The JSON value that begins at `start`, and where it ends.
fn value_at(text: &str, start: usize) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text.get(start..)?).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, start + values.byte_offset()))
}
