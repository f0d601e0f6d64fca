//! SQL on a command line: each statement by its verb and the tables that it names.

use super::super::class::{Class, Idempotency, Known};
use super::super::combine::{Part, Why, short};
use super::super::commands::Found;
use super::{Context, Shell};

/// Statements beyond this number are not looked at.
const STATEMENTS: usize = 200;

impl Shell<'_, '_> {
    pub(super) fn sql(&mut self, found: &Found<'_, '_>, text: &str, context: Context<'_>) {
        let base = found.at(found.rule.target());
        let statements = statements(text);
        if statements.len() >= STATEMENTS {
            // What was not read may do anything.
            let part = self.own(found, context);
            self.parts.push(Part { class: Class::Execute, idempotency: Idempotency::Unknown, known: Known::Inferred, ..part });
        }
        for statement in statements {
            self.catalogue.things.of_words(&["sql", &statement.verb], &mut self.deeds);
            let rule = self.catalogue.sql.get(&statement.verb);
            let target = Some(statement.tables.join(" ")).filter(|tables| !tables.is_empty()).or_else(|| base.clone());
            let about = match &target {
                Some(target) => format!("{} {target}", statement.verb),
                None => statement.verb.clone(),
            };
            let part = self.part(
                rule.unwrap_or(found.rule),
                &found.name,
                Some(&about),
                target.map(|target| short(&target).to_owned()),
                found,
                context,
            );
            self.parts.push(match rule {
                Some(_) => part,
                None => {
                    let why = format!("{} {}: no such verb is listed, so execute by inference", found.name, statement.verb);
                    Part {
                        class: Class::Execute,
                        idempotency: Idempotency::Unknown,
                        known: Known::Inferred,
                        why: Why::Said(why),
                        ..part
                    }
                }
            });
        }
    }
}

/// One statement.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Statement {
    /// Its verb in lower case: `select`, `insert`; `upsert` for an insert that says what to do with a conflict, `meta` for a command of
    /// the client's own.
    pub(in super::super) verb: String,
    pub(in super::super) tables: Vec<String>,
}

/// The statements of a text, at most [`STATEMENTS`].
pub(in super::super) fn statements(text: &str) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if all.len() >= STATEMENTS {
            break;
        }
        let at_start = words.is_empty() && depth == 0;
        let token = match c {
            '\\' | '.' if at_start => {
                let line = rest.lines().next().unwrap_or_default();
                let word = line.trim_start_matches(['\\', '.']).split_whitespace().next().unwrap_or_default();
                let loads = ["copy", "i", "ir", "import", "restore", "read", "!", "o"].contains(&word);
                all.push(Statement { verb: if loads { "load" } else { "meta" }.to_owned(), tables: Vec::new() });
                line
            }
            '\'' => quoted(rest, '\''),
            '"' | '`' => {
                let name = quoted(rest, c);
                words.push((depth, name.trim_matches(c).to_owned()));
                name
            }
            '-' if rest.starts_with("--") => rest.lines().next().unwrap_or_default(),
            '/' if rest.starts_with("/*") => rest.find("*/").and_then(|end| rest.get(..end + 2)).unwrap_or(rest),
            '$' => dollar_quoted(rest),
            ';' => {
                all.extend(statement(&words));
                words.clear();
                depth = 0;
                ";"
            }
            '(' | ')' => {
                depth = if c == '(' { depth + 1 } else { depth.saturating_sub(1) };
                rest.get(..1).unwrap_or_default()
            }
            c if c.is_alphanumeric() || c == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
                let word = rest.get(..end).unwrap_or_default();
                words.push((depth, word.to_owned()));
                word
            }
            _ => rest.get(..c.len_utf8()).unwrap_or_default(),
        };
        rest = rest.get(token.len().max(c.len_utf8())..).unwrap_or_default();
    }
    all.extend(statement(&words));
    all
}

