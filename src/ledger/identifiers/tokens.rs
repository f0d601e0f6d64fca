//! A text cut into the runs of bytes that may be values, and what stands in backticks.

use std::ops::Range;

/// The longest run that is looked at, in bytes: what is longer is data, not a name.
const LONGEST: usize = 400;

/// The longest text in backticks that is one value, in bytes.
const LONGEST_CODE: usize = 160;

/// A part of a text.
#[derive(Debug)]
pub(super) enum Cut {
    /// What stands in backticks, without them.
    Code(Range<usize>),
    /// A run of the bytes that values are made of, without the marks around it.
    Token(Token),
}

/// A run of the bytes that values are made of.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    /// The character before it.
    pub(super) before: Option<char>,
    /// What its bytes are; of a token that was cut out of a longer one, what the longer one's are.
    classes: Class,
}

impl Token {
    /// The token at `range`, whatever is in it.
    pub(super) fn at(range: Range<usize>) -> Self {
        Self { range, before: None, classes: Class::MAX }
    }

    /// Whether a digit may be in it.
    pub(super) fn may_have_digits(&self) -> bool {
        self.classes & DIGIT != 0
    }

    /// Whether one of these marks may be in it: most that might be looked for in a word are not there.
    pub(super) fn may_have(&self, marks: &[u8]) -> bool {
        marks.iter().any(|mark| self.classes & bit(*mark) != 0)
    }
}

