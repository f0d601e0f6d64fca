//! The table of verdicts, row by row (DESIGN section 6).

use crate::base::ids::{EventIx, SpanIx};
use crate::compaction::judge::{Ask, Urgency, judge};
use crate::compaction::judgement::{Action, Cannot, Colour, Judgement, Pressure, Reason, Repair, Verdict};
use crate::compaction::policy::Policy;
use crate::compaction::testing::{Hand, ask, policy, written};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::Class;
use crate::ledger::entry::{Entry, EntryKind, Holder, HolderForm, Weight};

/// Keeps the newest four messages and summarises the rest, with a trigger and abilities of the test's.
fn keeps_four(trigger: &str, can: &str) -> Policy {
    written(&format!(
        r#"recover = "none"
           trigger = {{ tokens = {trigger} }}
           keep = {{ tail = {{ by = "messages", n = 4 }} }}
           cut = {{ at = ["user", "assistant"], direction = "back" }}
           rest = {{ do = "summarise" }}
           can = [{can}]"#
    ))
}

const ANYTHING: &str = "\"pin_spans\", \"compact_older\"";

/// A prompt and ten reads of 1,000 tokens: 10,600 in all, of which the policy above keeps 2,100. With its summary of at most 2,000 the
/// run must get under 4,100.
fn work() -> Hand {
    let mut hand = Hand::default();
    hand.prompt(100);
    for _ in 0..10 {
        hand.act("Read", 50, 1_000);
    }
    hand
}

fn verdict(lane: &LaneSnapshot, ask: &Ask<'_>) -> (Verdict, Vec<Repair>) {
    let judgement = judge(lane, ask);
    (judgement.verdict, judgement.reasons.iter().map(|reason| reason.repair).collect())
}

fn action(judgement: &Judgement, span: u32) -> Option<Action> {
    judgement.spans.get(SpanIx(span)).map(|span| span.action)
}

fn colour(judgement: &Judgement, span: u32) -> Option<Colour> {
    judgement.spans.get(SpanIx(span)).map(|span| span.colour)
}

#[test]
fn compact_when_nothing_is_owed() {
    let judgement = judge(&work().lane, &ask(&keeps_four("8000", "")));
    assert_eq!((judgement.verdict, judgement.reasons.len()), (Verdict::Compact, 0));
    assert_eq!((judgement.cut, judgement.context.pressure), (SpanIx(9), Pressure::Due));
    assert_eq!((judgement.target, judgement.need), (4_100, 6_500));
    let tokens = judgement.tokens;
    assert_eq!((tokens.before, tokens.after, tokens.reclaimed_safely, tokens.at_risk), (10_600, 4_100, 6_500, 0));
    assert_eq!(judgement.plan.summarise, (0..9).map(SpanIx).collect::<Vec<_>>());
}

#[test]
fn compact_after_moving_the_cut_over_a_result() {
    let unguarded = written(
        "recover = \"none\"\nkeep = { tail = { by = \"messages\", n = 3 } }\nrest = { do = \"summarise\" }\ntrigger = { tokens = 8000 }",
    );
    let judgement = judge(&work().lane, &ask(&unguarded));
    assert_eq!(judgement.torn, [SpanIx(9)], "the policy itself keeps the result of span 9 and not its call");
    assert_eq!((judgement.verdict, judgement.cut), (Verdict::Compact, SpanIx(10)));
    assert_eq!(judgement.plan.keep, [SpanIx(10)]);
}

#[test]
fn a_cut_is_never_moved_into_what_must_stay() {
    let head = written(
        "recover = \"none\"\nkeep = { head = { messages = 2 } }\nrest = { do = \"summarise\" }\ntrigger = { tokens = 8000 }",
    );
    let judgement = judge(&work().lane, &ask(&head));
    assert_eq!(judgement.torn, [SpanIx(1)], "the head ends with a call");
    assert_eq!(judgement.plan.keep, [SpanIx(0), SpanIx(1)]);
}

