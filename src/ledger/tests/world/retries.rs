//! Retries: attempts with one intent.

use super::{ended, newest, owed, session};
use crate::base::ids::EventIx;
use crate::ledger::entry::{EntryKind, Weight};

#[test]
fn attempts_with_one_intent_form_a_chain_from_the_second_on() {
    let once = "sh a exit1 ./migrate.sh orders => half way";
    assert_eq!(owed(&session(once)), ["effect repair"], "a first attempt is no retry");
    let lane = session(&format!("{once}\nsh b exit1 ./migrate.sh orders --force => half way"));
    assert_eq!(owed(&lane), ["effect repair", "retry repair"]);
    let retry = newest(&lane, EntryKind::Retry);
    let end = lane.end().unwrap();
    assert_eq!(retry.touches_at(end).count(), 2, "it touches the steps of all attempts");
    assert_eq!((retry.action.unwrap().attempts, retry.edges.len()), (2, 2));
}

#[test]
fn a_chain_ends_with_a_success() {
    let lane = session("sh a exit1 ./migrate.sh orders\nsh b exit1 ./migrate.sh orders\nsh c ok ./migrate.sh orders");
    assert_eq!(owed(&lane), Vec::<String>::new());
    assert_eq!(ended(&lane, EntryKind::Retry).0, "discharged");
}

#[test]
fn a_chain_ends_when_its_target_is_put_right_by_another_call() {
    let edit =
        |id: &str| format!("step {id}\ncall {id} Edit {{\"file_path\":\"/w/a.rs\",\"old_string\":\"x\",\"new_string\":\"y\"}}");
    let lane = session(&format!(
        "{}\nresult a lost\n{}\nresult b lost\nstep c\ncall c Write {{\"file_path\":\"/w/a.rs\",\"content\":\"y\"}}\nresult c ok",
        edit("a"),
        edit("b")
    ));
    assert_eq!(ended(&lane, EntryKind::Retry).0, "discharged");
}

#[test]
fn a_chain_that_nothing_touches_is_left_behind_after_thirty_steps() {
    let failures = "sh a exit1 ./migrate.sh orders\nsh b exit1 ./migrate.sh orders\n";
    let idle = |n: usize| (0..n).map(|n| format!("step i{n}\nsay On.\n")).collect::<String>();
    assert_eq!(owed(&session(&format!("{failures}{}", idle(29)))), ["effect repair", "retry repair"]);
    assert_eq!(owed(&session(&format!("{failures}{}", idle(31)))), Vec::<String>::new());
}

#[test]
fn rejections_looks_and_checks_are_no_attempts() {
    for how in ["declined", "refused"] {
        let lane = session(&format!("sh a {how} ./deploy.sh prod\nsh b {how} ./deploy.sh prod"));
        assert_eq!(owed(&lane), Vec::<String>::new(), "{how}");
    }
    for command in ["cargo test", "cat a.rs", "git status"] {
        let lane = session(&format!("sh a exit1 {command}\nsh b exit1 {command}\nsh c exit1 {command}"));
        assert!(!owed(&lane).iter().any(|line| line.starts_with("retry")), "{command}: {:?}", owed(&lane));
    }
    let lane = session("sh a exit127 frob => frob: command not found\nsh b exit127 frob => frob: command not found");
    assert_eq!(owed(&lane), Vec::<String>::new(), "what did not begin is no attempt");
}

#[test]
fn a_retry_is_a_barrier_while_an_attempt_may_count_twice() {
    let lane = session("sh a timeout gh pr comment 12 --body ok\nsh b timeout gh pr comment 12 --body ok");
    assert_eq!(owed(&lane), ["effect barrier", "retry barrier"]);
    let lane = session("sh a exit1 ./x.sh\nsh b timeout ./x.sh");
    assert_eq!(owed(&lane), ["effect barrier", "retry barrier"], "killed");
    let looked = session("sh a timeout gh pr comment 12 --body ok\nsh b timeout gh pr comment 12 --body ok\nsh c ok gh pr view 12");
    assert_eq!(owed(&looked), ["retry repair"], "what was looked at is unknown no more; the attempts still count");
    let retry = newest(&looked, EntryKind::Retry);
    let before = EventIx(looked.calls.get(2).unwrap().event.0 - 1);
    assert_eq!(retry.weight_at(before), Weight::Barrier, "and it was a barrier before");
}
