//! Laws that hold for any lane, any policy and any pressure.

use proptest::prelude::*;

use crate::base::ids::{EventIx, SpanIx};
use crate::compaction::judge::{Ask, Urgency, judge};
use crate::compaction::judgement::{Action, Colour, Judgement, Verdict};
use crate::compaction::policy::Policy;
use crate::compaction::testing::{Hand, WINDOW, ask, built_in, written};
use crate::ledger::effects::Class;
use crate::ledger::entry::{EntryKind, Holder, HolderForm, Weight};
use crate::ledger::testing::fold;

#[derive(Clone, Debug)]
enum Op {
    Prompt(u32),
    Say(u32),
    Act(u32),
    Open(Class),
    Late,
    Usage(u64),
    Boundary,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let class = prop_oneof![Just(Class::Read), Just(Class::Write), Just(Class::External)];
    let op = prop_oneof![
        3 => (1u32..500).prop_map(Op::Prompt),
        3 => (1u32..800).prop_map(Op::Say),
        6 => (1u32..3_000).prop_map(Op::Act),
        1 => class.prop_map(Op::Open),
        1 => Just(Op::Late),
        2 => (10u64..60_000).prop_map(Op::Usage),
        1 => Just(Op::Boundary),
    ];
    prop::collection::vec(op, 1..40)
}

const KINDS: &[EntryKind] = &[
    EntryKind::Effect,
    EntryKind::Done,
    EntryKind::Retry,
    EntryKind::Transaction,
    EntryKind::Process,
    EntryKind::Resource,
    EntryKind::Unverified,
    EntryKind::Task,
    EntryKind::Question,
    EntryKind::Reference,
    EntryKind::Prohibition,
    EntryKind::Requirement,
    EntryKind::Ordering,
    EntryKind::Decision,
    EntryKind::Value,
    EntryKind::Unclassified,
    EntryKind::Binding,
];

/// A kind, a weight and a place.
type Owed = (usize, bool, prop::sample::Index);

fn owed() -> impl Strategy<Value = Vec<Owed>> {
    prop::collection::vec((0..KINDS.len(), any::<bool>(), any::<prop::sample::Index>()), 0..6)
}

fn lane(ops: &[Op], owed: &[Owed]) -> Hand {
    let mut hand = Hand::default();
    let mut open = Vec::new();
    for op in ops {
        match op {
            Op::Prompt(tokens) => drop(hand.prompt(*tokens)),
            Op::Say(tokens) => drop(hand.say(*tokens)),
            Op::Act(tokens) => drop(hand.act("Read", 20, *tokens)),
            Op::Open(class) => open.push(hand.call("tool", *class, 20)),
            Op::Late => {
                if let Some(call) = open.pop() {
                    hand.result(call, 30);
                }
            }
            Op::Usage(input) => hand.usage(*input),
            Op::Boundary => drop(hand.boundary(&[], 200)),
        }
    }
    // Operations that open no span leave nothing that could be owed.
    let owed = if hand.lane.spans.is_empty() { &[] } else { owed };
    for (kind, barrier, place) in owed {
        let span = SpanIx::from_index(place.index(hand.lane.spans.len()));
        hand.entry(KINDS[*kind], if *barrier { Weight::Barrier } else { Weight::Repair }, span);
    }
    hand
}

fn policies() -> Vec<Policy> {
    let mut policies: Vec<Policy> = built_in().iter().cloned().collect();
    policies.push(written(
        "recover = \"none\"\nkeep = { tail = { by = \"messages\", n = 3 } }\nrest = { do = \"drop\" }\ntrigger = { tokens = 2000 }\ncan = [\"pin_spans\", \"compact_older\"]",
    ));
    policies.push(written(
        "recover = \"none\"\nmask = [{ on = \"tool_result\", keep_n = 1, how = \"clear\" }]\ntrigger = { tokens = 2000 }",
    ));
    policies.push(written(
        "recover = \"none\"\nkeep = { pin = [\"pending_call\"] }\nrest = { do = \"drop\" }\ntrigger = { messages = 5 }",
    ));
    policies
}