#[test]
fn compact_when_the_model_can_fetch_everything_back() {
    let mut hand = work();
    let call = hand.call("Bash", Class::External, 50);
    hand.result(call, 1_000);
    hand.unknown(call, Weight::Barrier);
    let mask = |how: &str, recover: &str| {
        written(&format!(
            "recover = \"{recover}\"\nmask = [{{ on = \"tool_result\", how = \"{how}\" }}]\ntrigger = {{ tokens = 8000 }}"
        ))
    };
    assert_eq!(verdict(&hand.lane, &ask(&mask("offload", "path_told"))), (Verdict::Compact, vec![]));
    // A handle that the model is not told is none, and a cleared body is gone.
    assert_eq!(verdict(&hand.lane, &ask(&mask("offload", "log_only"))).0, Verdict::Refuse);
    assert_eq!(verdict(&hand.lane, &ask(&mask("clear", "path_told"))).0, Verdict::Refuse);
}

#[test]
fn repair_when_every_live_entry_gets_a_carrier() {
    let mut hand = work();
    let rule = hand.entry(EntryKind::Prohibition, Weight::Repair, SpanIx(0));
    let judgement = judge(&hand.lane, &ask(&keeps_four("8000", "")));
    assert_eq!(judgement.verdict, Verdict::Repair);
    assert_eq!(judgement.reasons, [Reason { entry: rule, repair: Repair::Carry, with: None }]);
    assert_eq!((colour(&judgement, 0), colour(&judgement, 1)), (Some(Colour::Repair), Some(Colour::Opportunity)));
    assert_eq!(judgement.plan.carry, [rule]);
    assert!(judgement.tokens.carriers > judgement.tokens.floor && judgement.tokens.floor > 0);
    assert!(judgement.tokens.at_risk > 0 && judgement.tokens.at_risk < 100);
    assert_eq!(
        judgement.severed.iter().map(|severed| (severed.entry, severed.how)).collect::<Vec<_>>(),
        [(rule, Action::Summarised)]
    );
}

#[test]
fn nothing_to_repair_where_what_stays_says_it_word_by_word() {
    for (form, want) in
        [(HolderForm::Verbatim, Verdict::Compact), (HolderForm::Carrier, Verdict::Compact), (HolderForm::Restated, Verdict::Repair)]
    {
        let mut hand = work();
        hand.entry_from(EntryKind::Prohibition, Weight::Repair, SpanIx(0), |entry| {
            entry.holders.push(Holder { span: SpanIx(10), form, since: EventIx(1) });
        });
        let judgement = judge(&hand.lane, &ask(&keeps_four("8000", "")));
        assert_eq!(judgement.verdict, want, "{form:?}");
        assert_eq!(judgement.severed, [], "{form:?}: something that stays still says it");
        assert_eq!(colour(&judgement, 10), Some(Colour::Repair), "{form:?}: where it stays it may not be dropped either");
    }
}

/// The work, with an open call of 40 tokens in its middle.
fn work_with_an_open_call() -> Hand {
    let mut hand = Hand::default();
    hand.prompt(100);
    for n in 0..10 {
        if n == 8 {
            hand.call("Write", Class::Write, 40);
        }
        hand.act("Read", 50, 1_000);
    }
    hand
}

#[test]
fn defer_and_wait_while_nothing_presses() {
    let judgement = judge(&work_with_an_open_call().lane, &ask(&keeps_four("150000", ANYTHING)));
    assert_eq!((judgement.verdict, judgement.older, judgement.context.pressure), (Verdict::Defer, None, Pressure::None));
    assert_eq!(judgement.reasons.iter().map(|reason| reason.repair).collect::<Vec<_>>(), [Repair::Wait]);
    assert_eq!(judgement.plan.summarise, []);
}

#[test]
fn around_the_barriers_where_the_rest_frees_the_need() {
    let judgement = judge(&work_with_an_open_call().lane, &ask(&keeps_four("8000", ANYTHING)));
    assert_eq!((judgement.verdict, judgement.cannot.len()), (Verdict::Around, 0));
    assert_eq!(action(&judgement, 9), Some(Action::Summarised), "the policy itself would summarise the open call");
    assert_eq!(judgement.plan.keep, [9, 10, 11].map(SpanIx));
    assert_eq!(judgement.plan.tokens.after, judgement.tokens.after + 40);
}

