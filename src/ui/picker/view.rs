//! The list of sessions on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Candidate, Liveness, Picker};
use crate::base::text::{cut_end, width};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::view::{Canvas, Mode, key_bar, line_of, too_small};
use crate::ui::words;

pub(super) fn draw(picker: &Picker, buffer: &mut Buffer) {
    let mut canvas = Canvas::new(buffer, &picker.look.theme);
    if too_small(picker.size, &mut canvas) {
        return;
    }
    let screen = Rect::new(0, 0, picker.size.width, picker.size.height);
    head(picker, line_of(screen, 0), &mut canvas);
    canvas.titled_rule(line_of(screen, 1), &[Piece::new(Role::Focus, "Sessions")], None);
    let body = Rect { y: 3, height: screen.height.saturating_sub(4), ..screen };
    heading(line_of(screen, 2), &mut canvas);
    if picker.matching.is_empty() {
        empty(picker, body, &mut canvas);
    }
    let first = picker.list.first(picker.matching.len(), picker.page());
    for (n, at) in picker.matching.iter().enumerate().skip(first).take(picker.page()) {
        let Some(candidate) = picker.candidates.get(*at) else { continue };
        let line = line_of(body, n - first);
        row(picker, candidate, line, &mut canvas);
        if n == picker.list.selected {
            canvas.select(line, Some(1), Role::Selected);
        }
    }
    let bar = line_of(screen, usize::from(screen.height) - 1);
    match &picker.filter {
        Some(filter) => {
            let x = canvas.put(bar, 1, Role::Focus, "/");
            let x = canvas.put(bar, x, Role::Strong, filter);
            let x = canvas.put(bar, x, Role::Focus, "▏");
            canvas.put(bar, x + 2, Role::Dim, "enter open   esc show all");
        }
        None => key_bar(&picker.look.keymap, picker.context(), Mode::Look, bar, &mut canvas),
    }
}

fn head(picker: &Picker, line: Rect, canvas: &mut Canvas<'_>) {
    let live = picker.candidates.iter().filter(|candidate| candidate.liveness == Liveness::Live).count();
    let x = canvas.put(line, 0, Role::Dim, " owed  ");
    let x = canvas.put(line, x, Role::Strong, "which session?");
    let shown = match picker.matching.len() {
        n if n == picker.candidates.len() => words::counted(n, "session"),
        n => format!("{n} of {}", words::counted(picker.candidates.len(), "session")),
    };
    canvas.put(line, x + 2, Role::Dim, &format!("{shown} on this machine, {live} live"));
}

/// The columns, from the left: status, age, size, agent, project; the title takes the rest.
const AGE: usize = 3;
const SIZE: usize = 12;
const AGENT: usize = 21;
const PROJECT: usize = 34;
const TITLE: usize = 56;

fn heading(line: Rect, canvas: &mut Canvas<'_>) {
    let title = title_column(line);
    for (x, name) in [(AGE, "    last"), (SIZE, "    size"), (AGENT, "agent"), (PROJECT, "project"), (title, "about")] {
        canvas.put(line, x, Role::Dim, name);
    }
}

/// On a narrow screen the project gives way.
fn title_column(line: Rect) -> usize {
    if line.width < 80 { PROJECT + 14 } else { TITLE }
}

fn row(picker: &Picker, candidate: &Candidate, line: Rect, canvas: &mut Canvas<'_>) {
    if candidate.liveness == Liveness::Live {
        canvas.put(line, 1, Role::Opportunity, "●");
    }
    let title = title_column(line);
    let age = words::since_briefly(candidate.last, picker.now).unwrap_or_else(|| "-".to_owned());
    canvas.put(line, AGE + 8_usize.saturating_sub(width(&age)), Role::Text, &cut_end(&age, 8));
    let size = words::bytes(candidate.bytes);
    canvas.put(line, SIZE + 8_usize.saturating_sub(width(&size)), Role::Dim, &size);
    canvas.put(line, AGENT, Role::Dim, &cut_end(&candidate.agent, PROJECT - AGENT - 1));
    canvas.put(line, PROJECT, Role::Strong, &cut_end(&candidate.project, title - PROJECT - 1));
    canvas.put(line, title, Role::Text, &candidate.title);
}

fn empty(picker: &Picker, body: Rect, canvas: &mut Canvas<'_>) {
    let words = match picker.candidates.is_empty() {
        true => {
            ["No session was found on this machine.", "`owed demo` shows a sample; `owed FILE` opens a transcript by its path."]
        }
        false => {
            ["No session matches.", "Every word that you type must stand in its agent, project or title; esc shows all again."]
        }
    };
    for (n, words) in words.iter().enumerate() {
        canvas.put(line_of(body, n + 1), 3, if n == 0 { Role::Text } else { Role::Dim }, words);
    }
}
