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
        text.parse::<Timestamp>().ok().map(|at| Self(at.as_millisecond()))
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

    #[test]
    fn says_durations_as_people_do() {
        for (millis, words) in
            [(-5, "0 s"), (4_200, "4 s"), (180_000, "3 min"), (7_500_000, "2 h 5 min"), (7_200_000, "2 h"), (400_000_000, "4 d")]
        {
            assert_eq!(duration_words(millis), words);
        }
    }
}
