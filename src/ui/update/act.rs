//! What each action does.

use std::sync::Arc;

use crate::base::ids::LaneIx;
use crate::session::Snapshot;
use crate::ui::Behind;
use crate::ui::actions::{Action, Context};
use crate::ui::app::{
    App, Asks, Base, Chip, CutMove, Face, Follow, Help, Motion, Narrow, Pace, Pane, Scroll, Tab, TimelineState, why,
};
use crate::ui::msg::{Flow, Want};
use crate::ui::update::audit;
use crate::ui::update::detail;
use crate::ui::update::dry_run as judge;
use crate::ui::update::entries::{self, Turn};
use crate::ui::update::jump::{self, Side};
use crate::ui::update::outside;
use crate::ui::update::panes::{self, Dimension};
use crate::ui::update::prompt;
use crate::ui::update::search;
use crate::ui::update::sieve;
use crate::ui::update::time::{self, Step};
use crate::ui::update::timeline;
use crate::ui::{view, words};

/// Does it.
pub(super) fn act(app: &mut App, action: Action) -> Flow {
    match action {
        Action::Down => go(app, Motion::Rows(1)),
        Action::Up => go(app, Motion::Rows(-1)),
        Action::PageDown => go(app, Motion::Pages(1)),
        Action::PageUp => go(app, Motion::Pages(-1)),
        Action::Top => go(app, Motion::First),
        Action::End => go(app, Motion::Last),
        Action::Follow => match app.timeline.follow {
            Follow::End => app.timeline.stay(),
            Follow::Held { .. } => app.timeline.follow_end(),
        },
        Action::Open => open(app),
        Action::Detail => {
            if let Some(event) = jump::under_cursor(app) {
                jump::leave_trail(app);
                // The time line's cursor may be on a row of a sub-agent.
                if app.panes.focus != Pane::Timeline {
                    jump::to_event(app, event);
                }
                app.panes.focus(Pane::Tab(Tab::Detail));
            }
        }
        Action::Ledger => {
            jump::leave_trail(app);
            app.panes.focus(Pane::Tab(Tab::Ledger));
        }
        Action::Graph => entries::graph(app),
        Action::Audit => audit::show(app),
        Action::FootDown => scroll_foot(app, 1),
        Action::FootUp => scroll_foot(app, -1),
        Action::NextLink => audit::turn_link(app, Side::After),
        Action::PreviousLink => audit::turn_link(app, Side::Before),
        Action::NextRegion => detail::next(app, Side::After),
        Action::PreviousRegion => detail::next(app, Side::Before),
        Action::Record => detail::turn_record(app),
        Action::Wrap => detail::turn_wrap(app),
        Action::Columns => detail::turn_columns(app),
        Action::ShiftLeft => detail::shift(app, Side::Before),
        Action::ShiftRight => detail::shift(app, Side::After),
        Action::LevelLess => detail::level(app, Side::Before),
        Action::LevelMore => detail::level(app, Side::After),
        Action::Copy => outside::want(app, Want::Copy),
        Action::CopyCommand => outside::want(app, Want::CopyCommand),
        Action::CopyReference => outside::copy_reference(app),
        Action::CopyId => outside::copy_id(app),
        Action::Pager => outside::want(app, Want::Page),
        Action::Editor => outside::edit(app),
        Action::Errors => sieve::turn(app, Chip::Errors),
        Action::Effects => sieve::turn(app, Chip::Effects),
        Action::OpenOnly => sieve::turn(app, Chip::Open),
        Action::OwedOnly => sieve::turn(app, Chip::Owed),
        Action::SaidOnly => sieve::turn(app, Chip::Said),
        Action::ToolOnly => sieve::turn_like(app),
        Action::MatchesOnly => sieve::turn(app, Chip::Matches),
        Action::AllRows => sieve::clear(app),
        Action::Fold => sieve::fold(app),
        Action::Unfold => sieve::unfold(app),
        Action::FoldAll => sieve::turn_all(app),
        Action::NextPrompt => sieve::prompt(app, Side::After),
        Action::PreviousPrompt => sieve::prompt(app, Side::Before),
        Action::Palette => prompt::open(app, Asks::Command),
        Action::Wider => panes::resize(app, Dimension::Width, 1),
        Action::Narrower => panes::resize(app, Dimension::Width, -1),
        Action::Taller => panes::resize(app, Dimension::Height, 1),
        Action::Shorter => panes::resize(app, Dimension::Height, -1),
        Action::HidePending => panes::hide(app, Dimension::Height),
        Action::HideTabs => panes::hide(app, Dimension::Width),
        Action::NextEvidence => entries::evidence(app, Side::After),
        Action::PreviousEvidence => entries::evidence(app, Side::Before),
        Action::NextDependent => entries::dependent(app, Side::After),
        Action::PreviousDependent => entries::dependent(app, Side::Before),
        Action::Breadth => entries::turn(app, Turn::Breadth, 1),
        Action::NextKind => entries::turn(app, Turn::Kind, 1),
        Action::PreviousKind => entries::turn(app, Turn::Kind, -1),
        Action::NextStatus => entries::turn(app, Turn::Status, 1),
        Action::PreviousStatus => entries::turn(app, Turn::Status, -1),
        Action::NextSort => turn_sort(app, 1),
        Action::PreviousSort => turn_sort(app, -1),
        Action::Search if app.place() == Context::Detail => prompt::open(app, Asks::WordsWithin),
        Action::Search if app.narrow(app.panes.focus).is_some() => prompt::open(app, Asks::Rows),
        Action::Search => prompt::open(app, Asks::Words),
        Action::NextMatch => search::turn(app, Side::After),
        Action::PreviousMatch => search::turn(app, Side::Before),
        Action::Change => {
            jump::leave_trail(app);
            app.panes.focus(Pane::Tab(Tab::Change));
        }
        Action::NextBase => turn_base(app, 1),
        Action::PreviousBase => turn_base(app, -1),
        Action::Mark => mark(app),
        Action::Room => app.panes.turn_room(),
        Action::Back => jump::back(app),
        // What is looked for in an event is left first.
        Action::Leave if app.place() == Context::Detail && app.detail.wanted.is_some() => app.detail.wanted = None,
        Action::Leave if app.narrow(app.panes.focus).is_some_and(Narrow::is_on) => {
            app.set_narrow(app.panes.focus, Narrow::default());
        }
        Action::Leave => app.panes.focus(Pane::Timeline),
        Action::Clear if app.sieve.is_filtered() => sieve::clear(app),
        Action::Clear if app.search.words().is_some() => app.search.end(),
        Action::Clear if app.behind == Behind::List => return Flow::Sessions,
        Action::Clear => app.notice = Some(words::ways_out(&app.look.keymap)),
        Action::NextPane => app.panes.step(1),
        Action::PreviousPane => app.panes.step(-1),
        Action::NextBarrier => jump::barrier(app, Side::After),
        Action::PreviousBarrier => jump::barrier(app, Side::Before),
        Action::NextOpen => jump::open_call(app, Side::After),
        Action::PreviousOpen => jump::open_call(app, Side::Before),
        Action::NextBoundary => jump::boundary(app, Side::After),
        Action::PreviousBoundary => jump::boundary(app, Side::Before),
        Action::FirstReason => jump::first_reason(app),
        Action::DryRun => judge::show_dry_run(app),
        Action::NextPolicy => judge::turn_policy(app, 1),
        Action::PreviousPolicy => judge::turn_policy(app, -1),
        Action::AllPolicies => judge::all_policies(app),
        Action::SideBySide => judge::side_by_side(app),
        Action::NextOther => judge::turn_other(app, 1),
        Action::PreviousOther => judge::turn_other(app, -1),
        Action::Differences => app.versus.turn_which(),
        Action::CutLater => judge::move_cut(app, CutMove::SpanLater),
        Action::CutEarlier => judge::move_cut(app, CutMove::SpanEarlier),
        Action::CutTurnLater => judge::move_cut(app, CutMove::TurnLater),
        Action::CutTurnEarlier => judge::move_cut(app, CutMove::TurnEarlier),
        Action::CutHere => judge::cut_here(app),
        Action::CutByPolicy => judge::cut_by_policy(app),
        Action::NextLane => turn_lane(app, 1),
        Action::PreviousLane => turn_lane(app, -1),
        Action::EventBefore => time::step(app, Step::Event, Side::Before),
        Action::EventAfter => time::step(app, Step::Event, Side::After),
        Action::SpanBefore => time::step(app, Step::Span, Side::Before),
        Action::SpanAfter => time::step(app, Step::Span, Side::After),
        Action::ChangeBefore => time::step(app, Step::Change, Side::Before),
        Action::ChangeAfter => time::step(app, Step::Change, Side::After),
        Action::Here => time::here(app),
        Action::Now => time::now(app),
        Action::Play => time::play(app),
        Action::Slower => time::turn_speed(app, Pace::Slower),
        Action::Faster => time::turn_speed(app, Pace::Faster),
        Action::Help => app.help = Help::Open(Scroll::default()),
        Action::CloseHelp => app.help = Help::Closed,
        Action::Sessions => return Flow::Sessions,
        Action::NextSession => return Flow::Turn(1),
        Action::PreviousSession => return Flow::Turn(-1),
        Action::CloseSession => return Flow::Close,
        Action::Redraw => return Flow::Redraw,
        Action::Suspend => return Flow::Suspend,
        Action::Quit if app.behind == Behind::List => return Flow::Sessions,
        Action::Quit | Action::QuitNow => return Flow::Quit,
        // A list has its own update, and so has what is typed.
        Action::Filter | Action::EraseFilter | Action::DropFilter => {}
    }
    Flow::Go
}

