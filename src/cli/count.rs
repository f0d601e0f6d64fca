//! Token counts as people type them: `200000`, `200k`, `1m`.

use std::fmt;
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

impl fmt::Display for TokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
