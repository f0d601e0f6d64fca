//! The words of a text that may be exact values, found without looking at the others: most of a session is tool output.
//!
//! A word that is worth a look has a mark in its middle: `src/a.rs`, `user_id`, `bk-2291`, `4f2a91c`. Sixty-four bytes at a time
//! become two sets of bits, which bytes words are made of and which are marks; only where a mark stands between two bytes of a word
//! is that word cut out.

/// The longest word that is looked at, in bytes: what is longer is data, not a name.
const LONGEST: usize = 160;

/// Bytes that become sets of bits together.
const BLOCK: usize = 64;

/// Hands out the words of `text` that have a mark in their middle, in order, each with where it begins.
pub(super) fn words<'t>(text: &'t str, mut each: impl FnMut(usize, &'t str)) {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let mut scan = Scan { text, run: 0, goes_on: 0, done: 0 };
    for (n, block) in blocks.iter().enumerate() {
        scan.block(n * BLOCK, block, &mut each);
    }
    let mut last = [0; BLOCK];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    scan.block(blocks.len() * BLOCK, &last, &mut each);
}

struct Scan<'t> {
    text: &'t str,
    /// Where the word began that may go on in the next block.
    run: usize,
    /// Whether it does: bit 0.
    goes_on: u64,
    /// Everything before this has been handed out or passed over.
    done: usize,
}

impl<'t> Scan<'t> {
    fn block(&mut self, base: usize, block: &[u8; BLOCK], each: &mut impl FnMut(usize, &'t str)) {
        let (inner, mark) = sets(block);
        let before = inner << 1 | self.goes_on;
        // Whether a word goes on behind the block shows only there.
        let after = inner >> 1 | 1 << 63;
        let mut middles = mark & before & after & from(self.done.saturating_sub(base));
        while middles != 0 {
            let at = middles.trailing_zeros();
            let (below, above) = (!inner & !from(at as usize), !inner & from(at as usize));
            let start = if below == 0 { self.run } else { base + (u64::BITS - below.leading_zeros()) as usize };
            let end = if above == 0 { self.far_end(base + BLOCK, start) } else { base + above.trailing_zeros() as usize };
            let is_middle = base + (at as usize) + 1 < end;
            if is_middle && (4..=LONGEST).contains(&(end - start)) {
                // The letter of an escape belongs to what stands before it.
                let start = start + usize::from(is_escaped(self.text.as_bytes(), start));
                if let Some(word) = self.text.get(start..end) {
                    each(start, word);
                }
            }
            self.done = end;
            middles &= from(end - base);
        }
        self.goes_on = inner >> 63;
        if inner != u64::MAX {
            self.run = base + BLOCK - (!inner).leading_zeros() as usize;
        }
    }

    /// Where a word ends that goes on behind its block; of one that is too long it does not matter.
    fn far_end(&self, from: usize, start: usize) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        let most = (start + LONGEST + 1).saturating_sub(from);
        from + rest.iter().take(most).take_while(|byte| is_inner(**byte)).count()
    }
}

/// The bits from `at` on.
fn from(at: usize) -> u64 {
    if at >= BLOCK { 0 } else { u64::MAX << at }
}

/// Which bytes words are made of, and which of these are marks; bit n is byte n.
fn sets(block: &[u8; BLOCK]) -> (u64, u64) {
    // Without a branch, so that many bytes are looked at in one step.
    let (mut inner, mut mark) = ([0; BLOCK], [0; BLOCK]);
    for ((inner, mark), byte) in inner.iter_mut().zip(&mut mark).zip(block) {
        (*inner, *mark) = (u8::from(is_inner(*byte)), u8::from(is_mark(*byte)));
    }
    (gather(&inner), gather(&mark))
}

/// Bytes that are 0 or 1 as bits.
fn gather(bytes: &[u8; BLOCK]) -> u64 {
    let (eights, _) = bytes.as_chunks::<8>();
    let byte = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |bits, eight| bits << 8 | byte(eight))
}

#[inline]
fn is_mark(byte: u8) -> bool {
    (byte.wrapping_sub(b'-') <= b':' - b'-') | (byte == b'_')
}

#[inline]
fn is_inner(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | is_mark(byte)
}

/// Whether a word begins with the letter of `\n`, `\t` or `\r`.
fn is_escaped(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    before == Some(&b'\\') && matches!(text.get(start), Some(b'n' | b't' | b'r'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        words(text, |_, word| found.push(word));
        found
    }

    #[test]
    fn a_word_with_a_mark_in_its_middle_is_found() {
        for (text, want) in [
            ("", vec![]),
            ("plain words, and a sentence. The next: one - two", vec![]),
            ("see src/a.rs:12, and user_id", vec!["src/a.rs:12", "user_id"]),
            ("commit 4f2a91c on feature/x", vec!["4f2a91c", "feature/x"]),
            ("\"a\\nfoo_bar\" (bk-2291)", vec!["foo_bar", "bk-2291"]),
            ("résumé_1.txt", vec!["_1.txt"]),
        ] {
            assert_eq!(found(text), want, "{text}");
        }
    }

    #[test]
    fn a_long_word_is_data() {
        assert_eq!(found(&format!("{} src/a.rs", "QmFzZTY0/".repeat(10_000))), ["src/a.rs"]);
    }

    proptest! {
        #[test]
        fn blocks_do_not_matter(text in "[a-z0-9/_. é\\\\]{0,220}") {
            let plain = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-'..=':' | '_')));
            let mut start = 0;
            let mut want = Vec::new();
            for word in plain {
                let has_mark = word.len() > 2 && word.as_bytes()[1..word.len() - 1].iter().any(|b| matches!(b, b'-'..=b':' | b'_'));
                if has_mark && (4..=LONGEST).contains(&word.len()) {
                    let escaped = usize::from(is_escaped(text.as_bytes(), start));
                    want.push(&word[escaped..]);
                }
                start += word.len() + text[start + word.len()..].chars().next().map_or(0, char::len_utf8);
            }
            prop_assert_eq!(found(&text), want);
        }
    }
}
