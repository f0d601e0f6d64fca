//! What words point at: values for short, labels, items of a list, one of many effects.

use crate::audit::testing::audited;
use crate::audit::{Finding, Severity};

/// What the first boundary of a script lost: class, severity, what was lost, and the costs.
fn lost(script: &str) -> Vec<(&'static str, Severity, String, Vec<&'static str>)> {
    let told = |finding: &Finding| {
        let costs = finding.consequences.iter().map(|cost| cost.class.word()).collect();
        (finding.class.word(), finding.severity, finding.before.clone().unwrap_or_default(), costs)
    };
    audited(script).boundaries.first().unwrap().findings.iter().map(told).collect()
}

const REVIEW: &str = r#"prompt Fix the findings H1, L2 and L3 of the review.
    step m1
    call t1 Bash {"command":"cat > /tmp/review.md <<E\n- H1: wrap the file keys\n- L2: the folder key is not zeroed\n- L3: the list has no pages\nE"}
    result t1 ok
"#;

#[test]
fn a_label_is_lost_with_what_it_was_given_for() {
    let kept = "The user asked to fix the findings H1, L2 and L3. H1: file keys are wrapped. L2 (zero the folder key) and L3 (pages of the list) are pending.";
    assert_eq!(lost(&format!("{REVIEW}boundary\nsummary This is a summary. {kept}\nstep m2\nsay ok")), []);
    let gone = "This is a summary. The user said: \"Fix the findings H1, L2 and L3 of the review.\" H1: file keys are wrapped. Pending: L2, L3.";
    let made_up = r#"call c Bash {"command":"git commit -m 'H1: wrap file keys\nL2: remove dead code\nL3: fix the counter'"}"#;
    let found = lost(&format!("{REVIEW}boundary\nsummary {gone}\nstep m2\n{made_up}\nresult c ok [main 4f2a91c] H1"));
    let [(class, severity, before, costs)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((*class, *severity, costs.as_slice()), ("binding-severed", Severity::High, &["value-diverged"][..]));
    assert_eq!(before, "L2: the folder key is not zeroed\nL3: the list has no pages");
}

#[test]
fn nobody_needs_a_label_that_nobody_uses() {
    let gone = "This is a summary. The findings L2 and L3 are left for later.";
    let script = REVIEW.replace("Fix the findings H1, L2 and L3 of the review.", "Have a look at the review.");
    assert_eq!(
        lost(&format!("{script}boundary\nsummary {gone}\nstep m2\nsay ok")).iter().filter(|one| one.0 == "binding-severed").count(),
        0
    );
    let asked = lost(&format!("{script}boundary\nsummary {gone}\nprompt Show me L2 again.\nstep m2\nsay ok"));
    assert!(asked.iter().any(|(class, severity, ..)| (*class, *severity) == ("binding-severed", Severity::Medium)), "{asked:?}");
}

#[test]
fn the_items_of_a_list_are_lost_with_their_words() {
    let list = "prompt What is left of the review?\nstep m1\nsay Left: 1. rename the lamp driver, 2. zero the folder key, 3. paginate the harbour list\nturn-ended\nprompt skip 1 and do the rest\nstep m2\nsay ok\n";
    let of = |summary: &str| {
        let found = lost(&format!("{list}boundary\nsummary This is a summary. {summary}\nstep m3\nsay ok"));
        found.into_iter().map(|(class, _, before, _)| (class, before)).collect::<Vec<_>>()
    };
    assert_eq!(
        of(
            "The user said \"skip 1 and do the rest\": the lamp driver is not renamed; zero the folder key, paginate the harbour list."
        ),
        []
    );
    let gone = ("binding-severed", "3. paginate the harbour list".to_owned());
    assert_eq!(
        of(
            "Three items were listed. The user said \"skip 1 and do the rest\": the lamp driver is not renamed, the folder key is zeroed."
        ),
        [gone]
    );
}

#[test]
fn many_effects_told_in_a_lump_may_be_done_again() {
    let reply = |n: u32, id: &str| {
        format!(
            "call {id} Bash {{\"command\":\"gh api repos/o/r/pulls/12/comments/{n}/replies -f body=Fixed\"}}\nresult {id} ok {{\"id\":{}}}\n",
            n + 500
        )
    };
    let replies: String = (0..4).map(|n| reply(273_490_000 + n * 7, &format!("c{n}"))).collect();
    let script = |summary: &str, after: &str| {
        lost(&format!(
            "prompt Reply to all comments.\nstep m1\n{replies}boundary\nsummary This is a summary. {summary}\nstep m2\n{after}say ok"
        ))
    };
    let lump = "Replied to all comments of the pull request.";
    let found = script(lump, "");
    assert_eq!(found.iter().map(|one| (one.0, one.1)).collect::<Vec<_>>(), [("completion-erasure", Severity::Low)], "{found:?}");
    let found = script(lump, &reply(273_490_014, "again"));
    let [(class, severity, _, costs)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((*class, *severity, costs.as_slice()), ("completion-erasure", Severity::High, &["repeated-action"][..]));
    let told = "Replied to the comments 273490000, 273490007, 273490014 and 273490021.";
    assert_eq!(script(told, ""), []);
}

#[test]
fn what_was_settled_need_not_be_told_but_must_be_true() {
    let chat = |n: u32| format!("prompt Show me page {n}.\nstep p{n}\nsay Here it is.\nturn-ended\n");
    let settled =
        format!("prompt The overtime rate is 1.35.\nstep m0\nsay Noted.\nturn-ended\n{}", (0..5).map(chat).collect::<String>());
    let of = |summary: &str| {
        let found = lost(&format!(
            "{settled}boundary\nsummary This is a summary. Page 4 was asked for: show me page 4. {summary}\nstep m1\nsay ok"
        ));
        found.into_iter().map(|one| (one.0, one.1)).collect::<Vec<_>>()
    };
    assert_eq!(of("Pages were shown."), []);
    assert_eq!(of("The overtime rate is 1.35."), []);
    assert_eq!(of("The overtime rate is 1.53."), [("committed-value-loss", Severity::Low)]);
}
