//! The audit of a lane: what each of its boundaries lost, as rows, and which events are part of a finding.
//!
//! An audit is made of the newest state of a lane. A moment of the past is shown as much of it as had happened by then.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::narrow::{Narrow, entry_words};
use super::{App, Foot, List, Motion};
use crate::audit::{Audit, BoundaryAudit, Consequence, ConsequenceClass, Finding, FindingClass, Severity};
use crate::base::ids::{BoundaryIx, EntryId, EventIx, LaneIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::Entry;
use crate::session::{Progress, Snapshot};
use crate::ui::{rows, words};

/// The state of a lane of which an audit is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AuditKey {
    pub(crate) epoch: u32,
    pub(crate) lane: LaneIx,
    boundaries: usize,
    end: Option<EventIx>,
}

/// The newest audit, as rows, and the reader's place in it.
#[derive(Debug, Default)]
pub(crate) struct AuditState {
    /// None of the second: auditing failed.
    answer: Option<(AuditKey, Option<Arc<Audit>>)>,
    /// What the worker has been asked for and has not answered.
    asked: Option<AuditKey>,
    made: Option<Made>,
    /// A row for each boundary that has happened, and for each of its findings.
    all: Vec<AuditRow>,
    /// What of them is shown.
    rows: Vec<AuditRow>,
    pub(crate) narrow: Narrow,
    ties: BTreeMap<EventIx, Vec<Tie>>,
    pub(crate) list: List,
    /// The link of the selected finding's chain to which the reader was led last.
    pub(crate) link: Option<usize>,
    /// What is told of the selected row.
    pub(crate) foot: Foot<AuditRow>,
}

/// What the rows were made of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    key: Option<AuditKey>,
    epoch: u32,
    lane: LaneIx,
    end: Option<EventIx>,
    narrow: Narrow,
}

/// What is known of a lane's boundaries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Audited<'a> {
    /// Nothing yet.
    Waiting,
    /// That auditing failed: a defect.
    Failed,
    Known(&'a Audit),
}

/// A row of the pane, by place: a boundary of the audit, or a finding of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditRow {
    Boundary(usize),
    Finding(usize, usize),
}

/// What an event has to do with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tie {
    pub(crate) part: TiePart,
    pub(crate) boundary: BoundaryIx,
    pub(crate) class: FindingClass,
    pub(crate) severity: Severity,
}

/// As which part of a finding's chain an event stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TiePart {
    /// What was lost began here.
    Cause,
    /// It went wrong because of the loss.
    Cost(ConsequenceClass),
}

/// A link of the chain from cause to cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'a> {
    pub(crate) station: Station<'a>,
    pub(crate) event: EventIx,
    pub(crate) line: u32,
}

