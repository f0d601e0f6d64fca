//! Transactions and resources: what was begun and is not over.

use super::{ended, newest, owed, session};
use crate::ledger::entry::EntryKind;
use crate::ledger::testing::fold;

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
