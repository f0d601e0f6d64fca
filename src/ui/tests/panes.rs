//! Every pane at every size, and every empty state.

use insta::assert_snapshot;

use super::{SIZES, looks, still};
use crate::session::Progress;
use crate::ui::Still;
use crate::ui::testing::{Fake, Script, Simple, migration, options, settled};
use crate::ui::theme::{Depth, Theme};

#[test]
fn every_pane_at_every_size() {
    for size in SIZES {
        for (pane, keys) in [
            ("timeline", "k k k"),
            ("why", "k k k enter"),
            ("why-boundary", "C enter tab shift-tab"),
            ("detail", "g j j j j j j d"),
            ("detail-regions", "g j d n n"),
            ("dry-run", "tab tab tab j j"),
            ("dry-run-by-hand", "x X X"),
            ("cut-on-timeline", "X X esc"),
            ("policies", "* j"),
            ("policies-by-name", "* S"),
            ("versus", "| j j"),
            ("versus-all", "| a"),
            ("pending", "shift-tab j"),
            ("ledger", "e j"),
            ("ledger-all", "e a i i z"),
            ("graph", "B e j j r"),
            ("graph-walked", "o r k enter"),
            ("audit", "f"),
            ("audit-boundary", "f k"),
            ("audit-chain", "f j k n n N"),
            ("audit-alone", "f n n z"),
            ("audit-cost", "f N enter"),
            ("audit-cost-detail", "f N d"),
            ("help", "?"),
            ("help-audit", "f ?"),
            ("palette", ":"),
            ("palette-typed", ": l e d"),
            ("find", "/ m i g"),
            ("filtered", "2 4"),
            ("folded", "Z"),
            ("record", "g j d R"),
            ("long-lines", "B d W right"),
            ("found-within", "B d / m i g enter"),
            ("changes", "~"),
            ("changes-since-mark", "g j h M w ~"),
            ("hidden", "H D"),
            ("arranged", "shift-left shift-left shift-up"),
        ] {
            assert_snapshot!(format!("{pane}-{}x{}", size.0, size.1), still(&migration(), size, keys).text());
        }
    }
}

#[test]
fn empty_states_teach() {
    for size in SIZES {
        assert_snapshot!(format!("empty-{}x{}", size.0, size.1), still(&Script::new(), size, "").text());
        assert_snapshot!(format!("settled-{}x{}", size.0, size.1), still(&settled(), size, "k enter").text());
        assert_snapshot!(format!("empty-ledger-{}x{}", size.0, size.1), still(&Script::new(), size, "e").text());
        assert_snapshot!(format!("settled-ledger-{}x{}", size.0, size.1), still(&settled(), size, "e").text());
        assert_snapshot!(format!("empty-graph-{}x{}", size.0, size.1), still(&Script::new(), size, "e tab").text());
        assert_snapshot!(format!("settled-audit-{}x{}", size.0, size.1), still(&settled(), size, "f").text());
        assert_snapshot!(format!("empty-policies-{}x{}", size.0, size.1), still(&Script::new(), size, "*").text());
        assert_snapshot!(format!("settled-versus-{}x{}", size.0, size.1), still(&settled(), size, "|").text());
    }
}

#[test]
fn while_a_session_is_read_nothing_is_judged_and_nothing_is_green() {
    let script = migration();
    for size in SIZES {
        let fake = Fake::new(&script);
        fake.publish(&[&script], 0, Progress::Reading { done: 34, total: 100 });
        let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 41), size);
        assert_snapshot!(format!("reading-{}x{}", size.0, size.1), still.text());
        for keys in ["*", "|", "x", "m", "s", "enter", "esc }"] {
            still.press(keys).unwrap();
            assert!(!["refuse", "compact ", "defer"].iter().any(|word| still.text().contains(word)), "`{keys}`: {}", still.text());
        }
        // From 200 columns on the detail stands beside it, where an added line has a green sign.
        still.press("esc").unwrap();
        let looks = looks(&still.screen());
        assert!(size.0 >= 200 || !looks.contains(['g', 'G', 'y', 'Y', 'r', 'R']), "{looks}");
    }
}

