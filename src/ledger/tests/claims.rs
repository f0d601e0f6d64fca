//! What an agent reports as done: claimed, until the human says more or it is seen.

use crate::ledger::testing::fold;
use crate::ledger::tests::commitments::of;

#[test]
fn what_is_reported_as_done_is_claimed_until_the_human_says_more() {
    let edit = "call e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\nstep m2\n";
    let test = "call t Bash {\"command\":\"npm test\"}\nresult t ok\nstep m3\n";
    let status = |prompt: &str, said: &str, then: &str| {
        let script = format!("prompt {prompt}\nstep m1\n{edit}{test}say {said}\nturn-ended\n{then}");
        of(&fold(&script), "header").into_iter().next().unwrap()
    };
    let asked = "Make the header of the report stand out.";
    for (prompt, said, then, expected) in [
        (asked, "The header stands out now.", "", "requirement claimed"),
        (asked, "The header stands out now. The footer is still to do.", "", "requirement claimed"),
        (asked, "I have begun. The header is not done yet.", "", "requirement live"),
        (asked, "Shall the header be bold, too?", "", "requirement live"),
        ("Do not touch the header of the report.", "The footer is blue now.", "", "prohibition live"),
        ("Please make only the header of the report stand out.", "It stands out now.", "", "requirement claimed"),
        (asked, "The header stands out now.", "prompt Make the header of the report stand out.", "requirement live"),
        (asked, "The header stands out now.", "rolled-back 1", "requirement abandoned"),
        // What names a file that was written, and checked, is done when the next prompt does not come back to it.
        (
            "Give the header in report.css more room.",
            "It has more room now.",
            "prompt Add room for the rows.",
            "requirement discharged",
        ),
        (
            "Give the header in print.css more room.",
            "It has more room now.",
            "prompt Add room for the rows.",
            "requirement claimed",
        ),
    ] {
        assert_eq!(status(prompt, said, then), expected, "{prompt} / {said} / {then}");
    }
}

#[test]
fn a_report_that_a_call_follows_was_none() {
    let done = "step m1\ncall e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\n\
                step m2\nuntold The header of the report is twice as large as it was, and its colour is that of the title page.\n";
    let script = |then: &str| of(&fold(&format!("prompt Make the header of the report stand out.\n{done}{then}")), "header");
    assert_eq!(script("")[0], "requirement claimed");
    assert_eq!(script("call f Read {\"file_path\":\"/w/report.css\"}")[0], "requirement live");
    assert_eq!(script("turn-ended")[0], "requirement claimed");
    let unknown = "call p Bash {\"command\":\"npm publish\"}\nresult p timeout\nstep m3\nsay The header of the report is published.\nturn-ended";
    assert_eq!(script(unknown)[0], "requirement live", "nobody knows");
}

#[test]
fn what_had_to_be_asked_about_first_is_claimed_with_the_answer() {
    let edit = "call e Edit {\"file_path\":\"/w/report.css\",\"old_string\":\"a\",\"new_string\":\"b\"}\nresult e ok\nstep m3\n";
    let script = format!(
        "prompt Make the header of the report stand out.\nstep m1\nsay How large shall it be?\nturn-ended\n\
         prompt Twice as large. The title page has an example.\nstep m2\n{edit}say It is twice as large now.\nturn-ended"
    );
    assert_eq!(of(&fold(&script), "header"), ["requirement claimed"]);
}
