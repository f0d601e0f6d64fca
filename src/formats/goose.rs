//! Goose: its database (`~/.local/share/goose/sessions/sessions.db`), and the JSON lines that came before it (`sessions/*.jsonl`).
//!
//! A compaction deletes all rows and writes them again, the old ones hidden from the model: so that rows have no identity, and what is
//! hidden is told where the conversation begins that hides it.

mod line;
mod tables;

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use self::line::{Inner, Line, Part};
use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{ended, unknown};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, each_record};
use crate::formats::outcome::{begins, failure, inferred};
use crate::formats::rows;
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Fact, Finish, Input, LaneKey, Outcome, Payload, Record, Sink, Speaker,
    Whereabouts,
};

const GOOSE: Agent = Agent("goose");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: GOOSE,
    aliases: &["block-goose"],
    title: "Goose",
    containers: &[Container::Database(tables::CURRENT), Container::Database(tables::FIRST), Container::Lines],
    recognises,
    open: |opening| Box::new(Goose { lane: opening.lane.clone(), ..Goose::default() }),
    whereabouts: &[
        Whereabouts {
            variable: "XDG_DATA_HOME",
            home: ".local/share",
            folders: &["goose/sessions"],
            depth: 0,
            suffix: "sessions.db",
            ..Whereabouts::new(GOOSE)
        },
        Whereabouts {
            variable: "GOOSE_PATH_ROOT",
            home: ".local/share/goose",
            folders: &["data/sessions"],
            depth: 0,
            suffix: "sessions.db",
            ..Whereabouts::new(GOOSE)
        },
        Whereabouts {
            home: "Library/Application Support",
            folders: &["Block/goose/sessions"],
            depth: 0,
            suffix: "sessions.db",
            ..Whereabouts::new(GOOSE)
        },
        Whereabouts {
            variable: "XDG_DATA_HOME",
            home: ".local/share",
            folders: &["goose/sessions"],
            depth: 0,
            suffix: ".jsonl",
            ..Whereabouts::new(GOOSE)
        },
    ],
};

fn recognises(record: &Map<String, Value>) -> Recognised {
    let header = record.contains_key("working_dir") && (record.contains_key("description") || record.contains_key("message_count"));
    let typed = |part: &Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        matches!(kind, "toolRequest" | "toolResponse" | "toolConfirmationRequest" | "frontendToolRequest" | "conversationCompacted")
    };
    let is_message = record.get("role").is_some_and(Value::is_string) && record.get("created").is_some_and(Value::is_number);
    let speaks = record.get("content").and_then(Value::as_array).is_some_and(|parts| parts.iter().any(typed));
    match (header || is_message && speaks, is_message) {
        (true, _) => Recognised::Yes,
        (false, true) => Recognised::Maybe,
        (false, false) => Recognised::No,
    }
}

/// How texts begin that Goose puts in the place of a result, some of them as successes (agents/tool_execution.rs).
const WORDS: &[(&str, Outcome<'static>)] = &[
    ("The user has declined to run this tool", Outcome::Declined),
    ("Let the user know the tool call was skipped in goose chat mode", Outcome::Refused),
    ("Tool call was not approved", Outcome::Declined),
    ("Tool execution was cancelled", Outcome::Interrupted),
    ("Command timed out", Outcome::TimedOut),
];

struct Goose {
    lane: LaneKey<'static>,
    step: u32,
    /// The lanes whose messages so far are hidden from the model, and nobody has been told.
    hides: BTreeSet<String>,
}

impl Default for Goose {
    fn default() -> Self {
        Self { lane: LaneKey::Main, step: 0, hides: BTreeSet::new() }
    }
}

impl Adapter for Goose {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let lane = rows::lane(&line.session, &line.root, &self.lane);
            let mut out = Emit::new(lane, record.place, sink);
            out.at = rows::stamp(line.created);
            match line.role.filled() {
                None => header(&line, record.bytes, &mut out),
                Some(role) => self.message(role, &line, record.bytes, &mut out),
            }
            if out.is_empty() {
                out.bookkeeping("message");
            }
            Ok(())
        });
    }
}

