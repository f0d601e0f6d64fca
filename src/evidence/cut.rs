//! A text cut into what can be true or false by itself: sentences under their headings, and the clauses of a sentence.

use std::ops::Range;

/// A sentence, a list item or a line of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// The bytes of the heading that it stands under, and of the one above that, where it is the head of a nested list.
    pub(super) heading: Option<Range<usize>>,
    pub(super) above: Option<Range<usize>>,
    /// Where it begins with the label before it, which in a row of a table may be a heading or its own first words.
    pub(super) lead: usize,
    /// Whether it is a heading itself.
    pub(super) is_heading: bool,
    /// Whether it stands in a fence.
    pub(super) is_code: bool,
    /// Whether it stands behind the one before in a numbered list.
    pub(super) is_numbered: bool,
}

/// Cuts a text.
pub(super) fn cut(text: &str) -> Vec<Cut> {
    let mut out = Vec::new();
    let (mut heading, mut fenced, mut from) = (None, false, 0);
    let mut nested: Option<Nested> = None;
    for line in text.split_inclusive('\n') {
        let start = from;
        from += line.len();
        let inner = line.trim();
        if inner.is_empty() {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        let at = start + depth;
        let range = at..at + inner.len();
        if inner.starts_with("```") || inner.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        let plain = |range: &Range<usize>, heading: &Option<Range<usize>>| Cut {
            range: range.clone(),
            heading: heading.clone(),
            above: None,
            lead: range.start,
            is_heading: false,
            is_code: false,
            is_numbered: false,
        };
        if nested.as_ref().is_some_and(|nested| depth <= nested.depth) {
            nested = None;
        }
        if fenced {
            out.push(Cut { is_code: true, ..plain(&range, &heading) });
        } else if is_heading(inner) {
            out.push(Cut { is_heading: true, ..plain(&range, &None) });
            heading = Some(range);
        } else if let Some(head) = head_of_list(text, at, inner, from) {
            out.push(Cut { is_heading: true, ..plain(&head, &None) });
            nested = Some(Nested { depth, head });
        } else if let Some((label, rest)) = row(inner) {
            let (label, rest) = (at + label.start..at + label.end, at + rest.start..at + rest.end);
            let told = sentences(text, rest).into_iter().enumerate();
            out.extend(told.map(|(n, range)| Cut {
                above: heading.clone(),
                lead: if n == 0 { label.start } else { range.start },
                ..plain(&range, &Some(label.clone()))
            }));
        } else {
            let is_numbered = number(inner).is_some();
            let words = at + marks(inner);
            let (own, above) = match &nested {
                Some(nested) => (Some(nested.head.clone()), heading.clone()),
                None => (heading.clone(), None),
            };
            let told = sentences(text, words..range.end).into_iter().enumerate();
            out.extend(told.map(|(n, range)| Cut {
                above: above.clone(),
                is_numbered: is_numbered && n == 0,
                ..plain(&range, &own)
            }));
        }
    }
    out
}

/// A list within a list: how far its head is indented, and the head's bytes.
struct Nested {
    depth: usize,
    head: Range<usize>,
}

/// The bytes of a list item that only leads in the items below it, which are indented further: `- Not finished:`.
fn head_of_list(text: &str, at: usize, item: &str, next: usize) -> Option<Range<usize>> {
    const WORDS: usize = 7;
    let mark = mark(item);
    let head = item.get(mark..).filter(|head| mark > 0 && head.trim_end_matches('*').ends_with(':'))?;
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = text.get(..at)?.rsplit('\n').next().map_or(0, str::len);
    let below = text.get(next..)?.lines().next().filter(|line| !line.trim().is_empty())?;
    let leads = depth(below) > own && head.split_whitespace().count() <= WORDS;
    leads.then(|| at + mark..at + item.len())
}

/// The first cell of a row of a table, where it is the label of what stands in the others, and those: `| Pending | push the branch |`.
fn row(line: &str) -> Option<(Range<usize>, Range<usize>)> {
    const WORDS: usize = 3;
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let (label, rest) = inner.split_once('|')?;
    let count = |cell: &str| cell.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    let is_label = (1..=WORDS).contains(&count(label)) && count(rest) > 2 * WORDS.min(count(label) + 1);
    let trim = |cell: &str, from: usize| {
        let start = from + (cell.len() - cell.trim_start().len());
        start..start + cell.trim().len()
    };
    is_label.then(|| (trim(label, 1), trim(rest, label.len() + 2)))
}

/// `## Title`, `**Title**`, `3. Pending Tasks:`, `Title:` on a line of its own.
fn is_heading(line: &str) -> bool {
    const WORDS: usize = 7;
    if line.starts_with('#') {
        return true;
    }
    let bare = line.trim_end_matches([':', '*', ' ']);
    let is_short = bare.split_whitespace().count() <= WORDS && !bare.contains(['.', ';', '?', '!']) || number(line).is_some();
    let is_bold = line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    let ends = line.trim_end_matches('*').ends_with(':');
    let inner = bare.get(number(line).unwrap_or(0)..).unwrap_or_default();
    let is_item = line.starts_with(['-', '+', '•']) || (line.starts_with('*') && !is_bold);
    !is_item && (is_bold || ends) && is_short && inner.split_whitespace().count() <= WORDS && !inner.contains(['.', ';', '`', '"'])
}

/// The bytes of `12. ` or `3) ` at the beginning of a line.
fn number(line: &str) -> Option<usize> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..)?;
    ((1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "))).then_some(digits + 2)
}

/// The bytes of the marks at the beginning of an item: an item may quote another one, with its mark.
fn marks(line: &str) -> usize {
    let own = mark(line);
    let again = line.get(own..).filter(|_| own > 0).map_or(0, mark);
    own + again
}

/// The bytes of the mark of a list item.
fn mark(line: &str) -> usize {
    if let Some(bytes) = number(line) {
        return bytes;
    }
    ["- ", "* ", "+ ", "• ", "> ", "– "].iter().find(|mark| line.starts_with(**mark)).map_or(0, |mark| mark.len())
}

/// The sentences of a line: a full stop ends one where blank and something new come behind it.
fn sentences(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let Some(line) = text.get(range.clone()) else { return Vec::new() };
    let mut out = Vec::new();
    let mut from = 0;
    for (at, c) in line.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。' | '！' | '？')) {
        let end = at + c.len_utf8();
        let rest = line.get(end..).unwrap_or_default();
        let rest = rest.trim_start_matches(['"', '\'', ')', '\u{201D}', '*', '`']);
        let is_wide = !c.is_ascii();
        let is_end = rest.is_empty() || is_wide || (rest.starts_with(' ') && !rest.trim_start().is_empty());
        if is_end && !is_abbreviation(line.get(from..at).unwrap_or_default()) {
            let end = line.len() - rest.len();
            out.push(range.start + from..range.start + end);
            from = end;
        }
    }
    out.push(range.start + from..range.end);
    out.into_iter().filter_map(|range| trimmed(text, range)).collect()
}

