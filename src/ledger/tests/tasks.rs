//! Scenarios of plans: what an item needs to be done, and what becomes of those that are not.

use crate::base::ids::SpanIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{EdgeKind, Entry, EntryKind};
use crate::ledger::testing::fold;

fn all(lane: &LaneSnapshot) -> Vec<std::sync::Arc<Entry>> {
    lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind == EntryKind::Task).collect()
}

/// The tasks of a session, as `text: status`.
fn tasks(lane: &LaneSnapshot) -> Vec<String> {
    all(lane).iter().map(|entry| format!("{}: {}", entry.text, entry.status().word())).collect()
}

/// A step that writes a whole list: `fix the lock` is pending, `~fix the lock` being done, `+fix the lock` marked done.
fn list(n: usize, items: &[&str]) -> String {
    let items = items.iter().map(|item| {
        let status = match item.chars().next() {
            Some('+') => "completed",
            Some('~') => "in_progress",
            _ => "pending",
        };
        format!("{{\"content\":\"{}\",\"status\":\"{status}\",\"activeForm\":\"x\"}}", item.trim_start_matches(['+', '~']))
    });
    let items = items.collect::<Vec<_>>().join(",");
    format!("step l{n}\ncall l{n} TodoWrite {{\"todos\":[{items}]}}\nresult l{n} ok Todos have been modified successfully.\n")
}

/// A step that creates an item of this id.
fn create(id: usize, subject: &str) -> String {
    format!(
        "step c{id}\ncall c{id} TaskCreate {{\"subject\":\"{subject}\",\"description\":\"x\"}}\nresult c{id} ok Task #{id} created successfully: {subject}\n"
    )
}

fn update(n: usize, change: &str) -> String {
    format!("step u{n}\ncall u{n} TaskUpdate {change}\nresult u{n} ok Updated\n")
}

fn edit(n: usize, file: &str) -> String {
    format!(
        "step e{n}\ncall e{n} Edit {{\"file_path\":\"/w/{file}\",\"old_string\":\"a\",\"new_string\":\"b\"}}\nresult e{n} ok The file was updated.\n"
    )
}

fn bash(n: usize, command: &str, how: &str) -> String {
    format!("step b{n}\ncall b{n} Bash {{\"command\":\"{command}\"}}\nresult b{n} {how} output\n")
}

/// A turn about something else.
fn turn(n: usize, prompt: &str) -> String {
    format!("prompt {prompt}\nstep t{n}\nsay Right, that is in place.\nturn-ended\n")
}

const GO: &str = "prompt Make the sync safe.\n";

#[test]
fn a_mark_is_a_claim_until_what_it_names_was_seen_done() {
    let open = format!("{GO}{}", list(1, &["Fix the race in src/lock.rs"]));
    assert_eq!(tasks(&fold(&open)), ["Fix the race in src/lock.rs: live"]);
    let marked = list(2, &["+Fix the race in src/lock.rs"]);
    assert_eq!(tasks(&fold(&format!("{open}{marked}turn-ended"))), ["Fix the race in src/lock.rs: claimed"]);
    let other = edit(1, "src/unlock.rs");
    assert_eq!(tasks(&fold(&format!("{open}{other}{marked}turn-ended"))), ["Fix the race in src/lock.rs: claimed"]);
    let right = edit(1, "src/lock.rs");
    assert_eq!(tasks(&fold(&format!("{open}{right}{marked}"))), ["Fix the race in src/lock.rs: discharged"]);
    assert_eq!(tasks(&fold(&format!("{open}{marked}{right}"))), ["Fix the race in src/lock.rs: discharged"]);
}

#[test]
fn what_failed_or_only_looked_does_not_do_a_task() {
    let open = format!("{GO}{}", list(1, &["Fix the race in src/lock.rs", "Run the tests"]));
    let tried = format!(
        "{}{}step r\ncall r Read {{\"file_path\":\"/w/src/lock.rs\"}}\nresult r ok text\n",
        bash(1, "sed -i s/a/b/ src/lock.rs", "exit1"),
        bash(2, "cargo test", "exit101"),
    );
    let marked = list(2, &["+Fix the race in src/lock.rs", "+Run the tests"]);
    let lane = fold(&format!("{open}{tried}{marked}turn-ended"));
    assert_eq!(tasks(&lane), ["Fix the race in src/lock.rs: claimed", "Run the tests: claimed"]);
}

