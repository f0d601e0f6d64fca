//! A sample of an Inspect log that is kept in chunks, put together as the one document that it stands for (inspect_ai,
//! `log/_recorders/chunked`): a shell, and sequences of messages, events and texts, a file for so many of each.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::RawValue;

use crate::source::render::unpack;

/// The name of a shell, below the folder of its sample.
pub(super) const SHELL: &str = "/sample.json";

/// What lies beside it, in any case.
const SKELETON: &str = "/skeleton.json";

/// The sequences, in the order in which they are read.
pub(super) const SEQUENCES: [&str; 3] = ["messages", "events", "attachments"];

/// The folders of the samples that are kept so, of the files of an archive.
pub(super) fn folders(names: &[String]) -> Vec<&str> {
    let folders = names.iter().filter_map(|name| name.strip_suffix(SHELL));
    folders.filter(|folder| names.iter().any(|name| name.strip_suffix(SKELETON) == Some(folder))).collect()
}

/// The chunks of a sequence, in order: each is named by the number of its first element.
pub(super) fn chunks<'n>(names: &'n [String], folder: &str, sequence: &str) -> Vec<&'n String> {
    let start = |name: &String| {
        let own = name.strip_prefix(folder)?.strip_prefix('/')?.strip_prefix(sequence)?.strip_prefix('/')?;
        own.strip_suffix(".json")?.parse::<u64>().ok()
    };
    let mut found: Vec<(u64, &String)> = names.iter().filter_map(|name| Some((start(name)?, name))).collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// Writes the document of a shell and of the chunks of each sequence.
///
/// # Errors
/// A part is no JSON; the messages come to far more than what lies there; the document cannot be written.
pub(super) fn write(shell: &[u8], sequences: &[Vec<Vec<u8>>; SEQUENCES.len()], out: &mut dyn Write) -> io::Result<()> {
    let fields: BTreeMap<&str, &RawValue> = serde_json::from_slice(shell)?;
    let [pool, events, texts] = sequences.each_ref().map(|chunks| items(chunks));
    let (pool, events, texts) = (pool?, events?, texts?);
    let refs: Vec<(usize, usize)> =
        fields.get("message_refs").map(|refs| serde_json::from_str(refs.get())).transpose()?.unwrap_or_default();
    let there: u64 = sequences.iter().flatten().map(|chunk| chunk.len() as u64).sum();
    if meant(&pool, &refs) > unpack::TIMES * there {
        return Err(io::Error::other("it refers to its messages so often that they would fill the disk"));
    }
    let messages: Vec<&RawValue> = refs.iter().flat_map(|(from, to)| pool.get(*from..*to).unwrap_or_default()).copied().collect();
    let texts: BTreeMap<String, &RawValue> = texts.into_iter().enumerate().map(|(n, text)| (n.to_string(), text)).collect();
    let own = fields.iter().filter(|(key, _)| **key != "message_refs" && !SEQUENCES.contains(key));
    out.write_all(b"{")?;
    for (key, value) in own {
        write!(out, "{}:{},", serde_json::Value::from(*key), value.get())?;
    }
    out.write_all(b"\"messages\":")?;
    serde_json::to_writer(&mut *out, &messages)?;
    out.write_all(b",\"events\":")?;
    serde_json::to_writer(&mut *out, &events)?;
    out.write_all(b",\"attachments\":")?;
    serde_json::to_writer(&mut *out, &texts)?;
    out.write_all(b"}")
}

/// The bytes of the messages that are referred to, each as often as it is.
fn meant(pool: &[&RawValue], refs: &[(usize, usize)]) -> u64 {
    let mut until = vec![0];
    until.extend(pool.iter().scan(0, |sum, item| {
        *sum += item.get().len() as u64;
        Some(*sum)
    }));
    let end = |at: usize| until.get(at).or(until.last()).copied().unwrap_or_default();
    refs.iter().fold(0, |sum: u64, (from, to)| sum.saturating_add(end(*to).saturating_sub(end(*from))))
}

fn items(chunks: &[Vec<u8>]) -> Result<Vec<&RawValue>, serde_json::Error> {
    let mut all = Vec::new();
    for chunk in chunks {
        all.extend(serde_json::from_slice::<Vec<&RawValue>>(chunk)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_put_together() {
        let names = ["events/0.json", "events/10.json", "events/2.json", "events/stats.json", "skeleton.json", "sample.json"];
        let names: Vec<String> = names.iter().map(|name| format!("samples/a/b_epoch_1/{name}")).collect();
        let folder = "samples/a/b_epoch_1";
        assert_eq!(folders(&names), [folder]);
        let found: Vec<&str> = chunks(&names, folder, "events").iter().map(|name| name.rsplit('/').next().unwrap()).collect();
        assert_eq!(found, ["0.json", "2.json", "10.json"]);
        let sequences = [
            vec![b"[{\"n\":0},{\"n\":1}]".to_vec(), b"[{\"n\":2}]".to_vec()],
            vec![b"[{\"e\":0}]".to_vec()],
            vec![b"[\"long\"]".to_vec()],
        ];
        let mut out = Vec::new();
        write(br#"{"id":7,"message_refs":[[0,1],[2,3]]}"#, &sequences, &mut out).unwrap();
        let whole = r#"{"id":7,"messages":[{"n":0},{"n":2}],"events":[{"e":0}],"attachments":{"0":"long"}}"#;
        assert_eq!(String::from_utf8(out).unwrap(), whole);
        let often = format!(r#"{{"message_refs":[{}]}}"#, vec!["[0,3]"; 200].join(","));
        assert!(write(often.as_bytes(), &sequences, &mut Vec::new()).is_err());
    }
}