impl Goose {
    fn message(&mut self, role: &str, line: &Line<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
        let metadata = line.metadata.0.as_ref();
        let hidden = metadata.is_some_and(|metadata| metadata.agent_visible == Some(false));
        let for_agent_only = metadata.is_some_and(|metadata| metadata.user_visible == Some(false));
        // What the model sees begins where something follows what it does not see: with a summary that only it sees.
        if !hidden && self.hides.remove(out.lane.name()) {
            out.push(Payload::Boundary(Boundary::of(if for_agent_only { BoundaryKind::Summary } else { BoundaryKind::Dropped })));
            if for_agent_only {
                out.push(Payload::Summary { text: joined(&line.content).into(), opaque: false });
                return;
            }
        }
        if hidden {
            self.hides.insert(out.lane.name().to_owned());
        }
        let is_assistant = role == "assistant";
        self.step += u32::from(is_assistant);
        // Whether the session goes on after a message that calls nothing, no record says.
        let is_call = |part: &Part<'_>| matches!(part.kind.as_str(), "toolRequest" | "frontendToolRequest");
        let calls = matches!(&line.content, Content::Parts(parts) if parts.iter().any(is_call));
        out.finish = if calls { Finish::Told } else { Finish::Untold };
        let speaker = match (&out.lane, for_agent_only) {
            (_, true) => Speaker::Injected,
            (LaneKey::Main, false) => Speaker::Human,
            (LaneKey::Sub(_), false) => Speaker::Parent,
        };
        match &line.content {
            Content::Absent => unknown("message/", role, bytes, out),
            Content::Text(text) if is_assistant => out.push_in(self.step, Payload::Assistant { text: Cow::Borrowed(text) }),
            Content::Text(text) => out.push(Payload::User { speaker, text: Cow::Borrowed(text) }),
            Content::Parts(parts) => parts.iter().for_each(|part| self.part(part, is_assistant, speaker, out)),
        }
    }

    fn part(&self, part: &Part<'_>, is_assistant: bool, speaker: Speaker, out: &mut Emit<'_, '_>) {
        let text = Cow::Borrowed(part.text.as_str());
        match part.kind.as_str() {
            "text" if is_assistant => out.push_in(self.step, Payload::Assistant { text }),
            "text" => out.push(Payload::User { speaker, text }),
            "thinking" => out.push_in(self.step, Payload::Reasoning { text: part.thinking.as_str().into() }),
            "redactedThinking" => out.push_in(self.step, Payload::Reasoning { text: "".into() }),
            "toolRequest" | "frontendToolRequest" => self.call(part, out),
            "toolResponse" => result(part, out),
            "image" => out.push(Payload::User { speaker: Speaker::Injected, text: "[image]".into() }),
            // A call that waits for the human is the call that was requested.
            kind @ ("toolConfirmationRequest" | "actionRequired") => out.bookkeeping(kind),
            "systemNotification" | "conversationCompacted" => {
                out.push(Payload::User {
                    speaker: Speaker::Injected,
                    text: part.msg.filled().unwrap_or(part.text.as_str()).into(),
                });
            }
            kind => out.push(Payload::Unrecognised { name: format!("part/{kind}").into(), text }),
        }
    }

    fn call(&self, part: &Part<'_>, out: &mut Emit<'_, '_>) {
        let id = part.id.as_str();
        let Some(wrapped) = &part.tool_call.0 else { return };
        let inner = first(&wrapped.value);
        let tool = inner.map_or("", |inner| inner.name.as_str());
        let input = inner.and_then(|inner| inner.arguments).map_or("null", RawValue::get);
        out.push_in(self.step, Payload::Call(Call { id: id.into(), tool: tool.into(), input: Input::Json(input.into()) }));
        if wrapped.status.as_str() == "error" {
            // The model's call could not be read.
            out.push(ended(id, Outcome::Refused, wrapped.error.as_str().into()));
        }
    }
}

fn result(part: &Part<'_>, out: &mut Emit<'_, '_>) {
    let Some(wrapped) = &part.tool_result.0 else { return };
    let mut texts: Vec<&str> = Vec::new();
    let mut is_error = wrapped.status.as_str() == "error";
    texts.extend(wrapped.error.filled());
    match &wrapped.value {
        Content::Absent => {}
        Content::Text(text) => texts.push(text),
        Content::Parts(parts) => {
            for inner in parts {
                is_error |= inner.is_error.0;
                texts.extend(inner.text.filled());
                texts.extend(inner.content.0.iter().filter_map(|piece| piece.0.as_ref()).filter_map(|piece| {
                    match piece.kind.as_str() {
                        "image" => Some("[image]"),
                        _ => piece.text.filled(),
                    }
                }));
                if inner.kind.as_str() == "image" {
                    texts.push("[image]");
                }
            }
        }
    }
    let text = texts.join("\n");
    let outcome = begins(&text, WORDS).unwrap_or_else(|| if is_error { failure(&text) } else { inferred(&text) });
    out.push(ended(part.id.as_str(), outcome, text.as_str().into()));
}

