//! How Codex writes a session. Across a compaction it keeps what the human typed, word for word.

use serde_json::{Value, json};

use super::script::{Step, Verb};
use super::session::{Writer, time};

/// Its state: how many lines there are, and what the human typed.
#[derive(Default)]
pub(crate) struct Codex {
    number: usize,
    prompts: Vec<String>,
}

/// What a summary begins with, word for word.
const OPENING: &str = "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:\n";

impl Writer for Codex {
    fn event(&mut self, step: &Step) -> Vec<Value> {
        let Step { verb, id, text } = step;
        let call_id = format!("call_Kit{id}");
        let call = |name: &str, input: Value| json!({"type": "function_call", "id": format!("fc_{id}"), "name": name, "arguments": input.to_string(), "call_id": call_id});
        let shell =
            |command: &str| call("exec_command", json!({"cmd": command, "workdir": "/home/kim/work", "yield_time_ms": 10_000}));
        match verb {
            Verb::Prompt => {
                self.prompts.push(text.clone());
                vec![self.item(message("user", text)), self.news(json!({"type": "user_message", "message": text, "images": []}))]
            }
            Verb::Say => {
                let said = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}], "phase": "final_answer"});
                vec![self.news(json!({"type": "agent_message", "message": text, "phase": "final_answer"})), self.item(said)]
            }
            Verb::Bash => vec![self.item(shell(text))],
            Verb::Read => vec![self.item(shell(&format!("cat {text}")))],
            Verb::Tool => vec![self.item(call(step.tool(), step.input()))],
            Verb::Ok | Verb::Error => {
                let output = match text.strip_prefix("Exit code ").and_then(|text| text.split_once('\n')) {
                    Some((code, rest)) => format!("Wall time: 0.4 seconds\nProcess exited with code {code}\nOutput:\n{rest}"),
                    None if *verb == Verb::Ok => format!("Wall time: 0.4 seconds\nProcess exited with code 0\nOutput:\n{text}"),
                    None => text.clone(),
                };
                vec![self.item(json!({"type": "function_call_output", "call_id": call_id, "output": output}))]
            }
            Verb::Turn => vec![self.news(
                json!({"type": "task_complete", "turn_id": "019e1619-fbd6-7e9f-be57-b47b93f3cfc7", "last_agent_message": null}),
            )],
            other => panic!("no {other:?} in a session of Codex"),
        }
    }

    fn compact(&mut self, summary: &str) -> Vec<Value> {
        let text = format!("{OPENING}{summary}");
        let history: Vec<Value> = self.prompts.iter().chain([&text]).map(|text| message("user", text)).collect();
        let compacted = self.line("compacted", json!({"message": text, "replacement_history": history}));
        vec![compacted, self.news(json!({"type": "context_compacted"}))]
    }

    fn mask(&mut self, _: &[String]) -> Vec<Value> {
        panic!("Codex masks nothing")
    }
}

impl Codex {
    /// What a session begins with.
    pub(crate) fn opening() -> Vec<Value> {
        let meta = json!({"id": "019e1619-f360-7b10-9f3e-6d1b08c4a273", "timestamp": time(0), "cwd": "/home/kim/work", "originator": "codex-tui", "cli_version": "0.145.0", "source": "cli", "model_provider": "openai"});
        vec![json!({"timestamp": time(0), "type": "session_meta", "payload": meta})]
    }

    fn item(&mut self, payload: Value) -> Value {
        self.line("response_item", payload)
    }

    fn news(&mut self, payload: Value) -> Value {
        self.line("event_msg", payload)
    }

    fn line(&mut self, kind: &str, payload: Value) -> Value {
        self.number += 1;
        json!({"timestamp": time(self.number), "type": kind, "payload": payload})
    }
}

fn message(role: &str, text: &str) -> Value {
    json!({"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]})
}