/// The parts of a text, in order; without the plain words that nothing around them makes a value.
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// Whether a script may stand in it that is written without spaces.
    is_wide: bool,
    at: usize,
    /// Parts of a token that is no value as a whole, the next one last.
    parts: Vec<Token>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // The first bytes of the characters from U+3000 on.
        let is_wide = !text.is_ascii() && text.bytes().any(|byte| matches!(byte, 0xE3..=0xF4));
        Self { text, is_wide, at: 0, parts: Vec::new() }
    }

    /// Whether a script may stand in the text that is written without spaces.
    pub(super) fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Goes on behind `end`.
    pub(super) fn skip_to(&mut self, end: usize) {
        self.at = self.at.max(end);
        self.parts.retain(|part| part.range.start >= end);
    }

    /// Looks at the parts of a token one by one: two names with a slash between them are two values.
    pub(super) fn split(&mut self, token: &Token) {
        const JOINTS: [char; 3] = ['/', ':', '='];
        let joined = self.text.get(token.range.clone()).filter(|word| token.may_have(b"/:=") && word.contains(JOINTS));
        let Some(word) = joined else { return };
        let mut end = token.range.end;
        for part in word.rsplit(JOINTS) {
            let range = trim(self.text, end - part.len()..end);
            let before = self.text.get(..range.start).and_then(|text| text.chars().next_back());
            if !range.is_empty() {
                self.parts.push(Token { range, before, classes: token.classes });
            }
            end = end.saturating_sub(part.len() + 1);
        }
    }

    /// The next part.
    pub(super) fn next(&mut self) -> Option<Cut> {
        if let Some(part) = self.parts.pop() {
            return Some(Cut::Token(part));
        }
        loop {
            self.skip_plain();
            let rest = self.text.as_bytes().get(self.at..)?;
            let skipped = rest.iter().position(|byte| class(*byte) & (INNER | TICK) != 0)?;
            let start = self.at + skipped;
            let run = rest.get(skipped..).unwrap_or_default();
            if run.first() == Some(&b'`') {
                if let Some(range) = self.code(start) {
                    return Some(Cut::Code(range));
                }
                continue;
            }
            let (length, classes) = run_of(run);
            self.at = start + length;
            if is_plain(classes) && !self.may_be_named(start, length) {
                continue;
            }
            if length > LONGEST {
                continue;
            }
            if let Some(length) = self.text.get(start..self.at).filter(|_| classes & bit(b'.') != 0).and_then(range_mark) {
                self.at = start + length;
            }
            let start = behind_a_mark(self.text, start);
            let range = trim(self.text, start..self.at);
            // The last word of a sentence is one like any other, when its full stop is gone.
            let word = self.text.as_bytes().get(range.clone()).filter(|_| self.text.as_bytes().get(range.end) == Some(&b'.'));
            if word.is_some_and(|word| is_plain(run_of(word).1)) && !self.may_be_named(range.start, range.len()) {
                continue;
            }
            if !range.is_empty() {
                let before = self.text.get(..range.start).and_then(|text| text.chars().next_back());
                return Some(Cut::Token(Token { range, before, classes }));
            }
        }
    }

    /// Passes over plain words that nothing makes a value, sixteen bytes at a time: most of what is said are such words. Stops at the
    /// space before anything else.
    fn skip_plain(&mut self) {
        let bytes = self.text.as_bytes();
        let before = self.at.checked_sub(1).and_then(|at| bytes.get(at));
        if self.is_wide || matches!(before, Some(b'\\' | b'{')) {
            return;
        }
        while let Some(sixteen) = bytes.get(self.at..).and_then(|rest| rest.first_chunk::<16>()) {
            // Without a branch, so that all are looked at in one step. A word with a `v` may be a version, which names the word before it.
            let is_plain = |byte: &u8| (byte.wrapping_sub(b'a') < 26) & (*byte != b'v') | (*byte == b' ');
            if !sixteen.iter().fold(true, |all, byte| all & is_plain(byte)) {
                return;
            }
            // What stands behind the last byte is not known.
            match sixteen.iter().take(15).rposition(|byte| *byte == b' ') {
                Some(last @ 1..) => self.at += last,
                _ => return,
            }
        }
    }

    /// Whether what stands around a plain word may make it a value, or a part of one.
    fn may_be_named(&self, start: usize, length: usize) -> bool {
        let bytes = self.text.as_bytes();
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let begins_a_name =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'Z' | b'#' | b'v'));
        let after = match bytes.get(start + length) {
            Some(b' ') => begins_a_name(bytes.get(start + length + 1)),
            Some(b'\\' | b'(') => true,
            _ => false,
        };
        let is_capital = bytes.get(start).is_some_and(u8::is_ascii_uppercase);
        self.is_wide || after || matches!(before, Some(b'\\' | b'{')) || (is_capital && length > 6)
    }

    /// The text in backticks that begin at `start`; none for a fence, and for backticks that do not close on their line.
    fn code(&mut self, start: usize) -> Option<Range<usize>> {
        let rest = self.text.get(start..)?;
        let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
        let from = start + ticks;
        self.at = from;
        let inner = self.text.get(from..)?;
        let line = inner.split('\n').next().unwrap_or(inner);
        if ticks >= 3 && !line.contains('`') {
            // What follows a fence is the name of a language.
            self.at = from + line.len();
            return None;
        }
        let fence = rest.get(..ticks)?;
        let close = line.find(fence)?;
        let code = inner.get(..close)?;
        let trimmed = code.trim();
        if trimmed.is_empty() || trimmed.len() > LONGEST_CODE || !trimmed.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        self.at = from + close + ticks;
        let lead = code.len() - code.trim_start().len();
        Some(from + lead..from + lead + trimmed.len())
    }
}

/// What bytes are: parts of values; of these marks, each with a bit of its own, digits, capitals; backticks.
type Class = u32;

const INNER: Class = 1;
const MARK: Class = 2;
const DIGIT: Class = 4;
const UPPER: Class = 8;
const TICK: Class = 16;

/// The marks of values, in the order of their bits, which follow that of [`TICK`].
const MARKS: &[u8] = b"_./-:@#~=%$*+";

