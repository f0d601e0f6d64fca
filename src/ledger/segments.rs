//! Human text cut into segments: sentences, list items, headings, table rows, fenced blocks.
//!
//! A segment is the unit of a commitment. Nothing is dropped here: what a segment is worth is decided by who reads them.

/// One segment: a byte range of the text, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: SegmentKind,
}

/// The kinds of segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentKind {
    /// A sentence, a list item, a heading or a table row.
    Words,
    /// A fenced block: code, a log, pasted output.
    Block,
}

/// Cuts a text into segments.
pub(super) fn segments(text: &str) -> Vec<Segment> {
    let mut found = Vec::new();
    let mut fence: Option<usize> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        match (fence, is_fence) {
            (None, true) => fence = Some(start),
            (Some(from), true) => {
                push(&mut found, text, from, end, SegmentKind::Block);
                fence = None;
            }
            (Some(_), false) => {}
            (None, false) => sentences(&mut found, text, start, end),
        }
        start = end;
    }
    if let Some(from) = fence {
        push(&mut found, text, from, text.len(), SegmentKind::Block);
    }
    found
}

/// Cuts one line at the ends of its sentences: `.`, `!` or `?` and white space before a letter, but not after a number (`3.`), an
/// initial or a common abbreviation.
fn sentences(found: &mut Vec<Segment>, text: &str, start: usize, end: usize) {
    let line = text.get(start..end).unwrap_or("");
    let mut from = 0;
    let mut before = "";
    for (at, mark) in line.match_indices(['.', '!', '?', '。', '！', '？']) {
        let after = at + mark.len();
        let rest = line.get(after..).unwrap_or("");
        before = line.get(from..at).unwrap_or(before);
        let wide = !mark.is_ascii();
        let next = rest.trim_start().chars().next();
        let ends = wide
            || (rest.starts_with(char::is_whitespace)
                && next.is_some_and(char::is_alphabetic)
                && !(mark == "." && abbreviates(before)));
        if ends {
            push(found, text, start + from, start + after, SegmentKind::Words);
            from = after;
        }
    }
    push(found, text, start + from, end, SegmentKind::Words);
}

/// Whether the word before a full stop is no end of a sentence.
fn abbreviates(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
    let number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    number
        || word.chars().count() <= 1
        || matches!(word.to_ascii_lowercase().as_str(), "e.g" | "i.e" | "etc" | "vs" | "cf" | "approx" | "dr" | "mr" | "ms" | "no")
}

fn push(found: &mut Vec<Segment>, text: &str, start: usize, end: usize, kind: SegmentKind) {
    let part = text.get(start..end).unwrap_or("");
    let trimmed = part.trim();
    // Rules, bullets without words and other marks say nothing.
    if !trimmed.chars().any(char::is_alphanumeric) {
        return;
    }
    let start = start + (part.len() - part.trim_start().len());
    found.push(Segment { start, end: start + trimmed.len(), kind });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        segments(text).iter().map(|s| &text[s.start..s.end]).collect()
    }

    #[test]
    fn cuts_as_a_reader_does() {
        for (text, parts) in [
            ("Do not drop columns. Push when green!", vec!["Do not drop columns.", "Push when green!"]),
            (
                "as agreed earlier. no commits directly to main, ever!",
                vec!["as agreed earlier.", "no commits directly to main, ever!"],
            ),
            ("3. Run the tests e.g. cargo test", vec!["3. Run the tests e.g. cargo test"]),
            ("Rules:\n- no pushes\n- keep a.b.c.rs\n\n---\n", vec!["Rules:", "- no pushes", "- keep a.b.c.rs"]),
            ("look:\n```\nerror. Here\n```\nfix it", vec!["look:", "```\nerror. Here\n```", "fix it"]),
            ("Use v1.2.3 now", vec!["Use v1.2.3 now"]),
            ("不要删除。请提交", vec!["不要删除。", "请提交"]),
            ("", vec![]),
            ("```\nopen fence. To the end", vec!["```\nopen fence. To the end"]),
        ] {
            assert_eq!(cut(text), parts, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_segment_overlaps(text in "(?s).{0,200}") {
            let found = segments(&text);
            let mut at = 0;
            for s in &found {
                prop_assert!(at <= s.start && s.start < s.end);
                prop_assert!(!text[at..s.start].chars().any(char::is_alphanumeric));
                at = s.end;
            }
            prop_assert!(!text[at..].chars().any(char::is_alphanumeric));
        }
    }
}
