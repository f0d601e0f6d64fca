//! Compressed files, unpacked into a temporary file. A zip stands for one JSON document.

use std::borrow::Cow;
use std::io::{self, BufReader, BufWriter, Read, Write};

use crate::source::error::Error;
use crate::source::file::{Origin, read_at};
use crate::source::render::{Positioned, chunks, kept, length};
use crate::source::spool::spool;

/// A file may unpack to so many times its own size: transcripts that repeat themselves come to 30, and a trap to 1,000 and more.
pub(in crate::source) const TIMES: u64 = 64;

/// So many bytes a file may unpack to in any case.
pub(in crate::source) const LEAST: u64 = 1 << 30;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// gzip, any number of members.
    Gzip,
    /// Zstandard, any number of frames.
    Zstd,
    /// A zip archive.
    Zip,
}

/// How a file that begins with `head` is compressed; none if it is not.
#[must_use]
pub fn method(head: &[u8]) -> Option<Method> {
    const MAGIC: [(&[u8], Method); 3] =
        [(b"\x1F\x8B", Method::Gzip), (b"\x28\xB5\x2F\xFD", Method::Zstd), (b"PK\x03\x04", Method::Zip)];
    // A frame to be skipped comes first where several processors pack (RFC 8878, 3.1.2).
    if matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]) {
        return Some(Method::Zstd);
    }
    MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, method)| *method)
}

/// Where the content of `origin` is: itself, if it is not compressed.
///
/// # Errors
/// It cannot be read, is broken or cut off, or holds far more than it looks like.
pub fn unpacked(origin: &Origin) -> Result<Origin, Error> {
    let most = origin.stat()?.size.saturating_mul(TIMES).max(LEAST);
    unpacked_within(origin, most)
}

/// The same, with the most bytes that it may hold.
fn unpacked_within(origin: &Origin, most: u64) -> Result<Origin, Error> {
    let (file, _) = origin.open()?;
    let mut head = [0; 4];
    let count = read_at(&file, &mut head, 0).map_err(|error| Error::of(origin.path(), error))?;
    let Some(method) = method(head.get(..count).unwrap_or_default()) else { return Ok(origin.clone()) };
    let packed = BufReader::new(Positioned::new(&file));
    let broken = |what: &str, error: &dyn std::fmt::Display| {
        Error::malformed(origin.path(), format!("the {what} data is broken or cut off: {error}"))
    };
    // One byte more tells that there is more.
    let content = match method {
        Method::Gzip => spool(&mut flate2::bufread::MultiGzDecoder::new(packed).take(most.saturating_add(1)))
            .map_err(|error| broken("gzip", &error)),
        Method::Zstd => zstd::Decoder::with_buffer(packed)
            .and_then(|plain| spool(&mut plain.take(most.saturating_add(1))))
            .map_err(|error| broken("zstd", &error)),
        Method::Zip => return document(origin, most),
    }?;
    match length(&content).map_err(kept)? {
        length if length > most => Err(Error::TooLarge { path: origin.path().to_path_buf(), most }),
        _ => Ok(Origin::Held(content)),
    }
}

