//! `owed events`: the normalised events, one JSON object a line, lane by lane.

use crate::base::ids::EventIx;
use crate::cli::args::EventsArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::ledger::LaneSnapshot;
use crate::report::events::EventReport;
use crate::report::json;

/// Prints them; stops when nobody reads any more.
pub(super) fn run(args: &EventsArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let snapshot = input::read(&args.input, settings, io)?;
    let lanes: Vec<&LaneSnapshot> = match &args.lane {
        Some(name) => vec![input::lane(&snapshot, name)?],
        None => snapshot.lanes.iter().map(|lane| &**lane).collect(),
    };
    for lane in lanes {
        for event in (0..lane.events.len()).map(EventIx::from_index).filter_map(|ix| EventReport::of(&snapshot, lane, ix)) {
            if io.stdout.is_closed() {
                return Ok(Exit::Done);
            }
            json::write_line(&mut io.stdout, &event)?;
        }
    }
    Ok(Exit::Done)
}
