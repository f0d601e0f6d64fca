//! `owed demo`: a bundled session, played as if it were live.

use std::time::Duration;

use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::screen::{Screen, Shown, Time};
use crate::cli::settings::Settings;
use crate::session::{Feed, Tempo};

/// A session that has it all: an unknown effect, a compaction that loses things, and what that costs.
const SESSION: &[u8] = include_bytes!("../../sample-sessions/compacted.jsonl");

/// Begins shortly before the compaction, and passes over the pauses in which people and models thought.
const TEMPO: Tempo = Tempo { speed: 8.0, from: 340, longest_gap: Duration::from_millis(700) };

/// What is said of it to whom asked for it.
pub(super) const GREETING: &str = "a bundled session, played as if it were live; ? shows all keys";

/// Plays it, and says `greeting`.
pub(super) fn run(greeting: &str, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if !(io.terminal.stdin && io.terminal.stdout) {
        return Err(
            Failure::usage("there is no terminal to play the demo on").next("`owed check PATH` reads a session without one")
        );
    }
    let options = input::options(None, settings)?;
    let shown = Shown::open(|wake| Feed::replay_bytes("demo", SESSION, TEMPO, &options, wake), Time::Sessions, settings)?;
    Screen::open(settings, io)?.greeting(greeting).show(shown, io)
}
