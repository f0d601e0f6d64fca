//! What the time line leaves out, and how it comes back.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::still;
use crate::session::Progress;
use crate::ui::Still;
use crate::ui::msg::Msg;
use crate::ui::testing::{Fake, Script, Simple, long, migration, options};

/// What the rows of the time line say, without their times, signs and numbers.
fn rows(still: &Still) -> Vec<String> {
    let text = still.text();
    let lines = text.lines().skip(3).take_while(|line| !line.starts_with('─') || line.contains("compaction"));
    let said =
        lines.map(|line| line.chars().skip(10).take(34).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "));
    said.filter(|said| !said.is_empty()).collect()
}

fn title(still: &Still) -> String {
    still.text().lines().nth(2).unwrap_or_default().chars().take(60).collect()
}

#[test]
fn each_filter_narrows_what_the_others_leave_and_is_shown() {
    for (keys, chips, expected) in [
        ("5", "[said]", vec!["you Move orders to t", "agent I will read"]),
        ("1", "[errors]", vec!["compaction"]),
        ("2 3", "[effects] ━ [open]", vec!["compaction", "Bash ./migrate.sh", "Bash ./migrate.sh", "Write config.yaml"]),
        ("g j j j j 6", "[Read]", vec!["Read src/db/orders.rs"]),
    ] {
        let still = still(&migration(), (120, 40), keys);
        assert!(title(&still).contains(chips), "`{keys}`: {}", title(&still));
        let shown = rows(&still).join("\n");
        for row in expected {
            let found = row == "compaction" || shown.contains(row);
            assert!(found, "`{keys}` does not show `{row}`:\n{shown}");
        }
    }
    let all = rows(&still(&migration(), (120, 40), ""));
    let narrowed = still(&migration(), (120, 40), "2 3 5");
    assert_eq!(rows(&narrowed).len(), 1, "of a call nothing was said: {}", narrowed.text());
    assert_eq!(rows(&still(&migration(), (120, 40), "2 3 0")), all);
    assert_eq!(rows(&still(&migration(), (120, 40), "2 2")), all, "a key takes its filter out again");
}

#[test]
fn a_jump_shows_where_it_leads_whatever_was_filtered() {
    let still = still(&migration(), (120, 40), "5 o");
    assert!(still.text().contains("it was hidden by the filter said"), "{}", still.text());
    assert!(still.text().contains("./migrate.sh"), "{}", still.text());
}

#[test]
fn turns_fold_to_their_prompt_and_open_where_a_jump_leads() {
    let mut still = still(&migration(), (120, 40), "Z");
    let folded = rows(&still);
    assert!(folded.iter().any(|row| row.starts_with("you Looks good.")), "{folded:?}");
    assert!(!folded.iter().any(|row| row.starts_with("Read")), "{folded:?}");
    assert!(still.text().contains("▸ 5 rows"), "{}", still.text());
    still.press("g o").unwrap();
    assert!(rows(&still).iter().any(|row| row.starts_with("Bash ./migrate.sh")), "{}", still.text());
    assert!(!rows(&still).iter().any(|row| row.starts_with("Read")), "the other turn stays folded: {}", still.text());
    still.press("Z Z").unwrap();
    assert!(rows(&still).iter().any(|row| row.starts_with("Read")), "{}", still.text());
}

#[test]
fn one_turn_is_folded_and_unfolded_by_its_arrows() {
    let mut still = still(&long(60), (120, 40), "");
    let all = rows(&still);
    still.press("left").unwrap();
    assert_ne!(rows(&still), all);
    let once = still.text().matches("▸").count();
    still.press("left").unwrap();
    assert_eq!(still.text().matches("▸").count(), once + 1, "the turn before: {}", still.text());
    still.press("right").unwrap();
    assert_eq!(still.text().matches("▸").count(), once, "{}", still.text());
}

#[test]
fn prompts_are_one_key_apart() {
    let mut still = still(&migration(), (120, 40), "g J");
    let here = |still: &Still| still.text().lines().nth(2).unwrap_or_default().to_owned();
    let first = here(&still);
    still.press("J").unwrap();
    assert_ne!(here(&still), first);
    still.press("K").unwrap();
    assert_eq!(here(&still), first);
}

#[test]
fn only_the_places_that_were_found() {
    let mut still = still(&migration(), (120, 40), "7");
    assert!(still.text().contains("nothing has been searched for"), "{}", still.text());
    still.press("/ b k - 2 2 enter 7").unwrap();
    assert!(title(&still).contains("[found]"), "{}", still.text());
    assert!(rows(&still).len() < 6, "{}", still.text());
}

#[test]
fn no_filter_hides_how_much_is_new() {
    let mut script = long(400);
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 0), (80, 24));
    still.press("5 pageup pageup").unwrap();
    script.prompt("And now this.");
    script.step();
    script.thinks("Hm.");
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert!(still.text().contains("▾ 1 more since you scrolled"), "thoughts are filtered: {}", still.text());
}