#[test]
fn a_task_that_only_looks_is_done_by_whoever_was_sent_to_look() {
    let sent = |prompt: &str, how: &str| {
        let (open, marked) = (list(1, &["Review docs/plan.md"]), list(2, &["+Review docs/plan.md"]));
        tasks(&fold(&format!(
            "{GO}{open}step a\ncall a Task {{\"description\":\"Look\",\"prompt\":\"{prompt}\"}}\nresult a {how} told\n{marked}"
        )))
    };
    assert_eq!(sent("Read /w/docs/plan.md and sum it up.", "ok"), ["Review docs/plan.md: discharged"]);
    assert_eq!(sent("Read /w/docs/plan.md and sum it up.", "timeout"), ["Review docs/plan.md: claimed"]);
    assert_eq!(sent("Read /w/docs/old-plan.md and sum it up.", "ok"), ["Review docs/plan.md: claimed"]);
}

#[test]
fn a_task_that_only_looks_is_done_by_looking() {
    let script = format!(
        "{GO}{}step r\ncall r Read {{\"file_path\":\"/w/docs/plan.md\"}}\nresult r ok text\n{}",
        list(1, &["Review docs/plan.md"]),
        list(2, &["+Review docs/plan.md"])
    );
    let lane = fold(&script);
    assert_eq!(tasks(&lane), ["Review docs/plan.md: discharged"]);
    let by = all(&lane)[0].edges.iter().map(|edge| edge.kind).collect::<Vec<_>>();
    assert_eq!(by, [EdgeKind::Discharges]);
}

#[test]
fn an_action_is_done_when_it_ran() {
    let script = format!("{GO}{}{}", list(1, &["Commit and push"]), bash(1, "git commit -m x", "ok"));
    let marked = list(2, &["+Commit and push"]);
    assert_eq!(tasks(&fold(&format!("{script}{marked}"))), ["Commit and push: claimed"]);
    let pushed = format!("{script}{}{marked}", bash(2, "git push origin main", "ok"));
    assert_eq!(tasks(&fold(&pushed)), ["Commit and push: discharged"]);
}

#[test]
fn what_nothing_can_show_is_done_when_it_is_marked() {
    let open = format!("{GO}{}{}", list(1, &["Think it through", "Decide"]), list(2, &["+Think it through", "Decide"]));
    assert_eq!(tasks(&fold(&open)), ["Think it through: discharged", "Decide: live"]);
}

#[test]
fn a_finished_session_ends_calm() {
    let items = ["Fix the race in src/lock.rs", "Run the tests", "Explain it"];
    let done = items.map(|item| format!("+{item}"));
    let done: Vec<&str> = done.iter().map(String::as_str).collect();
    let script = format!(
        "{GO}{}{}{}{}step s\nsay All is done.\nturn-ended",
        list(1, &items),
        edit(1, "src/lock.rs"),
        bash(1, "cargo test", "ok"),
        list(2, &done)
    );
    let lane = fold(&script);
    assert!(!lane.live_at(lane.end().unwrap()).iter().any(|entry| entry.kind == EntryKind::Task), "{:?}", tasks(&lane));
}

#[test]
fn a_list_takes_the_place_of_the_one_before() {
    let before = format!("{GO}{}", list(1, &["Add a lock file", "Write the handbook", "Measure"]));
    let lane = fold(&format!("{before}{}", list(2, &["Measure", "Add a lock file to the spool", "+Celebrate"])));
    assert_eq!(
        tasks(&lane),
        ["Add a lock file: superseded", "Write the handbook: abandoned", "Measure: live", "Add a lock file to the spool: live"],
        "what is done when it is first told was never owed"
    );
    let renamed = all(&lane).pop().unwrap();
    assert_eq!(renamed.edges.iter().map(|edge| edge.kind).collect::<Vec<_>>(), [EdgeKind::Supersedes]);
    assert_eq!(tasks(&fold(&format!("{before}{}", list(2, &[])))).iter().filter(|task| task.ends_with("abandoned")).count(), 3);
}

#[test]
fn a_claim_that_the_next_list_leaves_out_is_still_one() {
    let script = format!("{GO}{}{}{}", list(1, &["Fix src/lock.rs"]), list(2, &["+Fix src/lock.rs"]), list(3, &["Measure"]));
    assert_eq!(tasks(&fold(&script)), ["Fix src/lock.rs: claimed", "Measure: live"]);
}

#[test]
fn an_item_that_is_opened_again_is_the_same_entry() {
    let script = format!("{GO}{}{}turn-ended\n", list(1, &["Measure"]), list(2, &["+Measure"]));
    assert_eq!(tasks(&fold(&script)), ["Measure: discharged"]);
    assert_eq!(tasks(&fold(&format!("{script}{}", list(3, &["measure"])))), ["Measure: live"]);
}

#[test]
fn a_list_that_was_refused_says_nothing() {
    let script = format!("{GO}{}", list(1, &["Measure"]).replace("result l1 ok", "result l1 refused"));
    assert_eq!(tasks(&fold(&script)), Vec::<String>::new());
}

