//! Values that are numbers, or begin as one: versions, addresses, SHAs, quantities, labels like `D15`.

use super::kind::IdentifierKind as Kind;
use super::prose;
use crate::base::words::WordSet;

/// Units that stand directly behind their number.
#[rustfmt::skip]
static UNITS: WordSet<128> = WordSet::new(&[
    "ms", "s", "us", "ns", "m", "h", "min", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "b", "px", "em", "rem", "vh",
    "vw", "pt", "fps", "hz", "khz", "mhz", "ghz", "dpi", "k", "x", "mm", "cm", "kbps", "mbps", "bit", "deg", "fr",
]);

/// What a word is that begins with a digit, or holds one.
pub(super) fn kind(word: &str) -> Option<Kind> {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if word.len() >= 9 && word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Kind::Id);
    }
    if word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
        return letters.then_some(if word.len() <= 40 { Kind::Sha } else { Kind::Id });
    }
    if is_grouped_hex(word) {
        return Some(Kind::Id);
    }
    if let Some(kind) = dotted(word) {
        return Some(kind);
    }
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'%')) && is_quantity(word) {
        return Some(Kind::Quantity);
    }
    if word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return port_range(word);
    }
    if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return mixed(word);
    }
    None
}

/// Hexadecimal digits in groups of four and more: a UUID, `a1b2-c3d4-e5f6`.
fn is_grouped_hex(word: &str) -> bool {
    let groups = || word.split('-');
    word.len() >= 14
        && groups().count() >= 3
        && groups().all(|group| group.len() >= 4 && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Versions and addresses: digits and dots.
fn dotted(word: &str) -> Option<Kind> {
    let number =
        word.strip_prefix('v').or_else(|| word.strip_prefix('V')).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_marked = number.is_some();
    let number = number.unwrap_or(word);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let core = number.split(['-', '+', ':', '/']).next().unwrap_or(number);
    let parts = core.split('.').count();
    let is_numeric = core.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    let ends_in_letters = core.len() > 4
        && core.split('.').count() >= 3
        && core.split('.').all(|part| part.starts_with(|c: char| c.is_ascii_digit()) || part.len() <= 6);
    let tail = number.get(core.len()..).unwrap_or("");
    if parts == 4 && is_numeric {
        return Some(Kind::Host);
    }
    let is_version = if is_numeric { parts >= 3 || is_marked } else { ends_in_letters };
    if is_version {
        return (!tail.starts_with(':') && !tail.starts_with('/')).then_some(Kind::Version);
    }
    None
}

/// `200ms`, `5MB`, `95%`; a plain count is none, nor is `1st` or `2nd`.
fn is_quantity(word: &str) -> bool {
    let digits = word.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let Some((number, unit)) = word.split_at_checked(digits) else { return false };
    if number.is_empty() || !number.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    unit == "%" || (unit != "x" && is_unit(unit))
}

/// Whether a word is a unit.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.has_any_case(word)
}

/// `8000-8100`: two numbers that may be ports, in order.
fn port_range(word: &str) -> Option<Kind> {
    let (from, to) = word.split_once('-')?;
    let port = |text: &str| text.parse::<u32>().ok().filter(|port| text.len() >= 4 && (1024..=65_535).contains(port));
    let (from, to) = (port(from)?, port(to)?);
    // Two years look the same.
    (from < to && !(1900..=2100).contains(&from)).then_some(Kind::Port)
}

/// Letters and digits without a mark between: `D15`, `1A`, `b12f9`.
fn mixed(word: &str) -> Option<Kind> {
    if prose::is_numbered_word(word) || is_ordinal(word) {
        return None;
    }
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = word.len() - letters;
    if letters == 0 {
        return None;
    }
    let upper_first = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_label = (upper_first == letters && letters <= 4 && digits <= 4 && upper_first > 0)
        || (letters == 1 && digits <= 2 && word.starts_with(|c: char| c.is_ascii_digit()));
    if is_label {
        return Some(Kind::Label);
    }
    let humps = word.bytes().any(|byte| byte.is_ascii_uppercase()) && word.bytes().any(|byte| byte.is_ascii_lowercase());
    if humps && digits <= 3 && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Some(Kind::Symbol);
    }
    Some(if word.len() >= 6 { Kind::Id } else { Kind::Label })
}

/// `1st`, `22nd`, `10x`, `90s`.
fn is_ordinal(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && matches!(word.get(digits..), Some("st" | "nd" | "rd" | "th" | "xx" | "x" | "X" | "s" | "D" | "d"))
}
