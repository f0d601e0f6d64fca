//! Numbers as people type them: token counts (`200000`, `200k`, `1m`), and the numbers of events, spans and lines.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// A number of tokens, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub(super) struct TokenCount(pub(super) u64);

impl FromStr for TokenCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no number of tokens: write it as 200000, 200k or 1m");
        let plain = text.replace(['_', ','], "").to_ascii_lowercase();
        let (digits, unit) = match plain.strip_suffix(['k', 'm']) {
            Some(digits) if plain.ends_with('k') => (digits, 1_000),
            Some(digits) => (digits, 1_000_000),
            None => (plain.as_str(), 1),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || !is_number(whole)
            || !is_number(fraction)
            || (digits.contains('.') && (unit == 1 || fraction.is_empty()))
        {
            return Err(wrong());
        }
        let mut tokens = whole.parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).ok_or_else(wrong)?;
        let mut place = unit;
        for digit in fraction.bytes() {
            place /= 10;
            tokens = tokens.checked_add(u64::from(digit - b'0') * place).ok_or_else(wrong)?;
        }
        if tokens == 0 { Err(wrong()) } else { Ok(Self(tokens)) }
    }
}

/// Reads a whole number, from 0.
pub(super) fn number(text: &str) -> Result<u32, String> {
    let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wrong = if is_whole { "is larger than anything that is counted here" } else { "is no whole number" };
    text.parse().ok().filter(|_| is_whole).ok_or_else(|| format!("`{text}` {wrong}"))
}

/// Reads a whole number, from 1.
pub(super) fn ordinal(text: &str) -> Result<NonZeroU32, String> {
    NonZeroU32::new(number(text)?).ok_or_else(|| format!("`{text}` is none: it is counted from 1"))
}

impl fmt::Display for TokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_told_in_our_words() {
        assert_eq!((number("0"), number("42"), ordinal("7").map(NonZeroU32::get)), (Ok(0), Ok(42), Ok(7)));
        for (text, told) in [
            ("", "`` is no whole number"),
            ("1.5", "`1.5` is no whole number"),
            ("-1", "`-1` is no whole number"),
            ("+1", "`+1` is no whole number"),
            ("4294967296", "`4294967296` is larger than anything that is counted here"),
        ] {
            assert_eq!(number(text), Err(told.to_owned()), "{text}");
        }
        assert_eq!(ordinal("0"), Err("`0` is none: it is counted from 1".to_owned()));
    }

    #[test]
    fn reads_what_people_type() {
        for (text, tokens) in [
            ("200000", Some(200_000)),
            ("200_000", Some(200_000)),
            ("200,000", Some(200_000)),
            ("200k", Some(200_000)),
            ("200K", Some(200_000)),
            ("1m", Some(1_000_000)),
            ("1.5m", Some(1_500_000)),
            ("0.5k", Some(500)),
            ("0", None),
            ("0k", None),
            ("", None),
            ("k", None),
            ("-3", None),
            ("1.5", None),
            ("1.k", None),
            ("1.2.3k", None),
            ("2g", None),
            ("99999999999999999999", None),
            ("99999999999999999m", None),
        ] {
            assert_eq!(text.parse().ok().map(|TokenCount(n)| n), tokens, "{text}");
        }
    }
}
