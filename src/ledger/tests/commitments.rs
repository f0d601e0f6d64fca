//! Scenarios of what was said: how long it lives, what lifts it, what stands under it.

use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{EdgeKind, EntryKind, EntryStatus};
use crate::ledger::snapshot::Slot;
use crate::ledger::testing::fold;

/// The entries with these words, as `kind status`.
pub(super) fn of(lane: &LaneSnapshot, words: &str) -> Vec<String> {
    let all = lane.entries_until(lane.end().unwrap());
    all.filter(|e| e.kind.is_commitment() && e.text.contains(words) && e.rule != "last-message")
        .map(|e| format!("{} {}", e.kind.word(), e.status().word()))
        .collect()
}

/// A prompt and a turn that answers it and ends well.
fn turn(n: usize, prompt: &str) -> String {
    format!("prompt {prompt}\nstep m{n}\nsay Right, that is in place.\nturn-ended\n")
}

fn turns(prompts: &[&str]) -> LaneSnapshot {
    fold(&prompts.iter().enumerate().map(|(n, prompt)| turn(n, prompt)).collect::<String>())
}

#[test]
fn what_was_asked_once_is_left_behind_after_two_more_prompts() {
    let asked = "Rename the header of the report.";
    assert!(of(&turns(&[asked, "Sort the table by date."]), "header")[0].ends_with("live"));
    assert!(of(&turns(&[asked, "Sort the table by date.", "Print the totals in bold."]), "header")[0].ends_with("settled"));
}

#[test]
fn a_prompt_that_is_only_a_paste_is_held_as_it_is() {
    let log = "FAIL\\n--- FAIL: TestRewind (0.31s)\\n    rewind_test.go:88: second commit has a trailer\\n    rewind_test.go:91: exit status 1\\nFAIL";
    let held = |prompt: &str| {
        let lane = fold(&turn(0, prompt));
        let held: Vec<String> =
            lane.entries_until(lane.end().unwrap()).filter(|e| e.kind.is_commitment()).map(|e| e.text.to_string()).collect();
        held.into_iter().filter(|text| !text.contains("in place")).collect::<Vec<_>>()
    };
    assert_eq!(held(log), [log.replace("\\n", "\n")]);
    assert_eq!(held(&format!("Fix this one:\\n\\n{log}"))[0], "Fix this one:");
}

#[test]
fn a_prompt_that_comes_back_to_it_keeps_it_alive() {
    let prompts =
        ["Rename the header of the report.", "Sort the table by date.", "The report header is not renamed.", "And the footer?"];
    assert!(of(&turns(&prompts), "Rename")[0].ends_with("live"));
}

#[test]
fn what_was_met_with_a_question_that_nobody_answered_is_still_asked_for() {
    let asked = "prompt The export drops the last row.\nstep m1\nsay Which format was it, and how many rows had it?\nturn-ended\n";
    let later = ["Sort the table by date.", "Print the totals in bold."];
    let left: String = later.iter().enumerate().map(|(n, prompt)| turn(n + 2, prompt)).collect();
    assert!(of(&fold(&format!("{asked}{left}")), "last row")[0].ends_with("live"));
    let offered = asked.replace("Which format was it, and how many rows had it?", "It is mended. Want me to add a test?");
    assert!(of(&fold(&format!("{offered}{left}")), "last row")[0].ends_with("settled"));
    let much = format!("{asked}{left}{}{}", turn(4, "Use a smaller font."), turn(5, "Number the pages."));
    assert!(of(&fold(&much), "last row")[0].ends_with("settled"), "nobody comes back to it");
}