/// What a link is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Station<'a> {
    /// Where the entry that was hurt began.
    Cause(&'a Entry),
    /// The boundary that hurt it.
    Boundary(BoundaryIx),
    /// Where something else stands instead.
    After,
    /// What went wrong later, in one event.
    Cost(&'a [Consequence]),
}

impl AuditState {
    /// What to audit, if it has not been: a lane with a boundary that is new, or one that has grown while the pane is open. One audit
    /// at a time: of a lane that keeps growing, the answer to the last question is better than none.
    pub(crate) fn ask(&mut self, newest: &Snapshot, lane: LaneIx, open: bool) -> Option<AuditKey> {
        let snapshot = newest.lane(lane).filter(|lane| newest.progress == Progress::Complete && !lane.boundaries.is_empty())?;
        let key = AuditKey { epoch: newest.epoch, lane, boundaries: snapshot.boundaries.len(), end: snapshot.end() };
        let is_of_lane = |known: &AuditKey| (known.epoch, known.lane) == (key.epoch, key.lane);
        let is_enough =
            |known: &AuditKey| is_of_lane(known) && known.boundaries == key.boundaries && (!open || known.end == key.end);
        if self.asked.as_ref().is_some_and(is_of_lane) || self.answer.as_ref().is_some_and(|(known, _)| is_enough(known)) {
            return None;
        }
        self.asked = Some(key);
        self.asked
    }

    /// Takes the answer to what was asked; none: auditing failed.
    pub(crate) fn take(&mut self, key: AuditKey, audit: Option<Arc<Audit>>) -> bool {
        if self.asked != Some(key) {
            return false;
        }
        (self.asked, self.answer) = (None, Some((key, audit)));
        true
    }

    /// What is known of a lane.
    pub(crate) fn of(&self, epoch: u32, lane: LaneIx) -> Audited<'_> {
        match self.answer.as_ref().filter(|(key, _)| (key.epoch, key.lane) == (epoch, lane)) {
            None => Audited::Waiting,
            Some((_, None)) => Audited::Failed,
            Some((_, Some(audit))) => Audited::Known(audit),
        }
    }

    /// Brings the rows up to date with what is shown of a lane. The cursor stays on its row; at first it stands on the worst finding.
    pub(crate) fn refresh(&mut self, epoch: u32, ix: LaneIx, lane: &LaneSnapshot) {
        let (key, narrow) = (self.answer.as_ref().map(|(key, _)| *key), self.narrow.clone());
        let made = Made { key, epoch, lane: ix, end: lane.end(), narrow };
        if self.made.as_ref() == Some(&made) {
            return;
        }
        let held = self.made.as_ref().filter(|old| (old.epoch, old.lane) == (epoch, ix)).and_then(|_| self.selected());
        let (all, ties) = match self.of(epoch, ix) {
            Audited::Known(audit) => (rows_of(audit, lane), ties(audit, lane)),
            Audited::Waiting | Audited::Failed => (Vec::new(), BTreeMap::new()),
        };
        (self.all, self.ties, self.made) = (all, ties, Some(made));
        self.rows = self.left(lane);
        let place = held.and_then(|held| self.rows.iter().position(|row| *row == held));
        if place.is_none() {
            self.link = None;
        }
        match (place, self.worst()) {
            (Some(place), _) => self.list.selected = place,
            // With what it is a loss of above it.
            (None, worst) => self.list = List::below_its_heading(worst.unwrap_or(0), self.heading_of(worst)),
        }
    }

    /// The rows that words leave: a boundary with what it lost, or as much of that as is left.
    fn left(&self, lane: &LaneSnapshot) -> Vec<AuditRow> {
        let is_left = |row: &AuditRow| match (self.finding_at(*row), self.boundary_at(*row)) {
            (Some((boundary, finding)), _) => self.narrow.leaves(|| finding_words(lane, boundary, finding)),
            (None, Some(boundary)) => {
                let finding = |finding: &Finding| self.narrow.leaves(|| finding_words(lane, boundary, finding));
                !self.narrow.is_on() || boundary.findings.iter().any(finding)
            }
            (None, None) => false,
        };
        self.all.iter().copied().filter(is_left).collect()
    }

    /// The row of the worst finding, of equally bad ones the first.
    fn worst(&self) -> Option<usize> {
        let findings = self.rows.iter().enumerate().filter_map(|(n, row)| Some((n, self.finding_at(*row)?.1)));
        findings.min_by_key(|(n, finding)| (finding.gravity(), *n)).map(|(n, _)| n)
    }

    /// The row of the boundary of a row.
    fn heading_of(&self, row: Option<usize>) -> usize {
        let Some(AuditRow::Boundary(n) | AuditRow::Finding(n, _)) = row.and_then(|row| self.rows.get(row)) else { return 0 };
        self.rows.iter().position(|row| *row == AuditRow::Boundary(*n)).unwrap_or(0)
    }

    pub(crate) fn go(&mut self, motion: Motion, page: usize) {
        self.list.go(motion, self.rows.len(), page);
        self.link = None;
    }

    /// How many findings are shown, and of how many.
    pub(crate) fn findings(&self) -> (usize, usize) {
        let count = |rows: &[AuditRow]| rows.iter().filter(|row| matches!(row, AuditRow::Finding(..))).count();
        (count(&self.rows), count(&self.all))
    }

    pub(crate) fn rows(&self) -> &[AuditRow] {
        &self.rows
    }

    pub(crate) fn selected(&self) -> Option<AuditRow> {
        self.rows.get(self.list.selected).copied()
    }

    /// The boundary of a row.
    pub(crate) fn boundary_at(&self, row: AuditRow) -> Option<&BoundaryAudit> {
        let (AuditRow::Boundary(n) | AuditRow::Finding(n, _)) = row;
        self.answer.as_ref()?.1.as_ref()?.boundaries.get(n)
    }

    /// The finding of a row, with its boundary.
    pub(crate) fn finding_at(&self, row: AuditRow) -> Option<(&BoundaryAudit, &Finding)> {
        let AuditRow::Finding(_, n) = row else { return None };
        let boundary = self.boundary_at(row)?;
        Some((boundary, boundary.findings.get(n)?))
    }

    /// What an event has to do with findings, the worst first.
    pub(crate) fn ties(&self, event: EventIx) -> &[Tie] {
        self.ties.get(&event).map_or(&[], Vec::as_slice)
    }

    /// The rows from one event to another that are part of a finding, with the severity of the worst.
    pub(crate) fn ties_in(&self, from: EventIx, to: EventIx) -> impl Iterator<Item = (EventIx, Severity)> + '_ {
        let to = to.max(from);
        self.ties.range(from..to).filter_map(|(event, ties)| Some((*event, ties.first()?.severity)))
    }

    /// The first boundary before this one that had hurt the same entry.
    pub(crate) fn hurt_before(&self, boundary: BoundaryIx, entry: EntryId) -> Option<BoundaryIx> {
        let earlier = self.all.iter().filter_map(|row| self.finding_at(*row)).take_while(|(at, _)| at.boundary < boundary);
        let of_entry = |finding: &Finding| finding.entry.as_ref().is_some_and(|hurt| hurt.id == entry);
        earlier.into_iter().find(|(_, finding)| of_entry(finding)).map(|(at, _)| at.boundary)
    }

    /// What is known of a boundary; none while it is not audited.
    pub(crate) fn boundary(&self, boundary: BoundaryIx) -> Option<&BoundaryAudit> {
        self.all.iter().filter_map(|row| self.boundary_at(*row)).find(|audit| audit.boundary == boundary)
    }
}

