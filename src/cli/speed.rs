//! How fast a session is played, as people type it: `8`, `0.5`, `8x`.

use std::str::FromStr;

/// Session time for one second of ours: more than 0, and no more than a million.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed(pub(super) f64);

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_suffix('x').unwrap_or(text).parse::<f64>().ok();
        match number.filter(|speed| *speed > 0.0 && *speed <= 1e6) {
            Some(speed) => Ok(Self(speed)),
            None => Err(format!("`{text}` is no speed: 1 is as it was, 8 eight times as fast, 0.5 half as fast")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        for (text, speed) in [
            ("1", Some(1.0)),
            ("8x", Some(8.0)),
            ("0.5", Some(0.5)),
            ("0", None),
            ("-1", None),
            ("fast", None),
            ("inf", None),
            ("NaN", None),
            ("", None),
        ] {
            assert_eq!(text.parse().ok().map(|Speed(speed)| speed), speed, "{text}");
        }
    }
}
