//! Unknown effects, and what settles them.

use super::{ended, newest, owed, session};
use crate::ledger::entry::EntryKind;
use crate::ledger::testing::fold;
use crate::ledger::tests::{live, odd};

#[test]
fn a_look_that_began_after_the_operation_ended_settles_it() {
    let lane = session("sh a timeout git push origin main\nsh b ok git ls-remote origin");
    assert_eq!(ended(&lane, EntryKind::Effect), ("reconciled", None));
    let settled = newest(&lane, EntryKind::Effect).settled.unwrap();
    assert_eq!(settled.by, lane.end().unwrap(), "by which event");
    let parallel = session(
        "step m\ncall a Bash {\"command\":\"git push origin main\"}\ncall b Bash {\"command\":\"git ls-remote origin\"}\nresult a timeout\nresult b ok",
    );
    assert_eq!(owed(&parallel), ["effect barrier"], "it had begun before");
}

#[test]
fn a_look_that_saw_nothing_settles_nothing() {
    for (look, text, kinds) in [
        ("git ls-remote origin", "fatal: unable to access: Could not resolve host: git.example", "effect barrier"),
        ("git ls-remote origin", "HTTP 403: Forbidden", "effect barrier"),
        ("git ls-remote origin", "fatal: remote branch main not found", ""),
    ] {
        let lane = session(&format!("sh a timeout git push origin main\nsh b exit1 {look} => {text}"));
        assert_eq!(owed(&lane).join(" "), kinds, "{text}");
    }
}

#[test]
fn a_plain_failure_of_something_local_leaves_with_its_chain() {
    for then in ["sh b ok ./build-docs.sh all", "sh b ok ./build-docs.sh all --clean"] {
        let lane = session(&format!("sh a exit1 ./build-docs.sh all => broken\n{then}"));
        assert_eq!(ended(&lane, EntryKind::Effect), ("reconciled", Some("committed")), "{then}");
    }
}

#[test]
fn what_was_killed_or_leaves_this_machine_stays_until_it_is_settled() {
    let idle = (0..40).map(|n| format!("step i{n}\nsay On.\n")).collect::<String>();
    for (first, how) in
        [("./migrate.sh", "timeout"), ("./migrate.sh", "exit137"), ("./migrate.sh", "lost"), ("./migrate.sh", "interrupted")]
    {
        assert_eq!(owed(&session(&format!("sh a {how} {first}\n{idle}"))), ["effect barrier"], "{how}");
    }
    let lane = session(&format!("sh a exit1 gh release create v1 => HTTP 502\n{idle}"));
    assert_eq!(owed(&lane), ["effect barrier"]);
}

#[test]
fn a_later_success_settles_only_what_cannot_have_been_done_twice() {
    let lane = session("sh a timeout git push origin main\nsh b ok git push origin main");
    assert_eq!(ended(&lane, EntryKind::Effect), ("reconciled", Some("committed")), "idempotent");
    let lane =
        session("sh a timeout gh pr comment 12 --body ok\nsh b ok gh pr comment 12 --body ok => https://github.com/o/r/pull/12#c1");
    assert_eq!(owed(&lane), ["effect barrier", "done repair"], "the first may have happened too");
    assert_eq!(odd(&lane), ["blind-retry 6"]);
    let keyed =
        |id: &str, how: &str| format!("sh {id} {how} curl -X POST https://api.example.org/pay -H 'Idempotency-Key: k1' -d x=1\n");
    let lane = session(&format!("{}{}", keyed("a", "timeout"), keyed("b", "ok")));
    assert_eq!((owed(&lane), odd(&lane)), (vec!["done repair".to_owned()], vec![]), "one explicit key");
}

#[test]
fn a_human_may_settle_it() {
    let script = "sh a timeout ./deploy.sh prod";
    for (said, expected) in [
        ("The deploy went through fine, it's live.", Some("committed")),
        ("the deploy failed, I checked", Some("not_started")),
        ("The deploy failed", None),
        ("it went through", None),
        ("Maybe the deploy went through fine.", None),
        ("Did the deploy succeeded?", None),
        ("I think the deploy succeeded.", None),
        ("Now look at the tests.", None),
    ] {
        let lane = session(&format!("{script}\nprompt {said}"));
        assert_eq!(ended(&lane, EntryKind::Effect).1, expected, "{said}");
    }
    for (asked, said, expected) in [
        ("Can you see whether the deploy happened?", "It went through.", Some("committed")),
        ("Can you see whether the deploy happened?", "nothing happened", Some("not_started")),
        ("Can you see whether the deploy happened?", "not sure, it failed maybe", None),
        ("Shall I go on with the docs?", "It worked.", None),
        ("It ran into its time limit. I do not know how far it came.", "I looked: nothing was written.", Some("not_started")),
        ("It ran into its time limit, and I can't tell whether it got there.", "It went through.", Some("committed")),
        ("It ran into its time limit. I stop here.", "I looked: nothing was written.", None),
    ] {
        let lane = session(&format!("{script}\nstep q\nsay {asked}\nprompt {said}"));
        assert_eq!(ended(&lane, EntryKind::Effect).1, expected, "{asked} {said}");
    }
    let again =
        "\nstep q\nsay I do not know how far it came.\nprompt Start it again.\nrolled-back 1\nprompt I looked: nothing happened.";
    assert_eq!(ended(&session(&format!("{script}{again}")), EntryKind::Effect).1, Some("not_started"), "it waits again");
    let lane = session(&format!("{script}\nstep q\nsay The deploy went through fine, it's live."));
    assert_eq!(owed(&lane), ["effect barrier"], "the assistant's word settles nothing");
    let lane = session(&format!("{script}\ninjected The deploy went through fine, it's live."));
    assert_eq!(owed(&lane), ["effect barrier"], "nor does the runtime's");
}

#[test]
fn a_late_record_settles_it() {
    let script = "step m\ncall a Bash {\"command\":\"gh pr comment 12 --body ok\"}\nboundary\nsummary s\n";
    assert_eq!(ended(&fold(&format!("{script}result a ok")), EntryKind::Effect), ("reconciled", Some("committed")));
    assert_eq!(ended(&fold(&format!("{script}ran a Bash")), EntryKind::Effect), ("reconciled", Some("committed")));
}

#[test]
fn a_chain_that_broke_before_its_push_did_not_push() {
    for (text, expected) in [
        ("fatal: pathspec 'x' did not match any files", vec![]),
        ("On branch main\nnothing to commit, working tree clean", vec![]),
        (" ! [rejected] main -> main (fetch first)\nerror: failed to push some refs to 'o'", vec![]),
        ("fatal: unable to access: the remote end hung up", vec!["effect barrier"]),
    ] {
        let input = serde_json::json!({ "command": "git add x && git commit -m y && git push" });
        let mut lane = fold(&format!("step a\ncall a Bash {input}"));
        assert_eq!(live(&lane), ["call 2"]);
        // A result of several lines.
        lane = session(&format!("sh a exit1 git add x && git commit -m y && git push => {}", text.replace('\n', " ~ ")));
        assert_eq!(owed(&lane), expected, "{text}");
    }
    let lane = session("sh a exit1 git add x; git commit -m y; git push => nothing to commit");
    assert_eq!(owed(&lane), ["effect barrier"], "behind a semicolon it ran all the same");
}
