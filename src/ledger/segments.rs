//! Text cut into segments: sentences, list items, headings, table rows, fenced blocks.
//!
//! A segment is the unit of a commitment. Nothing is dropped here: what a segment is worth is decided by who reads them.

use std::ops::Range;

/// One segment: a byte range of the text, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    /// First byte.
    pub(super) start: usize,
    /// First byte of its words, behind bullets, numbers and other marks of its line.
    pub(super) words: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// Columns before its line's first mark.
    pub(super) indent: usize,
    /// What it is.
    pub(super) kind: SegmentKind,
}

/// The kinds of segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentKind {
    /// A sentence of a paragraph.
    Sentence,
    /// A list item, or its first sentence.
    Item,
    /// A further sentence of a list item.
    More,
    /// A heading.
    Heading,
    /// A row of a table.
    Row,
    /// A fenced block: code, a log, pasted output.
    Block,
}

/// Cuts a text into segments.
#[cfg(test)]
fn segments(text: &str) -> Vec<Segment> {
    segments_in(text, 0..text.len())
}

/// Cuts a part of a text into segments.
pub(super) fn segments_in(text: &str, part: Range<usize>) -> Vec<Segment> {
    let mut cutter = Cutter { text, found: Vec::new(), paragraph: None };
    let mut fence: Option<(usize, &str)> = None;
    let mut start = part.start;
    for line in text.get(part.clone()).unwrap_or("").split_inclusive('\n') {
        let end = start + line.len();
        match (fence, fence_of(line)) {
            (None, Some(mark)) => {
                cutter.flush();
                fence = Some((start, mark));
            }
            (Some((from, opened)), Some(mark)) if mark.starts_with(opened) => {
                cutter.push(from..end, SegmentKind::Block, from, 0);
                fence = None;
            }
            (Some(_), _) => {}
            (None, None) => cutter.line(start..end),
        }
        start = end;
    }
    cutter.flush();
    if let Some((from, _)) = fence {
        cutter.push(from..part.end, SegmentKind::Block, from, 0);
    }
    cutter.found
}

/// The run of marks by which a line opens or closes a fenced block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = line.len() - line.trim_start_matches(mark).len();
    // Inline code that fills a line is no fence.
    let rest = line.get(run..)?;
    (run >= 3 && !(mark == '`' && rest.contains('`'))).then(|| line.get(..run)).flatten()
}

/// Collects the lines of a paragraph that an editor has wrapped, and cuts them into sentences together.
struct Cutter<'t> {
    text: &'t str,
    found: Vec<Segment>,
    paragraph: Option<Paragraph>,
}

/// Lines that belong together.
struct Paragraph {
    range: Range<usize>,
    words: usize,
    indent: usize,
    kind: SegmentKind,
    /// Where its last line begins.
    last: usize,
}

/// A line of at least this many bytes may be one that an editor has wrapped.
const WRAPPED: usize = 60;

