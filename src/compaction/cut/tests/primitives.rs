//! Single primitives that no built-in policy shows apart from others.

use super::*;

/// What is kept and masked of a session with everything in it.
const SESSION: &str = "u100 t300 A80+20 r900 r700 A30 r200 a90 u40 A50 r600 t500 a60 u20 A40";

#[test]
fn each_primitive_by_itself() {
    let hand = session(SESSION);
    let rest = "rest = { do = \"summarise\" }";
    for (toml, want) in [
        ("keep = { tail = { by = \"tokens\", n = 660 } }", "----------kkk"),
        ("keep = { tail = { by = \"tokens\", n = 660, edge = \"in\" } }", "---------kkkk"),
        ("keep = { tail = { by = \"messages\", n = 4 } }", "---------kkkk"),
        ("keep = { tail = { by = \"events\", n = 4 } }", "----------kkk"),
        ("keep = { tail = { by = \"events\", n = 5 } }", "---------kkkk"),
        ("keep = { tail = { by = \"groups\", n = 4 } }", "--------kkkkk"),
        ("keep = { tail = { by = \"turns\", n = 1 } }", "-----------kk"),
        ("keep = { tail = { by = \"turns\", n = 2 } }", "-------kkkkkk"),
        ("keep = { tail = { by = \"turns\", n = 3 } }", "kkkkkkkkkkkkk"),
        ("keep = { tail = { by = \"turns\", n = 3, if_all = \"no_tail\" } }", "-------------"),
        ("keep = { tail = { by = \"tokens\", n = 1400, unit = \"turn\" } }", "-------kkkkkk"),
        ("keep = { tail = { by = \"tokens\", n = 1000, unit = \"turn\", split_turn = true } }", "----------kkk"),
        ("keep = { tail = { by = \"messages\", n = 1, edge = \"in\", least_texts = 2 } }", "----------kkk"),
        ("keep = { tail = { by = \"messages\", n = 9, most_tokens = 1300 } }", "--------kkkkk"),
        ("keep = { ends = { tokens = 1000 } }", "kk---------kk"),
        ("keep = { tail = { by = \"message_share\", n = 0.9, step = 0.2, until = 800 } }", "------------k"),
        ("keep = { pin = [\"trailing_call\"] }", "------------k"),
        ("keep = { pin = [\"pending_call\", \"last_user\"] }", "-----------kk"),
        ("keep = { pin = [\"turn_final_answers\"] }", "------k---k--"),
        ("keep = { roles = { kinds = [\"assistant\"] } }", "-k--k-k-k-k-k"),
        ("keep = { roles = { kinds = [\"user\"], budget = 130, edge = \"cut_end\" } }", "c------k---k-"),
        // Where the cut may stand.
        ("keep = { tail = { by = \"messages\", n = 4 } }\ncut = { at = [\"answer\"], direction = \"back\" }", "------kkkkkkk"),
        ("keep = { tail = { by = \"messages\", n = 1 } }\ncut = { at = [\"tool\"] }", "-------------"),
        ("keep = { tail = { by = \"messages\", n = 1 } }\ncut = { at = [\"tool\"], else = \"all\" }", "kkkkkkkkkkkkk"),
        ("keep = { tail = { by = \"messages\", n = 1 } }\ncut = { at = [\"tool\"], else = \"last_turn\" }", "-----------kk"),
        // What is refused.
        ("guards = { min_progress = 0.5 }\nkeep = { tail = { by = \"messages\", n = 9 } }", "kkkkkkkkkkkkk"),
        ("guards = { inflate = \"refused\" }\nkeep = { tail = { by = \"messages\", n = 10 } }", "kkkkkkkkkkkkk"),
        ("guards = { inflate = \"refused\" }", "-------------"),
    ] {
        assert_eq!(letters(&hand, &written(&format!("recover = \"none\"\n{toml}\n{rest}")), WINDOW), want, "{toml}");
    }
}

