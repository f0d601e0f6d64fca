//! What runs in the background: servers, jobs and agents, and what ends them.

use super::world::{ended, newest, owed, session};
use crate::ledger::entry::EntryKind;
use crate::ledger::testing::fold;

#[test]
fn a_server_that_ran_into_the_time_out_may_still_run_and_is_no_unknown_effect() {
    for command in
        ["npm run dev", "npm run dev -- --port 3100", "cd /w && python -m http.server 8000", "cargo watch -x test", "make serve"]
    {
        assert_eq!(owed(&session(&format!("sh a timeout {command}"))), ["process repair"], "{command}");
    }
    assert_eq!(owed(&session("sh a timeout npm run migrate")), ["effect barrier"]);
    assert_eq!(owed(&session("sh a timeout git push && npm run dev")), ["effect barrier"], "the push counts");
    let lane =
        session("sh a timeout npm run dev -- --port 3100\nsh b ok lsof -ti:3100 | xargs kill\nsh c ok pkill -f 'npm run dev'");
    assert_eq!(owed(&lane), Vec::<String>::new());
    let lane = session("sh a timeout npm run dev -- --port 3100");
    assert_eq!(newest(&lane, EntryKind::Process).identifiers, ["3100"]);
    let lane = session("sh a timeout npm run dev\nsh b timeout npm run dev");
    assert_eq!(owed(&lane), ["process repair"], "started again, it is one");
}

#[test]
fn an_awaited_agent_is_a_barrier_and_what_just_runs_is_not() {
    let agent = "step m\ncall a Task {\"description\":\"look\",\"prompt\":\"look\"}\nresult a agent7\n";
    assert_eq!(owed(&fold(agent)), ["process barrier"]);
    assert_eq!(owed(&fold(&format!("{agent}job agent7 ended"))), Vec::<String>::new());
    assert_eq!(owed(&session("sh a b1 npm run dev")), ["process repair"]);
    assert_eq!(owed(&session("sh a b1 cargo test")), ["process repair"]);
    assert_eq!(owed(&session("sh a b1 terraform apply -auto-approve")), ["process barrier"], "its result is owed");
    assert_eq!(owed(&session("sh a b1 ./train.sh --epochs 3")), ["process barrier"], "the runtime will tell its result");
    assert_eq!(owed(&session("sh a b1 ./server --port 8080")), ["process repair"]);
    let told = "Command running in background with ID: b1. Output is being written to: /tmp/b1.output";
    let lane = session(&format!("sh a b1 npm run dev => {told}"));
    assert_eq!(newest(&lane, EntryKind::Process).identifiers, ["b1", "/tmp/b1.output"]);
}

#[test]
fn what_a_shell_starts_in_the_background_runs_on() {
    for (command, expected) in [
        ("npm run dev &", "process repair"),
        ("nohup npm run dev > /tmp/dev.log 2>&1 &", "process repair"),
        ("(cd web && npm run dev) > dev.log 2>&1 & echo started", "process repair"),
        ("ngrok http 3000 --log=stdout 2>&1 &\\nsleep 3\\ncurl -s http://localhost:4040/api/tunnels", "process repair"),
        ("./server --port 8080 & disown", "process repair"),
        ("cargo test > /tmp/test.log 2>&1 &", "process repair"),
        ("terraform apply -auto-approve > apply.log &", "process barrier"),
    ] {
        assert_eq!(owed(&session(&format!("sh a ok {command} => [1] 4242"))), [expected], "{command}");
    }
    for command in ["sleep 5 & echo done", "npm run build & npm run lint & wait", "./server & sleep 1; kill $!", "make a && make b"]
    {
        assert_eq!(owed(&session(&format!("sh a ok {command}"))), Vec::<String>::new(), "{command}");
    }
    let lane = session("sh a ok nohup ./server --port 8080 > /tmp/s.log 2>&1 & => [1] 4242");
    assert_eq!(newest(&lane, EntryKind::Process).identifiers, ["8080", "/tmp/s.log", "4242"]);
    let lane = session("sh a exit7 ./server --port 8080 & sleep 1; curl -s http://localhost:8080/health");
    assert_eq!(owed(&lane), ["process repair"], "the check failed, the launch did not");
}