impl Cutter<'_> {
    fn line(&mut self, range: Range<usize>) {
        let line = self.text.get(range.clone()).unwrap_or("");
        if line.trim().is_empty() {
            self.flush();
            return;
        }
        let start = range.start + (line.len() - line.trim_start().len());
        let indent = start - range.start;
        let (kind, marks) = shape(line.trim());
        if kind == SegmentKind::Sentence && self.goes_on(line.trim(), indent) {
            if let Some(paragraph) = &mut self.paragraph {
                paragraph.range.end = range.end;
                paragraph.last = range.start;
            }
            return;
        }
        self.flush();
        self.paragraph = Some(Paragraph { range: start..range.end, words: start + marks, indent, kind, last: range.start });
    }

    /// Whether a line is the continuation of the one before: that one is as long as a wrapped line is and ends in mid sentence, and
    /// this one begins as no sentence does, or is set in under its item.
    fn goes_on(&self, line: &str, indent: usize) -> bool {
        let Some(paragraph) = &self.paragraph else { return false };
        let before = self.text.get(paragraph.last..paragraph.range.end).unwrap_or("").trim_end();
        let open = !before.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '：', '|', '{', '}']);
        let lower = line.starts_with(|c: char| c.is_lowercase() || c == '(');
        match paragraph.kind {
            SegmentKind::Heading | SegmentKind::Row | SegmentKind::Block => false,
            SegmentKind::Item | SegmentKind::More => indent > paragraph.indent && open && lower,
            SegmentKind::Sentence => before.len() >= WRAPPED && open && lower && indent == paragraph.indent,
        }
    }

    fn flush(&mut self) {
        let Some(Paragraph { range, words, indent, kind, .. }) = self.paragraph.take() else { return };
        if matches!(kind, SegmentKind::Heading | SegmentKind::Row) {
            self.push(range, kind, words, indent);
        } else {
            self.sentences(range, words, (kind, indent));
        }
    }

    /// Cuts at the ends of sentences: `.`, `!` or `?` and white space before a letter, but not after a number (`3.`), an initial or a
    /// common abbreviation, and not inside inline code.
    fn sentences(&mut self, range: Range<usize>, words: usize, (kind, indent): (SegmentKind, usize)) {
        let line = self.text.get(words..range.end).unwrap_or("");
        let (mut from, mut code, mut kind, mut begins) = (0, false, kind, range.start);
        for (at, mark) in line.match_indices(['.', '!', '?', '。', '！', '？', '`', ';']) {
            if mark == "`" {
                code = !code;
                continue;
            }
            let rest = line.get(at + mark.len()..).unwrap_or("");
            let closed = rest.trim_start_matches(['"', '\'', ')', ']', '*', '”', '’', '」']);
            let after = line.len() - closed.len();
            let next = closed.trim_start().chars().next();
            let before = line.get(from..at).unwrap_or("");
            let ends = !mark.is_ascii()
                || (mark == ";" && parts(before, rest))
                || (mark != ";"
                    && closed.starts_with(char::is_whitespace)
                    && next
                        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '`' | '"' | '*' | '“' | '@' | '/' | '(' | '¿' | '¡'))
                    && !(mark == "." && abbreviates(before)));
            if ends && (!code || !mark.is_ascii()) {
                self.push(begins..words + after, kind, words.max(begins), indent);
                (from, begins) = (after, words + after);
                if kind == SegmentKind::Item {
                    kind = SegmentKind::More;
                }
            }
        }
        self.push(begins..range.end, kind, words.max(begins), indent);
    }

    fn push(&mut self, range: Range<usize>, kind: SegmentKind, words: usize, indent: usize) {
        let part = self.text.get(range.clone()).unwrap_or("");
        let trimmed = part.trim();
        // Rules, bullets without words and other marks say nothing.
        if !trimmed.chars().any(says) {
            return;
        }
        let start = range.start + (part.len() - part.trim_start().len());
        self.found.push(Segment { start, words: words.max(start), end: start + trimmed.len(), indent, kind });
    }
}

/// Whether a character may say something: a letter, a digit, or a picture.
fn says(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{2705}' | '\u{274c}' | '\u{1f300}'..='\u{1faff}')
}

/// What a line is by its first marks, and how many bytes those are.
fn shape(line: &str) -> (SegmentKind, usize) {
    let mut kind = SegmentKind::Sentence;
    let mut rest = line;
    loop {
        let (found, after) = mark(rest);
        let Some(found) = found else { return (kind, line.len() - rest.len()) };
        // A number that is all that was said is an answer, no mark.
        if !after.chars().any(says) {
            return (kind, line.len() - rest.len());
        }
        if kind == SegmentKind::Sentence {
            kind = found;
        }
        rest = after;
        let numbered = rest.starts_with(|c: char| c.is_ascii_digit());
        if found == SegmentKind::Row || found == SegmentKind::Heading && !numbered {
            return (kind, line.len() - rest.len());
        }
    }
}