/// A few of them.
fn some() -> impl Strategy<Value = Vec<Policy>> {
    prop::sample::subsequence(policies(), 8)
}

fn asks(policy: &Policy) -> Vec<Ask<'_>> {
    let plain = ask(policy);
    let forced = Ask { urgency: Urgency::Forced, ..plain };
    let tight = Ask { budget: Some(1_500), ..forced };
    vec![plain, forced, tight, Ask { cut: Some(SpanIx(5)), ..forced }]
}

fn danger(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Compact => 0,
        Verdict::Repair => 1,
        Verdict::Around | Verdict::Defer => 2,
        Verdict::Refuse => 3,
        Verdict::Escalate => 4,
    }
}

/// The colours of what goes. A span of which the policy would tear a part that it must keep stays whole in what is judged.
fn goes(judgement: &Judgement) -> Vec<Colour> {
    let whole = judgement.spans.context().filter(|span| !judgement.torn.contains(&span.span));
    whole.filter(|span| span.action != Action::Kept).map(|span| span.colour).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn one_more_live_entry_never_makes_a_verdict_safer(ops in ops(), owed in owed(), more in owed(), policies in some()) {
        let (less, more) = (lane(&ops, &owed), lane(&ops, &[owed, more].concat()));
        for policy in policies {
            for ask in asks(&policy) {
                let (before, after) = (judge(&less.lane, &ask).verdict, judge(&more.lane, &ask).verdict);
                prop_assert!(danger(after) >= danger(before), "{}: {before:?} became {after:?}", policy.id);
            }
        }
    }

    #[test]
    fn no_pressure_turns_a_barrier_green(ops in ops(), owed in owed(), policies in some()) {
        let hand = lane(&ops, &owed);
        for policy in policies {
            let [plain, forced, tight, _] = &asks(&policy)[..] else { unreachable!() };
            let judgements = [plain, forced, tight].map(|ask| judge(&hand.lane, ask));
            for judgement in &judgements {
                prop_assert_eq!(&judgement.spans, &judgements[0].spans);
                if goes(judgement).contains(&Colour::Barrier) {
                    prop_assert!(danger(judgement.verdict) >= 2, "{}: {:?}", policy.id, judgement.verdict);
                }
                if goes(judgement).contains(&Colour::Repair) {
                    prop_assert!(danger(judgement.verdict) >= 1, "{}: {:?}", policy.id, judgement.verdict);
                }
            }
        }
    }

    #[test]
    fn tokens_add_up(ops in ops(), owed in owed(), policies in some()) {
        let hand = lane(&ops, &owed);
        for policy in policies {
            for ask in asks(&policy) {
                let judgement = judge(&hand.lane, &ask);
                for tokens in [judgement.tokens, judgement.plan.tokens] {
                    prop_assert_eq!(tokens.before - tokens.after, tokens.reclaimed_safely + tokens.at_risk);
                    prop_assert!(tokens.carriers >= tokens.floor);
                }
                prop_assert_eq!(judgement.tokens.before, judgement.context.tokens);
                prop_assert!(judgement.spans.context().map(|span| span.tokens).sum::<u64>() <= judgement.context.tokens);
                prop_assert_eq!(judgement.plan.keep.len() + judgement.plan.summarise.len(), judgement.spans.context().count());
            }
        }
    }

    #[test]
    fn every_span_has_one_fate_and_nothing_of_ours_parts_a_call_from_its_result(ops in ops(), owed in owed(), policies in some()) {
        let lane = lane(&ops, &owed).lane;
        for policy in policies {
            for ask in asks(&policy) {
                let judgement = judge(&lane, &ask);
                prop_assert_eq!(&judgement, &judge(&lane, &ask), "{}: the same twice", policy.id);
                let of = |action: Action| judgement.spans.context().filter(|span| span.action == action).count();
                let fates = [Action::Kept, Action::Masked, Action::Summarised, Action::Dropped].map(of);
                prop_assert_eq!(fates.iter().sum::<usize>(), judgement.spans.context().count());
                for (call, result) in lane.calls.iter().filter_map(|call| Some((call.event, call.end?.event))) {
                    let span = |event: EventIx| lane.events.get(event.index()).and_then(|row| row.span).unwrap();
                    let (call, result) = (span(call), span(result));
                    prop_assert_eq!(call < judgement.cut, result < judgement.cut);
                    prop_assert_eq!(judgement.plan.keep.contains(&call), judgement.plan.keep.contains(&result));
                }
            }
        }
    }

    #[test]
    fn no_plan_lets_a_barrier_go_or_a_live_entry_go_uncarried(ops in ops(), owed in owed(), policies in some()) {
        let hand = lane(&ops, &owed);
        for policy in policies {
            for ask in asks(&policy) {
                let judgement = judge(&hand.lane, &ask);
                for span in &judgement.plan.summarise {
                    let view = judgement.spans.get(*span).unwrap();
                    prop_assert!(view.colour != Colour::Barrier, "{}: {:?}", policy.id, view);
                    // An entry of `lane` stands in one span only, so nothing that stays can hold it. Masking leaves calls where they are.
                    if view.action != Action::Masked {
                        prop_assert!(view.reasons.iter().all(|entry| judgement.plan.carry.contains(entry)));
                    }
                }
            }
        }
    }
}

