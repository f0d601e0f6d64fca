//! Cline and Roo Code: `tasks/*/api_conversation_history.json`, and the sessions of Cline's SDK (`sessions/*/*.messages.json`).
//!
//! Both keep Anthropic's messages. Where their models write tools as XML in plain text, a call has no id: the next user message begins
//! with its result, and one call is made at a time.

mod ending;
mod line;
mod sidecar;
mod text;
mod xml;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::line::{Line, Metadata, Metrics, Own};
use crate::base::time::Stamp;
use crate::formats::adapter::{Adapter, Format, Opening, Recognised};
use crate::formats::chat::{Part, arguments_of, ended, result_text, unknown};
use crate::formats::editors::{in_editors, on_hosts};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, ODD, Text, each_record};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Document, Fact, Kept, LaneKey, Mark, Payload, Project, Record, Sink, Speaker,
    Spliced, Whereabouts,
};

const CLINE: Agent = Agent("cline");
const ROO: Agent = Agent("roo");

const DOCUMENT: Document = Document { header: &["version", "agent", "sessionId", "system_prompt"], lists: &["messages"] };

/// Everything that was ever said stays in the document; what the model sees since a compaction lies beside it.
const SIDECAR: Spliced = Spliced {
    list: "messages",
    pattern: "{}.compaction.json",
    key: "compaction",
    after: "source_message_count",
    document: DOCUMENT,
};

/// Cline's row in the registry.
pub static CLINE_FORMAT: Format = Format {
    agent: CLINE,
    aliases: &["claude-dev"],
    title: "Cline",
    containers: &[Container::Spliced(SIDECAR), Container::Document(DOCUMENT)],
    recognises: recognises_cline,
    open: |opening| Box::new(Cline::new(opening)),
    whereabouts: &[
        Whereabouts { variable: "XDG_CONFIG_HOME", ..storage(CLINE, ".config", in_editors!("saoudrizwan.claude-dev/tasks")) },
        storage(CLINE, "Library/Application Support", in_editors!("saoudrizwan.claude-dev/tasks")),
        storage(CLINE, "", on_hosts!("saoudrizwan.claude-dev/tasks")),
        Whereabouts { variable: "CLINE_DIR", home: ".cline", ..storage(CLINE, "", &["data/tasks"]) },
        Whereabouts {
            variable: "CLINE_DIR",
            home: ".cline",
            suffix: ".messages.json",
            prefix: "",
            project: Project::Beside { file: "{}.json", key: "cwd" },
            ..storage(CLINE, "", &["data/sessions"])
        },
    ],
};

/// Roo Code's.
pub static ROO_FORMAT: Format = Format {
    agent: ROO,
    aliases: &["roo-code", "roo-cline"],
    title: "Roo Code",
    containers: &[Container::Document(DOCUMENT)],
    recognises: recognises_roo,
    open: |opening| Box::new(Cline::new(opening)),
    whereabouts: &[
        Whereabouts { variable: "XDG_CONFIG_HOME", ..storage(ROO, ".config", in_editors!("rooveterinaryinc.roo-cline/tasks")) },
        storage(ROO, "Library/Application Support", in_editors!("rooveterinaryinc.roo-cline/tasks")),
        storage(ROO, "", on_hosts!("rooveterinaryinc.roo-cline/tasks")),
        Whereabouts { variable: "ROO_DIR", home: ".roo", ..storage(ROO, "", &["tasks"]) },
    ],
};

