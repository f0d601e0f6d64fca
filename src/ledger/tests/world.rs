//! What calls did to the world, as it is known after each session: unknown effects, retries, what is open, done and unverified.

use super::{live, odd};
use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Entry, EntryKind, Weight};
use crate::ledger::testing::fold;

/// A call of a shell and its result, in a step of its own: `sh ID HOW COMMAND => RESULT`. Other lines as they are.
pub(super) fn session(script: &str) -> LaneSnapshot {
    let mut lines = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("sh ").map(|rest| rest.splitn(3, ' ').collect::<Vec<_>>()) {
            Some(parts) => {
                let (command, result) = parts[2].split_once(" => ").unwrap_or((parts[2], "done"));
                let input = serde_json::json!({ "command": command.replace("\\n", "\n") });
                lines += &format!("step {id}\ncall {id} Bash {input}\nresult {id} {} {result}\n", parts[1], id = parts[0]);
            }
            None => lines += &format!("{line}\n"),
        }
    }
    fold(&lines)
}

/// The live entries but commitments, as `kind weight`.
pub(super) fn owed(lane: &LaneSnapshot) -> Vec<String> {
    let end = lane.end().unwrap();
    let own = lane.live_at(end).into_iter().filter(|entry| !entry.kind.is_commitment());
    own.map(|entry| format!("{} {}", entry.kind.word(), entry.weight_at(end).word())).collect()
}

/// The newest entry of a kind.
pub(super) fn newest(lane: &LaneSnapshot, kind: EntryKind) -> Entry {
    let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind == kind);
    all.last().map(|entry| (*entry).clone()).unwrap_or_else(|| panic!("no {}", kind.word()))
}

/// How the newest entry of a kind stands, and what settled it.
pub(super) fn ended(lane: &LaneSnapshot, kind: EntryKind) -> (&'static str, Option<&'static str>) {
    let entry = newest(lane, kind);
    (entry.status().word(), entry.settled.and_then(|settled| settled.effect).map(EffectStatus::word))
}

// ------------------------------------------------------------------------------------------------------------------------- retries

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

// ------------------------------------------------------------------------------------------------------------------ unknown effects

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
    ] {
        let lane = session(&format!("{script}\nstep q\nsay {asked}\nprompt {said}"));
        assert_eq!(ended(&lane, EntryKind::Effect).1, expected, "{asked} {said}");
    }
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

// ------------------------------------------------------------------------------------------------------- transactions and resources

#[test]
fn a_conflict_is_a_transaction_and_nothing_else() {
    for command in ["git rebase main", "git merge feature", "git cherry-pick 1a2b3c4", "git pull", "git pull --rebase"] {
        let lane = session(&format!("sh a exit1 {command} => CONFLICT (content): Merge conflict in src/a.rs"));
        assert_eq!(owed(&lane), ["transaction barrier"], "{command}");
    }
    let script = "sh a exit1 git rebase main => CONFLICT (content): Merge conflict in src/a.rs";
    for end in ["git rebase --continue", "git rebase --abort", "sudo git rebase --skip", "GIT_EDITOR=true git rebase --continue"] {
        let lane = session(&format!("{script}\nsh b ok {end}"));
        assert_eq!(ended(&lane, EntryKind::Transaction).0, "discharged", "{end}");
    }
    let lane = session(&format!("{script}\nsh b exit1 git rebase --continue => CONFLICT (content): Merge conflict in src/b.rs"));
    assert_eq!(owed(&lane), ["transaction barrier"], "the next conflict of the same rebase");
    assert_eq!(owed(&session("sh a ok git rebase main => Successfully rebased")), Vec::<String>::new());
}

