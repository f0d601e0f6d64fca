//! What policies keep of one incident, message by message, against expectations worked out from the runtimes' own rules.

use super::messages::by_event;
use super::*;
use crate::base::ids::{CallIx, EventIx};
use crate::compaction::models::Window;
use crate::compaction::policy::Policy;
use crate::compaction::testing::{Hand, WINDOW, policy, written};
use crate::ledger::effects::Class;

/// Sizes are given as runtimes estimate them.
fn raw(own: u32) -> u32 {
    (own * 4).div_ceil(3)
}

/// A rule and an id in the first prompt, a plan in an answer, "go on", a correction, and a call that nobody answers: as messages
/// `Rjuarararararararauarararararararauarararararar a`, with R rules, j injected, u prompt, a assistant, r result.
fn incident() -> Hand {
    let mut hand = Hand::default();
    let act = |hand: &mut Hand, tool: &str, call: u32, result: u32| hand.act(tool, raw(call), raw(result));
    hand.rules(raw(3000));
    hand.injected(raw(1500));
    hand.prompt(raw(60));
    for _ in 0..6 {
        act(&mut hand, "Read", 80, 9000);
    }
    act(&mut hand, "Bash", 120, 300);
    hand.say(raw(400));
    hand.prompt(raw(12));
    act(&mut hand, "Bash", 120, 200);
    for _ in 0..6 {
        act(&mut hand, "Bash", 80, 7000);
    }
    hand.say(raw(300));
    hand.prompt(raw(15));
    for _ in 0..5 {
        act(&mut hand, "Bash", 80, 6000);
    }
    hand.call("Bash", Class::External, raw(150));
    hand
}

/// One letter a message: kept, cut, masked, gone.
fn letters(hand: &Hand, policy: &Policy, window: Window) -> String {
    let context = Context::of(&hand.lane, None);
    let messages = by_event(&context);
    let env = policy.env(window, messages.len());
    let fates = fates(&context, &messages, policy, &env, None);
    let letter = |(message, fate): (&Message, &Fate)| match fate {
        Fate { hold: Hold::No, .. } => '-',
        Fate { left, .. } if *left == message.raw => 'k',
        Fate { left: 0, .. } => 'm',
        Fate { .. } => 'c',
    };
    messages.iter().zip(&fates).map(letter).collect()
}

#[test]
fn the_presets_keep_what_their_runtimes_keep() {
    let hand = incident();
    for (name, want) in [
        ("claude-code", "k---------------------------------------------"),
        ("claude-code-micro", "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkkkkkkkkkkk"),
        ("codex-local", "k-k---------------k---------------k-----------"),
        ("codex-remote-v2", "k-k---------------k---------------k-----------"),
        ("keep-last", "k------------------------kkkkkkkkkkkkkkkkkkkkk"),
        ("oldest-share", "k----------------------------kkkkkkkkkkkkkkkkk"),
    ] {
        assert_eq!(letters(&hand, &policy(name), WINDOW), want, "{name}");
    }
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
    let env = local.env(WINDOW, 4);
    let run = simulate(&context, &by_event(&context), &local, &env, None);
    assert_eq!(run.actions, [Action::Summarised, Action::Masked, Action::Summarised, Action::Kept]);
    assert_eq!(run.left.get(1), Some(&(raw(15_000) * 12 / 15)));
}

