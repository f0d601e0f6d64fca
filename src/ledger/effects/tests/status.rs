//! What a call did: the table of DESIGN section 2, row by row.

use super::super::{Atomicity, Class, EffectStatus};
use super::CATALOGUE;
use crate::ledger::rows::EndHow;

use Atomicity::{Atomic, One, Partial, Several};
use Class::{Check, Control, Create, Execute, External, Read, Write};
use EffectStatus::{Committed, NotStarted, Unknown};

#[test]
fn the_end_decides() {
    for (class, atomicity, how, expected) in [
        (Write, Partial, EndHow::Success, Some(Committed)),
        (External, Several, EndHow::Success, Some(Committed)),
        (Execute, Partial, EndHow::Started, Some(Committed)),
        (Write, Atomic, EndHow::Refused, Some(NotStarted)),
        (External, Several, EndHow::Declined, Some(NotStarted)),
        (Write, Atomic, EndHow::TimedOut, Some(Unknown)),
        (Execute, Partial, EndHow::Interrupted, Some(Unknown)),
        (Write, Atomic, EndHow::Lost, Some(Unknown)),
        (Write, Atomic, EndHow::Synthetic, Some(Unknown)),
        (Write, Atomic, EndHow::AbandonedAtBoundary, Some(Unknown)),
        (Create, Partial, EndHow::AbandonedAtTurn, Some(Unknown)),
        (External, Partial, EndHow::AbandonedAtEnd, Some(Unknown)),
        (Write, Atomic, EndHow::Failed(None), Some(NotStarted)),
        (Write, Partial, EndHow::Failed(Some(1)), Some(Unknown)),
    ] {
        assert_eq!(CATALOGUE.effect_of(class, atomicity, how, ""), expected, "{class:?} {atomicity:?} {how:?}");
    }
    for class in [Read, Check, Control] {
        for how in [EndHow::Success, EndHow::Failed(Some(1)), EndHow::TimedOut, EndHow::AbandonedAtEnd] {
            assert_eq!(CATALOGUE.effect_of(class, Partial, how, "killed"), None, "{class:?} {how:?}");
        }
    }
}

#[test]
fn the_text_of_a_failure_may_prove_that_nothing_began() {
    for (class, atomicity, exit, text, expected) in [
        (Execute, Partial, Some(127), "Exit code 127\n/bin/bash: line 1: frob: command not found", NotStarted),
        (Execute, Partial, Some(126), "", NotStarted),
        (Execute, Partial, None, "/bin/bash: frob: command not found", NotStarted),
        (Execute, Partial, Some(2), "Exit code 2\nerror: unrecognized option '--frob'\nusage: x", NotStarted),
        (External, Partial, Some(1), "Exit code 1\nunknown flag: --frob\n\nUsage:  gh pr comment", NotStarted),
        (External, One, Some(7), "Exit code 7\ncurl: (7) Failed to connect to api port 443: Connection refused", NotStarted),
        (External, One, Some(1), "Exit code 1\nGraphQL: Could not resolve to a PullRequest\ngh: Not Found (HTTP 404)", NotStarted),
        (Write, One, Some(1), "Exit code 1\nrm: cannot remove 'x': No such file or directory", NotStarted),
        (Create, One, Some(1), "ERROR:  syntax error at or near \"frob\"", NotStarted),
        (Execute, Partial, Some(2), "Exit code 2\nbash: -c: line 1: syntax error near unexpected token `)'", NotStarted),
        (Write, Partial, None, "apply_patch verification failed: no such line", NotStarted),
        (External, Partial, Some(1), "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nunknown flag: --frob", NotStarted),
        (Execute, Partial, None, "### Error\nError: File access denied: /tmp/x is outside allowed roots.", NotStarted),
        (Execute, Partial, None, "### Error\nTimeoutError: locator.click: Timeout 5000ms exceeded.", Unknown),
        // Nobody can tell.
        (Write, Partial, Some(1), "Exit code 1\nrm: cannot remove 'x': No such file or directory", Unknown),
        (External, Partial, Some(1), "Exit code 1\nError from server (Forbidden): deployments.apps is forbidden", Unknown),
        (External, Partial, Some(1), "Exit code 1\nERROR: permission denied", Unknown),
        (Execute, Partial, Some(1), "Exit code 1\nmigrated 3 of 9 tables", Unknown),
        (Execute, Partial, Some(1), "Exit code 1\ncat: x: No such file or directory\nmigrated 3 of 9 tables", Unknown),
        (Execute, Partial, Some(1), "Exit code 1\nstep 1 done\n./x.sh: line 3: frob: command not found", Unknown),
        (Write, Partial, Some(124), "Exit code 124\nunknown flag", Unknown),
        (Write, Atomic, Some(137), "Exit code 137", Unknown),
        (External, Partial, Some(143), "", Unknown),
        (External, Atomic, Some(1), "Exit code 1\nfatal: the remote end hung up unexpectedly", Unknown),
        (External, Atomic, Some(1), "Exit code 1\ngh: Server Error (HTTP 502)", Unknown),
        (External, Atomic, Some(22), "curl: (22) The requested URL returned error: 504 Gateway Timeout", Unknown),
        (External, Atomic, Some(1), "Exit code 1\n ! [rejected] main -> main (non-fast-forward)", NotStarted),
        (External, Several, Some(127), "Exit code 127\nfrob: command not found", Unknown),
        // Only the head of a result counts.
        (Write, Partial, Some(1), "one\ntwo\nthree\nfour\nfive\nunknown flag: --frob", Unknown),
    ] {
        assert_eq!(CATALOGUE.effect_of(class, atomicity, EndHow::Failed(exit), text), Some(expected), "{text}");
    }
}

#[test]
fn a_long_log_is_not_read_to_its_end() {
    let log = format!("{}\nunknown flag: --frob", "x".repeat(4 << 20));
    assert_eq!(
        CATALOGUE.effect_of(Write, Partial, EndHow::Failed(Some(1)), &log),
        Some(NotStarted),
        "the second line is within its head"
    );
    let log = "line of a log\n".repeat(1 << 18) + "unknown flag: --frob";
    assert_eq!(CATALOGUE.effect_of(Write, Partial, EndHow::Failed(Some(1)), &log), Some(Unknown));
}