#[test]
fn a_server_that_is_started_again_is_one() {
    let launch = |id: &str, command: &str| format!("sh {id} job{id} {command}\n");
    let lane =
        session(&format!("{}{}", launch("a", "pnpm --filter api dev"), launch("b", "DB_HOST=10.0.0.2 pnpm --filter api dev")));
    assert_eq!(owed(&lane), ["process repair"]);
    assert_eq!(newest(&lane, EntryKind::Process).key, "process:jobb");
    let lane = session(&format!("{}{}", launch("a", "pnpm --filter api dev"), launch("b", "pnpm --filter web dev")));
    assert_eq!(owed(&lane), ["process repair", "process repair"], "another server");
    let lane = session(&format!("{}{}", launch("a", "cargo test"), launch("b", "cargo test")));
    assert_eq!(owed(&lane), ["process repair", "process repair"], "two jobs, both of them run");
}

#[test]
fn a_kill_ends_what_it_names() {
    let server = "sh a job1 PORT=3000 npm run dev";
    for kill in [
        "pkill -f 'npm run dev'",
        "pkill -f 'n[p]m.*dev|vite'",
        "killall node",
        "fuser -k 3000/tcp",
        "kill $(lsof -ti:3000)",
        "lsof -ti:3000 | xargs kill -9 2>/dev/null; sleep 1; echo free",
        "npx kill-port 3000",
    ] {
        assert_eq!(owed(&session(&format!("{server}\nsh b ok {kill}"))), Vec::<String>::new(), "{kill}");
    }
    for other in [
        "lsof -iTCP:3000 -sTCP:LISTEN",
        "ps aux | grep 'npm run dev'",
        "kill 79298; ps aux | grep 'nest|npm.*api'",
        "pkill -f vitest",
        "lsof -ti:3001 | xargs kill",
    ] {
        assert_eq!(owed(&session(&format!("{server}\nsh b ok {other}"))), ["process repair"], "{other}");
    }
    let lane = session("sh a ok ./worker & => [1] 4242\nsh b ok kill 4242");
    assert_eq!(ended(&lane, EntryKind::Process).0, "discharged");
}

#[test]
fn what_a_job_was_to_do_is_done_when_it_has_ended() {
    let up = "sh a job1 docker compose up -d\n";
    assert_eq!(owed(&session(up)), ["process barrier"]);
    assert_eq!(owed(&session(&format!("{up}job job1 ended"))), ["resource repair"]);
    let made = "sh a job1 gh pr create --title x\n";
    assert_eq!(owed(&session(made)), ["process barrier"], "not done yet");
    assert_eq!(owed(&session(&format!("{made}job job1 ended"))), ["done repair"]);
    let stashed = "sh a ok git stash => Saved working directory and index state WIP\nsh b job1 git stash pop\n";
    assert_eq!(owed(&session(stashed)), ["resource repair", "process barrier"]);
    assert_eq!(owed(&session(&format!("{stashed}job job1 ended"))), Vec::<String>::new());
}

#[test]
fn a_job_that_failed_leaves_its_effect_unknown() {
    let apply = "sh a job1 terraform apply -auto-approve\n";
    assert_eq!(owed(&session(&format!("{apply}job job1 failed"))), ["effect barrier"]);
    assert_eq!(owed(&session(&format!("{apply}job job1 killed\nsh b ok terraform plan"))), Vec::<String>::new(), "looked at");
    assert_eq!(owed(&session("sh a job1 npm run dev\njob job1 killed")), Vec::<String>::new(), "a server is stopped");
    assert_eq!(owed(&session("sh a job1 cargo test\njob job1 failed")), Vec::<String>::new());
}
