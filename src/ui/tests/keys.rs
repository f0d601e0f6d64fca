//! Keys to screens.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::Modifier;

use super::still;
use crate::ledger::effects::Class;
use crate::ledger::entry::{EntryKind, Weight};
use crate::session::Progress;
use crate::ui::Still;
use crate::ui::app::{Pane, Tab};
use crate::ui::msg::Msg;
use crate::ui::testing::{Fake, Script, Simple, long, migration, options, settled};

/// The text of the selected row of the time line, without its glyph and cut.
fn selected(still: &Still) -> String {
    let screen = still.screen();
    let width = usize::from(screen.area.width);
    let mut rows = screen.content().chunks(width);
    let marked = |cell: &ratatui::buffer::Cell| cell.modifier.intersects(Modifier::REVERSED | Modifier::UNDERLINED);
    let row = rows.by_ref().skip(3).find(|cells| cells.first().is_some_and(marked));
    let text: String = row.unwrap_or_default().iter().take(60).map(ratatui::buffer::Cell::symbol).collect();
    text.chars().skip(10).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn last_line(still: &Still) -> String {
    let text = still.text();
    let line = text.lines().last().unwrap_or_default().trim();
    // Behind what a key had to say stand the keys.
    line.split("   ").next().unwrap_or_default().to_owned()
}

#[test]
fn jumps_lead_to_what_matters() {
    for (keys, row) in [
        ("g", "runtime"),
        ("g b", "agent Migrating"),
        ("g b b", "Bash ./migrate.sh"),
        ("B", "agent The migration did not"),
        ("g o", "Bash ./migrate.sh"),
        ("g o o", "Write config.yaml"),
        ("O", "Bash ./migrate.sh"),
        ("g G", "Write config.yaml"),
        ("g j", "you Move orders"),
        ("g j j k", "you Move orders"),
        ("v", "Bash ./migrate.sh"),
    ] {
        let still = still(&migration(), (120, 40), keys);
        assert!(selected(&still).starts_with(row), "`{keys}` leads to `{}`, not to `{row}`", selected(&still));
    }
}

#[test]
fn what_was_lost_is_explained_where_it_stood() {
    let mut script = migration();
    // Nothing else is in the way: the first reason of the verdict is what the compaction lost.
    for id in script.lane.live.clone().iter() {
        if script.lane.entry(*id).is_some_and(|entry| entry.lost.is_empty()) {
            std::sync::Arc::make_mut(&mut script.lane.live).remove(id);
        }
    }
    let mut still = still(&script, (120, 40), "v");
    assert!(still.text().contains("1 lost with it") && still.text().contains("“Do not drop columns.”"), "{}", still.text());
    still.press("d").unwrap();
    assert!(still.text().contains("prohibition 1"), "the event in full, with its regions: {}", still.text());
}

#[test]
fn backspace_leads_back_the_way_you_came() {
    let mut still = still(&migration(), (120, 40), "g");
    let mut way = vec![selected(&still)];
    for key in ["b", "o", "c", "v"] {
        still.press(key).unwrap();
        way.push(selected(&still));
    }
    // The first row below the last barrier has no compaction after it: `c` stayed where it was, and left no trail.
    way.dedup();
    while let Some(place) = way.pop() {
        assert_eq!(selected(&still), place);
        still.press("backspace").unwrap();
    }
    assert_eq!(last_line(&still), "this is where you started");
}

#[test]
fn every_judgement_is_one_key_from_its_reason_and_that_from_its_evidence() {
    let mut still = still(&migration(), (120, 40), "g b enter");
    assert!(still.text().contains("  effect unknown"), "{}", still.text());
    still.press("enter").unwrap();
    assert!(selected(&still).starts_with("Bash ./migrate.sh"), "{}", selected(&still));
    still.press("backspace backspace").unwrap();
    assert!(selected(&still).starts_with("agent Migrating"), "{}", selected(&still));
}

#[test]
fn from_the_ledger_every_entry_is_one_key_from_its_cause_its_evidence_and_what_came_of_it() {
    // The first row is what was lost, then come the effect in doubt and the open call.
    let mut still = still(&migration(), (120, 40), "e j");
    still.press("n").unwrap();
    assert!(last_line(&still).contains(" effect: evidence 1 of 2"), "{}", last_line(&still));
    assert!(selected(&still).starts_with("Bash ./migrate.sh"), "{}", selected(&still));
    still.press("n n").unwrap();
    assert!(last_line(&still).contains("evidence 1 of 2"), "round and round: {}", last_line(&still));
    still.press("u").unwrap();
    assert!(last_line(&still).contains("nothing has come of it yet"), "{}", last_line(&still));
    still.press("enter").unwrap();
    assert!(still.text().contains("timeout  120000"), "the whole event: {}", still.text());
    still.press("backspace").unwrap();
    assert!(still.text().contains("worst first"), "back in the ledger: {}", still.text());
}

#[test]
fn the_graph_is_walked_and_left_the_way_it_was_entered() {
    let mut still = still(&migration(), (120, 40), "e j r");
    let centred = still.text();
    assert!(centred.contains("uses output of"), "{centred}");
    still.press("k enter").unwrap();
    assert!(still.text().contains("its output used by"), "the value stands in the middle now: {}", still.text());
    still.press("backspace").unwrap();
    assert_eq!(still.text(), centred);
    still.press("backspace").unwrap();
    assert!(still.text().contains("worst first"), "{}", still.text());
}

#[test]
fn where_nothing_is_to_be_found_a_key_says_so() {
    for (keys, says) in [
        ("b", "no barrier: nothing here can still change unobserved"),
        ("o", "nothing is open: no call without a result, no effect in doubt"),
        ("c", "no compaction in this session: * shows what each policy would drop now"),
        ("v", "the verdict has no reason to show: nothing stands in the way"),
        ("l", "this session has one lane: no sub-agent"),
        ("p", "judged by Codex"),
        ("backspace", "this is where you started"),
    ] {
        assert_eq!(last_line(&still(&settled(), (120, 40), keys)), says, "{keys}");
    }
}

#[test]
fn the_policy_turns_and_the_cut_moves_with_its_view() {
    let mut still = still(&migration(), (120, 40), "p");
    assert!(still.text().contains("codex"), "{}", still.text());
    still.press("X X").unwrap();
    assert!(still.text().contains("cut by hand: kept from here"), "{}", still.text());
    still.press("=").unwrap();
    assert!(!still.text().contains("cut by hand"), "{}", still.text());
}

#[test]
fn a_reader_who_scrolled_away_is_left_alone_and_told_how_much_is_new() {
    let mut script = long(400);
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 0), (80, 24));
    still.press("pageup pageup").unwrap();
    let before = still.text();
    for _ in 0..3 {
        script.prompt("And now this.");
    }
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    let after = still.text();
    assert!(after.contains("▾ 3 more since you scrolled"), "{after}");
    let rows = |text: &str| text.lines().skip(3).take(10).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&before), rows(&after));
    still.press("G").unwrap();
    assert!(still.text().contains("And now this.") && !still.text().contains("more since"), "{}", still.text());
}

