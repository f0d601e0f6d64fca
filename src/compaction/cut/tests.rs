//! What each primitive does to messages; what the built-in policies do with them stands in `presets`, their pairs in `pairs`.

mod pairs;
mod presets;
mod primitives;

use super::messages::by_event;
use super::*;
use crate::base::ids::{CallIx, EventIx};
use crate::compaction::models::Window;
use crate::compaction::policy::Policy;
use crate::compaction::testing::{Hand, WINDOW, policy, session, written};
use crate::ledger::effects::Class;
use crate::ledger::rows::EventKind;
use crate::ledger::tokens::of_bytes;

/// Sizes are given as runtimes estimate them.
fn raw(own: u32) -> u32 {
    of_bytes(EventKind::Prompt, own * 4)
}

/// A rule and an id in the first prompt, a plan in an answer, "go on", a correction, and a call that nobody answers: 46 messages,
/// 133,537 tokens.
fn incident() -> Hand {
    let act = |count: usize, result: u32| format!("A80 r{result} ").repeat(count);
    let (reads, tests, work) = (act(6, 9000), act(6, 7000), act(5, 6000));
    session(&format!("R3000 j1500 u60 {reads} A120 r300 a400 u12 A120 r200 {tests} a300 u15 {work} A150"))
}

/// The window of the incident's model.
const SMALL: Window = Window { tokens: 128_000, assumed: false, output: 16_000, input: 112_000 };

/// One letter a message: `k` kept, `c` cut, `m` masked, `-` gone into a summary, `x` dropped.
fn letters(hand: &Hand, policy: &Policy, window: Window) -> String {
    let context = Context::of(&hand.lane, None);
    let messages = by_event(&context);
    let env = policy.env(window, messages::load(&messages));
    let fates = fates(&context, &messages, policy, &env, None);
    let letter = |(message, fate): (&Message, &Fate)| match fate {
        Fate { hold: Hold::No, gone: Action::Dropped, .. } => 'x',
        Fate { hold: Hold::No, .. } => '-',
        Fate { left, .. } if *left == message.raw => 'k',
        Fate { left: 0, .. } => 'm',
        Fate { .. } => 'c',
    };
    messages.iter().zip(&fates).map(letter).collect()
}

#[test]
fn a_prompt_that_crosses_the_budget_is_cut_and_older_ones_go() {
    let mut hand = Hand::default();
    hand.prompt(raw(9_000));
    hand.prompt(raw(15_000));
    hand.say(raw(500));
    hand.prompt(raw(8_000));
    assert_eq!(letters(&hand, &policy("codex-local"), WINDOW), "-c-k");
    let context = Context::of(&hand.lane, None);
    let local = policy("codex-local");
    let env = local.env(WINDOW, messages::load(&by_event(&context)));
    let run = simulate(&context, &by_event(&context), &local, &env, None);
    assert_eq!(run.actions, [Action::Summarised, Action::Masked, Action::Summarised, Action::Kept]);
    assert_eq!(run.left.get(1), Some(&(raw(15_000) * 12 / 15)));
}

#[test]
fn parallel_calls_are_one_message_and_interleaved_results_keep_their_place() {
    let mut hand = Hand::default();
    hand.prompt(10);
    let first = hand.call("Read", Class::Read, 10);
    let span = hand.lane.calls.get(first.index()).unwrap().span;
    hand.result(first, 100);
    let second = hand.call_in(span, "Read", Class::Read, 10);
    let other = hand.call("Bash", Class::Execute, 10);
    hand.result(second, 200);
    hand.result(other, 50);
    let context = Context::of(&hand.lane, None);
    let seen: Vec<_> = by_event(&context).iter().map(|message| (message.part, message.raw, message.call)).collect();
    let call = |n| Some(CallIx(n));
    assert_eq!(seen, [(0, 10, None), (1, 20, call(0)), (1, 100, call(0)), (2, 10, call(2)), (1, 200, call(1)), (2, 50, call(2))]);
}

#[test]
fn messages_weigh_what_their_spans_weigh_masked_results_nothing() {
    let mut hand = incident();
    hand.mask(&[CallIx(2), CallIx(7)]);
    hand.say(10);
    for at in [None, Some(EventIx(20))] {
        let context = Context::of(&hand.lane, at);
        let mut sums = vec![0; context.parts.len()];
        for message in by_event(&context) {
            sums[message.part] += message.raw;
        }
        assert_eq!(sums, context.parts.iter().map(|part| part.raw).collect::<Vec<_>>(), "{at:?}");
    }
    // What is masked later weighs in full before.
    let at = Some(EventIx(20));
    assert_eq!(Context::of(&hand.lane, at).tokens, Context::of(&incident().lane, at).tokens);
}

#[test]
fn a_cut_by_hand_takes_the_place_of_the_tail() {
    let hand = incident();
    let context = Context::of(&hand.lane, None);
    let messages = by_event(&context);
    for name in ["claude-code", "keep-last", "codex-local", "claude-code-micro"] {
        let policy = policy(name);
        let env = policy.env(WINDOW, messages::load(&messages));
        let run = simulate(&context, &messages, &policy, &env, Some(SpanIx(10)));
        assert!(run.actions.iter().skip(10).all(|action| *action == Action::Kept), "{name}: {:?}", run.actions);
        let goes = run.actions.iter().take(10).filter(|action| **action != Action::Kept).count();
        let want = match name {
            "codex-local" => 8,
            "claude-code-micro" => 7,
            _ => 9,
        };
        assert_eq!(goes, want, "{name}: {:?}", run.actions);
    }
}