#[test]
fn a_plan_gives_way_to_its_next_version_and_to_the_prompt_that_brings_it_back() {
    let plan = |more: &str| {
        format!(
            "Plan: read the manifest, sort the rows by year, write the index beside the archive, check every link, print a report{more}."
        )
    };
    let first = format!("prompt Plan the index.\nstep m1\nsay {}\nturn-ended\n", plan(""));
    let second = format!("prompt And the covers?\nstep m2\nsay {}\nturn-ended\n", plan(" and the covers"));
    let live = |script: &str| {
        let lane = fold(script);
        lane.live_at(lane.end().unwrap()).iter().filter(|e| e.text.starts_with("Plan:")).count()
    };
    assert_eq!(live(&first), 1);
    assert_eq!(live(&format!("{first}{second}")), 1);
    assert_eq!(live(&format!("{first}{second}prompt Do it: {}", plan(" and the covers"))), 0);
    let other = "prompt And the covers?\nstep m2\nsay They stand in the attic.\nturn-ended\n";
    assert_eq!(live(&format!("{first}{other}")), 1, "another message says nothing of it");
}

#[test]
fn who_points_at_all_that_a_message_found_keeps_it() {
    let found =
        "prompt Review the importer.\nstep m1\nsay Findings: - the header is skipped - the last row is dropped\nturn-ended\n";
    let last = |prompt: &str| {
        let lane = fold(&format!("{found}prompt {prompt}"));
        let status = lane.entries_until(lane.end().unwrap()).find(|e| e.rule == "last-message").map(|e| e.status());
        status.unwrap()
    };
    assert_eq!(last("Please fix these problems and update the handbook."), EntryStatus::Live);
    assert_eq!(last("Please rename the exporter and update the handbook."), EntryStatus::Settled);
}

#[test]
fn a_turn_that_did_not_end_well_leaves_its_prompt_open_for_the_next() {
    for trouble in ["interrupted", "boundary\nsummary Work went on."] {
        let script = format!(
            "prompt Rename the header of the report.\nstep m1\nsay On it.\n{trouble}\n{}{}",
            turn(2, "Sort the table by date."),
            turn(3, "Print the totals in bold.")
        );
        assert!(of(&fold(&script), "Rename")[0].ends_with("live"), "{trouble}");
        let later = format!("{script}{}", turn(4, "Use a smaller font."));
        assert!(of(&fold(&later), "Rename")[0].ends_with("settled"), "{trouble}");
    }
}

#[test]
fn what_holds_on_is_not_left_behind() {
    let prompts =
        ["Do not touch the billing module.", "Sort the table by date.", "Print the totals.", "Use a smaller font.", "Good."];
    assert_eq!(of(&turns(&prompts), "billing"), ["prohibition live"]);
}

#[test]
fn a_long_prompt_is_one_entry_with_what_forbids_lifted_out() {
    let long: String = (0..14).map(|n| format!("Item {n} of the list wants its own page. ")).collect();
    let lane = fold(&format!("prompt {long}Do not push anything."));
    let all: Vec<String> = lane.live_at(lane.end().unwrap()).iter().map(|e| format!("{} {}", e.kind.word(), e.rule)).collect();
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(all[0], "unclassified long-prompt");
    assert!(all[1].starts_with("prohibition"), "{all:?}");
}

#[test]
fn the_last_message_of_a_turn_is_what_the_human_answers() {
    let lane =
        fold("prompt Look at the parser.\nstep m1\nsay Looking.\nstep m2\nsay Two ways: rewrite it, or patch it.\nturn-ended");
    let last: Vec<_> = lane.live_at(lane.end().unwrap()).into_iter().filter(|e| e.rule == "last-message").collect();
    assert_eq!(last.len(), 1);
    assert_eq!((&*last[0].text, last[0].opened.line, last[0].known().0), ("Two ways: rewrite it, or patch it.", 5, 3));
    assert!(last[0].status_at(crate::base::ids::EventIx(2)).is_none(), "nobody knew then that it was the last");
}

#[test]
fn the_same_words_again_are_one_entry_with_two_places() {
    let lane = turns(&["Keep the old names.", "Sort the table.", "Keep the old names."]);
    let entries: Vec<_> = lane.entries_until(lane.end().unwrap()).filter(|e| e.text.contains("old names")).collect();
    assert_eq!((entries.len(), entries[0].holders.len(), entries[0].status()), (1, 2, EntryStatus::Live));
}