#[test]
fn the_end_is_followed_until_the_reader_moves() {
    let mut script = settled();
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 0), (120, 40));
    script.prompt("Next.");
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert!(selected(&still).starts_with("you Next."));
    still.press("F").unwrap();
    script.prompt("After that.");
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert!(selected(&still).starts_with("you Next."));
}

#[test]
fn a_call_enters_the_table_and_leaves_it_with_its_result() {
    let mut script = settled();
    script.prompt("Deploy it.");
    let call = script.call("Bash", Class::External, "make deploy", r#"{"command":"make deploy"}"#);
    let fake = Fake::new(&script);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&script, 41), (80, 24));
    assert!(still.text().contains("■ Bash make deploy"), "{}", still.text());
    assert!(still.text().contains("call open 41 s"));
    script.ok(call, "done");
    fake.publish(&[&script], 0, Progress::Complete);
    still.refresh(&fake);
    assert!(still.text().contains("Nothing is pending"), "{}", still.text());
}

#[test]
fn a_replaced_file_starts_again() {
    let fake = Fake::new(&migration());
    let mut still = Still::open(&fake, Box::new(Simple), &options(&migration(), 41), (120, 40));
    still.press("g j j").unwrap();
    fake.publish(&[&settled()], 1, Progress::Complete);
    still.refresh(&fake);
    assert!(still.text().contains("It shows what an agent"), "{}", still.text());
    assert!(last_line(&still).starts_with("the file was replaced"));
}

