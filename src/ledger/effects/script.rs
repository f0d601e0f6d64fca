//! JavaScript that calls tools (Codex's `exec`): each `tools.NAME(...)` is a call of that tool, as far as its arguments are literal.

/// One call in a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SubCall<'s> {
    /// The tool.
    pub(super) tool: &'s str,
    /// Its argument: an object as JSON, or a text.
    pub(super) argument: Argument,
}

/// What a tool is called with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// The literal fields of an object, as JSON; what is no literal is left out.
    Object(String),
    /// A text.
    Text(String),
    /// Something that only running the script would tell.
    Unknown,
}

/// Calls, and fields of a call, beyond these numbers are not looked at.
const CALLS: usize = 64;
const FIELDS: usize = 32;

/// The calls of tools in a script, in order.
pub(super) fn sub_calls(script: &str) -> Vec<SubCall<'_>> {
    let mut calls = Vec::new();
    for (at, _) in script.match_indices("tools.").take(CALLS) {
        let own = at == 0 || script.as_bytes().get(at - 1).is_some_and(|before| !before.is_ascii_alphanumeric() && *before != b'_');
        let rest = script.get(at + "tools.".len()..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (tool, rest) = rest.split_at(end);
        if let Some(argument) = rest.trim_start().strip_prefix('(').filter(|_| own && !tool.is_empty()) {
            calls.push(SubCall { tool, argument: parse(argument.trim_start(), script) });
        }
    }
    calls
}

fn parse(text: &str, script: &str) -> Argument {
    if let Some(fields) = text.strip_prefix('{') {
        return Argument::Object(object(fields, script));
    }
    match literal(text).or_else(|| variable(text, script)) {
        Some((value, _)) => Argument::Text(value),
        None => Argument::Unknown,
    }
}

/// The literal fields of an object, whose `{` has been read, as JSON.
fn object(text: &str, script: &str) -> String {
    let mut fields = serde_json::Map::new();
    let mut rest = text.trim_start();
    for _ in 0..FIELDS {
        let Some((name, behind)) = name(rest) else { break };
        let behind = behind.trim_start();
        let value = behind.strip_prefix(':').map(str::trim_start);
        // `{cmd}` is short for `{cmd: cmd}`.
        let text = value.unwrap_or(rest);
        let found =
            array(text).or_else(|| literal(text).or_else(|| variable(text, script)).map(|(value, behind)| (value.into(), behind)));
        rest = match found {
            Some((value, behind)) => {
                fields.insert(name.to_owned(), value);
                skip_value(behind)
            }
            None => skip_value(value.unwrap_or(behind)),
        };
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    serde_json::Value::Object(fields).to_string()
}

/// An array of literals.
fn array(text: &str) -> Option<(serde_json::Value, &str)> {
    let mut rest = text.strip_prefix('[')?.trim_start();
    let mut values: Vec<serde_json::Value> = Vec::new();
    loop {
        if let Some(behind) = rest.strip_prefix(']') {
            return Some((values.into(), behind));
        }
        let (value, behind) = literal(rest)?;
        values.push(value.into());
        rest = behind.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}

/// A field's name, bare or in quotes.
fn name(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = text.get(quote.map_or(0, char::len_utf8)..)?;
    let end = inner.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '$')).unwrap_or(inner.len());
    let (name, behind) = inner.split_at(end);
    (!name.is_empty()).then_some((name, quote.map_or(Some(behind), |quote| behind.strip_prefix(quote))?))
}

/// A string, a template without holes, a number or a truth value; and what stands behind it.
fn literal(text: &str) -> Option<(String, &str)> {
    let first = text.chars().next()?;
    if !matches!(first, '"' | '\'' | '`') {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(text.len());
        let (word, behind) = text.split_at(end);
        let plain = word.starts_with(|c: char| c.is_ascii_digit() || c == '-') || matches!(word, "true" | "false");
        return plain.then(|| (word.to_owned(), behind));
    }
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                '\n' => {}
                other => value.push(other),
            },
            '$' if first == '`' && text.get(at + 1..)?.starts_with('{') => return None,
            c if c == first => return Some((value, text.get(at + c.len_utf8()..)?)),
            c => value.push(c),
        }
    }
    None
}

/// The literal that a variable was given where it was declared.
fn variable<'t>(text: &'t str, script: &str) -> Option<(String, &'t str)> {
    let (name, behind) = name(text).filter(|_| !text.starts_with(['"', '\'']))?;
    ["const ", "let ", "var "].iter().find_map(|keyword| {
        let declared =
            script.split(keyword).skip(1).find_map(|rest| rest.trim_start().strip_prefix(name)?.trim_start().strip_prefix('='))?;
        Some((literal(declared.trim_start())?.0, behind))
    })
}

/// What stands behind a value: from the comma or brace that ends it on.
fn skip_value(text: &str) -> &str {
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match c {
            ',' | '}' if depth == 0 => return rest,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '"' | '\'' | '`' => {
                if let Some((_, behind)) = literal(rest) {
                    rest = behind;
                    continue;
                }
            }
            _ => {}
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn object(json: &str) -> Argument {
        Argument::Object(json.to_owned())
    }

    #[test]
    fn the_calls_of_a_script_are_read() {
        let script = "const cmd = 'git status';\nconst r = await tools.exec_command({cmd:\"ls -la\",workdir:'/tmp',yield_time_ms:1000});\n\
             await tools.apply_patch(`*** Begin Patch\n*** Add File: a\n+x\n*** End Patch`); tools.exec_command({ cmd, n: f(1, {a: 2}), t: true });\n\
             tools.shell({\"command\": [\"git\", \"push\"]}); tools.exec_command({cmd: `echo ${x}`, workdir: \"/w\"}); mytools.no(); tools.apply_patch(p);";
        let got = sub_calls(script);
        let expected = [
            ("exec_command", object(r#"{"cmd":"ls -la","workdir":"/tmp","yield_time_ms":"1000"}"#)),
            ("apply_patch", Argument::Text("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch".to_owned())),
            ("exec_command", object(r#"{"cmd":"git status","t":"true"}"#)),
            ("shell", object(r#"{"command":["git","push"]}"#)),
            ("exec_command", object(r#"{"workdir":"/w"}"#)),
            ("apply_patch", Argument::Unknown),
        ];
        assert_eq!(got.len(), expected.len(), "{got:#?}");
        for (call, (tool, argument)) in got.into_iter().zip(expected) {
            assert_eq!((call.tool, call.argument), (tool, argument));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(script in "(tools\\.[a-z]{0,3}[({:,`'\"$\\\\}\\])a-z ]{0,12}){0,6}|\\PC{0,60}") {
            sub_calls(&script);
        }
    }
}
