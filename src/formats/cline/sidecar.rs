//! What the model sees since a compaction of Cline's SDK (`*.compaction.json`; `sdk/packages/core/src/extensions/context`).
//!
//! Its messages are those of the document that stay, under their ids. The agentic one puts a summary before them; the basic one a notice
//! behind each prompt, with what was done for it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::Own;
use crate::formats::chat::result_text;
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, List, Maybe};
use crate::transcript::{Boundary, BoundaryKind, Kept, Payload, Trigger};

/// How a text begins that stands in for what was done.
const NOTICE: &str = "<SYSTEM_NOTICE>";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Sidecar<'a> {
    #[serde(borrow)]
    messages: List<Maybe<Own<'a>>>,
}

/// Tells it as the boundary that it is. `ids` are those of the messages before it, with their records.
pub(super) fn told(raw: &RawValue, ids: &[(String, String)], out: &mut Emit<'_, '_>) {
    let sidecar: Sidecar<'_> = json::read(raw.get().as_bytes()).unwrap_or_default();
    let messages = || sidecar.messages.0.iter().filter_map(|message| message.0.as_ref());
    let record = |id: &str| ids.iter().rev().find(|(known, _)| known == id).map(|(_, record)| Cow::Borrowed(record.as_str()));
    let kept: Vec<Cow<'_, str>> = messages().filter_map(|message| record(message.id.filled()?)).collect();
    let metadata = || messages().filter_map(|message| message.metadata.0.as_ref());
    let trigger = match metadata().find_map(|metadata| metadata.reason.filled()) {
        Some(reason) if reason.starts_with("manual") => Trigger::Manual,
        Some(_) => Trigger::Auto,
        None => Trigger::Unknown,
    };
    let kept = if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) };
    out.push(Payload::Boundary(Boundary { kept, trigger, ..Boundary::of(BoundaryKind::Summary) }));
    let summary = messages().map(summary_of).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    out.push(Payload::Summary { text: summary.into(), opaque: false });
}

/// What of a message stands in for others.
fn summary_of<'m>(message: &'m Own<'_>) -> Cow<'m, str> {
    let is_whole = message.metadata.0.as_ref().is_some_and(|metadata| metadata.kind.as_str() == "compaction_summary");
    match &message.content {
        content if is_whole => result_text(content),
        Content::Parts(parts) => {
            let notices = parts.iter().map(|part| part.text.as_str()).filter(|text| text.starts_with(NOTICE));
            notices.collect::<Vec<_>>().join("\n").into()
        }
        _ => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::chat::testing::told;
    use crate::formats::cline::CLINE_FORMAT;

    #[test]
    fn what_stays_is_named_by_its_ids() {
        let lines = [
            r#"{"messages":{"id":"a","role":"user","content":[{"type":"text","text":"fix it"}]}}"#,
            r#"{"messages":{"id":"b","role":"assistant","content":[{"type":"text","text":"I look."}]}}"#,
            r#"{"messages":{"id":"c","role":"assistant","content":[{"type":"text","text":"It is fixed."}]}}"#,
            r#"{"messages":{"compaction":{"messages":[{"id":"a","role":"user","metadata":{"kind":"compaction","reason":"manual_compaction"},"content":[{"type":"text","text":"fix it"},{"type":"text","text":"<SYSTEM_NOTICE>\nFiles read:\na.rs"}]},{"id":"c","role":"assistant","content":"It is fixed."}]}}}"#,
            r#"{"messages":{"id":"d","role":"user","content":"now the tests"}}"#,
            r#"{"messages":{"compaction":{"messages":[{"id":"s","role":"user","metadata":{"kind":"compaction_summary"},"content":"Context summary:\nall fixed"},{"id":"d","role":"user","content":"now the tests"}]}}}"#,
        ];
        assert_eq!(
            told(&CLINE_FORMAT, &lines),
            [
                "Human: fix it",
                "Assistant: I look.",
                "Assistant: It is fixed.",
                "Boundary Summary Manual (None, None) Records([\"1\", \"3\"]) masked []",
                "Summary: <SYSTEM_NOTICE>\nFiles read:\na.rs",
                "Human: now the tests",
                "Boundary Summary Unknown (None, None) Records([\"5\"]) masked []",
                "Summary: Context summary:\nall fixed",
            ]
        );
    }
}
