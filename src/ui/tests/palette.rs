//! The command palette: from words to what they do.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::still;
use crate::ui::Still;
use crate::ui::msg::Msg;
use crate::ui::testing::{migration, settled};

fn last_line(still: &Still) -> String {
    still.text().lines().last().unwrap_or_default().trim().to_owned()
}

#[test]
fn a_command_is_found_by_its_name_and_done() {
    for (keys, shows) in [
        (": l e d g e r enter", "worst first"),
        (": n e x t - b a r enter", "barrier"),
        ("ctrl-p w h o l e enter", "Timeline"),
        (": c o d e x enter", "judged by"),
        (": z z z z enter", "no command fits “zzzz”"),
        (": 1 2 enter", "The user wants orders moved"),
        (": q u i t - n down up esc", "Timeline"),
    ] {
        let still = still(&migration(), (120, 40), keys);
        assert!(still.text().contains(shows), "`{keys}` does not show `{shows}`:\n{}", still.text());
    }
    assert!(still(&settled(), (80, 24), ": q u i t enter").has_quit());
}

#[test]
fn a_time_of_day_is_a_moment() {
    let mut still = still(&migration(), (200, 60), ": 9 : 0 3");
    assert!(still.text().contains("moment 9:03"), "{}", still.text());
    still.press("enter").unwrap();
    let first = still.text().lines().next().unwrap_or_default().to_owned();
    assert!(first.contains("event ") && first.contains(" of 20"), "{first}");
    still.press("w").unwrap();
    assert!(!last_line(&still).is_empty());
}

#[test]
fn a_theme_changes_how_it_looks_and_not_what_it_says() {
    let mut still = still(&migration(), (120, 40), "");
    let (before, looks) = (still.text(), super::looks(&still.screen()));
    still.press(": t h e m e space c o n t r a s t enter").unwrap();
    assert_eq!(still.text(), before);
    assert_ne!(super::looks(&still.screen()), looks);
}

#[test]
fn only_what_works_here_is_offered() {
    let shown = |keys: &str| still(&migration(), (120, 40), keys).text();
    assert!(shown("e : n e x t - k i n d").contains("only the next kind of entry"));
    assert!(!shown(": n e x t - k i n d").contains("only the next kind of entry"));
}

#[test]
fn what_is_typed_is_no_key() {
    let mut still = still(&migration(), (120, 40), ": q backspace backspace");
    assert!(!still.has_quit());
    still.press("q").unwrap();
    assert!(still.has_quit(), "an empty line that is erased is left");
}

/// The names of the first rows of the palette.
fn offered(still: &Still, rows: usize) -> Vec<String> {
    let text = still.text();
    let lines = text.lines().skip_while(|line| !line.contains(" Commands ")).skip(1).take(rows);
    lines.map(|line| line.split("  ").map(str::trim).find(|part| !part.is_empty()).unwrap_or_default().to_owned()).collect()
}

#[test]
fn where_nothing_is_typed_what_was_done_most_comes_first_then_what_the_key_bar_shows() {
    let mut still = still(&migration(), (120, 40), "e :");
    assert_eq!(offered(&still, 4), ["next-evidence", "next-dependent", "all-entries", "next-kind"]);
    still.press("esc : m a r k enter : l e d g enter :").unwrap();
    assert_eq!(offered(&still, 2), ["ledger", "mark"], "of those done as often, the last");
    still.press("esc : m a r k enter : l e d g enter : m a r k enter :").unwrap();
    assert_eq!(offered(&still, 2), ["mark", "ledger"]);
}

#[test]
fn what_is_called_so_comes_first_then_what_begins_so_and_actions_before_policies() {
    for (keys, first) in [
        ("f o l d", ["fold", "fold-all"].as_slice()),
        ("p o l", &["all-policies", "next-policy", "cut-by-policy", "previous-policy", "policy claude-code", "policy codex"]),
        ("p o l i c y space c o d e x", &["policy codex"]),
        ("l e d g e r", &["ledger", "changes"]),
    ] {
        let still = still(&migration(), (120, 40), &format!(": {keys}"));
        assert_eq!(offered(&still, first.len()), first, "{keys}: {}", still.text());
    }
}

#[test]
fn the_mouse_chooses_in_the_palette_and_scrolls_the_help() {
    let mouse = |still: &mut Still, kind, row| {
        still.take(Msg::Mouse(MouseEvent { kind, column: 5, row, modifiers: KeyModifiers::NONE }));
    };
    let click = MouseEventKind::Down(MouseButton::Left);
    let mut still = still(&migration(), (120, 40), ": l e d g");
    let top = still.text().lines().position(|line| line.contains(" Commands ")).unwrap() as u16 + 1;
    mouse(&mut still, click, top + 1);
    assert!(still.text().contains(" Commands "), "a click selects: {}", still.text());
    mouse(&mut still, click, top);
    mouse(&mut still, click, top);
    assert!(still.text().contains("worst first") && !still.text().contains(" Commands "), "{}", still.text());
    still.press("?").unwrap();
    assert!(still.text().contains("line 1 of"), "{}", still.text());
    mouse(&mut still, MouseEventKind::ScrollDown, 9);
    assert!(still.text().contains("line 4 of"), "{}", still.text());
}
