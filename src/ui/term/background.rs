//! Whether the terminal is dark or light: it is asked (OSC 11), before anybody reads its keys.

use std::io::{self, Write, stdout};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyModifiers, poll, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// What is behind the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

/// How long an answer is waited for: a terminal that knows the question answers at once, unless it is far away.
const PATIENCE: Duration = Duration::from_millis(200);
/// More letters than an answer has.
const LONGEST: usize = 64;

impl Background {
    /// Asks the terminal; none: it does not say.
    ///
    /// # Errors
    /// There is no terminal.
    pub fn ask() -> io::Result<Option<Self>> {
        enable_raw_mode()?;
        let answer = stdout().write_all(b"\x1b]11;?\x07").and_then(|()| stdout().flush()).and_then(|()| listen());
        disable_raw_mode()?;
        answer.map(|answer| Self::of_colour(&answer))
    }

    /// Of a colour as terminals say it: `11;rgb:1e1e/1e1e/2e2e`.
    fn of_colour(answer: &str) -> Option<Self> {
        let colour = answer.split_once("rgb:")?.1;
        let share = |hex: &str| {
            let digits = hex.get(..2).or(hex.get(..1))?;
            u32::from_str_radix(digits, 16).ok()
        };
        let [red, green, blue] = <[&str; 3]>::try_from(colour.split('/').collect::<Vec<_>>()).ok()?.map(share);
        // Eyes see green best (ITU-R BT.601).
        let brightness = (red? * 299 + green? * 587 + blue? * 114) / 1000;
        Some(if brightness < 128 { Self::Dark } else { Self::Light })
    }

    /// Of the variable that some terminals set instead: `15;0` is white on black.
    #[must_use]
    pub fn of_variable(variable: &str) -> Option<Self> {
        match variable.rsplit(';').next()?.parse::<u8>().ok()? {
            7 | 15 => Some(Self::Light),
            0..=6 | 8 => Some(Self::Dark),
            _ => None,
        }
    }
}

/// The letters of the answer, which come as if they were typed.
fn listen() -> io::Result<String> {
    let mut answer = String::new();
    while answer.len() < LONGEST && poll(PATIENCE)? {
        let Event::Key(key) = read()? else { continue };
        match key.code {
            KeyCode::Char('g') if key.modifiers.contains(KeyModifiers::CONTROL) => break,
            KeyCode::Char('\\') if key.modifiers.contains(KeyModifiers::ALT) => break,
            KeyCode::Char(letter) => answer.push(letter),
            _ => {}
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_understood() {
        for (answer, background) in [
            ("]11;rgb:0000/0000/0000", Some(Background::Dark)),
            ("]11;rgb:1e/1e/2e", Some(Background::Dark)),
            ("]11;rgb:fdfd/f6f6/e3e3", Some(Background::Light)),
            ("]11;rgb:f/f/f", Some(Background::Dark)),
            ("", None),
            ("]11;rgb:zz/0/0", None),
        ] {
            assert_eq!(Background::of_colour(answer), background, "{answer}");
        }
        for (variable, background) in
            [("15;0", Some(Background::Dark)), ("0;default;15", Some(Background::Light)), ("0;231", None), ("", None)]
        {
            assert_eq!(Background::of_variable(variable), background, "{variable}");
        }
    }
}
