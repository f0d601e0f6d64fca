//! Which format a file is of: by what stands in it, never by its name, and never by a guess.
//!
//! A file is of a format when one of its first records certainly is ([`Recognised::Yes`]); a record that many formats could have
//! written decides nothing, so more than the first one is looked at. Everything else is refused, with what was found.

mod others;
mod refusal;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::adapter::{Format, Recognised};
use super::json::each_record;
use super::registry::FORMATS;
use crate::base::sketch::sketched;
use crate::transcript::{Container, Diagnostic, Event, Fact, Place, Record, Sink};
pub use refusal::Refusal;

/// How many bytes of a file are enough to know its format. More are needed only where its first line is longer.
pub const HEAD: usize = 64 * 1024;

/// Decides the format of a file that begins with `head`: its first [`HEAD`] bytes or so, with its first line whole. A last line that
/// is cut off does no harm.
///
/// # Errors
/// Says what was found instead of a session's records.
pub fn detect(head: &[u8]) -> Result<&'static Format, Refusal> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if head.is_empty() {
        return Err(Refusal::Empty);
    }
    if let Some(refusal) = others::no_json(head).filter(|_| !is_torn(head)) {
        return Err(refusal);
    }
    // An array is one document, whatever stands on its lines; but for one that ends with the first of them.
    let is_document = head.starts_with(b"[") && !is_line_of_many(head);
    let mut lines = head.split(|byte| *byte == b'\n').filter(|_| !is_document).peekable();
    let (mut records, mut candidates) = (Vec::new(), FORMATS.to_vec());
    while let Some(line) = lines.next() {
        // The last one may be cut off.
        let own = if lines.peek().is_some() { whole(line) } else { last(line, &records) };
        for record in &own {
            let answer = |format: &&'static Format| (format.recognises)(record);
            // Agents' own formats stand before those that anybody may log.
            if let Some(certain) = FORMATS.iter().find(|format| answer(format) == Recognised::Yes) {
                return Ok(certain);
            }
            candidates.retain(|format| answer(format) == Recognised::Maybe);
        }
        records.extend(own);
    }
    if records.is_empty() {
        candidates.clear();
    }
    match (records.iter().find_map(others::record), candidates.as_slice()) {
        (Some(other), _) => Err(other),
        // Every record could be of this format, and of no other.
        (None, [format]) => Ok(format),
        (None, [_, _, ..]) => Err(Refusal::Ambiguous(candidates.iter().map(|format| format.agent.0).collect())),
        (None, _) => Err(others::document(head)),
    }
}

/// Whether an array stands alone on the first of several lines.
#[must_use]
pub fn is_line_of_many(head: &[u8]) -> bool {
    let end = head.iter().position(|byte| *byte == b'\n').unwrap_or(head.len());
    let (line, rest) = head.split_at(end);
    line.starts_with(b"[") && line.trim_ascii_end().ends_with(b"]") && rest.trim_ascii_start().starts_with(b"[")
}

/// Whether the first line is the end of a record, and the next one begins another: the file has lost its beginning.
fn is_torn(head: &[u8]) -> bool {
    !head.starts_with(b"[") && head.split(|byte| *byte == b'\n').nth(1).is_some_and(|line| line.starts_with(b"{\""))
}

/// Decides the format of a document, by the objects that decide: itself, or the elements of an array.
///
/// # Errors
/// Says what was found instead; `head` are its first bytes.
pub fn document(objects: &[&Map<String, Value>], head: &[u8]) -> Result<&'static Format, Refusal> {
    let answers = |format: &&'static Format, answer| objects.iter().any(|object| (format.recognises)(object) == answer);
    let all = |format: &&'static Format| !objects.is_empty() && !answers(format, Recognised::No);
    // An agent's own format comes before the general ones that it is made of.
    let certain = FORMATS.iter().find(|format| answers(format, Recognised::Yes));
    let possible = || FORMATS.iter().find(|format| all(format));
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let refusal = || others::no_json(head).unwrap_or_else(|| others::document(head));
    certain.or_else(possible).copied().ok_or_else(refusal)
}

/// Decides the format of a database by its columns, each `table.column`; and which version of it that is.
///
/// # Errors
/// Says what was found instead.
pub fn database(columns: &BTreeSet<String>) -> Result<(&'static Format, &'static Container), Refusal> {
    let fits = |container: &Container| match container {
        Container::Database(database) => database.columns.iter().all(|column| columns.contains(*column)),
        _ => false,
    };
    let all = FORMATS.iter().flat_map(|format| format.containers.iter().map(|container| (*format, container)));
    all.into_iter().find(|(_, container)| fits(container)).ok_or_else(|| others::tables(columns))
}

