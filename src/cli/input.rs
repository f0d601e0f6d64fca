//! From a command line to the session, the lane and the moment that it asks about.

use std::path::Path;
use std::sync::Arc;

use crate::base::ids::{EventIx, SpanIx};
use crate::cli::args::{InputArgs, MomentArgs, ReadArgs};
use crate::cli::failure::Failure;
use crate::cli::io::Io;
use crate::cli::settings::Settings;
use crate::formats::registry;
use crate::ledger::rows::EventRow;
use crate::ledger::{LaneSnapshot, Rulebook};
use crate::session::{self, Feed, Options, Side, Snapshot};
use crate::source::Origin;

/// How sessions are read.
///
/// # Errors
/// There is no format of that name, the side ledger that was named cannot be read, or a mistake in the user's files.
pub(super) fn options(how: &ReadArgs, settings: &Settings) -> Result<Options, Failure> {
    let format = how.format.as_deref().map(|name| {
        registry::by_name(name).map(|format| format.agent).ok_or_else(|| {
            let known: Vec<&str> = registry::FORMATS.iter().map(|format| format.agent.0).collect();
            Failure::usage(format!("no format is called `{name}`")).next(format!("there are {}", known.join(", ")))
        })
    });
    let side = match (&how.also.side_ledger, &settings.state) {
        (Some(path), _) => {
            Origin::Path(path.clone()).stat().map_err(session::Error::from)?;
            Side::At(path.clone())
        }
        (None, Some(state)) => Side::BesideAndIn(state.clone()),
        (None, None) => Side::Beside,
    };
    let human = how.also.human.unwrap_or(settings.config.check.human).into();
    let rules = Arc::new(Rulebook { human, ..settings.rulebook()? });
    keep(&rules);
    Ok(Options { format: format.transpose()?, rules, side })
}

/// Reads the session whole.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub(super) fn read(input: &InputArgs, settings: &Settings, io: &mut Io) -> Result<Snapshot, Failure> {
    let options = options(&input.how, settings)?;
    if !is_standard_input(&input.path) {
        return read_at(&input.path, &options);
    }
    let snapshot = session::read_input(&mut io.stdin, &options)?;
    snapshot.lanes.iter().for_each(keep);
    Ok(snapshot)
}

/// Reads the session at `path` whole.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub(super) fn read_at(path: &Path, options: &Options) -> Result<Snapshot, Failure> {
    let snapshot = session::read(path, options)?;
    snapshot.lanes.iter().for_each(keep);
    Ok(snapshot)
}

/// Keeps something until the process ends. It ends with the answer: to take a session or the rules apart before that, piece by piece,
/// would only let whoever asked wait.
fn keep<T>(value: &Arc<T>) {
    std::mem::forget(Arc::clone(value));
}

/// Reads the session whole, with the texts of its events at hand.
///
/// # Errors
/// It cannot be read, or is no transcript.
pub(super) fn feed(path: &Path, options: &Options, io: &mut Io) -> Result<Feed, Failure> {
    let feed = if is_standard_input(path) { Feed::whole_input(&mut io.stdin, options) } else { Feed::whole(path, options) };
    Ok(feed?)
}

/// Whether a path stands for standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The lane of a name, or of the beginning of one.
///
/// # Errors
/// None has it, or several have; with the names that there are.
pub(super) fn lane<'s>(snapshot: &'s Snapshot, name: &str) -> Result<&'s Arc<LaneSnapshot>, Failure> {
    if let Some(lane) = snapshot.lanes.iter().find(|lane| &*lane.name == name) {
        return Ok(lane);
    }
    let mut begun = snapshot.lanes.iter().filter(|lane| lane.name.starts_with(name));
    match (begun.next(), begun.next()) {
        (Some(lane), None) => Ok(lane),
        (first, _) => {
            let names: Vec<&str> = snapshot.lanes.iter().map(|lane| &*lane.name).collect();
            let what = if first.is_some() { "more than one lane's name begins with" } else { "no lane is called" };
            Err(Failure::usage(format!("{what} `{name}`")).next(format!("there are {}", names.join(", "))))
        }
    }
}

/// The moment asked for: after an event of the lane, or after the last one at or before a line. None in a lane without events.
///
/// # Errors
/// There is no such event or line; with the range that there is.
pub(super) fn moment(snapshot: &Snapshot, lane: &LaneSnapshot, asked: &MomentArgs) -> Result<Option<EventIx>, Failure> {
    match (asked.event, asked.line, lane.end()) {
        (None, None, end) => Ok(end),
        (_, _, None) => Err(Failure::usage(format!("lane {} has no events", lane.name))),
        (Some(event), _, Some(end)) if event > end.0 => {
            let range = format!("lane {} has the events 0 to {end}", lane.name);
            Err(Failure::usage(format!("there is no event {event}")).next(range))
        }
        (Some(event), _, _) => Ok(Some(EventIx(event))),
        (None, Some(line), _) => after_line(snapshot, lane, line).map(Some),
    }
}

/// That a cut by hand falls on a span of the lane, or behind its last one.
///
/// # Errors
/// It does not; with the range that there is.
pub(super) fn cut(lane: &LaneSnapshot, at: Option<EventIx>, asked: Option<SpanIx>) -> Result<(), Failure> {
    let spans = at.map_or(0, |at| lane.spans_at(at));
    match asked {
        Some(cut) if cut.index() > spans => {
            let range = match spans {
                0 => format!("lane {} has no spans", lane.name),
                _ => format!("lane {} has the spans 0 to {} at that moment; a cut at {spans} keeps none", lane.name, spans - 1),
            };
            Err(Failure::usage(format!("there is no span {cut} to cut at")).next(range))
        }
        _ => Ok(()),
    }
}

fn after_line(snapshot: &Snapshot, lane: &LaneSnapshot, line: u32) -> Result<EventIx, Failure> {
    let place = |row: Option<&EventRow>| row.map(|row| row.place).unwrap_or_default();
    let (first, newest) = (place(lane.events.get(0)), place(lane.events.last()));
    let file = snapshot.facts.files.get(newest.file.index());
    let last = file.map_or(newest.line, |file| file.lines.max(newest.line));
    let range = format!("lane {}'s first event stands on line {}, and its file ends with line {last}", lane.name, first.line);
    if line > last {
        return Err(Failure::usage(format!("there is no line {line}")).next(range));
    }
    let before = lane.events.iter().take_while(|row| row.place.line <= line).count();
    let event = before.checked_sub(1).map(EventIx::from_index);
    event.ok_or_else(|| Failure::usage(format!("nothing of lane {} stands at or before line {line}", lane.name)).next(range))
}