/// The mark at the beginning of a line, if it begins with one, and what follows.
fn mark(line: &str) -> (Option<SegmentKind>, &str) {
    let after = |n: usize| line.get(n..).unwrap_or("").trim_start();
    let spaced = |n: usize| line.get(n..).is_some_and(|rest| rest.starts_with([' ', '\t']));
    let Some(first) = line.chars().next() else { return (None, line) };
    match first {
        '#' => {
            let hashes = line.len() - line.trim_start_matches('#').len();
            if hashes <= 6 && spaced(hashes) { (Some(SegmentKind::Heading), after(hashes)) } else { (None, line) }
        }
        '|' => (Some(SegmentKind::Row), after(1)),
        '>' if spaced(1) => (Some(SegmentKind::Sentence), after(1)),
        '-' | '*' | '+' | '•' | '–' | '—' | '◦' | '▪' | '·' if spaced(first.len_utf8()) => {
            (Some(SegmentKind::Item), after(first.len_utf8()))
        }
        '[' if ["[ ]", "[x]", "[X]", "[-]"].iter().any(|b| line.starts_with(b)) && spaced(3) => (Some(SegmentKind::Item), after(3)),
        c if c.is_ascii_digit() => {
            let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let closed = line.get(digits..).is_some_and(|rest| rest.starts_with(['.', ')', ':']));
            if digits <= 3 && closed && spaced(digits + 1) { (Some(SegmentKind::Item), after(digits + 1)) } else { (None, line) }
        }
        c if c.is_ascii_alphabetic() && line.get(1..).is_some_and(|rest| rest.starts_with(')')) && spaced(2) => {
            (Some(SegmentKind::Item), after(2))
        }
        _ => (None, line),
    }
}

/// With these a clause points back to the one before it.
const BACK: &[&str] = &[
    "it",
    "its",
    "it's",
    "they",
    "their",
    "they're",
    "this",
    "that",
    "that's",
    "these",
    "those",
    "he",
    "she",
    "i",
    "i'm",
    "i've",
    "we",
    "we've",
    "there",
    "otherwise",
    "so",
    "but",
    "because",
    "since",
    "as",
    "which",
    "then",
    "else",
    "and",
    "or",
    "es",
    "sie",
    "er",
    "das",
    "dies",
    "sonst",
    "denn",
    "aber",
    "dann",
    "und",
    "ich",
    "wir",
    "il",
    "elle",
    "ils",
    "ça",
    "cela",
    "sinon",
    "car",
    "mais",
    "et",
    "je",
    "nous",
    "eso",
    "esto",
    "y",
    "pero",
];

/// Whether what stands on both sides of a semicolon says something by itself: "upload it once; any further upload needs my OK".
fn parts(before: &str, rest: &str) -> bool {
    const WORDS: usize = 4;
    let is_long = |text: &str| text.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).nth(WORDS - 1).is_some();
    let is_open = before.matches('(').count() > before.matches(')').count();
    // "Do not run it again; it already ran": what points back, or gives a reason, belongs to what stands before it.
    let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let points_back = BACK.contains(&first.trim_matches(|c: char| !c.is_alphabetic()));
    rest.starts_with(' ') && !is_open && !points_back && is_long(before) && is_long(rest)
}

