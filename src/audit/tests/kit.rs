//! A small kit: a session, summaries that keep everything in other words, and one fault each.

use crate::audit::testing::audited;
use crate::audit::{Finding, FindingClass};

/// What stood before the boundary: one entry of each kind that matters.
const SESSION: &str = r##"prompt Never push to main. Do not drop or rename any column of the orders table.
step m1
say Understood.
turn-ended
prompt Use https://api.example.org/v2 as the base URL from now on.
step m2
say Fine.
turn-ended
prompt From now on run the test suite before applying a patch.
step m3
say I will.
turn-ended
prompt Always keep the changelog in docs/changes/CHANGELOG_v2.md current.
step m4
call w Write {"file_path":"src/a.rs","content":"x"}
result w ok File created successfully at: src/a.rs
call c Bash {"command":"gh pr comment 12 --body 'Fixed in the last commit'"}
result c ok https://github.com/o/r/pull/12#issuecomment-77120
call p Bash {"command":"curl -X POST https://pay.example.org/v1/charges -d amount=4200"}
result p timeout Command timed out after 2m 0s
step m5
call t TodoWrite {"todos":[{"content":"Notify the team about the export","status":"pending","activeForm":"Notifying"},{"content":"Write the export","status":"in_progress","activeForm":"Writing"}]}
result t ok Todos have been modified
step m6
say The export is begun.
"##;

/// A faithful summary, line by line: each line keeps one thing.
const SECTIONED: &[(&str, &str)] = &[
    ("head", "This session is being continued from a previous conversation that ran out of context."),
    ("rules", "## Constraints from the user"),
    ("push", "- Pushing to main is forbidden."),
    ("drop", "- No column of the `orders` table may be dropped or renamed."),
    ("url", "- The base URL is https://api.example.org/v2."),
    ("order", "- A patch may be applied only after the test suite was run."),
    ("log", "- The changelog in `docs/changes/CHANGELOG_v2.md` must always be kept current."),
    ("done-head", "## Done"),
    ("file", "- Created src/a.rs (not checked, not committed yet)."),
    ("comment", "- Commented on PR 12 (https://github.com/o/r/pull/12#issuecomment-77120)."),
    ("unknown-head", "## Outcome unknown"),
    ("charge", "- The POST to https://pay.example.org/v1/charges timed out; check before retrying whether it went through."),
    ("pending-head", "## Pending Tasks"),
    ("export", "- Write the export (in progress)."),
    ("notify", "- Notify the team about the export (not started)."),
];

const PROSE: &[(&str, &str)] = &[
    ("head", "This conversation was compacted. Here is what matters."),
    ("push", "The user said never to push to main."),
    ("drop", "Columns of the orders table must not be dropped, and must not be renamed either."),
    ("url", "All requests go to the base URL https://api.example.org/v2."),
    ("order", "Before a patch is applied, the test suite has to be run."),
    ("log", "The user always wants docs/changes/CHANGELOG_v2.md, the changelog, to be kept current."),
    ("file", "I wrote src/a.rs, which has neither been checked nor committed."),
    ("comment", "I posted a comment on PR 12: https://github.com/o/r/pull/12#issuecomment-77120."),
    ("charge", "The charge request to https://pay.example.org/v1/charges timed out and its outcome is unknown."),
    ("export", "The export is still being written, that is in progress."),
    ("notify", "The team has not been notified about the export yet."),
];

fn summary(lines: &[(&str, &str)], change: &[(&str, &str)], added: &[&str]) -> Vec<Finding> {
    let told = |(name, line): &(&str, &str)| match change.iter().find(|(changed, _)| changed == name) {
        Some((_, "")) => None,
        Some((_, line)) => Some((*line).to_owned()),
        None => Some((*line).to_owned()),
    };
    let text: Vec<String> = lines.iter().filter_map(told).chain(added.iter().map(|line| (*line).to_owned())).collect();
    // The script has one event a line: line breaks of a text are written as such.
    let script = format!("{SESSION}boundary\nsummary {}\nstep m9\nsay ok", text.join("\\n"));
    audited(&script).boundaries.remove(0).findings
}

fn classes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.class.word()).collect()
}

