//! Compressed files, unpacked into a temporary file. A zip stands for one JSON document.

use std::borrow::Cow;
use std::io::{self, BufReader, BufWriter, Read, Write};

use crate::source::error::Error;
use crate::source::file::{Origin, read_at};
use crate::source::render::{Positioned, kept};
use crate::source::spool::spool;

/// The most bytes that a file may unpack to: a small file can claim to hold any number.
const MOST: u64 = 8 << 30;

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
    MAGIC.iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, method)| *method)
}

/// Where the content of `origin` is: itself, if it is not compressed.
///
/// # Errors
/// It cannot be read, or is broken or cut off.
pub fn unpacked(origin: &Origin) -> Result<Origin, Error> {
    let (file, _) = origin.open()?;
    let mut head = [0; 4];
    let count = read_at(&file, &mut head, 0).map_err(|error| Error::of(origin.path(), error))?;
    let Some(method) = method(head.get(..count).unwrap_or_default()) else { return Ok(origin.clone()) };
    let packed = BufReader::new(Positioned::new(&file));
    let broken = |what: &str, error: &dyn std::fmt::Display| {
        Error::malformed(origin.path(), format!("the {what} data is broken or cut off: {error}"))
    };
    let content = match method {
        Method::Gzip => spool(&mut flate2::bufread::MultiGzDecoder::new(packed).take(MOST)).map_err(|error| broken("gzip", &error)),
        Method::Zstd => zstd::Decoder::with_buffer(packed)
            .and_then(|plain| spool(&mut plain.take(MOST)))
            .map_err(|error| broken("zstd", &error)),
        Method::Zip => return document(origin),
    };
    content.map(Origin::Held)
}

/// The document that a zip stands for: a log of Inspect with its samples in it; else its one file, or a list of its JSON files.
fn document(origin: &Origin) -> Result<Origin, Error> {
    let (file, stat) = origin.open()?;
    let told =
        |error: zip::result::ZipError| Error::malformed(origin.path(), format!("the zip archive is broken or cut off: {error}"));
    let mut archive = zip::ZipArchive::new(Seekable { inner: Positioned::new(&file), length: stat.size }).map_err(told)?;
    let mut names: Vec<String> =
        archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)).filter(|name| !name.ends_with('/')).collect();
    names.sort();
    let header = ["header.json", "_journal/start.json"].into_iter().find(|header| names.iter().any(|name| name == header));
    let wanted: Vec<&String> = match header {
        Some(_) => names.iter().filter(|name| name.starts_with("samples/") && name.ends_with(".json")).collect(),
        None => names.iter().filter(|name| name.ends_with(".json")).collect(),
    };
    let mut unpacked = tempfile::tempfile().map_err(kept)?;
    let mut out = BufWriter::new(&mut unpacked);
    let mut copy = |name: &str, out: &mut dyn Write| -> Result<(), Error> {
        let mut member = archive.by_name(name).map_err(told)?.take(MOST);
        io::copy(&mut member, out)
            .map_err(|error| Error::malformed(origin.path(), format!("{name} in the zip is broken: {error}")))
            .map(|_| ())
    };
    match (header, names.as_slice()) {
        (None, [only]) => copy(only, &mut out)?,
        (None, names) if wanted.is_empty() => {
            return Err(Error::malformed(origin.path(), format!("a zip archive of {} files, none of them JSON", names.len())));
        }
        (header, _) => {
            if let Some(header) = header {
                out.write_all(b"{\"header\":").map_err(kept)?;
                copy(header, &mut out)?;
                out.write_all(b",\"samples\":").map_err(kept)?;
            }
            for (n, name) in wanted.iter().enumerate() {
                out.write_all(if n == 0 { b"[" } else { b"," }).map_err(kept)?;
                copy(name, &mut out)?;
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
    }

    #[test]
    fn a_zip_is_the_document_that_it_stands_for() {
        for method in [zip::CompressionMethod::Deflated, zip::CompressionMethod::Zstd] {
            let log =
                [("samples/b_epoch_1.json", "{\"id\":2}"), ("samples/a_epoch_1.json", "{\"id\":1}"), ("header.json", "{\"v\":2}")];
            assert_eq!(content(&zipped(&log, method)).as_deref(), Ok(r#"{"header":{"v":2},"samples":[{"id":1},{"id":2}]}"#));
            assert_eq!(content(&zipped(&[("a.jsonl", "{}\n{}\n")], method)).as_deref(), Ok("{}\n{}\n"));
            assert_eq!(content(&zipped(&[("b.json", "2"), ("a.json", "1"), ("c.txt", "")], method)).as_deref(), Ok("[1,2]"));
        }
        let texts = zipped(&[("a.txt", ""), ("b.txt", "")], zip::CompressionMethod::Stored);
        assert!(content(&texts).unwrap_err().contains("2 files, none of them JSON"));
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