/// The document that a zip stands for: a log of Inspect with its samples in it; else its one file, or a list of its JSON files. All of
/// them together may hold so many bytes.
fn document(origin: &Origin, most: u64) -> Result<Origin, Error> {
    let (file, stat) = origin.open()?;
    let told =
        |error: zip::result::ZipError| Error::malformed(origin.path(), format!("the zip archive is broken or cut off: {error}"));
    let mut archive = zip::ZipArchive::new(Seekable { inner: Positioned::new(&file), length: stat.size }).map_err(told)?;
    let mut names: Vec<String> =
        archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)).filter(|name| !name.ends_with('/')).collect();
    names.sort();
    let header = ["header.json", "_journal/start.json"].into_iter().find(|header| names.iter().any(|name| name == header));
    let in_chunks = if header.is_some() { chunks::folders(&names) } else { Vec::new() };
    let is_part = |name: &str| in_chunks.iter().any(|folder| name.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/')));
    let is_wanted = |name: &str| name.ends_with(chunks::SHELL) || !is_part(name);
    let wanted: Vec<&String> = match header {
        Some(_) => names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json") && is_wanted(name)).collect(),
        None => names.iter().filter(|name| name.ends_with(".json")).collect(),
    };
    let mut unpacked = tempfile::tempfile().map_err(kept)?;
    let mut out = BufWriter::new(&mut unpacked);
    let mut left = most;
    let mut copy = |name: &str, out: &mut dyn Write| -> Result<(), Error> {
        let mut member = archive.by_name(name).map_err(told)?.take(left.saturating_add(1));
        let count = io::copy(&mut member, out)
            .map_err(|error| Error::malformed(origin.path(), format!("{name} in the zip is broken: {error}")))?;
        left = left.checked_sub(count).ok_or_else(|| Error::TooLarge { path: origin.path().to_path_buf(), most })?;
        Ok(())
    };
    match (header, names.as_slice()) {
        (None, [only]) => copy(only, &mut out)?,
        (None, names) if wanted.is_empty() => {
            let lines = names.iter().filter(|name| name.ends_with(".jsonl")).count();
            let what = match lines {
                0 => format!("a zip archive of {} files, none of them JSON", names.len()),
                lines => format!("a zip archive of {} files, {lines} of them sessions of their own: unpack it first", names.len()),
            };
            return Err(Error::malformed(origin.path(), what));
        }
        (header, _) => {
            if let Some(header) = header {
                out.write_all(b"{\"header\":").map_err(kept)?;
                copy(header, &mut out)?;
                out.write_all(b",\"samples\":").map_err(kept)?;
            }
            for (n, name) in wanted.iter().enumerate() {
                out.write_all(if n == 0 { b"[" } else { b"," }).map_err(kept)?;
                let Some(folder) = name.strip_suffix(chunks::SHELL).filter(|folder| in_chunks.contains(folder)) else {
                    copy(name, &mut out)?;
                    continue;
                };
                let mut held = |name: &str| -> Result<Vec<u8>, Error> {
                    let mut part = Vec::new();
                    copy(name, &mut part)?;
                    Ok(part)
                };
                let shell = held(name)?;
                let mut sequences = chunks::SEQUENCES.map(|_| Vec::new());
                for (parts, sequence) in sequences.iter_mut().zip(chunks::SEQUENCES) {
                    for chunk in chunks::chunks(&names, folder, sequence) {
                        parts.push(held(chunk)?);
                    }
                }
                chunks::write(&shell, &sequences, &mut out)
                    .map_err(|error| Error::malformed(origin.path(), format!("{folder} in the zip is broken: {error}")))?;
            }
            out.write_all(if wanted.is_empty() { b"[]" } else { b"]" }).map_err(kept)?;
            out.write_all(if header.is_some() { b"}" } else { b"" }).map_err(kept)?;
        }
    }
    out.flush().map_err(kept)?;
    drop(out);
    Ok(Origin::Held(std::sync::Arc::new(unpacked)))
}

/// A file with a position of its own.
struct Seekable {
    inner: Positioned,
    length: u64,
}

impl Read for Seekable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

impl io::Seek for Seekable {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        let at = match to {
            io::SeekFrom::Start(at) => Some(at),
            io::SeekFrom::End(by) => self.length.checked_add_signed(by),
            io::SeekFrom::Current(by) => self.inner.at.checked_add_signed(by),
        };
        self.inner.at = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.inner.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::render::from_start;

    fn held(bytes: &[u8]) -> Origin {
        Origin::Held(spool(&mut &*bytes).unwrap())
    }

    fn content(packed: &[u8]) -> Result<String, String> {
        let origin = unpacked(&held(packed)).map_err(|error| error.to_string())?;
        let mut text = String::new();
        from_start(&origin.open().unwrap().0).read_to_string(&mut text).unwrap();
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap()
    }