#[test]
fn items_with_ids_are_changed_one_by_one() {
    let script = format!("{GO}{}{}", create(1, "Add a lock"), create(2, "Measure"));
    assert_eq!(tasks(&fold(&script)), ["Add a lock: live", "Measure: live"]);
    let done = update(1, "{\"taskId\":\"1\",\"status\":\"completed\"}");
    assert_eq!(tasks(&fold(&format!("{script}{done}turn-ended"))), ["Add a lock: discharged", "Measure: live"]);
    let gone = update(1, "{\"taskId\":\"2\",\"status\":\"deleted\"}");
    assert_eq!(tasks(&fold(&format!("{script}{gone}"))), ["Add a lock: live", "Measure: abandoned"]);
    let renamed = update(1, "{\"taskId\":\"2\",\"subject\":\"Profile\"}");
    assert_eq!(tasks(&fold(&format!("{script}{renamed}"))), ["Add a lock: live", "Measure: superseded", "Profile: live"]);
    let unknown = update(1, "{\"taskId\":\"9\",\"status\":\"completed\"}");
    assert_eq!(tasks(&fold(&format!("{script}{unknown}"))), ["Add a lock: live", "Measure: live"]);
}

#[test]
fn what_blocks_an_item_comes_before_it() {
    let blocked = update(1, "{\"taskId\":\"2\",\"addBlockedBy\":[\"1\"]}");
    let lane = fold(&format!("{GO}{}{}{blocked}", create(1, "Add a lock"), create(2, "Measure")));
    let tasks = all(&lane);
    assert_eq!(tasks[0].edges.iter().map(|edge| (edge.kind, edge.to)).collect::<Vec<_>>(), [(EdgeKind::Before, tasks[1].id)]);
}

#[test]
fn it_stands_in_the_newest_record() {
    let lane = fold(&format!("{GO}{}{}{}", list(1, &["Measure"]), list(2, &["Measure", "Add a lock"]), list(3, &["Measure"])));
    let touched = |at: usize| all(&lane)[0].touches_at(crate::base::ids::EventIx::from_index(at)).collect::<Vec<_>>();
    assert_eq!(touched(6), [SpanIx(3)]);
    assert_eq!(touched(4), [SpanIx(2)]);
    assert_eq!(touched(2), [SpanIx(1)]);
}

#[test]
fn parts_are_seen_done_one_by_one() {
    let lane = fold(&format!("{GO}{}{}", list(1, &["Fix src/lock.rs and src/spool.rs"]), edit(1, "src/spool.rs")));
    let task = all(&lane).pop().unwrap();
    let end = lane.end().unwrap();
    assert_eq!(task.progress_at(end).collect::<Vec<_>>(), ["src/spool.rs"]);
    assert_eq!(task.progress_at(crate::base::ids::EventIx(end.0 - 1)).count(), 0);
}

#[test]
fn a_stale_list_is_left_behind() {
    let open = format!("{GO}{}say Started.\nturn-ended\n", list(1, &["Measure the spool"]));
    let other = ["Rename the header.", "Sort the table by date.", "Print the totals in bold."];
    let turns: Vec<String> = other.iter().enumerate().map(|(n, prompt)| turn(n, prompt)).collect();
    assert_eq!(tasks(&fold(&format!("{open}{}{}", turns[0], turns[1]))), ["Measure the spool: live"]);
    assert_eq!(tasks(&fold(&format!("{open}{}", turns.concat()))), ["Measure the spool: settled"]);
    let asked = turn(7, "Did you measure the spool?");
    assert_eq!(tasks(&fold(&format!("{open}{}{asked}{}", turns[0], turns[1]))), ["Measure the spool: live"]);
    let kept = list(9, &["Measure the spool"]);
    assert_eq!(tasks(&fold(&format!("{open}{}{}{kept}{}", turns[0], turns[1], turns[2]))), ["Measure the spool: live"]);
}

#[test]
fn a_claim_is_left_behind_by_two_prompts() {
    let claimed = format!("{GO}{}{}turn-ended\n", list(1, &["Fix src/lock.rs"]), list(2, &["+Fix src/lock.rs"]));
    let one = turn(1, "Rename the header.");
    assert_eq!(tasks(&fold(&format!("{claimed}{one}"))), ["Fix src/lock.rs: claimed"]);
    assert_eq!(tasks(&fold(&format!("{claimed}{one}{}", turn(2, "Sort the table.")))), ["Fix src/lock.rs: settled"]);
}

#[test]
fn a_prompt_is_not_left_behind_while_its_list_is_worked_on() {
    let lives = |script: &str| {
        let lane = fold(script);
        let live = lane.live_at(lane.end().unwrap());
        live.iter().any(|entry| &*entry.text == "Make the sync safe.")
    };
    let open = format!("{GO}{}say Started.\nturn-ended\n", list(1, &["Measure the spool"]));
    let other = format!("{}{}", turn(1, "Rename the header."), turn(2, "Sort the table by date."));
    assert!(lives(&format!("{open}{other}")));
    assert!(!lives(&format!("{open}{other}{}", turn(3, "Print the totals in bold."))), "a stale list keeps nothing alive");
}

