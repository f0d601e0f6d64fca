//! What leaves the screen: texts, places, calls for the reader, and how the panes lie.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::still;
use crate::ledger::effects::Class;
use crate::session::Progress;
use crate::ui::Still;
use crate::ui::msg::{Effect, Msg};
use crate::ui::outside::{Arrangement, Columns, Shown, Visit};
use crate::ui::testing::{Fake, Script, Simple, migration, options, settled};

fn copied(keys: &str) -> Vec<String> {
    let still = still(&migration(), (120, 40), keys);
    still.effects.into_iter().filter_map(|effect| if let Effect::Copy(text) = effect { Some(text) } else { None }).collect()
}

#[test]
fn what_is_under_the_cursor_is_copied() {
    for (keys, text) in [
        ("g j Y", "Move orders to the new schema. Do not drop columns."),
        ("g o ctrl-y", "./migrate.sh orders --apply"),
        ("g o '", "/sessions/example.jsonl:1"),
        ("g o \"", "toolu_92"),
    ] {
        let copied = copied(keys);
        assert!(copied.first().is_some_and(|copied| copied.contains(text)), "`{keys}`: {copied:?}");
    }
    assert!(copied("g j ctrl-y").is_empty(), "a prompt has no command");
}

#[test]
fn the_pager_gets_the_text_and_the_editor_the_line() {
    let mut still = still(&migration(), (200, 60), "g o V E");
    let [Effect::Visit(Visit::Pager(text)), Effect::Visit(Visit::Editor { line, .. })] = &still.effects[..] else {
        panic!("{:?}", still.effects)
    };
    assert!(text.contains("./migrate.sh orders --apply"), "{text}");
    assert!(still.text().contains(&format!("line {line}")), "{}", still.text());
    still.take(Msg::Told("`nothing` cannot be run".to_owned()));
    assert!(still.text().contains("`nothing` cannot be run"));
}

#[test]
fn nothing_live_gets_into_the_pager() {
    let mut script = Script::new();
    script.prompt("see \u{1b}[2J\u{1b}]0;title\u{7} this");
    let still = still(&script, (120, 40), "V");
    let [Effect::Visit(Visit::Pager(text))] = &still.effects[..] else { panic!("{:?}", still.effects) };
    assert_eq!(text, "see  this");
}

#[test]
fn a_verdict_that_changes_is_told_and_marked() {
    let mut script = settled();
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 0), (120, 40));
    script.prompt("Deploy it.");
    script.call("Bash", Class::External, "make deploy", r#"{"command":"make deploy"}"#);
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert!(still.text().contains("(was compact)"), "{}", still.text());
    assert!(still.effects.is_empty(), "it may be otherwise in a moment");
    assert_eq!(still.text().matches(" + ").count(), 2, "two rows are new: {}", still.text());
    let later = |seconds: i64| Msg::Clock(crate::base::time::Stamp(script.now().0 + seconds * 1_000));
    still.take(later(1));
    assert!(still.text().contains("(was compact)"));
    still.take(later(9));
    let [Effect::Alert(told)] = &still.effects[..] else { panic!("{:?}", still.effects) };
    assert!(told.contains("(was compact), 1 open"), "{told}");
    assert!(!still.text().contains("(was compact)") && !still.text().contains(" + "), "{}", still.text());
}

#[test]
fn what_is_open_grows_no_older_once_the_session_is_over() {
    let mut script = settled();
    script.call("Bash", Class::External, "make deploy", r#"{"command":"make deploy"}"#);
    script.wait(240);
    script.prompt("Anything new?");
    let at_once = Still::open(&Fake::new(&script), Box::new(Simple), &options(&script, 30), (120, 40)).text();
    assert!(at_once.contains("no result, 4 min") && at_once.contains("call open 4 min"), "{at_once}");
    let months_later = Still::open(&Fake::new(&script), Box::new(Simple), &options(&script, 245 * 86_400), (120, 40)).text();
    assert!(months_later.contains("no result, 4 min") && months_later.contains("stopped 245 d ago"), "{months_later}");
}

#[test]
fn a_verdict_that_is_soon_what_it_was_calls_nobody() {
    let mut script = settled();
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 0), (120, 40));
    script.prompt("Deploy it.");
    let call = script.call("Bash", Class::External, "make deploy", r#"{"command":"make deploy"}"#);
    for _ in 0..2 {
        fake.publish(&[&script], 0, Progress::Complete);
        still.refresh(&fake);
        if script.lane.calls.get(call.index()).unwrap().end.is_none() {
            assert!(still.text().contains("(was compact)"));
            script.ok(call, "done");
        }
    }
    assert!(!still.text().contains("(was compact)"), "{}", still.text());
    still.take(Msg::Clock(crate::base::time::Stamp(script.now().0 + 60_000)));
    assert!(still.effects.is_empty(), "{:?}", still.effects);
}

#[test]
fn panes_are_arranged_by_keys_and_that_is_remembered() {
    let mut still = still(&migration(), (120, 40), "shift-left shift-up H D");
    let last = still.effects.iter().rev().find_map(|effect| if let Effect::Remember(how) = effect { Some(*how) } else { None });
    assert_eq!(
        last,
        Some(Arrangement {
            timeline: Some(49),
            pending: Some(3),
            calls: Shown::Hidden,
            tabs: Shown::Hidden,
            changes: Columns::Two
        })
    );
    assert!(!still.text().contains("Pending") && !still.text().contains("Why"), "{}", still.text());
    still.press("shift-tab").unwrap();
    assert!(still.text().contains("Pending"), "what is hidden comes back with the keys: {}", still.text());
    still.press("tab v").unwrap();
    assert!(still.text().contains("Why"), "{}", still.text());
}

#[test]
fn the_mouse_takes_an_edge_along() {
    let mut still = still(&migration(), (120, 40), "");
    let edge = |still: &Still| still.text().lines().nth(2).unwrap_or_default().chars().position(|c| c == 'W').unwrap_or(0);
    let before = edge(&still);
    let mouse = |kind, column, row| Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
    let (down, drag, up) =
        (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Drag(MouseButton::Left), MouseEventKind::Up(MouseButton::Left));
    for (kind, column) in [(down, 64), (drag, 60), (drag, 50), (up, 50)] {
        still.take(mouse(kind, column, 10));
    }
    assert!(edge(&still) < before - 10, "{}", still.text());
    let pending = still.text().lines().position(|line| line.contains("Pending")).unwrap() as u16;
    for (kind, row) in [(down, pending), (drag, pending - 5), (up, pending - 5)] {
        still.take(mouse(kind, 80, row));
    }
    let now = still.text().lines().position(|line| line.contains("Pending")).unwrap() as u16;
    assert_eq!(now, pending - 5, "{}", still.text());
    assert!(still.effects.iter().filter(|effect| matches!(effect, Effect::Remember(_))).count() == 2);
}