#[test]
fn where_nothing_passes_that_is_said() {
    let mut script = Script::new();
    script.prompt("Hello.");
    assert!(still(&script, (80, 24), "1").text().contains("No row passes these filters."));
}

#[test]
fn a_click_on_the_minimap_goes_there() {
    let mut still = still(&long(400), (120, 40), "");
    let at = |still: &Still| still.text().lines().nth(2).unwrap_or_default().to_owned();
    let (before, column) = (at(&still), 63);
    let click =
        |row| Msg::Mouse(MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column, row, modifiers: KeyModifiers::NONE });
    still.take(click(4));
    let top = at(&still);
    assert_ne!(before, top, "{}", still.text());
    still.take(click(30));
    assert_ne!(at(&still), top);
}

/// What a pane says that has the whole screen, without the last line.
fn alone(still: &Still) -> String {
    let text = still.text();
    let lines: Vec<&str> = text.lines().skip(2).collect();
    lines[..lines.len() - 1].join("\n")
}

#[test]
fn words_narrow_the_list_that_has_the_keys_and_leave_them_there() {
    for (keys, typed, holds, gone) in [
        ("e", "drop", "Do not drop columns.", "backup id"),
        ("*", "codex", "codex", "claude-code "),
        ("f", "negation", "negation loss", "authority fabricated"),
        ("shift-tab", "migrate.sh", "migrate.sh", "Write"),
        ("~", "config", "config.yaml", "push it when"),
        ("!", "answer", "did not answer", "Looks good"),
    ] {
        let mut still = still(&migration(), (120, 40), &format!("{keys} z"));
        let focus = still.focus();
        let whole = alone(&still);
        assert!(whole.contains(gone), "`{keys}`: `{gone}` is to go:\n{whole}");
        still.press(&format!("/ {}", typed.chars().map(String::from).collect::<Vec<_>>().join(" "))).unwrap();
        assert_eq!(still.focus(), focus, "`{keys}`");
        let narrowed = alone(&still);
        assert!(narrowed.contains(holds) && !narrowed.contains(gone), "`{keys}`:\n{narrowed}");
        still.press("enter j k").unwrap();
        assert!(alone(&still).contains(&format!("[/{typed}]")), "a chip says so: {}", alone(&still));
        still.press("esc").unwrap();
        let all = alone(&still);
        assert!(still.focus() == focus && all.contains(gone) && !all.contains("[/"), "`{keys}`: esc shows all rows:\n{all}");
    }
}

#[test]
fn a_narrowed_list_says_how_much_of_it_is_left_and_leaves_all_titles_where_they_are() {
    for (keys, chip) in [
        ("e / d r o p enter", "[/drop]  1 of 5"),
        ("~ / c o n f i g enter", "[/config]  1 of 4"),
        ("f / n e g a t i o n enter", "[/negation]  1 of 2"),
        ("! / a n s w e r enter", "[/answer]  1 of 9"),
        ("* / a b c enter", "[/abc]  0 of 2"),
    ] {
        for size in [(120, 40), (200, 60)] {
            let still = still(&migration(), size, keys);
            let (text, (at, all)) = (still.text(), titles(&still_of(size)));
            assert_eq!(titles(&text), (at, all), "`{keys}`");
            let below = text.lines().nth(at + 1).unwrap_or_default();
            assert!(below.contains(chip), "`{keys}`: {below}");
        }
    }
    let pending = still(&migration(), (120, 40), "shift-tab / w r i t e enter").text();
    assert!(pending.contains("━ Pending ━ [/write] ━ 1 of 2 ━"), "{pending}");
}

/// A screen of some size with a list on it.
fn still_of(size: (u16, u16)) -> String {
    still(&migration(), size, "e").text()
}

/// The line with the titles of the lists, and its place.
fn titles(text: &str) -> (usize, String) {
    let strip = text.lines().enumerate().find(|(_, line)| line.contains(" Dry run "));
    // On the row of the time line beside it another row may be selected.
    strip.map(|(at, line)| (at, line.chars().skip(64).collect::<String>().replace('━', "─"))).unwrap_or_default()
}
