//! Laws of the pipeline: cut anywhere, live is whole, a session does not depend on how its bytes came.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::base::ids::FileIx;
use crate::formats::adapter::Opening;
use crate::formats::registry::by_name;
use crate::session::reader::{Amount, Intake, Opened, Reader};
use crate::session::testing::{append, call, digest, done, note, options, sub, title};
use crate::session::translator::Translator;
use crate::session::{Progress, Session};
use crate::source::{Lines, Origin};
use crate::transcript::LaneKey;

/// Folds a Claude Code session from bytes that came in these chunks; what it amounts to.
fn folded(chunks: &[&[u8]]) -> String {
    folded_as("claude-code", chunks)
}

/// The same, of a session of this format.
fn folded_as(format: &str, chunks: &[&[u8]]) -> String {
    let mut session = Session::new(Path::new("s.jsonl"), options().rules);
    let format = by_name(format).unwrap();
    session.begin(format);
    let opening = Opening { lane: LaneKey::Main, elsewhere: Vec::new() };
    let mut translator = Translator::new((format.open)(&opening));
    session.open(Opened { origin: Origin::Path(PathBuf::from("s.jsonl")), opening });
    let mut lines = Lines::new(FileIx(0));
    for chunk in chunks {
        lines.feed(chunk, &mut |record| translator.take(record, &mut session));
        lines.settle(&mut |record| translator.take(record, &mut session));
    }
    _ = session.read(Amount { done: lines.offset(), total: lines.offset() });
    digest(&session.snapshot(Progress::Complete))
}

fn piece() -> impl Strategy<Value = String> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        4 => id.clone().prop_map(call),
        4 => id.clone().prop_map(done),
        2 => "[a-c]{1,3}".prop_map(|text| note(&text)),
        1 => id.prop_map(|id| sub(id, "progress")),
        1 => Just(title("t")),
        1 => Just("{\"type\":\"invented\",\"text\":\"}{\",\"uuid\":\"u\"}".to_owned()),
        1 => Just("torn\"},{".to_owned()),
        1 => Just("{\"type\":\"user\",\"mess".to_owned()),
        1 => Just("\0\0".to_owned()),
    ]
}

fn ending() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "", " "])
}

proptest! {
    #[test]
    fn a_session_does_not_depend_on_how_its_bytes_were_cut(
        pieces in prop::collection::vec((piece(), ending()), 0..12),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut file: String = pieces.into_iter().map(|(piece, ending)| piece + ending).collect();
        file.push('\n');
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(file.len() + 1)).collect();
        cuts.extend([0, file.len()]);
        cuts.sort_unstable();
        let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &file.as_bytes()[pair[0]..pair[1]]).collect();
        let bytes: Vec<&[u8]> = file.as_bytes().chunks(1).collect();
        let whole = folded(&[file.as_bytes()]);
        prop_assert_eq!(folded(&chunks), whole.clone());
        prop_assert_eq!(folded(&bytes), whole);
    }
}

/// Real recordings, where this machine has some: grown in pieces, each is what it is whole.
#[test]
#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment of the test")]
fn recordings_grow_into_what_they_are_whole() {
    let Some(corpus) = std::env::var_os("OWED_CORPUS").map(PathBuf::from) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for agent in ["claude", "codex", "gemini", "qwen", "pi", "copilot"] {
        let mut paths: Vec<_> = std::fs::read_dir(corpus.join(agent)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|e| e == "jsonl")) {
            let bytes = std::fs::read(path).unwrap();
            let Ok(whole) = crate::session::read(path, &options()) else { continue };
            let grown = folder.path().join(path.file_name().unwrap());
            let mut session = Session::new(&grown, options().rules);
            let mut reader = Reader::new(Origin::Path(grown.clone()), &options());
            // A prime, so that the pieces end everywhere.
            for piece in bytes.chunks(bytes.len() / 7 + 101) {
                append(&grown, piece);
                _ = reader.catch_up(&mut session).unwrap();
            }
            reader.unfinished().for_each(|line| session.torn(line));
            assert_eq!(digest(&session.snapshot(Progress::Complete)), digest(&whole), "{}", path.display());
            std::fs::remove_file(&grown).unwrap();
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} recordings were read");
}

/// Formats that rewrite themselves too: what a recording amounts to while it grows is what it amounts to when it is read afresh.
#[test]
fn a_sample_of_every_format_is_the_same_however_it_grew() {
    let samples = [
        ("gemini-cli", "gemini"),
        ("qwen-code", "qwen"),
        ("pi", "pi"),
        ("copilot-cli", "copilot"),
        ("claude-stream-json", "stream-json"),
        ("owed", "native"),
    ];
    for (format, sample) in samples {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(sample).with_extension("jsonl");
        let bytes = std::fs::read(path).unwrap();
        let whole = folded_as(format, &[&bytes]);
        for size in [997, 4096] {
            let chunks: Vec<&[u8]> = bytes.chunks(size).collect();
            assert!(folded_as(format, &chunks) == whole, "{sample} in pieces of {size} bytes");
        }
    }
}
