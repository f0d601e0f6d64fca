//! The terminal: taken once, given back whatever happens.
//!
//! **Invariant:** after a return, an error, a panic, SIGTERM, SIGHUP, SIGQUIT or a suspension the terminal is as it was found: cooked, on
//! its own screen, with its cursor, without mouse reports.

mod background;
mod clipboard;
mod gate;

use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

pub use self::background::Background;
use self::gate::{Gate, Passage};

/// Room for input that has not been looked at: more than a hand can type while a frame is drawn.
const INPUT: usize = 256;

/// Whether the mouse scrolls and selects, or is left to the terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mouse {
    /// The terminal's own selection works.
    #[default]
    Left,
    /// The wheel scrolls, a click selects.
    Taken,
}

/// What comes from outside.
#[derive(Debug)]
pub(crate) enum Input {
    /// The terminal has something to say.
    Event(Event),
    /// Another process asks us to stop for a while.
    Suspend,
    /// We are back after a stop that nobody announced.
    Resumed,
    /// Another process, or the end of the terminal, asks us to leave.
    Leave,
    /// Somebody asks whatever has the terminal to stop what it does.
    Interrupted,
}

/// A terminal that is in our hands. Dropping it gives it back.
pub struct Terminal {
    /// Never dropped: where the terminal is gone, its own farewell panics, since it cannot even say that it failed.
    inner: ManuallyDrop<ratatui::Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
    pub(crate) input: Receiver<Input>,
    held: Arc<Held>,
    gate: Arc<Gate>,
}

/// What the panic hook must know to give the terminal back.
struct Held {
    ours: AtomicBool,
    mouse: Mouse,
    /// What threads that do not draw said when they failed; it would spoil the screen.
    complaints: Mutex<Vec<String>>,
}

impl Terminal {
    /// Takes the terminal.
    ///
    /// # Errors
    /// There is none, or it refuses.
    pub fn open(mouse: Mouse) -> io::Result<Self> {
        let held = Arc::new(Held { ours: AtomicBool::new(false), mouse, complaints: Mutex::default() });
        // From here on a failure drops `held`'s owner below, or is told by the hook: the terminal is given back on both ways.
        hook_panics(held.clone());
        held.take()?;
        let (sender, input) = bounded(INPUT);
        let inner = ratatui::Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stdout())));
        let started = inner.and_then(|inner| {
            let gate = Arc::<Gate>::default();
            listen_to_signals(sender.clone(), Arc::clone(&gate))?;
            listen_to_keys(sender, Arc::clone(&gate))?;
            Ok((inner, gate))
        });
        match started {
            Ok((inner, gate)) => Ok(Self { inner: ManuallyDrop::new(inner), input, held, gate }),
            Err(error) => {
                held.give_back();
                Err(error)
            }
        }
    }

    /// What threads that do not draw said when they failed: to be told once the terminal is given back.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        self.held.complaints.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its size, in cells.
    ///
    /// # Errors
    /// It does not say.
    pub(crate) fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    /// Draws a frame; the terminal shows it at once or not at all.
    pub(crate) fn draw(&mut self, view: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        queue!(self.inner.backend_mut(), BeginSynchronizedUpdate)?;
        self.inner.draw(|frame| view(frame.buffer_mut()))?;
        execute!(self.inner.backend_mut(), EndSynchronizedUpdate)
    }

    /// Forgets what is on the screen, so that the next frame draws every cell. `clear` would ask the terminal where its cursor is,
    /// and wait for ever: the thread that reads the keys would get the answer.
    pub(crate) fn forget(&mut self) -> io::Result<()> {
        let size = self.inner.size()?;
        self.inner.resize(size.into())
    }

    /// Gives the terminal to the shell until it calls us back.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        self.held.give_back();
        stop_here()?;
        self.resume()
    }

    /// Lends the terminal, keys and all, to somebody else for a while.
    pub(crate) fn lend<T>(&mut self, borrow: impl FnOnce() -> T) -> io::Result<T> {
        self.gate.close(&self.input)?;
        self.held.give_back();
        let done = borrow();
        // What was meant for the borrower is not for us; that we are to leave, is.
        let is_to_leave = std::iter::from_fn(|| self.input.try_recv().ok()).any(|input| matches!(input, Input::Leave));
        let taken = if is_to_leave { Err(io::ErrorKind::Interrupted.into()) } else { self.resume() };
        self.gate.open();
        taken.map(|()| done)
    }

    /// Tells the terminal to put a text into the clipboard of the machine that it runs on: that is the reader's, also over ssh.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        match clipboard::osc52(text) {
            Some(sequence) => self.say(&sequence),
            None => Ok(()),
        }
    }

    /// Writes what is no part of the screen.
    pub(crate) fn say(&mut self, sequence: &str) -> io::Result<()> {
        let out = self.inner.backend_mut();
        out.write_all(sequence.as_bytes())?;
        Write::flush(out)
    }

    /// Takes the terminal again, also where somebody else has used it without a word.
    pub(crate) fn resume(&mut self) -> io::Result<()> {
        self.held.give_back();
        self.held.take()?;
        self.forget()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.held.give_back();
    }
}

