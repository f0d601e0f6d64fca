//! The list of sessions.

use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::SIZES;
use crate::base::time::Stamp;
use crate::ui::keymap::Chord;
use crate::ui::msg::{Flow, Msg};
use crate::ui::picker::Picker;
use crate::ui::runtime::Screen;
use crate::ui::testing::{START, options, settled};
use crate::ui::{Candidate, Liveness, look};

fn candidates() -> Vec<Candidate> {
    let of = |agent: &str, project: &str, title: &str, minutes: i64, bytes, liveness| Candidate {
        agent: agent.into(),
        project: project.into(),
        title: title.into(),
        last: Some(Stamp(START - minutes * 60_000)),
        bytes,
        liveness,
    };
    vec![
        of("claude-code", "orders-migration", "Move orders to the new schema. Do not drop columns.", 0, 482_113, Liveness::Live),
        of("codex", "owed", "Write the reader for rollouts, then the tests", 2, 26_512_113, Liveness::Live),
        of("claude-code", "synapse", "Why does the sync test fail on macOS only?", 64, 3_956_803, Liveness::Quiet),
        of("codex", "infrastructure-and-more", "terraform plan for staging", 60 * 24 * 9, 813, Liveness::Quiet),
    ]
}

fn picker(candidates: Vec<Candidate>, (width, height): (u16, u16), keys: &str) -> (Picker, Flow) {
    let mut picker = Picker::new(look(&options(&settled(), 0)), candidates, Size { width, height }, Stamp(START));
    let mut flow = Flow::Go;
    for key in keys.split_whitespace() {
        flow = picker.update(Msg::Key(key.parse::<Chord>().unwrap().event())).flow;
    }
    (picker, flow)
}

fn text(picker: &Picker, (width, height): (u16, u16)) -> String {
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
    assert_snapshot!("picker-filter-80x24", text(&picker(candidates(), (80, 24), "/ c o d e x").0, (80, 24)));
    assert_snapshot!("picker-no-match-80x24", text(&picker(candidates(), (80, 24), "/ z z").0, (80, 24)));
    assert_snapshot!("picker-empty-80x24", text(&picker(Vec::new(), (80, 24), "").0, (80, 24)));
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
        assert_eq!((picker.chosen, flow == Flow::Quit), (chosen, chosen.is_some() || keys == "q"), "{keys}");
    }
}