/// Policies of other runtimes, in the primitives: the schema takes them all.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "pi",
        r#"keep = { head = { kinds = ["system"] }, tail = { by = "tokens", n = 20000, edge = "in" } }
           cut = { at = ["user", "assistant", "summary"] }
           rest = { do = "summarise" }"#,
        "k--------------------------------------kkkkkkk",
    ),
    (
        "opencode",
        r#"keep = { head = { kinds = ["system"] }, tail = { by = "tokens", n = "clamp(0.25*(I-min(20000,O)),2000,15000)", unit = "turn", split_turn = true } }
           cut = { at = ["user", "assistant"] }
           rest = { do = "summarise" }"#,
        "k----------------------------------------kkkkk",
    ),
    (
        "opencode prune",
        r#"mask = [{ on = "tool_result", protect_turns = 2, protect_tokens = 40000, min_gain = 10000, how = "clear" }]"#,
        "kkkkmkmkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ),
    (
        "opencode prune, too little to gain",
        r#"mask = [{ on = "tool_result", protect_turns = 2, protect_tokens = 40000, min_gain = 20000, how = "clear" }]"#,
        "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ),
    (
        "cline",
        r#"target = "if(n>=10, 0.5*I, 0.63*I)"
           keep = { tail = { by = "tokens", n = "min(20000, target)", edge = "in" }, pin = ["last_user_turn"] }
           cut = { at = ["user", "assistant"], direction = "back" }
           rest = { do = "summarise" }"#,
        "----------------------------------kkkkkkkkkkkk",
    ),
    (
        "cline-basic",
        r#"target = "if(n>=10, 0.5*I, 0.63*I)"
           keep = { roles = { kinds = ["user"] }, tail = { by = "tokens", n = "target", within_last_turn = true }, pin = ["turn_final_answers"] }
           cut = { at = ["assistant"] }
           rest = { do = "digest" }"#,
        "--k--------------kk--------------kkkkkkkkkkkkk",
    ),
    (
        "gemini",
        r#"keep = { head = { kinds = ["system"] }, tail = { by = "character_share", n = 0.3 } }
           cut = { at = ["user"] }
           rest = { do = "summarise" }"#,
        "k---------------------------------kkkkkkkkkkkk",
    ),
    (
        "openhands",
        r#"keep = { head = { messages = 4, snap = "forward" }, tail = { by = "messages", n = "if(n>80, 35, n)", and_tokens = "I/2" } }
           cut = { at = ["group"] }
           rest = { do = "summarise" }"#,
        "kkkkk--------------------------kkkkkkkkkkkkkkk",
    ),
    (
        "roo truncation",
        r#"keep = { head = { messages = 1 }, tail = { by = "message_share", n = 0.5, even = true } }
           cut = { at = ["any"] }
           rest = { do = "drop" }"#,
        "k----------------------kkkkkkkkkkkkkkkkkkkkkkk",
    ),
    (
        "autogen head and tail",
        r#"keep = { head = { messages = 2, snap = "drop_trailing_call" }, tail = { by = "messages", n = 10 } }
           cut = { at = ["user", "assistant"], only_first = true }
           rest = { do = "drop" }"#,
        "kk-----------------------------------kkkkkkkkk",
    ),
    (
        "agent framework window",
        r#"target = "0.5*(W-O)"
           keep = { head = { kinds = ["system"] }, tail = { by = "tokens", n = "target", unit = "group" } }
           mask = [{ on = "tool_group", keep_n = 4, how = "collapse" }]
           cut = { at = ["group"] }
           rest = { do = "drop" }"#,
        "k--------------------------mmmmmmkkmmmmkkkkkkk",
    ),
    (
        "agent framework summary",
        r#"keep = { head = { kinds = ["system"] }, tail = { by = "messages", n = 4, unit = "group" } }
           cut = { at = ["group"], direction = "back" }
           rest = { do = "summarise" }"#,
        "k----------------------------------------kkkkk",
    ),
    (
        "anthropic clear",
        r#"mask = [{ on = "tool_result", keep_n = 3, how = "clear" }]"#,
        "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkmkmkkkkkkk",
    ),
    (
        "swe-agent",
        r#"mask = [{ on = "tool_result", keep_n = 5, keep_first = 1, how = "clear" }]"#,
        "kkkkkkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkkkkkkkkkkk",
    ),
    (
        "llamaindex",
        r#"keep = { tail = { by = "tokens", n = 21000 } }
           cut = { at = ["user"], else = "last_turn" }
           rest = { do = "drop" }"#,
        "----------------------------------kkkkkkkkkkkk",
    ),
    (
        "zed",
        r#"keep = { head = { kinds = ["system"] }, roles = { kinds = ["user"], budget = "80000/4", edge = "cut_end" } }
           rest = { do = "summarise" }"#,
        "k-k---------------k---------------k-----------",
    ),
    (
        "goose",
        r#"keep = { head = { kinds = ["system"] }, pin = ["last_user"] }
           rest = { do = "summarise" }"#,
        "k---------------------------------k-----------",
    ),
    (
        "inspect trim",
        r#"keep = { head = { kinds = ["system", "first_user"] }, tail = { by = "message_share", n = 0.8 } }
           cut = { at = ["any"] }
           rest = { do = "drop" }
           pair = { orphan_call = "dropped", orphan_result = "dropped" }"#,
        "kkk--------kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ),
    (
        "pending approval",
        r#"keep = { pin = ["pending_call"] }
           rest = { do = "drop" }"#,
        "---------------------------------------------k",
    ),
    (
        "too little would go",
        r#"keep = { head = { messages = 4 }, tail = { by = "messages", n = 39 } }
           rest = { do = "summarise" }
           guards = { min_progress = 0.1 }"#,
        "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ),
    (
        "newest turns",
        r#"keep = { tail = { by = "turns", n = 2 } }
           rest = { do = "summarise" }"#,
        "------------------kkkkkkkkkkkkkkkkkkkkkkkkkkkk",
    ),
];

#[test]
fn the_primitives_make_the_policies_of_other_runtimes() {
    let hand = incident();
    let window = Window { tokens: 128_000, assumed: false, output: 16_000, input: 112_000 };
    for (name, toml, want) in OTHERS {
        assert_eq!(letters(&hand, &written(&format!("recover = \"none\"\n{toml}")), window), *want, "{name}");
    }
}

#[test]
fn a_policy_without_a_guard_tears_a_pair_and_one_with_a_guard_does_not() {
    let hand = incident();
    let context = Context::of(&hand.lane, None);
    let messages = by_event(&context);
    // The newest 10 of the 46 messages begin with a result.
    let torn = |cut: &str| {
        let text =
            format!("recover = \"none\"\nkeep = {{ tail = {{ by = \"messages\", n = 10 }} }}\nrest = {{ do = \"drop\" }}\n{cut}");
        let policy = written(&text);
        let run = simulate(&context, &messages, &policy, &policy.env(WINDOW, messages.len()), None);
        run.torn.iter().map(|torn| (torn.part, torn.stays)).collect::<Vec<_>>()
    };
    let span_of_the_36th = messages.get(36).map(|message| message.part).unwrap();
    assert_eq!(torn(""), [(span_of_the_36th, Hold::Tail)]);
    assert_eq!(torn("cut = { at = [\"any\"] }"), [(span_of_the_36th, Hold::Tail)]);
    assert_eq!(torn("cut = { at = [\"group\"] }"), []);
    assert_eq!(torn("cut = { at = [\"user\", \"assistant\"], direction = \"back\" }"), []);
    assert_eq!(torn("pair = { orphan_result = \"dropped\" }"), []);
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
        let env = policy.env(WINDOW, messages.len());
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
