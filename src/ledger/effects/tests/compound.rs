//! Several commands at once: the strongest speaks. And commands that are broken.

use proptest::prelude::*;

use super::super::{Atomicity, Class, Known};
use super::{CLAUDE, call, check, classifier, command, line};
use crate::transcript::{Call, Input};

#[test]
fn the_strongest_command_speaks() {
    check(&[
        ("cd /work/app && git status", "read [git status]"),
        ("cd /work/app", "control [cd]"),
        ("git add -A && git commit -m x && git push", "external safe [git push]"),
        ("git add -A && git commit -m \"$(cat <<'EOF'\ngit push\nEOF\n)\"", "create safe [git commit]"),
        ("cargo test && git push", "external safe [git push]"),
        ("cargo test || echo failed", "check [cargo test]"),
        ("ls; rm a", "write safe [rm a] a"),
        ("ls | tee out.txt | wc -l", "write safe [tee out.txt] out.txt"),
        ("(cd sub && npm publish)", "external safe [npm publish]"),
        ("if [ -f a ]; then rm a; else git push; fi", "external safe [git push]"),
        ("for n in 1 2 3; do gh pr comment $n -b x; done", "external harm [gh pr comment $n] $n"),
        (
            "while read l; do curl -X POST https://example.org/$l; done < f",
            "external harm [curl POST https://example.org/$l] https://example.org/$l",
        ),
        ("X=$(git push)", "external safe [git push]"),
        ("echo $(rm a)", "write safe [rm a] a"),
        ("diff <(ls a) <(rm b)", "write safe [rm b] b"),
        ("deploy() { git push; }; deploy", "external safe [git push]"),
        ("./unknown.sh && touch a", "write? unknown [touch a] a"),
        ("./unknown.sh && git commit -m x", "create unknown [git commit]"),
        ("case $1 in a) rm x;; *) ls;; esac", "write safe [rm x] x"),
        ("# only a comment", "control [Bash]"),
        ("", "control [Bash]"),
        ("git push &", "external safe [git push]"),
        ("! git push", "external safe [git push]"),
    ]);
}

#[test]
fn a_failure_says_something_about_one_command_only() {
    use Atomicity::{Atomic, Chain, One, Partial, Several};
    let mut classifier = classifier();
    for (text, expected) in [
        ("git commit -m x", Atomic),
        ("git add -A && git commit -m x", Atomic),
        ("cargo test && git push 2>&1 | tail -5", Atomic),
        ("git commit -m x && git status", Atomic),
        ("git commit -m x && cargo test", Several),
        ("git commit -m x && git push", Chain),
        ("git commit -m x; git push", Several),
        ("git commit -m x || git push", Several),
        ("./x.sh; git commit -m x && git push", Several),
        ("for n in 1 2; do git push; done", Several),
        ("rm a b", Partial),
        ("cd /w && rm a", One),
        ("rm *.txt", Partial),
        ("rm -r a", Partial),
        ("git push --tags", Partial),
        ("rm a; echo done", One),
        ("rm a; ls", Several),
        ("mkdir -p a && cp x a/", Several),
    ] {
        assert_eq!(command(&mut classifier, text).atomicity, expected, "{text}");
    }
}

#[test]
fn a_broken_command_is_read_as_far_as_it_goes() {
    check(&[
        ("git push origin main && git commit -m 'unfinished", "external safe [git push origin main] origin main"),
        ("cat > notes.md <<EOF\nrm -rf /", "write safe [cat > notes.md] notes.md"),
        ("if true; then git push", "external safe [git push]"),
        ("git push ) (", "external safe [git push]"),
        ("echo $(", "control [echo]"),
        ("dir C:\\work /s | findstr x", "execute? unknown [findstr x]"),
    ]);
}

#[test]
fn depth_and_length_are_bounded() {
    let mut classifier = classifier();
    let deep = format!("{}git push{}", "(".repeat(3000), ")".repeat(3000));
    command(&mut classifier, &deep);
    let long = command(&mut classifier, &format!("echo {} ; git push", "x ".repeat(200_000)));
    assert_eq!((long.class, long.known), (Class::Execute, Known::Inferred), "what is not read may do anything");
    let document = format!("cat > a.txt <<'EOF'\n{}EOF\ngit push", "rm -rf /\n".repeat(100_000));
    assert_eq!(line(&command(&mut classifier, &document)), "external safe [git push]", "a long document is no long script");
    let document = format!("psql <<EOF\n{}delete from b;\nEOF", "select 1 from a;\n".repeat(150));
    assert_eq!(line(&command(&mut classifier, &document)), "write safe [psql delete b] b");
    let document = format!("psql <<EOF\n{}delete from b;\nEOF", "-- nothing\n".repeat(100_000));
    assert_eq!(line(&command(&mut classifier, &document)), "write safe [psql delete b] b");
    let mut nested = "git push".to_owned();
    for _ in 0..12 {
        nested = format!("bash -c {}", shell_quoted(&nested));
    }
    assert!(command(&mut classifier, &nested).class.has_effect(), "a script too deep to read may do anything");
    let wrapped = format!("{}git push", "sudo ".repeat(5000));
    command(&mut classifier, &wrapped);
}

fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

proptest! {
    #[test]
    fn any_command_is_read(text in "\\PC{0,80}|([a-z]{1,4}|[|&;<>(){}$'\"`\\\\\n -]){0,60}") {
        let action = command(&mut classifier(), &text);
        prop_assert!(action.label.len() <= 160 && !action.label.chars().any(char::is_control));
        prop_assert!(action.intent.len() <= 400);
    }

    #[test]
    fn any_call_is_read(tool in "\\PC{0,20}|Bash|exec|apply_patch|Write|mcp__a__b", input in "\\PC{0,60}|\\{\"[a-z]{0,8}\":[\\[\\]{}0-9\",a-z]{0,20}\\}") {
        let mut classifier = classifier();
        for input in [Input::Json(input.as_str().into()), Input::Text(input.as_str().into())] {
            for agent in [CLAUDE, crate::transcript::Agent("codex"), crate::transcript::Agent("nobody")] {
                classifier.explain(agent, &Call { id: "x".into(), tool: tool.as_str().into(), input: input.clone() });
            }
        }
        classifier.classify(CLAUDE, &call(&tool, &input));
    }
}