/// Moves in the pane that has the keys.
pub(super) fn go(app: &mut App, motion: Motion) {
    if let Help::Open(mut scroll) = app.help {
        scroll.go(motion, view::help_lines(view::help_place(app)), view::help_page(app.size));
        app.help = Help::Open(scroll);
        return;
    }
    go_in(app, app.panes.focus, motion);
}

/// Moves in a pane.
pub(super) fn go_in(app: &mut App, pane: Pane, motion: Motion) {
    let layout = app.layout();
    match pane {
        Pane::Timeline => {
            timeline::with_rows(app, |timeline, rows, page| timeline.go(motion, rows, page));
        }
        Pane::Pending => app.pending.list.go(motion, app.pending.shown().len(), view::pending_page(&layout)),
        Pane::Tab(Tab::Why) => {
            let entries = why(app).entries().len();
            app.why.go(motion, entries, 4);
        }
        Pane::Tab(Tab::DryRun) => match app.panes.face {
            Face::Policy => {
                app.dry_run.list.go(motion, app.dry_run.rows.len(), view::dry_run_page(&layout));
            }
            Face::Versus => app.versus.list.go(motion, app.versus.rows.len(), view::versus_page(&layout)),
            Face::All => app.survey.list.go(motion, app.survey.len(), view::survey_page(&layout)),
        },
        Pane::Tab(Tab::Ledger) => app.ledger.list.go(motion, app.ledger.rows.len(), view::ledger_page(app, &layout)),
        Pane::Tab(Tab::Audit) => app.audit.go(motion, view::audit_page(app, &layout)),
        Pane::Tab(Tab::Change) => app.change.list.go(motion, app.change.rows.len(), view::change_page(&layout)),
        Pane::Tab(Tab::Graph) => app.graph.list.go(motion, app.graph.lines.len(), view::graph_page(app, &layout)),
        Pane::Tab(Tab::Detail) => {
            let lines =
                super::document_key(app).and_then(|key| app.detail.document(&key)).map_or(0, |document| document.lines.len());
            app.detail.scroll.go(motion, lines, view::detail_page(app, &layout));
        }
    }
}