const fn storage(agent: Agent, home: &'static str, folders: &'static [&'static str]) -> Whereabouts {
    Whereabouts {
        home,
        folders,
        depth: 1,
        prefix: "api_conversation_history",
        suffix: ".json",
        project: Project::Beside { file: "history_item.json", key: "workspace" },
        ..Whereabouts::new(agent)
    }
}

fn is_message(record: &Map<String, Value>) -> bool {
    record.get("role").is_some_and(Value::is_string) && record.contains_key("content")
}

fn recognises_roo(record: &Map<String, Value>) -> Recognised {
    const OWN: [&str; 6] = ["ts", "isSummary", "condenseParent", "condenseId", "truncationParent", "isTruncationMarker"];
    let own =
        OWN.iter().any(|key| record.contains_key(*key)) && !record.contains_key("modelInfo") && !record.contains_key("metrics");
    if is_message(record) && own { Recognised::Yes } else { Recognised::No }
}

fn recognises_cline(record: &Map<String, Value>) -> Recognised {
    let session = ["agent", "sessionId", "messages"].iter().all(|key| record.contains_key(*key));
    let texts = record.get("content").and_then(Value::as_array).into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    let mut texts = texts.chain(record.get("content").and_then(Value::as_str));
    let environment = is_message(record) && texts.any(|text| text.starts_with("<environment_details>"));
    if session || environment { Recognised::Yes } else { Recognised::No }
}

struct Cline {
    lane: LaneKey<'static>,
    step: u32,
    /// The records that the model sees still.
    seen: Vec<String>,
    /// The ids of the messages so far, and the records that they are.
    ids: Vec<(String, String)>,
    /// The call that ended the turn: what comes back to it is the next prompt.
    ended: Option<String>,
}

impl Cline {
    fn new(opening: &Opening) -> Self {
        Self { lane: opening.lane.clone(), step: 0, seen: Vec::new(), ids: Vec::new(), ended: None }
    }
}

impl Adapter for Cline {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            // Several messages may share a time, and some have no id: their place names them.
            let place = record.place.line.to_string();
            let mut out = Emit::new(self.lane.clone(), record.place, sink);
            out.record = Some(&place);
            let alone: Own<'_>;
            let message = match &line.messages.0 {
                Some(message) => message,
                None if line.role.filled().is_some() => {
                    alone = json::read(record.bytes)?;
                    &alone
                }
                None => {
                    header(&line, &mut out);
                    return Ok(());
                }
            };
            self.message(message, record.bytes, &mut out);
            if out.is_empty() {
                out.bookkeeping("message");
            }
            Ok(())
        });
    }
}

fn header(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    if let Some(id) = line.session_id.filled() {
        out.fact(Fact::Session(id.into()));
    }
    match line.system_prompt.filled() {
        Some(text) => out.push(Payload::User { speaker: Speaker::Rules, text: text.into() }),
        None => out.bookkeeping("header"),
    }
}

impl Cline {
    fn message(&mut self, message: &Own<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        out.at = message.ts.0.and_then(|at| i64::try_from(at).ok()).map(Stamp);
        if let Some(sidecar) = message.compaction {
            return sidecar::told(sidecar, &self.ids, out);
        }
        if let Some(id) = message.id.filled() {
            self.ids.push((id.to_owned(), out.line().to_string()));
        }
        let compaction = message.metadata.0.as_ref().is_some_and(Metadata::is_summary);
        if message.is_summary.0 || message.is_truncation_marker.0 || compaction {
            return self.boundary(message, out);
        }
        let hidden = message.condense_parent.filled().is_some() || message.truncation_parent.filled().is_some();
        if !hidden {
            self.seen.push(out.line().to_string());
        }
        match message.role.as_str() {
            "assistant" => self.assistant(message, out),
            "user" => {
                let ended = self.ended.take();
                user((self.step, ended.as_deref()), &message.content, out);
            }
            role => unknown("message/", role, bytes, out),
        }
    }

    /// Tells what stands in for the messages before it.
    fn boundary(&mut self, message: &Own<'_>, out: &mut Emit<'_, '_>) {
        let kind = if message.is_truncation_marker.0 { BoundaryKind::Dropped } else { BoundaryKind::Summary };
        // A summary stands in for everything, or, where it is the model's (Roo, before 2026), for all but the first message; a sliding
        // window leaves what it does not mark.
        let mut seen = std::mem::take(&mut self.seen);
        match (kind, message.role.as_str()) {
            (BoundaryKind::Dropped, _) => {}
            (_, "assistant") => seen.truncate(1),
            _ => seen.clear(),
        }
        let kept = seen.into_iter().map(Cow::Owned).collect::<Vec<_>>();
        let kept = if kept.is_empty() { Kept::Nothing } else { Kept::Records(kept) };
        out.push(Payload::Boundary(Boundary { kept, ..Boundary::of(kind) }));
        let text = result_text(&message.content);
        if kind == BoundaryKind::Summary {
            out.push(Payload::Summary { text, opaque: false });
        } else {
            out.push(Payload::User { speaker: Speaker::Injected, text });
        }
    }

