//! OSC 52: the terminal's own way into the clipboard, which works over ssh and inside of multiplexers that let it through.

/// More bytes than many terminals take.
const LONGEST: usize = 74_994;

/// The sequence that puts a text into the clipboard; none: it is too long for that.
pub(super) fn osc52(text: &str) -> Option<String> {
    let encoded = base64(text.as_bytes());
    (encoded.len() <= LONGEST).then(|| format!("\u{1b}]52;c;{encoded}\u{7}"))
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().zip([16, 8, 0]).fold(0_u32, |bits, (byte, shift)| bits | u32::from(*byte) << shift);
        for (n, shift) in [18, 12, 6, 0].into_iter().enumerate() {
            let letter = LETTERS.get((bits >> shift & 63) as usize).filter(|_| n <= group.len());
            out.push(char::from(*letter.unwrap_or(&b'=')));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rfcs_own_examples() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn what_is_too_long_is_left_to_the_system() {
        assert!(osc52("grün").is_some_and(|sequence| sequence == "\u{1b}]52;c;Z3LDvG4=\u{7}"));
        assert_eq!(osc52(&"x".repeat(LONGEST)), None);
    }
}