/// Scrolls what is told of the selected row below the list that has the keys.
fn scroll_foot(app: &mut App, rows: isize) {
    let (lines, page) = view::foot_extent(app);
    let scroll = match app.place() {
        Context::Ledger => &mut app.ledger.foot.scroll,
        Context::Graph => &mut app.graph.foot.scroll,
        _ => &mut app.audit.foot.scroll,
    };
    scroll.go(Motion::Rows(rows), lines, page);
}

/// One level closer: from a row to why, from a reason to its evidence.
fn open(app: &mut App) {
    match app.panes.focus {
        Pane::Timeline if app.selected().is_none() => {}
        Pane::Timeline if app.row().is_some_and(|row| row.lane != app.lane) => timeline::enter(app),
        Pane::Timeline => {
            let explained = !why(app).entries().is_empty();
            jump::leave_trail(app);
            app.panes.focus(Pane::Tab(if explained { Tab::Why } else { Tab::Detail }));
        }
        Pane::Tab(Tab::Ledger) => entries::open(app),
        Pane::Tab(Tab::Graph) => entries::walk(app),
        Pane::Tab(Tab::DryRun) if app.panes.face == Face::All => judge::choose(app),
        Pane::Tab(_) | Pane::Pending => match jump::under_cursor(app) {
            Some(event) => {
                jump::to_event(app, event);
                app.panes.focus(Pane::Timeline);
            }
            None => app.notice = Some("nothing to open on this row".to_owned()),
        },
    }
}

