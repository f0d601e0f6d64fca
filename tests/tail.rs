//! What a file may do under its reader: torn writes, truncation, replacement, damage. Nothing here waits for a clock.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use owed::base::ids::FileIx;
use owed::source::{Error, Follower, Origin, Step, Why};
use owed::transcript::Record;
use tempfile::TempDir;

/// A file, its reader, and what was read of it: line, offset and text of each record.
struct Tail {
    folder: TempDir,
    follower: Follower,
    buffer: Vec<u8>,
    records: Vec<(u32, u64, Vec<u8>)>,
}

impl Tail {
    fn new(text: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        fs::write(&path, text).unwrap();
        let follower = Follower::new(Origin::Path(path), FileIx(0));
        Self { folder, follower, buffer: Vec::new(), records: Vec::new() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("s.jsonl")
    }

    fn append(&self, bytes: &[u8]) {
        OpenOptions::new().append(true).open(self.path()).unwrap().write_all(bytes).unwrap();
    }

    fn step(&mut self) -> Result<Step, Error> {
        let records = &mut self.records;
        let mut each = |record: Record<'_>| records.push((record.place.line, record.place.bytes.start, record.bytes.to_vec()));
        let step = self.follower.step(&mut self.buffer, &mut each);
        if let Ok(Step::Reset(_)) = step {
            self.records.clear();
        }
        step
    }

    /// Reads everything that is there; why it began again, if it did.
    fn read(&mut self) -> Vec<Why> {
        let mut resets = Vec::new();
        loop {
            match self.step().unwrap() {
                Step::Idle | Step::CaughtUp => return resets,
                Step::More => {}
                Step::Reset(why) => resets.push(why),
            }
        }
    }

    fn texts(&self) -> Vec<String> {
        self.records.iter().map(|(_, _, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect()
    }

    /// What a reader that comes now would read.
    fn fresh(&self) -> Vec<(u32, u64, Vec<u8>)> {
        let mut tail = Self::new(&fs::read(self.path()).unwrap());
        tail.read();
        tail.records
    }
}

fn record(n: usize) -> String {
    format!("{{\"n\":{n},\"text\":\"a \\\"quoted\\\" {{brace}} \\\\ é\"}}")
}

#[test]
fn a_record_torn_at_any_byte_is_read_once_and_whole() {
    let (one, two) = (record(1), record(2));
    for ending in ["\n", "\r\n", ""] {
        let text = format!("{one}{}{two}{ending}", if ending.is_empty() { "\n" } else { ending });
        let mut whole = Tail::new(text.as_bytes());
        whole.read();
        for cut in 0..=text.len() {
            let mut tail = Tail::new(&text.as_bytes()[..cut]);
            assert_eq!(tail.read(), []);
            assert!(tail.texts().iter().all(|text| *text == one || *text == two), "{cut}: {:?}", tail.texts());
            tail.append(&text.as_bytes()[cut..]);
            assert_eq!(tail.read(), [], "an append is no reset");
            assert_eq!(tail.texts(), [one.clone(), two.clone()], "{cut}");
            assert_eq!(tail.records, whole.records, "{cut}");
        }
    }
}

#[test]
fn a_file_that_grows_byte_by_byte_is_read_like_one_that_is_there() {
    let text = format!("{}\n\n{}\r\nno json\n\0\0\n{}", record(1), record(2), record(3));
    let mut tail = Tail::new(b"");
    assert_eq!(tail.step().unwrap(), Step::CaughtUp);
    for byte in text.as_bytes() {
        tail.append(&[*byte]);
        assert_eq!(tail.read(), []);
    }
    assert_eq!(tail.records, tail.fresh());
    assert_eq!(tail.records.iter().map(|r| r.0).collect::<Vec<_>>(), [1, 3, 4, 5, 6]);
}

#[test]
fn an_unchanged_file_is_left_alone() {
    let mut tail = Tail::new(b"{}\n");
    assert_eq!((tail.step().unwrap(), tail.step().unwrap()), (Step::CaughtUp, Step::Idle));
    tail.append(b"");
    assert_eq!(tail.step().unwrap(), Step::Idle);
}

#[test]
fn a_file_that_lost_its_end_begins_again() {
    let mut tail = Tail::new(format!("{}\n{}\n", record(1), record(2)).as_bytes());
    tail.read();
    File::options().write(true).open(tail.path()).unwrap().set_len(record(1).len() as u64 + 1).unwrap();
    assert_eq!(tail.read(), [Why::Truncated]);
    assert_eq!(tail.texts(), [record(1)]);
    tail.append(format!("{}\n", record(3)).as_bytes());
    assert_eq!(tail.read(), []);
    assert_eq!(tail.texts(), [record(1), record(3)]);
}

#[test]
fn a_file_that_was_truncated_and_has_grown_past_its_old_end_begins_again() {
    let first = format!("{}\n{}\n", record(1), record(2));
    for (rewritten, what) in [
        (format!("{}\n{}\n{}\n", record(7), record(8), record(9)), "all of it"),
        (format!("{}\n{}\n{}\n", record(1), record(8), record(9)), "its last record"),
        (format!("{}\n{}\n", record(1), record(8).repeat(9)), "the record that stands at the old end"),
        (format!("{}\n{}\n", record(1), record(8)), "nothing in its length"),
    ] {
        let mut tail = Tail::new(first.as_bytes());
        tail.read();
        // In place: the file stays the same one.
        fs::write(tail.path(), &rewritten).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1);
        File::options().write(true).open(tail.path()).unwrap().set_modified(time).unwrap();
        assert_eq!(tail.read(), [Why::Rewritten], "{what}");
        assert_eq!(tail.records, tail.fresh(), "{what}");
    }
}

#[test]
fn another_file_at_the_same_path_begins_again() {
    let text = format!("{}\n", record(1));
    let other = format!("{}\n{}\n", record(1), record(2));
    type Replace = fn(&Path, &str);
    let by_rename: Replace = |path, text| {
        fs::write(path.with_extension("new"), text).unwrap();
        fs::rename(path.with_extension("new"), path).unwrap();
    };
    // A second file holds the old inode's number, so that the new file cannot get it.
    let by_moving_away: Replace = |path, text| {
        fs::rename(path, path.with_extension("old")).unwrap();
        fs::write(path, text).unwrap();
    };
    for replace in [by_rename, by_moving_away] {
        let mut tail = Tail::new(text.as_bytes());
        tail.read();
        replace(&tail.path(), &other);
        assert_eq!(tail.read(), [Why::Replaced]);
        assert_eq!(tail.texts(), [record(1), record(2)]);
    }
}

#[test]
fn a_file_that_was_deleted_and_made_again_is_read_again() {
    let mut tail = Tail::new(format!("{}\n", record(1)).as_bytes());
    tail.read();
    fs::remove_file(tail.path()).unwrap();
    assert!(matches!(tail.step(), Err(Error::NotFound { .. })));
    assert_eq!(tail.texts(), [record(1)], "what was read stands");
    fs::write(tail.path(), format!("{}\n", record(2))).unwrap();
    assert_eq!(tail.read().len(), 1);
    assert_eq!(tail.texts(), [record(2)]);
}

#[test]
fn what_is_no_text_is_handed_on_byte_by_byte() {
    let lines: [&[u8]; 5] = [b"{\"a\":\"\xff\xfe\"}", b"\0\0\0\0", b"\xc3", b"{\"a\":\"\xe2\x80\xa8\"}", b"\x1b[31m"];
    let tail = {
        let mut tail = Tail::new(&lines.map(|line| [line, b"\n"].concat()).concat());
        tail.read();
        tail
    };
    assert_eq!(tail.records.iter().map(|r| r.2.as_slice()).collect::<Vec<_>>(), lines, "a line separator is no line break");
}

#[test]
fn what_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let step = |path: &Path| Follower::new(Origin::Path(path.to_path_buf()), FileIx(0)).step(&mut Vec::new(), &mut |_| {});
    assert!(matches!(step(&folder.path().join("nothing")), Err(Error::NotFound { .. })));
    assert!(matches!(step(folder.path()), Err(Error::NotAFile { what: "a folder", .. })));
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(matches!(step(&folder.path().join("file/below")), Err(Error::NotFound { .. })));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join("secret");
        fs::write(&path, "{}\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        // Root may read everything.
        assert!(matches!(step(&path), Err(Error::Denied { .. }) | Ok(Step::CaughtUp)));
        assert!(matches!(step(Path::new("/dev/null")), Err(Error::NotAFile { what: "a device or a pipe", .. })));
    }
}

#[test]
fn a_record_of_fifty_megabytes_is_one_record() {
    let long = format!("{{\"text\":\"{}\"}}", format!("{}é{{}}\\\"", "x".repeat(994)).repeat(50_000));
    let mut tail = Tail::new(format!("{}\n", record(1)).as_bytes());
    tail.read();
    let (front, back) = long.as_bytes().split_at(31_000_001);
    tail.append(front);
    assert_eq!(tail.read(), []);
    assert_eq!(tail.records.len(), 1);
    tail.append(back);
    assert_eq!(tail.read(), []);
    assert_eq!(tail.records.len(), 2, "a complete record is not kept waiting for its line break");
    tail.append(format!("\n{}\n", record(2)).as_bytes());
    tail.read();
    assert_eq!(
        tail.records.iter().map(|(line, _, bytes)| (*line, bytes.len())).collect::<Vec<_>>()[1..],
        [(2, long.len()), (3, record(2).len())]
    );
}
