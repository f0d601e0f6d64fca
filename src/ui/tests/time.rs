//! The moment that is shown, and how time goes on from there.

use insta::assert_snapshot;

use super::{SIZES, still};
use crate::base::time::Stamp;
use crate::session::Progress;
use crate::ui::msg::Msg;
use crate::ui::testing::{Fake, Script, Simple, long, migration, options, settled};
use crate::ui::{Replay, Still};

fn first_line(still: &Still) -> String {
    still.text().lines().next().unwrap_or_default().to_owned()
}

fn last_line(still: &Still) -> String {
    let text = still.text();
    let line = text.lines().last().unwrap_or_default().trim();
    line.split("   ").next().unwrap_or_default().to_owned()
}

/// The number of the event after which the session is shown, from 1; none: now.
fn moment(still: &Still) -> Option<usize> {
    let line = first_line(still);
    line.split(" event ").nth(1)?.split(' ').next()?.parse().ok()
}

#[test]
fn keys_step_through_events_spans_and_changes() {
    let script = migration();
    let (end, opened) = (script.lane.events.len(), script.lane.entries.len());
    assert!(end == 20 && opened > 5, "the numbers below are of this session: {end} events");
    for (keys, expected) in [
        ("", None),
        (",", Some(19)),
        (", ,", Some(18)),
        (", .", None),
        (", w", None),
        ("<", Some(19)),
        ("< <", Some(17)),
        ("< >", None),
        ("g h", Some(1)),
        ("g h .", Some(2)),
        ("g h >", Some(2)),
        ("g h > >", Some(3)),
        ("g h ]", Some(2)),
        ("g h ] [", Some(1)),
    ] {
        assert_eq!(
            moment(&still(&script, (200, 60), keys)),
            expected,
            "`{keys}`: {}",
            first_line(&still(&script, (200, 60), keys))
        );
    }
    for (keys, says) in [
        (".", "nothing has happened after this"),
        ("w", "this is now"),
        ("g h ,", "nothing happened before this: it is the first event"),
    ] {
        assert_eq!(last_line(&still(&script, (200, 60), keys)), says, "{keys}");
    }
    assert_eq!(last_line(&still(&Script::new(), (160, 40), ",")), "nothing has happened yet");
}

#[test]
fn a_moment_knows_nothing_of_what_came_later() {
    let mut still = still(&migration(), (160, 40), "g j j j j h");
    let text = still.text();
    assert!(text.contains("◂ then, event 5 of 20") && !text.contains("migrate.sh") && !text.contains("compaction 1"), "{text}");
    still.press("backspace backspace").unwrap();
    assert!(still.text().contains("migrate.sh"), "back the way you came: {}", still.text());
}

#[test]
fn what_is_appended_does_not_move_a_moment() {
    let mut script = migration();
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 41), (120, 40));
    still.press(", , ,").unwrap();
    let rows = |still: &Still| {
        still.text().lines().skip(1).filter(|line| !line.contains("Timeline")).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = rows(&still);
    script.prompt("And now this.");
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert_eq!(rows(&still), before);
    assert!(first_line(&still).contains("of 21"), "{}", first_line(&still));
    still.press("w").unwrap();
    assert!(still.text().contains("And now this."), "{}", still.text());
}

/// A replay of a session that has ended, and its clock.
fn replay(script: &Script, from: u32, speed: f64, size: (u16, u16)) -> Still {
    let mut options = options(script, 0);
    options.clock = std::sync::Arc::new(|| Stamp(0));
    options.name = "owed replay".to_owned();
    options.replay = Some(Replay { from, speed });
    Still::open(&Fake::ended(script), Box::new(Simple), &options, size)
}

#[test]
fn a_replay_goes_by_the_sessions_own_clock() {
    let script = long(30);
    // A prompt, then four calls, each three seconds after what was before and a second long; a minute before each prompt.
    let mut still = replay(&script, 1, 1.0, (160, 40));
    let mut seen = vec![moment(&still)];
    for clock in [1_900, 2_000, 2_999, 3_000, 5_000] {
        still.take(Msg::Clock(Stamp(clock)));
        seen.push(moment(&still));
    }
    assert_eq!(seen, [1, 1, 2, 2, 3, 4].map(Some), "{}", first_line(&still));
    still.press("y").unwrap();
    still.take(Msg::Clock(Stamp(60_000)));
    assert_eq!(moment(&still), Some(4), "paused: {}", first_line(&still));
    assert!(first_line(&still).contains("paused"));
}

#[test]
fn long_pauses_are_cut_and_said_to_be() {
    let script = long(30);
    let mut still = replay(&script, 9, 1.0, (160, 40));
    still.take(Msg::Clock(Stamp(1_500)));
    assert!(first_line(&still).contains("of pause cut to 2 s"), "{}", first_line(&still));
    still.press("+ + +").unwrap();
    assert!(first_line(&still).contains("of pause cut to 2 s"), "{}", first_line(&still));
    still.press("+ + +").unwrap();
    assert!(!first_line(&still).contains("cut"), "at this speed it takes a second: {}", first_line(&still));
}

#[test]
fn the_end_of_a_replay_is_said_and_it_plays_again() {
    let script = settled();
    let mut still = replay(&script, 1, 100.0, (160, 40));
    for clock in 0..20 {
        still.take(Msg::Clock(Stamp(clock * 50)));
    }
    assert!(first_line(&still).contains("the end"), "{}", first_line(&still));
    assert!(still.text().contains("waiting for you 0 s"), "ages are the session's own: {}", first_line(&still));
    still.press("y").unwrap();
    assert_eq!(moment(&still), Some(1), "{}", first_line(&still));
}

#[test]
fn what_may_still_grow_is_played_until_now() {
    let script = settled();
    let mut still = still(&script, (160, 40), "g h y + + + +");
    for n in 0..200 {
        still.take(Msg::Clock(Stamp(script.now().0 + 41_000 + n * 100)));
    }
    assert_eq!(moment(&still), None);
    assert_eq!(last_line(&still), "played to the end: this is now");
}

#[test]
fn a_click_on_the_rule_of_the_time_line_goes_to_a_moment() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut still = still(&long(300), (120, 40), "");
    let click = |column| {
        Msg::Mouse(MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column, row: 2, modifiers: KeyModifiers::NONE })
    };
    still.take(click(37));
    let half = first_line(&still);
    assert!(half.contains("150") || half.contains("15"), "{half}");
    still.take(click(12));
    assert!(first_line(&still).contains("event 1 of") || first_line(&still).contains(" 1/"), "{}", first_line(&still));
}

#[test]
fn every_moment_at_every_size() {
    for size in SIZES {
        assert_snapshot!(format!("past-{}x{}", size.0, size.1), still(&migration(), size, ", , ,").text());
        assert_snapshot!(format!("past-ledger-{}x{}", size.0, size.1), still(&migration(), size, "g j j j j h e").text());
        let mut playing = replay(&migration(), 9, 1.0, size);
        assert_snapshot!(format!("replay-{}x{}", size.0, size.1), playing.text());
        playing.take(Msg::Clock(Stamp(2_500)));
        playing.press("+").unwrap();
        assert_snapshot!(format!("replay-on-{}x{}", size.0, size.1), playing.text());
        playing.press("y").unwrap();
        assert_snapshot!(format!("replay-paused-{}x{}", size.0, size.1), playing.text());
    }
}
