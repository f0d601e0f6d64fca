//! `owed replay PATH`: a session on the screen, played by its own clock.

use crate::cli::args::ReplayArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::open;
use crate::cli::screen::{Screen, Shown};
use crate::cli::settings::Settings;
use crate::cli::speed::Speed;
use crate::session::Feed;
use crate::ui::Replay;

/// Plays it.
pub(super) fn run(args: &ReplayArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let ReplayArgs { input: asked, speed: Speed(speed), from, .. } = args;
    let from = from.get();
    if !open::has_screen(&asked.path, io) {
        return Err(Failure::usage("there is no terminal to play a session on")
            .next("`owed check PATH --line N` tells what was owed at a moment"));
    }
    let options = input::options(&asked.how, settings)?;
    let feed = if input::is_standard_input(&asked.path) {
        open::keyboard_is_free(io)?;
        Feed::whole_input(&mut io.take_stdin(), &options)?
    } else {
        Feed::whole(&asked.path, &options)?
    };
    let lines = feed.latest().facts.files.first().map_or(0, |file| file.lines);
    if from > lines.max(1) {
        return Err(Failure::usage(format!("there is no line {from} to begin at")).next(format!("the file ends with line {lines}")));
    }
    let shown = Shown::of(feed, &options, settings)?.named("owed replay").played(Replay { from, speed: *speed });
    open::on(Screen::open(settings, io)?, shown, settings, io)
}
