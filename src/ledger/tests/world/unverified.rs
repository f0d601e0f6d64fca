//! Work that nothing has checked, committed or pushed yet.

use super::{newest, owed, session};
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EntryKind;

fn write(id: &str, path: &str) -> String {
    format!("step {id}\ncall {id} Write {{\"file_path\":\"{path}\",\"content\":\"x\"}}\nresult {id} ok\n")
}

/// What is unverified, each with the names of what waits.
fn unverified(lane: &LaneSnapshot, at: EventIx) -> Vec<String> {
    let live = lane.live_at(at).into_iter().filter(|entry| entry.kind == EntryKind::Unverified);
    live.map(|entry| format!("{} {}", entry.key, entry.names_at(at).collect::<Vec<_>>().join(" "))).collect()
}

#[test]
fn a_session_that_never_checks_commits_or_pushes_has_no_unverified_work() {
    let lane = session(&format!("{}{}", write("a", "/w/a.rs"), write("b", "/w/b.rs")));
    assert_eq!(owed(&lane), Vec::<String>::new());
}

#[test]
fn what_was_written_since_the_last_passing_check_is_one_entry() {
    let first = format!("{}sh t exit1 cargo test\n", write("a", "/w/a.rs"));
    let lane = session(&first);
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:check /w/a.rs"], "a failed check verifies nothing");
    let more = format!("{first}{}{}", write("b", "/w/b.rs"), write("c", "/w/b.rs"));
    let lane = session(&more);
    let end = lane.end().unwrap();
    assert_eq!(unverified(&lane, end), ["unverified:check /w/a.rs /w/b.rs"]);
    let entry = newest(&lane, EntryKind::Unverified);
    assert_eq!(entry.touches_at(end).map(|span| span.0).collect::<Vec<_>>(), [3], "it touches the newest write");
    let earlier = lane.calls.get(1).unwrap().end.unwrap().event;
    assert_eq!(unverified(&lane, earlier), ["unverified:check /w/a.rs"], "and then it knew no more");
    assert_eq!(entry.touches_at(earlier).map(|span| span.0).collect::<Vec<_>>(), [0]);
    let lane = session(&format!("{more}sh u ok cargo test => test result: ok. 3 passed"));
    assert_eq!(owed(&lane), Vec::<String>::new());
    let lane = session(&format!("{more}sh u ok cargo test 2>&1 | tail -5 => test result: FAILED. 1 passed; 2 failed"));
    assert_eq!(owed(&lane), ["unverified repair"], "the pipe hides the exit code, the text does not");
    let lane = session("sh t ok cargo test\nsh m ok mkdir -p src/new && chmod +x run.sh");
    assert_eq!(owed(&lane), Vec::<String>::new(), "a folder is no work");
    let lane = session("sh t ok cargo test\nstep w\ncall w Write {\"file_path\":\"/tmp/x.py\",\"content\":\"x\"}\nresult w ok");
    assert_eq!(owed(&lane), Vec::<String>::new(), "scratch");
    let home = "{\"file_path\":\"/home/dev/app/x.py\",\"content\":\"x\"}";
    let lane = session(&format!("sh t ok cargo test\nstep w\ncall w Write {home}\nresult w ok"));
    assert_eq!(owed(&lane), ["unverified repair"], "somebody's home is no device");
}

#[test]
fn what_was_edited_since_the_last_commit_and_what_was_not_pushed_are_one_entry_each() {
    let commit = "sh c ok git add -A && git commit -m x => [main 1a2b3c4] x\n";
    let lane = session(&format!("{}{commit}", write("a", "/w/a.rs")));
    assert_eq!(unverified(&lane, lane.end().unwrap()), Vec::<String>::new(), "this session has not pushed");
    let lane = session(&format!("{commit}{}", write("a", "/w/a.md")));
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:commit /w/a.md"]);
    let pushed = format!("{commit}sh p ok git push\nsh d ok git commit -m y => [main 5d6e7f8] y\n");
    let lane = session(&pushed);
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:push 5d6e7f8"]);
    let lane = session(&format!("{pushed}sh q ok git push"));
    assert_eq!(unverified(&lane, lane.end().unwrap()), Vec::<String>::new());
    let lane = session(&format!("{pushed}sh q exit1 git push =>  ! [rejected] main -> main"));
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:push 5d6e7f8"]);
}

#[test]
fn a_commit_is_known_where_what_follows_it_fails() {
    let work = format!("sh p ok git push\n{}", write("a", "/w/a.rs"));
    let lane =
        session(&format!("{work}sh c exit1 git add -A && git commit -m x && git push => [main 1a2b3c4] x ~  ! [rejected] main"));
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:push 1a2b3c4"]);
    let lane = session(&format!("{work}sh c exit1 git add -A && git commit -m x && git push => pre-commit hook failed"));
    assert_eq!(unverified(&lane, lane.end().unwrap()), ["unverified:commit /w/a.rs"]);
}

#[test]
fn what_a_commits_hooks_have_checked_is_verified() {
    let work = format!("sh t ok cargo test\n{}", write("a", "/w/a.rs"));
    let commit = |how: &str, said: &str| session(&format!("{work}sh c {how} git commit -am x => {said}"));
    for said in ["[COMPLETED] eslint --fix ~ [main 1a2b3c4] x", "$ tsc --noEmit ~ [main 1a2b3c4] x"] {
        assert_eq!(owed(&commit("ok", said)), Vec::<String>::new(), "{said}");
    }
    assert_eq!(owed(&commit("ok", "[main 1a2b3c4] x")), ["unverified repair"], "no hook has checked anything");
    assert_eq!(owed(&commit("exit1", "$ tsc --noEmit ~ husky - pre-commit hook failed")).len(), 2, "nor where it failed");
}

#[test]
fn what_the_human_does_not_allow_this_session_does_not_do() {
    let lane = session(&format!("{}sh c declined git add -A && git commit -m x", write("a", "/w/a.rs")));
    assert_eq!(unverified(&lane, lane.end().unwrap()), Vec::<String>::new());
}
