//! Sessions of the first versions: a document, of which `timeline` is what was shown, one entry a message or call.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::outcome::{self, Shell, shell};
use super::{Copilot, Emit};
use crate::base::time::Stamp;
use crate::formats::json::{Content, Element, Text};
use crate::formats::outcome::exited;
use crate::transcript::{Container, Document, Mark, Outcome, Payload, Resolution, Speaker};

pub(super) const DOCUMENT: Container = Container::Document(Document { header: &["sessionId"], lists: &["timeline"] });

/// Whether a document is such a session.
pub(super) fn is_session(record: &Map<String, Value>) -> bool {
    record.contains_key("chatMessages") && record.get("timeline").is_some_and(Value::is_array)
}

/// An entry of the timeline.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entry<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    id: Text<'a>,
    timestamp: Text<'a>,
    text: Text<'a>,
    call_id: Text<'a>,
    name: Text<'a>,
    arguments: Option<&'a RawValue>,
    result: Content<'a, Output<'a>>,
}

/// What came of a call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    log: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Output<'a> {
    fn odd(text: std::borrow::Cow<'de, str>) -> Self {
        Self { log: Text(Some(text)), ..Self::default() }
    }
}

impl Copilot {
    /// Tells an entry.
    pub(super) fn entry<'l>(&mut self, entry: &'l Entry<'_>, bytes: &[u8], out: &mut Emit<'l, '_>) {
        (out.record, out.at) = (entry.id.filled(), entry.timestamp.filled().and_then(Stamp::parse));
        let text = || entry.text.as_str().into();
        match entry.kind.as_str() {
            "user" => out.push(Payload::User { speaker: Speaker::Human, text: text() }),
            "copilot" => out.push(Payload::Assistant { text: text() }),
            "tool_call_requested" => self.call(entry.call_id.as_str(), entry.name.as_str(), entry.arguments, out),
            "tool_call_completed" => {
                self.call(entry.call_id.as_str(), entry.name.as_str(), entry.arguments, out);
                out.push(result(entry));
            }
            "error" => out.push(Payload::Mark(Mark::RequestFailed)),
            "info" | "warning" => {}
            kind => out.unrecognised(&format!("timeline/{kind}"), bytes),
        }
    }
}

fn result<'l>(entry: &'l Entry<'_>) -> Payload<'l> {
    let (kind, text) = match &entry.result {
        Content::Absent => ("", ""),
        Content::Text(text) => ("", text.as_ref()),
        Content::Parts(parts) => parts.first().map_or(("", ""), |part| (part.kind.as_str(), part.log.as_str())),
    };
    let outcome = match (kind, shell(text)) {
        ("rejected" | "denied", _) => Outcome::Declined,
        ("failure", _) => outcome::failure("", text),
        (_, Some(Shell::Exited(code))) => exited(code),
        (_, Some(Shell::Runs(handle))) => Outcome::Started { handle: handle.into() },
        (_, None | Some(Shell::Stopped)) => Outcome::Success,
    };
    Payload::Resolution(Resolution { call: entry.call_id.as_str().into(), outcome, text: text.into(), said: None })
}
