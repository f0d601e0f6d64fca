//! How Claude Code 2.1 writes a session.

use serde_json::{Value, json};

use super::script::{Step, Verb};
use super::session::{Writer, time};

/// Its state: how many lines there are, the record before, the records kept across the next boundary, if any are, and the
/// assistant's message, while it goes on.
#[derive(Default)]
pub(crate) struct Claude {
    number: usize,
    parent: Option<String>,
    kept: Option<Vec<String>>,
    message: Option<String>,
}

/// What a summary stands between, word for word.
const OPENING: &str = "This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n";
const CLOSING: &str = "\n\nIf you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: /home/kim/.claude/projects/-home-kim-work/5f0c2a7e-77b1-4e58-9d2b-0c1f6a3e8d41.jsonl\nPlease continue the conversation from where we left off without asking the user any further questions. Continue with the last task that you were asked to work on.";

impl Writer for Claude {
    fn event(&mut self, step: &Step) -> Vec<Value> {
        let Step { verb, id, text } = step;
        let line = match verb {
            Verb::Prompt => self.user(json!(text), json!({})),
            Verb::Say => self.assistant(json!({"type": "text", "text": text})),
            Verb::Bash => self.call(id, "Bash", json!({"command": text})),
            Verb::Read => self.call(id, "Read", json!({"file_path": text})),
            Verb::Tool => self.call(id, step.tool(), step.input()),
            Verb::Ok => self.result(id, text, false),
            Verb::Error => self.result(id, text, true),
            Verb::Notice => {
                let told = format!("<task-id>{id}</task-id>\n<status>completed</status>\n<summary>{text}</summary>");
                self.user(json!(format!("<task-notification>\n{told}\n</task-notification>")), json!({}))
            }
            Verb::Turn => self.system(json!({"subtype": "turn_duration", "durationMs": 41_250})),
            Verb::Keep => {
                self.kept = Some(Vec::new());
                return Vec::new();
            }
            Verb::Summary | Verb::Mask => return Vec::new(),
        };
        vec![line]
    }

    fn compact(&mut self, summary: &str) -> Vec<Value> {
        let mut told = json!({"trigger": "auto", "preTokens": 167_434});
        if let Some(kept) = self.kept.take() {
            told["preservedMessages"] = json!({"uuids": kept, "allUuids": kept});
        }
        self.parent = None;
        let boundary =
            json!({"subtype": "compact_boundary", "content": "Conversation compacted", "level": "info", "compactMetadata": told});
        let text = format!("{OPENING}{summary}{CLOSING}");
        vec![self.system(boundary), self.user(json!(text), json!({"isVisibleInTranscriptOnly": true, "isCompactSummary": true}))]
    }

    fn mask(&mut self, calls: &[String]) -> Vec<Value> {
        let ids: Vec<String> = calls.iter().map(|id| call_id(id)).collect();
        let told = json!({"trigger": "auto", "preTokens": 65_398, "tokensSaved": 22_140, "compactedToolIds": ids, "clearedAttachmentUUIDs": []});
        vec![self.system(json!({"subtype": "microcompact_boundary", "content": "Context microcompacted", "level": "info", "microcompactMetadata": told}))]
    }
}

impl Claude {
    fn call(&mut self, id: &str, tool: &str, input: Value) -> Value {
        self.assistant(json!({"type": "tool_use", "id": call_id(id), "name": tool, "input": input}))
    }

    fn result(&mut self, id: &str, text: &str, error: bool) -> Value {
        let said =
            if error { json!(format!("Error: {text}")) } else { json!({"stdout": text, "stderr": "", "interrupted": false}) };
        let content = json!([{"type": "tool_result", "tool_use_id": call_id(id), "content": text, "is_error": error}]);
        self.user(content, json!({"toolUseResult": said}))
    }

    fn assistant(&mut self, block: Value) -> Value {
        let number = self.number;
        let id = self.message.get_or_insert_with(|| format!("msg_01Kit{number:06}")).clone();
        let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 118_000 + 400 * number, "output_tokens": 120});
        let message = json!({"model": "claude-opus-4-5-20251101", "id": id, "type": "message", "role": "assistant", "content": [block], "stop_reason": null, "usage": usage});
        self.line(json!({"type": "assistant", "message": message, "requestId": format!("req_{id}")}))
    }

    fn user(&mut self, content: Value, more: Value) -> Value {
        self.message = None;
        let mut line = json!({"type": "user", "message": {"role": "user", "content": content}});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.line(line)
    }

    fn system(&mut self, mut line: Value) -> Value {
        self.message = None;
        line["type"] = json!("system");
        line["isMeta"] = json!(false);
        self.line(line)
    }

    fn line(&mut self, mut line: Value) -> Value {
        let uuid = format!("5f0c2a7e-77b1-4e58-9d2b-{:012x}", self.number);
        let more = json!({
            "parentUuid": self.parent, "isSidechain": false, "userType": "external", "cwd": "/home/kim/work", "sessionId": "5f0c2a7e-77b1-4e58-9d2b-0c1f6a3e8d41",
            "version": "2.1.62", "gitBranch": "main", "uuid": uuid, "timestamp": time(self.number),
        });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        if let Some(kept) = &mut self.kept {
            kept.push(uuid.clone());
        }
        self.number += 1;
        self.parent = Some(uuid);
        line
    }
}

fn call_id(id: &str) -> String {
    format!("toolu_01Kit{id}")
}