#[test]
fn each_masking_by_itself() {
    let hand = session(SESSION);
    for (keys, want) in [
        ("on = \"thinking\"", "kckkkkkkkkckk"),
        ("on = \"thinking\", keep_n = 1", "kckkkkkkkkkkk"),
        ("on = \"tool_args\"", "kckkmkkkmkkkm"),
        ("on = \"tool_args\", over = 60", "kckkkkkkkkkkk"),
        ("on = \"tool_args\", leaves = 30", "kckkkkkkckkkc"),
        ("on = \"tool_group\", skip_last = 1", "kmmmmmkkmmkkk"),
        ("on = \"tool_group\", keep_n = 2", "kmmmmmkkkkkkk"),
        ("on = \"tool_result\"", "kkmmkmkkkmkkk"),
        ("on = \"tool_result\", leaves = 650", "kkcckkkkkkkkk"),
        ("on = \"tool_result\", over = 650", "kkmmkkkkkkkkk"),
        ("on = \"tool_result\", protect_tokens = 1500", "kkmkkkkkkkkkk"),
        ("on = \"tool_result\", protect_turns = 2", "kkmmkmkkkkkkk"),
        ("on = \"tool_result\", keep_first = 1, keep_n = 1", "kkkmkmkkkkkkk"),
        ("on = \"tool_result\", min_gain = 2400", "kkmmkmkkkmkkk"),
        ("on = \"tool_result\", min_gain = 2401", "kkkkkkkkkkkkk"),
        ("on = \"tool_result\", exclude = [\"Bash\"]", "kkkkkkkkkkkkk"),
        ("on = \"tool_result\", only = [\"Bash\"]", "kkmmkmkkkmkkk"),
        ("on = \"tool_result\", off = true", "kkkkkkkkkkkkk"),
    ] {
        let toml = format!("recover = \"none\"\nmask = [{{ how = \"clear\", {keys} }}]");
        assert_eq!(letters(&hand, &written(&toml), WINDOW), want, "{keys}");
    }
}

#[test]
fn a_masking_that_is_enough_is_all_that_is_done() {
    let hand = session(SESSION);
    let run = |enough: &str| {
        let toml = format!(
            "recover = \"none\"\nmask = [{{ on = \"tool_result\", how = \"clear\", enough = \"{enough}\" }}]\nrest = {{ do = \"drop\" }}"
        );
        letters(&hand, &written(&toml), WINDOW)
    };
    // 3,730 tokens, of which results are 2,400.
    assert_eq!((run("1330").as_str(), run("1329").as_str()), ("kkmmkmkkkmkkk", "xxxxxxxxxxxxx"));
    assert_eq!((run("0.4*tokens").as_str(), run("0.3*tokens").as_str()), ("kkmmkmkkkmkkk", "xxxxxxxxxxxxx"));
}

#[test]
fn what_a_masking_left_is_what_counts_afterwards() {
    let hand = session(SESSION);
    let tail = "recover = \"none\"\nkeep = { tail = { by = \"tokens\", n = 800 } }\nrest = { do = \"summarise\" }";
    assert_eq!(letters(&hand, &written(tail), WINDOW), "----------kkk");
    let both = format!("mask = [{{ on = \"tool_result\", how = \"clear\" }}]\n{tail}");
    assert_eq!(letters(&hand, &written(&both), WINDOW), "-----mkkkmkkk");
}

#[test]
fn what_the_summariser_never_sees_is_dropped() {
    let hand = session(SESSION);
    let see = |newest: u32| {
        let toml = format!("recover = \"none\"\nrest = {{ do = \"summarise\", see = {{ newest_tokens = {newest} }} }}");
        letters(&hand, &written(&toml), WINDOW)
    };
    assert_eq!((see(700).as_str(), see(0).as_str()), ("xxxxxxxxxx---", "xxxxxxxxxxxxx"));
}

#[test]
fn files_that_were_read_again_are_told_by_their_name() {
    let mut hand = Hand::default();
    for file in ["a.rs", "b.rs", "a.rs", "a.rs"] {
        hand.act("Read", 10, 100);
        let call = hand.lane.calls.get_mut(hand.lane.calls.len() - 1).unwrap();
        (call.target, call.world) = (Some(file.into()), Some("file".into()));
    }
    let reads =
        |keep: u32| written(&format!("recover = \"none\"\nmask = [{{ on = \"reads\", how = \"clear\", keep_n = {keep} }}]"));
    assert_eq!(letters(&hand, &reads(1), WINDOW), "kmkkkmkk");
    assert_eq!(letters(&hand, &reads(2), WINDOW), "kmkkkkkk");
}
