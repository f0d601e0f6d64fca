//! `owed demo`: a bundled session, played as if it were live.

use crate::cli::args::ReadArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::open;
use crate::cli::screen::{Screen, Shown};
use crate::cli::settings::Settings;
use crate::session::Feed;
use crate::ui::Replay;

/// A session that has it all: an unknown effect, a compaction that loses things, and what that costs.
const SESSION: &[u8] = include_bytes!("../../sample-sessions/compacted.jsonl");

/// Begins shortly before the compaction.
const REPLAY: Replay = Replay { speed: 16.0, from: 340 };

/// What is said of it to whom asked for it.
pub(super) const GREETING: &str = "a bundled session, played as if it were live; y pauses, ? shows all keys";

/// Plays it, and says `greeting`.
pub(super) fn run(greeting: &str, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if !io.terminal.has_both_ends() {
        return Err(
            Failure::usage("there is no terminal to play the demo on").next("`owed check PATH` reads a session without one")
        );
    }
    let mut session = SESSION;
    let options = input::options(&ReadArgs::default(), settings)?;
    let feed = Feed::whole_input(&mut session, &options)?;
    let shown = Shown::of(feed, &options, settings)?.named("owed demo").greeting(greeting).played(REPLAY);
    open::on(Screen::open(settings, io)?, shown, settings, io)
}