#[test]
fn an_ordering_ends_when_both_ends_were_done_in_their_order() {
    let start = "prompt Wait until the tests pass before you push, and run the tests before you push.\nstep m1\n";
    let test = "call t Bash {\"command\":\"cargo test\"}\nresult t ok all green\n";
    let push = "call p Bash {\"command\":\"git push origin main\"}\nresult p ok pushed\n";
    let open = |script: &str| {
        let lane = fold(script);
        lane.live_at(lane.end().unwrap()).iter().filter(|e| e.kind.word() == "ordering").count()
    };
    assert_eq!(open(start), 1);
    assert_eq!(open(&format!("{start}{test}")), 1);
    assert_eq!(open(&format!("{start}{push}")), 1, "the wrong way round ends nothing");
    assert_eq!(open(&format!("{start}{test}{push}")), 0);
}

#[test]
fn what_forbids_guards_the_actions_that_it_is_about() {
    let lane = fold(
        "prompt Do not migrate the orders table twice.
         step m1
         call a Bash {\"command\":\"./migrate.sh orders table\"}
         result a timeout no answer",
    );
    let entries: Vec<_> = lane.live_at(lane.end().unwrap());
    let effect = entries.iter().find(|e| e.kind.word() == "effect").unwrap();
    assert_eq!(effect.preconditions, ["Do not migrate the orders table twice."]);
    let ban = entries.iter().find(|e| e.kind.word() == "prohibition").unwrap();
    assert!(ban.edges.iter().any(|edge| edge.kind == EdgeKind::Guards && edge.to == effect.id));
}

#[test]
fn a_rewind_takes_words_back_and_what_they_had_ended_lives_again() {
    let before = format!("{}{}", turn(1, "Rename the header."), turn(2, "Sort the table."));
    let settled = format!("{before}{}", turn(3, "Print the totals."));
    assert!(of(&fold(&settled), "header")[0].ends_with("settled"));
    let back = fold(&format!("{settled}rolled-back 1\nprompt Use a smaller font."));
    assert!(of(&back, "totals")[0].ends_with("abandoned"));
    assert!(of(&back, "Sort")[0].ends_with("live"));
}

#[test]
fn who_asked_to_be_told_something_was_told() {
    let asked = "Why does src/parser.rs skip the last line?";
    assert_eq!(of(&fold(&format!("prompt {asked}\nstep m1\nsay Looking.")), "parser"), ["unclassified live"]);
    assert_eq!(of(&turns(&[asked]), "parser"), ["unclassified settled"]);
    let offers = format!("prompt {asked}\nstep m1\nsay It has no end. Do you want me to mend it?\nturn-ended");
    assert_eq!(of(&fold(&offers), "parser"), ["unclassified settled"], "an offer of more");
    let asked_back = format!("prompt {asked}\nstep m1\nsay Do you mean the CSV parser?\nturn-ended");
    assert_eq!(of(&fold(&asked_back), "parser"), ["unclassified live"], "a question is no answer");
    let stopped = format!("prompt {asked}\nstep m1\nsay It reads\ninterrupted");
    assert_eq!(of(&fold(&stopped), "parser"), ["unclassified live"]);
}

#[test]
fn who_asked_for_a_look_was_told_what_it_showed() {
    for (asked, status) in [
        ("can you check whether the parser is thread-safe?", "settled"),
        ("please explain how the parser works", "settled"),
        ("review the parser and report what you find", "settled"),
        ("can you check the parser and fix what is slow?", "live"),
        ("check the parser before you merge", "live"),
        ("once that is done, let me know how the parser does", "settled"),
        ("can you look into why the parser is failing?", "live"),
        ("can you check out the branch of the parser?", "live"),
        ("make the parser faster", "live"),
    ] {
        let all = of(&turns(&[asked]), "parser");
        assert!(all[0].ends_with(status), "{asked}: {all:?}");
    }
}

#[test]
fn a_short_request_ends_with_its_turn_when_all_of_it_was_seen_done() {
    let script = |prompt: &str, result: &str| {
        format!(
            "prompt {prompt}\nstep m1\ncall a Bash {{\"command\":\"git commit -m x && git push origin main\"}}\nresult a {result}\n\
             step m2\nsay That is in.\nturn-ended"
        )
    };
    let lane = fold(&script("please commit and push", "ok"));
    assert_eq!(of(&lane, "push"), ["requirement discharged"]);
    let asked = lane.entries_until(lane.end().unwrap()).find(|entry| entry.kind.is_commitment()).unwrap();
    assert_eq!(asked.edges.iter().map(|edge| edge.kind).collect::<Vec<_>>(), [EdgeKind::Discharges]);
    assert_eq!(of(&fold(&script("please commit and push", "exit1")), "push"), ["requirement live"]);
    assert_eq!(of(&fold(&script("please push, and tell me why the timeout was raised", "ok")), "push"), ["requirement claimed"]);
    let cut = script("please commit and push", "ok").replace("say That", "boundary\nsummary Work goes on.\nstep m3\nsay That");
    assert_eq!(of(&fold(&cut), "push"), ["requirement discharged"], "what was seen done is done, whatever came in between");
}

#[test]
fn who_comes_back_to_it_and_sees_it_done_has_it_too() {
    let edit = "call e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\nstep m3\n";
    let script = |next: &str| {
        let first = "prompt Make the header of the report stand out.\nstep m1\nsay On it\ninterrupted\n";
        fold(&format!(
            "{first}prompt Make the header of the report stand out.\nstep m2\n{edit}say Done.\nturn-ended\n{}",
            turn(4, next)
        ))
    };
    assert_eq!(of(&script("Sort the table by date."), "header"), ["requirement settled"]);
    assert_eq!(of(&script("The header is still too pale."), "header")[0], "requirement claimed");
    assert_eq!(of(&script("Now the header stands out of the report too much."), "header")[0], "requirement live");
}

#[test]
fn the_last_message_is_left_behind_by_a_prompt_that_does_not_take_it_up() {
    let last = |prompt: &str| {
        let script = format!("{}prompt {prompt}", turn(1, "Rename the header of the report."));
        let lane = fold(&script);
        lane.entries_until(lane.end().unwrap()).find(|entry| entry.rule == "last-message").unwrap().status()
    };
    assert_eq!(last("Sort the table by date."), EntryStatus::Settled);
    assert_eq!(last("Yes, go on."), EntryStatus::Live);
    assert_eq!(last("ok, now let's sort the table by date."), EntryStatus::Settled, "a nod");
    let offered =
        "prompt Make the sync safe.\nstep m1\nsay It is. Shall I run it twice a day?\nturn-ended\nprompt ok, let's do that daily.";
    let lane = fold(offered);
    let said = lane.entries_until(lane.end().unwrap()).find(|entry| entry.rule == "last-message").unwrap();
    assert_eq!(said.status(), EntryStatus::Live, "an answer");
}

#[test]
fn who_answers_has_not_left_what_he_was_asked_about() {
    let asked = "prompt The window hangs while it starts.\nstep m1\nsay Is the server up, and is the key set?\nturn-ended\n";
    let later = |reply: &str| format!("{asked}{}{}", turn(2, reply), turn(3, "Sort the table by date."));
    let much = format!("{}{}", turn(4, "Print the totals of every month in bold."), turn(5, "Number the pages."));
    assert!(of(&fold(&later("both")), "hangs")[0].ends_with("live"));
    assert!(of(&fold(&format!("{}{much}", later("both"))), "hangs")[0].ends_with("settled"));
}

#[test]
fn a_boundary_that_a_human_asks_for_stands_between_two_turns() {
    let script = |boundary: &str| {
        let lane = fold(&format!(
            "prompt Why does src/parser.rs skip the last line?\nstep m1\nsay It has no end.\n{boundary}\nsummary It was explained."
        ));
        of(&lane, "parser")[0].clone()
    };
    assert_eq!(script("boundary manual"), "unclassified settled");
    assert_eq!(script("boundary"), "unclassified live");
}

#[test]
fn what_is_said_behind_a_boundary_tells_what_was_asked() {
    let asked = |rest: &str| {
        of(&fold(&format!("prompt Why does src/parser.rs skip the last line?\nstep m1\n{rest}\nturn-ended")), "parser")[0].clone()
    };
    let boundary = "boundary\nsummary It looks at the parser.";
    assert_eq!(asked(&format!("{boundary}\nstep m2\nsay It has no end.")), "unclassified settled");
    assert_eq!(asked(&format!("say Let me look at the tests.\n{boundary}")), "unclassified live");
}

#[test]
fn a_report_that_all_was_done_is_no_commitment() {
    let last = |prompt: &str, said: &str| {
        let call = "call a Bash {\"command\":\"git commit -m x\"}\nresult a ok [main 1a2b3c4] x";
        let lane = fold(&format!("prompt {prompt}\nstep m1\n{call}\nstep m2\nsay {said}\nturn-ended"));
        lane.entries_until(lane.end().unwrap()).any(|entry| entry.rule == "last-message")
    };
    assert!(!last("commit", "Committed as 1a2b3c4."));
    for (prompt, said) in [
        ("commit", "Committed as 1a2b3c4. Shall I push it?"),
        ("commit", "Committed as 1a2b3c4. The docs are not updated yet."),
        ("commit, and make the header bold", "Committed as 1a2b3c4."),
    ] {
        assert!(last(prompt, said), "{prompt}: {said}");
    }
}

#[test]
fn a_turn_has_one_last_message() {
    let lasts = |script: &str| {
        let lane = fold(script);
        let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.rule == "last-message");
        all.map(|entry| format!("{} {}", entry.text, entry.status().word())).collect::<Vec<_>>()
    };
    let notified = |said: &str| {
        format!(
            "prompt Open the PR.\nstep m1\nsay {said}\nturn-ended\ninjected The build has ended.\nstep m2\nsay The build is green.\nturn-ended"
        )
    };
    assert_eq!(lasts(&notified("It is open.")), ["It is open. settled", "The build is green. live"]);
    assert_eq!(lasts(&notified("Which branch?")), ["Which branch? live", "The build is green. live"], "it waits for an answer");
    let stopped =
        |work: &str| format!("prompt Mend the parser.\nstep m1\nsay Now for the reader.\n{work}interrupted\nprompt Leave it.");
    assert_eq!(lasts(&stopped("")).len(), 1);
    let call = "call e Edit {\"file_path\":\"/w/a.rs\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e declined\n";
    assert_eq!(lasts(&stopped(call)), Vec::<String>::new(), "what it was about to do, and did not");
}

