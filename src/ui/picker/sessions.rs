//! The sessions of this machine, live ones first.

use ratatui::layout::Rect;

use super::Listing;
use crate::base::text::{cut_end, width};
use crate::base::time::Stamp;
use crate::ui::theme::Role;
use crate::ui::view::Canvas;
use crate::ui::words;

/// A session that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The agent's id.
    pub agent: String,
    /// The project: the last part of its folder.
    pub project: String,
    /// What it is about.
    pub title: String,
    /// When it was last written to.
    pub last: Option<Stamp>,
    /// The size of its files, in bytes.
    pub bytes: u64,
    /// Whether an agent is at work in it.
    pub liveness: Liveness,
}

/// Whether an agent is at work in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// One is, as far as can be told.
    Live,
    /// Nothing says so.
    Quiet,
}

/// The columns, from the left: status, age, size, agent, project; the title takes the rest.
const AGE: usize = 3;
const SIZE: usize = 12;
const AGENT: usize = 21;
const PROJECT: usize = 34;
const TITLE: usize = 56;

impl Listing for Vec<Candidate> {
    const QUESTION: &'static str = "which session?";
    const TITLE: &'static str = "Sessions";

    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn words(&self, row: usize) -> String {
        self.get(row).map(|of| format!("{} {} {}", of.agent, of.project, of.title)).unwrap_or_default()
    }

    fn sum(&self, shown: usize) -> String {
        let live = self.iter().filter(|candidate| candidate.liveness == Liveness::Live).count();
        format!("{} on this machine, {live} live", words::shown_of(shown, self.as_slice().len(), "session"))
    }

    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>) {
        let title = title_column(line);
        for (x, name) in [(AGE, "    last"), (SIZE, "    size"), (AGENT, "agent"), (PROJECT, "project"), (title, "about")] {
            canvas.put(line, x, Role::Dim, name);
        }
    }

    fn row(&self, row: usize, line: Rect, now: Stamp, canvas: &mut Canvas<'_>) {
        let Some(candidate) = self.get(row) else { return };
        if candidate.liveness == Liveness::Live {
            canvas.put(line, 1, Role::Opportunity, "●");
        }
        let title = title_column(line);
        let age = words::since_briefly(candidate.last, now).unwrap_or_else(|| "-".to_owned());
        canvas.put(line, AGE + 8_usize.saturating_sub(width(&age)), Role::Text, &cut_end(&age, 8));
        let size = words::bytes(candidate.bytes);
        canvas.put(line, SIZE + 8_usize.saturating_sub(width(&size)), Role::Dim, &size);
        canvas.put(line, AGENT, Role::Dim, &cut_end(&candidate.agent, PROJECT - AGENT - 1));
        canvas.put(line, PROJECT, Role::Strong, &cut_end(&candidate.project, title - PROJECT - 1));
        canvas.put(line, title, Role::Text, &candidate.title);
    }

    fn empty(&self) -> [&'static str; 2] {
        ["No session was found on this machine.", "`owed demo` shows a sample; `owed FILE` opens a transcript by its path."]
    }

    fn unmatched(&self) -> [&'static str; 2] {
        ["No session matches.", "Every word that you type must stand in its agent, project or title; esc shows all again."]
    }
}

/// On a narrow screen the project gives way.
fn title_column(line: Rect) -> usize {
    if line.width < 80 { PROJECT + 14 } else { TITLE }
}