#[test]
fn lanes_turn_and_keep_their_way_back() {
    let (main, mut sub) = (settled(), Script::new());
    sub.lane.name = "reviewer".into();
    sub.prompt("Review the diff.");
    let fake = Fake::new(&main);
    fake.publish(&[&main, &sub], 0, Progress::Complete);
    let mut still = Still::open(&fake, Box::new(Simple), &options(&main, 0), (120, 40));
    still.press("l").unwrap();
    assert!(still.text().contains("Review the diff.") && last_line(&still) == "lane 2 of 2: reviewer", "{}", still.text());
    still.press("backspace").unwrap();
    assert!(still.text().contains("It shows what an agent"), "{}", still.text());
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut still = still(&long(400), (120, 40), "");
    let event = |kind, row| Msg::Mouse(MouseEvent { kind, column: 20, row, modifiers: KeyModifiers::NONE });
    let top = |still: &Still| still.text().lines().nth(3).unwrap_or_default().chars().take(60).collect::<String>();
    let before = top(&still);
    still.take(event(MouseEventKind::ScrollUp, 10));
    assert_ne!(top(&still), before);
    let before = top(&still);
    still.take(event(MouseEventKind::Down(MouseButton::Left), 5));
    assert_eq!(top(&still), before, "a click moves nothing");
    let screen = still.screen();
    assert!(screen.cell((0, 5)).is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED)));
}

#[test]
fn a_click_selects_in_every_list_and_turns_to_a_tab() {
    let reversed = |still: &Still, column: u16| {
        let (screen, rows) = (still.screen(), 0..still.text().lines().count());
        let is = |row: &usize| screen.cell((column, *row as u16)).is_some_and(|cell| cell.modifier.contains(Modifier::REVERSED));
        rows.into_iter().filter(is).collect::<Vec<_>>()
    };
    for (keys, title, to) in [("e", "Ledger", 1), ("f", "Audit", -1), ("e r", "Graph", -1)] {
        let mut still = still(&migration(), (120, 40), keys);
        let click = |still: &mut Still, column, row| {
            let kind = MouseEventKind::Down(MouseButton::Left);
            still.take(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        };
        let [first] = reversed(&still, 116)[..] else { panic!("{title}: {}", still.text()) };
        let other = first.saturating_add_signed(to);
        click(&mut still, 100, other as u16);
        assert_eq!(reversed(&still, 116), [other], "{title}:\n{}", still.text());
        let strip = still.text().lines().nth(2).unwrap_or_default().to_owned();
        let detail =
            strip.chars().collect::<Vec<_>>().windows(6).position(|six| six.iter().collect::<String>() == "Detail").unwrap();
        click(&mut still, detail as u16, 2);
        assert!(still.text().contains("line "), "{title}: {}", still.text());
        assert_eq!(still.focus(), Pane::Tab(Tab::Detail), "{title}");
    }
}

#[test]
fn words_are_searched_and_gone_through_round_and_round() {
    let mut still = still(&migration(), (120, 40), "/ m i g");
    assert_eq!(still.text().lines().last().map(str::trim), Some("/mig▏  enter find   esc leave"));
    still.press("r q backspace enter").unwrap();
    for (keys, says) in [
        ("", "“migr” 6 of 6"),
        ("n", "“migr” 1 of 6, round again"),
        ("n", "“migr” 2 of 6"),
        ("n n", "“migr” 4 of 6"),
        ("N N N N", "“migr” 6 of 6, round again"),
    ] {
        still.press(keys).unwrap();
        assert_eq!(last_line(&still), says, "`{keys}`");
    }
    for (keys, says) in
        [("/ z z z enter", "“zzz” stands nowhere in this lane"), ("n", "“zzz” stands nowhere in this lane"), ("/ esc", "")]
    {
        still.press(keys).unwrap();
        assert!(last_line(&still).starts_with(says) && !last_line(&still).starts_with('/'), "`{keys}`: {}", last_line(&still));
    }
    still.press("q").unwrap();
    assert!(still.has_quit(), "and a letter is a key again");
}

#[test]
fn words_are_found_within_an_event_until_that_is_left() {
    let mut still = still(&migration(), (120, 40), "g j d / c o l u m n s enter");
    assert!(last_line(&still).starts_with("“columns” in line 1 of 1, 1 of 1"), "{}", last_line(&still));
    let marked = still.screen().content().iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED)).count();
    assert!(marked >= "columns".len(), "{marked}");
    still.press("n").unwrap();
    assert!(last_line(&still).starts_with("“columns”"), "{}", last_line(&still));
    still.press("esc n").unwrap();
    assert!(still.text().contains("requirement 1 of 2"), "n turns through the regions again: {}", still.text());
    still.press("/ z z enter").unwrap();
    assert_eq!(last_line(&still), "“zz” does not stand in this event");
}

