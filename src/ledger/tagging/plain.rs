//! A sentence made plain for cues: lower case, without accents and emphasis, one space between words and around marks, with what is
//! quoted or exact replaced by a word in capitals. Offsets are not kept: a cue says that it is there, not where.

use super::language::Language;
use crate::base::text::prefix;

/// A sentence, made plain.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// Its words and marks, with one space around each.
    pub(super) text: String,
    /// Letters by script.
    pub(super) scripts: Scripts,
    /// Letters with an accent, by language that has them: German, French, Spanish, Portuguese.
    accents: [u16; 4],
}

/// Letters by script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scripts {
    pub(super) latin: u32,
    pub(super) han: u32,
    pub(super) kana: u32,
    pub(super) hangul: u32,
    pub(super) cyrillic: u32,
    pub(super) other: u32,
}

/// Marks that stand for themselves wherever they are found in a word.
const MARKS: &str = ",;:!?<>";

/// Letters with an accent of German, French, Spanish, Portuguese.
const ACCENTS: [&str; 4] = ["äöüßÄÖÜ", "àâçéèêëîïôùûüÿœæÀÂÇÉÈÊ", "áéíóúüñÁÉÍÓÚÑ", "ãõáâàçéêíóôúÃÕÁÂÇÉÊÍÓÚ"];

/// The longest quotation or inline code that is looked for, in bytes: a mark that nobody closes must not cost the rest of a long line.
const LONGEST: usize = 2_000;

/// Endings of file names.
const FILES: &str = " rs go py ts tsx js jsx mjs cjs json jsonl toml yaml yml md mdx txt sh bash zsh sql db html htm css scss png jpg jpeg svg gif pdf lock cfg conf ini env proto java kt swift c cc cpp h hpp rb php vue svelte xml csv tsv log exe dll so rlib zip gz tar patch diff ipynb ps1 bat lua zig ex exs tf hcl gradle dockerfile graphql prisma sqlite wasm com org net io dev ai ";

