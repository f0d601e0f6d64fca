//! From a physical line to its records.

use memchr::memmem;
use serde::de::IgnoredAny;

use super::repair;
use crate::base::hash::Hash64;
use crate::base::range::ByteRange;
use crate::transcript::{Diagnostic, DiagnosticKind, Place, Record, Sink};

/// How a record begins, in the agents' own key orders: where reading may start again after a torn one.
const STARTS: [&[u8]; 6] =
    [br#"{"parentUuid""#, br#"{"type""#, br#"{"sessionId""#, br#"{"session_id""#, br#"{"timestamp""#, br#"{"payload""#];

/// How often a line may be read over in the search for its next record, so that no line costs more than its size warrants.
const READINGS: usize = 16;

/// Gives `parse` every record of a physical line: almost always the line itself, in one call.
///
/// `parse` reads a record into the adapter's own types and handles it; when it returns an error it must not have touched the sink.
/// Records glued on one line come one by one, each with its own byte range. What is no JSON is skipped up to the next record. A
/// record that cannot be read as it stands is repaired and given again, with the place of the original bytes. Everything odd is
/// told to the sink.
pub fn each_record<F>(record: Record<'_>, sink: &mut dyn Sink, mut parse: F)
where
    F: FnMut(Record<'_>, &mut dyn Sink) -> Result<(), serde_json::Error>,
{
    let first = record.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'{') && parse(record, sink).is_ok() {
        return;
    }
    let mut records = 0;
    for piece in pieces(record.bytes) {
        let part = part(record, &piece);
        let oddity = match piece.kind {
            Kind::Value => Some(DiagnosticKind::NotAnObject),
            kind => {
                let read = parse(part, sink).is_ok();
                records += usize::from(read || kind == Kind::Object);
                if read { None } else { Some(again(part, sink, &mut parse)) }
            }
        };
        if let Some(kind) = oddity {
            sink.diagnostic(Diagnostic { kind, line: record.place.line });
        }
    }
    if records > 1 {
        sink.diagnostic(Diagnostic { kind: DiagnosticKind::Glued, line: record.place.line });
    }
}

/// A second reading, from repaired bytes.
fn again<F>(record: Record<'_>, sink: &mut dyn Sink, parse: &mut F) -> DiagnosticKind
where
    F: FnMut(Record<'_>, &mut dyn Sink) -> Result<(), serde_json::Error>,
{
    let text = repair::text(record.bytes);
    if text.trim_start().starts_with('{') {
        let read = parse(Record { bytes: text.as_bytes(), ..record }, sink).is_ok()
            || repair::keys(&text).is_some_and(|text| parse(Record { bytes: text.as_bytes(), ..record }, sink).is_ok());
        if read {
            return DiagnosticKind::Repaired;
        }
    }
    DiagnosticKind::Garbage
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Object,
    Value,
    Broken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    start: usize,
    end: usize,
    kind: Kind,
}

fn part<'a>(whole: Record<'a>, piece: &Piece) -> Record<'a> {
    let bytes = whole.bytes.get(piece.start..piece.end).unwrap_or_default();
    if bytes.len() == whole.bytes.len() {
        return whole;
    }
    let start = whole.place.bytes.start + piece.start as u64;
    let place = Place { bytes: ByteRange::new(start, bytes.len()), hash: Hash64::of(bytes).0 as u32, ..whole.place };
    Record { bytes, place }
}

/// Cuts a line into whole JSON values and what stands between them.
fn pieces(line: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut budget = line.len().saturating_mul(READINGS);
    let mut start = skip_blank(line, 0);
    while start < line.len() {
        let (end, kind) = match value_end(line, start) {
            Ok(end) if line.get(start) == Some(&b'{') => (end, Kind::Object),
            Ok(end) => (end, Kind::Value),
            Err(_) => (next_record(line, start + 1, &mut budget), Kind::Broken),
        };
        pieces.push(Piece { start, end, kind });
        start = skip_blank(line, end);
    }
    pieces
}

/// The first place after `from` where a whole record stands, or the line's end.
///
/// Parts of a message begin like records do: a record is only what another record or the line's end follows.
fn next_record(line: &[u8], from: usize, budget: &mut usize) -> usize {
    let finders = STARTS.map(memmem::Finder::new);
    let mut at = from;
    while let Some(rest) = line.get(at..).filter(|_| *budget > 0) {
        let Some(start) = finders.iter().filter_map(|finder| finder.find(rest)).min().map(|found| at + found) else { break };
        match value_end(line, start) {
            Ok(end) if matches!(line.get(skip_blank(line, end)), None | Some(b'{' | 0)) => return start,
            Ok(end) => *budget = budget.saturating_sub(end - start),
            Err(read) => *budget = budget.saturating_sub(read),
        }
        at = start + 1;
    }
    line.len()
}

/// The end of the JSON value that starts at `start`; else how many bytes were read before it turned out to be none.
fn value_end(line: &[u8], start: usize) -> Result<usize, usize> {
    let rest = line.get(start..).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(start + values.byte_offset()),
        Some(Err(error)) => Err(error.column()),
        None => Err(rest.len()),
    }
}

fn skip_blank(line: &[u8], from: usize) -> usize {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    let rest = line.get(from..).unwrap_or_default();
    let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    match rest.get(blank..) {
        Some(rest) if rest.starts_with(BOM) => skip_blank(line, from + blank + BOM.len()),
        _ => from + blank,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::json::{self, Text};
    use crate::transcript::{Event, Fact};
    use proptest::prelude::*;

    #[derive(Default)]
    struct Oddities(Vec<DiagnosticKind>);

    impl Sink for Oddities {
        fn event(&mut self, _: Event<'_>) {}
        fn fact(&mut self, _: Fact<'_>) {}
        fn diagnostic(&mut self, diagnostic: Diagnostic) {
            self.0.push(diagnostic.kind);
        }
    }

    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct Typed<'a> {
        #[serde(borrow)]
        text: Text<'a>,
    }

    /// What came of a line: each record's text and bytes, and the oddities.
    fn read(line: &[u8]) -> (Vec<(String, ByteRange)>, Vec<DiagnosticKind>) {
        let place = Place { line: 1, bytes: ByteRange::new(100, line.len()), ..Place::default() };
        let (mut records, mut oddities) = (Vec::new(), Oddities::default());
        each_record(Record { bytes: line, place }, &mut oddities, |record, _| {
            let typed: Typed<'_> = json::read(record.bytes)?;
            records.push((typed.text.as_str().to_owned(), record.place.bytes));
            Ok(())
        });
        (records, oddities.0)
    }

    fn texts(line: &[u8]) -> (Vec<String>, Vec<DiagnosticKind>) {
        let (records, oddities) = read(line);
        (records.into_iter().map(|(text, _)| text).collect(), oddities)
    }

    #[test]
    fn what_agents_really_write() {
        use DiagnosticKind::{Garbage, Glued, NotAnObject, Repaired};
        let cases: &[(&[u8], &[&str], &[DiagnosticKind])] = &[
            (br#"{"text":"a"}"#, &["a"], &[]),
            (b"\xEF\xBB\xBF {\"text\":\"a\"}\r", &["a"], &[]),
            (b"", &[], &[]),
            (b"  \r", &[], &[]),
            (br#"{"text":"a"}{"type":"x","text":"b"}"#, &["a", "b"], &[Glued]),
            (br#"{"text":"a"} {"text":"b"}{"text":"c"}"#, &["a", "b", "c"], &[Glued]),
            // A writer was cut off, and another one went on behind it.
            (br#"{"type":"x","message":{"text":"ab{"parentUuid":null,"text":"b"}"#, &["b"], &[Garbage]),
            (
                br#"{"type":"x","content":[{"type":"text","text":"a"},{"type":"tool_u{"sessionId":"s","text":"b"}"#,
                &["b"],
                &[Garbage],
            ),
            (br#"{"text":"a"}{"timestamp":"t","text":"b{"type":"x","text":"c"}"#, &["a", "c"], &[Garbage, Glued]),
            // A block inside a torn record is no record.
            (br#"{"type":"x","message":{"content":[{"type":"text","text":"a"},{"type":"tool_use","na"#, &[], &[Garbage]),
            (br#"tent":[{"type":"text","text":"a"}]},"uuid":"u"}"#, &[], &[Garbage]),
            (b"\0\0\0{\"type\":\"x\",\"text\":\"a\"}", &["a"], &[Garbage]),
            (b"\0\0\0", &[], &[Garbage]),
            (b"{\"text\":\"a\0\0b\"}", &["a  b"], &[Repaired]),
            (b"{\"text\":\"a\"}\0\0\0", &["a"], &[Garbage]),
            (b"{\"text\":\"a\xFFb\"}", &["a\u{FFFD}b"], &[Repaired]),
            (br#"{"text":"\ud83d!"}"#, &["\u{FFFD}!"], &[Repaired]),
            (br#"{"text":"\ude00\ud83d\ude00\\ud83d"}"#, &["\u{FFFD}\u{1F600}\\ud83d"], &[Repaired]),
            (br#"{"ignored":"\ud83d","text":"a"}"#, &["a"], &[]),
            (br#"{"text":"a","text":"b"}"#, &["b"], &[Repaired]),
            (br#"{"text":"a"}{"text":"\ud83d"}"#, &["a", "\u{FFFD}"], &[Repaired, Glued]),
            (br#"[{"text":"a"}]"#, &[], &[NotAnObject]),
            (br#""text""#, &[], &[NotAnObject]),
            (b"7", &[], &[NotAnObject]),
            (b"not json", &[], &[Garbage]),
            (br#"{"text":"torn"#, &[], &[Garbage]),
        ];
        for (line, expected, oddities) in cases {
            let (records, seen) = texts(line);
            let shown = String::from_utf8_lossy(line);
            assert_eq!(records, *expected, "{shown}");
            assert_eq!(seen, *oddities, "{shown}");
        }
    }

    #[test]
    fn glued_records_have_their_own_bytes() {
        let (records, _) = read(br#"{"text":"a"}  {"text":"bc"}"#);
        let ranges: Vec<ByteRange> = records.into_iter().map(|(_, range)| range).collect();
        assert_eq!(ranges, [ByteRange::new(100, 12), ByteRange::new(114, 13)]);
    }

    #[test]
    fn a_line_of_unfinished_records_is_given_up_in_time() {
        let line = br#"{"type":"#.repeat(200_000);
        assert_eq!(texts(&line), (vec![], vec![DiagnosticKind::Garbage]));
    }

    proptest! {
        #[test]
        fn the_second_record_survives_any_cut_of_the_first(cut in 1usize..70) {
            let first = br#"{"type":"user","message":{"content":[{"type":"text","text":"\"hi\" {"}]}}"#;
            let mut line = first[..cut].to_vec();
            line.extend_from_slice(br#"{"parentUuid":null,"text":"second"}"#);
            prop_assert_eq!(texts(&line).0, ["second"]);
        }

        #[test]
        fn no_bytes_can_stop_it(line in prop::collection::vec(prop_oneof![Just(b'{'), Just(b'}'), Just(b'"'), Just(b'\\'), Just(b'u'), any::<u8>()], 0..60)) {
            let (records, oddities) = texts(&line);
            prop_assert!(!records.is_empty() || !oddities.is_empty() || line.iter().all(u8::is_ascii_whitespace) || line.starts_with(b"\xEF\xBB\xBF"));
        }
    }
}
