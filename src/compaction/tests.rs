//! Scenarios: each row of the table of verdicts, each rule about barriers and commitments, and the laws that hold for any lane.

mod bindings;
mod essays;
mod laws;
mod rules;
mod verdicts;