/// A row for each boundary that has happened, and below it one for each of its findings.
fn rows_of(audit: &Audit, lane: &LaneSnapshot) -> Vec<AuditRow> {
    let happened = audit.boundaries.iter().enumerate().filter(|(_, b)| b.boundary.index() < lane.boundaries.len());
    let rows = |(n, boundary): (usize, &BoundaryAudit)| {
        let findings = (0..boundary.findings.len()).map(move |finding| AuditRow::Finding(n, finding));
        std::iter::once(AuditRow::Boundary(n)).chain(findings)
    };
    happened.flat_map(rows).collect()
}

/// What a finding is found by: its boundary, its class, how bad it is, what it is about and what it cost.
fn finding_words(lane: &LaneSnapshot, boundary: &BoundaryAudit, finding: &Finding) -> String {
    let mut said = vec![words::boundary(lane, boundary.boundary), words::finding(finding.class)];
    said.push(finding.severity.word().to_owned());
    said.extend(finding.entry.as_ref().map(|entry| entry_words(lane, entry)));
    said.extend(finding.before.iter().chain(&finding.after).cloned());
    said.extend(finding.consequences.iter().map(|cost| format!("{} {}", words::consequence(cost.class), cost.text)));
    said.join(" ")
}

/// The rows of the time line that are part of a finding.
fn ties(audit: &Audit, lane: &LaneSnapshot) -> BTreeMap<EventIx, Vec<Tie>> {
    let mut ties: BTreeMap<EventIx, Vec<Tie>> = BTreeMap::new();
    for boundary in audit.boundaries.iter().filter(|b| b.boundary.index() < lane.boundaries.len()) {
        for finding in &boundary.findings {
            for link in chain(lane, boundary, finding) {
                let part = match link.station {
                    Station::Cause(_) => TiePart::Cause,
                    Station::Cost([first, ..]) => TiePart::Cost(first.class),
                    Station::Cost([]) | Station::Boundary(_) | Station::After => continue,
                };
                let tie = Tie { part, boundary: boundary.boundary, class: finding.class, severity: finding.severity };
                ties.entry(rows::row_of(lane, link.event).unwrap_or(link.event)).or_default().push(tie);
            }
        }
    }
    for ties in ties.values_mut() {
        ties.sort_by_key(|tie| Reverse(tie.severity));
    }
    ties
}

/// A finding from cause to cost, as far as it has happened in what is shown of its lane.
pub(crate) fn chain<'a>(lane: &LaneSnapshot, boundary: &BoundaryAudit, finding: &'a Finding) -> Vec<Link<'a>> {
    let line = |event: EventIx| lane.events.get(event.index()).map_or(0, |row| row.place.line);
    let cause = finding.entry.as_deref().map(|entry| (Station::Cause(entry), entry.opened.event));
    let at = lane.boundaries.get(boundary.boundary.index()).map(|row| (Station::Boundary(boundary.boundary), row.event));
    let after = finding.after_event.map(|event| (Station::After, event));
    let costs = finding.costs().filter_map(|cost| Some((Station::Cost(cost), cost.first()?.event)));
    let links = cause.into_iter().chain(at).chain(after).chain(costs);
    let happened = links.filter(|(_, event)| event.index() < lane.events.len());
    happened.map(|(station, event)| Link { station, event, line: line(event) }).collect()
}

impl App {
    /// The chain of the finding under the audit's cursor; of a boundary, itself.
    pub(crate) fn chain(&self) -> Vec<Link<'_>> {
        let (Some(lane), Some(row)) = (self.lane(), self.audit.selected()) else { return Vec::new() };
        if let Some((boundary, finding)) = self.audit.finding_at(row) {
            return chain(lane, boundary, finding);
        }
        let ix = self.audit.boundary_at(row).map(|audit| audit.boundary);
        let boundary = ix.and_then(|ix| Some((ix, lane.boundaries.get(ix.index())?.event)));
        let line = |event: EventIx| lane.events.get(event.index()).map_or(0, |row| row.place.line);
        boundary.map(|(ix, event)| Link { station: Station::Boundary(ix), event, line: line(event) }).into_iter().collect()
    }
}