#[test]
fn an_approved_plan_is_owed_until_its_parts_are_done_or_a_newer_one_is_approved() {
    let plan = |n: usize, plan: &str, how: &str| {
        format!("step p{n}\ncall p{n} ExitPlanMode {{\"plan\":\"{plan}\"}}\nresult p{n} {how} User has approved your plan.\n")
    };
    let first = "# Lock the spool\\n1. Change src/lock.rs";
    let approved = format!("{GO}{}", plan(1, first, "ok"));
    let lane = fold(&approved);
    assert_eq!(all(&lane)[0].line_text, "approved plan: Lock the spool");
    let statuses = |script: &str| all(&fold(script)).iter().map(|entry| entry.status().word()).collect::<Vec<_>>();
    assert_eq!(statuses(&format!("{GO}{}", plan(1, first, "declined"))), Vec::<&str>::new());
    assert_eq!(statuses(&format!("{approved}{}turn-ended", edit(1, "src/lock.rs"))), ["discharged"]);
    assert_eq!(statuses(&format!("{approved}turn-ended")), ["live"]);
    assert_eq!(statuses(&format!("{approved}{}", plan(2, "# Use a queue", "ok"))), ["superseded", "live"]);
}

#[test]
fn a_rewind_takes_a_list_back_and_what_it_had_closed_lives_again() {
    let before = format!("{GO}{}say On it.\nturn-ended\n", list(1, &["Measure", "Add a lock"]));
    let after = format!("{before}prompt Something else.\n{}say Fine.\nturn-ended\n", list(2, &["Write the handbook"]));
    assert_eq!(tasks(&fold(&after)), ["Measure: abandoned", "Add a lock: abandoned", "Write the handbook: live"]);
    let back = format!("{after}rolled-back 1\n");
    assert_eq!(tasks(&fold(&back)), ["Measure: live", "Add a lock: live", "Write the handbook: abandoned"]);
    let on = format!("{back}prompt Go on.\n{}turn-ended", list(3, &["+Measure", "Add a lock"]));
    assert_eq!(tasks(&fold(&on)), ["Measure: discharged", "Add a lock: live", "Write the handbook: abandoned"]);
}

#[test]
fn a_summary_that_repeats_an_item_does_not_lose_it() {
    let script = format!("{GO}{}boundary\n", list(1, &["Measure the spool"]));
    let end = |lane: &LaneSnapshot| all(lane)[0].lost_at(lane.end().unwrap());
    assert!(end(&fold(&format!("{script}summary Work goes on."))).is_some());
    assert!(end(&fold(&format!("{script}summary Pending: Measure the spool."))).is_none());
    assert!(end(&fold(&format!("{script}summary Work goes on.\n{}", list(2, &["Measure the spool"])))).is_none());
}

#[test]
fn what_is_being_done_and_was_seen_done_waits_for_its_mark_alone() {
    let item = "Fix the race in src/lock.rs";
    let status = |events: &[String]| tasks(&fold(&format!("{GO}{}", events.concat())))[0].clone();
    let begun = list(1, &["~Fix the race in src/lock.rs", "Write the docs"]);
    for (events, expected) in [
        (vec![begun.clone(), edit(1, "src/lock.rs")], "claimed"),
        (vec![begun.clone(), edit(1, "src/other.rs")], "live"),
        (vec![list(1, &["Fix the race in src/lock.rs"]), edit(1, "src/lock.rs")], "live"),
        (vec![list(1, &["Fix the race in src/lock.rs"]), edit(1, "src/lock.rs"), begun.clone(), bash(1, "ls", "ok")], "live"),
        // The agent says that it is still at it.
        (vec![begun.clone(), edit(1, "src/lock.rs"), list(2, &["~Fix the race in src/lock.rs"])], "live"),
        (vec![begun.clone(), edit(1, "src/lock.rs"), list(2, &["+Fix the race in src/lock.rs"])], "discharged"),
    ] {
        assert_eq!(status(&events), format!("{item}: {expected}"), "{}", events.concat());
    }
}

#[test]
fn what_a_message_announces_and_the_next_call_begins_is_no_promise() {
    let script = |call: &str| {
        tasks(&fold(&format!("prompt Which files are here?\nstep m1\nsay I'll list the files for you.\n{call}prompt Thanks!")))
    };
    assert_eq!(script("call c1 Bash {\"command\":\"ls -la\"}\nresult c1 ok a.md\n"), [""; 0]);
    assert_eq!(script("call c1 Bash {\"command\":\"ls -la\"}\nresult c1 declined no\n"), ["I'll list the files for you.: live"]);
    assert_eq!(script("turn-ended\n"), ["I'll list the files for you.: live"]);
}
