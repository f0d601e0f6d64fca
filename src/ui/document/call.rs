//! What a call was made with, by the shape of its input and not by its tool's name: tools are many, shapes are few.

use serde_json::{Map, Value};

use super::layout::Block;
use super::prose::{blocks as prose, json_block, plain_code};
use super::{diff, text};
use crate::transcript::Input;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

const PATHS: [&str; 5] = ["file_path", "filePath", "path", "notebook_path", "target_file"];
const REPLACED: [(&str, &str); 3] = [("old_string", "new_string"), ("oldString", "newString"), ("old_str", "new_str")];
const WRITTEN: [&str; 4] = ["content", "contents", "file_text", "new_source"];
const COMMANDS: [&str; 3] = ["command", "cmd", "script"];
const PATCHES: [&str; 3] = ["patch", "input", "diff"];
const PATCH_START: &str = "*** Begin Patch";

/// The blocks of a call's input, and the language of the file that it names.
pub(super) fn input(input: &Input<'_>) -> (Vec<Block>, Option<String>) {
    let source = input.as_str();
    let fields = match input {
        Input::Json(json) => serde_json::from_str::<Map<String, Value>>(json).ok(),
        Input::Text(_) => None,
    };
    match fields {
        Some(fields) => shaped(fields),
        None if source.contains(PATCH_START) => (script(source), None),
        None if diff::is_patch(source) => (vec![diff::patch(source)], None),
        None if matches!(input, Input::Json(_)) => (vec![json_block(source)], None),
        None => (vec![plain_code(text::lines(source).0, None)], None),
    }
}

/// The language of a file, by its name.
pub(super) fn language(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?;
    let extension = name.rsplit_once('.').map_or(name, |(_, extension)| extension);
    (!extension.is_empty()).then(|| extension.to_owned())
}

fn shaped(mut fields: Map<String, Value>) -> (Vec<Block>, Option<String>) {
    let mut blocks = Vec::new();
    let path = take_text(&mut fields, &PATHS);
    let language = path.as_deref().and_then(language);
    if let Some(path) = &path {
        blocks.push(Block::text(Role::Strong, text::lines(path).0.concat()));
    }
    if let Some((old, new)) = take_replaced(&mut fields) {
        blocks.extend([Block::Gap, diff::between(&old, &new, language.as_deref())]);
    }
    if let Some(Value::Array(edits)) = fields.remove("edits") {
        for edit in edits {
            let mut edit = if let Value::Object(edit) = edit { edit } else { Map::new() };
            if let Some((old, new)) = take_replaced(&mut edit) {
                blocks.extend([Block::Gap, diff::between(&old, &new, language.as_deref())]);
            }
        }
    }
    if path.is_some()
        && let Some(written) = take_text(&mut fields, &WRITTEN)
    {
        blocks.extend([Block::Gap, diff::between("", &written, language.as_deref())]);
    }
    if let Some(command) = take_command(&mut fields) {
        blocks.extend(script(&command));
    }
    let is_patch = |name: &&str| fields.get(*name).and_then(Value::as_str).is_some_and(diff::is_patch);
    if let Some(name) = PATCHES.iter().find(|name| is_patch(name))
        && let Some(patch) = take_text(&mut fields, &[name])
    {
        blocks.push(diff::patch(&patch));
    }
    if !fields.is_empty() {
        blocks.push(Block::Gap);
    }
    for (name, value) in fields {
        rest(&name, &value, &mut blocks);
    }
    (blocks, language)
}

/// A field that has no shape of its own.
fn rest(name: &str, value: &Value, blocks: &mut Vec<Block>) {
    let label = Piece::new(Role::Dim, format!("{}  ", text::lines(name).0.concat()));
    let short = match value {
        Value::String(long) if long.contains('\n') || long.len() > 200 => {
            blocks.extend([Block::Gap, Block::Text { line: vec![label], hang: 0 }]);
            return blocks.extend(prose(long, Role::Text));
        }
        Value::Object(_) | Value::Array(_) => {
            blocks.push(Block::Text { line: vec![label], hang: 0 });
            return blocks.push(json_block(&value.to_string()));
        }
        Value::String(short) => short.clone(),
        other => other.to_string(),
    };
    let hang = label.text.len();
    blocks.push(Block::Text { line: vec![label, Piece::new(Role::Text, text::lines(&short).0.concat())], hang });
}

