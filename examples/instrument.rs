//! How an agent's runtime writes a session that `owed` reads: one JSON object a line, appended as things happen.
//!
//! `cargo run --example instrument -- session.jsonl`, and then `owed session.jsonl`. `instrument.py` does the same.

use std::fs::OpenOptions;
use std::io::{self, Write};

use serde_json::{Value, json};

/// A session that is being written.
pub struct Recorder<W>(W);

impl<W: Write> Recorder<W> {
    /// Begins a session: the first line says what it is.
    pub fn new(out: W, id: &str, model: &str) -> io::Result<Self> {
        let mut recorder = Self(out);
        recorder.write(json!({"type": "session", "schema": "owed.session/1", "id": id, "model": model}))?;
        Ok(recorder)
    }

    /// Appends a line, and hands it to the system at once: a crash loses nothing that was said.
    pub fn write(&mut self, line: Value) -> io::Result<()> {
        writeln!(self.0, "{line}")?;
        self.0.flush()
    }
}

/// A run of an agent that settles a refund.
pub fn run(out: impl Write) -> io::Result<()> {
    let mut session = Recorder::new(out, "refund-88148", "claude-opus-4-6")?;
    session.write(json!({"type": "user", "text": "Refund order 88148. Never refund an order twice."}))?;
    // What the runtime knows and nobody said: it counts from here on.
    session.write(json!({"schema": "owed.ledger/1", "do": "open", "key": "ticket-311", "kind": "prohibition",
        "text": "Do not refund orders that were paid in cash."}))?;
    session.write(json!({"type": "call", "id": "c1", "tool": "orders.get", "input": {"order": 88148}, "step": "m1"}))?;
    session.write(json!({"type": "result", "call": "c1", "outcome": "success", "text": "paid by card, 19.90"}))?;
    session.write(json!({"type": "usage", "step": "m1", "input_tokens": 1800, "output_tokens": 60}))?;
    session.write(
        json!({"type": "call", "id": "c2", "tool": "payments.refund", "input": {"order": 88148, "cents": 1990}, "step": "m2"}),
    )?;
    session.write(json!({"schema": "owed.ledger/1", "do": "call", "call": "c2", "idempotency_key": "dup-88148"}))?;
    // Nobody knows what became of it: that is an outcome too.
    session.write(json!({"type": "result", "call": "c2", "outcome": "timed_out", "text": "no answer in 30 s"}))?;
    session.write(json!({"type": "assistant", "step": "m3", "text": "I do not know whether the refund went through. I will look before I try again."}))?;
    session.write(json!({"type": "mark", "mark": "turn_ended"}))
}

fn main() -> io::Result<()> {
    match std::env::args().nth(1) {
        Some(path) => run(OpenOptions::new().create(true).append(true).open(path)?),
        None => run(io::stdout()),
    }
}
