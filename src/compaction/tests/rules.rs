//! What is a barrier, what needs a carrier, and what is free: rule by rule.

use crate::base::ids::{CallIx, EventIx, SpanIx};
use crate::compaction::judge::{Ask, judge};
use crate::compaction::judgement::{Action, Asked, Colour, Repair, Verdict};
use crate::compaction::standing::Strictness;
use crate::compaction::testing::{Hand, ask, depends_on, facts, policy, written};
use crate::ledger::effects::{Class, EffectStatus};
use crate::ledger::entry::{EntryKind, EntryStatus, Holder, HolderForm, Weight};

/// The colour of a span when everything may go.
fn colour_of(hand: &Hand, span: SpanIx) -> Colour {
    judge(&hand.lane, &ask(&policy("claude-code"))).spans.get(span).map(|span| span.colour).unwrap()
}

fn span_of(hand: &Hand, call: CallIx) -> SpanIx {
    hand.lane.calls.get(call.index()).unwrap().span
}

#[test]
fn a_call_without_a_resolution_is_a_barrier_unless_it_only_looks() {
    for (class, want) in [
        (Class::Read, Colour::Repair),
        (Class::Check, Colour::Repair),
        (Class::Control, Colour::Barrier),
        (Class::Execute, Colour::Barrier),
        (Class::Write, Colour::Barrier),
        (Class::Create, Colour::Barrier),
        (Class::External, Colour::Barrier),
    ] {
        let mut hand = Hand::default();
        hand.prompt(10);
        let call = hand.call("tool", class, 10);
        let span = span_of(&hand, call);
        assert_eq!(colour_of(&hand, span), want, "{class:?}");
        hand.result(call, 10);
        assert_eq!(colour_of(&hand, span), Colour::Opportunity, "{class:?}: red turns green as the obligation closes");
    }
}

#[test]
fn one_answer_of_a_parallel_group_is_not_enough() {
    let mut hand = Hand::default();
    let first = hand.call("Write", Class::Write, 10);
    let span = span_of(&hand, first);
    let second = hand.call_in(span, "Write", Class::Write, 10);
    hand.result(first, 10);
    assert_eq!(colour_of(&hand, span), Colour::Barrier);
    hand.result(second, 10);
    assert_eq!(colour_of(&hand, span), Colour::Opportunity);
}

#[test]
fn an_unknown_effect_is_a_barrier_unless_something_local_failed_plainly() {
    for (class, weight, want) in [
        (Class::Write, Weight::Repair, Colour::Repair),
        (Class::Execute, Weight::Repair, Colour::Repair),
        (Class::Execute, Weight::Barrier, Colour::Barrier),
        // Whatever the ledger weighs: the world would count these twice.
        (Class::Create, Weight::Repair, Colour::Barrier),
        (Class::External, Weight::Repair, Colour::Barrier),
        // A class without effects cannot have one: unsure, and so a barrier.
        (Class::Read, Weight::Repair, Colour::Barrier),
    ] {
        let mut hand = Hand::default();
        let call = hand.call("tool", class, 10);
        hand.result(call, 10);
        hand.unknown(call, weight);
        assert_eq!(colour_of(&hand, span_of(&hand, call)), want, "{class:?} {weight:?}");
    }
}

#[test]
fn an_unknown_effect_is_reconciled_with_what_the_catalogue_says() {
    let mut hand = Hand::default();
    let call = hand.call("git push", Class::External, 10);
    hand.result(call, 10);
    hand.lane.calls.get_mut(call.index()).unwrap().reconcile_with = Some("git ls-remote".into());
    hand.unknown(call, Weight::Barrier);
    let reasons = judge(&hand.lane, &ask(&policy("claude-code"))).reasons;
    assert_eq!(
        reasons.first().map(|reason| (reason.repair, reason.with.as_deref())),
        Some((Repair::Reconcile, Some("git ls-remote")))
    );
}

#[test]
fn a_retry_weighs_what_the_ledger_says_of_its_attempts() {
    for (class, weight, want) in [
        (Class::Execute, Weight::Repair, Colour::Repair),
        (Class::External, Weight::Barrier, Colour::Barrier),
        // Its unknown attempt was settled since: only the number of attempts is to be carried.
        (Class::External, Weight::Repair, Colour::Repair),
    ] {
        let mut hand = Hand::default();
        let call = hand.call("tool", class, 10);
        hand.result(call, 10);
        let row = hand.lane.calls.get(call.index()).unwrap().clone();
        let facts = facts(&row, call, EffectStatus::Unknown);
        hand.entry_from(EntryKind::Retry, weight, row.span, |entry| entry.action = Some(facts.clone()));
        assert_eq!(colour_of(&hand, row.span), want, "{class:?} {weight:?}");
    }
}