fn first<'a>(value: &'a Content<'_, Inner<'_>>) -> Option<&'a Inner<'a>> {
    match value {
        Content::Parts(parts) => parts.first(),
        _ => None,
    }
}

fn joined(content: &Content<'_, Part<'_>>) -> String {
    match content {
        Content::Absent => String::new(),
        Content::Text(text) => text.as_ref().to_owned(),
        Content::Parts(parts) => parts.iter().filter_map(|part| part.text.filled()).collect::<Vec<_>>().join("\n"),
    }
}

fn header(line: &Line<'_>, bytes: &[u8], out: &mut Emit<'_, '_>) {
    if let LaneKey::Sub(_) = out.lane {
        return out.fact(Fact::Lane { lane: out.lane.clone(), parent: rows::parent(&line.parent, &line.root) });
    }
    let directory = line.directory.filled().or(line.working_dir.filled());
    if directory.is_none() {
        return unknown("", "untyped", bytes, out);
    }
    out.facts([
        line.session.filled().or(line.id.filled()).map(|id| Fact::Session(id.into())),
        line.title.filled().or(line.description.filled()).map(|title| Fact::Title(title.into())),
        directory.map(|directory| Fact::Directory(directory.into())),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn a_decline_is_stored_as_a_success_and_is_none() {
        let call = |id: &str| {
            format!(
                r#"{{"type":"toolRequest","id":"{id}","toolCall":{{"status":"success","value":{{"name":"developer__shell","arguments":{{"command":"make"}}}}}}}}"#
            )
        };
        let end = |id: &str, result: &str| format!(r#"{{"type":"toolResponse","id":"{id}","toolResult":{result}}}"#);
        let line = |role: &str, parts: &[String]| format!(r#"{{"role":"{role}","created":1,"content":[{}]}}"#, parts.join(","));
        let lines = [
            line("user", &[r#"{"type":"text","text":"go"}"#.to_owned()]),
            line("assistant", &["a", "b", "c"].map(call)),
            line(
                "user",
                &[
                    end(
                        "a",
                        r#"{"status":"success","value":{"content":[{"type":"text","text":"The user has declined to run this tool. DO NOT"}]}}"#,
                    ),
                    end("b", r#"{"status":"success","value":[{"type":"text","text":"made"}]}"#),
                    end("c", r#"{"status":"success","value":{"content":[{"type":"text","text":"bad"}],"isError":true}}"#),
                ],
            ),
            line("assistant", &[r#"{"type":"toolRequest","id":"d","toolCall":{"status":"error","error":"no JSON"}}"#.to_owned()]),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: go",
                "Call a developer__shell {\"command\":\"make\"}",
                "Call b developer__shell {\"command\":\"make\"}",
                "Call c developer__shell {\"command\":\"make\"}",
                "Resolution a Declined: The user has declined to run this tool. DO NOT",
                "Resolution b Success: made",
                "Resolution c Failed { exit: None }: bad",
                "Call d  null",
                "Resolution d Refused: no JSON",
            ]
        );
    }

    #[test]
    fn what_the_model_no_longer_sees_is_a_boundary_where_it_goes_on() {
        let line = |text: &str, metadata: &str| {
            format!(
                r#"{{"root":"s","session":"s","role":"user","content":[{{"type":"text","text":"{text}"}}],"metadata":{metadata}}}"#
            )
        };
        let lines = [
            line("old", r#"{"agentVisible":false,"userVisible":true}"#),
            line("sub", "{}").replace(r#""session":"s""#, r#""session":"t""#),
            line("what was", r#"{"agentVisible":true,"userVisible":false}"#),
            line("new", "{}"),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let boundary = "Boundary Summary Unknown (None, None) Nothing masked []";
        assert_eq!(told(&FORMAT, &lines), ["Human: old", "@t Parent: sub", boundary, "Summary: what was", "Human: new"]);
    }
}