impl Plain {
    /// Makes `text` plain.
    pub(super) fn new(text: &str) -> Self {
        let mut plain = Self { text: String::with_capacity(text.len() + text.len() / 4), ..Self::default() };
        let mut rest = text.trim();
        while let Some(c) = rest.chars().next() {
            rest = if c.is_whitespace() {
                rest.trim_start()
            } else if let Some(after) = plain.quoted(rest, c, text.trim()) {
                after
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == '`').unwrap_or(rest.len()).max(c.len_utf8());
                let (token, after) = rest.split_at(end);
                plain.token(token);
                after
            };
        }
        plain.text.push(' ');
        plain
    }

    /// How many letters with an accent it holds that a language has.
    pub(super) fn letters_of(&self, language: Language) -> u16 {
        let at =
            [Language::German, Language::French, Language::Spanish, Language::Portuguese].iter().position(|own| *own == language);
        at.and_then(|at| self.accents.get(at).copied()).unwrap_or(0)
    }

    /// Whether it ends with a question mark.
    pub(super) fn asks(&self) -> bool {
        let end = self.text.trim_end_matches([' ', '"', '\'', ')', ']', '.', '!', ':']);
        end.ends_with('?')
    }

    /// Takes inline code, or a quotation that is not the whole sentence. What it returns stands behind it.
    fn quoted<'t>(&mut self, rest: &'t str, open: char, whole: &str) -> Option<&'t str> {
        let close = match open {
            '`' => {
                let ticks = rest.len() - rest.trim_start_matches('`').len();
                let (_, inner) = rest.split_at(ticks);
                let end = prefix(inner, LONGEST).find(rest.get(..ticks)?)?;
                self.word("CODE");
                return Some(inner.get(end + ticks..)?.trim_start_matches('`'));
            }
            '"' => '"',
            '“' | '„' => '”',
            '«' => '»',
            '「' => '」',
            '『' => '』',
            _ => return None,
        };
        let inner = rest.get(open.len_utf8()..)?;
        // A German quotation ends as an English one begins.
        let end = prefix(inner, LONGEST).find(|c| c == close || (open == '„' && c == '“'))?;
        let after = inner.get(end..)?;
        let after = after.get(after.chars().next()?.len_utf8()..)?;
        let all = rest.len() == whole.len() && !after.chars().any(char::is_alphanumeric);
        if all || end == 0 {
            return None;
        }
        self.word("QUOTE");
        Some(after)
    }

    /// Takes what stands between two white spaces.
    fn token(&mut self, token: &str) {
        if self.common_word(token) {
            return;
        }
        let may_be_inside = |c: char| {
            c.is_alphanumeric()
                || matches!(c, '/' | '~' | '@' | '#' | '$' | '%' | '&' | '+' | '-' | '=' | '_' | '.' | '\\' | '\'' | '’')
        };
        let trimmed = token.trim_matches(|c: char| !may_be_inside(c));
        let core = trimmed.trim_end_matches(['.', '\'', '’']);
        if let Some(name) = exact(core) {
            let (before, after) = token.split_once(core).unwrap_or(("", ""));
            self.marks(before);
            self.word(name);
            return self.marks(after);
        }
        if core == "NOT" {
            return self.word("NOT");
        }
        self.marks(token);
    }

    /// Takes what nearly all is that people write: small letters behind one that may be a capital, and a mark that ends a clause.
    /// False for anything else.
    fn common_word(&mut self, token: &str) -> bool {
        let bytes = token.as_bytes();
        let (word, mark) = match bytes {
            [word @ .., mark @ (b'.' | b',' | b';' | b':' | b'!' | b'?')] => (word, Some(*mark)),
            word => (word, None),
        };
        let is_common =
            matches!(word, [first, rest @ ..] if first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase));
        if is_common {
            self.scripts.latin += word.len() as u32;
            self.space();
            self.text.extend(word.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
            if let Some(mark) = mark {
                self.text.extend([' ', char::from(mark)]);
            }
        }
        is_common
    }

    /// Takes words and marks, each by itself.
    fn marks(&mut self, token: &str) {
        let mut last = '\0';
        let mut chars = token.chars().peekable();
        let mut fresh = true;
        while let Some(c) = chars.next() {
            let c = match c {
                '’' | '‘' | '´' => '\'',
                '。' | '…' | '．' => '.',
                '，' | '、' => ',',
                '！' => '!',
                '？' => '?',
                '：' => ':',
                '；' => ';',
                '—' | '–' | '－' => '—',
                '¿' | '¡' | '*' | '#' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '|' | '（' | '）' | '`' | '\u{200d}'
                | '\u{fe0f}' => continue,
                c if sits_on_a_letter(c) => continue,
                c => c,
            };
            let letters_behind = chars.peek().is_some_and(|next| next.is_alphanumeric());
            let inside = !fresh && letters_behind;
            let is_mark = match c {
                '—' => true,
                '.' => !(inside && last.is_ascii_digit()),
                '\'' | '-' | '_' | '/' | '&' | '+' | '=' => !inside && (fresh || c != '/'),
                c if c.is_alphanumeric() => false,
                c => MARKS.contains(c) || !c.is_ascii(),
            };
            if is_mark {
                if c == '\'' || c == '_' {
                    fresh = true;
                } else if c != last {
                    self.space();
                    self.text.push(if c == '—' { '-' } else { c });
                    fresh = true;
                }
            } else {
                if fresh {
                    self.space();
                    fresh = false;
                }
                self.letter(c);
            }
            last = c;
        }
    }

    fn letter(&mut self, c: char) {
        if c.is_ascii() {
            self.scripts.latin += u32::from(c.is_ascii_alphabetic());
            self.text.push(c.to_ascii_lowercase());
            return;
        }
        match c {
            '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' => self.scripts.han += 1,
            '\u{3040}'..='\u{30ff}' => self.scripts.kana += 1,
            '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}' => self.scripts.hangul += 1,
            '\u{400}'..='\u{52f}' => self.scripts.cyrillic += 1,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
                self.scripts.latin += 1;
                for (count, letters) in self.accents.iter_mut().zip(ACCENTS) {
                    *count = count.saturating_add(u16::from(letters.contains(c)));
                }
            }
            c if c.is_alphabetic() => self.scripts.other += 1,
            _ => {}
        }
        for c in c.to_lowercase() {
            match unaccented(c) {
                Some(plain) => self.text.push_str(plain),
                None => self.text.push(c),
            }
        }
    }

    fn word(&mut self, word: &str) {
        self.space();
        self.text.push_str(word);
    }

    fn space(&mut self) {
        if !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }
}

