//! What summaries of real sessions retell in their own way, each beside what would be a loss: read off boundaries by hand.

use crate::audit::testing::audited;
use crate::audit::{Consequence, Finding};

/// A session up to its boundary, the summary, how it goes on, and the classes with their costs.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// What the answer to a question tool says.
const ANSWERED: &str = r#"prompt Plan the telemetry switch.
call q AskUserQuestion {"questions":[]}
result q answered The plan is ready. What next? → property called telemetry instead of telemetry_enabled"#;

/// What options a human chooses from.
const CHOSEN: &str = r"prompt How could we keep the address?
say 1. Store the address on the client.\n2. Ask the server for it.
turn-ended
prompt 1 does seem like a decent path forward, though we might want to improve this in future.";

/// A rule with its reason in brackets.
const REASONED: &str =
    "prompt Move the base of each session. Don't fire HarbourCommit (avoids ACTIVE_LOCK trouble with no tide id).";

/// One of two servers of a repository.
const SERVED: &str = r#"prompt Start the web server.
call s Bash {"command":"pnpm --filter web dev","run_in_background":true}
result s bd0a850 Command running in background with ID: bd0a850"#;

/// A reply to a comment of a review.
const REPLIED: &str = r#"prompt Answer the comment.
call r Bash {"command":"gh api repos/o/r/pulls/125/comments --field in_reply_to=2806962995 --raw-field body='Good catch, it is checked late.'"}
result r ok {"id": 2806970001, "html_url": "https://github.com/o/r/pull/125#discussion_r2806970001"}"#;

/// A commit of tested work that is not pushed.
const UNPUSHED: &str = r#"prompt Mend the gauge and push it.
call p Bash {"command":"git push"}
result p ok To github.com:o/r.git 1111111..2222222 main -> main
call w Write {"file_path":"/r/src/gauge.rs","content":"x"}
result w ok File created successfully at: /r/src/gauge.rs
call t Bash {"command":"cargo test"}
result t ok test result: ok. 241 passed; 0 failed
call c Bash {"command":"git commit -am 'Mend the gauge'"}
result c ok [main 3696270] Mend the gauge"#;

/// A path that only a result shows, and that is opened elsewhere after the boundary.
const SHOWN: &str = r#"prompt The late test fails, look at it.
call g Grep {"pattern":"ManualEdit","path":"/r"}
result g ok cmd/harbour/integration_test/late_final_test.go:735: func TestManualEdit"#;

const OPENED: &str = r#"call r Read {"file_path":"/r/cmd/harbour/strategy/late_final_test.go"}
result r refused File does not exist."#;

/// A request that was opened.
const OPENED_REQUEST: &str = r#"prompt Open a pull request for the sweep.
call p Bash {"command":"gh pr create --base develop --title 'Sweep of the booking pages'"}
result p ok https://github.com/o/r/pull/612"#;

/// A file that was written and not committed.
const WRITTEN: &str = r#"prompt Mend the gauge and write the tide table.
call w Write {"file_path":"/r/src/gauge.rs","content":"x"}
result w ok File created successfully at: /r/src/gauge.rs
call c Bash {"command":"git commit -am 'Mend the gauge'"}
result c ok [main 3696270] Mend the gauge
call t Write {"file_path":"/r/src/tide.rs","content":"x"}
result t ok File created successfully at: /r/src/tide.rs"#;

/// A rule that ended when what it waited for had come.
const MET: &str = "prompt Hands off edge-2 until I confirm the maintenance window. Look at edge-1.
say Looked.
turn-ended
prompt The window is confirmed, go ahead with edge-2.";

