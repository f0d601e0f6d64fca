//! The limits that this project holds itself to, each measured against something in the same run, so that a slow machine is slow on
//! both sides.
//!
//! `cargo bench --bench limits` runs them all, `cargo bench --bench limits -- analysis` runs one. `OWED_BENCH_MB=20` makes the large
//! session smaller than its 200 MB.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench measures time, prints figures and stops where it fails"
)]

mod analysis;
mod audit;
mod child;
mod dry_run;
mod frame;
mod gate;
mod generate;
mod live;
mod long;
mod measure;
mod memory;
mod screen;
mod startup;
mod terminal;
mod typed;
mod words;

/// A bench: its name and what it does.
type Bench = (&'static str, fn());

const BENCHES: &[Bench] = &[
    ("analysis", analysis::run),
    ("audit", audit::run),
    ("memory", memory::run),
    ("startup", startup::run),
    ("gate", gate::run),
    ("live", live::run),
    ("terminal", terminal::run),
    ("frame", frame::run),
    ("dry_run", dry_run::run),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if child::work(&arguments) {
        return;
    }
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    for (name, run) in BENCHES {
        if wanted.is_empty() || wanted.iter().any(|one| one.as_str() == *name) {
            println!("-- {name}");
            run();
        }
    }
}
