#!/usr/bin/env python3
"""How an agent's runtime writes a session that `owed` reads: one JSON object a line, appended as things happen.

`python3 examples/instrument.py session.jsonl`, and then `owed session.jsonl`. `instrument.rs` does the same.
"""

import json
import sys


class Recorder:
    """A session that is being written."""

    def __init__(self, out, id, model):
        self.out = out
        self.write({"type": "session", "schema": "owed.session/1", "id": id, "model": model})

    def write(self, line):
        """Appends a line, and hands it to the system at once: a crash loses nothing that was said."""
        self.out.write(json.dumps(line) + "\n")
        self.out.flush()


def run(out):
    """A run of an agent that settles a refund."""
    session = Recorder(out, "refund-88148", "claude-opus-4-6")
    session.write({"type": "user", "text": "Refund order 88148. Never refund an order twice."})
    # What the runtime knows and nobody said: it counts from here on.
    session.write({"schema": "owed.ledger/1", "do": "open", "key": "ticket-311", "kind": "prohibition",
                   "text": "Do not refund orders that were paid in cash."})
    session.write({"type": "call", "id": "c1", "tool": "orders.get", "input": {"order": 88148}, "step": "m1"})
    session.write({"type": "result", "call": "c1", "outcome": "success", "text": "paid by card, 19.90"})
    session.write({"type": "usage", "step": "m1", "input_tokens": 1800, "output_tokens": 60})
    session.write({"type": "call", "id": "c2", "tool": "payments.refund", "input": {"order": 88148, "cents": 1990}, "step": "m2"})
    session.write({"schema": "owed.ledger/1", "do": "call", "call": "c2", "idempotency_key": "dup-88148"})
    # Nobody knows what became of it: that is an outcome too.
    session.write({"type": "result", "call": "c2", "outcome": "timed_out", "text": "no answer in 30 s"})
    session.write({"type": "assistant", "step": "m3",
                   "text": "I do not know whether the refund went through. I will look before I try again."})
    session.write({"type": "mark", "mark": "turn_ended"})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with open(sys.argv[1], "a", encoding="utf-8") as out:
            run(out)
    else:
        run(sys.stdout)
