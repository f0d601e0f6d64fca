//! Sub-agents below the calls that launched them.

use insta::assert_snapshot;

use super::SIZES;
use crate::session::Progress;
use crate::ui::Still;
use crate::ui::msg::Effect;
use crate::ui::testing::{Fake, Simple, delegating, options};

fn still(size: (u16, u16), keys: &str) -> Still {
    let [main, reader, mender] = delegating();
    let fake = Fake::new(&main);
    fake.publish(&[&main, &reader, &mender], 0, Progress::Complete);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&main, 0), size);
    still.press(keys).unwrap();
    still
}

/// The rows that hold one of some words, in their order.
fn in_order(still: &Still, words: &[&str]) -> Vec<String> {
    let text = still.text();
    let above = text.lines().skip(3).take_while(|line| !line.contains("─ Pending"));
    let timeline = above.map(|line| line.chars().take(84).collect::<String>());
    let found = timeline.filter_map(|line| words.iter().find(|word| line.contains(**word)).map(|word| (*word).to_owned()));
    found.collect()
}

const ROWS: [&str; 5] = ["read the build's logs", "gh run view", "has no linker", "mend the flaky", "is the cause"];

#[test]
fn a_sub_agents_rows_stand_below_its_call() {
    for size in SIZES {
        assert_snapshot!(format!("closed-{}x{}", size.0, size.1), still(size, "g j j").text());
        assert_snapshot!(format!("opened-{}x{}", size.0, size.1), still(size, "g j j right j j j j right k k d").text());
    }
}

#[test]
fn they_are_opened_and_closed_where_the_reader_stands() {
    let mut still = still((200, 60), "g j j");
    assert_eq!(in_order(&still, &ROWS), ["read the build's logs", "mend the flaky", "is the cause"]);
    still.press("right").unwrap();
    assert_eq!(in_order(&still, &ROWS), ROWS);
    // From the last of its rows, the cursor goes back to the call.
    still.press("j j j left").unwrap();
    assert_eq!(in_order(&still, &ROWS), ["read the build's logs", "mend the flaky", "is the cause"]);
    still.press("right j left").unwrap();
    assert_eq!(in_order(&still, &ROWS), ["read the build's logs", "mend the flaky", "is the cause"]);
    still.press("right left").unwrap();
    assert_eq!(in_order(&still, &ROWS), ["read the build's logs", "mend the flaky", "is the cause"], "{}", still.text());
}

#[test]
fn every_row_is_walked_over_in_both_directions() {
    let mut still = still((120, 40), "g j j right j j j j right G");
    let place = |still: &mut Still| {
        still.press("'").unwrap();
        match still.effects.pop() {
            Some(Effect::Copy(place)) => place.rsplit(':').next().unwrap_or_default().to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let mut up = vec![place(&mut still)];
    for _ in 0..10 {
        still.press("k").unwrap();
        up.push(place(&mut still));
    }
    up.reverse();
    assert_eq!(up, ["1", "2", "3", "100", "101", "103", "4", "200", "201", "203", "6"]);
    let mut down = vec![place(&mut still)];
    for _ in 0..10 {
        still.press("j").unwrap();
        down.push(place(&mut still));
    }
    assert_eq!(down, up);
}

#[test]
fn what_is_read_and_taken_away_is_the_sub_agents_own() {
    let mut still = still((120, 40), "g j j right j j d");
    assert!(still.text().contains("error: linker `cc` not found"), "{}", still.text());
    assert!(still.text().contains("in a4c81e2"), "{}", still.text());
    still.press("ctrl-y").unwrap();
    assert!(matches!(still.effects.last(), Some(Effect::Copy(text)) if text == "gh run view --log-failed"), "{:?}", still.effects);
}

#[test]
fn enter_goes_into_its_lane_and_backspace_comes_back() {
    let mut still = still((120, 40), "g j j right j j");
    let before = still.text();
    still.press("enter").unwrap();
    assert!(still.text().lines().next().unwrap().contains("a4c81e2 (2 of 3)"), "{}", still.text());
    still.press("backspace").unwrap();
    let without_keys = |text: &str| text.lines().take(39).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(without_keys(&still.text()), without_keys(&before));
}

#[test]
fn at_a_moment_of_the_past_a_sub_agent_had_come_as_far_as_it_had() {
    // As it was when the reader had begun, and before it said anything.
    let mut still = still((120, 40), "g j j right g j j j h");
    assert!(!still.text().contains("has no linker"), "{}", still.text());
    still.press("w").unwrap();
    assert!(still.text().contains("has no linker"), "{}", still.text());
}

#[test]
fn filters_show_the_rows_of_one_lane() {
    let mut still = still((200, 60), "g j j right 2");
    assert!(!still.text().contains("gh run view"), "{}", still.text());
    still.press("0").unwrap();
    assert!(still.text().contains("gh run view"), "{}", still.text());
    still.press("g j j 6").unwrap();
    assert_eq!(in_order(&still, &ROWS), ["read the build's logs", "mend the flaky"]);
    still.press("6 g 6").unwrap();
    assert!(still.text().contains("[you]"), "{}", still.text());
}
