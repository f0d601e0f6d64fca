//! A session that was read, against its expectations. Every difference is told, not only the first.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use owed::base::ids::{EventIx, LaneIx, SpanIx};
use owed::compaction::{Ask, Colour, Judgement, Models, Policies, Strictness, Urgency, judge};
use owed::ledger::LaneSnapshot;
use owed::ledger::Rulebook;
use owed::ledger::effects::EffectStatus;
use owed::ledger::entry::EntryKind;
use owed::ledger::rows::{BoundaryRow, EventKind, SpanKind};
use owed::session::{Options, Snapshot, read};
use owed::transcript::ResolutionStatus;

use crate::expect::{Expect, State};

/// What differs between the session at `path` and what is expected of it.
pub(crate) fn differences(path: &Path, expect: &Expect) -> Vec<String> {
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let snapshot = read(path, &options).unwrap();
    let mut found = Found::default();
    facts(&snapshot, expect, &mut found);
    let main = Arc::clone(snapshot.lane(LaneIx(0)).unwrap());
    lane(&main, expect, &mut found);
    for state in expect.moments.iter().chain([&expect.end]) {
        moment(&snapshot, &main, expect, state, &mut found);
    }
    found.0
}

#[derive(Default)]
struct Found(Vec<String>);

impl Found {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: impl std::fmt::Display, is: T, should: T) {
        if is != should {
            self.0.push(format!("{what}: is {is:?}, should be {should:?}"));
        }
    }
}

fn facts(snapshot: &Snapshot, expect: &Expect, found: &mut Found) {
    found.same("format", snapshot.facts.agent.0, &expect.format);
    found.same("version", snapshot.facts.version.as_deref(), expect.version.as_deref());
    found.same("unknown records", &snapshot.facts.unrecognised, &BTreeMap::new());
    found.same("oddities", &snapshot.facts.diagnostics, &Vec::new());
    found.same("mistakes in side ledgers", &snapshot.facts.mistakes, &Vec::new());
    let is = snapshot.lanes.iter().skip(1).map(|lane| {
        (lane.name.as_ref(), lane.parent.as_deref().unwrap_or("nobody"), lane.calls.len(), kinds(lane, EventKind::Resolution))
    });
    let should = expect.lanes.iter().map(|lane| (lane.name.as_str(), lane.parent.as_str(), lane.calls, lane.resolutions));
    found.same("lanes", is.collect::<Vec<_>>(), should.collect());
}

fn lane(lane: &LaneSnapshot, expect: &Expect, found: &mut Found) {
    if lane.events.len() < expect.events {
        found.same("events", lane.events.len(), expect.events);
    }
    found.same("prompts", kinds(lane, EventKind::Prompt), expect.prompts);
    found.same("calls", lane.calls.len(), expect.calls);
    found.same("resolutions", kinds(lane, EventKind::Resolution), expect.resolutions);
    let mut anomalies = BTreeMap::new();
    for anomaly in lane.anomalies.iter() {
        *anomalies.entry(anomaly.kind.to_string()).or_default() += 1;
    }
    found.same("anomalies", &anomalies, &expect.anomalies);
    for ends in &expect.ends {
        let should = Some((ends.end.as_str(), ends.effect.as_deref()));
        found.same(format!("the call on line {}", ends.line), ended(lane, ends.line), should);
    }
    let is: Vec<_> = lane.boundaries.iter().map(|row| boundary(lane, row)).collect();
    let should = expect.boundaries.iter().map(|b| (b.line, b.kind.as_str(), b.trigger.as_str(), b.kept, b.masked)).collect();
    found.same("boundaries", is, should);
    for (row, expected) in lane.boundaries.iter().zip(&expect.boundaries) {
        if expected.before.is_some() {
            found.same(format!("tokens before line {}", expected.line), row.before, expected.before);
        }
    }
}