#[test]
fn leaving_and_the_help_work_from_everywhere() {
    for (keys, quits) in
        [("q", true), ("tab q", true), ("? q", false), ("? ctrl-c", true), ("shift-tab ctrl-c", true), ("? esc q", true)]
    {
        assert_eq!(still(&settled(), (80, 24), keys).has_quit(), quits, "{keys}");
    }
}

#[test]
fn a_long_list_of_reasons_scrolls_with_its_cursor() {
    let mut script = settled();
    script.prompt("A prompt that says a lot.");
    for n in 0..40 {
        script.entry(EntryKind::Requirement, Weight::Repair, &format!("Rule number {n}."));
    }
    let mut still = still(&script, (120, 40), "enter");
    for (keys, first, selected) in [("", 0, 0), ("j j j", 0, 3), ("G", 35, 39), ("k k", 33, 37), ("g", 0, 0)] {
        still.press(keys).unwrap();
        let text = still.text();
        assert!(text.contains(&format!("Rule number {selected}.")), "`{keys}`:\n{text}");
        let shown: Vec<usize> = (0..40).filter(|n| text.contains(&format!("“Rule number {n}.”"))).collect();
        assert!(shown.first().is_some_and(|n| n.abs_diff(first) < 2) && shown.len() > 3, "`{keys}`: {shown:?}");
        // The last one that is seen may not be seen whole.
        let more = text.split("▾ ").find_map(|rest| rest.split_once(" more").and_then(|(n, _)| n.parse::<usize>().ok()));
        let below = 39 - shown.last().unwrap_or(&0);
        assert!(more.unwrap_or(0).abs_diff(below) < 2 && (below == 0 || more.is_some()), "`{keys}`, {below}:\n{text}");
    }
}

#[test]
fn what_is_found_is_marked_in_its_row_and_told_by_a_sign_where_it_is_not_seen() {
    // `timeout` stands in the records of the two attempts, and in what a row says only as `timed out`.
    for (keys, marked, signed) in [("/ m i g r enter g", true, true), ("/ t i m e o u t enter g", false, true)] {
        let mut still = still(&migration(), (120, 40), keys);
        let reversed = |still: &Still| {
            let screen = still.screen();
            let cells = (0..60).flat_map(|x| (4..30).map(move |y| (x, y)));
            let cells = cells.filter_map(|at| screen.cell(at)).filter(|cell| cell.modifier.contains(Modifier::REVERSED));
            cells.map(ratatui::buffer::Cell::symbol).collect::<String>()
        };
        let signs = |still: &Still| still.text().lines().filter(|line| line.chars().nth(7) == Some('/')).count();
        assert_eq!((!reversed(&still).is_empty(), signs(&still) > 0), (marked, signed), "`{keys}`:\n{}", still.text());
        still.press("esc").unwrap();
        assert_eq!((reversed(&still), signs(&still)), (String::new(), 0), "`{keys}`: esc leaves it");
    }
}

#[test]
fn esc_at_the_time_line_takes_away_what_is_asked_for_and_then_says_where_to_go() {
    let mut still = still(&migration(), (120, 40), "/ m i g r enter 2 esc");
    assert!(!still.text().contains("[effects]"), "{}", still.text());
    still.press("esc n").unwrap();
    assert_eq!(last_line(&still), "nothing has been searched for: / begins");
    still.press("esc").unwrap();
    assert_eq!(last_line(&still), "A is the list of sessions, q leaves");
}

#[test]
fn in_a_session_that_is_over_nobody_is_told_to_wait() {
    let script = migration();
    for (seconds, says, says_not) in [
        (41, "wait for its result", "never came"),
        (3 * 24 * 3_600, "its result never came: before anything builds on it, reconcile", "wait for"),
    ] {
        let mut still = Still::open(&Fake::new(&script), Box::new(Simple), &options(&script, seconds), (120, 40));
        still.press("G enter z").unwrap();
        let text = still.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("call without a result"), "{}", still.text());
        assert!(text.contains(says) && !text.contains(says_not), "{seconds}:\n{}", still.text());
    }
}
