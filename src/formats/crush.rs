//! Crush: the database of a project (`.crush/crush.db`). Its migrations are kept by a tool called goose; that agent is another one.
//!
//! A row is a message, written anew while it streams; an assistant's is told when it is finished.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::chat::{ended, unknown, written};
use crate::formats::emit::Emit;
use crate::formats::json::{self, Content, Element, Flag, List, Maybe, Number, ODD, Text, each_record};
use crate::formats::outcome::{begins, failure, handle};
use crate::formats::{rows, template};
use crate::transcript::{
    Agent, Boundary, BoundaryKind, Call, Container, Database, Fact, LaneKey, Listing, Mark, Outcome, Payload, Project, Record,
    Sink, Speaker, Whereabouts,
};

const CRUSH: Agent = Agent("crush");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: CRUSH,
    aliases: &[],
    title: "Crush",
    containers: &[Container::Database(CURRENT), Container::Database(OLD)],
    recognises: |_: &Map<String, Value>| Recognised::No,
    open: |opening| Box::new(Crush { lane: opening.lane.clone(), cut: Cut::None }),
    // Each project has its own database; a list of them lies beside that of sessions outside of projects (internal/projects).
    whereabouts: &[Whereabouts {
        listing: Some(Listing { file: "crush/projects.json", list: "projects", folder: "data_dir" }),
        variable: "XDG_DATA_HOME",
        home: ".local/share",
        folders: &["crush"],
        depth: 1,
        prefix: "crush",
        suffix: ".db",
        project: Project::Holds(".crush"),
        ..Whereabouts::new(CRUSH)
    }],
};

/// The records of a session and of its sub-agents' sessions; `$summary` says whether a message is a summary.
macro_rules! records {
    ($summary:literal) => {
        concat!(
            rows::tree!(),
            "
        select ?1 as root, session, parent, title, id, role, model, at, parts as 'parts:json', summary
        from (
            select 0 as at, 0 as n, s.id as session, s.parent_session_id as parent, s.title as title, null as id, null as role,
                null as model, null as parts, null as summary
            from sessions s join tree on tree.id = s.id
            union all
            select m.created_at, m.rowid, m.session_id, null, null, m.id, m.role, m.model, m.parts, ",
            $summary,
            "
            from messages m join tree on tree.id = m.session_id join sessions s on s.id = m.session_id
            where m.role <> 'assistant' or m.finished_at is not null or m.parts like '%\"finish\"%' or m.parts like '%tool_call%'
        )
        order by at, n"
        )
    };
}

/// With summaries marked as such.
const CURRENT: Database = Database {
    columns: &["sessions.parent_session_id", "messages.parts", "messages.is_summary_message"],
    sessions: SESSIONS,
    records: records!("m.is_summary_message"),
};

/// Without.
const OLD: Database = Database {
    columns: &["sessions.parent_session_id", "sessions.summary_message_id", "messages.parts"],
    sessions: SESSIONS,
    records: records!("s.summary_message_id = m.id"),
};

/// Times are seconds in some versions and milliseconds in others.
const SESSIONS: &str = concat!(
    "select id, title, null as directory,
        case when updated_at < 100000000000 then 1000 * updated_at else updated_at end as updated
    from sessions where ",
    rows::roots!(),
    " order by updated_at desc"
);

/// How results begin that Crush puts in the place of one (internal/agent/agent.go, tools/bash.go).
const WORDS: &[(&str, Outcome<'static>)] = &[
    ("Error: user cancelled assistant tool calling", Outcome::Synthetic),
    ("There was an error while executing the tool", Outcome::Synthetic),
    ("tool call was interrupted", Outcome::Synthetic),
    ("Tool execution canceled by user", Outcome::Synthetic),
    ("user denied permission", Outcome::Declined),
    ("Permission denied", Outcome::Declined),
    ("permission denied", Outcome::Declined),
    ("Command was aborted before completion", Outcome::Interrupted),
    ("tool not found", Outcome::Refused),
    ("Tool not found", Outcome::Refused),
];

/// What stands before the handle of a command that goes on in the background.
const LAUNCHED: &[&str] = &["Background shell started with ID: ", "Background shell ID: "];

#[derive(Default, Deserialize)]
#[serde(default)]
struct Line<'a> {
    #[serde(borrow)]
    root: Text<'a>,
    session: Text<'a>,
    parent: Text<'a>,
    title: Text<'a>,
    id: Text<'a>,
    role: Text<'a>,
    model: Text<'a>,
    at: Number,
    summary: Number,
    parts: List<Maybe<Part<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    data: Content<'a, Data<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Data<'a> {
    #[serde(borrow)]
    text: Text<'a>,
    thinking: Text<'a>,
    id: Text<'a>,
    name: Text<'a>,
    input: Text<'a>,
    finished: Option<bool>,
    tool_call_id: Text<'a>,
    content: Text<'a>,
    is_error: Flag,
    reason: Text<'a>,
    path: Text<'a>,
}

impl<'de: 'a, 'a> Element<'de> for Data<'a> {
    fn odd(text: Cow<'de, str>) -> Self {
        Self { text: Text(Some(text)), name: Text(Some(ODD.into())), ..Self::default() }
    }
}

