//! A side ledger beside a session: where its records count, what is told of its mistakes, and that the order in which the two files
//! come does not matter.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::base::ids::EventIx;
use crate::base::time::Stamp;
use crate::session::reader::Reader;
use crate::session::testing::{Screen, append, call, digest, done, note_at, options, sub};
use crate::session::{Options, Progress, Session, Side, Snapshot, read};
use crate::source::Origin;

/// A line of a side ledger that opens a task, at a place.
fn open(key: &str, place: &str) -> String {
    format!(r#"{{"schema":"owed.ledger/1","do":"open","key":"{key}","kind":"task","text":"Do {key}.","place":{{{place}}}}}"#)
}

fn close(key: &str, place: &str) -> String {
    format!(r#"{{"schema":"owed.ledger/1","do":"close","key":"{key}","place":{{{place}}}}}"#)
}

/// A time so many milliseconds after the beginning that `note_at` counts from.
fn at(millis: i64) -> String {
    let stamp = jiff::Timestamp::from_millisecond(1_770_000_000_000 + millis).unwrap();
    format!(r#""at":"{stamp}""#)
}

/// A time between the last of these and `FUTURE`.
const NOW: Stamp = Stamp(1_770_001_000_000);

/// Some two hundred years after the beginning, in milliseconds.
const FUTURE: i64 = 6_000_000_000_000;

fn line(n: u32) -> String {
    format!(r#""line":{n}"#)
}

/// The recorded entries of the main lane: `key event status`, with the event after which each opened.
fn recorded(snapshot: &Snapshot) -> Vec<String> {
    let lane = &snapshot.lanes[0];
    let Some(end) = lane.end() else { return Vec::new() };
    let own = lane.entries_until(end).filter(|entry| entry.is_recorded());
    own.map(|entry| format!("{} {} {}", entry.key, entry.opened.event, entry.status().word())).collect()
}

/// What a session and its mistakes amount to.
fn all(snapshot: &Snapshot) -> String {
    let lanes = snapshot.lanes.iter().map(|lane| {
        let entries = lane.entries_until(lane.end().unwrap_or_default());
        entries.map(|entry| format!("{} {:?} {:?} {:?}\n", entry.key, entry.opened, entry.history, entry.edges)).collect::<String>()
    });
    let lanes: String = lanes.collect();
    format!("{}\n{lanes}{:?} {:?}", digest(snapshot), snapshot.facts.side, snapshot.facts.mistakes)
}

fn session(transcript: &[String], side: &[String]) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, transcript.iter().map(|line| format!("{line}\n")).collect::<String>());
    append(&folder.path().join("s.owed.jsonl"), side.iter().map(|line| format!("{line}\n")).collect::<String>());
    read(&path, &options()).unwrap()
}

#[test]
fn a_record_counts_from_its_place() {
    // Two seconds apart, on lines 1 to 3.
    let transcript = [0, 2000, 4000].map(|millis| note_at(millis, "Go on."));
    for (place, event) in [
        (at(-5), 0),
        (at(0), 0),
        (at(1999), 0),
        (at(2000), 1),
        (at(3000), 1),
        (at(4000), 2),
        (at(900_000), 2),
        (line(1), 0),
        (line(2), 1),
        (line(3), 2),
        // The line is the more exact of the two.
        (format!("{},{}", line(1), at(4000)), 0),
    ] {
        let snapshot = session(&transcript, &[open("k", &place)]);
        assert_eq!(recorded(&snapshot), [format!("k {event} live")], "{place}");
        assert_eq!(snapshot.facts.mistakes, []);
        assert_eq!(snapshot.lanes[0].as_of(EventIx(event)).entries_until(EventIx(event)).filter(|e| e.is_recorded()).count(), 1);
    }
}

#[test]
fn a_clock_that_jumps_back_changes_no_place() {
    let transcript = [0, 9000, 2000, 3000].map(|millis| note_at(millis, "Go on."));
    assert_eq!(recorded(&session(&transcript, &[open("k", &at(2500))])), ["k 0 live"]);
}

#[test]
fn of_several_at_one_place_the_earlier_counts_first() {
    let transcript = [0, 2000].map(|millis| note_at(millis, "Go on."));
    let side = [open("a", &at(100)), close("a", &line(1)), open("b", &line(1)), close("b", &at(50))];
    assert_eq!(recorded(&session(&transcript, &side)), ["a 0 discharged", "b 0 discharged"]);
    let snapshot = session(&transcript, &[close("a", &line(1)), open("a", &line(1))]);
    assert_eq!(recorded(&snapshot), ["a 0 live"]);
    assert_eq!(snapshot.facts.mistakes[0].message, "nothing live has the key `a`");
}

#[test]
fn a_mistake_is_told_and_stops_nothing() {
    let good = open("k", &line(1));
    for (bad, line, field, message) in [
        ("{\"schema\":".to_owned(), 1, None, "no JSON"),
        ("[1]".to_owned(), 1, None, "a record is an object, not this list"),
        (good.replace("text", "txet"), 1, Some("text"), "is missing"),
        (good.replace("\"task\"", "\"todo\""), 1, Some("kind"), "`todo` is none of"),
        (good.replace("\"line\":1", "\"line\":0"), 1, Some("place.line"), "must be a whole number from 1"),
        (good.replace("}}", "},\"why\":1}"), 1, Some("why"), "nobody knows this field"),
        (good.replace("owed.ledger/1", "owed.ledger/9"), 1, Some("schema"), "`owed.ledger/9` is none of"),
        (close("nobody", "\"line\":1"), 1, Some("key"), "nothing live has the key `nobody`"),
        (open("later", "\"line\":99"), 1, None, "the transcript has not come as far as its place"),
        (open("later", &at(FUTURE)), 1, None, "its time has not come"),
        (good.replace("\"do\"", "\"lane\":\"a9\",\"do\""), 1, None, "no lane is called `a9`"),
        ("\0\0\u{1}".to_owned(), 1, None, "no JSON"),
        (format!("{good} junk"), 1, None, "no JSON"),
        (format!("{{{}{}", " ".repeat(1 << 20), &good[1..]), 1, None, "a line of more than 1048576 bytes"),
    ] {
        let snapshot = session(&[note_at(0, "Go on.")], &[bad.clone(), good.clone()]);
        let [mistake] = &snapshot.facts.mistakes[..] else { panic!("{bad}: {:?}", snapshot.facts.mistakes) };
        assert_eq!((mistake.line, mistake.field.as_deref()), (Some(line), field), "{bad}");
        assert!(mistake.message.starts_with(message), "{bad}: {mistake}");
        assert!(mistake.file.ends_with("s.owed.jsonl"));
        assert_eq!(recorded(&snapshot), ["k 0 live"], "{bad}");
    }
}

#[test]
fn a_sub_agent_has_records_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, [note_at(0, "go"), sub("a", "told by the main file")].join("\n"));
    let of_a = |key: &str| open(key, &line(1)).replace("\"do\"", "\"lane\":\"a\",\"do\"");
    append(&folder.path().join("s.owed.jsonl"), of_a("k"));
    let keys = |snapshot: &Snapshot| {
        let lane = &snapshot.lanes[1];
        lane.entries_until(lane.end().unwrap())
            .filter(|entry| entry.is_recorded())
            .map(|entry| entry.key.clone())
            .collect::<Vec<_>>()
    };
    // What the main file repeats of it stands on line 2 there.
    assert_eq!(keys(&read(&path, &options()).unwrap()), ["k"]);
    let screen = Screen::open(&path);
    screen.until(|s| s.lanes.len() == 2 && keys(s) == ["k"]);
    fs::create_dir_all(folder.path().join("s/subagents")).unwrap();
    append(&folder.path().join("s/subagents/agent-a.jsonl"), [note_at(0, "1"), note_at(1, "2")].join("\n") + "\n");
    let live = screen.until(|s| s.lanes.len() == 2 && s.lanes[1].events.len() == 2 && keys(s) == ["k"]);
    assert_eq!(all(&live), all(&read(&path, &options()).unwrap()));
}

