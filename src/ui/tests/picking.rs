//! The lists: of sessions, and of what a scan found.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::SIZES;
use crate::audit::Severity;
use crate::base::time::Stamp;
use crate::compaction::judgement::Verdict;
use crate::ui::keymap::Chord;
use crate::ui::msg::{Flow, Job, Msg};
use crate::ui::picker::{Listing, Picker, Sessions};
use crate::ui::runtime::{From, Screen};
use crate::ui::testing::{START, Script, migration, options, settled};
use crate::ui::{Behind, Candidate, Case, Choice, Liveness, Preview, Standing, look};

fn candidates() -> Sessions {
    let of = |agent: &str, project: &str, title: &str, minutes: i64, bytes, liveness| Candidate {
        agent: agent.into(),
        project: project.into(),
        title: title.into(),
        last: Some(Stamp(START - minutes * 60_000)),
        bytes,
        liveness,
    };
    Sessions::new(vec![
        of("claude-code", "orders-migration", "Move orders to the new schema. Do not drop columns.", 0, 482_113, Liveness::Live),
        of("codex", "owed", "Write the reader for rollouts, then the tests", 2, 26_512_113, Liveness::Live),
        of("claude-code", "synapse", "Why does the sync test fail on macOS only?", 64, 3_956_803, Liveness::Quiet),
        of("codex", "infrastructure-and-more", "terraform plan for staging", 60 * 24 * 9, 813, Liveness::Quiet),
    ])
}

fn picker<L: Listing>(listing: L, (width, height): (u16, u16), keys: &str) -> (Picker<L>, Flow) {
    let mut picker = Picker::new(look(&options(&settled(), 0)), listing, 0, Size { width, height }, Stamp(START));
    let mut flow = Flow::Go;
    for key in keys.split_whitespace() {
        flow = picker.update(From::Outside, Msg::Key(key.parse::<Chord>().unwrap().event())).flow;
    }
    (picker, flow)
}

fn text<L: Listing>(picker: &Picker<L>, (width, height): (u16, u16)) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    picker.draw(&mut buffer);
    let rows =
        buffer.content().chunks(usize::from(width)).map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
    rows.map(|row| format!("{}\n", row.trim_end())).collect()
}

#[test]
fn it_shows_what_there_is_at_every_size() {
    for size in SIZES {
        assert_snapshot!(format!("picker-{}x{}", size.0, size.1), text(&picker(candidates(), size, "j").0, size));
    }
    for size in SIZES {
        assert_snapshot!(format!("picker-help-{}x{}", size.0, size.1), text(&picker(candidates(), size, "?").0, size));
    }
    assert_snapshot!("picker-filter-80x24", text(&picker(candidates(), (80, 24), "/ c o d e x").0, (80, 24)));
    assert_snapshot!("picker-no-match-80x24", text(&picker(candidates(), (80, 24), "/ z z").0, (80, 24)));
    assert_snapshot!("picker-empty-80x24", text(&picker(Sessions::new(Vec::new()), (80, 24), "").0, (80, 24)));
}

/// What is known of a session.
fn preview(script: &Script) -> Preview {
    Preview {
        standing: Standing::of(&script.lane),
        verdict: Verdict::Refuse,
        open: 2,
        live: script.lane.live.len(),
        tokens: (143_000, 200_000),
        boundaries: 1,
        reasons: script.lane.live.iter().filter_map(|id| script.lane.entry(*id)).take(3).collect(),
        directory: None,
        last: [Some("Looks good. Migrate staging.".to_owned()), None],
    }
}

#[test]
fn what_is_known_of_a_session_stands_beside_it() {
    let preview = preview(&migration());
    for size in SIZES {
        let (mut picker, _) = picker(candidates(), size, "");
        for (row, known) in [(0, Some(preview.clone())), (1, None)] {
            assert!(picker.update(From::Outside, Msg::Scouted(row, known)).changed);
        }
        assert_snapshot!(format!("picker-known-{}x{}", size.0, size.1), text(&picker, size));
    }
    let (mut picker, _) = picker(candidates(), (80, 24), "");
    let _shown = picker.update(From::Outside, Msg::Scouted(1, Some(preview)));
    for key in ["/", "r", "e", "f", "u", "s", "e"] {
        let _typed = picker.update(From::Outside, Msg::Key(key.parse::<Chord>().unwrap().event()));
    }
    assert!(text(&picker, (80, 24)).contains("1 of 4 sessions"), "{}", text(&picker, (80, 24)));
}

