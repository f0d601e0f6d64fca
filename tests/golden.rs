//! What a person reads of each sample: one report a format, so that a change of an adapter shows as a change of words.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::path::Path;

use assert_cmd::Command;

const SAMPLES: &[&str] = &["codex", "gemini", "qwen", "pi", "copilot", "stream-json", "native"];

fn said(command: &str, sample: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions");
    let home = tempfile::tempdir().unwrap();
    let mut owed = Command::cargo_bin("owed").unwrap();
    owed.env_clear().env("HOME", home.path()).current_dir(folder).args([command, &format!("{sample}.jsonl")]);
    let output = owed.output().unwrap();
    assert!(output.stderr.is_empty(), "{sample}: {}", String::from_utf8_lossy(&output.stderr));
    unnumbered(&String::from_utf8(output.stdout).unwrap())
}

/// The report without the numbers of its entries: they count all that was ever looked at, and say nothing of the format.
fn unnumbered(report: &str) -> String {
    let is_entry =
        |word: &str| word.strip_prefix('e').is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()));
    let word = |word: &str| if is_entry(word) { "e".to_owned() + &"#".repeat(word.len() - 1) } else { word.to_owned() };
    let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
    report.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_format_has_its_report() {
    for sample in SAMPLES {
        insta::assert_snapshot!(format!("check {sample}"), said("check", sample));
        insta::assert_snapshot!(format!("audit {sample}"), said("audit", sample));
    }
}
