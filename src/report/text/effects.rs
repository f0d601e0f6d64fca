//! `owed effects` for people.

use super::page::Page;
use super::table::{Cell, Column, Table};
use crate::report::effects::{EffectReport, EffectsReport, RowReport};
use crate::report::style::{Style, Tone};

/// Cells for a value.
const VALUE: usize = 100;

/// Every tool and command that is known.
#[must_use]
pub fn effects(report: &EffectsReport, style: Style) -> String {
    let mut page = Page::new(style);
    for (title, rows) in [("Tools", &report.tools), ("Commands", &report.commands)] {
        page.heading(title);
        let mut table = Table::new(&[Column::Text(12), Column::Text(48), Column::Text(10)]);
        for RowReport { of, name, class, .. } in rows {
            let of = if of == "command" { "" } else { of };
            table.row([Cell::toned(Tone::Dim, of), Cell::new(name.as_str()), Cell::new(*class)]);
        }
        table.write(&mut page);
    }
    page.finish()
}

/// How one call is classified, and why.
#[must_use]
pub fn effect(report: &EffectReport<'_>, style: Style) -> String {
    let mut page = Page::new(style);
    page.heading(&crate::base::text::clean(report.asked));
    let mut table = Table::new(&[Column::Text(10), Column::Text(VALUE)]);
    let mut say = |name: &str, value: &str| {
        if !value.is_empty() {
            table.row([Cell::toned(Tone::Dim, name), Cell::new(value)]);
        }
    };
    say("class", &format!("{}: {}", report.class, meaning(report.class)));
    say("again", again(report));
    say("failed", if report.atomic { "nothing has changed" } else { "a part of it may be done" });
    say("intent", report.intent);
    say("target", report.target.unwrap_or_default());
    say("key", report.idempotency_key.unwrap_or_default());
    say("look with", report.reconcile_with.unwrap_or_default());
    say("listed", if report.known { "yes" } else { "no: the class is inferred" });
    for (name, things) in [("opens", &report.opens), ("closes", &report.closes)] {
        for (n, thing) in things.iter().enumerate() {
            say(if n == 0 { name } else { "" }, &crate::base::text::clean(thing));
        }
    }
    for (n, why) in report.why.iter().enumerate() {
        say(if n == 0 { "why" } else { "" }, why);
    }
    table.write(&mut page);
    page.finish()
}

/// What a class may do, in words.
fn meaning(class: &str) -> &'static str {
    match class {
        "control" => "the agent's own affairs",
        "read" => "looks, and changes nothing",
        "check" => "builds, tests or lints; nothing to reconcile",
        "execute" => "decided by a command that nobody knows",
        "write" => "changes its target, the same each time",
        "create" => "makes something new each time",
        _ => "leaves this machine",
    }
}

fn again(report: &EffectReport<'_>) -> &'static str {
    match (report.class, report.idempotent) {
        ("control" | "read" | "check", _) | (_, Some(true)) => "does no harm",
        (_, Some(false)) => "does harm",
        (_, None) => "nobody knows",
    }
}