#[test]
fn around_keeps_what_would_cost_more_in_carriers_than_it_frees() {
    let mut hand = work_with_an_open_call();
    let short = hand.prompt(20);
    let long = |entry: &mut Entry| entry.text = "never touch the staging replica. ".repeat(60).into();
    let dear = hand.entry_from(EntryKind::Prohibition, Weight::Repair, short, long);
    for _ in 0..4 {
        hand.act("Read", 50, 1_000);
    }
    let judgement = judge(&hand.lane, &ask(&keeps_four("8000", ANYTHING)));
    assert_eq!((judgement.verdict, action(&judgement, short.0)), (Verdict::Around, Some(Action::Summarised)));
    assert!(judgement.plan.keep.contains(&short), "its 20 tokens are cheaper than its carrier");
    assert!(!judgement.plan.carry.contains(&dear));
}

#[test]
fn defer_and_compact_an_older_range_where_single_spans_cannot_be_pinned() {
    let judgement = judge(&work_with_an_open_call().lane, &ask(&keeps_four("8000", "\"compact_older\"")));
    assert_eq!((judgement.verdict, judgement.older), (Verdict::Defer, Some(SpanIx(9))));
    assert_eq!(judgement.cannot, [Cannot::PinSpans]);
    assert_eq!(judgement.plan.verdict, Verdict::Around, "the plan says what a runtime could do that can");
}

#[test]
fn an_older_range_must_be_closed_and_free_the_need() {
    // The open call stands near the beginning: what is older frees nearly nothing.
    let mut hand = Hand::default();
    hand.prompt(100);
    hand.act("Read", 50, 1_000);
    hand.call("Write", Class::Write, 40);
    for _ in 0..10 {
        hand.act("Read", 50, 1_000);
    }
    assert_eq!(verdict(&hand.lane, &ask(&keeps_four("8000", "\"compact_older\""))).0, Verdict::Refuse);
    assert_eq!(verdict(&hand.lane, &ask(&keeps_four("8000", ANYTHING))).0, Verdict::Around);
}

#[test]
fn refuse_names_every_open_entry_and_what_the_runtime_cannot_do() {
    let mut hand = work_with_an_open_call();
    let rule = hand.entry(EntryKind::Prohibition, Weight::Repair, SpanIx(0));
    let judgement = judge(&hand.lane, &ask(&keeps_four("8000", "")));
    assert_eq!(judgement.verdict, Verdict::Refuse);
    assert_eq!(judgement.cannot, [Cannot::PinSpans, Cannot::CompactOlder]);
    let open = hand.lane.calls.iter().find(|call| call.end.is_none()).unwrap().entry;
    assert_eq!(judgement.reasons.iter().map(|reason| reason.entry).collect::<Vec<_>>(), [open, rule], "barriers first");
}

#[test]
fn the_worst_comes_first() {
    let mut hand = Hand::default();
    let prompt = hand.prompt(100);
    let said = hand.entry(EntryKind::Unclassified, Weight::Repair, prompt);
    let rule = hand.entry(EntryKind::Prohibition, Weight::Repair, prompt);
    let [local, remote] = [Class::Execute, Class::External].map(|class| {
        let call = hand.call("tool", class, 10);
        hand.result(call, 10);
        hand.unknown(call, Weight::Barrier)
    });
    let call = hand.call("Write", Class::Write, 10);
    let open = hand.lane.calls.get(call.index()).unwrap().entry;
    let reasons = judge(&hand.lane, &ask(&policy("claude-code"))).reasons;
    let order: Vec<_> = reasons.iter().map(|reason| reason.entry).collect();
    assert_eq!(order, [remote, local, open, rule, said]);
}

