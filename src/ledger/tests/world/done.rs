//! What was done, and must not be done again.

use super::{ended, newest, owed, session};
use crate::ledger::entry::EntryKind;

#[test]
fn what_must_not_be_repeated_is_done_until_its_inverse_is() {
    let made = "sh a ok gh pr create --title x => https://github.com/o/r/pull/12";
    let lane = session(made);
    assert_eq!(owed(&lane), ["done repair"]);
    assert_eq!(newest(&lane, EntryKind::Done).identifiers, ["https://github.com/o/r/pull/12"], "its proof");
    assert_eq!(owed(&session(&format!("{made}\nsh b ok gh pr close 13"))), ["done repair"], "another one");
    let lane = session(&format!("{made}\nsh b ok gh pr close 12"));
    assert_eq!((owed(&lane), ended(&lane, EntryKind::Done).0), (vec![], "superseded"));
    let lane = session("sh a ok git commit --allow-empty -m x => [main 1a2b3c4] x\nsh b ok git reset --soft HEAD~1");
    assert_eq!(ended(&lane, EntryKind::Done).0, "superseded");
}

#[test]
fn what_a_failed_command_printed_a_proof_of_is_done() {
    let chain = "gh pr create --title x && ./notify.sh";
    let lane = session(&format!("sh a exit1 {chain} => https://github.com/o/r/pull/12 ~ notify: no such channel"));
    assert_eq!(owed(&lane), ["done repair"]);
    assert_eq!(owed(&session(&format!("sh a exit1 {chain} => notify: no such channel"))), ["effect barrier"], "no proof");
}

#[test]
fn one_action_is_done_once() {
    let lane = session("sh a ok gh pr comment 12 --body ok\nsh b ok gh pr comment 12 --body ok");
    assert_eq!(owed(&lane), ["done repair"]);
    assert_eq!(newest(&lane, EntryKind::Done).action.unwrap().attempts, 2);
    assert_eq!(owed(&session("sh a ok ./anything.sh --now")), Vec::<String>::new(), "nobody knows what it does");
}