struct Crush {
    lane: LaneKey<'static>,
    cut: Cut,
}

/// Whether somebody stopped a message that had made calls. What came of them stands in the records of tools behind it, so that is told
/// when the next one of another kind comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Cut {
    #[default]
    None,
    Short,
}

impl Adapter for Crush {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let lane = rows::lane(&line.session, &line.root, &self.lane);
            let mut out = Emit::new(lane, record.place, sink);
            out.at = rows::stamp(line.at);
            out.record = line.id.filled();
            match line.role.filled() {
                None => header(&line, &mut out),
                Some("tool") => _ = message("tool", &line, record.bytes, &mut out),
                Some(role) => {
                    if std::mem::take(&mut self.cut) == Cut::Short {
                        out.push(Payload::Mark(Mark::Interrupted));
                    }
                    self.cut = message(role, &line, record.bytes, &mut out);
                }
            }
            if out.is_empty() {
                out.bookkeeping("message");
            }
            Ok(())
        });
    }
}

fn header(line: &Line<'_>, out: &mut Emit<'_, '_>) {
    if let LaneKey::Sub(_) = out.lane {
        return out.fact(Fact::Lane { lane: out.lane.clone(), parent: rows::parent(&line.parent, &line.root) });
    }
    out.facts([
        line.session.filled().map(|id| Fact::Session(id.into())),
        line.title.filled().map(|title| Fact::Title(title.into())),
    ]);
}

/// Tells a message; whether it was stopped with calls in it.
fn message<'a>(role: &str, line: &'a Line<'_>, bytes: &[u8], out: &mut Emit<'a, '_>) -> Cut {
    if !matches!(role, "user" | "assistant" | "tool" | "system") {
        unknown("message/", role, bytes, out);
        return Cut::None;
    }
    let mut cut = Cut::None;
    let mut calls = false;
    let is_assistant = role == "assistant";
    if is_assistant {
        out.step = line.id.filled();
        if let Some(model) = line.model.filled() {
            out.fact(Fact::Model(out.lane.clone(), model.into()));
        }
    }
    let is_summary = line.summary.or_zero() == 1;
    if is_summary {
        out.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
    }
    for part in line.parts.0.iter().filter_map(|part| part.0.as_ref()) {
        let Content::Parts(data) = &part.data else { continue };
        let Some(data) = data.first() else { continue };
        let text = Cow::Borrowed(data.text.as_str());
        match part.kind.as_str() {
            "text" if text.is_empty() => {}
            "text" if is_summary => out.push(Payload::Summary { text, opaque: false }),
            "text" if is_assistant => out.push(Payload::Assistant { text }),
            "text" => out.push(Payload::User { speaker: speaker(role, &text, out), text }),
            "reasoning" => out.push(Payload::Reasoning { text: data.thinking.as_str().into() }),
            "tool_call" => {
                calls = true;
                call(data, out);
            }
            "tool_result" => result(data, out),
            "finish" if is_assistant && calls && is_cut(data.reason.as_str()) => cut = Cut::Short,
            "finish" if is_assistant => finished(data.reason.as_str(), out),
            // Users' and tools' messages are marked as finished too.
            "finish" => {}
            "image_url" | "binary" => {
                out.push(Payload::User {
                    speaker: Speaker::Injected,
                    text: format!("[{} {}]", part.kind.as_str(), data.path.as_str()).into(),
                });
            }
            "shell_command" => out.push(Payload::User { speaker: Speaker::Injected, text }),
            kind => out.push(Payload::Unrecognised { name: format!("part/{kind}").into(), text }),
        }
    }
    cut
}

fn speaker(role: &str, text: &str, out: &Emit<'_, '_>) -> Speaker {
    const AGAIN: &str = "The previous session was interrupted because it got too long";
    match (role, &out.lane) {
        ("system", _) => Speaker::Rules,
        _ if text.starts_with(AGAIN) || template::is_command(text) => Speaker::Injected,
        (_, LaneKey::Main) => Speaker::Human,
        (_, LaneKey::Sub(_)) => Speaker::Parent,
    }
}

fn call(data: &Data<'_>, out: &mut Emit<'_, '_>) {
    let (id, tool) = (data.id.as_str().into(), data.name.as_str().into());
    out.push(Payload::Call(Call { id, tool, input: written(data.input.as_str().into()) }));
}