#[test]
fn refuse_where_the_barriers_do_not_fit_the_retention_budget() {
    let mut hand = Hand::default();
    hand.prompt(100);
    hand.call("Write", Class::Write, 3_000);
    for _ in 0..10 {
        hand.act("Read", 50, 1_000);
    }
    let judgement = judge(&hand.lane, &ask(&keeps_four("8000", ANYTHING)));
    assert_eq!((judgement.verdict, judgement.cannot), (Verdict::Refuse, vec![]));
    // With more room it fits.
    let keeps_four = keeps_four("8000", ANYTHING);
    assert_eq!(verdict(&hand.lane, &Ask { budget: Some(6_000), ..ask(&keeps_four) }).0, Verdict::Around);
}

#[test]
fn escalate_where_even_closed_barriers_would_not_make_it_fit() {
    let mut hand = work_with_an_open_call();
    hand.entry_from(EntryKind::Requirement, Weight::Repair, SpanIx(0), |entry| entry.text = "x".repeat(1_500).into());
    let keeps_four = keeps_four("8000", ANYTHING);
    // Four messages of 2,100 tokens stay; the carrier takes some 500.
    for (budget, want) in [(2_000, Verdict::Escalate), (2_500, Verdict::Escalate), (2_700, Verdict::Around)] {
        assert_eq!(verdict(&hand.lane, &Ask { budget: Some(budget), ..ask(&keeps_four) }).0, want, "{budget}");
    }
}

#[test]
fn nothing_has_to_fit_where_nothing_has_to_go() {
    let mut hand = Hand::default();
    hand.prompt(12);
    hand.entry(EntryKind::Prohibition, Weight::Repair, SpanIx(0));
    let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
    assert_eq!((judgement.verdict, judgement.need), (Verdict::Repair, 0));
}

/// A prompt of so many tokens, of which twenty long requirements are owed.
fn many_requirements(tokens: u32) -> Hand {
    let mut hand = Hand::default();
    let span = hand.prompt(tokens);
    for _ in 0..20 {
        hand.entry_from(EntryKind::Requirement, Weight::Repair, span, |entry| entry.text = "x".repeat(600).into());
    }
    hand
}

#[test]
fn many_carriers_in_a_small_session_are_no_reason_to_escalate() {
    let hand = many_requirements(3_000);
    let policy = written("recover = \"none\"\nrest = { do = \"summarise\" }\nsize = { summary = 3000 }");
    let judgement = judge(&hand.lane, &ask(&policy));
    assert!(judgement.tokens.carriers > 3_000, "{}", judgement.tokens.carriers);
    assert_eq!((judgement.verdict, judgement.need), (Verdict::Repair, 0));
    assert_eq!(verdict(&hand.lane, &Ask { budget: Some(2_900), ..ask(&policy) }).0, Verdict::Escalate);
}

#[test]
fn carriers_longer_than_the_usual_summary_are_no_reason_to_escalate_before_anything_presses() {
    let hand = many_requirements(9_000);
    let policy = written("recover = \"none\"\nrest = { do = \"summarise\" }\nsize = { summary = 1000 }");
    let judgement = judge(&hand.lane, &ask(&policy));
    assert!(judgement.tokens.carriers > judgement.target, "{}", judgement.tokens.carriers);
    assert_eq!((judgement.verdict, judgement.context.pressure), (Verdict::Repair, Pressure::None));
    // What is asked for must be reached, and what is happening now must fit.
    assert_eq!(verdict(&hand.lane, &Ask { budget: Some(1_000), ..ask(&policy) }).0, Verdict::Escalate);
    assert_eq!(verdict(&hand.lane, &Ask { urgency: Urgency::Forced, ..ask(&policy) }).0, Verdict::Escalate);
}

#[test]
fn what_frees_nothing_is_no_way_out() {
    let mut hand = Hand::default();
    hand.call("Write", Class::Write, 40);
    let policy = written("recover = \"none\"\nrest = { do = \"summarise\" }\ncan = [\"pin_spans\", \"compact_older\"]");
    assert_eq!(verdict(&hand.lane, &Ask { urgency: Urgency::Forced, ..ask(&policy) }).0, Verdict::Refuse);
}

