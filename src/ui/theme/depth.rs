//! How many colours a terminal has, and the nearest of them to the one that a theme asks for.

use ratatui::style::{Color, Style};

/// How many colours there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// None: bold, dim, underlined and reversed stay.
    None,
    /// The sixteen that the terminal is set to.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    #[default]
    Full,
}

impl Depth {
    /// A style in these colours.
    pub(super) fn style(self, style: Style) -> Style {
        let near = |colour: Option<Color>| colour.and_then(|colour| self.colour(colour));
        Style { fg: near(style.fg), bg: near(style.bg), underline_color: near(style.underline_color), ..style }
    }

    fn colour(self, colour: Color) -> Option<Color> {
        match (self, colour) {
            (Self::None, _) => None,
            (Self::Indexed, Color::Rgb(red, green, blue)) => Some(Color::Indexed(indexed([red, green, blue]))),
            (Self::Sixteen, Color::Rgb(red, green, blue)) => Some(sixteen([red, green, blue])),
            (Self::Sixteen, Color::Indexed(n)) => Some(sixteen(levels(n))),
            (_, colour) => Some(colour),
        }
    }
}

/// The steps of xterm's colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the cube and the greys.
fn indexed(rgb: [u8; 3]) -> u8 {
    let near = (16..=255).min_by_key(|n| distance(levels(*n), rgb));
    near.unwrap_or(16)
}

/// What a number of the 256 looks like; the first sixteen are the terminal's own affair.
fn levels(n: u8) -> [u8; 3] {
    let step = |n: u8| STEPS.get(usize::from(n % 6)).copied().unwrap_or(0);
    match n {
        0..16 => USUAL.get(usize::from(n)).map_or([0; 3], |(_, rgb)| *rgb),
        16..232 => [step((n - 16) / 36), step((n - 16) / 6), step(n - 16)],
        232.. => [8 + (n - 232) * 10; 3],
    }
}

/// The sixteen as xterm has them.
const USUAL: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [205, 0, 0]),
    (Color::Green, [0, 205, 0]),
    (Color::Yellow, [205, 205, 0]),
    (Color::Blue, [0, 0, 238]),
    (Color::Magenta, [205, 0, 205]),
    (Color::Cyan, [0, 205, 205]),
    (Color::Gray, [229, 229, 229]),
    (Color::DarkGray, [127, 127, 127]),
    (Color::LightRed, [255, 0, 0]),
    (Color::LightGreen, [0, 255, 0]),
    (Color::LightYellow, [255, 255, 0]),
    (Color::LightBlue, [92, 92, 255]),
    (Color::LightMagenta, [255, 0, 255]),
    (Color::LightCyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

fn sixteen(rgb: [u8; 3]) -> Color {
    USUAL.iter().min_by_key(|(_, usual)| distance(*usual, rgb)).map_or(Color::Reset, |(colour, _)| *colour)
}

fn distance(one: [u8; 3], other: [u8; 3]) -> u32 {
    one.iter().zip(other).map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_colour_is_taken() {
        for (depth, asked, near) in [
            (Depth::Full, Color::Rgb(1, 2, 3), Some(Color::Rgb(1, 2, 3))),
            (Depth::Indexed, Color::Rgb(255, 135, 0), Some(Color::Indexed(208))),
            (Depth::Indexed, Color::Rgb(9, 9, 9), Some(Color::Indexed(232))),
            (Depth::Indexed, Color::Red, Some(Color::Red)),
            (Depth::Sixteen, Color::Rgb(250, 10, 10), Some(Color::LightRed)),
            (Depth::Sixteen, Color::Indexed(46), Some(Color::LightGreen)),
            (Depth::Sixteen, Color::Indexed(244), Some(Color::DarkGray)),
            (Depth::None, Color::Red, None),
        ] {
            assert_eq!(Style::default().fg(asked).fg, Some(asked));
            assert_eq!(depth.style(Style::default().fg(asked)).fg, near, "{depth:?} {asked:?}");
        }
    }
}