const CASES: &[Case] = &[
    (
        ANSWERED,
        "The human asked to plan the telemetry switch, and wants a property called telemetry instead of telemetry_enabled.",
        "",
        &[],
    ),
    (ANSWERED, "The human asked to plan the telemetry switch.", "", &["constraint-evaporation never-performed"]),
    (CHOSEN, "- User agreed option 1 (keep it on the client) was a decent path, and may improve it in future.", "", &[]),
    (
        CHOSEN,
        "- User asked if the backend has the address since it signs tokens with a subject.\\n- User wants 1, a decent path forward, to improve in future.",
        "",
        &[],
    ),
    (REASONED, "The base of each session is to be moved without firing HarbourCommit.", "", &[]),
    (REASONED, "The base of each session is to be moved, and HarbourCommit is to be fired.", "", &["negation-loss"]),
    (
        SERVED,
        "The human asked to start the web server.",
        r#"call a Bash {"command":"PORT=3000 pnpm --filter api dev","run_in_background":true}
result a b77 Command running in background with ID: b77"#,
        &["obligation-erased"],
    ),
    (
        SERVED,
        "The human asked to start the web server.",
        r#"call a Bash {"command":"PORT=5173 pnpm --filter web dev","run_in_background":true}
result a b77 Command running in background with ID: b77"#,
        &["obligation-erased repeated-action acted-unverified"],
    ),
    (
        REPLIED,
        "The human asked to answer the comment.",
        r#"call e Edit {"file_path":"/r/src/tide.rs","old_string":"a","new_string":"b"}
result e ok done
call c Bash {"command":"git commit -am 'Check the tide first'"}
result c ok [main cbb3b6d38] Check the tide first
call r2 Bash {"command":"gh api repos/o/r/pulls/125/comments --field in_reply_to=2806962995 --raw-field body='Fixed in cbb3b6d.'"}
result r2 ok {"id": 2806970002}"#,
        &["completion-erasure"],
    ),
    (UNPUSHED, "The gauge is mended: all 241 tests pass. Commit `3696270` is not pushed yet.", "", &[]),
    (UNPUSHED, "The gauge is mended. The commit `3696270` was pushed.", "", &["confirmation-collapse never-performed"]),
    (OPENED_REQUEST, "The pull request for the sweep was opened, #612.", "", &[]),
    (OPENED_REQUEST, "The pull request for the sweep was opened, #621.", "", &["identifier-drift"]),
    (OPENED_REQUEST, "The pull request for the sweep was opened; lines 6120-6130 were looked at.", "", &["completion-erasure"]),
    (
        WRITTEN,
        "The human asked to mend the gauge and write the tide table. The table src/tide.rs was written last and is neither tested nor committed.",
        "",
        &[],
    ),
    (
        WRITTEN,
        "The human asked to mend the gauge and write the tide table. The table src/tide.rs was written, tested and committed.",
        "",
        &["confirmation-collapse never-performed"],
    ),
    (MET, "The user has confirmed the maintenance window and wants edge-2 done.", "", &[]),
    (
        MET,
        "The user wants edge-2 done. edge-2 must not be touched before the maintenance window is confirmed.",
        "",
        &["stale-directive"],
    ),
    (
        SHOWN,
        "The human reported that the late test fails (late_final_test.go:735); look at it.",
        OPENED,
        &["identifier-drift drifted-identifier-failed"],
    ),
    (
        SHOWN,
        "The human reported that the late test fails (cmd/harbour/integration_test/late_final_test.go:735); look at it.",
        OPENED,
        &[],
    ),
];

#[test]
fn what_is_retold_is_no_loss_and_what_is_lost_is_named() {
    let costs = |costs: &[Consequence]| costs.iter().map(|cost| format!(" {}", cost.class.word())).collect::<String>();
    let word = |finding: &Finding| format!("{}{}", finding.class.word(), costs(&finding.consequences));
    let mut wrong = Vec::new();
    for (before, summary, then, expected) in CASES {
        let script = format!("{before}\nboundary\nsummary This is a summary.\\n\\n{summary}\nstep m9\nsay Going on.\n{then}");
        let audit = audited(&script);
        let found: Vec<String> = audit.findings().map(word).collect();
        if found != *expected {
            let told: Vec<_> = audit.findings().map(|finding| (finding.class, &finding.before, &finding.after)).collect();
            wrong.push(format!("{summary}: {found:?} for {expected:?}: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
