//! The sessions of this machine, live ones first, then project by project.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use ratatui::layout::Rect;

use super::{Listing, Preview};
use crate::base::text::{cut_end, cut_middle, width};
use crate::base::time::Stamp;
use crate::ui::activity::Activity;
use crate::ui::document::{Block, lay_out};
use crate::ui::layout::body;
use crate::ui::piece::Piece;
use crate::ui::theme::Role;
use crate::ui::view::{Canvas, inset, line_of, lines_of, verdict_role};
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

/// The list, and what is known of its sessions by now.
pub(crate) struct Sessions {
    candidates: Vec<Candidate>,
    /// Of each project, how many letters another one begins with as well.
    shared: BTreeMap<String, usize>,
    /// By row; none: it could not be read.
    known: BTreeMap<usize, Option<Preview>>,
    /// Cells of the longest name of a project.
    longest: usize,
}

/// So many sessions are looked into without being asked for, as long as all of them together have no more bytes than this.
const LOOKED_INTO: usize = 40;
const LOOKED_THROUGH: u64 = 256 << 20;

/// The columns, from the left: status, age, verdict, what is open, agent, project; the title takes the rest.
const AGE: usize = 3;
const VERDICT: usize = 12;
const OPEN: usize = 21;
const AGENT: usize = 27;
const PROJECT: usize = 40;

impl Sessions {
    pub(crate) fn new(candidates: Vec<Candidate>) -> Self {
        let names: BTreeSet<&String> = candidates.iter().map(|candidate| &candidate.project).collect();
        let common = |one: &str, other: &str| one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        let mut shared: BTreeMap<String, usize> = BTreeMap::new();
        // What begins most alike stands side by side.
        for (one, other) in names.iter().zip(names.iter().skip(1)) {
            for name in [one, other] {
                let most = shared.entry((*name).clone()).or_default();
                *most = (*most).max(common(one, other));
            }
        }
        let longest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        Self { candidates, shared, known: BTreeMap::new(), longest }
    }

    /// Where the title begins: the project has no more room than its longest name needs, and gives way on a narrow screen.
    fn title_column(&self, line: Rect) -> usize {
        let most = match line.width {
            0..70 => 10,
            70..110 => 16,
            _ => 22,
        };
        PROJECT + most.min(self.longest.max(7) + 2)
    }

    /// A project's name in so many cells; in its middle is cut what another one begins with as well.
    fn project<'n>(&self, name: &'n str, cells: usize) -> Cow<'n, str> {
        let is_told = self.shared.get(name).is_none_or(|shared| *shared + 1 < cells);
        if is_told { cut_end(name, cells) } else { cut_middle(name, cells) }
    }

    /// What the agent of a session is doing; none where that has not been looked into.
    fn activity(&self, row: usize, now: Stamp) -> Option<Activity> {
        self.known.get(&row).and_then(Option::as_ref).map(|known| Activity::at(&known.standing, now))
    }

    /// When the last thing happened in a session: as its records say, and as long as these are not known, its file.
    fn last(&self, row: usize) -> Option<Stamp> {
        let known = self.known.get(&row).and_then(Option::as_ref).and_then(|known| known.standing.newest);
        known.or_else(|| self.candidates.get(row)?.last)
    }

    /// Whether an agent is at work in a session: as its records say, and as long as these are not known, its file.
    fn is_live(&self, row: usize, now: Stamp) -> bool {
        match self.activity(row, now) {
            Some(activity) => activity.is_live(),
            None => self.candidates.get(row).is_some_and(|candidate| candidate.liveness == Liveness::Live),
        }
    }
}

impl Listing for Sessions {
    const QUESTION: &'static str = "which session?";
    const TITLE: &'static str = "Sessions";
    const PREVIEWS: bool = true;

    fn len(&self) -> usize {
        self.candidates.len()
    }

    fn words(&self, row: usize) -> String {
        let verdict = self.known.get(&row).and_then(|known| Some(known.as_ref()?.verdict.word())).unwrap_or_default();
        let of = |of: &Candidate| format!("{} {} {} {verdict}", of.project, of.title, of.agent);
        self.candidates.get(row).map(of).unwrap_or_default()
    }

    fn sum(&self, shown: usize, now: Stamp) -> String {
        let live = (0..self.candidates.len()).filter(|row| self.is_live(*row, now)).count();
        format!("{} on this machine, {live} live", words::shown_of(shown, self.candidates.len(), "session"))
    }

    fn heading(&self, line: Rect, canvas: &mut Canvas<'_>) {
        let names = [
            (AGE, "    last"),
            (VERDICT, "verdict"),
            (OPEN, "open"),
            (AGENT, "agent"),
            (PROJECT, "project"),
            (self.title_column(line), "about"),
        ];
        for (x, name) in names {
            canvas.put(line, x, Role::Dim, name);
        }
    }

