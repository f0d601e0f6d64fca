//! What stays beside a summary tells its own part: the summary speaks of what was there when that began.

use crate::audit::Severity;
use crate::audit::testing::audited;

/// What of weight the first boundary of a script lost: class, severity, and what was lost.
fn lost(script: &str) -> Vec<(&'static str, Severity, String)> {
    let boundary = audited(script).boundaries.remove(0);
    let of_weight = boundary.findings.into_iter().filter(|finding| finding.severity >= Severity::Medium);
    of_weight.map(|finding| (finding.class.word(), finding.severity, finding.before.unwrap_or_default())).collect()
}

#[test]
fn a_label_may_be_explained_by_a_message_that_stays() {
    let of = |boundary: &str| {
        lost(&format!(
            r#"prompt Fix the findings H1, L2 and L3 of the review.
            step m1
            call t1 Bash {{"command":"cat > /tmp/review.md <<E\n- H1: wrap the file keys\n- L2: the folder key is not zeroed\n- L3: the list has no pages\nE"}}
            result t1 ok
            step m2
            say H1 is fixed. L2: the folder key is not zeroed. L3: the list has no pages.
            {boundary}
            summary This is a summary. The user asked to fix the findings H1, L2 and L3. H1: file keys are wrapped. L2 and L3 are pending.
            step m3
            say ok"#
        ))
    };
    assert_eq!(of("boundary keep 6"), []);
    assert!(of("boundary").iter().any(|(class, ..)| *class == "binding-severed"), "{:?}", of("boundary"));
}

#[test]
fn how_something_ended_in_the_messages_that_stay_those_tell() {
    let todo = |status: &str| {
        format!(
            r#"TodoWrite {{"todos":[{{"content":"Paginate the harbour list","status":"{status}","activeForm":"Paginating"}}]}}"#
        )
    };
    let of = |boundary: &str| {
        let (open, done) = (todo("pending"), todo("completed"));
        lost(&format!(
            "prompt Carry on with the plan.\nstep m1\ncall t1 {open}\nresult t1 ok Todos have been modified\nstep m2\ncall t2 {done}\nresult t2 ok Todos have been modified\n{boundary}\nsummary This is a summary. The user said: \"Carry on with the plan.\"\\n## Pending\\n- Paginate the harbour list\nstep m3\nsay ok"
        ))
    };
    assert_eq!(of("boundary keep 6 7"), []);
    assert_eq!(of("boundary"), [("stale-directive", Severity::Medium, "Paginate the harbour list".to_owned())]);
}

#[test]
fn a_habit_of_the_human_orders_nothing() {
    let of = |summary: &str| {
        lost(&format!(
            r#"prompt Comment on the issue with a short "Thanks for telling us".
            step m1
            call c1 Bash {{"command":"gh issue comment 288 --body 'Thanks for telling us'"}}
            result c1 ok https://github.com/o/r/issues/288#issuecomment-77120
            step m2
            say Done.
            boundary
            summary This is a summary.\n{summary}
            step m3
            say ok"#
        ))
    };
    let comment = |severity| [("completion-erasure", severity)];
    let told = |found: Vec<(&'static str, Severity, String)>| {
        found.into_iter().map(|(class, severity, _)| (class, severity)).collect::<Vec<_>>()
    };
    let body = "Comment on issues with a short \"Thanks for telling us\"";
    assert_eq!(told(of(&format!("## User Preferences\\n- {body}"))), comment(Severity::Medium));
    assert_eq!(told(of(&format!("## Next Steps\\n- {body}"))), comment(Severity::High));
}
