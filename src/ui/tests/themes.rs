//! How every pane looks in three themes: the terminal's own colours, the strongest contrast, and the one that does without red and green.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use insta::assert_snapshot;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use crate::ui::Still;
use crate::ui::testing::{Fake, Simple, migration, options};
use crate::ui::theme::{Role, Theme};

/// How each cell looks, as a letter a style, in the order in which they come; below the screen what each letter means.
fn styles(buffer: &Buffer) -> String {
    const LETTERS: &[u8] = b".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let mut known: Vec<Style> = vec![Style::default()];
    let mut out = String::new();
    for row in buffer.content().chunks(usize::from(buffer.area.width)) {
        let mut line = String::new();
        for cell in row {
            let style = Style { sub_modifier: Modifier::empty(), ..cell.style() };
            let n = known.iter().position(|other| *other == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            let blank = cell.symbol() == " " && cell.bg == Color::Reset && !cell.modifier.contains(Modifier::REVERSED);
            line.push(if blank { ' ' } else { char::from(LETTERS[n]) });
        }
        writeln!(out, "{}", line.trim_end()).unwrap();
    }
    for (style, letter) in known.iter().zip(LETTERS) {
        let colour = |colour: Option<Color>| colour.map_or("-".to_owned(), |colour| colour.to_string());
        let line = format!("{} {} on {} {:?}", char::from(*letter), colour(style.fg), colour(style.bg), style.add_modifier);
        writeln!(out, "{line}").unwrap();
    }
    out
}

/// The panes and overlays, each with the keys that show it.
const PANES: [(&str, &str); 14] = [
    ("timeline", "k k k"),
    ("why", "k k k enter"),
    ("detail", "g j d n"),
    ("dry-run", "tab tab tab j j"),
    ("policies", "* j"),
    ("versus", "| j j"),
    ("pending", "shift-tab j"),
    ("ledger", "e j"),
    ("graph", "B e j j r"),
    ("audit", "f"),
    ("changes", "~"),
    ("help", "?"),
    ("palette", ": l e d"),
    ("filtered", "2 4"),
];

fn still(theme: &str, size: (u16, u16), keys: &str) -> Still {
    let script = migration();
    let mut options = options(&script, 41);
    options.theme = Theme::load(theme, None).unwrap();
    let mut still = Still::open(&Fake::new(&script), Box::new(Simple), &options, size);
    still.press(keys).unwrap();
    still
}

#[test]
fn every_pane_in_three_themes() {
    for name in ["terminal", "contrast", "safe"] {
        for (pane, keys) in PANES {
            assert_snapshot!(format!("{pane}-{name}"), styles(&still(name, (120, 40), keys).screen()));
        }
    }
}

/// So the snapshots of every pane at every size hold for every theme; how each looks is that of its roles.
#[test]
fn a_theme_changes_no_word_of_any_pane_at_any_size() {
    for size in super::SIZES {
        for (pane, keys) in PANES {
            let plain = still("terminal", size, keys);
            for (name, _) in crate::ui::theme::THEMES {
                let themed = still(name, size, keys);
                let (themed, plain) = match name {
                    // It writes its signs in other letters, each in one cell.
                    "ascii" => (shape(&themed.text()), shape(&plain.text())),
                    _ => (themed.text(), plain.text()),
                };
                assert_eq!(themed, plain, "{pane} at {size:?} in {name}");
            }
        }
    }
}

/// Where words stand.
fn shape(text: &str) -> String {
    text.lines().map(|line| line.replace(|c: char| c != ' ', "#") + "\n").collect()
}

#[test]
fn no_theme_tells_two_statuses_apart_by_colour_alone_and_each_tells_them_apart() {
    for (name, _) in crate::ui::theme::THEMES {
        let theme = Theme::load(name, None).unwrap();
        let statuses = [Role::Barrier, Role::Repair, Role::Opportunity].map(|role| theme.style(role));
        let apart: BTreeMap<String, ()> = statuses.iter().map(|style| (format!("{style:?}"), ())).collect();
        assert_eq!(apart.len(), 3, "{name}");
    }
    let signs =
        [crate::compaction::judgement::Colour::Barrier, crate::compaction::judgement::Colour::Repair].map(crate::ui::words::glyph);
    assert_ne!(signs[0], signs[1]);
}

/// The luminance of a colour (WCAG 2.2).
fn luminance(colour: Color) -> Option<f64> {
    let Color::Rgb(red, green, blue) = colour else { return None };
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue))
}

#[test]
fn what_must_be_read_can_be_read() {
    // Of a theme that says its own background only through its selection, the terminal's is what it is for.
    for (name, background) in [("night", Color::Rgb(0x1a, 0x1b, 0x26)), ("paper", Color::Rgb(0xfa, 0xf8, 0xf1))] {
        let theme = Theme::load(name, None).unwrap();
        for role in [Role::Text, Role::Strong, Role::Focus, Role::Barrier, Role::Repair, Role::Opportunity, Role::Code] {
            let (fg, bg) = (luminance(theme.style(role).fg.unwrap()).unwrap(), luminance(background).unwrap());
            let contrast = (fg.max(bg) + 0.05) / (fg.min(bg) + 0.05);
            assert!(contrast >= 4.5, "{name}: {role:?} has a contrast of {contrast:.1} to 1");
        }
    }
}