#[test]
fn a_server_that_runs_holds_nothing_open() {
    let serve = "call s Bash {\"command\":\"npm run dev\",\"run_in_background\":true}\nresult s b1\n";
    let script = |start: &str| {
        format!(
            "prompt Start the site, and look at its header.\nstep m1\n{start}step m2\nsay It is up.\nturn-ended\n{}{}",
            turn(2, "Sort the table by date."),
            turn(3, "Print the totals in bold.")
        )
    };
    assert!(of(&fold(&script(serve)), "header")[0].ends_with("settled"));
    let agent = "call s Task {\"prompt\":\"Look\",\"description\":\"Look\",\"run_in_background\":true}\nresult s a1\n";
    assert!(of(&fold(&script(agent)), "header")[0].ends_with("live"), "its result is owed");
}

#[test]
fn a_template_is_one_entry() {
    let rules = |count: usize| (0..count).map(|n| format!(" Do not leave section {n} empty.")).collect::<String>();
    let long = |count| format!("prompt {}{}", "The handbook has many sections.".repeat(60), rules(count));
    let own = |count| of(&fold(&long(count)), "section").len();
    assert_eq!((own(3), own(12)), (4, 1));
}

#[test]
fn who_sees_the_work_reported_and_asks_for_something_else_has_it() {
    let edit = "call e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\nstep m2\n";
    let script = |work: &str, said: &str, next: &str| {
        format!("prompt Make the header of the report stand out.\nstep m1\n{work}say {said}\nturn-ended\n{}", turn(3, next))
    };
    let status = |work: &str, said: &str, next: &str| of(&fold(&script(work, said, next)), "header")[0].clone();
    for next in [
        "Sort the table by date.",
        "ok, now let's sort the table by date",
        "The table of the orders has no sums, are those still to come from the server?",
        "The table of the orders has neither sums nor a header, its rows jump when they load, and the server sends each of them twice.",
    ] {
        assert!(status(edit, "Done.", next).ends_with("settled"), "{next}");
    }
    for (work, said, next) in [
        ("", "It could be bold.", "Sort the table by date."),
        (edit, "Shall it be bold too?", "Sort the table by date."),
        (edit, "Done.", "No, that is wrong."),
        (edit, "Done.", "The header of the report does not stand out at all."),
    ] {
        assert!(status(work, said, next).ends_with("live"), "{said} {next}");
    }
    for next in ["What did you change in it?", "ok, let's make the header even bolder", "The header is still too pale."] {
        assert!(status(edit, "Done.", next).ends_with("claimed"), "{next}");
    }
}