    fn row(&self, row: usize, line: Rect, now: Stamp, canvas: &mut Canvas<'_>) {
        let Some(candidate) = self.candidates.get(row) else { return };
        let sign = match self.activity(row, now) {
            _ if self.is_live(row, now) => Some((Role::Opportunity, "●")),
            Some(Activity::WaitingForYou { .. }) => Some((Role::Text, "○")),
            _ => None,
        };
        if let Some((role, sign)) = sign {
            canvas.put(line, 1, role, sign);
        }
        let title = self.title_column(line);
        let age = words::since_briefly(self.last(row), now).unwrap_or_else(|| "-".to_owned());
        canvas.put(line, AGE + 8_usize.saturating_sub(width(&age)), Role::Text, &cut_end(&age, 8));
        match self.known.get(&row) {
            Some(Some(known)) => {
                canvas.put(line, VERDICT, verdict_role(known.verdict), known.verdict.word());
                if known.open > 0 {
                    canvas.put(line, OPEN, Role::Strong, &format!("{:>4}", known.open));
                }
            }
            Some(None) => {
                canvas.put(line, VERDICT, Role::Dim, "unreadable");
            }
            None => {}
        }
        canvas.put(line, AGENT, Role::Dim, &cut_end(&candidate.agent, PROJECT - AGENT - 1));
        // Of a row of sessions of one project the first names it.
        let above = row.checked_sub(1).and_then(|above| self.candidates.get(above));
        let again = above.is_some_and(|above| (above.liveness, &above.project) == (candidate.liveness, &candidate.project));
        let role = if again { Role::Dim } else { Role::Strong };
        canvas.put(line, PROJECT, role, &self.project(&candidate.project, title - PROJECT - 1));
        canvas.put(line, title, Role::Text, &candidate.title);
    }

    fn unknown(&self, selected: usize) -> Vec<usize> {
        // Live ones first, then the newest, until all of it would be too much to read.
        let mut rows: Vec<usize> = (0..self.candidates.len()).collect();
        let of = |row: &usize| self.candidates.get(*row);
        rows.sort_by_key(|row| of(row).map(|candidate| (candidate.liveness == Liveness::Quiet, Reverse(candidate.last))));
        let sums = rows.iter().scan(0_u64, |sum, row| {
            *sum = sum.saturating_add(of(row).map_or(0, |candidate| candidate.bytes));
            Some(*sum)
        });
        let many = sums.take_while(|sum| *sum <= LOOKED_THROUGH).count();
        rows.truncate(many.min(LOOKED_INTO));
        // What is asked for last is looked into first: the selected one, then the others from the first.
        rows.retain(|row| *row != selected);
        rows.reverse();
        rows.push(selected);
        rows.retain(|row| !self.known.contains_key(row));
        rows
    }

    fn take(&mut self, row: usize, preview: Option<Preview>) {
        self.known.insert(row, preview);
    }

    fn preview(&self, row: usize, area: Rect, now: Stamp, canvas: &mut Canvas<'_>) {
        let Some(candidate) = self.candidates.get(row) else { return };
        canvas.titled_rule(area, &[Piece::new(Role::Strong, "Preview")], None);
        let inner = inset(body(area), 2, 1);
        let ago = words::since(self.last(row), now).map(|age| format!(" · {age} ago")).unwrap_or_default();
        let blocks = told(candidate, self.known.get(&row), self.activity(row, now), &ago);
        let lines = lay_out(&blocks, usize::from(inner.width), None).lines;
        for (line, pieces) in lines_of(inner).zip(&lines) {
            canvas.line(line_of(line, 0), 0, pieces);
        }
    }

    fn empty(&self) -> [&'static str; 2] {
        ["No session was found on this machine.", "`owed demo` shows a sample; `owed FILE` opens a transcript by its path."]
    }

    fn unmatched(&self) -> [&'static str; 2] {
        ["No session matches.", "Every word that you type must fit its project, title, agent or verdict; esc shows all again."]
    }
}

/// What is known of a session, with how long ago something last happened in it.
fn told(candidate: &Candidate, known: Option<&Option<Preview>>, activity: Option<Activity>, ago: &str) -> Vec<Block> {
    let mut blocks = vec![
        Block::text(Role::Strong, candidate.title.clone()),
        Block::text(Role::Dim, format!("{} · {} · {}{ago}", candidate.project, candidate.agent, words::bytes(candidate.bytes))),
    ];
    blocks.extend(activity.map(|activity| Block::text(Role::Text, activity.words())));
    blocks.push(Block::Gap);
    let known = match known {
        None => {
            blocks.push(Block::text(Role::Dim, "being read …"));
            return blocks;
        }
        Some(None) => {
            blocks.push(Block::text(Role::Dim, "It cannot be read as a transcript."));
            return blocks;
        }
        Some(Some(known)) => known,
    };
    let (tokens, window) = known.tokens;
    let verdict = vec![
        Piece::new(verdict_role(known.verdict), known.verdict.word()),
        Piece::new(
            Role::Text,
            format!("  {} open, {} live · {}/{}", known.open, known.live, words::tokens(tokens), words::tokens(window)),
        ),
        Piece::new(
            Role::Dim,
            match known.boundaries {
                0 => String::new(),
                n => format!(" · {}", words::counted(n, "compaction")),
            },
        ),
    ];
    blocks.push(Block::Text { line: verdict, hang: 2 });
    blocks.extend(known.reasons.iter().map(|entry| {
        let line = vec![
            Piece::new(Role::Dim, format!("- {}  ", words::kind(entry.kind))),
            Piece::new(Role::Text, words::whole(entry, known.directory.as_deref())),
        ];
        Block::Text { line, hang: 2 }
    }));
    blocks.push(Block::Gap);
    for (who, said) in ["you    ", "agent  "].into_iter().zip(&known.last) {
        if let Some(said) = said {
            let line = vec![Piece::new(Role::Dim, who), Piece::new(Role::Text, said.clone())];
            blocks.push(Block::Text { line, hang: who.len() });
        }
    }
    blocks
}
