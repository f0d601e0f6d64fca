//! Scenarios of the fold: a session of a few lines, and what its ledger says.

mod claims;
mod commitments;
mod explicit;
mod jobs;
mod lifting;
mod scenarios;
mod tasks;
mod values;
mod world;

use crate::base::ids::{BoundaryIx, EntryId, EventIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::Weight;
use crate::ledger::rows::{EndHow, SpanKind};
use crate::ledger::testing::fold;

/// The live entries, as `kind line`.
fn live(lane: &LaneSnapshot) -> Vec<String> {
    let end = lane.end().unwrap();
    lane.live_at(end).iter().map(|e| format!("{} {}", e.kind.word(), e.opened.line)).collect()
}

/// The anomalies that still stand, as `kind line`.
fn odd(lane: &LaneSnapshot) -> Vec<String> {
    lane.anomalies.iter().filter(|a| a.until.is_none()).map(|a| format!("{} {}", a.kind, a.line)).collect()
}

/// How each call ended, in order.
fn ends(lane: &LaneSnapshot) -> Vec<Option<(EndHow, Option<EffectStatus>)>> {
    lane.calls.iter().map(|c| c.ended().map(|end| (end.how, end.effect))).collect()
}

#[test]
fn calls_are_paired_by_id_only() {
    let lane = fold(
        "step m1
         call a Read {\"file_path\":\"x.rs\"}
         call b Read {\"file_path\":\"y.rs\"}
         result b ok text of y
         result a ok text of x",
    );
    assert_eq!(ends(&lane), vec![Some((EndHow::Success, None)); 2]);
    assert_eq!((odd(&lane), live(&lane)), (vec![], vec![]));
    assert_eq!(lane.spans.len(), 1, "a step holds its calls and their resolutions");
}

#[test]
fn a_call_that_stays_in_the_context_stays_open_over_a_boundary() {
    let session = "prompt Deploy.\nstep m1\ncall a Bash {\"command\":\"make deploy\"}\nboundary keep 3\nsummary We talk.";
    assert_eq!(live(&fold(session)).last().map(String::as_str), Some("call 3"));
    let lane = fold(&format!("{session}\nresult a ok done"));
    assert_eq!(ends(&lane).iter().flatten().map(|(how, _)| *how).collect::<Vec<_>>(), [EndHow::Success]);
    assert_eq!(odd(&lane), Vec::<String>::new());
}

#[test]
fn a_reused_id_closes_the_oldest_open_call() {
    let lane = fold("call a Read {}\ncall a Read {}\nresult a ok");
    assert_eq!(ends(&lane), [Some((EndHow::Success, None)), None]);
    assert_eq!(live(&lane), ["call 2"]);
}

#[test]
fn a_result_may_stand_before_its_call() {
    let lane = fold("step m1\nresult a ok text\ncall a Read {\"file_path\":\"x\"}");
    assert_eq!(ends(&lane), [Some((EndHow::Success, None))]);
    assert_eq!(odd(&lane), Vec::<String>::new(), "the orphan found its call");
    assert_eq!(lane.anomalies.len(), 1);
}

#[test]
fn what_does_not_fit_is_an_anomaly() {
    let lane = fold("result x ok");
    assert_eq!(odd(&lane), ["orphan 1"]);
    let lane = fold("call a Read {}\nresult a ok first\nresult a exit1 second");
    assert_eq!((odd(&lane), ends(&lane)), (vec!["second-resolution 3".to_owned()], vec![Some((EndHow::Success, None))]));
}

#[test]
fn the_end_of_the_file_ends_nothing() {
    let lane = fold("prompt Write the config.\ncall a Write {\"file_path\":\"config.yaml\",\"content\":\"x\"}");
    assert_eq!(live(&lane), ["requirement 1", "call 2"]);
    assert_eq!(lane.open_calls.len(), 1);
}

#[test]
fn a_message_typed_in_mid_turn_closes_nothing_and_the_next_turn_does() {
    let script = "prompt Start.\nstep m1\ncall a Bash {\"command\":\"./deploy.sh\"}\nprompt Also look at the log.";
    assert!(fold(script).open_calls.len() == 1);
    let lane = fold(&format!("{script}\nstep m2\nsay On it."));
    assert_eq!(ends(&lane), [Some((EndHow::AbandonedAtTurn, Some(EffectStatus::Unknown)))]);
    assert_eq!(odd(&lane), ["dangling 6"]);
}

#[test]
fn a_late_result_replaces_a_provisional_end() {
    let lane = fold("call a Read {\"file_path\":\"x\"}\nboundary\nsummary all\nresult a ok text");
    assert_eq!(ends(&lane), [Some((EndHow::Success, None))]);
    assert_eq!(odd(&lane), ["dangling 2", "late 4"]);
}

#[test]
fn a_hook_proves_that_a_call_ran_whose_result_was_lost_at_a_boundary() {
    let script = |hook: &str| {
        format!("call a Edit {{\"file_path\":\"x\",\"old_string\":\"a\",\"new_string\":\"b\"}}\n{hook}\nboundary\nsummary s")
    };
    let lane = fold(&script("ran a Edit"));
    assert_eq!(ends(&lane), [Some((EndHow::AbandonedAtBoundary, Some(EffectStatus::Committed)))]);
    let lane = fold(&script(""));
    assert_eq!(ends(&lane), [Some((EndHow::AbandonedAtBoundary, Some(EffectStatus::Unknown)))]);
}

#[test]
fn a_call_known_only_from_a_hook_is_a_ghost() {
    let lane = fold("say Let me see.\nran zz Write");
    let call = lane.calls.get(0).unwrap();
    assert!(call.ghost && call.end.is_some());
    assert_eq!(odd(&lane), ["ghost 2"]);
}

#[test]
fn a_boundary_empties_the_context_but_for_what_it_keeps() {
    let lane = fold(
        "prompt Do not drop columns.\nsay Fine.\nprompt Push when green.\nsay Yes.\nboundary keep 3\nsummary We talked.\nsay On.",
    );
    let end = lane.end().unwrap();
    let inside: Vec<_> = lane.spans.iter().map(|s| (s.kind, lane.in_context(s, end))).collect();
    assert_eq!(
        inside,
        [
            (SpanKind::Prompt, false),
            (SpanKind::Step, false),
            (SpanKind::Prompt, true),
            (SpanKind::System, true),
            (SpanKind::Step, true)
        ]
    );
    let prompts = lane.live_at(end).into_iter().filter(|e| e.rule != "last-message");
    let lost: Vec<_> = prompts.map(|e| (e.opened.line, e.lost_at(end))).collect();
    assert_eq!(lost, [(1, Some(BoundaryIx(0))), (3, None)]);
    assert_eq!(lane.entry(EntryId(0)).unwrap().lost_at(EventIx(3)), None, "before the boundary nothing was lost");
}

#[test]
fn a_summary_that_quotes_an_entry_holds_it() {
    let lane = fold("prompt Do not drop columns.\nboundary\nsummary The user said: \"do not drop **columns**\" and went on.");
    let end = lane.end().unwrap();
    let entry = lane.entry(EntryId(0)).unwrap();
    assert_eq!((entry.lost_at(end), lane.holders_at(&entry, end).count()), (None, 1));
    let lane = fold("prompt Do not drop columns.\nboundary\nopaque");
    assert_eq!(lane.entry(EntryId(0)).unwrap().lost_at(lane.end().unwrap()), None, "nobody can see that it was lost");
}

#[test]
fn what_was_started_is_owed_until_it_is_seen_to_have_ended() {
    let script = "call a Bash {\"command\":\"npm run dev\"}\nresult a b12\njob b12 running";
    assert_eq!(live(&fold(script)), ["process 2"]);
    assert_eq!(live(&fold(&format!("{script}\njob b12 ended"))), Vec::<String>::new());
}

#[test]
fn a_plain_failure_is_left_behind_when_nothing_comes_back_to_it() {
    let quiet = |steps: usize, from: usize| (0..steps).map(|n| format!("step q{}\nsay On.\n", from + n)).collect::<String>();
    let fail =
        |id: &str, test: &str| format!("step s{id}\ncall {id} Bash {{\"command\":\"./fix.sh {test}\"}}\nresult {id} exit1 no\n");
    let one = fail("a", "x");
    assert_eq!(live(&fold(&format!("{one}{}", quiet(30, 0)))), ["effect 3"]);
    assert_eq!(live(&fold(&format!("{one}{}", quiet(31, 0)))), Vec::<String>::new());
    // Tried again it counts from then, and what was not tried again does not.
    let again = format!("{one}{}{}{}{}", fail("b", "y"), quiet(20, 0), fail("c", "x"), quiet(20, 20));
    assert_eq!(live(&fold(&again)), ["effect 3", "retry 49"]);
    // What only a look can settle stays, and a look settles what it covers.
    let lost = "step w\ncall w Write {\"file_path\":\"/src/a.rs\",\"content\":\"x\"}\nresult w lost\n";
    let look = |path: &str| format!("step r\ncall r Read {{\"file_path\":\"{path}\"}}\nresult r ok text\n");
    assert_eq!(live(&fold(&format!("{lost}{}{}", quiet(40, 0), look("/src/b.rs")))), ["effect 3"]);
    assert_eq!(live(&fold(&format!("{lost}{}{}", quiet(40, 0), look("/src/a.rs")))), Vec::<String>::new());
}

#[test]
fn injected_text_commits_nobody() {
    let lane = fold("injected <system-reminder>You must never push.</system-reminder>\nsay Fine. I must not push.");
    assert_eq!(live(&lane), Vec::<String>::new());
}

#[test]
fn a_long_prompt_is_one_entry_with_a_pointer() {
    let long = "Tidy this file. ".repeat(100);
    let lane = fold(&format!("prompt {long}"));
    assert_eq!(lane.entries.len(), 1);
    assert!(lane.entry(EntryId(0)).unwrap().pointer.is_some());
}

#[test]
fn a_rewind_takes_back_words_and_not_deeds() {
    let lane = fold(
        "prompt First.
         step m1
         call a Bash {\"command\":\"./migrate.sh --apply\"}
         prompt Second.
         step m2
         call b Bash {\"command\":\"./deploy.sh prod\"}
         result b timeout
         rolled-back 1",
    );
    let end = lane.end().unwrap();
    let words =
        lane.live_at(end).iter().filter(|entry| entry.kind.is_commitment()).map(|entry| entry.opened.line).collect::<Vec<_>>();
    assert_eq!(words, [1]);
    assert!(live(&lane).iter().any(|l| l.starts_with("effect")), "the world is not rewound: {:?}", live(&lane));
    assert!(!lane.in_context(lane.spans.last().unwrap(), end));
}

#[test]
fn usage_is_the_truth_and_estimates_fill_in() {
    let lane = fold("prompt Hello there.\nstep m1\nsay Hi.\nusage 5000 20");
    let tokens = lane.context_tokens_at(lane.end().unwrap());
    assert_eq!((tokens.tokens, tokens.estimated), (5020, false));
    let before = lane.context_tokens_at(EventIx(1));
    assert!(before.estimated && before.tokens > 0);
    let lane = fold("say Hi.\nusage 150000 20\nboundary\nsummary short\nsay ok");
    assert!(lane.context_tokens_at(lane.end().unwrap()).tokens < 1000, "a boundary makes older charges stale");
}

#[test]
fn results_that_a_recording_leaves_out_are_no_unknown_outcomes() {
    let work = |answer: &str| {
        let step = |n: usize| {
            format!(
                "prompt Go on.\nstep a{n}\ncall a{n} Bash {{\"command\":\"./migrate.sh --part {n}\"}}\n{answer}step b{n}\nsay On it.\n"
            )
        };
        (1..=4).map(step).collect::<String>() + "prompt And now?\nstep z\nsay Fine."
    };
    let red = |lane: &LaneSnapshot| {
        let at = lane.end().unwrap();
        lane.live_at(at).iter().filter(|entry| entry.weight_at(at) == Weight::Barrier).count()
    };
    let lane = fold(&work(""));
    let how: Vec<EndHow> = ends(&lane).into_iter().flatten().map(|(how, _)| how).collect();
    assert_eq!(how, [EndHow::AbandonedAtTurn, EndHow::AbandonedAtTurn, EndHow::NotRecorded, EndHow::NotRecorded]);
    assert_eq!(red(&lane), 0, "{:?}", live(&lane));
    let answered = format!("prompt Look.\nstep x\ncall x Bash {{\"command\":\"ls\"}}\nresult x ok\n{}", work(""));
    assert!(red(&fold(&answered)) > 0, "where others have one, a result that is not there was lost");
}