    fn assistant(&mut self, message: &Own<'_>, out: &mut Emit<'_, '_>) {
        self.step += 1;
        out.usage = message.metrics.0.as_ref().and_then(Metrics::counted);
        if let Some(model) = message.model_info.0.as_ref().and_then(|info| info.id.filled()) {
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
        let alone;
        let parts = match &message.content {
            Content::Absent => return,
            Content::Text(text) => {
                alone = [Part { kind: Text(Some("text".into())), text: Text(Some(Cow::Borrowed(text))), ..Part::default() }];
                &alone[..]
            }
            Content::Parts(parts) => parts.as_slice(),
        };
        for part in parts {
            match part.kind.as_str() {
                "text" | ODD => self.speech(part.text.as_str(), out),
                "thinking" | "reasoning" | "redacted_thinking" => {
                    let text = part.thinking.filled().unwrap_or(part.text.as_str());
                    out.push_in(self.step, Payload::Reasoning { text: text.into() });
                }
                "tool_use" => {
                    let input = arguments_of(part.input);
                    let (id, tool) = (part.id.as_str().into(), part.name.as_str().into());
                    self.call(Call { id, tool, input }, out);
                }
                kind => out.push(Payload::Unrecognised { name: format!("block/{kind}").into(), text: part.text.as_str().into() }),
            }
        }
    }

    /// Tells a text of the assistant, in which a tool may stand.
    fn speech(&mut self, text: &str, out: &mut Emit<'_, '_>) {
        let Some(tool) = xml::tool(text) else {
            return out.push_in(self.step, Payload::Assistant { text: text.into() });
        };
        for said in [tool.before, tool.after].into_iter().map(str::trim).filter(|said| !said.is_empty()) {
            match said.strip_prefix("<thinking>").and_then(|said| said.strip_suffix("</thinking>")) {
                Some(thought) => out.push_in(self.step, Payload::Reasoning { text: thought.into() }),
                None => out.push_in(self.step, Payload::Assistant { text: said.into() }),
            }
        }
        let input = crate::transcript::Input::Json(tool.input().into());
        self.call(Call { id: id(self.step).into(), tool: tool.name.into(), input }, out);
    }

    fn call(&mut self, call: Call<'_>, out: &mut Emit<'_, '_>) {
        let Some(said) = ending::said(&call.tool, call.input.as_str()) else {
            return out.push_in(self.step, Payload::Call(call));
        };
        self.ended = Some(call.id.to_string());
        out.push_in(self.step, Payload::Assistant { text: said.into() });
        out.push_in(self.step, Payload::Call(call));
        out.push(Payload::Mark(Mark::TurnEnded));
    }
}

/// The name of the one call of a step that has none.
fn id(step: u32) -> String {
    format!("step-{step}")
}

/// Tells a user's message: results, words of the human, and what is put beside them. `ended` is the call that ended the turn before.
fn user((step, ended): (u32, Option<&str>), content: &Content<'_, Part<'_>>, out: &mut Emit<'_, '_>) {
    let parts = match content {
        Content::Absent => return,
        Content::Text(text) => return text::told(text, Speaker::Human, out),
        Content::Parts(parts) => parts,
    };
    let has_result = parts.iter().any(|part| part.kind.as_str() == "tool_result" || text::is_result(part.text.as_str()));
    let speaker = if has_result && ended.is_none() { Speaker::Steering } else { Speaker::Human };
    let mut parts = parts.iter().peekable();
    while let Some(part) = parts.next() {
        match part.kind.as_str() {
            "text" | ODD if text::is_result(part.text.as_str()) => {
                // The texts that follow are of the result too, up to what is put beside every message.
                let mut whole = part.text.as_str().to_owned();
                while let Some(more) = parts.next_if(|more| more.kind.as_str() == "text" && text::is_more(more.text.as_str())) {
                    whole.push('\n');
                    whole.push_str(more.text.as_str());
                }
                if let Some(said) = text::approval(&whole, parts.peek().map(|next| next.text.as_str())) {
                    out.push(Payload::User { speaker, text: said.to_owned().into() });
                    continue;
                }
                result((&id(step), ended), &whole, None, out);
            }
            "text" | ODD => text::told(part.text.as_str(), speaker, out),
            "tool_result" => {
                let whole = result_text(&part.content);
                result((part.tool_use_id.as_str(), ended), &whole, Some(part.is_error.0), out);
            }
            "image" | "file" | "document" => {
                out.push(Payload::User { speaker: Speaker::Injected, text: format!("[{}]", part.kind.as_str()).into() });
            }
            kind => out.push(Payload::Unrecognised { name: format!("block/{kind}").into(), text: part.text.as_str().into() }),
        }
    }
}

/// Tells the result of call `id`. What the human says to the one that `ended` a turn begins the next.
fn result((id, turn_ended): (&str, Option<&str>), whole: &str, is_error: Option<bool>, out: &mut Emit<'_, '_>) {
    let outcome = text::outcome(whole, is_error.unwrap_or(false));
    let said = text::feedback(whole).map(Cow::Borrowed);
    let (said, prompt) = if turn_ended == Some(id) { (None, said) } else { (said, None) };
    match ended(id, outcome, whole.into()) {
        Payload::Resolution(resolution) => out.push(Payload::Resolution(crate::transcript::Resolution { said, ..resolution })),
        payload => out.push(payload),
    }
    if let Some(text) = prompt {
        out.push(Payload::User { speaker: Speaker::Human, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_tool_in_a_text_is_a_call_and_the_next_text_its_result() {
        let lines = [
            r#"{"role":"user","ts":1,"content":[{"type":"text","text":"<task>\nfix it\n</task>"},{"type":"text","text":"<environment_details>\n# Time"}]}"#,
            r#"{"role":"assistant","ts":2,"content":[{"type":"text","text":"I look.\n<read_file>\n<path>a.rs</path>\n</read_file>"}]}"#,
            r#"{"role":"user","ts":3,"content":[{"type":"text","text":"[read_file for 'a.rs'] Result:"},{"type":"text","text":"fn main"},{"type":"text","text":"<environment_details>"}]}"#,
            r#"{"role":"assistant","ts":4,"content":[{"type":"text","text":"<execute_command>\n<command>make</command>\n</execute_command>"}]}"#,
            r#"{"role":"user","ts":5,"content":[{"type":"text","text":"[execute_command for 'make'] Result:\nThe user denied this operation."}]}"#,
        ];
        assert_eq!(
            told(&ROO_FORMAT, &lines),
            [
                "Human: fix it",
                "Injected: <environment_details>\n# Time",
                "Assistant: I look.",
                "Call step-1 read_file {\"path\":\"a.rs\"}",
                "Resolution step-1 Success: [read_file for 'a.rs'] Result:\nfn main",
                "Injected: <environment_details>",
                "Call step-2 execute_command {\"command\":\"make\"}",
                "Resolution step-2 Declined: [execute_command for 'make'] Result:\nThe user denied this operation.",
            ]
        );
    }

    #[test]
    fn what_ends_a_turn_is_a_last_message_and_the_answer_to_it_a_prompt() {
        let lines = [
            r#"{"role":"assistant","ts":1,"content":[{"type":"text","text":"<attempt_completion>\n<result>\nIt is fixed.\n</result>\n</attempt_completion>"}]}"#,
            r#"{"role":"user","ts":2,"content":[{"type":"text","text":"[attempt_completion] Result:"},{"type":"text","text":"The user has provided feedback on the results.\n<feedback>\nnow the tests\n</feedback>"}]}"#,
        ];
        assert_eq!(
            told(&ROO_FORMAT, &lines),
            [
                "Assistant: It is fixed.",
                "Call step-1 attempt_completion {\"result\":\"It is fixed.\"}",
                "TurnEnded",
                "Resolution step-1 Success: [attempt_completion] Result:\nThe user has provided feedback on the results.\n<feedback>\nnow the tests\n</feedback>",
                "Human: now the tests",
            ]
        );
    }

    #[test]
    fn what_a_human_says_to_a_call_that_is_approved_is_no_result() {
        let lines = [
            r#"{"role":"assistant","ts":1,"content":[{"type":"text","text":"<execute_command>\n<command>make</command>\n</execute_command>"}]}"#,
            r#"{"role":"user","ts":2,"content":[{"type":"text","text":"[execute_command for 'make'] Result:"},{"type":"text","text":"The user approved this operation and provided the following context:\n<feedback>\nnot in the root\n</feedback>"},{"type":"text","text":"[execute_command for 'make'] Result:"},{"type":"text","text":"Command executed in terminal. Exit code: 2\nOutput:\nno rule"}]}"#,
            r#"{"role":"user","ts":3,"content":[{"type":"text","text":"\n\nNew instructions for task continuation:\n<user_message>\nnow the tests\n</user_message>"}]}"#,
        ];
        assert_eq!(
            told(&ROO_FORMAT, &lines),
            [
                "Call step-1 execute_command {\"command\":\"make\"}",
                "Steering: not in the root",
                "Resolution step-1 Failed { exit: Some(2) }: [execute_command for 'make'] Result:\nCommand executed in terminal. Exit code: 2\nOutput:\nno rule",
                "Human: now the tests",
            ]
        );
    }

    #[test]
    fn a_summary_stands_in_for_what_stood_before() {
        let lines = [
            r#"{"role":"user","ts":1,"condenseParent":"c","content":"old"}"#,
            r#"{"role":"user","ts":2,"isSummary":true,"condenseId":"c","content":[{"type":"text","text":"so far"}]}"#,
            r#"{"role":"user","ts":2,"isTruncationMarker":true,"content":"[Sliding window]"}"#,
        ];
        assert_eq!(
            told(&ROO_FORMAT, &lines),
            [
                "Human: old",
                "Boundary Summary Unknown (None, None) Nothing masked []",
                "Summary: so far",
                "Boundary Dropped Unknown (None, None) Nothing masked []",
                "Injected: [Sliding window]",
            ]
        );
    }
}