/// What the records of a whole line at the head of a file look like.
fn whole(line: &[u8]) -> Vec<Map<String, Value>> {
    if line.starts_with(b"[") {
        return objects(sketched(&mut serde_json::Deserializer::from_slice(line)).0);
    }
    let mut records = Vec::new();
    each_record(Record { bytes: line, place: Place::default() }, &mut Ignored, |record, _| {
        let mut from = serde_json::Deserializer::from_slice(record.bytes);
        let (value, read) = sketched(&mut from);
        read.and_then(|()| from.end())?;
        records.extend(objects(value));
        Ok(())
    });
    records
}

/// The same of the last line of a head, which counts only if it is whole; a first record that is too long for a head counts as far as it
/// goes.
fn last(line: &[u8], before: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let mut from = serde_json::Deserializer::from_slice(line);
    let (value, read) = sketched(&mut from);
    let is_long = before.is_empty() && line.len() > HEAD;
    if is_long || read.and_then(|()| from.end()).is_ok() { objects(value) } else { Vec::new() }
}

/// The objects that decide: the value itself, or the elements of an array.
fn objects(value: Value) -> Vec<Map<String, Value>> {
    match value {
        Value::Object(object) => vec![object],
        Value::Array(elements) => elements.into_iter().filter(Value::is_object).flat_map(objects).collect(),
        _ => Vec::new(),
    }
}

/// Oddities do not matter here: the adapter will tell them.
struct Ignored;

