#![doc = include_str!("ARCHITECTURE.md")]

pub mod audit;
pub mod base;
pub mod cli;
pub mod compaction;
pub mod evidence;
pub mod formats;
pub mod hooks;
pub mod ledger;
pub mod report;
pub mod session;
pub mod source;
pub mod transcript;
pub mod ui;
