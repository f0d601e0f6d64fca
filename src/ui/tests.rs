//! The screen, seen: every pane at every size, keys to screens, and any sequence of messages without a panic.

mod audit;
mod cut;
mod deck;
mod filters;
mod keys;
mod laws;
mod nested;
mod outside;
mod palette;
mod panes;
mod picking;
mod themes;
mod time;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::Still;
use super::testing::{Fake, Script, Simple, options};

/// The sizes at which every pane is looked at.
const SIZES: [(u16, u16); 4] = [(60, 15), (80, 24), (120, 40), (200, 60)];

/// A session, 41 seconds after its last event, after some keys.
fn still(script: &Script, size: (u16, u16), keys: &str) -> Still {
    let mut still = Still::open(&Fake::new(script), Box::new(Simple), &options(script, 41), size);
    still.press(keys).unwrap();
    still
}

/// How each cell looks, as a letter: the colour's first (bold: capital), `~` dim, `#` reversed, `_` underlined, `.` plain.
fn looks(buffer: &Buffer) -> String {
    let letter = |fg: Color, modifier: Modifier| {
        let letter = match fg {
            _ if modifier.contains(Modifier::REVERSED) => '#',
            Color::Red => 'r',
            Color::Yellow => 'y',
            Color::Green => 'g',
            Color::Cyan => 'c',
            Color::Magenta => 'm',
            Color::Blue => 'b',
            _ if modifier.contains(Modifier::UNDERLINED) => '_',
            _ if modifier.contains(Modifier::DIM) => '~',
            _ if modifier.contains(Modifier::BOLD) => 'B',
            _ => '.',
        };
        if modifier.contains(Modifier::BOLD) { letter.to_ascii_uppercase() } else { letter }
    };
    let rows = buffer.content().chunks(usize::from(buffer.area.width).max(1));
    let line = |cells: &[ratatui::buffer::Cell]| {
        let shown = cells.iter().map(|cell| {
            if cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED) { ' ' } else { letter(cell.fg, cell.modifier) }
        });
        format!("{}\n", shown.collect::<String>().trim_end())
    };
    rows.map(line).collect()
}