fn result(data: &Data<'_>, out: &mut Emit<'_, '_>) {
    let text = data.content.as_str();
    let id = data.tool_call_id.as_str();
    // Outputs are often files and logs that hold the same words further down.
    let launched = text.lines().take(3).find_map(|line| LAUNCHED.iter().find_map(|words| line.strip_prefix(words)));
    let outcome = match launched {
        _ if data.is_error.0 => begins(text, WORDS).unwrap_or_else(|| failure(text)),
        Some(rest) => Outcome::Started { handle: handle(rest).into() },
        None => shell(text),
    };
    out.push(ended(id, outcome, text.into()));
}

/// A command that failed is a success of its tool, and says so in its last lines.
fn shell(text: &str) -> Outcome<'static> {
    let last = text.trim_end().rsplit('\n').take(3);
    for line in last {
        if line.starts_with("Command was aborted before completion") {
            return Outcome::Interrupted;
        }
        if let Some(code) = line.strip_prefix("Exit code ").and_then(|code| code.trim().parse().ok()) {
            return Outcome::Failed { exit: Some(code) };
        }
    }
    Outcome::Success
}

/// Whether a message ended because somebody stopped it.
fn is_cut(reason: &str) -> bool {
    matches!(reason, "canceled" | "permission_denied")
}

fn finished(reason: &str, out: &mut Emit<'_, '_>) {
    match reason {
        "end_turn" => out.push(Payload::Mark(Mark::TurnEnded)),
        reason if is_cut(reason) => out.push(Payload::Mark(Mark::Interrupted)),
        "error" => out.push(Payload::Mark(Mark::RequestFailed)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::chat::testing::told;

    #[test]
    fn what_came_of_the_calls_of_a_message_that_was_stopped_ends_them() {
        let line = |role: &str, parts: &str| {
            format!(r#"{{"root":"s","session":"s","id":"m{}","role":"{role}","at":1754898402,"parts":[{parts}]}}"#, parts.len())
        };
        let lines = [
            line(
                "assistant",
                r#"{"type":"tool_call","data":{"id":"a","name":"bash","input":"{}","finished":true}},{"type":"finish","data":{"reason":"permission_denied"}}"#,
            ),
            line(
                "tool",
                r#"{"type":"tool_result","data":{"tool_call_id":"a","content":"user denied permission","is_error":true}}"#,
            ),
            line("user", r#"{"type":"text","data":{"text":"not that"}}"#),
            line("assistant", r#"{"type":"text","data":{"text":"I"}},{"type":"finish","data":{"reason":"canceled"}}"#),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected = [
            "Call a bash {}",
            "Resolution a Declined: user denied permission",
            "Interrupted",
            "Human: not that",
            "Assistant: I",
            "Interrupted",
        ];
        assert_eq!(told(&FORMAT, &lines), expected);
    }

    #[test]
    fn parts_are_told_in_their_order() {
        let line = |role: &str, rest: &str, parts: &str| {
            format!(
                r#"{{"root":"s","session":"s","id":"m-{role}{}","role":"{role}","at":1754898402{rest},"parts":[{parts}]}}"#,
                parts.len()
            )
        };
        let finish = r#"{"type":"finish","data":{"reason":"stop"}}"#;
        let lines = [
            r#"{"root":"s","session":"s","title":"T","at":0}"#.to_owned(),
            line("user", "", &format!(r#"{{"type":"text","data":{{"text":"go"}}}},{finish}"#)),
            line(
                "assistant",
                "",
                r#"{"type":"tool_call","data":{"id":"a","name":"bash","input":"{\"command\":\"make\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use"}}"#,
            ),
            line("tool", "", r#"{"type":"tool_result","data":{"tool_call_id":"a","content":"out\nExit code 2","is_error":false}}"#),
            line("tool", "", r#"{"type":"tool_result","data":{"tool_call_id":"b","content":"Permission denied","is_error":true}}"#),
            line(
                "tool",
                "",
                r#"{"type":"tool_result","data":{"tool_call_id":"c","content":"Background shell started with ID: 00A\n","is_error":false}}"#,
            ),
            line(
                "tool",
                "",
                r#"{"type":"tool_result","data":{"tool_call_id":"d","content":"a\nlog\nthat says\nBackground shell ID: 7","is_error":false}}"#,
            ),
            line("assistant", r#","summary":1"#, r#"{"type":"text","data":{"text":"so far"}}"#),
            line("assistant", "", r#"{"type":"text","data":{"text":"done"}},{"type":"finish","data":{"reason":"end_turn"}}"#),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(
            told(&FORMAT, &lines),
            [
                "Human: go",
                "Call a bash {\"command\":\"make\"}",
                "Resolution a Failed { exit: Some(2) }: out\nExit code 2",
                "Resolution b Declined: Permission denied",
                "Resolution c Started { handle: \"00A\" }: Background shell started with ID: 00A\n",
                "Resolution d Success: a\nlog\nthat says\nBackground shell ID: 7",
                "Boundary Summary Unknown (None, None) Nothing masked []",
                "Summary: so far",
                "Assistant: done",
                "TurnEnded",
            ]
        );
    }
}
