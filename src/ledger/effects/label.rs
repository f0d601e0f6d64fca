//! The line that a person reads: the path edited, the command, the query.

use super::input::Fields;
use crate::base::text::{clean, prefix};
use crate::ledger::label::LABEL_BYTES;

/// One clean line of `text`.
pub(super) fn line(text: &str) -> String {
    // What a cut leaves out, cleaning need not see; a line that is cut says so.
    let (cut, room) = (text.len() > LABEL_BYTES, LABEL_BYTES - '…'.len_utf8());
    let cleaned = clean(prefix(text, LABEL_BYTES));
    if !cut && cleaned.len() <= LABEL_BYTES {
        return cleaned.into_owned();
    }
    format!("{}…", prefix(&cleaned, room))
}

/// The line of a command: its first one that says something, without the `cd` before it.
pub(super) fn of_command(command: &str) -> String {
    let says = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = command.lines().map(str::trim).find(says).unwrap_or_default();
    let behind_cd = first.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")).map(|(_, rest)| rest.trim());
    line(behind_cd.filter(|rest| !rest.is_empty()).unwrap_or(first))
}

/// The line of a tool: the fields that its row shows, the first line of each; an array is counted.
pub(super) fn of_tool(show: &[Box<str>], fields: &Fields<'_>) -> Option<String> {
    let one = |path: &str| match fields.text(path) {
        Some(text) => text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned),
        None => fields.count(path).map(|n| if n == 1 { "1 item".to_owned() } else { format!("{n} items") }),
    };
    let shown: Vec<String> = show.iter().filter_map(|path| one(path)).collect();
    (!shown.is_empty()).then(|| line(&shown.join("  ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_command_is_shown_by_its_first_line() {
        for (command, shown) in [
            ("git push", "git push"),
            ("\n# push it\n  git push origin main\ngit status", "git push origin main"),
            ("cd /work/app && git push", "git push"),
            ("cd /work/app", "cd /work/app"),
            ("cd /work/app &&", "cd /work/app &&"),
            ("", ""),
        ] {
            assert_eq!(of_command(command), shown);
        }
    }

    proptest! {
        #[test]
        fn a_label_is_short_and_safe(text in "\\PC{0,200}|[\\x00-\\x7f]{0,400}|(日本){0,90}") {
            for label in [line(&text), of_command(&text)] {
                prop_assert!(label.len() <= LABEL_BYTES, "{} bytes", label.len());
                prop_assert!(!label.chars().any(char::is_control));
            }
        }
    }
}