#[test]
fn a_side_ledger_may_be_named_or_lie_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("s.jsonl"), folder.path().join("state"));
    fs::create_dir(&other).unwrap();
    append(&path, note_at(0, "go") + "\n");
    append(&folder.path().join("s.owed.jsonl"), open("beside", &line(1)) + "\n");
    append(&other.join("s.owed.jsonl"), open("there", &line(1)) + "\n");
    for (side, keys) in [
        (Side::Beside, vec!["beside 0 live"]),
        (Side::BesideAndIn(other.clone()), vec!["beside 0 live", "there 0 live"]),
        (Side::At(other.join("s.owed.jsonl")), vec!["there 0 live"]),
    ] {
        assert_eq!(recorded(&read(&path, &Options { side, ..options() }).unwrap()), keys);
    }
}

#[test]
fn a_side_ledger_is_followed_wherever_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let (path, side) = (folder.path().join("s.jsonl"), folder.path().join("s.owed.jsonl"));
    append(&path, note_at(0, "one") + "\n");
    let screen = Screen::open(&path);
    screen.until_events(1);
    // It comes later, in pieces.
    let text = open("a", &at(500)) + "\n";
    append(&side, &text[..20]);
    append(&side, &text[20..]);
    let first = screen.until(|s| recorded(s) == ["a 0 live"]);
    append(&path, note_at(1000, "two") + "\n");
    let second = screen.until_events(2);
    assert_eq!((recorded(&second), second.epoch), (recorded(&first), first.epoch), "what comes in order is only added");
    append(&side, close("a", &at(2000)) + "\n");
    screen.until(|s| recorded(s) == ["a 0 discharged"]);
    // Something is told of what has passed: it is as if it had been there.
    append(&side, open("b", &line(1)) + "\n");
    let again = screen.until(|s| recorded(s) == ["a 0 discharged", "b 0 live"] && s.progress == Progress::Complete);
    assert!(again.epoch > second.epoch);
    assert_eq!(all(&again), all(&read(&path, &options()).unwrap()));
    fs::write(&side, open("c", &line(2)) + "\n").unwrap();
    let cut = screen.until(|s| recorded(s) == ["c 1 live"] && s.progress == Progress::Complete);
    assert_eq!(all(&cut), all(&read(&path, &options()).unwrap()));
}

