//! The sessions that the tests look at.

use super::Script;
use crate::base::ids::{BoundaryIx, EventIx, SpanIx};
use crate::ledger::effects::Class;
use crate::ledger::entry::{Edge, EdgeKind, EntryKind, Holder, HolderForm, Weight};
use crate::ledger::rows::EndHow;

/// The session of the screen's sketch: a migration with an unconfirmed effect, an open write, and a boundary that lost something.
pub(crate) fn migration() -> Script {
    let mut s = Script::new();
    s.injected("<system-reminder>Today is Monday.</system-reminder>");
    s.prompt("Move orders to the new schema. Do not drop columns.");
    s.charged(18_000);
    let dropped = s.entry(EntryKind::Prohibition, Weight::Repair, "Do not drop columns.");
    s.step().thinks("The schema lives in src/db; read it before anything is moved.");
    s.says("I will read the schema first, then write the migration.");
    let call = s.call("Read", Class::Read, "src/db/orders.rs", r#"{"file_path":"src/db/orders.rs"}"#);
    s.wait(2).ok(call, "     1→pub struct Order {\n     2→    id: u64, // never reused\n     3→    total: Money,\n     4→}");
    let call = s.call("Bash", Class::Read, "rg -n orders src | head", r#"{"command":"rg -n orders src | head"}"#);
    s.wait(1).ok(call, "src/db/orders.rs:1:pub struct Order {\nsrc/api/list.rs:14:use crate::db::orders;");
    s.step().wait(20);
    let call = s.call(
        "Edit",
        Class::Write,
        "src/db/orders.rs  +2 -1",
        r#"{"file_path":"src/db/orders.rs","old_string":"pub struct Order {\n    id: u64,\n    total: Money,","new_string":"pub struct Order {\n    id: u64,\n    total_cents: i64,\n    currency: Currency,"}"#,
    );
    s.wait(1).ok(call, "The file src/db/orders.rs has been updated.");
    s.step().wait(40);
    s.charged(120_000);
    s.compacts(
        155_000,
        21_000,
        "The user wants orders moved to the new schema. Columns were reviewed. src/db/orders.rs is edited.",
    );
    let boundary = s.lane.boundaries[0].event;
    s.change(dropped, |entry| entry.lost = vec![(boundary, Some(BoundaryIx(0)))]);
    s.wait(30);
    s.prompt("Looks good. Migrate staging, and push it when the tests pass.");
    s.charged(24_000);
    s.entry(EntryKind::Ordering, Weight::Repair, "push it when the tests pass");
    s.step().says("Migrating staging now:\n\n```sh\n./migrate.sh orders --apply\n```\n\n- the backup was taken\n- **columns stay** as they are");
    let first = s.call(
        "Bash",
        Class::Create,
        "./migrate.sh orders --apply",
        r#"{"command":"./migrate.sh orders --apply","timeout":120000}"#,
    );
    s.wait(120).end(first, EndHow::TimedOut, "Command timed out after 2m 0s\nALTER TABLE orders ADD COLUMN currency …");
    s.step();
    let again = s.call(
        "Bash",
        Class::Create,
        "./migrate.sh orders --apply",
        r#"{"command":"./migrate.sh orders --apply","timeout":120000}"#,
    );
    s.wait(120).end(again, EndHow::TimedOut, "Command timed out after 2m 0s");
    let effect = s.entry(EntryKind::Effect, Weight::Barrier, "./migrate.sh orders --apply");
    let attempts: Vec<(EventIx, SpanIx)> =
        [first, again].iter().map(|call| s.lane.calls.get(call.index()).map(|c| (c.event, c.span)).unwrap()).collect();
    let backup = s.entry(EntryKind::Value, Weight::Repair, "backup id bk-2291");
    s.change(backup, |entry| entry.action = None);
    let now = s.lane.end().unwrap();
    s.change(effect, |entry| {
        entry.evidence = attempts.iter().map(|(event, _)| *event).collect();
        let holder = |(event, span): &(EventIx, SpanIx)| Holder { span: *span, form: HolderForm::Verbatim, since: *event };
        entry.holders = attempts.iter().map(holder).collect();
        entry.edges = vec![Edge { kind: EdgeKind::DependsOnOutput, to: backup, since: now }];
        if let Some(facts) = &mut entry.action {
            facts.attempts = 2;
        }
    });
    s.step();
    s.says("The migration did not answer. I will write the new configuration meanwhile.");
    s.wait(3);
    s.charged(142_000);
    s.call(
        "Write",
        Class::Write,
        "config.yaml",
        r#"{"file_path":"config.yaml","content":"schema: 2\norders:\n  currency: EUR\n"}"#,
    );
    s
}

/// A session in which nothing is owed.
pub(crate) fn settled() -> Script {
    let mut s = Script::new();
    s.prompt("What does this crate do?");
    s.step();
    let call = s.call("Read", Class::Read, "README.md", r#"{"file_path":"README.md"}"#);
    s.wait(1).ok(call, "# owed\n\nA terminal inspector.");
    s.step().says("It shows what an agent still owes.");
    s.charged(9_000);
    s.wait(4).turn_ends();
    s
}

/// A lane of `events` events: turns of a prompt and four read calls.
pub(crate) fn long(events: usize) -> Script {
    let mut s = Script::new();
    while s.lane.events.len() < events {
        s.wait(60).prompt("Go on with the next file.");
        for n in 0..4 {
            s.step().wait(3);
            let call = s.call("Read", Class::Read, &format!("src/part/file_{n}.rs"), "{}");
            s.wait(1).ok(call, "ok");
        }
    }
    s
}

/// A session that leaves a part of its work to two sub-agents, one of which is still at it: the main lane first.
pub(crate) fn delegating() -> [Script; 3] {
    let mut main = Script::new();
    main.prompt("Find out why the nightly build fails, and mend it.");
    main.step();
    main.wait(2).says("Two things to look at; I leave each to somebody.");
    let logs = main.call("Task", Class::Control, "read the build's logs", r#"{"prompt":"Read the logs of the nightly build"}"#);
    let mut reader = main.sub_agent("a4c81e2", 100);
    let mend = main.call("Task", Class::Control, "mend the flaky test", r#"{"prompt":"Mend the flaky test of the parser"}"#);
    let mut mender = main.sub_agent("b7d90f3", 200);

    reader.wait(1).task("Read the logs of the nightly build");
    reader.step();
    let read = reader.wait(2).call("Bash", Class::Read, "gh run view --log-failed", r#"{"command":"gh run view --log-failed"}"#);
    reader.wait(3).ok(read, "\u{1b}[1;31merror\u{1b}[0m: linker `cc` not found\n\u{1b}[32m41 passed\u{1b}[0m");
    reader.step().wait(1).says("The runner has no linker since the image was renewed.");

    mender.wait(1).task("Mend the flaky test of the parser");
    mender.step();
    let edit = mender.wait(4).call(
        "Edit",
        Class::Write,
        "tests/parser.rs",
        r#"{"file_path":"tests/parser.rs","old_string":"let seed = now();\nparse(seed);","new_string":"let seed = 7;\nparse(seed);"}"#,
    );
    mender.wait(1).ok(edit, "ok");
    mender.step().wait(1).call("Bash", Class::Check, "cargo test parser", r#"{"command":"cargo test parser"}"#);

    main.wait(8).ok(logs, "The runner has no linker since the image was renewed.");
    main.step();
    main.wait(2).says("The linker is the cause of the one; the other is still being mended.");
    let _ = mend;
    [main, reader, mender]
}