impl Held {
    fn take(&self) -> io::Result<()> {
        enable_raw_mode()?;
        self.ours.store(true, Ordering::SeqCst);
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        if self.mouse == Mouse::Taken {
            execute!(stdout(), EnableMouseCapture)?;
        }
        Ok(())
    }

    /// Leaves the terminal as it was found; once, however often it is called. There is nobody to tell about a failure.
    fn give_back(&self) {
        if !self.ours.swap(false, Ordering::SeqCst) {
            return;
        }
        let mut out = stdout();
        let restored = [
            if self.mouse == Mouse::Taken { queue!(out, DisableMouseCapture) } else { Ok(()) },
            queue!(out, EndSynchronizedUpdate, LeaveAlternateScreen, Show),
            out.flush(),
            disable_raw_mode(),
        ];
        drop(restored);
    }
}

/// A panic of the thread that draws is told on a terminal that has been given back; one of another thread is kept for later.
fn hook_panics(held: Arc<Held>) {
    let before = panic::take_hook();
    let drawing = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == drawing || !held.ours.load(Ordering::SeqCst) {
            held.give_back();
            before(info);
        } else {
            held.complaints.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
        }
    }));
}

fn listen_to_keys(sender: Sender<Input>, gate: Arc<Gate>) -> io::Result<()> {
    // From now on a change of size is noticed, also one that comes before the thread first listens.
    _ = crossterm::event::poll(Duration::ZERO)?;
    thread::Builder::new().name("owed-input".to_owned()).spawn(move || {
        loop {
            let input = crossterm::event::read().map_or(Input::Leave, Input::Event);
            if gate.wait() == Passage::WasClosed {
                // What woke it was the call to leave the keys alone.
                continue;
            }
            let over = matches!(input, Input::Leave);
            if sender.send(input).is_err() || over {
                break;
            }
        }
    })?;
    Ok(())
}

#[cfg(unix)]
fn listen_to_signals(sender: Sender<Input>, gate: Arc<Gate>) -> io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    thread::Builder::new().name("owed-signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let input = match signal {
                // Whoever has borrowed the terminal stops, and the shell gets it only if we do too.
                SIGTSTP if gate.is_closed() => match stop_here() {
                    Ok(()) => continue,
                    Err(_) => Input::Leave,
                },
                SIGTSTP => Input::Suspend,
                SIGCONT => Input::Resumed,
                SIGINT => Input::Interrupted,
                _ => Input::Leave,
            };
            if sender.send(input).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn listen_to_signals(_: Sender<Input>, _: Arc<Gate>) -> io::Result<()> {
    Ok(())
}

/// Stops this process, as the terminal's own key would have.
#[cfg(unix)]
fn stop_here() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}

#[cfg(not(unix))]
fn stop_here() -> io::Result<()> {
    Ok(())
}