/// Whether what stands before a full stop is cut short by it: "e.g", "Dr", a single number.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default().to_ascii_lowercase();
    let is_number = !word.is_empty() && word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let lead = before.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    // "In this order: 1. export, 2. import."
    let is_item = is_number && (lead.is_empty() || lead.ends_with([',', ';', ':', '(']) || lead.ends_with(" and"));
    const SHORT: &[&str] = &[
        "e.g", "i.e", "vs", "etc", "no", "approx", "cf", "incl", "dr", "mr", "mrs", "ms", "prof", "st", "nr", "fig", "z.b", "d.h",
        "u.a", "bzw", "ca", "p.ex",
    ];
    is_item || SHORT.contains(&word.as_str())
}

/// The clauses of a sentence, by its bytes.
pub(super) fn clauses(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    const PARTS: &[&str] = &[
        ";",
        " — ",
        " – ",
        " -- ",
        ", but ",
        " but ",
        ", however",
        ", although ",
        ", whereas ",
        ", while ",
        " (",
        ") ",
        "; ",
        ", so ",
        ", yet ",
        " though ",
        ": ",
    ];
    let Some(sentence) = text.get(range.clone()) else { return Vec::new() };
    let mut out = Vec::new();
    let mut from = 0;
    let mut at = 0;
    let (mut quoted, mut brackets) = (false, 0_usize);
    while let Some(c) = sentence.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = sentence.get(at..).unwrap_or_default();
        if c == '`' {
            quoted = !quoted;
        }
        brackets += usize::from(c == '(');
        // With one of these each of the parts begins.
        let may_part = !quoted && matches!(c, ' ' | ',' | ';' | ':' | ')');
        // Few parts go on as the text does.
        let goes_on = |part: &str| part.as_bytes().get(1).is_none_or(|own| rest.as_bytes().get(1) == Some(own));
        let begins = |part: &&&str| goes_on(part) && rest.starts_with(**part);
        let part = if may_part { PARTS.iter().find(begins) } else { None };
        // A label and what it says belong together: "Pending: push the branch".
        let is_label = |part: &&&str| **part == ": " && sentence.get(from..at).is_some_and(|label| label.split(' ').count() <= 4);
        // "1) export" opens no bracket.
        let is_number = |part: &&&str| **part == ") " && brackets == 0;
        match part.filter(|part| !is_label(part) && !is_number(part)) {
            Some(part) => {
                out.push(range.start + from..range.start + at);
                brackets += usize::from(part.ends_with('('));
                at += part.len();
                from = at;
            }
            None => at += c.len_utf8(),
        }
    }
    out.push(range.start + from..range.end);
    out.into_iter().filter_map(|range| trimmed(text, range)).collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inner = text.get(range.clone())?;
    let start = range.start + (inner.len() - inner.trim_start().len());
    let words = inner.trim();
    words.chars().any(char::is_alphanumeric).then(|| start..start + words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_stand_under_their_headings() {
        let text = "1. Primary Request and Intent:\n   - Fix `a.rs`. Do not push.\n\n## Pending Tasks\n1. Run the tests.\n2. Push v1.2 e.g. today\n```\nlet x = 1;\n```\n";
        let told: Vec<_> = cut(text)
            .into_iter()
            .map(|cut| (text[cut.range].to_owned(), cut.heading.map(|at| text[at].to_owned()), cut.is_code, cut.is_numbered))
            .collect();
        let (first, second) = (Some("1. Primary Request and Intent:".to_owned()), Some("## Pending Tasks".to_owned()));
        assert_eq!(
            told,
            [
                ("1. Primary Request and Intent:".to_owned(), None, false, false),
                ("Fix `a.rs`.".to_owned(), first.clone(), false, false),
                ("Do not push.".to_owned(), first, false, false),
                ("## Pending Tasks".to_owned(), None, false, false),
                ("Run the tests.".to_owned(), second.clone(), false, true),
                ("Push v1.2 e.g. today".to_owned(), second.clone(), false, true),
                ("let x = 1;".to_owned(), second, true, false),
            ]
        );
    }

    #[test]
    fn nested_lists_and_rows_of_tables_have_heads_of_their_own() {
        let text = "4. Next Steps:\n   - Rules to follow:\n     - Do not push.\n   - Run the tests.\n| Topic | What |\n|---|---|\n| Rule | Never push anything to the branch main. |\n| Push the tag | pending |\n";
        let told: Vec<_> = cut(text)
            .into_iter()
            .filter(|cut| !cut.is_heading)
            .map(|cut| (&text[cut.range], cut.heading.map(|at| &text[at]), cut.above.map(|at| &text[at])))
            .collect();
        let steps = Some("4. Next Steps:");
        assert_eq!(
            told,
            [
                ("Do not push.", Some("Rules to follow:"), steps),
                ("Run the tests.", steps, None),
                ("| Topic | What |", steps, None),
                ("Never push anything to the branch main.", Some("Rule"), steps),
                ("| Push the tag | pending |", steps, None),
            ]
        );
    }

    #[test]
    fn a_clause_is_what_can_be_true_by_itself() {
        let split =
            |text: &str| clauses(text, &(0..text.len())).into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>();
        assert_eq!(split("Write succeeded; notify not yet attempted"), ["Write succeeded", "notify not yet attempted"]);
        assert_eq!(split("Do not re-run it, but check `a; b` first"), ["Do not re-run it", "check `a; b` first"]);
        assert_eq!(cut("- - [x] In this order: 1. export, 2. import. Done.").len(), 2);
        assert_eq!(split("Pending: push the branch"), ["Pending: push the branch"]);
        assert_eq!(
            split("Next: 1) export, 2) import (both open) and mail it"),
            ["Next: 1) export, 2) import", "both open", "and mail it"]
        );
    }
}