#[test]
fn a_transaction_touches_what_acts_in_it_and_nothing_else() {
    let lane = session(
        "sh a exit1 git merge feature => CONFLICT (content): Merge conflict in src/a.rs
         step b
         call b Edit {\"file_path\":\"/w/src/a.rs\",\"old_string\":\"x\",\"new_string\":\"y\"}
         result b ok
         step c
         call c Edit {\"file_path\":\"/w/docs/x.md\",\"old_string\":\"x\",\"new_string\":\"y\"}
         result c ok
         sh d ok cargo doc
         sh e ok git add src/a.rs",
    );
    let transaction = newest(&lane, EntryKind::Transaction);
    let touched: Vec<_> = transaction.touches_at(lane.end().unwrap()).map(|span| span.0).collect();
    assert_eq!(touched, [0, 1, 4]);
    assert_eq!(transaction.identifiers, ["src/a.rs"]);
}

#[test]
fn what_one_command_opens_and_closes_was_never_open() {
    for command in [
        "git stash && git pull && git stash pop",
        "git stash; git checkout main; git stash pop",
        "git bisect start && git bisect reset",
    ] {
        let lane = session(&format!("sh a ok {command}"));
        assert_eq!(owed(&lane), Vec::<String>::new(), "{command}");
    }
    let lane = session("sh a ok psql -c 'begin; update a set x = 1; commit'");
    assert_eq!(owed(&lane), Vec::<String>::new());
    let lane = session("sh a ok psql -c 'begin; update a set x = 1'");
    assert_eq!(owed(&lane), ["transaction barrier"]);
}

#[test]
fn sql_through_a_tool_opens_and_closes_as_on_a_command_line() {
    let query = |id: &str, tool: &str, sql: &str| {
        format!("step {id}\ncall {id} {tool} {}\nresult {id} ok\n", serde_json::json!({ "sql": sql }))
    };
    let begun = query("a", "mcp__postgres__query", "BEGIN; UPDATE orders SET n = 1");
    assert_eq!(owed(&fold(&begun)), ["transaction barrier"]);
    let lane = fold(&format!("{begun}{}", query("b", "mcp__postgres__query", "COMMIT")));
    assert_eq!(ended(&lane, EntryKind::Transaction).0, "discharged");
    assert_eq!(owed(&fold(&query("a", "mcp__postgres__query", "SELECT 1"))), Vec::<String>::new());
    assert_eq!(owed(&fold(&query("a", "mcp__music__query", "begin"))), Vec::<String>::new(), "no database");
}

#[test]
fn a_request_that_reached_nobody_did_not_begin() {
    let lane = session("sh a exit7 curl -s -X POST https://api.example.org/pay -d x=1");
    assert_eq!(owed(&lane), Vec::<String>::new(), "its exit code says so, with no text");
    assert_eq!(owed(&session("sh a exit52 curl -s -X POST https://api.example.org/pay -d x=1")), ["effect barrier"]);
}

#[test]
fn a_resource_is_to_be_undone() {
    for (opens, closes) in [
        ("git stash push -m wip => Saved working directory and index state On main: wip", "git stash pop"),
        ("git worktree add ../wt -b fix => Preparing worktree", "git worktree remove --force ../wt"),
        ("docker run -d --name web nginx => 9f2c4a1b7d3e9f2c", "docker rm -f web"),
        ("docker run -dp 80:80 nginx => 9f2c4a1b7d3e9f2c", "docker stop 9f2c4a1b7d3e"),
        ("docker compose up -d", "docker compose down -v"),
        ("kubectl cordon node-3", "kubectl uncordon node-3"),
        ("sudo systemctl stop nginx", "sudo systemctl start nginx"),
    ] {
        let lane = session(&format!("sh a ok {opens}"));
        assert_eq!(owed(&lane), ["resource repair"], "{opens}");
        let lane = session(&format!("sh a ok {opens}\nsh b ok {closes}"));
        assert_eq!(owed(&lane), Vec::<String>::new(), "{closes}");
    }
    let lane = session("sh a ok kubectl cordon node-3\nsh b ok kubectl uncordon node-4");
    assert_eq!(owed(&lane), ["resource repair"], "another one");
    assert_eq!(owed(&session("sh a ok git stash => No local changes to save")), Vec::<String>::new());
    assert_eq!(owed(&session("sh a ok git stash list")), Vec::<String>::new());
    let lane = session("sh a exit1 git stash && git pull && git stash pop => Saved working directory and index state WIP on main");
    assert!(owed(&lane).contains(&"resource repair".to_owned()), "its text proves it: {:?}", owed(&lane));
    let lane =
        fold("step m\ncall a EnterPlanMode {}\nresult a ok\nstep n\ncall b ExitPlanMode {\"plan\":\"x\"}\nresult b declined");
    assert_eq!(owed(&lane), ["resource repair"]);
}

#[test]
fn half_a_migration_is_a_transaction() {
    let half = "sh a exit1 alembic upgrade head => INFO Running upgrade a1 -> b2, add orders";
    assert_eq!(owed(&session(half)), ["transaction barrier"]);
    assert_eq!(owed(&session(&format!("{half}\nsh b ok alembic upgrade head"))), Vec::<String>::new());
    let lane = session("sh a exit1 terraform apply => Error: Error acquiring the state lock\nsh b ok terraform force-unlock 1234");
    assert_eq!(ended(&lane, EntryKind::Transaction).0, "discharged");
}

// ------------------------------------------------------------------------------------------------------------------------------ done

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

// ------------------------------------------------------------------------------------------------------------------- unverified work

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

// ------------------------------------------------------------------------------------------------------------------- classification

#[test]
fn a_flags_value_is_no_sub_command() {
    let lane =
        session("sh a exit1 uv run gauge --database gauge_copy reimport\nsh b exit1 uv run gauge --database gauge_other reimport");
    assert_eq!(owed(&lane), ["effect repair", "retry repair"], "one intent");
    assert_eq!(&*lane.calls.get(0).unwrap().intent, "gauge reimport");
}

#[test]
fn a_program_in_another_language_is_known_by_what_it_calls() {
    let lane = session("sh a timeout python3 -c \"import requests; requests.post('https://api.example.org/pay')\"");
    assert_eq!(owed(&lane), ["effect barrier"]);
    assert_eq!(lane.calls.get(0).unwrap().class.word(), "external");
    for (program, class) in [
        ("python3 -c \"print(1)\"", "read"),
        ("python3 -c \"import yaml; yaml.safe_load(open('a.yml')); print('ok')\"", "read"),
        ("ruby -ryaml -e \"YAML.safe_load(File.read('a.yml')); puts 'ok'\"", "read"),
        ("node -e \"console.log(require('./package.json').version)\"", "read"),
        ("curl -s http://localhost:4040/api | python3 -c \"import sys, json; print(json.load(sys.stdin)['url'])\"", "read"),
        ("python3 -c \"import json; d = json.load(open('a', encoding='utf8')); print(d.get('x', '').replace('a', 'b'))\"", "read"),
        ("python3 -c \"import json; json.load(open('/w/sync-fork/remove.json'))\"", "read"),
        (
            "python3 - <<'PY'\\nimport json\\nfrom pathlib import Path\\nprint(len(json.loads(Path('a.json').read_text())))\\nPY",
            "read",
        ),
        ("python3 <<'PY'\\nimport os\\nprint(os.listdir('.'))\\nPY", "read"),
        // Unsure is never clear.
        ("python3 - <<'PY'\\nimport shutil\\nshutil.rmtree('build')\\nPY", "execute"),
        ("python3 -c \"import os; print(f'{os.remove(1)}')\"", "execute"),
        ("ruby -e 'puts \"#{system(1)}\"'", "execute"),
        ("python3 -c \"import deploy; deploy.run()\"", "execute"),
        ("python3 -c \"open('a', 'w')\"", "execute"),
        ("python3 -c \"open('a', mode=m)\"", "execute"),
        ("python3 -c \"from pathlib import Path; Path('a').replace('b')\"", "execute"),
        ("python3 -c \"import os; os.remove('a')\"", "execute"),
        ("node -e \"require('./build')\"", "execute"),
        ("ruby -e 'system(ARGV[0])'", "execute"),
    ] {
        let lane = session(&format!("sh a exit1 {program}\nsh b exit1 {program}"));
        assert_eq!(lane.calls.get(0).unwrap().class.word(), class, "{program}");
        assert_eq!(owed(&lane).is_empty(), class == "read", "{program}: {:?}", owed(&lane));
    }
}

#[test]
fn a_formatter_that_fails_leaves_nothing_to_wonder_about() {
    assert_eq!(owed(&session("sh a exit1 npm run lint:fix => 3 problems")), Vec::<String>::new());
    assert_eq!(owed(&session("sh a exit1 mise run fmt && mise run test => FAIL")), Vec::<String>::new());
    assert_eq!(owed(&session("sh a exit1 ./fix.sh => half way")), ["effect repair"], "nobody knows what that does");
    assert_eq!(owed(&session("sh a timeout npm run lint:fix")).len(), 1, "and nobody knows how far one came that was stopped");
}

#[test]
fn a_failure_that_may_have_come_half_way_is_no_failure_to_begin() {
    for (command, result, expected) in [
        ("rm a.txt", "rm: cannot remove 'a.txt': No such file or directory", false),
        ("rm a.txt b.txt", "rm: cannot remove 'b.txt': No such file or directory", true),
        ("cp a b dir", "cp: cannot stat 'b': No such file or directory", true),
        ("cp -r src dst", "cp: cannot open 'src/x': Permission denied", true),
        ("rsync -a src/ dst/", "rsync: [sender] opendir failed: Permission denied", true),
        ("kubectl apply -f all.yaml", "Error from server (Forbidden): deployments.apps is forbidden", true),
        ("terraform apply -auto-approve", "Error: creating bucket: BucketAlreadyExists: already exists", true),
        ("psql app -f migrate.sql", "psql:migrate.sql:9: ERROR: relation x does not exist", true),
        ("psql app -c 'insert into a values (1)'", "ERROR: relation a does not exist", false),
        ("gh pr comment 12 --body x", "GraphQL: Could not resolve to a PullRequest ~ HTTP 404: not found", false),
        ("helm upgrade web ./web", "Error: UPGRADE FAILED: services web is forbidden", true),
        ("kubectl apply -f all.yaml", "Unable to connect to the server: no route to host", false),
    ] {
        let lane = session(&format!("sh a exit1 {command} => {result}"));
        assert_eq!(owed(&lane).iter().any(|line| line.starts_with("effect")), expected, "{command}: {:?}", owed(&lane));
    }
}