#[test]
fn one_word_of_two_repeats_nothing() {
    let prompts = ["Low contrast.", "The table is not sorted by date. Medium contrast.", "Print the totals in bold."];
    assert_eq!(of(&turns(&prompts), "Low contrast"), ["unclassified settled"]);
}

#[test]
fn one_word_takes_up_no_long_prompt() {
    let long = "The header of the report is too pale, and what somebody wants to commit looks old. ".repeat(30);
    let edit = "call e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\nstep m2\n";
    let after = |next: &str| {
        of(&fold(&format!("prompt {long}\nstep m1\n{edit}say Done.\nturn-ended\n{}", turn(3, next))), "header")[0].clone()
    };
    assert_eq!(after("Commit."), "unclassified settled");
    assert_eq!(after("The header looks too pale."), "unclassified claimed");
}

#[test]
fn a_prompt_that_was_stopped_and_typed_anew_counts_once() {
    let stopped = "prompt Sort the table.\nstep m2\nsay On it\ninterrupted\n";
    let script = |between: &str| {
        let said = turn(1, "Rename the header of the report.");
        format!("{said}{between}{}", turn(3, "Sort the table by date."))
    };
    assert!(of(&fold(&script(stopped)), "header")[0].ends_with("live"));
    assert!(of(&fold(&script(&turn(2, "Print the totals in bold."))), "header")[0].ends_with("settled"));
}

