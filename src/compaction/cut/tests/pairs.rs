//! Calls and results: who keeps them together, who does not, and what is done about the halves.

use super::*;
use crate::compaction::policy::Unknown;
use crate::compaction::testing::built_in;

/// The policies that part a call from its result, since their runtimes look at no pair: the verdict names the torn spans.
const TEARS: &[&str] = &["autogen-buffered", "autogen-head-tail", "autogen-token", "cline-legacy", "openhands-amortized"];

/// What a policy tears of a session, at each of its moments, with what its user might have set.
fn torn(policy: &Policy, hand: &Hand, window: Window) -> usize {
    let moments = (0..hand.lane.events.len()).map(|n| Some(EventIx::from_index(n)));
    let contexts = moments.map(|at| Context::of(&hand.lane, at));
    let run = |context: &Context<'_>| {
        let messages = by_event(context);
        simulate(context, &messages, policy, &policy.env(window, messages::load(&messages)), None).torn.len()
    };
    contexts.map(|context| run(&context)).sum()
}

#[test]
fn only_runtimes_without_a_guard_tear_a_pair() {
    let groups = "u50 A80+40 r900 r700 A30 r200 t60 A40+10+10 r100 r2000 r30 a90 ".repeat(10);
    let sessions = [incident(), session(&groups), session(&("u10 ".to_owned() + &"A20 r100 ".repeat(60)))];
    let small = Window { tokens: 30_000, assumed: false, output: 4_000, input: 26_000 };
    for policy in built_in().iter() {
        let set: &[Option<f64>] = &[Some(9.0), Some(12.0), Some(2_500.0)];
        let users = if policy.unknown(small).contains(&Unknown::Setting) { set } else { &[None] };
        let tears = users.iter().any(|user| {
            let policy = Policy { user: *user, ..policy.clone() };
            sessions.iter().any(|hand| torn(&policy, hand, small) > 0)
        });
        assert_eq!(tears, TEARS.contains(&&*policy.id), "{}", policy.id);
    }
}

#[test]
fn what_becomes_of_the_halves() {
    let hand = session("u10 A20 r100 A20 r100 A20+20 r100 r100 a10 A20");
    let keep = |keep: &str, pair: &str| {
        let policy =
            written(&format!("recover = \"none\"\nkeep = {{ {keep} }}\nrest = {{ do = \"summarise\" }}\npair = {{ {pair} }}"));
        let context = Context::of(&hand.lane, None);
        let messages = by_event(&context);
        let run = simulate(&context, &messages, &policy, &policy.env(WINDOW, messages::load(&messages)), None);
        (letters(&hand, &policy, WINDOW), run.torn.iter().map(|torn| torn.part).collect::<Vec<_>>())
    };
    let (last, first) = ("tail = { by = \"messages\", n = 6 }", "head = { messages = 2 }");
    let dropped = "orphan_call = \"dropped\", orphan_result = \"dropped\"";
    for (kept, pair, letters, torn) in [
        // A result that comes first is sent, or goes: in no summary either, since its call is in it.
        (last, "", "----kkkkkk", vec![2]),
        (last, dropped, "----xkkkkk", vec![]),
        // A call that comes last gets a made-up result, or goes.
        (first, "", "kk--------", vec![1]),
        (first, "orphan_call = \"stubbed\"", "kk--------", vec![1]),
        (first, dropped, "kx--------", vec![]),
        // Of a parallel group one result is enough to take the rest along.
        ("tail = { by = \"messages\", n = 3 }", dropped, "-------xkk", vec![]),
        ("head = { messages = 7 }", dropped, "kkkkkxx---", vec![]),
        // A call that has no result yet.
        (last, "open_call = \"dropped\"", "----kkkkkx", vec![2]),
    ] {
        assert_eq!(keep(kept, pair), (letters.to_owned(), torn), "{kept} {pair}");
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
        let run = simulate(&context, &messages, &policy, &policy.env(WINDOW, messages::load(&messages)), None);
        run.torn.iter().map(|torn| (torn.part, torn.stays)).collect::<Vec<_>>()
    };
    let span_of_the_36th = messages.get(36).map(|message| message.part).unwrap();
    assert_eq!(torn(""), [(span_of_the_36th, Hold::Tail)]);
    assert_eq!(torn("cut = { at = [\"any\"] }"), [(span_of_the_36th, Hold::Tail)]);
    assert_eq!(torn("cut = { at = [\"group\"] }"), []);
    assert_eq!(torn("cut = { at = [\"user\", \"assistant\"], direction = \"back\" }"), []);
    assert_eq!(torn("pair = { orphan_result = \"dropped\" }"), []);
}
