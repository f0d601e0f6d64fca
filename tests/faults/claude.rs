//! Writes a script as Claude Code 2.1 writes a session.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::script::{Step, Verb};

/// A session's lines, and where the script's events stand.
#[derive(Default)]
pub(crate) struct Session {
    lines: Vec<String>,
    /// The 1-based lines of an id: of a call, its own and its result's.
    places: HashMap<String, Vec<u32>>,
    /// The record before, and the records kept across the next boundary, if any are.
    parent: Option<String>,
    kept: Option<Vec<String>>,
    /// The assistant's message, while it goes on.
    message: Option<String>,
}

/// What a summary stands between, word for word.
const OPENING: &str = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n";
const CLOSING: &str = "\n\nIf you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: /home/kim/.claude/projects/-home-kim-work/5f0c2a7e-77b1-4e58-9d2b-0c1f6a3e8d41.jsonl\nPlease continue the conversation from where we left off without asking the user any further questions. Continue with the last task that you were asked to work on.";

impl Session {
    pub(crate) fn play(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    /// A compaction, with the summary that stands in for what was.
    pub(crate) fn compact(&mut self, summary: &str) {
        let mut told = json!({"trigger": "auto", "preTokens": 167_434});
        if let Some(kept) = self.kept.take() {
            told["preservedMessages"] = json!({"uuids": kept, "allUuids": kept});
        }
        self.parent = None;
        self.system(
            json!({"subtype": "compact_boundary", "content": "Conversation compacted", "level": "info", "compactMetadata": told}),
        );
        let text = format!("{OPENING}{summary}{CLOSING}");
        self.user(json!(text), json!({"isVisibleInTranscriptOnly": true, "isCompactSummary": true}));
    }

    /// A boundary that only takes the results of these calls out of the context.
    pub(crate) fn mask(&mut self, calls: &[String]) {
        let ids: Vec<String> = calls.iter().map(|id| call_id(id)).collect();
        let told = json!({"trigger": "auto", "preTokens": 65_398, "tokensSaved": 22_140, "compactedToolIds": ids, "clearedAttachmentUUIDs": []});
        self.system(json!({"subtype": "microcompact_boundary", "content": "Context microcompacted", "level": "info", "microcompactMetadata": told}));
    }

    pub(crate) fn text(&self) -> String {
        self.lines.concat()
    }

    pub(crate) fn lines_of(&self, id: &str) -> &[u32] {
        self.places.get(id).map_or(&[], Vec::as_slice)
    }

    fn step(&mut self, step: &Step) {
        let Step { verb, id, text } = step;
        self.places.entry(id.clone()).or_default().push(self.lines.len() as u32 + 1);
        match verb {
            Verb::Prompt => self.user(json!(text), json!({})),
            Verb::Say => self.assistant(json!({"type": "text", "text": text})),
            Verb::Bash => self.call(id, "Bash", json!({"command": text})),
            Verb::Read => self.call(id, "Read", json!({"file_path": text})),
            Verb::Tool => {
                let (name, input) = text.split_once(' ').unwrap();
                let input = serde_json::from_str(input).unwrap_or_else(|error| panic!("{input}: {error}"));
                self.call(id, name, input);
            }
            Verb::Ok => self.result(id, text, false),
            Verb::Error => self.result(id, text, true),
            Verb::Notice => {
                let text = format!(
                    "<task-notification>\n<task-id>{id}</task-id>\n<status>completed</status>\n<summary>{text}</summary>\n</task-notification>"
                );
                self.user(json!(text), json!({}));
            }
            Verb::Turn => self.system(json!({"subtype": "turn_duration", "durationMs": 41_250})),
            Verb::Summary => self.compact(text),
            Verb::Keep => self.kept = Some(Vec::new()),
            Verb::Mask => self.mask(&[vec![id.clone()], text.split_whitespace().map(str::to_owned).collect()].concat()),
        }
    }

    fn call(&mut self, id: &str, tool: &str, input: Value) {
        self.assistant(json!({"type": "tool_use", "id": call_id(id), "name": tool, "input": input}));
    }

    fn result(&mut self, id: &str, text: &str, error: bool) {
        let said =
            if error { json!(format!("Error: {text}")) } else { json!({"stdout": text, "stderr": "", "interrupted": false}) };
        let content = json!([{"type": "tool_result", "tool_use_id": call_id(id), "content": text, "is_error": error}]);
        self.user(content, json!({"toolUseResult": said}));
    }

    fn assistant(&mut self, block: Value) {
        let number = self.lines.len();
        let id = self.message.get_or_insert_with(|| format!("msg_01Kit{number:06}")).clone();
        let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 118_000 + 400 * number, "output_tokens": 120});
        let message = json!({"model": "claude-opus-4-5-20251101", "id": id, "type": "message", "role": "assistant", "content": [block], "stop_reason": null, "usage": usage});
        self.line(json!({"type": "assistant", "message": message, "requestId": format!("req_{id}")}));
    }

    fn user(&mut self, content: Value, more: Value) {
        self.message = None;
        let mut line = json!({"type": "user", "message": {"role": "user", "content": content}});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.line(line);
    }

    fn system(&mut self, mut line: Value) {
        self.message = None;
        line["type"] = json!("system");
        line["isMeta"] = json!(false);
        self.line(line);
    }

    fn line(&mut self, mut line: Value) {
        let number = self.lines.len();
        let uuid = format!("5f0c2a7e-77b1-4e58-9d2b-{number:012x}");
        let (hour, minute, second) = (9 + number / 180, number / 3 % 60, number % 3 * 20);
        let more = json!({
            "parentUuid": self.parent, "isSidechain": false, "userType": "external", "cwd": "/home/kim/work", "sessionId": "5f0c2a7e-77b1-4e58-9d2b-0c1f6a3e8d41",
            "version": "2.1.62", "gitBranch": "main", "uuid": uuid, "timestamp": format!("2026-09-14T{hour:02}:{minute:02}:{second:02}.000Z"),
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.lines.push(format!("{line}\n"));
        if let Some(kept) = &mut self.kept {
            kept.push(uuid.clone());
        }
        self.parent = Some(uuid);
    }
}

fn call_id(id: &str) -> String {
    format!("toolu_01Kit{id}")
}
