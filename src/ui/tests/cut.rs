//! The cut moved by keys and by the mouse, and policies against each other.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::still;
use crate::ui::Still;
use crate::ui::msg::Msg;
use crate::ui::testing::{long, migration, settled};

const PRESS: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const RELEASE: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

fn mouse(still: &mut Still, events: &[(MouseEventKind, usize)], column: u16) {
    for (kind, row) in events {
        let row = u16::try_from(*row).unwrap();
        still.take(Msg::Mouse(MouseEvent { kind: *kind, column, row, modifiers: KeyModifiers::NONE }));
    }
}

/// The rows of the screen that say something.
fn rows_of(still: &Still, says: &str) -> Vec<usize> {
    still.text().lines().enumerate().filter(|(_, line)| line.contains(says)).map(|(n, _)| n).collect()
}

/// The row of the time line before which the cut stands.
fn kept_first(still: &Still) -> String {
    let text = still.text();
    let below = text.lines().skip_while(|line| !line.starts_with("┄┄")).nth(1).unwrap_or_default();
    below.chars().skip(10).take(40).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_move_the_cut_by_spans_by_turns_and_to_the_row_under_the_cursor() {
    for (keys, first) in [
        ("X", "agent The migration did not"),
        ("X X", "Bash ./migrate.sh orders"),
        ("X X X x", "Bash ./migrate.sh orders"),
        ("{", "you Looks good."),
        ("{ {", "ion 1 · auto"),
        ("{ X }", "you Looks good."),
        ("{ } }", ""),
        ("k k m", "Bash ./migrate.sh orders"),
    ] {
        let still = still(&migration(), (200, 60), keys);
        assert!(kept_first(&still).starts_with(first), "`{keys}`: `{}`", kept_first(&still));
    }
    for (keys, says) in [
        ("x", "the cut is at the end of the context"),
        ("{ { {", "the cut is at the end of the context"),
        ("g j m", "this row is not in the context: no cut can stand there"),
    ] {
        let still = still(&migration(), (120, 40), keys);
        let text = still.text();
        let line = text.lines().last().unwrap_or_default().trim();
        assert_eq!(line.split("   ").next(), Some(says), "`{keys}`");
    }
}

#[test]
fn the_line_of_the_cut_is_dragged_over_whole_spans() {
    let mut still = still(&migration(), (120, 40), "X");
    let line = rows_of(&still, "┄┄ cut by hand")[0];
    // Up over the second attempt, up over both rows of the step before, and down again.
    mouse(&mut still, &[(PRESS, line), (DRAG, line - 1)], 20);
    assert!(kept_first(&still).starts_with("Bash ./migrate.sh"), "{}", still.text());
    mouse(&mut still, &[(DRAG, line - 2)], 20);
    assert!(kept_first(&still).starts_with("agent Migrating"), "a step is not torn: {}", still.text());
    mouse(&mut still, &[(DRAG, line - 1), (DRAG, line), (RELEASE, line)], 20);
    let put = still.text();
    assert!(kept_first(&still).starts_with("Bash ./migrate.sh") || kept_first(&still).starts_with("agent The"), "{put}");
    mouse(&mut still, &[(DRAG, 4)], 20);
    assert_eq!(still.text(), put, "released");
}

#[test]
fn the_cut_is_dragged_among_the_rows_of_the_dry_run_too() {
    let mut still = still(&migration(), (80, 24), "tab tab tab");
    let line = rows_of(&still, "cut: kept from here")[0];
    mouse(&mut still, &[(PRESS, line), (DRAG, line - 1), (DRAG, line - 2), (RELEASE, line - 2)], 20);
    let text = still.text();
    assert!(text.contains("cut by hand: kept from here") && text.matches(" kept ").count() >= 2, "{text}");
}

#[test]
fn in_a_long_lane_the_line_says_where_the_cut_is_and_the_pane_scrolls_at_its_edge() {
    let mut still = still(&long(400), (120, 40), "X X");
    assert!(still.text().contains("┄┄ cut by hand"), "{}", still.text());
    still.press("g").unwrap();
    assert!(still.text().contains("▾ cut by hand"), "{}", still.text());
    still.press("g m G").unwrap();
    assert!(still.text().contains("▴ cut by hand"), "{}", still.text());
    let before = kept_first(&still);
    let line = rows_of(&still, "▴ cut by hand")[0];
    mouse(&mut still, &[(PRESS, line), (DRAG, line + 3), (DRAG, line + 6)], 20);
    assert_ne!(kept_first(&still), before);
    let from = still.text();
    mouse(&mut still, &[(DRAG, line), (DRAG, line), (DRAG, line)], 20);
    assert_ne!(still.text(), from, "it scrolls at its edge");
}

#[test]
fn a_policy_is_chosen_from_the_table_and_put_beside_the_one_that_is_judged_by() {
    let mut still = still(&migration(), (120, 40), "*");
    let text = still.text();
    assert!(text.contains("2 policies on 143k") && text.contains("fewest severed first"), "{text}");
    let order: Vec<usize> = ["■   codex", "▸ claude-code"].iter().map(|name| rows_of(&still, name)[0]).collect();
    assert!(order[0] < order[1], "the one that severs less stands first: {text}");
    still.press("k enter").unwrap();
    assert!(still.text().contains("judged by Codex") && still.text().contains("▸ codex"), "{}", still.text());
    still.press("j |").unwrap();
    assert!(still.text().contains("they differ on 2; a shows all"), "{}", still.text());
    still.press("a").unwrap();
    assert!(still.text().contains("they differ on 2") && !still.text().contains("shows all"), "{}", still.text());
    // The same key leads back to the one, and so does the way one came.
    still.press("|").unwrap();
    assert!(still.text().contains("barrier-aware"), "{}", still.text());
    still.press("* backspace").unwrap();
    assert!(still.text().contains("barrier-aware"), "{}", still.text());
}

#[test]
fn a_click_selects_a_row_of_the_table() {
    let mut still = still(&migration(), (120, 40), "*");
    let row = rows_of(&still, "■   codex")[0];
    mouse(&mut still, &[(PRESS, row), (RELEASE, row)], 80);
    still.press("enter").unwrap();
    assert!(still.text().contains("judged by Codex"), "{}", still.text());
}

#[test]
fn what_is_judged_by_two_policies_alike_says_so() {
    let still = still(&settled(), (120, 40), "| n");
    assert!(still.text().contains("verdict") && still.text().contains("severed"), "{}", still.text());
}