#[test]
fn colour_is_status_and_each_status_has_a_sign() {
    let script = migration();
    assert_snapshot!("looks-120x40", looks(&still(&script, (120, 40), "k k k").screen()));

    let mut options = options(&script, 41);
    options.theme = Theme::load("terminal", None).unwrap().in_depth(Depth::None);
    let plain = Still::open(&Fake::new(&script), Box::new(Simple), &options, (120, 40));
    assert_eq!(plain.text(), still(&script, (120, 40), "").text(), "a theme changes no letter");
    assert_snapshot!("looks-without-colours-120x40", looks(&plain.screen()));
}

#[test]
fn regions_are_underlined_and_turned_through() {
    let mut still = still(&migration(), (120, 40), "g j d");
    let marks = |still: &Still| looks(&still.screen()).lines().nth(6).unwrap_or_default().to_owned();
    assert!(marks(&still).contains("____"), "{}", looks(&still.screen()));
    for says in ["requirement 1 of 2  rule ", "prohibition 2 of 2  rule ", "requirement 1 of 2"] {
        still.press("n").unwrap();
        assert!(still.text().contains(says), "{says}: {}", still.text());
    }
    still.press("N").unwrap();
    assert!(still.text().contains("prohibition 2 of 2"), "{}", still.text());
    still.press("j j j j g j j j n").unwrap();
}

#[test]
fn a_defect_in_the_judge_is_said_and_goes_with_what_was_asked() {
    let mut still = still(&migration(), (120, 40), "");
    let asked = crate::ui::assess::Ticket {
        epoch: 0,
        revision: 1,
        lane: crate::base::ids::LaneIx(0),
        moment: None,
        question: crate::ui::Question::default(),
    };
    still.take(crate::ui::msg::Msg::NotAssessed(crate::ui::assess::Seat::One, asked));
    let second = still.text().lines().nth(1).unwrap_or_default().to_owned();
    assert!(second.contains("no verdict: judging this failed"), "{second}");
    still.press("p").unwrap();
    assert!(still.text().contains("REFUSE"), "{}", still.text());
}

#[test]
fn every_theme_draws() {
    let script = migration();
    for (name, _) in crate::ui::theme::THEMES {
        let mut options = options(&script, 41);
        options.theme = Theme::load(name, None).unwrap();
        let still = Still::open(&Fake::new(&script), Box::new(Simple), &options, (120, 40));
        assert!(still.text().contains("REFUSE"), "{name}");
    }
}

#[test]
fn a_theme_may_do_without_other_characters_than_ascii() {
    let script = migration();
    let mut options = options(&script, 41);
    options.theme = Theme::load("ascii", None).unwrap();
    for keys in ["k k k", "B e j j r", "shift-tab", "tab tab tab", "?"] {
        let mut still = Still::open(&Fake::new(&script), Box::new(Simple), &options, (120, 40));
        still.press(keys).unwrap();
        let other = still.text().chars().find(|c| !c.is_ascii());
        assert_eq!(other, None, "`{keys}`:\n{}", still.text());
    }
}

#[test]
fn below_the_smallest_size_it_says_so() {
    for (size, says) in [((59, 15), true), ((60, 14), true), ((60, 15), false), ((20, 3), true)] {
        assert_eq!(still(&migration(), size, "").text().contains("owed needs"), says, "{size:?}");
    }
}

#[test]
fn nothing_live_reaches_the_screen() {
    let mut script = Script::new();
    script.prompt("clean \u{1b}[31mred\u{1b}[0m \u{202e}bidi");
    script.step();
    script.says("see \u{1b}]0;title\u{7} and \u{9b}31m\n\u{1b}[2J");
    let shown = still(&script, (200, 60), "d").text();
    assert!(!shown.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{shown:?}");
}
