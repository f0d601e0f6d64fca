//! The identity of an action: the hash of its tool and its normalised input, and the explicit key in it.
//!
//! White space between values, the order of an object's keys at every depth, volatile fields (ids of the request, timestamps,
//! descriptions), and fields that are null or false do not count. An explicit idempotency key does not count either: the same action
//! under another key is still the same action, done twice.

use std::borrow::Cow;

use serde_json::Value;

use super::data::IdentityFacts;
use super::input::{Fields, scalar};
use crate::base::hash::Hash64;

/// A nested value that is longer than this, in bytes, counts as it is written.
const NORMALISED_BYTES: usize = 64 * 1024;

/// What an input is, apart from how it is written.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) action: Hash64,
    /// The explicit key.
    pub(super) key: Option<String>,
}

/// The identity of a tool's call with these fields. `volatile` names fields that this tool in particular does not count.
pub(super) fn of_tool(facts: &IdentityFacts, tool: &str, fields: &Fields<'_>, volatile: &[Box<str>]) -> Identity {
    let mut key = None;
    let mut parts: Vec<(&str, Cow<'_, [u8]>)> = Vec::with_capacity(fields.fields.len());
    for (name, json) in &fields.fields {
        if is_key(facts, name) {
            key = scalar(json).map(Cow::into_owned).or(key);
        } else if !facts.volatile.contains(name) && !volatile.iter().any(|own| **own == **name) {
            parts.extend(normalised(facts, json, &mut key).map(|value| (&**name, value)));
        }
    }
    if fields.fields.is_empty() {
        parts.push(("", Cow::Borrowed(fields.whole.trim().as_bytes())));
    }
    parts.sort_by_key(|(name, _)| *name);
    let bytes = parts.iter().flat_map(|(name, value)| [name.as_bytes(), &**value]);
    Identity { action: Hash64::of_parts(std::iter::once(tool.as_bytes()).chain(bytes)), key }
}

/// The identity of a command: its words and operators, and the folder that it runs in.
pub(super) fn of_command(tokens: &[&str], dir: Option<&str>, key: Option<String>) -> Identity {
    let dir = dir.unwrap_or_default().trim_end_matches('/');
    let own_key = key.as_deref();
    let without_key =
        |&token| own_key.filter(|key| str::contains(token, key)).map_or(Cow::Borrowed(token), |key| token.replace(key, "").into());
    let tokens: Vec<Cow<'_, str>> = tokens.iter().map(without_key).collect();
    let bytes = tokens.iter().map(|token| token.as_bytes());
    Identity { action: Hash64::of_parts([b"shell", dir.as_bytes()].into_iter().chain(bytes)), key }
}

fn is_key(facts: &IdentityFacts, name: &str) -> bool {
    facts.keys.contains(name) || facts.headers.iter().any(|header| header.eq_ignore_ascii_case(name))
}

/// A field's value in one spelling; none where it says no more than its absence.
fn normalised<'a>(facts: &IdentityFacts, json: &'a str, key: &mut Option<String>) -> Option<Cow<'a, [u8]>> {
    let bytes = |text: Cow<'a, str>| match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    };
    if json.len() > NORMALISED_BYTES {
        return Some(Cow::Borrowed(json.as_bytes()));
    }
    match json.as_bytes().first()? {
        b'{' | b'[' => match serde_json::from_str::<Value>(json) {
            Ok(value) => {
                let mut out = String::with_capacity(json.len());
                write(facts, &value, &mut out, key);
                Some(Cow::Owned(out.into_bytes()))
            }
            Err(_) => Some(Cow::Borrowed(json.as_bytes())),
        },
        _ if matches!(json, "false" | "null") => None,
        _ => scalar(json).map(bytes),
    }
}

/// Writes a value with the keys of its objects in order.
fn write(facts: &IdentityFacts, value: &Value, out: &mut String, key: &mut Option<String>) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in fields {
                match value {
                    Value::Null | Value::Bool(false) => {}
                    Value::String(text) if is_key(facts, name) => *key = Some(text.clone()),
                    _ if facts.volatile.contains(name) => {}
                    _ => {
                        // As JSON, so that a text never reads like the structure around it.
                        out.push_str(&Value::from(name.as_str()).to_string());
                        out.push(':');
                        write(facts, value, out, key);
                        out.push(',');
                    }
                }
            }
            out.push('}');
        }
        Value::Array(values) => {
            out.push('[');
            for value in values {
                write(facts, value, out, key);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}
