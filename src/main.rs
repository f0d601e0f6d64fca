//! The `owed` program.

fn main() {}
