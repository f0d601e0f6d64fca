//! Plain words that a list makes names: "properties: id, text, completed".

use super::{Identifier, Kind, Spoken};

/// What is listed.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "fields", "field", "columns", "properties", "props", "attributes", "attrs", "keys", "parameters", "params", "args", "arguments",
    "flags", "enum", "statuses", "states", "roles", "tables", "variables", "scopes", "tags", "labels", "topics", "queues", "events",
    "felder", "spalten", "eigenschaften", "attribute", "champs", "colonnes", "propriétés", "attributs", "campos", "columnas",
    "propiedades", "atributos", "colunas", "propriedades", "tablas", "tabelas", "tabellen", "поля", "колонки", "столбцы", "свойства",
    "таблицы",
];
const WIDE_HEADS: &[&str] = &["字段", "属性", "列", "欄位", "フィールド", "カラム", "プロパティ", "필드", "컬럼", "속성"];

/// What joins the last to the others.
const JOINS: &[&str] = &["and ", "or ", "und ", "et ", "y ", "e ", "и ", "and", "と", "和", "및"];

/// The most members that are read.
const MOST: usize = 40;

/// The members of lists of names.
pub(super) fn fields(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for word in spoken.words.iter().filter(|word| word.closes.starts_with([':', '：']) && is_head(&word.lower)) {
        found.extend(members(spoken.text, word.range.end + word.closes.chars().next().map_or(0, char::len_utf8)));
    }
    for head in WIDE_HEADS {
        for (at, _) in spoken.text.match_indices(head) {
            let behind = at + head.len();
            if let Some(mark) =
                spoken.text.get(behind..).and_then(|rest| rest.chars().next()).filter(|mark| matches!(mark, ':' | '：'))
            {
                found.extend(members(spoken.text, behind + mark.len_utf8()));
            }
        }
    }
    found
}

fn is_head(word: &str) -> bool {
    HEADS.contains(&word) || WIDE_HEADS.iter().any(|head| word.ends_with(head))
}

/// The names from `from` on, parted by commas; none where it is only one.
fn members(text: &str, from: usize) -> Vec<Identifier> {
    let line = text.get(from..).and_then(|rest| rest.split(['\n', ';', '。', '.', ')']).next()).unwrap_or("");
    let mut at = from;
    let mut found = Vec::new();
    for part in line.split([',', '、', '，', '|']).take(MOST) {
        let start = at;
        at += part.len() + text.get(at + part.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let mut name = part.trim_start();
        name = JOINS.iter().find_map(|join| name.strip_prefix(join)).unwrap_or(name).trim_start();
        let lead = part.len() - name.len();
        let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
        let (word, rest) = name.split_at_checked(length).unwrap_or((name, ""));
        let is_name = word.len() >= 2 && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        // Its type may stand behind it, or the last one.
        let joined = JOINS.iter().any(|join| rest.trim_start().starts_with(join));
        if !is_name || !(rest.trim().is_empty() || rest.trim_start().starts_with(['(', ':', '?', '!']) || joined) {
            break;
        }
        found.push(Identifier { kind: Kind::Word, range: start + lead..start + lead + length });
        if joined && let Some(last) = rest.split_whitespace().nth(1) {
            let offset = start + lead + length + rest.find(last).unwrap_or(0);
            let length = last.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            if length == last.len() {
                found.push(Identifier { kind: Kind::Word, range: offset..offset + length });
            }
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}