fn statement(words: &[(usize, String)]) -> Option<Statement> {
    let is = |word: &str, what: &str| word.eq_ignore_ascii_case(what);
    let first = words.first()?.1.to_lowercase();
    let changes =
        |(depth, word): &&(usize, String)| *depth == 0 && ["insert", "update", "delete", "merge"].iter().any(|verb| is(word, verb));
    let mut verb = match first.as_str() {
        // `WITH ... AS (...)` and `EXPLAIN ANALYZE` do what stands behind them.
        "with" => words.iter().find(changes).map_or("select".to_owned(), |(_, word)| word.to_lowercase()),
        "explain" if words.iter().any(|(_, word)| is(word, "analyze")) => {
            words.iter().find(changes).map_or("explain".to_owned(), |(_, word)| word.to_lowercase())
        }
        _ => first,
    };
    let second = words.get(1).map(|(_, word)| word.to_lowercase()).unwrap_or_default();
    let settles = words.iter().any(|(_, word)| is(word, "conflict")) || words.iter().any(|(_, word)| is(word, "duplicate"));
    if verb == "insert" && (settles || second == "or" || second == "ignore") {
        verb = "upsert".to_owned();
    }
    if verb == "copy" && words.iter().any(|(_, word)| is(word, "to")) {
        verb = "select".to_owned();
    }
    Some(Statement { verb, tables: tables(words) })
}

/// The names behind words that a table, or what else is acted on, follows.
fn tables(words: &[(usize, String)]) -> Vec<String> {
    const BEFORE: &[&str] =
        &["from", "join", "into", "update", "table", "truncate", "copy", "describe", "view", "database", "schema"];
    const BETWEEN: &[&str] = &["if", "not", "exists", "only", "concurrently", "table", "or", "ignore", "replace"];
    let mut found: Vec<String> = Vec::new();
    // `CREATE INDEX ... ON orders`, `GRANT ... ON orders`; elsewhere a condition follows.
    let names_on = words
        .first()
        .is_some_and(|(_, verb)| ["create", "drop", "grant", "revoke"].iter().any(|own| verb.eq_ignore_ascii_case(own)));
    let mut awaited = false;
    for (_, word) in words {
        let lower = word.to_lowercase();
        match (awaited, BETWEEN.contains(&lower.as_str()), BEFORE.contains(&lower.as_str()) || (lower == "on" && names_on)) {
            (true, true, _) => {}
            (_, _, true) => awaited = true,
            (true, _, _) => {
                let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_') && lower != "conflict" && lower != "select";
                if is_name && !found.contains(word) {
                    found.push(word.clone());
                }
                awaited = false;
            }
            _ => {}
        }
    }
    found
}

/// A text in quotes, with its quotes; a doubled quote is one of the text's own.
fn quoted(text: &str, quote: char) -> &str {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
            return text.get(..=at).unwrap_or(text);
        }
    }
    text
}

/// `$$ ... $$` or `$tag$ ... $tag$`; a lone `$` where it is none.
fn dollar_quoted(text: &str) -> &str {
    let tag = text.get(1..).and_then(|rest| rest.find('$')).and_then(|end| text.get(..end + 2));
    let is_tag = |tag: &&str| tag.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let body = tag.filter(is_tag).and_then(|tag| Some((tag, text.get(tag.len()..)?)));
    let end = body.and_then(|(tag, body)| Some(body.find(tag)? + 2 * tag.len()));
    end.and_then(|end| text.get(..end)).unwrap_or_else(|| text.get(..1).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_its_verb_and_its_tables() {
        for (text, expected) in [
            ("SELECT * FROM orders o JOIN items i ON i.order_id = o.id", vec![("select", "orders items")]),
            ("insert into orders (id) values ('a;b')", vec![("insert", "orders")]),
            (
                "INSERT INTO a VALUES (1) ON CONFLICT DO NOTHING; delete from b where x = 'it''s'",
                vec![("upsert", "a"), ("delete", "b")],
            ),
            ("with x as (select 1 from y) update orders set n = 1 from x", vec![("update", "y orders x")]),
            ("explain analyze delete from orders", vec![("delete", "orders")]),
            ("-- only a comment\n/* and ; one */ drop table if exists public.orders", vec![("drop", "public.orders")]),
            ("\\dt\nselect 1", vec![("meta", ""), ("select", "")]),
            (".schema orders", vec![("meta", "")]),
            ("do $$ begin delete from a; end $$; commit", vec![("do", ""), ("commit", "")]),
            ("copy orders to stdout", vec![("select", "orders")]),
            ("create index concurrently if not exists i on orders (id)", vec![("create", "orders")]),
            ("", vec![]),
            ("'unfinished", vec![]),
        ] {
            let got: Vec<(String, String)> = statements(text).into_iter().map(|s| (s.verb, s.tables.join(" "))).collect();
            let got: Vec<(&str, &str)> = got.iter().map(|(verb, tables)| (verb.as_str(), tables.as_str())).collect();
            assert_eq!(got, expected, "{text}");
        }
    }
}
