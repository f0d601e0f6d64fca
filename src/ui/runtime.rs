//! The loop: waits for keys, snapshots and answers, and draws when a step says that something changed.
//!
//! **Invariants:** no tick, but the next second or minute of an age that is on the screen; not more than sixty frames a second,
//! and the first change after a rest is drawn at once.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Select};
use crossterm::event::{Event, KeyEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use super::feed::{Bell, Supply};
use super::msg::{Effect, Flow, Job, Msg, Step};
use super::outside::Outside;
use super::term::{Input, Terminal};
use super::{Clock, Error, Exit};

const FRAME: Duration = Duration::from_millis(16);
/// How long to wait where nothing will change by itself.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// What the loop runs: the open sessions, or the list of them.
pub(crate) trait Screen {
    /// The first step of a source's session.
    fn begin(&mut self, source: usize) -> Step;
    /// Takes a message of a source's, or from outside.
    fn update(&mut self, from: From, msg: Msg) -> Step;
    /// The source whose session the keys go to.
    fn front(&self) -> usize;
    /// Draws.
    fn draw(&self, buffer: &mut Buffer);
    /// When something on the screen changes although nothing happens: an age.
    fn next_change(&self) -> Option<Duration>;
}

/// Where a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Keys, the mouse, the clock: it goes to whatever is in front.
    Outside,
    /// A session or its worker.
    Source(usize),
}

/// Who does jobs.
pub(crate) trait Ask {
    /// Asks for one; the answer comes as a message.
    fn ask(&self, job: Job);
}

/// A session and its worker, as far as there are both.
pub(crate) struct Source {
    pub(crate) session: Option<(Box<dyn Supply>, Bell)>,
    pub(crate) worker: Option<(Box<dyn Ask>, Receiver<Msg>)>,
}

/// What lies around a screen.
pub(crate) struct Around<'a> {
    pub(crate) clock: &'a Clock,
    pub(crate) outside: &'a dyn Outside,
}

/// Runs a screen until it is left.
pub(crate) fn run(
    terminal: &mut Terminal,
    screen: &mut dyn Screen,
    sources: &[Source],
    around: &Around<'_>,
) -> Result<Exit, Error> {
    let mut pending: Vec<(usize, Step)> = (0..sources.len().max(1)).map(|n| (n, screen.begin(n))).collect();
    let mut due = now();
    // What stands there is another screen's, whether or not anything has changed in this one since.
    let mut dirty = true;
    let mut size = terminal.size()?;
    loop {
        for (source, mut step) in std::mem::take(&mut pending) {
            dirty |= step.changed;
            ask(sources, source, &mut step);
            for effect in std::mem::take(&mut step.effects) {
                if let Some(told) = perform(effect, terminal, around.outside)? {
                    ask(sources, screen.front(), &mut screen.update(From::Outside, Msg::Told(told)));
                }
                dirty = true;
            }
            match step.flow {
                Flow::Go | Flow::Turn(_) => {}
                Flow::Sessions => return Ok(Exit::Sessions),
                Flow::Close => return Ok(Exit::Closed),
                Flow::Quit => return Ok(Exit::Quit),
                Flow::Redraw => terminal.forget()?,
                Flow::Suspend => {
                    terminal.suspend()?;
                    dirty = true;
                }
            }
        }
        // Keys come first: what has been typed is taken in before the next frame.
        if let Ok(input) = terminal.input.try_recv() {
            match taken(input, terminal, screen)? {
                Some(next) => pending.push((screen.front(), next)),
                None => return Ok(Exit::Terminated),
            }
            continue;
        }
        if dirty && now() >= due {
            ask(sources, screen.front(), &mut screen.update(From::Outside, Msg::Clock((around.clock)())));
            // A change of size that comes together with a key is not always told.
            let known = std::mem::replace(&mut size, terminal.size()?);
            if known != size {
                ask(sources, screen.front(), &mut screen.update(From::Outside, Msg::Resize(size)));
            }
            terminal.draw(|buffer| screen.draw(buffer))?;
            (dirty, due) = (false, now() + FRAME);
        }
        let wait = if dirty { due.saturating_duration_since(now()) } else { screen.next_change().unwrap_or(FOREVER) };
        match heard(terminal, sources, wait) {
            Heard::Input(input) => match taken(input, terminal, screen)? {
                Some(step) => pending.push((screen.front(), step)),
                None => return Ok(Exit::Terminated),
            },
            Heard::Source(source, Some(msg)) => pending.push((source, screen.update(From::Source(source), msg))),
            Heard::Source(_, None) => {}
            Heard::Nothing if dirty => {}
            Heard::Nothing => {
                pending.push((screen.front(), screen.update(From::Outside, Msg::Clock((around.clock)()))));
            }
        }
    }
}