#[test]
fn a_place_counts_from_the_event_that_made_it_one() {
    let mut hand = Hand::default();
    let prompt = hand.prompt(100);
    let step = hand.say(100);
    let later = EventIx(2);
    hand.say(100);
    hand.entry_from(EntryKind::Requirement, Weight::Repair, prompt, |entry| {
        entry.holders.push(Holder { span: step, form: HolderForm::Verbatim, since: later });
    });
    let policy = &policies()[0];
    let colour = |at| judge(&hand.lane, &Ask { at, ..ask(policy) }).spans.get(step).map(|span| span.colour);
    assert_eq!((colour(Some(EventIx(1))), colour(Some(later))), (Some(Colour::Opportunity), Some(Colour::Repair)));
}

/// A session with every turn of fate that the fold knows.
const SESSION: &str = "
    prompt Do not drop any column of orders.
    step m1
    call a Bash {\"command\":\"ls\"}
    result a ok files
    usage 9000 200
    step m2
    call b Bash {\"command\":\"git push origin main\"}
    result b timeout gone
    step m3
    call c Read {\"file_path\":\"a.rs\"}
    prompt Go on, and keep the names.
    result c ok text
    step m4
    say Which branch?
    boundary keep 1
    summary The work was begun.
    prompt Use main.
    step m5
    call d Write {\"file_path\":\"b.rs\",\"content\":\"x\"}
    usage 12000 100
    result d ok written
    mask d
    say Done.
";

#[test]
fn a_prefix_never_knows_the_future() {
    let lines: Vec<&str> = SESSION.lines().collect();
    let whole = fold(SESSION);
    let policies = policies();
    let mut compared = 0;
    for upto in 0..=lines.len() {
        let prefix = fold(&lines[..upto].join("\n"));
        let Some(at) = prefix.end() else { continue };
        for policy in &policies {
            for ask in asks(policy) {
                let (then, now) = (judge(&prefix, &ask), judge(&whole, &Ask { at: Some(at), ..ask }));
                assert_eq!(then, now, "{} after event {at}", policy.id);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
    let beyond = judge(&whole, &Ask { at: Some(EventIx(9_999)), ..ask(&policies[0]) });
    assert_eq!(beyond, judge(&whole, &ask(&policies[0])));
    assert_eq!(beyond.context.window, WINDOW.tokens);
}