#[test]
fn force_ends_the_waiting_and_changes_no_colour() {
    let hand = work_with_an_open_call();
    let policy = keeps_four("150000", "");
    let measured = judge(&hand.lane, &ask(&policy));
    let forced = judge(&hand.lane, &Ask { urgency: Urgency::Forced, ..ask(&policy) });
    assert_eq!((measured.verdict, forced.verdict), (Verdict::Defer, Verdict::Refuse));
    assert_eq!(forced.context.pressure, Pressure::Critical);
    assert_eq!(measured.spans, forced.spans);
}

#[test]
fn a_cut_by_hand_moves_what_is_in_range() {
    let hand = work_with_an_open_call();
    let policy = keeps_four("8000", "");
    let before = judge(&hand.lane, &Ask { cut: Some(SpanIx(9)), ..ask(&policy) });
    assert_eq!((before.verdict, before.cut), (Verdict::Compact, SpanIx(9)));
    let after = judge(&hand.lane, &Ask { cut: Some(SpanIx(10)), ..ask(&policy) });
    assert_eq!((after.verdict, after.cut), (Verdict::Refuse, SpanIx(10)));
    let beyond = judge(&hand.lane, &Ask { cut: Some(SpanIx(999)), ..ask(&policy) });
    assert_eq!(beyond.cut, SpanIx(12));
    let nothing = judge(&hand.lane, &Ask { cut: Some(SpanIx(0)), ..ask(&policy) });
    assert_eq!((nothing.verdict, nothing.tokens.after), (Verdict::Compact, nothing.tokens.before));
}

#[test]
fn what_was_lost_before_colours_nothing_and_comes_first_among_the_carriers() {
    let mut hand = Hand::default();
    let first = hand.prompt(100);
    let lost = hand.entry(EntryKind::Prohibition, Weight::Repair, first);
    hand.act("Read", 50, 1_000);
    let summary = hand.boundary(&[], 500);
    let prompt = hand.prompt(100);
    let live = hand.entry(EntryKind::Requirement, Weight::Repair, prompt);
    hand.act("Read", 50, 1_000);
    let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
    assert_eq!((judgement.lost.as_slice(), judgement.plan.carry.as_slice()), ([lost].as_slice(), [lost, live].as_slice()));
    assert_eq!(judgement.spans.context().map(|span| span.span).collect::<Vec<_>>(), [summary, prompt, SpanIx(4)]);
    assert_eq!((colour(&judgement, summary.0), colour(&judgement, prompt.0)), (Some(Colour::Opportunity), Some(Colour::Repair)));
    assert_eq!(judgement.spans.get(first).map(|span| span.in_context), Some(false));
    assert_eq!(judgement.severed.len(), 1);
}

#[test]
fn what_was_lost_before_is_owed_also_when_nothing_else_is() {
    let mut hand = Hand::default();
    let first = hand.prompt(100);
    let lost = hand.entry(EntryKind::Effect, Weight::Barrier, first);
    hand.boundary(&[], 500);
    hand.act("Read", 50, 1_000);
    let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
    assert_eq!((judgement.verdict, judgement.lost.as_slice()), (Verdict::Repair, [lost].as_slice()));
}

#[test]
fn an_empty_lane_may_be_compacted() {
    let judgement = judge(&LaneSnapshot::default(), &ask(&policy("codex")));
    assert_eq!((judgement.verdict, judgement.at, judgement.spans.len()), (Verdict::Compact, None, 0));
    assert_eq!((judgement.tokens.before, judgement.tokens.after, judgement.cut), (0, 0, SpanIx(0)));
}

#[test]
fn usage_is_the_truth_where_there_is_any() {
    let mut hand = work();
    hand.usage(30_000);
    hand.act("Read", 50, 1_000);
    let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
    assert_eq!((judgement.context.tokens, judgement.context.estimated, judgement.tokens.before), (31_050, false, 31_050));
    // All of 11,650 goes, a summary of 3,000 and 9,000 put back come: nothing is gained, and what stands in no span stays.
    assert_eq!(judgement.tokens.after, 31_050);
    assert_eq!(judgement.target, 31_050 - 11_650 + 9_000 + 20_000);
}