#[test]
fn who_asks_back_has_not_left_the_last_message() {
    let last = |prompt: &str| {
        let lane = fold(&format!("prompt Look at the parser.\nstep m1\nsay It skips the last line.\nturn-ended\nprompt {prompt}"));
        lane.entries_until(lane.end().unwrap()).find(|entry| entry.rule == "last-message").unwrap().status()
    };
    assert_eq!(last("Are you sure that src/parser.rs does it?"), EntryStatus::Live);
    assert_eq!(last("No, that is wrong."), EntryStatus::Live);
    assert_eq!(last("Sort the table by date."), EntryStatus::Settled);
}

#[test]
fn who_asks_why_it_fails_wants_it_to_work() {
    assert_eq!(of(&turns(&["any ideas why the uploads to src/store.rs are failing?"]), "uploads"), ["unclassified live"]);
}

#[test]
fn what_is_only_asked_is_owed_until_its_turn_is_over() {
    let asked = "prompt Where does the importer keep its state?\nstep m1\nsay Let me look.\ncall a Read {\"file_path\":\"src/import.rs\"}\nresult a ok\n";
    let state = |rest: &str| of(&fold(&format!("{asked}{rest}")), "its state")[0].clone();
    let told = "step m2\nsay It keeps its state in the spool.\n";
    assert!(state("boundary\nsummary Work went on.").ends_with("live"), "a boundary tells nobody");
    assert!(state(&format!("boundary\nsummary Work went on.\n{told}turn-ended")).ends_with("settled"));
    assert!(state("interrupted\nprompt continue").ends_with("live"), "who was stopped has told nothing");
    assert!(state(&format!("interrupted\nprompt continue\n{told}turn-ended")).ends_with("settled"));
    assert!(state("prompt Never mind that, sort the table.").ends_with("settled"));
}

