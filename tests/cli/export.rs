//! `owed export`: a page that stands alone, on which nothing of a transcript can run.

use std::fs;

use serde_json::json;

use crate::harness::Machine;
use crate::transcript::{Transcript, open};

fn hostile() -> Transcript {
    let script = "<script>alert('x')</script><img src=https://evil.example/x.png onerror=alert(1)>";
    open()
        .prompt(script)
        .call("h", "Bash", &json!({"command": "echo '</pre></details><b>' && cat /home/jane/.ssh/id"}))
        .result("h", "\u{1b}[31m<i>")
}

/// The tags of a page that were opened and not closed, innermost last; what closes nothing is told with a slash.
fn unbalanced(page: &str) -> Vec<String> {
    let body = page.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    let mut open: Vec<String> = Vec::new();
    for tag in body.split('<').skip(1) {
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        match tag.strip_prefix('/') {
            Some(_) if open.last() == Some(&name) => _ = open.pop(),
            Some(_) => open.push(format!("/{name}")),
            None if matches!(name.as_str(), "input" | "meta" | "br") => {}
            None => open.push(name),
        }
    }
    open
}

#[test]
fn a_page_stands_alone_and_runs_nothing_of_a_transcript() {
    let machine = Machine::new();
    machine.file("s.jsonl", hostile().text());
    let (code, out, err) = machine.say(&["export", "s.jsonl", "--html", "page.html"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let page = fs::read_to_string(machine.path("page.html")).unwrap();
    assert_eq!(unbalanced(&page), Vec::<String>::new());
    assert_eq!(page.matches("<script").count(), 1, "its own");
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"));
    for loads in ["src=\"", "url(", "@import", "<link", "<img"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains('\u{1b}'));
    let (_, again, _) = machine.say(&["export", "s.jsonl", "--html", "-"]);
    assert_eq!(again, page, "the same session, the same page");
}

#[test]
fn what_must_not_be_seen_is_taken_out() {
    let machine = Machine::new();
    machine.file("s.jsonl", hostile().prompt("mail jane@example.com the key sk-abcdefghijklmnopqrst").text());
    let page = |args: &[&str]| machine.say(&[&["export", "s.jsonl", "--html", "-"], args].concat()).1;
    for secret in ["jane@example.com", "sk-abcdefghijklmnopqrst", "/home/jane"] {
        assert!(page(&[]).contains(secret), "{secret}");
        assert!(!page(&["--redact"]).contains(secret), "{secret}");
    }
    machine.file(".config/owed/redact.toml", "[pattern]\nnames = '('\n");
    let (code, _, err) = machine.say(&["export", "s.jsonl", "--html", "-", "--redact"]);
    assert_eq!(code, 2);
    assert!(err.contains("redact.toml:2: pattern.names"), "{err}");
}

#[test]
fn a_page_never_takes_the_place_of_its_session() {
    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    let (code, _, err) = machine.say(&["export", "s.jsonl", "--html", "./s.jsonl"]);
    assert_eq!(code, 2);
    assert!(err.contains("is the session itself"), "{err}");
    assert_eq!(fs::read_to_string(machine.path("s.jsonl")).unwrap(), open().text());
    assert_eq!(machine.say(&["export", "s.jsonl", "--html", "nowhere/page.html"]).0, 1);
}

#[cfg(unix)]
#[test]
fn a_page_is_read_as_usual_and_a_link_keeps_leading_to_it() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let machine = Machine::new();
    machine.file("s.jsonl", open().text());
    let usual = machine.file("usual", "");
    assert_eq!(machine.say(&["export", "s.jsonl", "--html", "page.html"]).0, 0);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&machine.path("page.html")), mode(&usual));
    symlink(machine.path("page.html"), machine.path("link.html")).unwrap();
    assert_eq!(machine.say(&["export", "s.jsonl", "--html", "link.html"]).0, 0);
    assert!(fs::symlink_metadata(machine.path("link.html")).unwrap().is_symlink());
}