#[test]
fn a_record_of_the_future_makes_nobody_begin_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, note_at(0, "one") + "\n");
    append(&folder.path().join("s.owed.jsonl"), [open("a", &at(500)), open("b", &at(FUTURE))].join("\n") + "\n");
    let screen = Screen::open(&path);
    let first = screen.until(|s| recorded(s) == ["a 0 live"]);
    append(&path, note_at(1000, "two") + "\n");
    let second = screen.until_events(2);
    assert_eq!((recorded(&second), second.epoch), (recorded(&first), first.epoch));
    assert_eq!(all(&second), all(&read(&path, &options()).unwrap()));
}

/// One of the pieces in which the files come.
#[derive(Clone, Debug)]
enum Comes {
    Transcript(usize),
    Side(usize),
}

fn comes() -> impl Strategy<Value = Comes> {
    prop_oneof![(1usize..400).prop_map(Comes::Transcript), (1usize..200).prop_map(Comes::Side)]
}

fn event() -> impl Strategy<Value = String> {
    let id = prop::sample::select(vec!["a", "b"]);
    prop_oneof![
        4 => (0i64..8).prop_map(|n| note_at(n * 100, "Go on.")),
        1 => id.clone().prop_map(call),
        1 => id.clone().prop_map(done),
        1 => id.prop_map(|id| sub(id, "progress")),
        1 => Just("{\"type\":\"invented\"}".to_owned()),
    ]
}

fn noted() -> impl Strategy<Value = String> {
    let place = prop_oneof![(0i64..9).prop_map(|n| at(n * 100)), (1u32..9).prop_map(line)];
    let key = prop::sample::select(vec!["k", "l"]);
    (place, key, 0u8..9).prop_map(|(place, key, what)| match what {
        0..=3 => open(key, &place),
        4 => close(key, &place),
        5 => open(key, &place).replace("\"do\"", "\"lane\":\"a\",\"do\""),
        6 => format!(r#"{{"schema":"owed.ledger/1","do":"call","call":"a","effect":"committed","place":{{{place}}}}}"#),
        7 => open(key, &place).replace("\"task\"", "\"todo\""),
        _ => "torn\"},{".to_owned(),
    })
}

fn piece<'b>(bytes: &mut &'b [u8], length: usize) -> &'b [u8] {
    let (piece, rest) = bytes.split_at(length.min(bytes.len()));
    *bytes = rest;
    piece
}

/// Reads what has come; what came too late is read again.
fn catch_up(reader: &mut Reader, session: &mut Session) {
    _ = reader.catch_up(session).unwrap();
    session.at_end(NOW);
    if session.is_out_of_order() {
        reader.begin_again(session);
        _ = reader.catch_up(session).unwrap();
        session.at_end(NOW);
    }
    assert!(!session.is_out_of_order(), "what is there is in order");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn it_does_not_matter_which_file_comes_first(
        transcript in prop::collection::vec((event(), prop::sample::select(vec!["\n", "\n", ""])), 1..9),
        side in prop::collection::vec((noted(), prop::sample::select(vec!["\n", "\n", ""])), 0..7),
        order in prop::collection::vec(comes(), 0..12),
    ) {
        let text = |lines: Vec<(String, &'static str)>| lines.into_iter().map(|(line, end)| line + end).collect::<String>() + "\n";
        // The first line says whose session it is.
        let (transcript, side) = (note_at(0, "Begin.") + "\n" + &text(transcript), text(side));
        let folder = tempfile::tempdir().unwrap();
        let (path, beside) = (folder.path().join("s.jsonl"), folder.path().join("s.owed.jsonl"));
        let mut session = Session::new(&path, options().rules);
        let mut reader = Reader::new(Origin::Path(path.clone()), &options());
        let (mut of_transcript, mut of_side) = (transcript.as_bytes(), side.as_bytes());
        append(&path, "");
        for comes in order {
            match comes {
                Comes::Transcript(length) => append(&path, piece(&mut of_transcript, length)),
                Comes::Side(length) => append(&beside, piece(&mut of_side, length)),
            }
            catch_up(&mut reader, &mut session);
        }
        append(&path, of_transcript);
        append(&beside, of_side);
        catch_up(&mut reader, &mut session);
        let whole = read(&path, &options()).unwrap();
        prop_assert_eq!(all(&session.snapshot(Progress::Complete)), all(&whole));
    }
}

/// A session's folder is read, never written.
#[test]
fn nothing_is_made_where_there_is_no_side_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, note_at(0, "go") + "\n");
    let snapshot = read(&path, &options()).unwrap();
    assert_eq!((snapshot.facts.side.len(), snapshot.facts.mistakes.len()), (0, 0));
    assert!(!Path::new(&folder.path().join("s.owed.jsonl")).exists());
}
