//! The one place that changes the app: a message in, a step out.
//!
//! **Invariant:** what has to be drawn or done again follows from the state after the message, so no call site can forget it.

mod act;
mod audit;
mod detail;
mod dry_run;
mod entries;
mod jump;
mod mouse;
mod outside;
mod panes;
mod prompt;
mod search;
mod sieve;
mod time;
mod timeline;

use std::sync::Arc;

pub(crate) use self::act::show_beside;
pub(crate) use self::audit::show as show_findings;
pub(crate) use self::time::replay;
use super::app::{App, DocumentKey, Face, Form, LONG_LINE, Recent, Tab, Time, TimelineState, Turned, Word, Wrap, why};
use super::assess::{Assessment, Seat};
use super::layout::Layout;
use super::msg::{Effect, Flow, Job, Msg, Step};
use super::outside::Columns;
use super::rows::Row;
use super::{view, words};
use crate::base::ids::LaneIx;
use crate::base::time::Stamp;
use crate::ledger::rows::EventKind;
use crate::session::{Progress, Snapshot};

/// Takes one message.
pub(crate) fn update(app: &mut App, msg: Msg) -> Step {
    let mut flow = Flow::Go;
    let changed = match msg {
        Msg::Key(key) if app.prompt.is_some() => {
            flow = prompt::key(app, key);
            true
        }
        Msg::Key(key) => match app.look.keymap.action(app.context(), key) {
            Some(action) => {
                app.notice = None;
                flow = act::act(app, action);
                true
            }
            None => false,
        },
        Msg::Mouse(event) if app.prompt.is_some() => {
            flow = prompt::mouse(app, event);
            true
        }
        Msg::Mouse(event) => mouse::mouse(app, event),
        Msg::Resize(size) => {
            app.size = size;
            true
        }
        Msg::Clock(now) => {
            pass(app, now);
            time::tick(app);
            true
        }
        Msg::Session(snapshot, following) => {
            let otherwise = app.following != following;
            app.following = following;
            take_snapshot(app, snapshot) || otherwise
        }
        Msg::Assessed(Seat::One, answer) => take_assessment(app, answer),
        Msg::Assessed(Seat::Other, answer) => app.versus.judged.take(answer),
        Msg::Surveyed(ticket, outcome) => app.survey.take(&ticket, outcome),
        Msg::Audited(key, audit) => app.audit.take(key, audit),
        Msg::Text(key, text) => outside::take(app, key, text),
        // The list of sessions has an update of its own.
        Msg::Scouted(..) => false,
        Msg::Told(told) => {
            app.notice = Some(told);
            true
        }
        Msg::Document(key, document) => {
            app.detail.answer(key, document);
            true
        }
        Msg::Searched(key, found, until) => {
            let taken = app.search.take(&key, &found, until);
            if taken {
                search::go_on(app);
            }
            taken
        }
        Msg::NotAssessed(Seat::One, ticket) => app.judged.fail(ticket),
        Msg::NotAssessed(Seat::Other, ticket) => app.versus.judged.fail(ticket),
    };
    if !changed && flow == Flow::Go {
        return Step::default();
    }
    settle(app);
    Step { changed, jobs: wanted(app), effects: std::mem::take(&mut app.outbox), flow }
}

/// The first step: nothing has happened, everything is to be asked for.
pub(crate) fn begin(app: &mut App) -> Step {
    if app.notice.is_none() {
        app.notice = words::mistakes(&app.snapshot.facts.mistakes);
    }
    settle(app);
    Step { changed: true, jobs: wanted(app), effects: std::mem::take(&mut app.outbox), flow: Flow::Go }
}