#[test]
fn a_transaction_reddens_its_steps_and_nothing_after_them() {
    let mut hand = Hand::default();
    let opener = hand.act("Bash", 10, 10);
    let acting = hand.act("Bash", 10, 10);
    let unrelated = hand.act("Read", 10, 10);
    hand.entry_from(EntryKind::Transaction, Weight::Barrier, opener, |entry| {
        entry.holders.push(Holder { span: acting, form: HolderForm::Verbatim, since: EventIx(2) });
    });
    let colours = [opener, acting, unrelated].map(|span| colour_of(&hand, span));
    assert_eq!(colours, [Colour::Barrier, Colour::Barrier, Colour::Opportunity]);
    let reasons = judge(&hand.lane, &ask(&policy("claude-code"))).reasons;
    assert_eq!(reasons.iter().map(|reason| reason.repair).collect::<Vec<_>>(), [Repair::Close]);
}

#[test]
fn what_a_carrier_can_hold_is_repaired_and_what_is_awaited_is_not() {
    use EntryKind as K;
    for (kind, weight, want, repair) in [
        (K::Process, Weight::Barrier, Colour::Barrier, Repair::Wait),
        (K::Process, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Resource, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Done, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Unverified, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Task, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Question, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Reference, Weight::Repair, Colour::Repair, Repair::CoLocate),
        (K::Binding, Weight::Repair, Colour::Repair, Repair::CoLocate),
        (K::Prohibition, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Requirement, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Ordering, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Decision, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Value, Weight::Repair, Colour::Repair, Repair::Carry),
        (K::Unclassified, Weight::Repair, Colour::Repair, Repair::Carry),
    ] {
        let mut hand = Hand::default();
        let span = hand.prompt(100);
        hand.entry(kind, weight, span);
        let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
        assert_eq!(judgement.spans.get(span).map(|span| span.colour), Some(want), "{kind:?}");
        assert_eq!(judgement.reasons.first().map(|reason| reason.repair), Some(repair), "{kind:?}");
    }
}

#[test]
fn what_no_carrier_can_hold_must_stay() {
    let mut hand = Hand::default();
    let span = hand.prompt(100);
    hand.entry_from(EntryKind::Task, Weight::Repair, span, |entry| entry.discharge.observable = false);
    assert_eq!(colour_of(&hand, span), Colour::Barrier);
}

/// A task that depends on the output of a read, which goes with it.
fn dependent(result: u32, end: Option<EffectStatus>) -> (Hand, SpanIx) {
    let mut hand = Hand::default();
    let call = hand.call("Bash", Class::Execute, 10);
    if let Some(effect) = end {
        hand.result(call, result);
        let end = hand.lane.calls.get_mut(call.index()).unwrap().end.as_mut().unwrap();
        end.effect = Some(effect);
    }
    let span = hand.say(50);
    let source = hand.lane.calls.get(call.index()).unwrap().entry;
    hand.entry_from(EntryKind::Task, Weight::Repair, span, |entry| entry.edges.push(depends_on(source)));
    (hand, span)
}

#[test]
fn what_depends_on_an_output_that_cannot_be_restated_is_a_barrier() {
    for (result, end, want) in [
        (100, Some(EffectStatus::Committed), Colour::Repair),
        (5_000, Some(EffectStatus::Committed), Colour::Barrier),
        (100, Some(EffectStatus::Unknown), Colour::Barrier),
        (100, None, Colour::Barrier),
    ] {
        let (hand, span) = dependent(result, end);
        assert_eq!(colour_of(&hand, span), want, "{result} {end:?}");
    }
    // Where the output stays, its having been long does not matter.
    let (mut hand, span) = dependent(5_000, Some(EffectStatus::Committed));
    hand.say(10);
    let keeps_output = written("recover = \"none\"\nkeep = { head = { messages = 2 } }\nrest = { do = \"summarise\" }");
    let judgement = judge(&hand.lane, &ask(&keeps_output));
    assert_eq!(judgement.spans.get(span).map(|span| span.colour), Some(Colour::Repair));
}

#[test]
fn rules_files_are_at_risk_only_where_they_are_not_put_back() {
    let forgets = written("recover = \"none\"\nrest = { do = \"summarise\" }");
    let mut hand = Hand::default();
    hand.boundary(&[], 100);
    let rules = hand.rules(200);
    hand.prompt(50);
    let nested = hand.rules(200);
    let (first, later) =
        (hand.entry(EntryKind::Prohibition, Weight::Repair, rules), hand.entry(EntryKind::Requirement, Weight::Repair, nested));
    for (policy, want) in [(policy("claude-code"), vec![later]), (policy("codex"), vec![later]), (forgets, vec![first, later])] {
        let severed = judge(&hand.lane, &ask(&policy)).severed;
        assert_eq!(severed.iter().map(|severed| severed.entry).collect::<Vec<_>>(), want, "{}", policy.id);
    }
}

#[test]
fn a_prompt_that_is_cut_to_fit_a_budget_holds_nothing_for_sure() {
    let mut hand = Hand::default();
    let long = hand.prompt(40_000);
    let short = hand.prompt(100);
    hand.say(100);
    for span in [long, short] {
        hand.entry(EntryKind::Requirement, Weight::Repair, span);
    }
    let judgement = judge(&hand.lane, &ask(&policy("codex-local")));
    assert_eq!(judgement.severed.iter().map(|severed| (severed.span, severed.how)).collect::<Vec<_>>(), [(long, Action::Masked)]);
}

