//! Tools that a model writes as XML in its text.

use serde_json::{Map, Value};

/// The tools that are written so.
const TOOLS: &[&str] = &[
    "access_mcp_resource",
    "apply_diff",
    "ask_followup_question",
    "attempt_completion",
    "browser_action",
    "codebase_search",
    "condense",
    "edit_file",
    "execute_command",
    "fetch_instructions",
    "generate_image",
    "insert_content",
    "list_code_definition_names",
    "list_files",
    "load_mcp_documentation",
    "new_rule",
    "new_task",
    "plan_mode_respond",
    "read_file",
    "replace_in_file",
    "report_bug",
    "run_slash_command",
    "search_and_replace",
    "search_files",
    "switch_mode",
    "update_todo_list",
    "use_mcp_tool",
    "web_fetch",
    "write_to_file",
];

/// A tool in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tool<'t> {
    pub(super) name: &'t str,
    /// What stands between its tags.
    inner: &'t str,
    /// What is said before it, and behind it.
    pub(super) before: &'t str,
    pub(super) after: &'t str,
}

/// The first tool that begins a line. One that was cut off goes to the end.
pub(super) fn tool(text: &str) -> Option<Tool<'_>> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('<').map(|at| from + at) {
        from = at + 1;
        let before = text.get(..at)?;
        let begins_line = before.trim_end_matches([' ', '\t']).ends_with('\n') || before.trim().is_empty();
        let Some((name, rest)) = text.get(from..).and_then(|rest| rest.split_once('>')) else { continue };
        if begins_line && let Some(known) = TOOLS.iter().find(|known| **known == name) {
            // The last closing tag: what is written may hold one itself.
            let close = format!("</{known}>");
            let (inner, after) = rest.rsplit_once(close.as_str()).unwrap_or((rest, ""));
            return Some(Tool { name, inner, before, after });
        }
    }
    None
}

impl Tool<'_> {
    /// Its parameters as a JSON object. One that holds tags of its own is their text.
    pub(super) fn input(&self) -> String {
        let mut fields = Map::new();
        let mut rest = self.inner;
        while let Some((_, tail)) = rest.split_once('<') {
            let Some((name, tail)) = tail.split_once('>') else { break };
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                rest = tail;
                continue;
            }
            let close = format!("</{name}>");
            // A file's content may hold the tag: then the last one counts, and nothing else follows it.
            let cut = if name == "content" || name == "diff" {
                tail.rsplit_once(close.as_str())
            } else {
                tail.split_once(close.as_str())
            };
            let (value, after) = cut.unwrap_or((tail, ""));
            let value = value.strip_prefix('\n').unwrap_or(value);
            let value = value.strip_suffix('\n').unwrap_or(value);
            fields.insert(name.to_owned(), Value::from(value));
            if name == "args"
                && let paths = paths(value)
                && !paths.is_empty()
            {
                fields.insert("path".to_owned(), Value::from(paths.join(" ")));
            }
            rest = after;
        }
        Value::Object(fields).to_string()
    }
}

/// The paths of the files that arguments list: `<file><path>a.rs</path></file>`.
fn paths(args: &str) -> Vec<&str> {
    let inner = args.split("<path>").skip(1).filter_map(|rest| rest.split_once("</path>"));
    inner.map(|(path, _)| path.trim()).filter(|path| !path.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_found_where_a_line_begins() {
        for (text, found) in [
            ("I use <read_file> for that", None),
            ("<thinking>x</thinking>\n\n<read_file>\n<path>a</path>\n</read_file>", Some(("read_file", r#"{"path":"a"}"#))),
            (
                "<write_to_file>\n<path>a.xml</path>\n<content>\n<content>x</content>\n</content>\n<line_count>1</line_count>\n</write_to_file>",
                Some(("write_to_file", r#"{"content":"<content>x</content>","line_count":"1","path":"a.xml"}"#)),
            ),
            ("<execute_command>\n<command>make", Some(("execute_command", r#"{"command":"make"}"#))),
            (
                "<read_file>\n<args>\n <file>\n <path>a.rs</path>\n </file>\n<file><path>b.rs</path></file>\n</args>\n</read_file>",
                Some((
                    "read_file",
                    r#"{"args":" <file>\n <path>a.rs</path>\n </file>\n<file><path>b.rs</path></file>","path":"a.rs b.rs"}"#,
                )),
            ),
            ("<unknown_tool>\n</unknown_tool>", None),
        ] {
            let tool = tool(text);
            assert_eq!(tool.map(|tool| (tool.name, tool.input())), found.map(|(name, input)| (name, input.to_owned())), "{text}");
        }
    }
}
