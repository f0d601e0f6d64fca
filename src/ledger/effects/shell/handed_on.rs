//! What a command hands on to another: the words, the script, the SQL or the program that it runs.

use super::{Context, DEPTH, Shell, is_assignment, snippet};
use crate::base::text::prefix;
use crate::ledger::effects::class::{Class, Idempotency, Known};
use crate::ledger::effects::combine::{Part, Why};
use crate::ledger::effects::commands::Found;
use crate::ledger::effects::data::Runs;
use crate::ledger::effects::patch;

/// Of a program in another language only this many bytes are looked at.
const SNIPPET_BYTES: usize = 16 * 1024;

impl<'c> Shell<'c, '_> {
    /// Reads what a command hands on to another. False where there is nothing: then it is what its own row says.
    pub(super) fn handed_on(&mut self, found: &Found<'c, '_>, words: &[&str], context: Context<'_>) -> bool {
        let rule = found.rule;
        let inner = found.inner.and_then(|at| words.get(at..)).filter(|inner| !inner.is_empty());
        let given = || rule.at().iter().flat_map(|option| found.values_of(option));
        let fed = context.stdin.filter(|_| rule.is_fed() && inner.is_none() && matches!(found.operands.as_slice(), [] | ["-"]));
        if let Some(program) = fed {
            self.snippet(found, program, context);
            return true;
        }
        match rule.runs() {
            None | Some(Runs::Code | Runs::Texts | Runs::Tool) => false,
            Some(Runs::Snippet) => {
                let text = given().next().or(context.stdin);
                text.map(|text| self.snippet(found, text, context)).is_some()
            }
            Some(Runs::Words) => {
                let end = |inner: &[&str]| {
                    inner.iter().position(|word| matches!(*word, ";" | "+") && !rule.at().is_empty()).unwrap_or(inner.len())
                };
                let inner =
                    inner.and_then(|inner| inner.get(..end(inner))).filter(|inner| !inner.iter().all(|word| is_assignment(word)));
                self.depth += 1;
                let runs = inner.filter(|_| self.depth <= DEPTH).map(|inner| self.words(inner, context)).is_some();
                self.depth -= 1;
                runs
            }
            Some(Runs::Text) => {
                let text = given().next().map(str::to_owned).or_else(|| inner.map(|inner| inner.join(" ")));
                let piped = context.stdin.filter(|_| found.operands.len() <= rule.skip().unwrap_or(0));
                match (text, piped) {
                    (Some(text), _) => self.nested(&text, context),
                    (None, Some(piped)) => self.nested(piped, Context { stdin: None, ..context }),
                    (None, None) => return false,
                }
                true
            }
            Some(Runs::Sql) => {
                let given: Vec<&str> = given().chain(inner.and_then(|inner| inner.first().copied())).collect();
                let text = if given.is_empty() { context.stdin.map(str::to_owned) } else { Some(given.join(";\n")) };
                text.map(|text| self.sql(found, &text, context)).is_some()
            }
            Some(Runs::Http) => {
                let part = self.http(found, context);
                self.parts.push(part);
                true
            }
            Some(Runs::Script) => self.named(found, context),
            Some(Runs::Verb) => self.verb(found, context),
            Some(Runs::Patch) => {
                let text = found.operands.first().copied().or(context.stdin);
                let part = text.map(|text| patch::part(text, self.own(found, context)));
                self.parts.extend(part.clone());
                part.is_some()
            }
        }
    }

    /// A program in another language: what the calls that it is known by may do. Of anything else nobody knows.
    pub(super) fn snippet(&mut self, found: &Found<'_, '_>, text: &str, context: Context<'_>) {
        let read = prefix(text, SNIPPET_BYTES);
        let known = self.catalogue.snippets.iter().filter(|(piece, _)| read.contains(piece.as_str()));
        let part = match known.map(|(_, rule)| rule).max_by_key(|rule| rule.class()) {
            Some(rule) => Part { known: Known::Inferred, ..self.part(rule, &found.name, None, None, found, context) },
            None if read.len() == text.len() && snippet::only_reads(text, &self.catalogue.pure) => {
                let why = Why::Said(format!(
                    "{}: read, inferred (every module is in pure.modules, and no word in pure.acts)",
                    found.name
                ));
                let idempotency = Idempotency::Idempotent;
                Part { class: Class::Read, idempotency, why, ..self.opaque(&found.name, "", context) }
            }
            None => self.opaque(&found.name, "", context),
        };
        self.parts.push(part);
    }
}
