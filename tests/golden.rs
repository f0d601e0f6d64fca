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
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_format_has_its_report() {
    for sample in SAMPLES {
        insta::assert_snapshot!(format!("check {sample}"), said("check", sample));
        insta::assert_snapshot!(format!("audit {sample}"), said("audit", sample));
    }
}
