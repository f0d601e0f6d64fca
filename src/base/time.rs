//! Session time: what a record says about when it was written. Never this machine's clock.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A moment that a record states, in milliseconds since the Unix epoch, UTC.
///
/// Records may stand out of order and clocks may jump: order is by place in the file, never by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(pub i64);

impl Stamp {
    /// Reads an RFC 3339 date and time, as `2026-05-04T09:02:11.123Z`. `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        usual(text).or_else(|| text.parse::<Timestamp>().ok().map(|at| Self(at.as_millisecond())))
    }

    /// Milliseconds from `earlier` to `self`; negative when the clock went back.
    #[must_use]
    pub fn millis_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The wall-clock time of day in `zone`, as `9:02`.
    #[must_use]
    pub fn clock(self, zone: &TimeZone) -> String {
        let Ok(at) = Timestamp::from_millisecond(self.0) else { return String::new() };
        let local = zone.to_datetime(at);
        format!("{}:{:02}", local.time().hour(), local.time().minute())
    }
}

/// A moment as nearly every record of every agent states it, `2026-05-04T09:02:11.123Z`: read digit by digit. None for any other form,
/// and for the last days of months and leap seconds, which need a calendar.
fn usual(text: &str) -> Option<Stamp> {
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    let number = |from: usize, length: usize| {
        bytes
            .iter()
            .skip(from)
            .take(length)
            .try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second, milli) = (number(11, 2)?, number(14, 2)?, number(17, 2)?, number(20, 3)?);
    let is_plain = (1970..10_000).contains(&year)
        && (1..=12).contains(&month)
        && (1..=28).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60
        && marks.iter().all(|(at, mark)| bytes.get(*at) == Some(mark));
    // Years that begin in March: February, which alone has no fixed length, is the last month of one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - DAYS_TO_1970;
    is_plain.then(|| Stamp((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli))
}

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;

impl fmt::Display for Stamp {
    /// RFC 3339 in UTC with seconds, as `2026-05-04T09:02:11Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(at) => write!(f, "{}", at.strftime("%Y-%m-%dT%H:%M:%SZ")),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

/// A length of time in words that fit a table cell: `4 s`, `3 min`, `2 h 5 min`, `3 d`.
#[must_use]
pub fn duration_words(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 if seconds % 3600 < 60 => format!("{} h", seconds / 3600),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_what_agents_write() {
        for (text, shown) in [
            ("2026-05-04T09:02:11.123Z", Some("2026-05-04T09:02:11Z")),
            ("2026-05-04T09:02:11Z", Some("2026-05-04T09:02:11Z")),
            ("2026-05-04T11:02:11.5+02:00", Some("2026-05-04T09:02:11Z")),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(Stamp::parse(text).map(|s| s.to_string()).as_deref(), shown, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_usual_form_is_read_as_any_other(
            (year, month, day) in (1960..2110_u16, 0..14_u8, 0..33_u8),
            (hour, minute, second, milli) in (0..25_u8, 0..61_u8, 0..62_u8, 0..1000_u16),
        ) {
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
            let any = text.parse::<Timestamp>().ok().map(|at| Stamp(at.as_millisecond()));
            prop_assert_eq!(Stamp::parse(&text), any, "{}", text);
        }
    }

    #[test]
    fn says_durations_as_people_do() {
        for (millis, words) in
            [(-5, "0 s"), (4_200, "4 s"), (180_000, "3 min"), (7_500_000, "2 h 5 min"), (7_200_000, "2 h"), (400_000_000, "4 d")]
        {
            assert_eq!(duration_words(millis), words);
        }
    }
}