impl Sink for Ignored {
    fn event(&mut self, _: Event<'_>) {}
    fn fact(&mut self, _: Fact<'_>) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const META: &str = r#"{"timestamp":"2026-01-09T08:29:11.000Z","type":"session_meta","payload":{"id":"t"}}"#;

    fn found(head: &[u8]) -> Result<&'static str, Refusal> {
        detect(head).map(|format| format.agent.0)
    }

    #[test]
    fn knows_a_format_by_what_stands_in_it() {
        for head in [
            META.to_owned(),
            format!("\u{feff}\n{META}\n"),
            // Not on the first line: a line torn by a rotation, an unknown type.
            format!("tail\",\"x\":1}}\n{META}\n").replacen("tail", "{\"tail", 1),
            format!("{{\"timestamp\":\"2026-01-09T08:29:11.000Z\",\"type\":\"later\",\"payload\":{{}}}}\n{META}\n{{\"timest"),
            format!("{META}{META}\n"),
            r#"{"payload":{"type":"message"},"timestamp":"2026-01-09T08:29:11Z","type":"response_item"}"#.to_owned(),
            "{\"id\":\"t\",\"timestamp\":\"2025-09-10T02:47:38.812Z\",\"instructions\":null}\n{\"record_type\":\"state\"}\n"
                .to_owned(),
            // Nothing certain, but nothing else either.
            r#"{"timestamp":"2026-01-09T08:29:11.000Z","type":"later","payload":{}}"#.to_owned(),
        ] {
            assert_eq!(found(head.as_bytes()), Ok("codex"), "{head}");
        }
    }

    #[test]
    fn every_format_is_known_by_its_first_records() {
        for (head, agent) in [
            (r#"{"sessionId":"s","projectHash":"p","startTime":"t"}"#, "gemini-cli"),
            (r#"{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"parts":[]}}"#, "qwen-code"),
            (
                r#"{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","isSidechain":true,"message":{"parts":[]}}"#,
                "qwen-code",
            ),
            (r#"{"type":"session","id":"s","cwd":"/w"}"#, "pi"),
            (r#"{"type":"session.start","data":{},"id":"e","parentId":null}"#, "copilot-cli"),
            (r#"{"type":"system","subtype":"init","session_id":"s","tools":[]}"#, "claude-stream-json"),
            (
                "[\"client.beta.sessions.create\",{\"id\":\"sesn_1\"}]\n[\"events.stream\",{\"id\":\"sevt_1\",\"type\":\"user.message\"}]\n",
                "managed-agents",
            ),
            (r#"{"type":"session","schema":"owed.session/1","id":"s","cwd":"/w"}"#, "owed"),
        ] {
            assert_eq!(found(head.as_bytes()), Ok(agent), "{head}");
        }
    }

    #[test]
    fn refuses_everything_else_and_says_what_it_is() {
        use Refusal::{Empty, LfsPointer, PromptsOnly, Unknown};
        for (head, refusal) in [
            (&b""[..], Empty),
            (b" \n\n", Empty),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", LfsPointer),
            (br#"{"session_id":"s","ts":1759848400,"text":"run the tests"}"#, PromptsOnly("Codex")),
            (
                br#"{"schema":"owed.ledger/1","do":"close","key":"k","place":{"line":1}}"#,
                Unknown("a side ledger, or what `owed` itself printed; name the session"),
            ),
            (
                b"[{\"ts\":1,\"type\":\"say\",\"say\":\"text\"}]",
                Unknown("what the screen of Cline or Roo Code showed; name `api_conversation_history.json` beside it"),
            ),
            (
                br#"{"sessionId":"s","type":"user","message":{"role":"user","content":"hi"}}"#,
                Unknown("chat messages without the records of a session"),
            ),
            // A payload without its envelope says nothing.
            (br#"{"type":"message","role":"user"}"#, Unknown("JSON of no known kind")),
            (b"# Notes\n", Unknown("text that is no JSON")),
            (b"\x7FELF\0\0", Unknown("binary data")),
        ] {
            assert_eq!(found(head), Err(refusal), "{}", String::from_utf8_lossy(head));
        }
        // A whole rollout in an array is a document: reading it line by line would lose records.
        assert!(found(format!("[\n{META}\n]").as_bytes()).is_err());
    }

    #[test]
    fn a_document_is_of_the_first_format_that_is_certain() {
        let found = |json: &str| {
            let value: Value = serde_json::from_str(json).unwrap();
            let objects: Vec<&Map<String, Value>> = match &value {
                Value::Array(all) => all.iter().filter_map(Value::as_object).collect(),
                value => value.as_object().into_iter().collect(),
            };
            document(&objects, json.as_bytes()).map(|format| format.agent.0)
        };
        for (json, format) in [
            (r#"{"id":"T-1","messages":[{"role":"user"}]}"#, "amp"),
            (r#"{"info":{"id":"ses_1","directory":"/w","title":"t","time":{}},"messages":[]}"#, "opencode"),
            (r#"[{"role":"user","content":"hi"},{"role":"user","content":"hi","ts":1}]"#, "roo"),
            (r#"[{"role":"user","content":[{"type":"tool_result"}]}]"#, "anthropic-messages"),
            (r#"[{"role":"user","content":"hi"},{"role":"tool","content":"x"}]"#, "openai-chat"),
            (r#"[{"role":"user","content":"hi"}]"#, "openai-chat"),
            (r#"{"object":"response","output":[]}"#, "openai-responses"),
            (r#"{"schema_version":"ATIF-v1.8","steps":[{}]}"#, "atif"),
            (r#"{"header":{"eval":{"task":"t"}},"samples":[]}"#, "inspect"),
            (r#"[{"action":"run","args":{},"source":"agent"}]"#, "openhands"),
            (r#"{"trajectory":[{"action":"a","observation":"o","thought":"t"}]}"#, "swe-agent"),
            (r#"{"trajectory_format":"mini-swe-agent-1","messages":[]}"#, "mini-swe-agent"),
            (r#"[{"type":"human","data":{"content":"hi"}}]"#, "langchain"),
            (r#"{"observations":[{"type":"TOOL","startTime":"t"}]}"#, "langfuse"),
            (r#"[{"run_type":"llm","inputs":{}}]"#, "langsmith"),
            (r#"{"resourceSpans":[]}"#, "otel"),
        ] {
            assert_eq!(found(json), Ok(format), "{json}");
        }
        assert_eq!(found(r#"{"error":{"message":"no"}}"#), Err(Refusal::Unknown("an error of a model's API")));
    }

    #[test]
    fn a_refusal_says_what_was_looked_for() {
        let said = Refusal::LfsPointer.to_string();
        assert!(
            said.starts_with("no session of ") && said.contains("Codex, ") && said.contains(": found a Git LFS pointer"),
            "{said}"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_can_stop_it(head in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..200) {
            drop(detect(&head));
            let whole = format!("{META}\n{META}\n{{\"a\":\"{}\"}}", "x".repeat(cut));
            prop_assert_eq!(found(&whole.as_bytes()[..META.len() + 1 + cut.min(100)]), Ok("codex"));
        }
    }
}