/// A mark above, below or between letters that is none itself: accents, Hebrew points, Arabic vowels, Thai tones, a joiner.
fn sits_on_a_letter(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}' | '\u{93c}' | '\u{94d}' | '\u{e47}'..='\u{e4e}' | '\u{200c}')
}

/// What an exact value is called, if a token is one.
fn exact(token: &str) -> Option<&'static str> {
    let mut bytes = token.bytes();
    let first = bytes.next()?;
    if !token.bytes().any(|b| matches!(b, b'/' | b'.' | b'_' | b':' | b'(' | b'\\' | b'=' | b'@') || b.is_ascii_uppercase())
        && !token.starts_with("--")
    {
        return None;
    }
    if token.contains("://") || token.starts_with("www.") {
        return Some("URL");
    }
    if token.bytes().filter(u8::is_ascii_digit).count() > 1
        && token.contains('.')
        && token.strip_prefix('v').unwrap_or(token).bytes().all(|b| b.is_ascii_digit() || b == b'.')
    {
        return Some("VERSION");
    }
    let slashes = token.bytes().filter(|b| *b == b'/').count();
    let dotted = token.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    let file = dotted.is_some_and(|(_, ending)| {
        let ending = ending.split([':', '#']).next().unwrap_or(ending);
        ending.len() <= 10
            && !ending.is_empty()
            && ending.is_ascii()
            && FILES.contains(&format!(" {} ", ending.to_ascii_lowercase()))
    });
    let rooted = token.starts_with("./") || token.starts_with("../") || token.starts_with("~/") || token.contains(":\\");
    if rooted
        || file
        || (slashes > 0 && token.len() > 1 && first == b'/')
        || (slashes > 1 && !token.contains("//"))
        || (first == b'@' && token.len() > 2)
    {
        return Some("PATH");
    }
    if slashes == 1 && (token.ends_with('/') && token.len() > 2) {
        return Some("PATH");
    }
    if token.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty()) && !token.contains("==") {
        return Some("VALUE");
    }
    (token.starts_with("--") && token.len() > 3 || looks_like_code(token)).then_some("CODE")
}

fn looks_like_code(token: &str) -> bool {
    let inner = |at: usize| at > 0 && at + 1 < token.len();
    let joined = token.match_indices('_').any(|(at, _)| inner(at))
        || token.match_indices("::").any(|(at, _)| inner(at))
        || token.contains("()")
        || token.match_indices('(').any(|(at, _)| inner(at) && token.ends_with(')'));
    // A dot between letters and nothing that ends a sentence: `app.state.user`.
    let dots = token.matches('.').count() > 1 && !token.contains("..") && !token.ends_with('.');
    let camel = token.as_bytes().windows(2).any(|w| matches!(w, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    joined || dots || camel
}

/// A Latin letter without its accent.
fn unaccented(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' => "d",
        'ğ' => "g",
        'ł' => "l",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'ź' | 'ż' | 'ž' => "z",
        // The vowels of Vietnamese stand in a row.
        '\u{1ea0}'..='\u{1eb7}' => "a",
        '\u{1eb8}'..='\u{1ec7}' => "e",
        '\u{1ec8}'..='\u{1ecb}' => "i",
        'ơ' | '\u{1ecc}'..='\u{1ee3}' => "o",
        'ư' | '\u{1ee4}'..='\u{1ef1}' => "u",
        '\u{1ef2}'..='\u{1ef9}' => "y",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' | 'ė' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ß' => "ss",
        'œ' => "oe",
        'æ' => "ae",
        'ё' => "е",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_common_word_is_what_any_other_would_be(token in "[A-Za-e]{0,2}[a-e]{0,4}[.,;:!?]{0,2}") {
            let (mut common, mut any) = (Plain::default(), Plain::default());
            if common.common_word(&token) {
                any.marks(&token);
                prop_assert_eq!(exact(token.trim_end_matches('.')), None);
                prop_assert_eq!((common.text, common.scripts), (any.text, any.scripts), "{}", token);
            }
        }
    }
}
