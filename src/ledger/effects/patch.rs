//! Patches in the form of Codex's `apply_patch`: the files that they touch are the targets.

use super::combine::Part;

/// The part of applying `text`, from what its row says of any patch. A patch of one file is applied whole or not at all.
pub(super) fn part(text: &str, row: Part) -> Part {
    let files = files(text);
    let target = Some(files.join(" ")).filter(|files| !files.is_empty());
    Part {
        atomic: files.len() == 1,
        one: files.len() == 1,
        intent: format!("apply_patch {}", target.as_deref().unwrap_or_default()).trim_end().to_owned(),
        target: target.or(row.target.clone()),
        ..row
    }
}

/// The files that a patch names, each once, in order.
fn files(text: &str) -> Vec<&str> {
    const MARKS: &[&str] = &["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let mut files = Vec::new();
    for line in text.lines() {
        let file = MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim);
        files.extend(file.filter(|file| !file.is_empty() && !files.contains(file)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_its_files() {
        let text = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+*** Add File: no.rs\n*** Add File: b.rs \n*** Update File: src/a.rs\n*** End Patch";
        assert_eq!(files(text), ["src/a.rs", "b.rs"]);
        assert!(files("no patch at all").is_empty());
    }
}