    fn zipped(members: &[(&str, &str)], method: zip::CompressionMethod) -> Vec<u8> {
        let mut out = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, text) in members {
            out.start_file(*name, zip::write::SimpleFileOptions::default().compression_method(method)).unwrap();
            out.write_all(text.as_bytes()).unwrap();
        }
        out.finish().unwrap().into_inner()
    }

    #[test]
    fn members_and_frames_are_read_to_the_last() {
        assert_eq!(content(b"plain").as_deref(), Ok("plain"));
        assert_eq!(content(&[gzip("one "), gzip("two")].concat()).as_deref(), Ok("one two"));
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
        assert_eq!(content(&[frame("one "), frame("two")].concat()).as_deref(), Ok("one two"));
        let skipped = b"\x5A\x2A\x4D\x18\x02\0\0\0hi".to_vec();
        assert_eq!(content(&[skipped.clone(), frame("one "), skipped, frame("two")].concat()).as_deref(), Ok("one two"));
    }

    #[test]
    fn a_zip_is_the_document_that_it_stands_for() {
        for method in [zip::CompressionMethod::Deflated, zip::CompressionMethod::Zstd] {
            let log =
                [("samples/b_epoch_1.json", "{\"id\":2}"), ("samples/a_epoch_1.json", "{\"id\":1}"), ("header.json", "{\"v\":2}")];
            assert_eq!(content(&zipped(&log, method)).as_deref(), Ok(r#"{"header":{"v":2},"samples":[{"id":1},{"id":2}]}"#));
            let parts = [
                ("header.json", "{}"),
                ("samples/a_epoch_1/events/0.json", "[]"),
                ("samples/a_epoch_1/events/stats.json", "{}"),
                ("samples/a_epoch_1/messages/0.json", "[{\"n\":1}]"),
                ("samples/a_epoch_1/sample.json", "{\"id\":\"a\",\"message_refs\":[[0,1]]}"),
                ("samples/a_epoch_1/skeleton.json", "{}"),
                ("samples/b_epoch_1.json", "{\"id\":\"b\"}"),
            ];
            let whole = r#"{"header":{},"samples":[{"id":"a","messages":[{"n":1}],"events":[],"attachments":{}},{"id":"b"}]}"#;
            assert_eq!(content(&zipped(&parts, method)).as_deref(), Ok(whole));
            assert_eq!(content(&zipped(&[("a.jsonl", "{}\n{}\n")], method)).as_deref(), Ok("{}\n{}\n"));
            assert_eq!(content(&zipped(&[("b.json", "2"), ("a.json", "1"), ("c.txt", "")], method)).as_deref(), Ok("[1,2]"));
        }
        let texts = zipped(&[("a.txt", ""), ("b.txt", "")], zip::CompressionMethod::Stored);
        assert!(content(&texts).unwrap_err().contains("2 files, none of them JSON"));
        let sessions = zipped(&[("a.jsonl", ""), ("b.jsonl", ""), ("c.txt", "")], zip::CompressionMethod::Stored);
        assert!(content(&sessions).unwrap_err().contains("3 files, 2 of them sessions of their own"));
    }

    #[test]
    fn what_holds_far_more_than_it_looks_like_is_not_unpacked() {
        let long = "word ".repeat(10_000);
        let members = [("a.json", long.as_str()), ("b.json", long.as_str())];
        let archive = zipped(&members, zip::CompressionMethod::Deflated);
        for (packed, size) in [(gzip(&long), 50_000), (zstd::encode_all(long.as_bytes(), 3).unwrap(), 50_000), (archive, 100_000)] {
            let within = |most| unpacked_within(&held(&packed), most).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(within(size), Ok(()));
            let told = within(size - 1).unwrap_err();
            assert!(
                told.contains("unpacks to more than 0 GiB, where reading stops: 64 times its own size, and at least 1 GiB"),
                "{told}"
            );
        }
    }

    #[test]
    fn what_is_cut_off_says_so() {
        let long = "word ".repeat(10_000);
        for packed in [
            gzip(&long),
            zstd::encode_all(long.as_bytes(), 3).unwrap(),
            zipped(&[("a.json", &long)], zip::CompressionMethod::Deflated),
        ] {
            let told = content(&packed[..packed.len() - 9]).unwrap_err();
            assert!(told.contains("broken or cut off"), "{told}");
        }
    }
}
