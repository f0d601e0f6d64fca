//! How rules that hold on come to hold, and how they end: by words that name them, and by what they wait for.

use crate::ledger::entry::{EntryKind, EntryStatus, Scope};
use crate::ledger::testing::fold;

/// A turn that ends with a report.
fn turn(n: usize, prompt: &str) -> String {
    format!("prompt {prompt}\nstep m{n}\nsay Done.\nturn-ended\n")
}

/// The status at the end, and the scope, of the commitment whose text holds some words.
fn rule(prompts: &[&str], words: &str) -> (EntryStatus, Scope) {
    let script: String = prompts.iter().enumerate().map(|(n, prompt)| turn(n, prompt)).collect();
    let lane = fold(&script);
    let found = lane
        .entries_until(lane.end().unwrap())
        .find(|entry| entry.kind.is_commitment() && !entry.is_whole_text() && entry.text.contains(words));
    let found = found.unwrap_or_else(|| panic!("{words:?} is no entry"));
    (found.status(), found.scope)
}

#[test]
fn what_has_to_go_on_being_holds_until_it_is_lifted() {
    for (prompt, words) in [
        ("Every name in app.__all__ must stay importable. Split the parser.", "must stay"),
        ("The flag `seats` has to stay off until Marta has signed the load test. Bump the version.", "has to stay off"),
        ("Nothing may go to the group Press, they are under embargo until the 24th. Upload the build.", "Nothing may"),
        ("Refunds above EUR 250 need my approval before they are sent. Start with the queue.", "need my approval"),
        ("Reissue the invoice, but let me look at the PDF before you mail it.", "let me look"),
        ("Promoting a version is not yours to do, the desk decides that. Register the run.", "not yours"),
        ("If Oduya has a file checked out, ask me before you open it for edit. Fix the packer.", "ask me before"),
    ] {
        let later = [prompt, "Now write the changelog of the release.", "Translate the handbook.", "Rename the log folder."];
        assert_eq!(rule(&later, words), (EntryStatus::Live, Scope::Standing), "{prompt}");
    }
}

#[test]
fn what_was_forbidden_is_free_once_a_human_lets_it_be_done() {
    let ban = "The radar rainfall isn't licensed yet, leave it out for now.";
    for (later, status) in [
        ("The licence got signed, so you may use the radar rainfall from now on.", EntryStatus::Revoked),
        ("You may use the gauge readings from now on.", EntryStatus::Live),
        ("You may not use the radar rainfall now.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, later], "leave it out").0, status, "{later}");
    }
}

#[test]
fn what_stands_below_a_heading_of_rules_holds_on() {
    let rules = "# Desk\\n\\nYou take care of the queue today.\\n\\n## Rules\\n1. Credit notes are numbered in the series CN-K26.\\n2. Guests are \
                 addressed by their last name.\\n\\n## Today\\n- Work through queue.csv.\\n- Ms Oduya gets a mail.";
    assert_eq!(rule(&[rules], "CN-K26").1, Scope::Standing);
    assert_eq!(rule(&[rules], "last name").1, Scope::Standing);
}

#[test]
fn what_is_lifted_is_named_by_what_it_is_about() {
    let ban = "Leave benchmarks/ untouched. Split the parser.";
    for (lift, status) in [
        ("And forget what I said about benchmarks/, bench.py needs the new import.", EntryStatus::Revoked),
        ("Forget the benchmarks rule, go ahead.", EntryStatus::Revoked),
        ("Forget what I said about the handbook.", EntryStatus::Live),
        ("Do not forget what I said about benchmarks/.", EntryStatus::Live),
        ("Did you forget what I said about benchmarks/?", EntryStatus::Live),
        ("You seem to forget what I said about benchmarks/.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, lift], "Leave benchmarks/").0, status, "{lift}");
    }
}

#[test]
fn what_was_to_be_left_alone_is_free_when_a_human_says_so() {
    let ban = "Leave the bootloader alone for now.";
    for (said, status) in [
        ("You can change the bootloader from now on, I have a dump of it.", EntryStatus::Revoked),
        ("You can flash the board again.", EntryStatus::Live),
        ("Is the bootloader signed?", EntryStatus::Live),
        ("That does not mean you can touch the bootloader now.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, said], "Leave the bootloader").0, status, "{said}");
    }
}

#[test]
fn what_waits_for_something_ends_when_a_human_says_that_it_has_come() {
    let ban = "Leave the auction fee alone until the Lantern Festival is over.";
    for (said, status) in [
        ("The Lantern Festival is over, set the fee to 6 percent.", EntryStatus::Discharged),
        ("Is the Lantern Festival over?", EntryStatus::Live),
        ("As I said, no change of the fee until the Lantern Festival is over.", EntryStatus::Live),
        ("Count the visitors of the Lantern Festival.", EntryStatus::Live),
        ("The Lantern Festival is not over yet.", EntryStatus::Live),
        ("If the Lantern Festival is over, tell me.", EntryStatus::Live),
        ("Make sure that the Lantern Festival is over first.", EntryStatus::Live),
        ("I doubt that the Lantern Festival is over.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, said], "Leave the auction fee").0, status, "{said}");
    }
}

#[test]
fn most_of_what_is_waited_for_will_do_where_what_waits_is_named() {
    let ban = "Hands off edge-2 until I confirm the maintenance window.";
    for (said, status) in [
        ("The window is confirmed, go ahead with edge-2.", EntryStatus::Discharged),
        ("The window is confirmed, look at edge-1.", EntryStatus::Live),
        ("The maintenance window is not confirmed yet, leave edge-2.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, said], "Hands off").0, status, "{said}");
    }
    let ban = "Nothing goes to PyPI until I have tried the TestPyPI build.";
    for (said, status) in [
        ("The TestPyPI build works here, so rc1 may go to PyPI, rc1 and no other version.", EntryStatus::Revoked),
        ("The TestPyPI build works here, but nothing may go to PyPI yet.", EntryStatus::Live),
    ] {
        assert_eq!(rule(&[ban, said], "Nothing goes").0, status, "{said}");
    }
}

#[test]
fn a_turn_that_leaves_an_outcome_unknown_has_not_done_what_was_asked() {
    let script = "prompt Refund Ms Lindqvist and write the letter to her.
         step m1
         call a Bash {\"command\":\"curl -X POST https://pay.example/refunds -d amount=412\"}
         result a timeout curl: (28) timed out
         step m2
         call b Write {\"file_path\":\"/w/letter.md\",\"content\":\"Dear Ms Lindqvist\"}
         result b ok
         step m3
         say The letter is written; the refund ended in a time-out, it may or may not have been booked.
         turn-ended
         prompt Translate the handbook of the house into French.";
    let lane = fold(script);
    let asked = lane.entries_until(lane.end().unwrap()).find(|entry| entry.text.contains("Refund Ms")).unwrap();
    assert_eq!((asked.kind == EntryKind::Effect, asked.status()), (false, EntryStatus::Live));
}

#[test]
fn a_list_below_what_forbids_orders_nothing() {
    for head in ["Do NOT do any of these:", "Never:", "Please don't:", "You must not:"] {
        let prompt = format!("{head}\\n- edit Cargo.lock\\n- push to main\\n- run migrations\\n\\nFix the parser.");
        let lane = fold(&turn(0, &prompt));
        let item = lane.entries_until(lane.end().unwrap()).find(|entry| entry.text.contains("push to main")).unwrap();
        assert_eq!((item.kind, item.scope), (EntryKind::Prohibition, Scope::Standing), "{head}");
    }
}
