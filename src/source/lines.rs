//! Lines in, records out, as the bytes arrive.
//!
//! A record is a line without its line break and the white space around it; lines are split at `\n` bytes and nowhere else. One
//! thing differs from plain splitting: a last line that has no line break yet, and is a complete object, is handed out at once,
//! because its writer may not write the break before the next record. What follows it on its line is a further record of that line.
//!
//! **Law.** Call the *values* of a line the complete JSON objects that it begins with, and its rest, if it has one. However a file's
//! bytes are cut on their way here, the values of the records handed out are the values of its lines, in order, at the same places.
//! So an adapter that reads a record as its values, one after the other, folds the same events from any cutting. A line that is
//! unfinished and no complete object is never handed out.
//!
//! Every byte is looked at a constant number of times, however long its line grows and in however many pieces it comes.

use memchr::memchr_iter;
use serde::de::IgnoredAny;

use crate::base::hash::Hash64;
use crate::base::ids::FileIx;
use crate::base::range::ByteRange;
use crate::source::balance::Balance;
use crate::transcript::{Place, Record};

/// Memory that is kept for the next unfinished line, in bytes; what a longer line took is given back.
const KEPT: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Takes the records of one file, in order.
pub type Each<'a> = dyn FnMut(Record<'_>) + 'a;

/// Splits one file's bytes into records.
#[derive(Debug)]
pub struct Lines {
    file: FileIx,
    /// Number of the line that is being read.
    line: u32,
    /// The unfinished line, without what was handed out of it.
    held: Vec<u8>,
    /// Offset in the file of the first held byte.
    start: u64,
    /// How far `held` was looked at for the end of an object.
    looked: usize,
    balance: Balance,
}

impl Lines {
    /// A splitter for the bytes of `file`, from its first.
    #[must_use]
    pub fn new(file: FileIx) -> Self {
        Self::numbered(file, 1)
    }

    /// The same, where the first line is the one of this number.
    #[must_use]
    pub fn numbered(file: FileIx, first: u32) -> Self {
        Self { file, line: first, held: Vec::new(), start: 0, looked: 0, balance: Balance::default() }
    }

    /// Offset of the first byte that was not given yet.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.start + self.held.len() as u64
    }

    /// The line that is unfinished, if anything of it is held back.
    #[must_use]
    pub fn unfinished(&self) -> Option<u32> {
        (!self.held.trim_ascii().is_empty()).then_some(self.line)
    }

    /// Takes the file's next bytes, and hands out the records of the lines that they end.
    pub fn feed(&mut self, bytes: &[u8], each: &mut Each<'_>) {
        let mut from = 0;
        for end in memchr_iter(b'\n', bytes) {
            let piece = bytes.get(from..end).unwrap_or_default();
            if self.held.is_empty() {
                self.hand_out(piece, self.start, each);
                self.start += piece.len() as u64 + 1;
            } else {
                self.held.extend_from_slice(piece);
                let mut line = std::mem::take(&mut self.held);
                self.hand_out(&line, self.start, each);
                self.start += line.len() as u64 + 1;
                line.clear();
                line.shrink_to(KEPT);
                self.held = line;
            }
            self.line = self.line.saturating_add(1);
            (self.looked, self.balance) = (0, Balance::default());
            from = end + 1;
        }
        self.held.extend_from_slice(bytes.get(from..).unwrap_or_default());
    }

    /// Hands out the complete objects of the unfinished line. To be called when there are no more bytes for now.
    pub fn settle(&mut self, each: &mut Each<'_>) {
        let mut done = 0;
        while let Some(end) = self.balance.end(self.held.get(self.looked..).unwrap_or_default()) {
            let end = self.looked + end;
            if !is_json(self.held.get(done..end).unwrap_or_default()) {
                // A torn record in which braces happen to balance. The next record may begin in the middle of it, so that the line
                // must be seen whole.
                self.balance.give_up();
                break;
            }
            self.hand_out(self.held.get(done..end).unwrap_or_default(), self.start + done as u64, each);
            (done, self.looked, self.balance) = (end, end, Balance::default());
        }
        self.held.drain(..done);
        self.start += done as u64;
        self.looked = self.held.len();
    }

    /// Hands out one record, if there is anything in it. `start` is the offset of its first byte in the file.
    fn hand_out(&self, bytes: &[u8], start: u64, each: &mut Each<'_>) {
        let marked = if start == 0 { bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes) } else { bytes };
        let inner = marked.trim_ascii_start();
        let start = start + (bytes.len() - inner.len()) as u64;
        let bytes = inner.trim_ascii_end();
        if !bytes.is_empty() {
            let place =
                Place { file: self.file, line: self.line, bytes: ByteRange::new(start, bytes.len()), nth: 0, hash: hash(bytes) };
            each(Record { bytes, place });
        }
    }
}

fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(bytes).is_ok()
}

/// The hash by which a record that is read again is recognised: the low 32 bits of the hash of its bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> u32 {
    Hash64::of(bytes).0 as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A value: its line, its offset, its bytes.
    type Value = (u32, u64, Vec<u8>);

    /// A file, and the line, the offset and the text of each of its records.
    type Case = (&'static str, &'static [(u32, u64, &'static str)]);

    fn values(line: u32, offset: u64, bytes: &[u8], into: &mut Vec<Value>) {
        let inner = bytes.trim_ascii_start();
        let offset = offset + (bytes.len() - inner.len()) as u64;
        let inner = inner.trim_ascii_end();
        match Balance::default().end(inner).filter(|end| is_json(&inner[..*end])) {
            Some(end) => {
                into.push((line, offset, inner[..end].to_vec()));
                values(line, offset + end as u64, &inner[end..], into);
            }
            None if inner.is_empty() => {}
            None => into.push((line, offset, inner.to_vec())),
        }
    }

    /// The values of a file's lines, of its unfinished line only the complete objects.
    fn values_of_lines(file: &[u8]) -> Vec<Value> {
        let mut found = Vec::new();
        let (mut offset, mut lines) = (0, file.split(|b| *b == b'\n').peekable());
        let mut number = 0;
        while let Some(line) = lines.next() {
            number += 1;
            values(number, offset, line, &mut found);
            offset += line.len() as u64 + 1;
            if lines.peek().is_none() && found.last().is_some_and(|v| v.0 == number && !(v.2.starts_with(b"{") && is_json(&v.2))) {
                found.pop();
            }
        }
        found
    }

    fn values_of_records(chunks: &[&[u8]]) -> Vec<Value> {
        let mut found = Vec::new();
        let mut lines = Lines::new(FileIx(0));
        for chunk in chunks {
            let mut each = |record: Record<'_>| {
                assert_eq!(record.place.hash, hash(record.bytes));
                assert_eq!(record.place.bytes.len as usize, record.bytes.len());
                values(record.place.line, record.place.bytes.start, record.bytes, &mut found);
            };
            lines.feed(chunk, &mut each);
            lines.settle(&mut each);
        }
        assert_eq!(lines.offset(), chunks.iter().map(|c| c.len() as u64).sum::<u64>());
        found
    }

    fn records(file: &[u8]) -> Vec<(u32, u64, String)> {
        let mut found = Vec::new();
        let mut each =
            |r: Record<'_>| found.push((r.place.line, r.place.bytes.start, String::from_utf8_lossy(r.bytes).into_owned()));
        let mut lines = Lines::new(FileIx(0));
        lines.feed(file, &mut each);
        lines.settle(&mut each);
        found
    }

    #[test]
    fn lines_are_records() {
        let cases: &[Case] = &[
            ("", &[]),
            ("\n\r\n  \n", &[]),
            ("{\"a\":1}\n{\"b\":2}\n", &[(1, 0, "{\"a\":1}"), (2, 8, "{\"b\":2}")]),
            ("{\"a\":1}\r\n{\"b\":2}\r\n", &[(1, 0, "{\"a\":1}"), (2, 9, "{\"b\":2}")]),
            ("\u{feff}{\"a\":1}\n", &[(1, 3, "{\"a\":1}")]),
            // A complete last line is not waited for; a torn one is, and so is one that is no object.
            ("{\"a\":1}\n{\"b\":2}", &[(1, 0, "{\"a\":1}"), (2, 8, "{\"b\":2}")]),
            ("{\"a\":1}\n{\"b\":", &[(1, 0, "{\"a\":1}")]),
            ("{\"a\":1}\n{\"b{\"c\":\"}", &[(1, 0, "{\"a\":1}")]),
            ("{\"a\":1}\n12", &[(1, 0, "{\"a\":1}")]),
            // A whole line is handed on as it is: what more it holds than an object is for the adapter to find.
            ("{\"a\":1}junk\nmore\n", &[(1, 0, "{\"a\":1}junk"), (2, 12, "more")]),
            ("{\"a\":1}{\"b\":2}\n", &[(1, 0, "{\"a\":1}{\"b\":2}")]),
        ];
        for (file, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|(line, at, text)| (*line, *at, (*text).to_owned())).collect();
            assert_eq!(records(file.as_bytes()), expected, "{file:?}");
        }
    }

    #[test]
    fn what_follows_a_record_that_was_handed_out_early_is_of_the_same_line() {
        let mut found = Vec::new();
        let mut each = |r: Record<'_>| found.push((r.place.line, r.place.bytes.start, r.bytes.to_vec()));
        let mut lines = Lines::new(FileIx(0));
        for chunk in ["{\"a\":1}", "{\"b\":2}{\"c\"", ":3}\n", "{\"d\":4}"] {
            lines.feed(chunk.as_bytes(), &mut each);
            lines.settle(&mut each);
        }
        let places: Vec<_> = found.iter().map(|(line, at, _)| (*line, *at)).collect();
        assert_eq!(places, [(1, 0), (1, 7), (1, 14), (2, 22)]);
    }

    #[test]
    fn a_line_that_grows_in_small_pieces_costs_no_more_than_its_length() {
        // 32 MB in pieces that each end in a brace: a second look at what was looked at before would take minutes.
        let mut found = 0;
        let mut each = |r: Record<'_>| found += r.bytes.len();
        let mut lines = Lines::new(FileIx(0));
        let piece = [&b"x".repeat(1022), &b"{}"[..]].concat();
        lines.feed(b"{\"a\":\"", &mut each);
        for _ in 0..32 * 1024 {
            lines.feed(&piece, &mut each);
            lines.settle(&mut each);
        }
        lines.feed(b"\"}", &mut each);
        lines.settle(&mut each);
        assert_eq!(found, 32 * 1024 * 1024 + 8);
        assert!(lines.held.is_empty());
    }

    fn piece() -> impl Strategy<Value = &'static [u8]> {
        prop::sample::select(vec![
            &b"{\"a\":1}"[..],
            b"{\"b\":\"}{\"}",
            b"{\"c\":\"\\\"{\\\\\"}",
            b"{\"d\":{\"e\":[{}]}}",
            b"{",
            b"}",
            b"\"",
            b"\\",
            b"junk",
            b"\0",
            b"\xff\xfe",
            b" ",
            b"\n",
            b"\n",
            b"\r\n",
        ])
    }

    proptest! {
        #[test]
        fn records_do_not_depend_on_how_the_bytes_were_cut(
            pieces in prop::collection::vec(piece(), 0..24),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let file = pieces.concat();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len() + 1)).collect();
            cuts.extend([0, file.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &file[pair[0]..pair[1]]).collect();
            prop_assert_eq!(values_of_records(&chunks), values_of_lines(&file));
            let bytes: Vec<&[u8]> = file.chunks(1).collect();
            prop_assert_eq!(values_of_records(&bytes), values_of_lines(&file));
        }
    }
}