fn take_snapshot(app: &mut App, snapshot: Arc<Snapshot>) -> bool {
    let known = &app.time.newest;
    let more_mistakes = snapshot.facts.mistakes.len() > known.facts.mistakes.len();
    if (snapshot.epoch, snapshot.revision, snapshot.progress) == (known.epoch, known.revision, known.progress) {
        return false;
    }
    if snapshot.epoch != known.epoch {
        app.time = Time::new(Arc::clone(&snapshot));
        app.timeline = TimelineState::default();
        app.sieve.forget();
        app.trail.clear();
        app.graph.centre = None;
        app.detail.forget();
        app.judged.question.cut = None;
        app.lane = LaneIx(0);
        app.notice = Some("the file was replaced or cut off: read again from its start".to_owned());
    } else if let (Some(old), Some(new), None) = (known.lane(app.lane), snapshot.lane(app.lane), app.time.moment) {
        app.timeline.grown(old.events.len());
        if known.progress == Progress::Complete && new.events.len() > old.events.len() {
            app.recent = Some(Recent::noted(app.recent, old.events.len()));
        }
    }
    if more_mistakes {
        app.notice = words::mistakes(&snapshot.facts.mistakes);
    }
    app.time.newest = snapshot;
    true
}

/// It is later now: what was new is not any more, and a verdict that has changed for good is told.
pub(crate) fn pass(app: &mut App, now: Stamp) {
    app.clock = now;
    app.recent = app.recent.and_then(|recent| recent.at(now));
    let turned = app.turned.take();
    app.turned = turned.and_then(|turned| turned.at(now));
    let stands = app.assessment().filter(|_| app.time.moment.is_none() && app.turned.is_none());
    if let (Some(turned), Some(known)) = (turned, stands) {
        let told = words::turned(&app.snapshot, turned.from, known);
        app.outbox.push(Effect::Alert(told));
    }
}

/// Takes a judgement. Where the reader has just moved the cut, the dry run's cursor goes with it.
fn take_assessment(app: &mut App, answer: Arc<Assessment>) -> bool {
    let asked = app.assessment().map(|old| old.ticket.question.clone());
    let before = app.assessment().map(|old| (old.ticket.question.clone(), old.ticket.moment, old.judgement.verdict));
    let taken = app.judged.take(answer);
    if let (Some((question, None, old)), Some(new)) = (before, app.assessment())
        && new.ticket.question == question
        && new.ticket.moment.is_none()
        && new.judgement.verdict != old
    {
        // One that is back to what it was has not changed: each call that runs is open for a moment.
        let from = app.turned.map_or(old, |turned| turned.from);
        app.turned = (new.judgement.verdict != from).then(|| Turned::new(from));
    }
    let moved = app.assessment().filter(|new| asked.is_some_and(|old| old.cut != new.ticket.question.cut));
    let is_moved = moved.is_some();
    if is_moved {
        refresh_dry_run(app);
        app.dry_run.select_cut();
    }
    taken
}

/// Brings every cursor back inside what there is and what fits.
fn settle(app: &mut App) {
    app.show_moment();
    let layout = app.layout();
    if let Some(lane) = app.lane().cloned() {
        app.nested.refresh(&app.time.newest);
        sieve::refresh(app);
        timeline::with_rows(app, TimelineState::settle);
        let one = app.assessment().is_some().then(|| app.judged.answer()).flatten();
        app.versus.refresh(&lane, one, app.judged.taken());
    }
    let entries = why(app).entries().len();
    app.why.settle(entries, entries);
    refresh_dry_run(app);
    app.dry_run.list.settle(app.dry_run.rows.len(), view::dry_run_page(&layout));
    app.versus.list.settle(app.versus.rows.len(), view::versus_page(&layout));
    app.survey.list.settle(app.survey.len(), view::survey_page(&layout));
    app.pending.list.settle(app.pending.shown().len(), view::pending_page(&layout));
    settle_entries(app, &layout);
    app.detail.turn_to(app.row());
}

/// Lists the rows of the dry run, if it is known.
fn refresh_dry_run(app: &mut App) {
    let one = app.assessment().is_some().then(|| app.judged.answer()).flatten().map(|one| (one, app.judged.taken()));
    if let Some(lane) = app.snapshot.lane(app.lane) {
        app.dry_run.refresh(lane, one);
    }
}