/// Sorts the list that has the keys another way.
fn turn_sort(app: &mut App, steps: isize) {
    match app.panes.focus {
        Pane::Tab(Tab::DryRun) => app.survey.turn_sort(steps),
        _ => entries::turn(app, Turn::Sort, steps),
    }
}

/// Holds the ledger against another moment, or session.
fn turn_base(app: &mut App, steps: isize) {
    if let Some(lane) = app.lane().cloned() {
        app.change.turn_base(&lane, steps);
    }
}

/// Shows what only one of two sessions owes.
pub(crate) fn show_beside(app: &mut App, other: (String, Arc<Snapshot>)) {
    (app.change.other, app.change.base) = (Some(other), Base::Session);
    app.panes.focus(Pane::Tab(Tab::Change));
}

/// Marks the moment that is shown.
fn mark(app: &mut App) {
    let Some(end) = app.lane().and_then(|lane| lane.end()) else { return };
    (app.change.mark, app.change.base) = (Some(end), Base::Mark);
    app.notice = Some(format!("marked: ~ shows what changes after event {}", end.index() + 1));
}

fn turn_lane(app: &mut App, steps: isize) {
    let lanes = app.snapshot.lanes.len();
    if lanes < 2 {
        app.notice = Some("this session has one lane: no sub-agent".to_owned());
        return;
    }
    let count = isize::try_from(lanes).unwrap_or(isize::MAX);
    let at = isize::try_from(app.lane.index()).unwrap_or(0);
    let round = (1..count).map(|n| usize::try_from((at + n * steps).rem_euclid(count)).unwrap_or(0));
    let had_begun = |lane: &LaneIx| app.time.moment.is_none() || app.moment_in(*lane).is_some();
    let Some(next) = round.map(LaneIx::from_index).find(had_begun) else {
        app.notice = Some("no other lane had begun by then".to_owned());
        return;
    };
    jump::leave_trail(app);
    jump::enter_lane(app, next);
    app.timeline = TimelineState::default();
    let name = app.lane().map_or_else(String::new, |lane| lane.name.to_string());
    app.notice = Some(format!("lane {} of {lanes}: {name}", next.index() + 1));
}
