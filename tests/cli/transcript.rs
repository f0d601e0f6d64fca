//! Small sessions as Claude Code writes them, record by record.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A session that is being written: a minute passes between records.
#[derive(Default)]
pub(crate) struct Transcript {
    lines: String,
    records: u32,
}

impl Transcript {
    /// What comes after so many records of another one.
    pub(crate) fn after(records: u32) -> Self {
        Self { lines: String::new(), records }
    }

    /// A human prompt.
    pub(crate) fn prompt(self, text: &str) -> Self {
        self.record("user", json!({"role": "user", "content": text}))
    }

    /// An assistant message, and what its request was charged.
    pub(crate) fn say(self, text: &str, charged: u64) -> Self {
        self.assistant(&json!([{"type": "text", "text": text}]), charged)
    }

    /// A call.
    pub(crate) fn call(self, id: &str, tool: &str, input: &Value) -> Self {
        self.assistant(&json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]), 30_000)
    }

    /// A call's result.
    pub(crate) fn result(self, id: &str, text: &str) -> Self {
        self.record("user", json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text}]}))
    }

    /// A call's failure.
    pub(crate) fn failure(self, id: &str, text: &str) -> Self {
        let content = json!([{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text}]);
        self.record("user", json!({"role": "user", "content": content}))
    }

    /// A compaction, with the summary that stands in for what was before.
    pub(crate) fn compacted(mut self, summary: &str) -> Self {
        let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": format!("b{}", self.records), "sessionId": "s",
            "parentUuid": null, "compactMetadata": {"trigger": "auto", "preTokens": 167_000}});
        writeln!(self.lines, "{boundary}").unwrap();
        self.lined("user", json!({"role": "user", "content": summary}), &json!({"isCompactSummary": true}))
    }

    /// What the runtime puts into the context, as what a hook printed.
    pub(crate) fn injected(self, text: &str) -> Self {
        self.lined("user", json!({"role": "user", "content": text}), &json!({"isMeta": true}))
    }

    /// A record of a type that nobody knows.
    pub(crate) fn unknown(mut self, name: &str) -> Self {
        writeln!(self.lines, "{}", json!({"type": name, "uuid": format!("x{}", self.records), "sessionId": "s"})).unwrap();
        self
    }

    /// The same as a sub-agent's own file.
    pub(crate) fn of_agent(&self, id: &str) -> String {
        let lines = self.lines.lines().map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            (record["isSidechain"], record["agentId"]) = (json!(true), json!(id));
            record["uuid"] = json!(format!("{id}{}", record["uuid"].as_str().unwrap()));
            format!("{record}\n")
        });
        lines.collect()
    }

    /// The bytes so far.
    pub(crate) fn text(&self) -> &str {
        &self.lines
    }

    fn assistant(self, content: &Value, charged: u64) -> Self {
        let id = format!("msg_{}", self.records);
        let usage = json!({"input_tokens": charged, "output_tokens": 100});
        let message = json!({"id": id, "role": "assistant", "model": "claude-opus-4-6", "content": content, "usage": usage});
        self.record("assistant", message)
    }

    fn record(self, kind: &str, message: Value) -> Self {
        self.lined(kind, message, &json!({}))
    }

    fn lined(mut self, kind: &str, message: Value, more: &Value) -> Self {
        let n = self.records;
        self.records += 1;
        let mut record = json!({
            "type": kind, "uuid": format!("u{n}"), "sessionId": "s", "isSidechain": false, "version": "2.1.60", "cwd": "/work/orders",
            "timestamp": format!("2026-05-04T09:{:02}:{:02}.000Z", n % 60, n / 60), "message": message,
        });
        for (key, value) in more.as_object().unwrap() {
            record[key] = value.clone();
        }
        writeln!(self.lines, "{record}").unwrap();
        self
    }
}

/// Nothing is owed: what was asked has long been left behind, and every call has its result.
pub(crate) fn quiet() -> Transcript {
    ["Look at a.rs.", "And b.rs?", "Thanks."].iter().enumerate().fold(Transcript::default(), |t, (n, prompt)| {
        let id = format!("toolu_{n}");
        t.prompt(prompt).call(&id, "Read", &json!({"file_path": "/work/a.rs"})).result(&id, "fn a() {}").say("It is short.", 31_000)
    })
}

/// A commitment, and nothing open.
pub(crate) fn promised() -> Transcript {
    Transcript::default().prompt("Move orders to the new schema. Do not drop columns.").say("I shall look first.", 30_000)
}

/// A write without a result, and a push that timed out.
pub(crate) fn open() -> Transcript {
    promised()
        .call("toolu_a", "Bash", &json!({"command": "git push origin main"}))
        .failure("toolu_a", "Exit code 124\nCommand timed out after 2m 0s")
        .call("toolu_b", "Write", &json!({"file_path": "/work/config.yaml", "content": "a: 1"}))
}