#[test]
fn words_that_only_point_at_something_are_held_and_hold_what_they_point_at() {
    let told = "prompt How could the sync be made safe?\nstep m1\nsay A lock file in the spool makes it safe. The worker takes it first.\nturn-ended\n";
    let later = ["Sort the table by date.", "Print the totals in bold.", "Use a smaller font."];
    let live = |prompt: &str, more: usize| {
        let rest: String = later.iter().take(more).enumerate().map(|(n, prompt)| turn(n + 3, prompt)).collect();
        let lane = fold(&format!("{told}{}{rest}", turn(2, prompt)));
        let live = lane.live_at(lane.end().unwrap());
        let is = |words: &str| live.iter().any(|entry| entry.text.contains(words));
        (is(prompt), is("lock file"))
    };
    for prompt in ["The approach from before.", "As described above.", "That idea, then."] {
        assert_eq!(live(prompt, 0), (true, true), "{prompt}");
        assert_eq!(live(prompt, 1), (true, true), "{prompt}: the message lives as long as the words that mean it");
        assert_eq!(live(prompt, 3), (false, false), "{prompt}");
    }
    assert_eq!(live("Rename the exporter.", 1), (true, false), "who points at nothing leaves it");
}

#[test]
fn who_asks_where_they_were_has_left_nothing() {
    let asked = "Rename the header of the report.";
    let prompts = [asked, "Sort the table by date.", "Ok, so where were we?", "And the footer?"];
    assert!(of(&turns(&prompts), "header")[0].ends_with("live"));
}

#[test]
fn an_order_that_is_most_of_a_long_prompt_is_one_entry_with_it() {
    let long = format!(
        "Create a plan for the page, {}and do not store secrets.",
        "with a table of its own for each of its parts, ".repeat(60)
    );
    let lane = fold(&format!("prompt {long}"));
    let said: Vec<_> = lane.live_entries().map(|entry| (&*entry.rule, entry.also.clone())).collect();
    assert_eq!(said, [("long-prompt", vec![EntryKind::Prohibition])]);
}

#[test]
fn what_was_said_before_the_last_call_of_a_turn_that_failed_is_no_last_message() {
    let script = "prompt Read the notes.\nstep m1\nsay The notes are long and old.\ncall r Read {\"file_path\":\"/w/n.md\"}\nresult r ok\nfailed\nturn-ended";
    assert!(fold(script).entries.iter().filter_map(Slot::own).all(|entry| entry.rule != "last-message"));
}

#[test]
fn who_picks_from_a_list_keeps_it() {
    let list = "say I see five ways:\\n1. Sort the rows\\n2. Name the sums\\n3. Colour the head\\n4. Print it\\n5. Fold the notes\nturn-ended\n";
    let status = |first: &str| {
        let script = format!(
            "prompt What could be better?\nstep m1\n{list}prompt {first}\nstep m2\nsay That is in place.\nturn-ended\nprompt and then a footer"
        );
        let lane = fold(&script);
        lane.entries_until(lane.end().unwrap()).find(|entry| entry.rule == "last-message").unwrap().status()
    };
    assert_eq!(status("let's begin with suggestions 1-3 first"), EntryStatus::Live);
    assert_eq!(status("let's begin with the page of the authors first"), EntryStatus::Settled);
}
