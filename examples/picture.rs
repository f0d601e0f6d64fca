//! A picture of the screen: runs `owed` in a pseudo-terminal, presses keys, and writes what stands there as SVG.
//!
//! ```text
//! cargo run --example picture -- target/release/owed assets/screen.svg 120x36 'b Enter' sample-sessions/compacted.jsonl
//! ```

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;
use std::{env, fs, thread};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use vt100::{Color, Parser, Screen};

/// What may go wrong, as its user reads it.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Cells are this many pixels wide and high.
const CELL: (u16, u16) = (9, 19);

/// A screen that has not changed for this long is finished.
const STILL: Duration = Duration::from_millis(700);

/// The 16 colours of a terminal with a dark background.
const PALETTE: [&str; 16] = [
    "#1c1c1c", "#e06c6c", "#8fbf6f", "#e0b04f", "#6c9be0", "#b58be0", "#5fb9b9", "#d0d0d0", "#7a7a7a", "#ff8b8b", "#b4e08b",
    "#ffd787", "#8fb4ff", "#d7afff", "#8be0e0", "#f0f0f0",
];
const BACKGROUND: &str = "#161616";
const FOREGROUND: &str = "#d0d0d0";

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [program, picture, size, keys, rest @ ..] = args.as_slice() else {
        return Err("usage: picture PROGRAM OUT.svg COLUMNSxROWS 'KEYS' ARGUMENTS...".into());
    };
    let (columns, rows) = size.split_once('x').ok_or("a size is COLUMNSxROWS")?;
    let (columns, rows): (NonZeroU16, NonZeroU16) = (columns.parse()?, rows.parse()?);
    let pty = native_pty_system().openpty(PtySize { rows: rows.get(), cols: columns.get(), pixel_width: 0, pixel_height: 0 })?;
    let mut command = CommandBuilder::new(fs::canonicalize(program)?);
    command.args(rest);
    command.env("TERM", "xterm-256color");
    command.cwd(env!("CARGO_MANIFEST_DIR"));
    let mut child = pty.slave.spawn_command(command)?;
    drop(pty.slave);
    let output = bytes_of(pty.master.try_clone_reader()?)?;
    let mut input = pty.master.take_writer()?;
    let mut screen = Parser::new(rows, columns, 0);
    settle(&mut screen, &output);
    for key in keys.split_whitespace() {
        input.write_all(match key {
            "Enter" => b"\r",
            "Tab" => b"\t",
            "Esc" => b"\x1b",
            "Down" => b"\x1b[B",
            "Up" => b"\x1b[A",
            key => key.as_bytes(),
        })?;
        settle(&mut screen, &output);
    }
    fs::write(picture, svg(screen.screen())?)?;
    child.kill()?;
    Ok(())
}

/// What a pseudo-terminal says, read by a thread of its own.
fn bytes_of(mut reader: Box<dyn Read + Send>) -> Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = sync_channel(16);
    thread::Builder::new().name("pty".to_owned()).spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(n @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer.get(..n).unwrap_or_default().to_vec()).is_err() {
                break;
            }
        }
    })?;
    Ok(receiver)
}

/// Reads until nothing has come for a while.
fn settle(screen: &mut Parser, output: &Receiver<Vec<u8>>) {
    loop {
        match output.recv_timeout(STILL) {
            Ok(bytes) => screen.process(&bytes),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn svg(screen: &Screen) -> Result<String> {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let (width, height) = (columns * CELL.0 + 16, rows * CELL.1 + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"15\" xml:space=\"preserve\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{BACKGROUND}\"/>\n"
    );
    for row in 0..rows {
        for column in 0..columns {
            let Some(cell) =
                screen.cell(row, column).filter(|cell| cell.has_contents() || cell.bgcolor() != Color::Default || cell.inverse())
            else {
                continue;
            };
            let (mut front, mut back) = (colour(cell.fgcolor(), FOREGROUND), colour(cell.bgcolor(), BACKGROUND));
            if cell.inverse() {
                std::mem::swap(&mut front, &mut back);
            }
            let (x, y) = (8 + column * CELL.0, 8 + row * CELL.1);
            if back != BACKGROUND {
                writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{back}\"/>", CELL.0, CELL.1)?;
            }
            let text = cell.contents();
            if text.trim().is_empty() {
                continue;
            }
            let weight = if cell.bold() { " font-weight=\"bold\"" } else { "" };
            let faint = if cell.dim() { " opacity=\".6\"" } else { "" };
            let under = if cell.underline() { " text-decoration=\"underline\"" } else { "" };
            let baseline = y + CELL.1 - 5;
            writeln!(out, "<text x=\"{x}\" y=\"{baseline}\" fill=\"{front}\"{weight}{faint}{under}>{}</text>", escaped(text))?;
        }
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn colour(colour: Color, default: &str) -> String {
    match colour {
        Color::Default => default.to_owned(),
        Color::Idx(n) => PALETTE.get(usize::from(n)).map_or_else(|| default.to_owned(), |hex| (*hex).to_owned()),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
