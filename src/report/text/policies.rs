//! `owed policies` for people: what `--policy` takes, and what one of them does.

use super::page::Page;
use super::table::{Cell, Column, Table};
use crate::base::text::width;
use crate::report::policies::{PoliciesReport, PolicyReport};
use crate::report::style::{Style, Tone};

/// Cells for a value, of a policy that is explained.
const VALUE: usize = 96;

/// All of them, by whose they are.
#[must_use]
pub fn policies(report: &PoliciesReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    let columns = [Column::Text(26), Column::Text(16), Column::Text(42), Column::Text(44), Column::Text(56)];
    for group in report.policies.chunk_by(|a, b| a.family == b.family) {
        page.heading(group.first().map_or("", |policy| policy.heading));
        let mut table = Table::new(&columns).titled(&["policy", "also called", "what", "compacts at", "what stays"]);
        for policy in group {
            table.row([
                Cell::new(policy.id),
                Cell::toned(Tone::Dim, policy.aliases.join(", ")),
                Cell::new(policy.title),
                Cell::new(policy.reached.as_deref().unwrap_or("not by itself")),
                Cell::new(policy.stays.as_str()),
            ]);
        }
        table.write(&mut page);
    }
    page.line([(Tone::Dim, "")]);
    page.line([(Tone::Dim, "W window, O output, I input, U what its user set, n messages; `owed policies NAME` explains one")]);
    page.finish()
}

/// What one policy does, in its order.
#[must_use]
pub fn policy(report: &PoliciesReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    for policy in &report.policies {
        explain(&mut page, policy);
    }
    page.finish()
}

fn explain(page: &mut Page, policy: &PolicyReport<'_>) {
    page.heading(&format!("{}: {}", policy.id, crate::base::text::clean(policy.title)));
    let mut table = Table::new(&[Column::Text(12), Column::Text(VALUE)]);
    let mut say = |name: &str, value: &str| {
        for (n, line) in wrapped(value, VALUE).into_iter().enumerate() {
            table.row([Cell::toned(Tone::Dim, if n == 0 { name } else { "" }), Cell::new(line)]);
        }
    };
    for step in &policy.steps {
        say(step.key, &step.text);
    }
    for (n, unknown) in policy.unknown.iter().enumerate() {
        say(if n == 0 { "unknown" } else { "" }, unknown.text);
    }
    say("also called", &policy.aliases.join(", "));
    say("default of", &policy.agents.join(", "));
    say("note", &policy.note);
    say("source", policy.source);
    say("known from", policy.confidence);
    table.write(page);
}

/// The words of a text in lines of so many cells; a longer word has a line of its own.
fn wrapped(text: &str, cells: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= cells => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