/// Whether the word before a full stop is no end of a sentence.
fn abbreviates(before: &str) -> bool {
    let before = before.trim_start();
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
    // `3.`, and `about: 9.`
    let lead = before.get(..before.len() - word.len()).unwrap_or("").trim_end();
    let is_first = before.len() == word.len() || (lead.ends_with(':') && word.len() <= 2);
    let number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && is_first;
    // `4 s.`, `12 V.`: the unit of a number is no initial.
    let is_unit = lead.ends_with(|c: char| c.is_ascii_digit());
    let initial = word.chars().count() <= 1 && !word.chars().all(|c| c.is_ascii_digit()) && !is_unit;
    number
        || word.is_empty()
        || initial
        || matches!(
            word.trim_end_matches('.').to_ascii_lowercase().as_str(),
            "e.g"
                | "i.e"
                | "etc"
                | "vs"
                | "cf"
                | "approx"
                | "dr"
                | "mr"
                | "mrs"
                | "ms"
                | "prof"
                | "st"
                | "no"
                | "z.b"
                | "d.h"
                | "p.ex"
        )
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
        let wrapped = "we want every commit on this branch to carry a sign-off line\nand the name of the ticket. Nothing else.";
        for (text, parts) in [
            ("Do not drop columns. Push when green!", vec!["Do not drop columns.", "Push when green!"]),
            (
                "as agreed earlier. no commits directly to main, ever!",
                vec!["as agreed earlier.", "no commits directly to main, ever!"],
            ),
            ("3. Run the tests e.g. cargo test", vec!["3. Run the tests e.g. cargo test"]),
            ("Rules:\n- no pushes\n- keep a.b.c.rs\n\n---\n", vec!["Rules:", "- no pushes", "- keep a.b.c.rs"]),
            ("look:\n```\nerror. Here\n```\nfix it", vec!["look:", "```\nerror. Here\n```", "fix it"]),
            ("~~~\n```\na. B\n~~~\nfix it", vec!["~~~\n```\na. B\n~~~", "fix it"]),
            ("Use v1.2.3 now", vec!["Use v1.2.3 now"]),
            ("不要删除。请提交", vec!["不要删除。", "请提交"]),
            ("", vec![]),
            ("```\nopen fence. To the end", vec!["```\nopen fence. To the end"]),
            (wrapped, vec![wrapped.strip_suffix(" Nothing else.").unwrap(), "Nothing else."]),
            ("no pushes\nfix the tests", vec!["no pushes", "fix the tests"]),
            ("- keep the old name\n  until friday\n- push", vec!["- keep the old name\n  until friday", "- push"]),
            ("call `a. B` now. Then `stop`", vec!["call `a. B` now.", "Then `stop`"]),
            ("He said \"no.\" Fine", vec!["He said \"no.\"", "Fine"]),
            ("| a. B | c |\n|---|---|\n| d | e |", vec!["| a. B | c |", "| d | e |"]),
            ("See step 3. Then stop.", vec!["See step 3.", "Then stop."]),
            ("about: 9. Reason never shown. Do we log it?", vec!["about: 9. Reason never shown.", "Do we log it?"]),
            ("Build that?   1. Checks stay on the fork.", vec!["Build that?", "1. Checks stay on the fork."]),
            ("look for functions etc... that still need work", vec!["look for functions etc... that still need work"]),
            ("Set it to 4 s. Write the entry.", vec!["Set it to 4 s.", "Write the entry."]),
            (
                "Upload it once, today; any further upload needs my OK.",
                vec!["Upload it once, today;", "any further upload needs my OK."],
            ),
            ("Do not re-run the migration; it already ran once.", vec!["Do not re-run the migration; it already ran once."]),
            (
                "Keep these (old names; not the new ones at all) as is.",
                vec!["Keep these (old names; not the new ones at all) as is."],
            ),
            ("Ask J. Smith. Then stop.", vec!["Ask J. Smith.", "Then stop."]),
            ("2", vec!["2"]),
            ("2.", vec!["2."]),
        ] {
            assert_eq!(cut(text), parts, "{text:?}");
        }
    }

    #[test]
    fn marks_are_told_from_words() {
        for (text, words, kind) in [
            ("- [ ] **wire** it", "**wire** it", SegmentKind::Item),
            ("9. yes test", "yes test", SegmentKind::Item),
            ("b) the other", "the other", SegmentKind::Item),
            ("> do not push", "do not push", SegmentKind::Sentence),
            ("> - do not push", "do not push", SegmentKind::Item),
            ("## Out of scope", "Out of scope", SegmentKind::Heading),
            ("#3 is next", "#3 is next", SegmentKind::Sentence),
            ("| a | b |", "a | b |", SegmentKind::Row),
            ("-x is the flag", "-x is the flag", SegmentKind::Sentence),
            ("3 retries", "3 retries", SegmentKind::Sentence),
        ] {
            let found = segments(text);
            assert_eq!((&text[found[0].words..found[0].end], found[0].kind), (words, kind), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_segment_overlaps(text in "(?s)([a-z .!?\n`#>|-]|.){0,200}") {
            let found = segments(&text);
            let mut at = 0;
            for s in &found {
                prop_assert!(at <= s.start && s.start <= s.words && s.words <= s.end && s.start < s.end);
                prop_assert!(!text[at..s.start].chars().any(char::is_alphanumeric));
                at = s.end;
            }
            prop_assert!(!text[at..].chars().any(char::is_alphanumeric));
        }
    }
}