/// What each byte is.
static CLASSES: [Class; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => INNER,
            b'A'..=b'Z' => INNER | UPPER,
            b'0'..=b'9' => INNER | DIGIT,
            b'`' => TICK,
            _ => 0,
        };
        byte += 1;
    }
    let mut n = 0;
    while n < MARKS.len() {
        classes[MARKS[n] as usize] = INNER | MARK | (TICK << (n + 1));
        n += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// The bit that a mark has of its own.
fn bit(mark: u8) -> Class {
    class(mark) & !(INNER | MARK)
}

/// Whether these are the bytes of a plain word: of letters, of which the first may be a capital.
fn is_plain(classes: Class) -> bool {
    classes & (MARK | DIGIT | UPPER) == 0
}

/// How many bytes at the beginning may be parts of a value, and what they are. The first letter of a word may be a capital.
fn run_of(bytes: &[u8]) -> (usize, Class) {
    let mut classes = 0;
    for (n, byte) in bytes.iter().enumerate() {
        let class = class(*byte);
        if class & INNER == 0 {
            return (n, classes);
        }
        classes |= if n == 0 { class & !UPPER } else { class };
    }
    (bytes.len(), classes)
}

/// Whether values are made of this byte.
pub(super) fn is_inner(byte: u8) -> bool {
    class(byte) & INNER != 0
}

/// Where a run begins whose first byte belongs to what stands before it: the letter of an escape (`\n`), the dot of a method, the
/// slash of a closing tag.
fn behind_a_mark(text: &str, start: usize) -> usize {
    let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    let first = text.as_bytes().get(start);
    let taken = match before {
        Some(b'\\') => matches!(first, Some(b'n' | b't' | b'r')) && !text.get(..start).is_some_and(|text| text.ends_with("\\\\")),
        Some(b')' | b']' | b'}' | b'?' | b'!') => first == Some(&b'.'),
        Some(b'<') => first == Some(&b'/'),
        _ => false,
    };
    start + usize::from(taken)
}

/// Where `a..b` and `a...b` part.
fn range_mark(run: &str) -> Option<usize> {
    let at = run.as_bytes().windows(2).position(|pair| pair == b"..")?;
    let alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let behind = run.get(at..)?.trim_start_matches('.');
    (alphanumeric(run.as_bytes().get(at.checked_sub(1)?)) && alphanumeric(behind.as_bytes().first())).then_some(at)
}

/// Takes off the marks around a value: emphasis, the stop that ends a sentence, an arrow's tail.
fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let Some(run) = text.get(range.clone()) else { return range };
    if let [first, .., last] = run.as_bytes()
        && first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
    {
        return range;
    }
    let mut start = run.find(|c: char| !matches!(c, '*' | ':' | '=' | '+')).unwrap_or(run.len());
    if start > 0 && run.get(start - 1..).is_some_and(is_glob) {
        start -= 1;
    }
    // A folder `./`, a hidden file `.env`, a flag `-x` and a private name `_x` begin with their mark.
    if run.get(start..).is_some_and(|run| !starts_a_value(run)) {
        start += run.get(start..).and_then(|run| run.find(|c: char| c.is_ascii_alphanumeric())).unwrap_or(run.len() - start);
    }
    let end = run.trim_end_matches(['.', ':', '=', '-', '+', '*', '#', '@', '$', '~']).len();
    let end = if run.ends_with("**") || start > 0 || !run.ends_with('*') { end } else { glob_end(run, end) };
    let (start, end) = (range.start + start, range.start + end);
    if end > start { start..end } else { start..start }
}

/// `src/*` ends with its star.
fn glob_end(run: &str, end: usize) -> usize {
    if run.get(..end).is_some_and(|run| run.ends_with('/')) { run.len() } else { end }
}

/// `*.rs`
fn is_glob(run: &str) -> bool {
    run.starts_with("*.") && run.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a run begins as values do.
fn starts_a_value(run: &str) -> bool {
    let mut bytes = run.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    match first {
        Some(byte) if byte.is_ascii_alphanumeric() => true,
        Some(b'*') => is_glob(run),
        Some(b'/' | b'@' | b'#' | b'$' | b'%' | b'_') => second.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        Some(b'~') => second == Some(b'/'),
        Some(b'-') => second.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'-'),
        Some(b'.') => match second {
            Some(b'/') => true,
            Some(b'.') => run.starts_with("../"),
            Some(byte) => byte.is_ascii_alphabetic(),
            None => false,
        },
        _ => false,
    }
}
