//! Scripts of plain words, read without the grammar: what three of four commands of an agent are (`cargo test 2>&1 | tail -40`).
//!
//! Words are letters, digits and marks that mean nothing to a shell, or quoted text without expansions; between commands stand `&&`,
//! `||`, `|` and `;`; output may go to a file. Whatever holds anything else is for the grammar. **Law:** what is read here is read as
//! the grammar would read it.

use std::borrow::Cow;

/// Of a longer script the grammar may see less than all.
const COMMANDS: usize = 32;

/// Words with which something else begins than a simple command.
const NO_PROGRAMS: &[&str] = &[
    "case", "coproc", "declare", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in", "local",
    "readonly", "select", "then", "time", "typeset", "unset", "unsetenv", "until", "while",
];

/// A word, a part of one, or what stands between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) role: Role,
    /// As it stands, with its quotes.
    pub(super) text: &'t str,
    /// Where it stands in the script.
    pub(super) start: usize,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A word, or its first part.
    Word,
    /// More of a word: it stands right behind the part before it.
    More,
    /// The number of the descriptor that is redirected.
    Descriptor,
    /// `>`, `>>` or `>&`.
    Redirect,
    /// Where the output goes.
    Path,
    /// `|`.
    Pipe,
    /// `&&`, `||` or `;`: the next statement begins.
    Next,
}

impl<'t> Token<'t> {
    /// The first byte behind it.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a word, or the last part of one.
    fn is_word(&self) -> bool {
        matches!(self.role, Role::Word | Role::Path | Role::More)
    }

    /// Without its quotes.
    pub(super) fn value(&self) -> &'t str {
        let quoted = |mark: char| self.text.strip_prefix(mark)?.strip_suffix(mark);
        quoted('\'').or_else(|| quoted('"')).unwrap_or(self.text)
    }
}

/// The tokens of a script of plain words; none where it is anything else.
pub(super) fn tokens(script: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(16);
    let mut commands = 1;
    let mut at = 0;
    while let Some(byte) = script.as_bytes().get(at) {
        if matches!(byte, b' ' | b'\t') {
            at += 1;
            continue;
        }
        let rest = script.get(at..)?;
        let (role, length) = next(rest, &tokens, at)?;
        commands += usize::from(matches!(role, Role::Pipe | Role::Next));
        tokens.push(Token { role, text: rest.get(..length)?, start: at });
        at += length;
    }
    let ends = tokens.last().is_some_and(|last| last.is_word() || last.text == ";");
    (ends && commands <= COMMANDS && tokens.split_inclusive(|token| token.role == Role::Next).all(is_clear)).then_some(tokens)
}

