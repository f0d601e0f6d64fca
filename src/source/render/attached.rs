//! Texts that stand elsewhere in a document: a string `attachment://KEY` means the one that its object `attachments` has under that key.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::RawValue;

use crate::source::render::{compact, unpack};

/// The key of that object, in a header's paths.
pub(super) const KEY: &str = "attachments";

/// How a string begins that stands for another one.
const MARK: &str = "\"attachment://";

/// The texts of a document, or of an element with attachments of its own.
#[derive(Default)]
pub(super) struct Attached {
    texts: BTreeMap<String, Box<RawValue>>,
    /// So many bytes of them may still be put in a place. Behind that a string stays what it is: a small file cannot fill a disk.
    left: Cell<u64>,
}

impl Attached {
    /// Reads the object; whatever is no object has no texts.
    pub(super) fn of(object: &RawValue) -> Self {
        let texts = serde_json::from_str(object.get()).unwrap_or_default();
        Self { texts, left: Cell::new(unpack::TIMES * object.get().len() as u64) }
    }

    /// Writes a value without white space, with its texts in their places. Pictures and the like stay where they are.
    pub(super) fn write(&self, json: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut rest = json;
        while let Some((before, text, behind)) = self.next(rest) {
            compact::write(before, out)?;
            out.write_all(text.as_bytes())?;
            rest = behind;
        }
        compact::write(rest, out)
    }

    /// What stands before the first string that stands for a text, that text, and what stands behind it.
    fn next<'t>(&'t self, json: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
        let places = json.match_indices(MARK).filter(|_| !self.texts.is_empty());
        places.into_iter().find_map(|(at, _)| {
            let (before, found) = json.split_at(at);
            let (key, behind) = found.get(MARK.len()..)?.split_once('"')?;
            // Behind a backslash it is quoted in another text.
            let text =
                self.texts.get(key).map(|text| text.get()).filter(|text| text.starts_with('"') && !text.starts_with("\"data:"))?;
            let left = self.left.get().checked_sub(text.len() as u64).filter(|_| !before.ends_with('\\'))?;
            self.left.set(left);
            Some((before, text, behind))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_meant_too_often_is_left_where_it_is() {
        let object = RawValue::from_string(format!(r#"{{"a":"{}"}}"#, "x".repeat(100))).unwrap();
        let json = format!("[{}]", vec![r#""attachment://a""#; 100].join(","));
        let mut out = Vec::new();
        Attached::of(&object).write(&json, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!((out.matches("xxx\"").count(), out.matches("attachment://a").count()), (67, 33));
    }

    #[test]
    fn a_text_stands_where_it_is_meant() {
        let object = RawValue::from_string(r#"{"a1":"long\n\"text\"","b2":"data:image/png;base64,AA","c3":7}"#.to_owned()).unwrap();
        let attached = Attached::of(&object);
        for (json, expected) in [
            (r#"{ "r": "attachment://a1", "s": 1 }"#, r#"{"r":"long\n\"text\"","s":1}"#),
            (r#"["attachment://a1","attachment://a1"]"#, r#"["long\n\"text\"","long\n\"text\""]"#),
            (
                r#"["attachment://b2", "attachment://c3", "attachment://none"]"#,
                r#"["attachment://b2","attachment://c3","attachment://none"]"#,
            ),
            (
                r#"["see \"attachment://a1\" there", "an attachment://a1"]"#,
                r#"["see \"attachment://a1\" there","an attachment://a1"]"#,
            ),
        ] {
            let mut out = Vec::new();
            attached.write(json, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{json}");
        }
    }
}
