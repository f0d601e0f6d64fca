//! The colours and attributes that a tool asked its terminal for: "select graphic rendition" (ECMA-48, 8.3.117) with the 256 and the
//! 24-bit colours of xterm.
//!
//! **Invariant:** nothing is taken over that hides text or moves: no concealment, no blinking, no text in the colour of its ground.

use ratatui::style::{Color, Modifier, Style};

/// How a tool wanted a piece of its output to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ink(Style);

/// The eight colours by number, plain and bright.
const PLAIN: [Color; 8] =
    [Color::Black, Color::Red, Color::Green, Color::Yellow, Color::Blue, Color::Magenta, Color::Cyan, Color::Gray];
const BRIGHT: [Color; 8] = [
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

impl Ink {
    /// Takes the parameters of one sequence, each with its own parts: `1;38:5:208` has two.
    pub(crate) fn take<'p>(&mut self, mut parameters: impl Iterator<Item = &'p [u16]>) {
        while let Some(parameter) = parameters.next() {
            let Some((code, parts)) = parameter.split_first() else { continue };
            match code {
                0 => *self = Self::default(),
                1 => self.put(Modifier::BOLD),
                2 => self.put(Modifier::DIM),
                3 => self.put(Modifier::ITALIC),
                4 if parts.first() == Some(&0) => self.remove(Modifier::UNDERLINED),
                4 | 21 => self.put(Modifier::UNDERLINED),
                7 => self.put(Modifier::REVERSED),
                9 => self.put(Modifier::CROSSED_OUT),
                22 => self.remove(Modifier::BOLD | Modifier::DIM),
                23 => self.remove(Modifier::ITALIC),
                24 => self.remove(Modifier::UNDERLINED),
                27 => self.remove(Modifier::REVERSED),
                29 => self.remove(Modifier::CROSSED_OUT),
                30..=37 => self.0.fg = named(PLAIN, code - 30),
                38 => self.0.fg = extended(parts, &mut parameters).or(self.0.fg),
                39 => self.0.fg = None,
                40..=47 => self.0.bg = named(PLAIN, code - 40),
                48 => self.0.bg = extended(parts, &mut parameters).or(self.0.bg),
                49 => self.0.bg = None,
                90..=97 => self.0.fg = named(BRIGHT, code - 90),
                100..=107 => self.0.bg = named(BRIGHT, code - 100),
                _ => {}
            }
        }
    }

    /// The same as a style that can be read on any ground.
    pub(super) fn style(self) -> Style {
        let Style { fg, bg, .. } = self.0;
        match (fg, bg) {
            (Some(text), Some(ground)) if text == ground => Style { fg: None, bg: None, ..self.0 },
            // Most grounds are black.
            (Some(Color::Black), None) => Style { fg: None, ..self.0 },
            _ => self.0,
        }
    }

    fn put(&mut self, modifier: Modifier) {
        self.0.add_modifier.insert(modifier);
    }

    fn remove(&mut self, modifier: Modifier) {
        self.0.add_modifier.remove(modifier);
    }
}

fn named(colours: [Color; 8], n: u16) -> Option<Color> {
    colours.get(usize::from(n)).copied()
}

/// A colour of the 256 or of 24 bits, which stands in parts of its parameter or in the parameters that follow.
fn extended<'p>(parts: &[u16], parameters: &mut impl Iterator<Item = &'p [u16]>) -> Option<Color> {
    let byte = |n: u16| u8::try_from(n).ok();
    match parts {
        [] => {}
        [5, n, ..] => return byte(*n).map(of_256),
        // Between the kind and the colour there may be the number of a colour space.
        [2, _, red, green, blue, ..] | [2, red, green, blue] => return Some(Color::Rgb(byte(*red)?, byte(*green)?, byte(*blue)?)),
        _ => return None,
    }
    let mut next = || parameters.next().and_then(|parameter| parameter.first().copied());
    match next()? {
        5 => next().and_then(byte).map(of_256),
        2 => {
            let (red, green, blue) = (next(), next(), next());
            Some(Color::Rgb(byte(red?)?, byte(green?)?, byte(blue?)?))
        }
        _ => None,
    }
}

/// Of the 256 the first sixteen are the terminal's own.
fn of_256(n: u8) -> Color {
    let own = [PLAIN, BRIGHT].concat().get(usize::from(n)).copied();
    own.unwrap_or(Color::Indexed(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After some sequences, each written as in a terminal's manual.
    fn after(sequences: &[&str]) -> Ink {
        let mut ink = Ink::default();
        for sequence in sequences {
            let parts = |parameter: &str| parameter.split(':').map(|n| n.parse().unwrap_or(0)).collect::<Vec<u16>>();
            let parameters: Vec<Vec<u16>> = sequence.split(';').map(parts).collect();
            ink.take(parameters.iter().map(Vec::as_slice));
        }
        ink
    }

    #[test]
    fn colours_are_those_of_the_terminal() {
        for (sequences, fg, bg) in [
            (&["31"][..], Some(Color::Red), None),
            (&["1;92"], Some(Color::LightGreen), None),
            (&["38;5;208"], Some(Color::Indexed(208)), None),
            (&["38:5:3", "48;2;1;2;3"], Some(Color::Yellow), Some(Color::Rgb(1, 2, 3))),
            (&["38:2::9:8:7"], Some(Color::Rgb(9, 8, 7)), None),
            (&["31;42", "39"], None, Some(Color::Green)),
            (&["31;42", ""], None, None),
            (&["38;5"], None, None),
            (&["38;5;900;31"], Some(Color::Red), None),
            (&["31", "38;9;1"], Some(Color::Red), None),
        ] {
            let style = after(sequences).style();
            assert_eq!((style.fg, style.bg), (fg, bg), "{sequences:?}");
        }
    }

    #[test]
    fn nothing_hides_or_blinks() {
        for (sequences, seen) in [
            (&["8"][..], Style::default()),
            (&["5;6"], Style::default()),
            (&["30"], Style::default()),
            (&["37;47"], Style::default()),
            (&["1;3;4;7", "22;23;24;27"], Style::default()),
            (&["30;41"], Style::default().fg(Color::Black).bg(Color::Red)),
        ] {
            assert_eq!(after(sequences).style(), seen, "{sequences:?}");
        }
    }
}
