//! Explicit tags in human text: `<commitment key="..." kind="...">words</commitment>`. Inside a
//! fenced block, or quoted as code in a line, they are text.

use std::ops::Range;

use crate::ledger::entry::{EntryKind, Scope};

/// An explicit tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    /// All of it.
    pub(super) range: Range<usize>,
    /// What it is around.
    pub(super) inner: Range<usize>,
    /// Its key; none where it names none.
    pub(super) key: Option<&'t str>,
    /// Its kind; none where it names none, or no kind of commitment.
    pub(super) kind: Option<EntryKind>,
    /// How long it holds: until it is lifted, unless it says otherwise.
    pub(super) scope: Scope,
}

const OPEN: &str = "<commitment";
const CLOSE: &str = "</commitment>";

/// The tags of a text, by place.
pub(super) fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut found = Vec::new();
    let Some(last) = text.rfind(CLOSE) else { return found };
    let mut from = 0;
    while let Some(start) = text.get(from..last).and_then(|rest| rest.find(OPEN)).map(|at| from + at) {
        from = start + OPEN.len();
        if text.get(..start).is_some_and(|before| before.ends_with('`')) {
            continue;
        }
        let Some(head) = text.get(from..last) else { break };
        let Some(end) = head.find(['>', '<']).filter(|end| head.get(*end..).is_some_and(|rest| rest.starts_with('>'))) else {
            continue;
        };
        let (attributes, inner) = (head.get(..end).unwrap_or(""), from + end + 1);
        if !attributes.is_empty() && !attributes.starts_with(char::is_whitespace) {
            continue;
        }
        let Some(close) = text.get(inner..).and_then(|rest| rest.find(CLOSE)).map(|at| inner + at) else { break };
        from = close + CLOSE.len();
        found.push(Tag {
            range: start..from,
            inner: inner..close,
            key: attribute(attributes, "key").filter(|key| !key.trim().is_empty()),
            kind: attribute(attributes, "kind").and_then(kind),
            scope: if attribute(attributes, "scope") == Some(Scope::OneShot.word()) { Scope::OneShot } else { Scope::Standing },
        });
    }
    found
}

/// The value of `name="value"`.
fn attribute<'t>(attributes: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = attributes;
    loop {
        let (left, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, further) = after.get(1..)?.split_once(quote)?;
        if left.trim() == name {
            return Some(value);
        }
        rest = further;
    }
}

fn kind(word: &str) -> Option<EntryKind> {
    use EntryKind::{Decision, Ordering, Prohibition, Requirement, Task, Unclassified, Value};
    [Prohibition, Requirement, Ordering, Decision, Value, Task, Unclassified].into_iter().find(|kind| kind.word() == word.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_they_are_written() {
        let text = "<commitment key=\"no-drop\" kind=\"prohibition\">Never drop <b>columns</b>.</commitment> and <commitment>x</commitment>";
        let found = tags(text);
        assert_eq!(found.len(), 2);
        assert_eq!(&text[found[0].inner.clone()], "Never drop <b>columns</b>.");
        assert_eq!((found[0].key, found[0].kind, found[0].scope), (Some("no-drop"), Some(EntryKind::Prohibition), Scope::Standing));
        assert_eq!((&text[found[1].range.clone()], found[1].key), ("<commitment>x</commitment>", None));
        let once = tags("<commitment kind='call' scope='one-shot' key='a=b'>x</commitment>");
        assert_eq!((once[0].key, once[0].kind, once[0].scope), (Some("a=b"), None, Scope::OneShot));
    }

    #[test]
    fn what_is_no_tag_is_text() {
        for text in [
            "<commitment>",
            "<commitments>x</commitment>",
            "<commitment <b>x</commitment>",
            "</commitment><commitment>",
            "<commit>x</commit>",
            "write `<commitment key=\"k\">x</commitment>` around it",
        ] {
            assert_eq!(tags(text), [], "{text}");
        }
        assert_eq!(tags(&"<commitment>".repeat(100_000)), []);
    }
}