#[test]
fn the_selected_session_is_looked_into_first_then_live_ones_then_the_newest() {
    let (mut picker, _) = picker(candidates(), (80, 24), "");
    let asked = |step: crate::ui::msg::Step| -> Vec<usize> {
        step.jobs.into_iter().filter_map(|job| if let Job::Scout(row) = job { Some(row) } else { None }).collect()
    };
    // The newest question is answered first.
    assert_eq!(asked(picker.begin(0)), [3, 2, 1, 0]);
    let down = |picker: &mut Picker<Sessions>| picker.update(From::Outside, Msg::Key("j".parse::<Chord>().unwrap().event()));
    assert_eq!(asked(down(&mut picker)), [1], "what is selected does not wait for its turn");
    let told = picker.update(From::Outside, Msg::Scouted(2, None));
    assert_eq!(asked(told), Vec::<usize>::new());
    assert_eq!(asked(down(&mut picker)), Vec::<usize>::new(), "that is known");
    assert_eq!(asked(down(&mut picker)), [3]);
}

#[test]
fn of_sessions_that_are_too_large_together_only_the_first_are_looked_into_unasked() {
    let of = |minutes: i64| Candidate {
        agent: "claude-code".into(),
        project: "synapse".into(),
        title: "A long one".into(),
        last: Some(Stamp(START - minutes * 60_000)),
        bytes: 100 << 20,
        liveness: Liveness::Quiet,
    };
    let sessions = Sessions::new([9, 3, 5, 1, 7].map(of).to_vec());
    assert_eq!(sessions.unknown(0), [1, 3, 0], "two of 100 MB, the newest first, and what is selected");
}

#[test]
fn whether_an_agent_is_at_work_is_told_by_its_records_once_they_are_known() {
    let signs = |script: &Script, seconds: i64| {
        let (mut picker, _) = picker(candidates(), (80, 24), "");
        let _clock = picker.update(From::Outside, Msg::Clock(Stamp(script.now().0 + seconds * 1_000)));
        let _shown = picker.update(From::Outside, Msg::Scouted(2, Some(preview(script))));
        let text = text(&picker, (80, 24));
        let row = text.lines().find(|line| line.contains("synapse")).unwrap_or_default().to_owned();
        (row.chars().nth(1), text.contains("2 live"), text.contains("3 live"))
    };
    let mut waits = settled();
    waits.turn_ends();
    assert_eq!(signs(&migration(), 41), (Some('●'), false, true), "a call is open, though the file has been quiet");
    assert_eq!(signs(&waits, 41), (Some('○'), true, false), "it is the human's turn");
    assert_eq!(signs(&migration(), 3 * 24 * 3_600), (Some(' '), true, false), "nothing has come for days");
}

#[test]
fn when_something_last_happened_is_told_by_the_records_once_they_are_known() {
    let script = migration();
    let row = |picker: &Picker<Sessions>| {
        let text = text(picker, (80, 24));
        text.lines().find(|line| line.contains("synapse")).unwrap_or_default().to_owned()
    };
    let (mut picker, _) = picker(candidates(), (80, 24), "");
    let _clock = picker.update(From::Outside, Msg::Clock(Stamp(script.now().0 + 3 * 3_600_000)));
    assert!(row(&picker).contains(" 4 h "), "its file: {}", row(&picker));
    let _shown = picker.update(From::Outside, Msg::Scouted(2, Some(preview(&script))));
    assert!(row(&picker).contains(" 3 h "), "its last record: {}", row(&picker));
}

#[test]
fn two_projects_that_begin_alike_are_not_cut_to_the_same_name() {
    let of = |project: &str| Candidate {
        agent: "claude-code".into(),
        project: project.into(),
        title: "Mend it".into(),
        last: None,
        bytes: 1,
        liveness: Liveness::Quiet,
    };
    let sessions = Sessions::new(["claude-code-microsite", "claude-code-micrometer", "orders-migration"].map(of).to_vec());
    let text = text(&picker(sessions, (80, 24), "").0, (80, 24));
    let named: Vec<&str> = text.lines().filter_map(|line| line.split("claude-code  ").nth(1)?.split(' ').next()).collect();
    assert_eq!(named, ["claud…microsite", "claud…icrometer", "orders-migrati…"], "{text}");
}

