//! Data files: what is embedded, what a user lays over it, and mistakes told with file, line and field.

mod nearest;

use std::fmt;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

pub use self::nearest::nearest;

/// A mistake in a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The file, as its user knows it.
    pub file: String,
    /// 1-based line, where it is known.
    pub line: Option<usize>,
    /// The key at fault, as `tool.Bash.class`, where it is known.
    pub field: Option<String>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for DataError {}

/// A data file's text and the name by which its user knows it.
#[derive(Clone, Copy, Debug)]
pub struct DataFile<'a> {
    /// The name: a path, or `effects.toml (built in)`.
    pub name: &'a str,
    /// Its TOML.
    pub text: &'a str,
}

/// Reads a TOML file into `T`. The types should deny unknown fields, so that a misspelt key is a mistake and not a silence.
///
/// # Errors
/// With the file's name, and the line and field where TOML says them.
pub fn parse<T: DeserializeOwned>(file: DataFile<'_>) -> Result<T, DataError> {
    toml::from_str(file.text).map_err(|error| told(file, &error))
}

/// Reads `base` with `overlay` laid over it, merged by key: tables are joined, anything else of the overlay's wins.
///
/// # Errors
/// A mistake in the overlay is told with the overlay's name and line.
pub fn parse_over<T: DeserializeOwned>(base: DataFile<'_>, overlay: Option<DataFile<'_>>) -> Result<T, DataError> {
    let Some(overlay) = overlay else { return parse(base) };
    let mut merged: Table = parse(base)?;
    let user: Table = parse(overlay)?;
    merge(&mut merged, user);
    Value::Table(merged).try_into().map_err(|error: toml::de::Error| told(overlay, &error))
}