/// The state after everything that stands on the moment's line, or at the end.
fn moment(snapshot: &Snapshot, lane: &LaneSnapshot, expect: &Expect, state: &State, found: &mut Found) {
    let at = state.line.map_or(lane.end(), |line| event_at(lane, line)).unwrap();
    let place = state.line.map_or("at the end".to_owned(), |line| format!("after line {line}"));
    let judgement = judged(snapshot, lane, at);
    found.same(format!("window {place}"), judgement.context.window, expect.window);
    if let Some(verdict) = &state.verdict {
        found.same(format!("verdict {place}"), judgement.verdict.word(), verdict);
    }
    if let Some(pressure) = &state.pressure {
        found.same(format!("pressure {place}"), judgement.context.pressure.word(), pressure);
    }
    if let Some(open) = &state.open {
        let is = lane.calls.iter().filter(|call| call.event <= at && call.end_at(at).is_none());
        found.same(format!("open calls {place}"), is.map(|call| call.id.to_string()).collect(), open.clone());
    }
    let live = lane.live_at(at);
    if let Some(unknown) = &state.unknown {
        let is: Vec<_> = live.iter().filter(|entry| entry.kind == EntryKind::Effect).collect();
        let intents: Vec<_> = is.iter().filter_map(|entry| entry.action.as_ref()).map(|action| action.intent.to_string()).collect();
        let fits = |part: &String| intents.iter().any(|intent| intent.contains(part.as_str()));
        let stray = intents.iter().any(|intent| !unknown.iter().any(|part| intent.contains(part.as_str())));
        if stray || !unknown.iter().all(fits) {
            found.same(format!("unknown effects {place}"), intents, unknown.clone());
        }
    }
    for recorded in &state.recorded {
        let (key, status) = recorded.split_once(' ').unwrap_or((recorded, "live"));
        let is: Vec<_> = lane.entries_until(at).filter(|entry| entry.key == key).filter_map(|entry| entry.status_at(at)).collect();
        let known = is.iter().any(|is| is.word() == status);
        found.same(format!("`{key}` is {status} {place}"), known, true);
    }
    for done in &state.done {
        let known = live.iter().any(|entry| entry.kind == EntryKind::Done && entry.text.contains(done.as_str()));
        found.same(format!("`{done}` is done {place}"), known, true);
    }
    for lost in &state.lost {
        let mut entries = judgement.lost.iter().filter_map(|id| lane.entry(*id));
        found.same(format!("`{lost}` is lost {place}"), entries.any(|entry| entry.text.contains(lost.as_str())), true);
    }
    if let Some(barriers) = &state.barriers {
        let should = barriers.iter().map(|line| span_line(lane, *line)).collect();
        found.same(format!("red spans {place}"), red(lane, &judgement), should);
    }
}

fn judged(snapshot: &Snapshot, lane: &LaneSnapshot, at: EventIx) -> Judgement {
    let (policies, models) = (Policies::load(&[]).unwrap(), Models::load(None).unwrap());
    let recorded = lane.usage.iter().rev().find(|usage| usage.event <= at).and_then(|usage| usage.window);
    let ask = Ask {
        at: Some(at),
        policy: policies.of_agent(snapshot.facts.agent.0).unwrap(),
        window: models.window_for(lane.model.as_deref(), recorded, None),
        budget: None,
        cut: None,
        strictness: Strictness::Normal,
        urgency: Urgency::Measured,
    };
    judge(lane, &ask)
}

/// The first lines of the spans that are red.
fn red(lane: &LaneSnapshot, judgement: &Judgement) -> Vec<u32> {
    let red = judgement.spans.iter().filter(|view| view.colour == Colour::Barrier);
    red.map(|view| first_line(lane, view.span)).collect()
}

/// The first line of the span that a line belongs to.
fn span_line(lane: &LaneSnapshot, line: u32) -> u32 {
    let span = lane.events.iter().find(|row| row.place.line == line).and_then(|row| row.span);
    first_line(lane, span.unwrap_or_else(|| panic!("nothing of a span stands on line {line}")))
}

fn first_line(lane: &LaneSnapshot, span: SpanIx) -> u32 {
    lane.events.get(lane.spans.get(span.index()).unwrap().first.index()).unwrap().place.line
}

/// The newest event on or before a line.
fn event_at(lane: &LaneSnapshot, line: u32) -> Option<EventIx> {
    lane.events.iter().filter(|row| row.place.line <= line).count().checked_sub(1).map(EventIx::from_index)
}

fn kinds(lane: &LaneSnapshot, kind: EventKind) -> usize {
    lane.events.iter().filter(|row| row.kind == kind).count()
}

fn ended(lane: &LaneSnapshot, line: u32) -> Option<(&'static str, Option<&'static str>)> {
    let event =
        lane.events.iter().position(|row| row.place.line == line && row.kind == EventKind::Call).map(EventIx::from_index)?;
    let end = lane.calls.iter().find(|call| call.event == event)?.ended()?;
    let word = match end.how.status() {
        ResolutionStatus::Result => "result",
        ResolutionStatus::Error => "error",
        ResolutionStatus::Abandoned => "abandoned",
    };
    Some((word, end.effect.map(EffectStatus::word)))
}

fn boundary(lane: &LaneSnapshot, row: &BoundaryRow) -> (u32, &'static str, &'static str, usize, usize) {
    let before = lane.spans.range(0..row.spans_before.index());
    let kept = before.filter(|span| span.kind == SpanKind::Prompt && lane.in_context(span, row.event)).count();
    (lane.events.get(row.event.index()).unwrap().place.line, row.kind.word(), row.trigger.word(), kept, row.masked.len())
}