#[test]
fn keys_choose() {
    for (keys, chosen) in [
        ("enter", Some(0)),
        ("j j enter", Some(2)),
        ("G k enter", Some(2)),
        ("/ s y n enter", Some(2)),
        ("/ c o d e x down enter", Some(3)),
        ("/ q backspace backspace j enter", Some(1)),
        ("/ s y n esc enter", Some(0)),
        ("/ z z z enter", None),
        ("q", None),
    ] {
        let (picker, flow) = picker(candidates(), (80, 24), keys);
        assert_eq!((picker.chosen, flow == Flow::Quit), (chosen.map(Choice::Open), chosen.is_some() || keys == "q"), "{keys}");
    }
}

#[test]
fn whoever_came_from_open_sessions_gets_back_to_them() {
    for (behind, keys, chosen) in [
        (Behind::Sessions, "esc", Some(Choice::Back)),
        (Behind::Sessions, "/ s y n esc", None),
        (Behind::Sessions, "/ s y n esc esc", Some(Choice::Back)),
        (Behind::Shell, "esc", None),
    ] {
        let (mut picker, _) = picker(candidates(), (80, 24), "");
        picker.behind = behind;
        let bar = text(&picker, (80, 24)).lines().last().unwrap_or_default().to_owned();
        assert_eq!(bar.contains("esc back"), behind == Behind::Sessions, "{bar}");
        let mut flow = Flow::Go;
        for key in keys.split_whitespace() {
            flow = picker.update(From::Outside, Msg::Key(key.parse::<Chord>().unwrap().event())).flow;
        }
        assert_eq!((picker.chosen, flow == Flow::Quit), (chosen, chosen.is_some()), "{keys}");
    }
}

fn cases() -> Vec<Case> {
    let of = |worst, score, verdict, lost: &str, project: &str, title: &str| Case {
        worst,
        score,
        verdict,
        lost: lost.into(),
        agent: "claude-code".into(),
        project: project.into(),
        day: "2026-05-04".into(),
        title: title.into(),
    };
    vec![
        of(Some(Severity::High), 212, "refuse", "2 cost: negation-loss x2, completion-erasure", "orders", "Move orders"),
        of(Some(Severity::Low), 3, "repair", "stale-directive", "infrastructure-and-more", "terraform plan for staging"),
        of(None, 0, "compact", "", "synapse", "Why does the sync test fail on macOS only?"),
    ]
}

#[test]
fn what_a_scan_found_is_shown_worst_first_at_every_size() {
    for size in SIZES {
        assert_snapshot!(format!("triage-{}x{}", size.0, size.1), text(&picker(cases(), size, "j").0, size));
    }
    assert_snapshot!("triage-filter-80x24", text(&picker(cases(), (80, 24), "/ n e g a").0, (80, 24)));
    assert_snapshot!("triage-empty-80x24", text(&picker(Vec::<Case>::new(), (80, 24), "").0, (80, 24)));
}

#[test]
fn a_click_selects_and_a_click_on_the_selected_row_opens() {
    let (mut picker, _) = picker(candidates(), (80, 24), "");
    let mouse = |kind, row| Msg::Mouse(MouseEvent { kind, column: 5, row, modifiers: KeyModifiers::NONE });
    let click = |row| mouse(MouseEventKind::Down(MouseButton::Left), row);
    // The rows begin in the fourth line; below the last one there is nothing to open.
    for (row, flow, chosen) in [(5, Flow::Go, None), (0, Flow::Go, None), (9, Flow::Go, None), (5, Flow::Quit, Some(2))] {
        assert_eq!((picker.update(From::Outside, click(row)).flow, picker.chosen), (flow, chosen.map(Choice::Open)), "{row}");
    }
    assert_eq!(picker.update(From::Outside, mouse(MouseEventKind::ScrollDown, 9)).flow, Flow::Go);
    assert_eq!(picker.update(From::Outside, click(6)).flow, Flow::Quit, "the wheel had selected the last row");
}