#[test]
fn of_a_faithful_summary_nothing_is_found() {
    for lines in [SECTIONED, PROSE] {
        let found = summary(lines, &[], &[]);
        assert!(found.is_empty(), "{:#?}", found.iter().map(|f| (f.class, &f.before, &f.after)).collect::<Vec<_>>());
    }
}

/// Faults of lines that both summaries have, with the class that each must be found as.
const FAULTS: &[(FindingClass, &str, &[&str])] = &[
    (FindingClass::ConstraintEvaporation, "push", &[""]),
    (FindingClass::ConstraintEvaporation, "drop", &["", "- The user works on the orders table."]),
    (FindingClass::ConstraintEvaporation, "log", &[""]),
    (FindingClass::ConstraintEvaporation, "order", &[""]),
    (FindingClass::CommittedValueLoss, "url", &["- The base URL is https://api.example.org/v3.", "- The base URL is set.", ""]),
    (
        FindingClass::NegationLoss,
        "push",
        &["- Push to main.", "- The user pushes to main.", "- Pushing to main should preferably be avoided if possible."],
    ),
    (
        FindingClass::NegationLoss,
        "drop",
        &["- Columns of the orders table are dropped or renamed.", "- Columns of the orders table may be dropped or renamed."],
    ),
    (
        FindingClass::OrderingFlattening,
        "order",
        &[
            "- Run the test suite and apply the patch.",
            "- Apply a patch, then run the test suite.",
            "- The test suite is run, and patches are applied.",
        ],
    ),
    (
        FindingClass::IdentifierDrift,
        "log",
        &["- The changelog in `CHANGELOG.md` must always be kept current.", "- Always keep changelog.md, the changelog, current."],
    ),
    (
        FindingClass::CompletionErasure,
        "comment",
        &["", "- Still to do: comment on PR 12.", "- Pending: post the comment on PR 12."],
    ),
    (
        FindingClass::AmbiguousOutcomeErasure,
        "charge",
        &[
            "- The POST to https://pay.example.org/v1/charges failed.",
            "- The charge request to https://pay.example.org/v1/charges succeeded.",
            "- The request to charges ended with an error.",
        ],
    ),
    (FindingClass::ObligationErased, "charge", &[""]),
    (FindingClass::ObligationErased, "notify", &[""]),
    (
        FindingClass::ConfirmationCollapse,
        "notify",
        &[
            "- [x] Notify the team about the export.",
            "- The team was notified about the export.",
            "- Wrote the export and notified the team about it.",
        ],
    ),
];

#[test]
fn each_fault_is_found_as_what_it_is_and_nothing_else_is() {
    let mut wrong = Vec::new();
    for (class, line, wordings) in FAULTS {
        for (style, lines) in [("sectioned", SECTIONED), ("prose", PROSE)] {
            for wording in *wordings {
                let found = summary(lines, &[(line, wording)], &[]);
                if classes(&found) != [class.word()] {
                    wrong.push(format!("{} {line} {style} {wording:?}: {:?}", class.word(), told(&found)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn told(findings: &[Finding]) -> Vec<(&'static str, Option<&str>, Option<&str>)> {
    findings.iter().map(|finding| (finding.class.word(), finding.before.as_deref(), finding.after.as_deref())).collect()
}

#[test]
fn what_nobody_said_is_found() {
    let mut wrong = Vec::new();
    for (class, added) in [
        (FindingClass::AuthorityFabricated, "- The user approved deploying to production."),
        (FindingClass::AuthorityFabricated, "- User: \"yes, go ahead and merge the release\""),
        (FindingClass::AuthorityFabricated, "- The user confirmed that the legacy service can be deleted."),
        (FindingClass::AuthorityFabricated, "- The user asked to deploy the billing service to production."),
        (FindingClass::ConstraintInflation, "- Never use async functions in the parser module."),
        (FindingClass::ConstraintInflation, "- Must not modify any generated protobuf stubs."),
    ] {
        for (style, lines) in [("sectioned", SECTIONED), ("prose", PROSE)] {
            let found = summary(lines, &[], &[added]);
            if classes(&found) != [class.word()] {
                wrong.push(format!("{} {style} {added:?}: {:?}", class.word(), told(&found)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