/// Whether nothing around a statement can change how it is read. In pipelines the grammar has its own mind about what `&&` joins, and
/// whether a `cd` counts.
fn is_clear(statement: &[Token<'_>]) -> bool {
    let pipes = statement.iter().filter(|token| token.role == Role::Pipe).count();
    let joined = statement.last().is_some_and(|last| last.role == Role::Next && last.text != ";");
    let goes = statement.iter().any(|token| matches!(token.value(), "cd" | "pushd"));
    pipes == 0 || !goes && (pipes == 1 || !joined)
}

/// The role and the length of the token that `rest` begins with, where such a token may stand behind those `before` it.
fn next(rest: &str, before: &[Token<'_>], at: usize) -> Option<(Role, usize)> {
    let last = before.last();
    let touches = last.is_some_and(|last| last.end() == at);
    if rest.starts_with(['&', '|', ';', '>']) {
        let (role, length) = operator(rest.as_bytes())?;
        // `a1>b`: not everybody reads that in the same way.
        let doubtful = |last: &Token<'_>| role == Role::Redirect && touches && last.text.ends_with(|c: char| c.is_ascii_digit());
        let may_stand = last.is_some_and(|last| last.role == Role::Descriptor || last.is_word() && !doubtful(last));
        return may_stand.then_some((role, length));
    }
    let length = word(rest)?;
    let role = match last {
        Some(last) if last.is_word() && touches => Role::More,
        Some(last) if last.role == Role::Redirect => Role::Path,
        Some(last) if last.is_word() => {
            // What the grammar takes a word behind a redirection for depends on what follows.
            let is_argument = before.iter().rev().find(|token| token.role != Role::More)?.role == Role::Word;
            if is_descriptor(rest, length) { Role::Descriptor } else { is_argument.then_some(Role::Word)? }
        }
        _ => is_program(rest.get(..length)?).then_some(Role::Word)?,
    };
    Some((role, length))
}

fn operator(bytes: &[u8]) -> Option<(Role, usize)> {
    match bytes {
        [b'&', b'&', ..] | [b'|', b'|', ..] => Some((Role::Next, 2)),
        [b'|', b'&', ..] | [b';', b';' | b'&', ..] | [b'>', b'|' | b'(', ..] => None,
        [b';', ..] => Some((Role::Next, 1)),
        [b'|', ..] => Some((Role::Pipe, 1)),
        [b'>', b'&', digit, behind @ ..] => {
            let is_one_digit = digit.is_ascii_digit() && behind.first().is_none_or(|byte| b" \t|;&".contains(byte));
            is_one_digit.then_some((Role::Redirect, 2))
        }
        [b'>', b'>', ..] => Some((Role::Redirect, 2)),
        [b'>', ..] => Some((Role::Redirect, 1)),
        _ => None,
    }
}

/// The length of the word, or of the part of one, that a text begins with.
fn word(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'\'' => Some(memchr::memchr(b'\'', bytes.get(1..)?)? + 2),
        b'"' => {
            let inner = bytes.get(1..)?;
            let length = inner.iter().position(|byte| matches!(byte, b'"' | b'$' | b'`' | b'\\'))?;
            (inner.get(length) == Some(&b'"')).then_some(length + 2)
        }
        // An operator of tests.
        b'=' => None,
        _ => {
            let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./:=,@+~".contains(byte);
            let length = bytes.iter().take_while(|byte| is_plain(byte)).count();
            (length > usize::from(*bytes.first()? == b'-')).then_some(length)
        }
    }
}

/// Whether a command may begin with this word: no assignment, nothing with a meaning of its own.
fn is_program(word: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./~".contains(&byte);
    !word.starts_with(|c: char| c.is_ascii_digit() || c == '-') && word.bytes().all(is_plain) && !NO_PROGRAMS.contains(&word)
}

fn is_descriptor(rest: &str, length: usize) -> bool {
    rest.as_bytes().get(length) == Some(&b'>') && rest.get(..length).is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
}

/// The word that these tokens are the parts of.
pub(super) fn value<'t>(parts: &[Token<'t>]) -> Cow<'t, str> {
    match parts {
        [word] => Cow::Borrowed(word.value()),
        parts => Cow::Owned(parts.iter().map(Token::value).collect()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tree_sitter::Parser;

    use super::super::grammar::{Script, read};
    use super::super::parse::{parse, parse_by_grammar};
    use super::super::tokens;

    /// What a script comes to: its commands with their statements counted from 0, and its tokens.
    fn told(mut script: Script<'_>, tokens: &[&str]) -> String {
        let mut statements: Vec<usize> = script.commands.iter().map(|command| command.statement).collect();
        statements.dedup();
        for command in &mut script.commands {
            command.statement = statements.iter().position(|own| *own == command.statement).unwrap_or_default();
        }
        format!("{script:#?}\n{tokens:?}")
    }

    /// What a script comes to without the grammar, and with it; none where it is no script of plain words.
    fn both(text: &str) -> Option<(String, String)> {
        super::tokens(text)?;
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
        let mut parsers = [parse, parse_by_grammar].into_iter().map(|parse| {
            let parsed = parse(&mut parser, text);
            let script = read(&parsed);
            let from = script.first_cd.as_ref().map_or(0, |(_, bytes)| bytes.end);
            told(script, &tokens(&parsed, text, from))
        });
        parsers.next().zip(parsers.next())
    }

    #[test]
    fn what_agents_write_is_read_as_by_the_grammar() {
        for text in [
            "git status",
            "cargo test -p warehouse-order merge 2>&1 | tail -40",
            "cd /work/app && npm run build --workspace apps/web; echo done",
            "cd '/work/my app' && git commit -m \"shelf: load once\nand again\" --author='A B <a@b.c>' && git push",
            "pytest -q -k 'a and b' tests/test_x.py::Case > out.txt 2>> err.txt || true",
            "grep -rn --include=\"*.rs\" 'fn main' src | head -5 | sort -u > /tmp/a",
            "echo 'select 1;' | psql \"postgres://localhost/db\"",
            "ls -la a b && wc -l ~/x/a.rs; ",
            "make CFLAGS=-O2 -j8 all 2>/dev/null",
            "docker run --rm -e A=1 -v /a:/b:ro image:1.2 sh -c 'ls -la | wc -l'",
            "cd a && cd b && ls",
            "a && b | c && d | e; f | g | h",
            "git tag v1.2.3+build~1 a@b , x==y",
        ] {
            let (plain, grammar) = both(text).unwrap();
            assert_eq!(plain, grammar, "{text}");
        }
    }

    #[test]
    fn what_means_anything_else_is_for_the_grammar() {
        let quoted = [
            "echo $A",
            "echo \"$A\"",
            "echo \"`a`\"",
            "echo *",
            "echo a\\ b",
            "echo 'a",
            "echo \"a",
            "'a' b",
            "a # b",
            "a % b",
            "é",
        ];
        let joined = ["ls &", "a;;b", "a |& b", "a\nb", "a &&", "&& a", "a && && b", "a | ", "(a)", "{ a; }", "! a", "if a"];
        let sent = ["a &> b", "a >| b", "a < b", "> b", "a >", "a 2>&1x", "a1>b", "a > b c"];
        let others = ["", "A=1 b", "export A=1", "[ -f a ]", "ls - ", "a == b", "cd a | b", "a | b | c && d"];
        for text in quoted.iter().chain(&joined).chain(&sent).chain(&others) {
            assert_eq!(super::tokens(text), None, "{text}");
        }
        assert_eq!(super::tokens(&"a;".repeat(40)), None);
    }

    /// A word of one or two parts, mostly of what agents write, sometimes of whatever marks there are.
    fn word() -> impl Strategy<Value = String> {
        let known =
            ["src/a.rs", "-n", "--depth=3", "user@host:~/x", "A=1", "40", "-40", "+x", "in", "if", "time", "2", "''", "\"\"", "."];
        let part = prop_oneof![
            4 => prop::sample::select(known.to_vec()).prop_map(String::from),
            2 => "[a-c12=_./:,@+~-]{1,4}",
            1 => "'[ a-c\"&|;>$#*!\\\\\n]{0,4}'",
            1 => "\"[ a-c'&|;>#*!\n]{0,4}\"",
        ];
        prop::collection::vec(part, 1..=2).prop_map(|parts| parts.concat())
    }

    fn command() -> impl Strategy<Value = String> {
        let programs = ["git", "cd", "pushd", "echo", "cat", "test", "./x.sh", "/usr/bin/env", "bash", "a2", "_"];
        let redirects = ["", "", "", " 2>&1", " >&2", ">/dev/null", " > out 2>> err", " 2>/dev/null", " 1> 'a b'"];
        let words = prop::collection::vec((prop::sample::select(vec![" ", " ", "  ", "\t"]), word()), 0..4);
        let words = words.prop_map(|words| words.into_iter().flat_map(|(gap, word)| [gap.to_owned(), word]).collect::<String>());
        (prop::sample::select(programs.to_vec()), words, prop::sample::select(redirects.to_vec()))
            .prop_map(|(program, words, redirect)| format!("{program}{words}{redirect}"))
    }

    fn script() -> impl Strategy<Value = String> {
        let joint = prop::sample::select(vec![" && ", " | ", "; ", " || ", "&&", "|", ";", " ;", ">", " & ", "\n"]);
        (prop::collection::vec((command(), joint), 0..5), command(), prop::sample::select(vec!["", "", ";", " ; "])).prop_map(
            |(before, last, end)| before.into_iter().map(|(command, joint)| command + joint).collect::<String>() + &last + end,
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn plain_words_are_read_as_by_the_grammar(text in script()) {
            if let Some((plain, grammar)) = both(&text) {
                prop_assert_eq!(plain, grammar, "{}", text);
            }
        }
    }
}