/// Makes the ledger's list and the graph where they are shown. Of a session that is still being read there is neither: what looks
/// open may be closed further down.
fn settle_entries(app: &mut App, layout: &Layout) {
    let (sight, lane) = (app.sight(), app.lane().filter(|_| app.snapshot.progress == Progress::Complete).cloned());
    let bindings = app.bindings().to_vec();
    if layout.tab(Tab::Ledger).is_some() {
        match &lane {
            Some(lane) => app.ledger.refresh(sight, lane, &bindings),
            None => app.ledger.clear(),
        }
        app.ledger.list.settle(app.ledger.rows.len(), view::ledger_page(app, layout));
        app.ledger.foot.turn_to(app.ledger.selected());
    }
    if let Some(lane) = app.lane().cloned() {
        app.audit.refresh(app.snapshot.epoch, app.lane, &lane);
        app.audit.list.settle(app.audit.rows().len(), view::audit_page(app, layout));
        app.audit.foot.turn_to(app.audit.selected());
    }
    if let (Some(lane), Some(newest), true) = (&lane, app.time.lane(app.lane).cloned(), layout.tab(Tab::Change).is_some()) {
        app.change.refresh(sight, lane, &newest);
        app.change.list.settle(app.change.rows.len(), view::change_page(layout));
    }
    if layout.tab(Tab::Graph).is_some() {
        match &lane {
            Some(lane) => app.graph.refresh(sight, lane, &bindings),
            None => app.graph.lines.clear(),
        }
        app.graph.list.settle(app.graph.lines.len(), view::graph_page(app, layout));
        app.graph.foot.turn_to(app.graph.node());
    }
}

/// The jobs whose answers the state now calls for and does not have.
fn wanted(app: &mut App) -> Vec<Job> {
    let mut jobs = Vec::new();
    let Some(lane) = app.lane().cloned() else { return jobs };
    if let Some(ticket) = app.judged.ask(&app.snapshot, app.lane, app.time.moment) {
        jobs.push(Job::Assess(Seat::One, ticket, app.snapshot.clone()));
    }
    let other = app.shows(Face::Versus).then(|| app.versus.judged.ask(&app.snapshot, app.lane, app.time.moment)).flatten();
    jobs.extend(other.map(|ticket| Job::Assess(Seat::Other, ticket, app.snapshot.clone())));
    let survey = app.shows(Face::All).then(|| app.survey.ask(&app.snapshot, app.lane, app.time.moment)).flatten();
    jobs.extend(survey.map(|ticket| Job::Survey(ticket, app.snapshot.clone())));
    let is_open = app.layout().tab(Tab::Audit).is_some();
    let newest = app.time.lane(app.lane).cloned();
    let audit = app.audit.ask(&app.time.newest, app.lane, is_open).zip(newest);
    jobs.extend(audit.map(|(key, newest)| Job::Audit(key, newest)));
    let part = app.search.ask(app.snapshot.epoch, app.lane, lane.events.len());
    jobs.extend(part.map(|key| Job::Search(key, Arc::clone(&lane))));
    let text = app.wants.take();
    jobs.extend(text.and_then(|key| Some(Job::Text(key, Arc::clone(app.snapshot.lane(key.lane)?)))));
    if let Some(key) = document_key(app).and_then(|key| app.detail.ask(key)) {
        jobs.extend(app.snapshot.lane(key.lane).map(|lane| Job::Document(key, Arc::clone(lane))));
    }
    jobs
}

/// The document that the detail pane shows; none while it is not shown.
pub(crate) fn document_key(app: &App) -> Option<DocumentKey> {
    let width = view::detail_width(app, &app.layout())?;
    let (lane, Row { lane: ix, event }) = app.looked_at()?;
    let word = match lane.events.get(event.index())?.kind {
        EventKind::Assistant => Word::of(lane, event),
        _ => Word::Other,
    };
    let call = lane.events.get(event.index())?.call.and_then(|ix| lane.calls.get(ix.index()));
    let end = call.and_then(|call| call.end).map(|end| end.event).filter(|end| *end != event);
    let width = if app.detail.wrap == Wrap::Wrapped { width } else { LONG_LINE };
    let columns = if detail::has_room(width) { app.panes.arrangement.changes } else { Columns::One };
    let form = Form { columns, ..app.detail.form };
    Some(DocumentKey { epoch: app.snapshot.epoch, lane: ix, event, end, word, width, form })
}
