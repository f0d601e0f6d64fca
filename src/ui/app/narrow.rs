//! Words that narrow a list: of a list that is narrowed, the rows are left in which each of them stands, in any case and in any order.

use super::{App, Face, List, Pane, Tab};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::ui::words;

/// What a list is narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Narrow {
    typed: String,
    words: Vec<String>,
}

impl Narrow {
    pub(crate) fn of(typed: &str) -> Self {
        Self { typed: typed.trim().to_owned(), words: typed.to_lowercase().split_whitespace().map(str::to_owned).collect() }
    }

    /// As it was typed.
    pub(crate) fn typed(&self) -> &str {
        &self.typed
    }

    /// Each word, in small letters.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it leaves anything out.
    pub(crate) fn is_on(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether a row is left, which is asked for its words only if it matters.
    pub(crate) fn leaves(&self, row: impl FnOnce() -> String) -> bool {
        !self.is_on() || {
            let row = row().to_lowercase();
            self.words.iter().all(|word| row.contains(word))
        }
    }
}

/// What an entry is found by.
pub(crate) fn entry_words(lane: &LaneSnapshot, entry: &Entry) -> String {
    format!("{} {} {}", entry.id, words::kind_of(lane, entry.kind, entry.opened.event), entry.line_text)
}

impl App {
    /// What the list of a pane is narrowed by; none: it has no list of its own to look in.
    pub(crate) fn narrow(&self, pane: Pane) -> Option<&Narrow> {
        match pane {
            Pane::Pending => Some(&self.pending.narrow),
            Pane::Tab(Tab::Ledger) => Some(&self.ledger.narrow),
            Pane::Tab(Tab::Audit) => Some(&self.audit.narrow),
            Pane::Tab(Tab::Change) => Some(&self.change.narrow),
            Pane::Tab(Tab::DryRun) => Some(match self.panes.face {
                Face::Policy => &self.dry_run.narrow,
                Face::Versus => &self.versus.narrow,
                Face::All => self.survey.narrow(),
            }),
            Pane::Timeline | Pane::Tab(Tab::Why | Tab::Detail | Tab::Graph) => None,
        }
    }

    /// Narrows the list of a pane.
    pub(crate) fn set_narrow(&mut self, pane: Pane, narrow: Narrow) {
        match pane {
            Pane::Pending => self.pending.set_narrow(narrow),
            Pane::Tab(Tab::Ledger) => self.ledger.narrow = narrow,
            Pane::Tab(Tab::Audit) => self.audit.narrow = narrow,
            Pane::Tab(Tab::Change) => self.change.narrow = narrow,
            Pane::Tab(Tab::DryRun) => match self.panes.face {
                Face::Policy => self.dry_run.narrow = narrow,
                Face::Versus => self.versus.narrow = narrow,
                Face::All => self.survey.set_narrow(narrow),
            },
            Pane::Timeline | Pane::Tab(Tab::Why | Tab::Detail | Tab::Graph) => {}
        }
    }

    /// How many rows words leave of the list of a pane, and of how many; none where no words do. Headings are no rows.
    pub(crate) fn narrowed(&self, pane: Pane) -> Option<(usize, usize)> {
        self.narrow(pane).filter(|narrow| narrow.is_on())?;
        match pane {
            Pane::Pending => Some((self.pending.shown().len(), self.pending.rows.len())),
            Pane::Tab(Tab::Ledger) => Some((self.ledger.rows.len(), self.ledger.chips.passing(self.ledger.asked))),
            Pane::Tab(Tab::Audit) => Some(self.audit.findings()),
            Pane::Tab(Tab::Change) => Some((self.change.entries(), self.change.all)),
            Pane::Tab(Tab::DryRun) => match self.panes.face {
                Face::Policy => Some((self.dry_run.rows.iter().filter(|row| row.is_thing()).count(), self.dry_run.all)),
                Face::Versus => Some((self.versus.rows.iter().filter(|row| row.is_thing()).count(), self.versus.all)),
                Face::All => Some((self.survey.len(), self.survey.all())),
            },
            Pane::Timeline | Pane::Tab(Tab::Why | Tab::Detail | Tab::Graph) => None,
        }
    }

    /// Whether words leave nothing of the list of a pane.
    pub(crate) fn is_narrowed_to_nothing(&self, pane: Pane) -> bool {
        self.narrowed(pane).is_some_and(|(left, _)| left == 0)
    }

    /// The list of a pane, and how many rows it has; none: it has none.
    pub(crate) fn list(&self, pane: Pane) -> Option<(List, usize)> {
        match pane {
            Pane::Pending => Some((self.pending.list, self.pending.shown().len())),
            Pane::Tab(Tab::DryRun) => Some(match self.panes.face {
                Face::Policy => (self.dry_run.list, self.dry_run.rows.len()),
                Face::Versus => (self.versus.list, self.versus.rows.len()),
                Face::All => (self.survey.list, self.survey.len()),
            }),
            Pane::Tab(Tab::Ledger) => Some((self.ledger.list, self.ledger.rows.len())),
            Pane::Tab(Tab::Graph) => Some((self.graph.list, self.graph.lines.len())),
            Pane::Tab(Tab::Audit) => Some((self.audit.list, self.audit.rows().len())),
            Pane::Tab(Tab::Change) => Some((self.change.list, self.change.rows.len())),
            Pane::Timeline | Pane::Tab(Tab::Why | Tab::Detail) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_stand_in_a_row_in_any_case_and_order() {
        for (typed, row, left) in [
            ("", "anything", true),
            ("  ", "anything", true),
            ("codex", "Codex local", true),
            ("LOCAL cod", "codex local", true),
            ("codex remote", "codex local", false),
            ("größe", "Die GRÖSSE, die Größe", true),
        ] {
            assert_eq!(Narrow::of(typed).leaves(|| row.to_owned()), left, "{typed} in {row}");
        }
    }
}
