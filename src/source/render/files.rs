//! Files of a folder as one document.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::source::error::Error;
use crate::source::file::{Origin, text_of};
use crate::source::render::{compact, kept, there};
use crate::transcript::Files;

/// The other files of the document that the file at `main` tells, in the order in which they stand in it.
#[must_use]
pub fn paths(main: &Path, files: &Files) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in matching(main, files.pattern) {
        let below = files.each.map(|each| paths(&path, each));
        found.push(path);
        found.extend(below.into_iter().flatten());
    }
    found
}

/// The folders in which other files of the document may come to lie: each, or the nearest above it that is there.
pub(super) fn folders(main: &Path, files: &Files) -> Vec<PathBuf> {
    let own = place(main, files.pattern);
    let mut found: Vec<PathBuf> = own.iter().filter_map(|path| there(path.parent()?)).map(PathBuf::from).collect();
    if let Some(each) = files.each {
        found.extend(matching(main, files.pattern).iter().flat_map(|path| folders(path, each)));
    }
    found
}

/// The document, in a temporary file.
///
/// # Errors
/// A file cannot be read, or is no JSON.
pub(super) fn gathered(origin: &Origin, files: &Files) -> Result<Arc<File>, Error> {
    let mut file = tempfile::tempfile().map_err(kept)?;
    let mut out = BufWriter::new(&mut file);
    write(origin.path(), Some(files), &mut out)?;
    out.flush().map_err(kept)?;
    drop(out);
    Ok(Arc::new(file))
}

fn write(path: &Path, files: Option<&Files>, out: &mut dyn Write) -> Result<(), Error> {
    let Some(files) = files else { return copy(path, out) };
    write!(out, "{{\"{}\":", files.own).map_err(kept)?;
    copy(path, out)?;
    write!(out, ",\"{}\":[", files.list).map_err(kept)?;
    for (n, other) in matching(path, files.pattern).iter().enumerate() {
        if n > 0 {
            out.write_all(b",").map_err(kept)?;
        }
        write(other, files.each, out)?;
    }
    out.write_all(b"]}").map_err(kept)
}

/// Writes what a file says. One that is being written says nothing yet.
fn copy(path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let text = text_of(path).map_err(|error| Error::of(path, error))?;
    let json = serde_json::from_str::<&serde_json::value::RawValue>(&text);
    let json = json.map_or("null", serde_json::value::RawValue::get);
    compact::write(json, out).map_err(kept)
}

/// The path of a pattern.
pub(super) fn place(main: &Path, pattern: &str) -> Option<PathBuf> {
    let (folder, name) = (main.parent()?, main.file_name()?.to_str()?);
    let own = name.split('.').next().unwrap_or(name);
    let around = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Some(pattern.split('/').fold(folder.to_path_buf(), |folder, part| match part {
        ".." => folder.parent().map(Path::to_path_buf).unwrap_or_default(),
        part => folder.join(part.replace("{folder}", around).replace("{}", own)),
    }))
}

/// The files of a pattern, by name.
fn matching(main: &Path, pattern: &str) -> Vec<PathBuf> {
    let path = place(main, pattern);
    let Some((folder, name)) = path.as_ref().and_then(|path| Some((path.parent()?, path.file_name()?.to_str()?))) else {
        return Vec::new();
    };
    let Some((begins, ends)) = name.split_once('*') else { return path.into_iter().filter(|path| path.is_file()).collect() };
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let fits = |name: &String| name.len() >= begins.len() + ends.len() && name.starts_with(begins) && name.ends_with(ends);
    let mut found: Vec<PathBuf> = names.filter(fits).map(|name| folder.join(name)).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::render::from_start;
    use crate::transcript::Document;
    use std::io::Read as _;

    const PARTS: Files = Files {
        own: "info",
        list: "parts",
        pattern: "../../part/{}/*.json",
        each: None,
        document: Document { header: &[], lists: &[] },
    };
    const FILES: Files = Files { list: "messages", pattern: "../../message/{}/m*.json", each: Some(&PARTS), ..PARTS };

    #[test]
    fn files_are_put_together_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("session/p/s1.json", "{\n\"id\": 1}"),
            ("message/s1/m2.json", "{\"n\":2}"),
            ("message/s1/m1.json", "{\"n\":1}"),
            ("message/s1/x.json", "{}"),
            ("message/s2/m1.json", "{}"),
            ("part/m1/b.json", "{\"b\":1}"),
            ("part/m1/a.json", "{\"torn"),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        // The session's folder is two below the others.
        let main = folder.path().join("session/p/s1.json");
        let mut text = String::new();
        from_start(&gathered(&Origin::Path(main.clone()), &FILES).unwrap()).read_to_string(&mut text).unwrap();
        assert_eq!(text, r#"{"info":{"id":1},"messages":[{"info":{"n":1},"parts":[null,{"b":1}]},{"info":{"n":2},"parts":[]}]}"#);
        assert_eq!(paths(&main, &FILES).len(), 4);
        // A message without parts yet: they will come to lie in a folder that is not there.
        let expected = ["message/s1", "part/m1", "part"].map(|name| folder.path().join(name));
        assert_eq!(folders(&main, &FILES).iter().map(|found| found.canonicalize().unwrap()).collect::<Vec<_>>(), expected);
    }
}