fn merge(base: &mut Table, user: Table) {
    for (key, value) in user {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn told(file: DataFile<'_>, error: &toml::de::Error) -> DataError {
    let span_line = error.span().and_then(|span| file.text.get(..span.start)).map(|text| text.matches('\n').count() + 1);
    let (line, field) = match span_line {
        Some(line) => (Some(line), field_at(file.text, line)),
        // A merged table has no positions: its error names the key, which is looked up in the overlay.
        None => {
            let shown = error.to_string();
            let table = quoted_after(&shown, "in `");
            let below = |key: &str| table.map_or_else(|| key.to_owned(), |table| format!("{table}.{key}"));
            // Of a key that nobody knows the error names the table, and the key in its message; a variant may be a key or a value.
            let unknown = quoted_after(error.message(), "unknown field `").map(below);
            let variant = quoted_after(error.message(), "unknown variant `").map(below);
            let field = unknown.or(variant.filter(|key| sets(file.text, key).is_some())).or(table.map(str::to_owned));
            (field.as_deref().and_then(|key| line_of(file.text, key)), field)
        }
    };
    let message = error.message().trim();
    let meant = nearest::expected(message).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    DataError { file: file.name.to_owned(), line, field, message: format!("{message}{meant}") }
}

/// The line that sets a dotted key, or the inline table that it stands in.
fn line_of(text: &str, key: &str) -> Option<usize> {
    sets(text, key).or_else(|| line_of(text, key.rsplit_once('.')?.0))
}

/// The 1-based line of a TOML text that sets a dotted key; none: it sets no such key on a line of its own.
#[must_use]
pub fn line_that_sets(text: &str, key: &str) -> Option<usize> {
    sets(text, key)
}

/// The line that sets a dotted key. An error of a merged table names its keys without the quotes that they may stand in.
fn sets(text: &str, key: &str) -> Option<usize> {
    let bare = |key: &str| key.replace(['"', '\''], "");
    let (key, mut header) = (bare(key), String::new());
    text.lines()
        .map(str::trim)
        .position(|line| {
            if line.starts_with('[') {
                header = bare(line.trim_matches(['[', ']']));
                return header == key;
            }
            let own = line.split_once('=').map(|(own, _)| bare(own.trim())).filter(|_| !line.starts_with('#'));
            own.is_some_and(|own| key == if header.is_empty() { own } else { format!("{header}.{own}") })
        })
        .map(|n| n + 1)
}

/// What stands in backquotes behind `mark`, which ends with the first of them.
fn quoted_after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    text.split_once(mark)?.1.split_once('`').map(|(quoted, _)| quoted)
}

/// The dotted key that a line of TOML sets, with the table header above it, if there is one.
fn field_at(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(line).map(str::trim).collect();
    let own = lines.last()?;
    let header = lines.iter().rev().find(|l| l.starts_with('[')).map(|l| l.trim_matches(['[', ']']));
    let key = own.split_once('=').map(|(key, _)| key.trim()).filter(|_| !own.starts_with(['[', '#']));
    match (header, key) {
        (Some(header), Some(key)) => Some(format!("{header}.{key}")),
        (header, key) => header.or(key).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Tool {
        class: String,
        #[serde(default)]
        target: Option<String>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Tools {
        tool: BTreeMap<String, Tool>,
    }

    const BASE: DataFile<'_> =
        DataFile { name: "effects.toml (built in)", text: "[tool.Edit]\nclass = \"write\"\ntarget = \"file_path\"\n" };

    #[test]
    fn a_mistake_is_told_with_file_line_and_field() {
        let file = DataFile { name: "/home/u/effects.toml", text: "[tool.Edit]\nclass = \"write\"\n\n[tool.Bash]\nclas = \"x\"\n" };
        let error = parse::<Tools>(file).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(5), Some("tool.Bash.clas")));
        assert!(error.to_string().starts_with("/home/u/effects.toml:5: tool.Bash.clas: unknown field `clas`"), "{error}");
    }

    #[test]
    fn an_overlay_wins_key_by_key() {
        let user = DataFile { name: "mine.toml", text: "[tool.Edit]\nclass = \"create\"\n[tool.Mine]\nclass = \"read\"\n" };
        let tools: Tools = parse_over(BASE, Some(user)).unwrap();
        assert_eq!(tools.tool["Edit"], Tool { class: "create".into(), target: Some("file_path".into()) });
        assert_eq!(tools.tool["Mine"].class, "read");
    }

    #[test]
    fn an_unknown_key_of_an_overlay_is_found_where_it_stands() {
        for (text, line, field) in [
            ("[tool.Edit]\nclass = \"write\"\nclas = \"x\"\n", 3, "tool.Edit.clas"),
            ("# mine\ntools = 3\n[tool.Edit]\n", 2, "tools"),
            // Names that have to be quoted, and tables on one line.
            ("[tool.\"a.b*\"]\nclass = \"write\"\nclas = \"x\"\n", 3, "tool.a.b*.clas"),
            ("[tool]\n# mine\n\"a*\" = { class = \"write\", clas = \"x\" }\n", 3, "tool.a*.clas"),
        ] {
            let error = parse_over::<Tools>(BASE, Some(DataFile { name: "mine.toml", text })).unwrap_err();
            assert_eq!((error.line, error.field.as_deref()), (Some(line), Some(field)), "{error}");
        }
    }

    #[test]
    fn an_unknown_variant_is_found_where_it_stands_as_a_key_or_as_a_value() {
        #[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
        #[serde(rename_all = "lowercase")]
        enum Role {
            Text,
        }
        type Roles = BTreeMap<String, BTreeMap<Role, Role>>;
        let base = DataFile { name: "theme.toml (built in)", text: "[roles]\ntext = \"text\"\n" };
        for (text, field) in [("[roles]\ntexts = \"text\"\n", "roles.texts"), ("[roles]\ntext = \"texts\"\n", "roles.text")] {
            let error = parse_over::<Roles>(base, Some(DataFile { name: "mine.toml", text })).unwrap_err();
            assert_eq!((error.line, error.field.as_deref()), (Some(2), Some(field)), "{error}");
        }
    }

    #[test]
    fn a_mistake_in_an_overlay_names_the_overlay() {
        let user = DataFile { name: "mine.toml", text: "[tool.Edit]\nclass = 3\n" };
        let error = parse_over::<Tools>(BASE, Some(user)).unwrap_err();
        assert_eq!(error.file, "mine.toml");
        assert_eq!((error.line, error.field.as_deref()), (Some(2), Some("tool.Edit.class")));
    }

    #[test]
    fn a_key_above_every_header_is_a_field_too() {
        let file = DataFile { name: "x.toml", text: "# nothing\ntoool = 1\n[tool.Edit]\nclass = \"write\"\n" };
        let error = parse::<Tools>(file).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(2), Some("toool")));
        let user = DataFile { name: "mine.toml", text: "[tool]\nEdit = { class = 3 }\n" };
        let error = parse_over::<Tools>(BASE, Some(user)).unwrap_err();
        assert_eq!((error.line, error.field.as_deref()), (Some(2), Some("tool.Edit.class")));
    }
}
