//! Base64 that stands in a text: told by its type and size, for nobody reads it letter by letter.

mod kind;

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use self::kind::{Kind, kind};
use super::layout::Block;
use crate::ui::theme::Role;
use crate::ui::words;

/// Text of fewer letters is left as it is: a hash, a key, a token.
const SHORTEST: usize = 256;
/// Letters without a known beginning are a blob if there are so many of them, of all sorts.
const SHORTEST_UNKNOWN: usize = 512;
/// How a text of a type is written into another one (RFC 2397).
const DATA: &str = "data:";
const BASE64: &str = ";base64,";
/// A record of more bytes is not looked through for what it has attached.
const LARGEST: usize = 64 << 20;

/// A text with each blob in it told in a few words: `‹image/png, 1280×720, 84 kB›`.
pub(super) fn told(source: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for letters in runs(source) {
        let Some(blob) = Blob::at(source, letters) else { continue };
        out.push_str(source.get(done..blob.place.start).unwrap_or_default());
        out.push_str(&format!("‹{}›", blob.words()));
        done = blob.place.end;
    }
    if done == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(source.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// The pictures and files that a record holds, a line each; those of one call, where it holds the results of several.
pub(crate) fn attached(record: &str, call: Option<&str>) -> Vec<Block> {
    if record.len() > LARGEST || runs(record).next().is_none() {
        return Vec::new();
    }
    let Ok(record) = serde_json::from_str::<Value>(record) else { return Vec::new() };
    let part = call.and_then(|id| part_of(&record, id)).unwrap_or(&record);
    let mut found = Vec::new();
    gather(part, &mut found);
    found.into_iter().map(|told| Block::text(Role::Strong, format!("▣ {told}"))).collect()
}

/// The smallest object that names a call.
fn part_of<'r>(record: &'r Value, call: &str) -> Option<&'r Value> {
    let parts: Vec<&Value> = match record {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => return None,
    };
    let names = record.is_object() && parts.iter().any(|part| part.as_str() == Some(call));
    parts.iter().find_map(|part| part_of(part, call)).or(names.then_some(record))
}

/// What is said of the blobs of a known type among the strings of a record, each once.
fn gather(record: &Value, found: &mut Vec<String>) {
    match record {
        Value::String(text) => {
            let blob = runs(text).next().and_then(|letters| Blob::at(text, letters));
            let whole = blob.filter(|blob| blob.place == (0..text.len()) && blob.kind.is_some());
            let told = whole.map(|blob| blob.words());
            found.extend(told.filter(|told| !found.contains(told)));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, found)),
        _ => {}
    }
}

/// Base64 in a text.
struct Blob<'a> {
    /// With what says its type.
    place: Range<usize>,
    /// As its first bytes say.
    kind: Option<Kind>,
    /// As the text around it says.
    declared: Option<&'a str>,
    bytes: usize,
}

impl<'a> Blob<'a> {
    /// What so many letters of base64 are; none: anything else that looks like it.
    fn at(source: &'a str, letters: Range<usize>) -> Option<Self> {
        let own = source.get(letters.clone())?;
        let before = source.get(..letters.start)?;
        let head = before.strip_suffix(BASE64).and_then(|rest| rest.get(rest.rfind(DATA)?..)).filter(|head| head.len() < 80);
        let start = head.map_or(letters.start, |head| letters.start - BASE64.len() - head.len());
        let declared = head.and_then(|head| head.strip_prefix(DATA)?.split(';').next()).filter(|name| !name.is_empty());
        let kind = kind(own);
        let is_mixed = || {
            let has = |of: fn(&u8) -> bool| own.bytes().any(|byte| of(&byte));
            own.len() >= SHORTEST_UNKNOWN && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
        };
        let is_blob = kind.is_some() || head.is_some() || is_mixed();
        let bytes = own.trim_end_matches('=').len() * 3 / 4;
        is_blob.then_some(Self { place: start..letters.end, kind, declared, bytes })
    }

    /// `image/png, 1280×720, 84 kB`.
    fn words(&self) -> String {
        let name = self.kind.as_ref().map(|kind| kind.name).or(self.declared).unwrap_or("blob");
        let pixels = self.kind.as_ref().and_then(|kind| kind.pixels).map(|(width, height)| format!("{width}×{height}, "));
        format!("{name}, {}{}", pixels.unwrap_or_default(), words::bytes(u64::try_from(self.bytes).unwrap_or(u64::MAX)))
    }
}

/// Where so many letters of base64 stand without anything between them that there may be a blob.
fn runs(source: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
    let bytes = source.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let rest = bytes.get(at..).unwrap_or_default();
            let letters = rest.iter().take_while(|byte| is_letter(byte)).count();
            let padding = rest.iter().skip(letters).take(2).take_while(|byte| **byte == b'=').count();
            let start = at;
            at += letters + padding + usize::from(letters + padding == 0);
            if letters >= SHORTEST {
                return Some(start..start + letters + padding);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::document::{lay_out, text_of};
    use proptest::prelude::*;

    /// A PNG's first bytes, 1280 by 720, and then anything.
    fn png() -> String {
        format!("iVBORw0KGgoAAAANSUhEUgAABQAAAALQCAYAAADPfd1W{}", "Ab3/".repeat(200))
    }

    #[test]
    fn a_blob_is_told_by_its_type_and_size() {
        let mixed = "aB3x".repeat(200);
        for (source, shown) in [
            (png(), "‹image/png, 1280×720, 633 B›".to_owned()),
            (format!("see data:image/png;base64,{} here", png()), "see ‹image/png, 1280×720, 633 B› here".to_owned()),
            (format!("(data:font/woff2;base64,{})", "d09G".repeat(80)), "(‹font/woff2, 240 B›)".to_owned()),
            (format!(r#"{{"sig":"{mixed}=="}}"#), r#"{"sig":"‹blob, 600 B›"}"#.to_owned()),
            (format!("{} and {}", png(), png()), "‹image/png, 1280×720, 633 B› and ‹image/png, 1280×720, 633 B›".to_owned()),
        ] {
            assert_eq!(told(&source), shown);
        }
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        for source in
            ["x".repeat(2_000), "a/".repeat(400), "deadbeef".repeat(100), "word ".repeat(500), "aB3".repeat(90), String::new()]
        {
            assert_eq!(told(&source), source);
        }
    }

    #[test]
    fn a_result_has_attached_what_stands_in_its_own_part() {
        let picture = png();
        let block = |data: &str| format!(r#"{{"type":"image","source":{{"data":"{data}"}}}}"#);
        let result = |id: &str, content: &str| format!(r#"{{"tool_use_id":"{id}","content":[{content}]}}"#);
        let two = format!(r#"{{"message":[{},{}],"again":"{picture}"}}"#, result("a", &block(&picture)), result("b", ""));
        let lines =
            |call: Option<&str>| -> Vec<String> { lay_out(&attached(&two, call), 80, None).lines.iter().map(text_of).collect() };
        assert_eq!(lines(Some("a")), ["▣ image/png, 1280×720, 633 B"]);
        assert!(lines(Some("b")).is_empty());
        assert_eq!(lines(None), ["▣ image/png, 1280×720, 633 B"], "told once");
        assert!(attached("no record", None).is_empty());
    }

    proptest! {
        #[test]
        fn what_stands_around_a_blob_stays(before in "[a-z :,\"é]{0,20}", after in "[ .,\"é][a-z ]{0,20}") {
            let shown = told(&format!("{before} {}{after}", png())).into_owned();
            prop_assert!(shown.starts_with(&before) && shown.ends_with(&after), "{}", shown);
        }
    }
}