/// What the loop has heard.
enum Heard {
    Input(Input),
    Source(usize, Option<Msg>),
    /// Nothing, for as long as it was to wait.
    Nothing,
}

/// Waits for keys, for sessions and for their workers.
fn heard(terminal: &Terminal, sources: &[Source], wait: Duration) -> Heard {
    let mut select = Select::new();
    select.recv(&terminal.input);
    let mut ears = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        if let Some((supply, bell)) = &source.session {
            ears.push((select.recv(bell.rung()), n, Ear::Bell(bell.rung(), &**supply)));
        }
        if let Some((_, answers)) = &source.worker {
            ears.push((select.recv(answers), n, Ear::Worker(answers)));
        }
    }
    let Ok(operation) = select.select_timeout(wait) else { return Heard::Nothing };
    match ears.iter().find(|(index, ..)| *index == operation.index()) {
        None => Heard::Input(operation.recv(&terminal.input).unwrap_or(Input::Leave)),
        Some((_, n, Ear::Bell(rung, supply))) => {
            // A bell that nobody can ring any more says nothing.
            let heard = operation.recv(rung).ok();
            Heard::Source(*n, heard.map(|()| Msg::Session(supply.latest(), supply.following())))
        }
        Some((_, n, Ear::Worker(answers))) => Heard::Source(*n, operation.recv(answers).ok()),
    }
}

/// One of the things that are listened to.
enum Ear<'a> {
    Bell(&'a Receiver<()>, &'a dyn Supply),
    Worker(&'a Receiver<Msg>),
}

/// Hands the jobs of a step to the worker of its source.
fn ask(sources: &[Source], source: usize, step: &mut Step) {
    if let Some((worker, _)) = sources.get(source).and_then(|source| source.worker.as_ref()) {
        step.jobs.drain(..).for_each(|job| worker.ask(job));
    }
}

/// Does what a step wants done outside of the screen; what its reader is to be told of it.
fn perform(effect: Effect, terminal: &mut Terminal, outside: &dyn Outside) -> Result<Option<String>, Error> {
    match effect {
        Effect::Copy(text) => {
            terminal.copy(&text)?;
            outside.copy(&text);
        }
        Effect::Visit(visit) => return Ok(terminal.lend(|| outside.visit(&visit))?.err()),
        Effect::Alert(told) => terminal.say(&outside.alert(&told))?,
        Effect::Remember(arrangement) => outside.remember(arrangement),
    }
    Ok(None)
}

/// Takes what came from outside; none: we are asked to leave.
fn taken(input: Input, terminal: &mut Terminal, screen: &mut dyn Screen) -> Result<Option<Step>, Error> {
    let msg = match input {
        Input::Leave | Input::Interrupted => return Ok(None),
        Input::Suspend => return Ok(Some(Step { flow: Flow::Suspend, ..Step::default() })),
        Input::Resumed => {
            terminal.resume()?;
            return Ok(Some(Step { changed: true, ..Step::default() }));
        }
        Input::Event(Event::Key(key)) if key.kind != KeyEventKind::Release => Msg::Key(key),
        Input::Event(Event::Mouse(event)) => Msg::Mouse(event),
        Input::Event(Event::Resize(width, height)) => Msg::Resize(Size { width, height }),
        Input::Event(_) => return Ok(Some(Step::default())),
    };
    Ok(Some(screen.update(From::Outside, msg)))
}

#[expect(clippy::disallowed_methods, reason = "frames are paced by the machine's clock; nothing that is shown depends on it")]
fn now() -> Instant {
    Instant::now()
}
