//! Floor 3: files in, whole records out.
//!
//! **Invariants:** no unfinished record leaves this module; no file that another process writes is mapped into memory; nothing is
//! written beside a watched file.

pub mod balance;
pub mod children;
pub mod discover;
pub mod error;
pub mod file;
pub mod follow;
pub mod gather;
pub mod lines;
pub mod mount;
pub mod render;
pub mod side;
pub mod spool;
#[cfg(test)]
mod testing;
pub mod walk;
pub mod watch;

pub use children::{Child, Children};
pub use discover::{Discovery, Found, Life, Surroundings, discover};
pub use error::Error;
pub use file::{Identity, Origin};
pub use follow::{Follower, Step, Why};
pub use lines::Lines;
pub use render::Rendering;
