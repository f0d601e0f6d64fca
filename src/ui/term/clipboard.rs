//! OSC 52: the terminal's own way into the clipboard, which works over ssh and inside of multiplexers that let it through.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// More bytes than many terminals take.
const LONGEST: usize = 74_994;

/// The sequence that puts a text into the clipboard; none: it is too long for that.
pub(super) fn osc52(text: &str) -> Option<String> {
    let encoded = BASE64_STANDARD.encode(text);
    (encoded.len() <= LONGEST).then(|| format!("\u{1b}]52;c;{encoded}\u{7}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_left_to_the_system() {
        assert!(osc52("grün").is_some_and(|sequence| sequence == "\u{1b}]52;c;Z3LDvG4=\u{7}"));
        assert_eq!(osc52(&"x".repeat(LONGEST)), None);
    }
}