#[test]
fn what_the_ledger_does_not_say_is_never_clear() {
    for kind in [EntryKind::Effect, EntryKind::Retry] {
        let mut hand = Hand::default();
        let span = hand.say(10);
        let id = hand.entry(kind, Weight::Repair, span);
        assert!(hand.lane.entry(id).unwrap().action.is_none());
        assert_eq!(colour_of(&hand, span), Colour::Barrier, "{kind:?}");
    }
}

#[test]
fn no_summariser_is_taken_at_its_word() {
    let topics = "\"goal\", \"constraints\", \"pending\", \"user_verbatim\", \"bindings\", \"preconditions\", \"statuses\"";
    let promises = written(&format!(
        "recover = \"none\"\nrest = {{ do = \"summarise\" }}\nasks = [{topics}]\nsees_pending = true\ntrigger = {{ tokens = 100 }}"
    ));
    let mut hand = Hand::default();
    let prompt = hand.prompt(500);
    hand.entry(EntryKind::Prohibition, Weight::Repair, prompt);
    assert_eq!(judge(&hand.lane, &ask(&promises)).verdict, Verdict::Repair);
    hand.call("Write", Class::Write, 10);
    let judgement = judge(&hand.lane, &ask(&promises));
    assert_eq!(judgement.verdict, Verdict::Refuse);
    assert_eq!(judgement.severed.iter().map(|severed| severed.asked).collect::<Vec<_>>(), [Asked::Yes, Asked::Yes]);
}

#[test]
fn masking_a_result_severs_what_only_the_result_says() {
    let clears = written("recover = \"none\"\nmask = [{ on = \"tool_result\", how = \"clear\" }]\ntrigger = { tokens = 100 }");
    let mut hand = Hand::default();
    hand.prompt(100);
    let call = hand.call("AskUserQuestion", Class::Control, 10);
    let told = hand.result(call, 400);
    let span = span_of(&hand, call);
    let in_call = hand.entry(EntryKind::Value, Weight::Repair, span);
    assert_eq!(judge(&hand.lane, &ask(&clears)).verdict, Verdict::Compact, "e{in_call}: the call itself stays");
    let in_result = hand.entry_from(EntryKind::Decision, Weight::Repair, span, |entry| entry.evidence = vec![told]);
    let judgement = judge(&hand.lane, &ask(&clears));
    assert_eq!((judgement.verdict, judgement.reasons.len()), (Verdict::Repair, 1));
    assert_eq!(judgement.severed.first().map(|severed| severed.entry), Some(in_result));
}

#[test]
fn settled_entries_count_only_when_strict() {
    let mut hand = Hand::default();
    let prompt = hand.prompt(100);
    hand.entry_from(EntryKind::Requirement, Weight::Repair, prompt, |entry| {
        entry.history.push((EventIx(0), EntryStatus::Settled));
    });
    let policy = policy("claude-code");
    assert_eq!(judge(&hand.lane, &ask(&policy)).verdict, Verdict::Compact);
    assert_eq!(judge(&hand.lane, &Ask { strictness: Strictness::Strict, ..ask(&policy) }).verdict, Verdict::Repair);
}

#[test]
fn live_identifiers_are_named_in_full_and_once() {
    let mut hand = Hand::default();
    let prompt = hand.prompt(100);
    hand.entry_from(EntryKind::Prohibition, Weight::Repair, prompt, |entry| {
        entry.identifiers = vec!["src/legacy/parser_v2.py".into(), "orders".into()];
    });
    let call = hand.call("Write", Class::Write, 10);
    hand.lane.calls.get_mut(call.index()).unwrap().target = Some("src/legacy/parser_v2.py".into());
    let call = hand.call("Write", Class::Write, 10);
    hand.lane.calls.get_mut(call.index()).unwrap().target = Some("config.yaml".into());
    let judgement = judge(&hand.lane, &ask(&policy("claude-code")));
    assert_eq!(judgement.live_identifiers, ["config.yaml", "orders", "src/legacy/parser_v2.py"]);
}

#[test]
fn what_an_encrypted_summary_may_hold_is_coloured_there() {
    let mut hand = Hand::default();
    let first = hand.prompt(100);
    hand.entry(EntryKind::Prohibition, Weight::Repair, first);
    let summary = hand.boundary(&[], 0);
    hand.say(100);
    std::sync::Arc::make_mut(&mut hand.lane.boundaries).last_mut().unwrap().opaque = true;
    assert_eq!(colour_of(&hand, summary), Colour::Repair);
    std::sync::Arc::make_mut(&mut hand.lane.boundaries).last_mut().unwrap().opaque = false;
    assert_eq!(colour_of(&hand, summary), Colour::Opportunity);
}