/// A shell script; a patch inside it is shown as a patch.
fn script(source: &str) -> Vec<Block> {
    let (shell, patch) = source.find(PATCH_START).map_or((source, ""), |at| source.split_at(at));
    let mut blocks = Vec::new();
    if !shell.trim().is_empty() {
        blocks.push(plain_code(text::lines(shell).0, Some("sh")));
    }
    if !patch.is_empty() {
        blocks.push(diff::patch(patch));
    }
    blocks
}

fn take_text(fields: &mut Map<String, Value>, names: &[&str]) -> Option<String> {
    let name = names.iter().find(|name| fields.get(**name).is_some_and(Value::is_string))?;
    match fields.remove(*name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn take_replaced(fields: &mut Map<String, Value>) -> Option<(String, String)> {
    let (old, new) =
        REPLACED.iter().find(|(old, new)| [old, new].iter().all(|name| fields.get(**name).is_some_and(Value::is_string)))?;
    Some((take_text(fields, &[old])?, take_text(fields, &[new])?))
}

/// What a call was made with in a few words to be used again: its command, else the path that it names.
pub(super) fn essence(source: &str) -> Option<String> {
    let mut fields = serde_json::from_str::<Map<String, Value>>(source).ok()?;
    take_command(&mut fields).or_else(|| take_text(&mut fields, &PATHS))
}

/// A command as text. Of an argument list that only starts a shell, the script.
fn take_command(fields: &mut Map<String, Value>) -> Option<String> {
    if let Some(command) = take_text(fields, &COMMANDS) {
        return Some(command);
    }
    let name = COMMANDS.iter().find(|name| fields.get(**name).is_some_and(Value::is_array))?;
    let Some(Value::Array(arguments)) = fields.remove(*name) else { return None };
    let words: Vec<&str> = arguments.iter().filter_map(Value::as_str).collect();
    match words.as_slice() {
        [_, flag, script] if flag.starts_with('-') && flag.ends_with('c') => Some((*script).to_owned()),
        words => Some(words.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::document::lay_out;

    fn shown(source: &str) -> Vec<String> {
        let (blocks, _) = input(&Input::Json(source.into()));
        let document = lay_out(&blocks, 60, None);
        document.lines.iter().map(|line| line.iter().map(|piece| &*piece.text).collect()).collect()
    }

    #[test]
    fn an_input_is_shown_by_its_shape() {
        for (source, lines) in [
            (r#"{"command":"cargo test","timeout":120}"#, vec!["cargo test", "", "timeout  120"]),
            (r#"{"command":["bash","-lc","ls -a"],"workdir":"/w"}"#, vec!["ls -a", "", "workdir  /w"]),
            (r#"{"file_path":"a.rs","old_string":"x\ny","new_string":"x\nz"}"#, vec!["a.rs", "", "  x", "- y", "+ z"]),
            (r#"{"path":"a.txt","content":"one\ntwo\n"}"#, vec!["a.txt", "", "+ one", "+ two"]),
            (r#"{"path":"b","edits":[{"old_string":"p","new_string":"q"}]}"#, vec!["b", "", "- p", "+ q"]),
            (
                r#"{"input":"*** Begin Patch\n*** Add File: n\n+hi\n*** End Patch"}"#,
                vec!["*** Begin Patch", "*** Add File: n", "+ hi", "*** End Patch"],
            ),
            (
                r#"{"query":"select 1","options":{"a":[1]}}"#,
                vec!["options  ", "{", "  \"a\": [", "    1", "  ]", "}", "query  select 1"],
            ),
            ("[1]", vec!["[", "  1", "]"]),
            ("no json", vec!["nojson"]),
        ] {
            assert_eq!(shown(source), lines, "{source}");
        }
    }

    #[test]
    fn a_files_name_tells_its_language() {
        for (path, told) in [("src/a.rs", Some("rs")), ("Makefile", Some("Makefile")), ("C:\\x\\b.py", Some("py")), ("", None)] {
            assert_eq!(language(path).as_deref(), told, "{path}");
        }
    }
}
