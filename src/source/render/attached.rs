//! Texts that stand elsewhere in a document: a string `attachment://KEY` means the one that its object `attachments` has under that key.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::RawValue;

use crate::source::render::compact;

/// The key of that object, in a header's paths.
pub(super) const KEY: &str = "attachments";

/// How a string begins that stands for another one.
const MARK: &str = "\"attachment://";

/// The texts of a document, or of an element with attachments of its own.
#[derive(Default)]
pub(super) struct Attached(BTreeMap<String, Box<RawValue>>);

impl Attached {
    /// Reads the object; whatever is no object has no texts.
    pub(super) fn of(object: &RawValue) -> Self {
        Self(serde_json::from_str(object.get()).unwrap_or_default())
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
        let places = json.match_indices(MARK).filter(|_| !self.0.is_empty());
        places.into_iter().find_map(|(at, _)| {
            let (before, found) = json.split_at(at);
            let (key, behind) = found.get(MARK.len()..)?.split_once('"')?;
            // Behind a backslash it is quoted in another text.
            let text = self.0.get(key).map(|text| text.get()).filter(|text| text.starts_with('"') && !text.starts_with("\"data:"));
            text.filter(|_| !before.ends_with('\\')).map(|text| (before, text, behind))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
