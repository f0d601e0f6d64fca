//! What the built-in policies do with one incident: each row was worked out by hand from what its runtime is known to do.

use super::*;
use crate::compaction::testing::built_in;

/// The incident, one letter a message (`R` rules, `j` put in, `u` prompt, `A` call, `r` result, `a` answer), and what each policy does
/// to it in a window of 128,000 tokens. A number is what the runtime's user has set, where nothing happens without.
const INCIDENT: &str = "RjuArArArArArArArauArArArArArArArauArArArArArA";

#[rustfmt::skip]
const PRESETS: &[(&str, Option<f64>, &str, &str)] = &[
    ("claude-code",              None, "k---------------------------------------------", "no message stays"),
    ("claude-code-micro",        None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkkkkkkkkkkk", "the newest 5 of 19 results"),
    ("claude-code-early",        None, "k---------------------------------------------", "no message stays"),
    ("claude-code-micro-size",   None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkkkkkkkkkkkkkkk", "5 results of 6,000 and 1 of 7,000 fit 40,000"),
    ("claude-code-memory",       None, "k------------------------------kkkkkkkkkkkkkkk", "looks for 5 texts, up to 40,000 tokens"),
    ("codex-local",              None, "k-k---------------k---------------k-----------", "what the human typed; rules are put back"),
    ("codex-remote-v1",          None, "k-k---------------k---------------k-----------", "the same"),
    ("codex-remote-v2",          None, "k-k---------------k---------------k-----------", "the same"),
    ("gemini-cli",               None, "k---------------------------------kkkkkkkkkkkk", "before the last prompt stand less than 70 %"),
    ("gemini-cli-mask",          None, "kkkkckckckckckckckkkckckckckckkkkkkkkkkkkkkkkk", "5 results of 6,000 and 2 of 7,000 fit 50,000"),
    ("qwen-code",                None, "k--------------------------------------------k", "the call that waits"),
    ("qwen-code-old",            None, "k---------------------------------kkkkkkkkkkkk", "70 % stand before the last prompt"),
    ("opencode",                 None, "k----------------------------------------kkkkk", "the last turn has 30,565 tokens: 15,000 of it"),
    ("opencode-v2",              None, "k---------------------------------kkckckckckck", "back to the prompt; results up to 2,000 characters"),
    ("kilo",                     None, "k---------------------------------------------", "no message stays"),
    ("goose",                    None, "k---------------------------------k-----------", "the newest prompt, once more"),
    ("cline",                    None, "k---------------------------------kkkkkkkkkkkk", "the system prompt is sent anew; 20,000 tokens are within the latest turn"),
    ("cline-basic",              None, "k-k--------------kk--------------kkkkkkkkkkkkk", "prompts, and what ended each turn"),
    ("cline-legacy",             None, "kkxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkkkkkkkkkkkk", "22 of 44: the first that stays is a result"),
    ("roo",                      None, "k---------------------------------------------", "no message stays"),
    ("roo-truncate",             None, "kxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkkkkkkkkkkkkk", "22 of 45"),
    ("openhands",                None, "kkkkk--------------------------kkkkkkkkkkkkkkx", "4 and a result; 56,000 tokens with them; the open call is left out"),
    ("openhands-mask",           None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkkkkkkkkkkk", "the newest 5 results"),
    ("openhands-amortized",      None, "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "fewer than 50 events"),
    ("openhands-window",         None, "kkkxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkkkkkkkkkkk", "21 of 43, and one leading result"),
    ("pi",                       None, "k--------------------------------------kkkkkkk", "20,000 are reached at a result: the next message"),
    ("crush",                    None, "k---------------------------------------------", "no message stays"),
    ("aider",                    None, "----------------------------------kkkkkkkkkkkk", "less than 3,500 tokens, back to the prompt"),
    ("zed",                      None, "k-k---------------k---------------k-----------", "what the human typed"),
    ("copilot-cli",              None, "k---------------------------------------------", "nobody knows"),
    ("swe-agent",                None, "kkkkkkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkkkkkkkkkkk", "the first result and the newest 5"),
    ("openai-compact",           None, "--k---------------k---------------k-----------", "what the human typed"),
    ("anthropic-clear",          None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkmkmkkkkkkk", "the newest 3 results"),
    ("anthropic-compact",        None, "k---------------------------------------------", "no message stays"),
    ("anthropic-sdk-runner",     None, "k---------------------------------------------", "no message stays"),
    ("langchain-summarize",      None, "xxxxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkkkkkkkkkkk", "20, back to a call; a result of 7,000 hides the rest"),
    ("langchain-clear",          None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkmkmkkkkkkk", "the newest 3 results"),
    ("deepagents",               None, "-------------------------------------------kkk", "11,200 tokens"),
    ("llamaindex-memory",        None, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkk", "21,000 begin within the last turn: all of it"),
    ("llamaindex-summary-buffer",None, "------------------kkkkkkkkkkkkkkkkkkkkkkkkkkkk", "96,000 begin within the first turn: the next"),
    ("letta",                    None, "k----------------kkkkkkkkkkkkkkkkkkkkkkkkkkkkk", "18 of 46, back to an answer; 77,077 is under 70 %"),
    ("autogen-buffered",   Some(12.0), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkkkkk", "the newest 12"),
    ("autogen-head-tail",  Some(12.0), "kkxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxkkkkkkkkk", "2, and the newest 10 without a leading result"),
    ("autogen-token",      Some(1e5),  "kkkkkkkkkkkkkkkkxxxxxxxxxxxxxxxkkkkkkkkkkkkkkk", "15 of the middle come to 36,432 tokens"),
    ("semantic-kernel",    Some(12.0), "k---------------------------------kkkkkkkkkkkk", "the newest 12 begin with a prompt"),
    ("maf-window",               None, "kkkmcmcmcmcmcmcmkkkmkmcmcmcmcmcmckkmcmckkkkkkk", "all but 4 groups collapse, and that is enough"),
    ("maf-summarize",            None, "k----------------------------------------kkkkk", "4 messages in whole groups"),
    ("google-adk",               None, "k---------------------------------------------", "no message stays"),
    ("inspect-edit",             None, "kkkkmkmkmkmkmkmkmkkkmkmkmkmkmkmkmkkkmkmkkkkkkx", "the newest 3 results, and no open call"),
    ("inspect-trim",             None, "kkkxxxxxxxxkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkx", "8 of 43 go, and the open call"),
    ("inspect-summary",          None, "kkk-------------------------------------------", "up to the first prompt"),
    ("vercel-prune",             None, "kkkmmmmmmmmmmmmmmkkmmmmmmmmmmmmmmkkmmmmmmmmkkk", "calls stay where one of the newest two answers them"),
    ("keep-last",                None, "k------------------------kkkkkkkkkkkkkkkkkkkkk", "20, back to a call"),
    ("oldest-share",             None, "k----------------------------kkkkkkkkkkkkkkkkk", "27 of 45, and one leading result"),
];

#[test]
fn the_presets_keep_what_their_runtimes_keep() {
    let hand = incident();
    let context = Context::of(&hand.lane, None);
    let kinds = by_event(&context).into_iter().map(|message| match message.kind {
        Kind::System => 'R',
        Kind::Injected => 'j',
        Kind::User => 'u',
        Kind::Assistant if message.has_calls() => 'A',
        Kind::Assistant => 'a',
        Kind::Result => 'r',
        Kind::Summary => 's',
    });
    assert_eq!(kinds.collect::<String>(), INCIDENT);
    for (name, user, want, why) in PRESETS {
        assert_eq!(letters(&hand, &Policy { user: *user, ..policy(name) }, SMALL), *want, "{name}: {why}");
    }
    let mut rows: Vec<&str> = PRESETS.iter().map(|row| row.0).collect();
    rows.sort_unstable();
    assert_eq!(rows, built_in().iter().map(|policy| &*policy.id).collect::<Vec<_>>(), "every policy has a row");
}

/// Window, output, input and threshold, in tokens.
#[rustfmt::skip]
const TRIGGERS: &[(&str, u64, u64, u64, Option<u64>)] = &[
    ("codex",          272_000, 128_000, 272_000, Some(244_800)),
    ("claude-code",    200_000,  32_000, 168_000, Some(167_000)),
    ("qwen-code",      200_000,  32_000, 168_000, Some(167_000)),
    ("qwen-code",       32_000,   4_000,  28_000, Some(27_200)),
    ("crush",          200_000,  32_000, 168_000, Some(160_000)),
    ("crush",        1_000_000,  32_000, 968_000, Some(980_000)),
    ("cline-legacy",    64_000,   8_000,  56_000, Some(37_000)),
    ("cline-legacy",   128_000,   8_000, 120_000, Some(98_000)),
    ("cline-legacy",   200_000,   8_000, 192_000, Some(160_000)),
    ("cline-legacy", 1_000_000,   8_000, 992_000, Some(960_000)),
    ("pi",             200_000,  32_000, 168_000, Some(183_616)),
    ("aider",          200_000,       0, 200_000, Some(8_192)),
    ("aider",          100_000,       0, 100_000, Some(6_250)),
    ("opencode",       200_000,  32_000, 168_000, Some(148_000)),
    ("opencode-v2",    200_000,  32_000, 168_000, Some(148_000)),
    ("roo",            200_000,   8_192, 191_808, Some(171_808)),
    ("gemini",       1_048_576,  65_536, 1_048_576, Some(524_288)),
    ("goose",          128_000,  16_000, 112_000, Some(102_400)),
    ("cline",          200_000,  32_000, 168_000, Some(151_200)),
    ("zed",            200_000,  32_000, 168_000, Some(151_200)),
    ("letta",          128_000,  16_000, 112_000, Some(115_200)),
    ("anthropic",      200_000,  32_000, 168_000, Some(100_000)),
    ("langchain",      200_000,  32_000, 168_000, None),
    ("openhands-mask", 200_000,  32_000, 168_000, None),
];

#[test]
fn the_presets_fire_where_their_runtimes_fire() {
    for (name, tokens, output, input, want) in TRIGGERS {
        let window = Window { tokens: *tokens, assumed: false, output: *output, input: *input };
        assert_eq!(policy(name).trigger_tokens(window), *want, "{name} in {tokens}");
    }
}

/// A session of which a runtime's own tests say what it keeps: sizes and kinds of its 32 messages.
const RECORDED: &str = "u5872 A480 r452 A108 r300 a224 u17 A113 r122 a63 u67 A125 r294 A59 r731 A193 r628 A60 r212 A696 r218 a209 u35 A116 r349 A182 \
    r2481 A103 r214 a131 u9 a16";

#[test]
fn cline_keeps_what_it_kept_of_a_recorded_session() {
    let hand = session(RECORDED);
    assert_eq!(letters(&hand, &policy("cline-basic"), WINDOW), "k----kk--kk----------kk------kkk");
    // Recorded with nothing preserved but the latest turn.
    let bare = written(
        "recover = \"none\"\nkeep = { tail = { by = \"tokens\", n = 0, edge = \"in\" }, pin = [\"last_user_turn\"] }\n\
         cut = { at = [\"user\", \"assistant\"], direction = \"back\" }\nrest = { do = \"summarise\" }",
    );
    assert_eq!(letters(&hand, &bare, WINDOW), "------------------------------kk");
}

#[test]
fn gemini_splits_where_seventy_percent_of_what_masking_left_stand_before_a_prompt() {
    let turns = "u25 a25 ".repeat(10);
    for (words, want) in [
        // The 15th message is the first prompt with 70 % before it.
        (turns.clone(), "--------------kkkkkk"),
        // None has, and the model did not speak last: the last prompt.
        ("u25 a25 ".repeat(7) + "A25 r125", "------------kkkk"),
        // None has, and the model spoke last: everything.
        ("u25 a25 ".repeat(2) + "a900", "-----"),
        // 60,000 tokens of output would be most of it; 50,000 are left at the end, and 60 of the rest.
        ("u25 A25 r60000 a25 u25 A25 r25000 u25 A25 r25000".to_owned(), "-------kkk"),
        ("u25 A25 r60000 a25 u25 A25 r15000 a900 u25 A25 r5000".to_owned(), "--------kkk"),
    ] {
        // A summary longer than what it stands for is refused; these samples are small.
        let mut gemini = policy("gemini-cli");
        gemini.size.summary = 0;
        assert_eq!(letters(&session(&words), &gemini, WINDOW), want, "{words}");
    }
    assert_eq!(letters(&session(&turns), &policy("gemini-cli"), WINDOW), "k".repeat(20), "a summary would be longer");
}
