//! The sessions that a scan found, worst first.

use ratatui::layout::Rect;

use super::Listing;
use crate::audit::Severity;
use crate::base::text::{cut_end, width};
use crate::base::time::Stamp;
use crate::ui::theme::Role;
use crate::ui::view::Canvas;
use crate::ui::words;

/// A session, and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The worst that it lost; none: nothing.
    pub worst: Option<Severity>,
    /// How bad it is, as a scan counts.
    pub score: u64,
    /// What may be compacted in it now, in one word.
    pub verdict: &'static str,
    /// What it lost, by class, in words.
    pub lost: String,
    /// The agent's id.
    pub agent: String,
    /// The project: the last part of its folder.
    pub project: String,
    /// The day of its last record: `2026-05-04`.
    pub day: String,
    /// What it is about.
    pub title: String,
}

/// The columns, from the left: status, score, verdict, what was lost, day, agent, project; the title takes the rest.
struct Columns {
    lost: usize,
    day: usize,
    agent: usize,
    project: usize,
    title: usize,
}

const SCORE: usize = 3;
const VERDICT: usize = 10;
const LOST: usize = 20;

/// What was lost is what the list is for: it takes what the others can spare. Where there is no room, the last ones stand outside.
fn columns(line: Rect) -> Columns {
    let cells = usize::from(line.width);
    let lost = match cells {
        0..100 => 26,
        100..160 => 40,
        _ => 60,
    };
    let day = LOST + lost;
    // A narrow screen names the project before the day and the agent.
    match cells {
        0..100 => Columns { lost, day: usize::MAX, agent: usize::MAX, project: day, title: day + 16 },
        _ => Columns { lost, day, agent: day + 11, project: day + 24, title: day + 42 },
    }
}

impl Listing for Vec<Case> {
    const QUESTION: &'static str = "which one first?";
    const TITLE: &'static str = "Triage";

    fn len(&self) -> usize {
        self.as_slice().len()
    }

    fn words(&self, row: usize) -> String {
        let of = |case: &Case| {
            let severity = case.worst.map_or("", Severity::word);
            [severity, case.verdict, &case.lost, &case.day, &case.agent, &case.project, &case.title].join(" ")
        };
        self.get(row).map(of).unwrap_or_default()
    }

    fn sum(&self, shown: usize, _: Stamp) -> String {
        let lossy = self.iter().filter(|case| case.worst.is_some()).count();
        format!("{}, {lossy} lost something", words::shown_of(shown, self.as_slice().len(), "session"))
    }

    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>) {
        let Columns { day, agent, project, title, .. } = columns(line);
        let names = [
            (SCORE, " score"),
            (VERDICT, "verdict"),
            (LOST, "lost at its compactions"),
            (day, "last"),
            (agent, "agent"),
            (project, "project"),
            (title, "about"),
        ];
        for (x, name) in names {
            canvas.put(line, x, Role::Dim, name);
        }
    }

    fn row(&self, row: usize, line: Rect, _: Stamp, canvas: &mut Canvas<'_>) {
        let Some(case) = self.get(row) else { return };
        let Columns { lost, day, agent, project, title } = columns(line);
        let (role, sign) = match case.worst {
            Some(Severity::High) => (Role::Barrier, "■"),
            Some(Severity::Medium | Severity::Low) => (Role::Repair, "▲"),
            None => (Role::Dim, "·"),
        };
        canvas.put(line, 1, role, sign);
        let score = case.score.to_string();
        canvas.put(line, SCORE + 6_usize.saturating_sub(width(&score)), Role::Text, &score);
        canvas.put(line, VERDICT, Role::Dim, case.verdict);
        canvas.put(line, LOST, Role::Strong, &cut_end(&case.lost, lost - 1));
        canvas.put(line, day, Role::Dim, &case.day);
        canvas.put(line, agent, Role::Dim, &cut_end(&case.agent, 12));
        canvas.put(line, project, Role::Text, &cut_end(&case.project, title - project - 1));
        canvas.put(line, title, Role::Dim, &case.title);
    }

    fn empty(&self) -> [&'static str; 2] {
        [
            "Nothing was found that the scan is to show.",
            "`owed formats` says which transcripts are known; the filters may leave everything out.",
        ]
    }

    fn unmatched(&self) -> [&'static str; 2] {
        [
            "No session matches.",
            "Every word that you type must stand in what it lost, its day, agent, project or title; esc shows all again.",
        ]
    }
}
