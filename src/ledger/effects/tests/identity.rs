//! The identity of an action: what makes two calls the same.

use proptest::prelude::*;

use super::{CATALOGUE, CLAUDE, call, classifier, command};
use crate::base::hash::Hash64;
use crate::transcript::Agent;

fn action(tool: &str, json: &str) -> Hash64 {
    classifier().classify(CLAUDE, &call(tool, json)).action
}

#[test]
fn these_are_the_same_action() {
    for (tool, one, other) in [
        ("Write", r#"{"file_path":"a","content":"x y"}"#, r#"{ "content" : "x y",  "file_path":"a" }"#),
        (
            "Edit",
            r#"{"file_path":"a","old_string":"x","new_string":"y"}"#,
            r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":false}"#,
        ),
        ("Mine", r#"{"a":{"x":1,"y":[{"p":1,"q":2}]}}"#, r#"{"a":{"y":[{"q":2,"p":1}],"x":1}}"#),
        ("Mine", r#"{"a":"\u0041"}"#, r#"{"a":"A"}"#),
        ("Mine", r#"{"a":1,"request_id":"r1","timestamp":5,"description":"first"}"#, r#"{"a":1,"request_id":"r2"}"#),
        ("Mine", r#"{"a":{"b":1,"trace_id":"t1"}}"#, r#"{"a":{"b":1}}"#),
        ("Mine", r#"{"a":1,"idempotency_key":"k1"}"#, r#"{"a":1,"idempotency_key":"k2"}"#),
        ("Bash", r#"{"command":"git push","description":"Push","timeout":5}"#, r#"{"command":"git   push # now"}"#),
        ("Bash", r#"{"command":"cd /w && git push"}"#, r#"{"command":"cd /w/; git push;"}"#),
        ("Bash", r#"{"command":"a; b"}"#, r#"{"command":"\na\n\nb\n"}"#),
        ("Bash", r#"{"command":"a && b"}"#, r#"{"command":"a &&\\\n  b"}"#),
        (
            "Bash",
            r#"{"command":"curl -X POST -H 'Idempotency-Key: k1' https://example.org"}"#,
            r#"{"command":"curl -X POST -H 'Idempotency-Key: k2' https://example.org"}"#,
        ),
    ] {
        assert_eq!(action(tool, one), action(tool, other), "{one}\n{other}");
    }
}

#[test]
fn these_are_not() {
    for (tool, one, other) in [
        ("Write", r#"{"file_path":"a","content":"x"}"#, r#"{"file_path":"a","content":"x "}"#),
        ("Write", r#"{"file_path":"a","content":"b"}"#, r#"{"file_path":"b","content":"a"}"#),
        ("Mine", r#"{"id":"1"}"#, r#"{"id":"2"}"#),
        ("Mine", r#"{"a":{"b":1}}"#, r#"{"a":{"b":2}}"#),
        ("Mine", r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
        ("Bash", r#"{"command":"git push"}"#, r#"{"command":"git push --force"}"#),
        ("Bash", r#"{"command":"cd /a && npm publish"}"#, r#"{"command":"cd /b && npm publish"}"#),
        ("Bash", r#"{"command":"echo 'a  b'"}"#, r#"{"command":"echo 'a b'"}"#),
        ("Bash", r#"{"command":"echo \"$a $b\""}"#, r#"{"command":"echo \"$a$b\""}"#),
        ("Bash", r#"{"command":"a && b"}"#, r#"{"command":"a || b"}"#),
    ] {
        assert_ne!(action(tool, one), action(tool, other), "{one}\n{other}");
    }
    assert_ne!(action("Edit", "{}"), action("Write", "{}"));
}

#[test]
fn one_command_is_one_action_however_an_agent_hands_it_over() {
    let codex = Agent("codex");
    let mut classifier = classifier();
    let mut of = |tool: &str, json: &str| classifier.classify(codex, &call(tool, json)).action;
    let direct = of("exec_command", r#"{"cmd":"git push","workdir":"/w"}"#);
    assert_eq!(direct, of("shell", r#"{"command":["bash","-lc","git push"],"workdir":"/w"}"#));
    assert_eq!(direct, of("exec_command", r#"{"cmd":"cd /w && git push"}"#));
    assert_eq!(direct, of("exec_command", r#"{"cmd":"cd w && git push","workdir":"/"}"#));
}

#[test]
fn an_explicit_key_is_found_wherever_it_stands() {
    for (tool, json, key) in [
        ("Mine", r#"{"idempotency_key":"k1"}"#, "k1"),
        ("Mine", r#"{"headers":{"Idempotency-Key":"k2"}}"#, "k2"),
        ("Mine", r#"{"body":{"client_request_token":"k3"}}"#, "k3"),
        ("Bash", r#"{"command":"curl -X POST -H 'Idempotency-Key: k4' https://example.org"}"#, "k4"),
        ("Bash", r#"{"command":"aws ecs run-task --client-token k5"}"#, "k5"),
        ("Bash", r#"{"command":"ssh host 'curl -X POST -H \"idempotency-key: k6\" https://example.org'"}"#, "k6"),
    ] {
        assert_eq!(classifier().classify(CLAUDE, &call(tool, json)).key.as_deref(), Some(key), "{json}");
    }
    assert_eq!(command(&mut classifier(), "curl -H 'Accept: x' https://example.org").key, None);
}

#[test]
fn megabytes_are_hashed_as_they_stand() {
    let content = "x\\n".repeat(1 << 20);
    let json = format!(r#"{{"file_path":"a","content":"{content}"}}"#);
    let other = format!(r#"{{"content":"{content}","file_path":"a"}}"#);
    let changed = format!(r#"{{"file_path":"a","content":"{content}y"}}"#);
    assert_eq!(action("Write", &json), action("Write", &other));
    assert_ne!(action("Write", &json), action("Write", &changed));
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec!["git", "push", "rm", "-rf", "a.txt", "--force", "cargo", "test"]).prop_map(str::to_owned),
        "[a-z]{1,6}",
        "'[a-z ]{0,6}'",
    ]
}

proptest! {
    #[test]
    fn white_space_does_not_count(words in prop::collection::vec((word(), "( |\t|  | \\\\\n ){1,2}"), 1..8), end in "[ \n]{0,3}") {
        let plain: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
        let spaced: String = words.iter().enumerate().map(|(n, (word, space))| if n == 0 { word.clone() } else { format!("{space}{word}") }).collect();
        let mut classifier = classifier();
        let (one, other) = (command(&mut classifier, &plain.join(" ")), command(&mut classifier, &format!("{spaced}{end}")));
        prop_assert_eq!(one.action, other.action);
        prop_assert_eq!((one.class, one.intent), (other.class, other.intent));
    }

    #[test]
    fn the_order_of_keys_does_not_count(fields in prop::collection::btree_map("[a-z]{1,6}", "[a-z0-9]{0,6}", 0..6), turn in 0usize..6) {
        let object = |pairs: Vec<(&String, &String)>| {
            let fields: Vec<String> = pairs.iter().map(|(name, value)| format!("{name:?}:{value:?}")).collect();
            format!("{{{}}}", fields.join(" , "))
        };
        let ordered: Vec<(&String, &String)> = fields.iter().collect();
        let mut turned = ordered.clone();
        turned.rotate_left(turn.min(ordered.len()));
        let nested = |inner: &str| format!(r#"{{"zz":1,"yy":{inner}}}"#);
        prop_assert_eq!(action("Mine", &object(ordered.clone())), action("Mine", &object(turned.clone())));
        prop_assert_eq!(action("Mine", &nested(&object(ordered))), action("Mine", &nested(&object(turned))));
    }
}

#[test]
fn no_field_that_names_a_target_is_volatile() {
    for name in ["id", "path", "file_path", "url", "key", "name", "session_id", "issue_number"] {
        assert!(!CATALOGUE.identity.volatile.contains(name), "{name} tells one action from another");
    }
}
