//! A document with what its runtime keeps beside it, as one document.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::source::error::Error;
use crate::source::file::{Origin, text_of};
use crate::source::render::{compact, document, files, kept};
use crate::transcript::Spliced;

/// The other file, whether it is there or not; none where it would be the document itself.
pub(super) fn beside(main: &Path, spliced: &Spliced) -> Option<PathBuf> {
    files::place(main, spliced.pattern).filter(|path| path != main)
}

/// The document, in a temporary file.
///
/// # Errors
/// The main file cannot be read, or is no JSON object. A file beside it that is being written says nothing yet.
pub(super) fn spliced(origin: &Origin, spliced: &Spliced) -> Result<Arc<File>, Error> {
    let path = origin.path();
    let text = text_of(path).map_err(|error| Error::of(path, error))?;
    let broken = |error: serde_json::Error| Error::malformed(path, document::words(&error));
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(&text).map_err(broken)?;
    let beside = beside(path, spliced).and_then(|path| text_of(&path).ok());
    let beside = beside.as_deref().and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    let mut file = tempfile::tempfile().map_err(kept)?;
    let mut out = BufWriter::new(&mut file);
    let mut open = "{";
    for (key, value) in &fields {
        write!(out, "{open}{}:", serde_json::Value::from(key.as_str())).map_err(kept)?;
        open = ",";
        match (serde_json::from_str::<Vec<&RawValue>>(value.get()), beside) {
            (Ok(elements), Some(beside)) if key == spliced.list => with(&elements, beside, spliced, &mut out).map_err(kept)?,
            _ => compact::write(value.get(), &mut out).map_err(kept)?,
        }
    }
    write!(out, "{}}}", if fields.is_empty() { "{" } else { "" }).map_err(kept)?;
    out.flush().map_err(kept)?;
    drop(out);
    Ok(Arc::new(file))
}

/// Writes a list with one more element.
fn with(elements: &[&RawValue], beside: &RawValue, spliced: &Spliced, out: &mut dyn Write) -> std::io::Result<()> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(beside.get()).unwrap_or_default();
    let after = fields.get(spliced.after).and_then(|count| count.get().parse::<usize>().ok());
    let (before, behind) = elements.split_at_checked(after.unwrap_or(elements.len())).unwrap_or((elements, &[]));
    let mut open = "[";
    for element in before {
        out.write_all(open.as_bytes())?;
        open = ",";
        compact::write(element.get(), out)?;
    }
    write!(out, "{open}{{\"{}\":", spliced.key)?;
    compact::write(beside.get(), out)?;
    out.write_all(b"}")?;
    for element in behind {
        out.write_all(b",")?;
        compact::write(element.get(), out)?;
    }
    out.write_all(b"]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::render::from_start;
    use crate::transcript::Document;
    use std::io::Read as _;

    const SPLICED: Spliced = Spliced {
        list: "m",
        pattern: "{}.side.json",
        key: "side",
        after: "count",
        document: Document { header: &[], lists: &["m"] },
    };

    #[test]
    fn what_lies_beside_stands_where_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let (main, side) = (folder.path().join("s1.messages.json"), folder.path().join("s1.side.json"));
        std::fs::write(&main, "{ \"id\": 1,\n \"m\": [ {\"n\":1}, {\"n\":2} ] }").unwrap();
        let text = |main: &Path| {
            let mut text = String::new();
            from_start(&spliced(&Origin::Path(main.to_path_buf()), &SPLICED).unwrap()).read_to_string(&mut text).unwrap();
            text
        };
        assert_eq!(text(&main), r#"{"id":1,"m":[{"n":1},{"n":2}]}"#);
        for (beside, expected) in [
            (r#"{"count": 1}"#, r#"{"id":1,"m":[{"n":1},{"side":{"count":1}},{"n":2}]}"#),
            (r#"{"count": 9}"#, r#"{"id":1,"m":[{"n":1},{"n":2},{"side":{"count":9}}]}"#),
            (r#"{}"#, r#"{"id":1,"m":[{"n":1},{"n":2},{"side":{}}]}"#),
            (r#"{"count": 1"#, r#"{"id":1,"m":[{"n":1},{"n":2}]}"#),
        ] {
            std::fs::write(&side, beside).unwrap();
            assert_eq!(text(&main), expected, "{beside}");
        }
        std::fs::write(&side, r#"{"m":[]}"#).unwrap();
        assert_eq!((beside(&side, &SPLICED), text(&side)), (None, r#"{"m":[]}"#.to_owned()), "it does not lie beside itself");
    }
}
