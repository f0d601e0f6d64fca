//! What is judged: by which policy, beside which other, and where the cut stands.

use std::sync::Arc;

use super::jump;
use crate::base::ids::{EntryId, EventIx, SpanIx};
use crate::compaction::policy::Family;
use crate::ui::app::{App, CutMove, DryRunRow, Face, Pane, Tab, VersusRow, cut};
use crate::ui::assess::PolicyName;

/// By the policy that stands so many after this one.
pub(super) fn turn_policy(app: &mut App, steps: isize) {
    let now = app.judged.policy().cloned();
    app.notice = match app.judged.turn_policy(now.as_ref(), steps) {
        Some(title) => Some(format!("judged by {title}")),
        None => Some("there is no other policy".to_owned()),
    };
}

/// The table of all policies, at the one that is judged by; from there back to the one.
pub(super) fn all_policies(app: &mut App) {
    turn_face(app, Face::All);
    if let Some(one) = app.judged.policy().cloned().filter(|_| app.panes.face == Face::All) {
        app.survey.select(&one);
    }
}

/// Two policies side by side; from there back to the one. From the table, the policy under its cursor is the other.
pub(super) fn side_by_side(app: &mut App) {
    let chosen = (app.context() == crate::ui::actions::Context::Policies).then(|| app.survey.selected()).flatten();
    let chosen = chosen.map(|policy| policy.id.clone()).filter(|id| Some(id) != app.judged.policy());
    turn_face(app, Face::Versus);
    if let Some(id) = chosen {
        app.versus.judged.choose(id);
    }
    if app.versus.judged.question.policy.is_none() {
        first_other(app);
    }
}

/// The first policy to look at beside the one that is judged by: another of the same agent, else a shape that many agents have.
fn first_other(app: &mut App) {
    let Some(one) = app.judged.policy().cloned() else { return };
    if let Some(other) = other_than(&one, app.judged.policies()) {
        app.versus.judged.choose(other);
    }
}

/// Of the policies whose names begin as this one's the one that shares most of it, of equals the first; without any, the first shape,
/// else the first.
fn other_than(one: &Arc<str>, policies: &[PolicyName]) -> Option<Arc<str>> {
    let shared = |policy: &PolicyName| policy.id.split('-').zip(one.split('-')).take_while(|(a, b)| a == b).count();
    let others = || policies.iter().filter(|policy| policy.id != *one);
    let akin = others().rev().max_by_key(|policy| shared(policy)).filter(|policy| shared(policy) > 0);
    let other = akin.or_else(|| others().find(|policy| policy.family == Family::Shape)).or_else(|| others().next());
    other.map(|policy| Arc::clone(&policy.id))
}

/// Another policy beside the one that is judged by.
pub(super) fn turn_other(app: &mut App, steps: isize) {
    let one = app.judged.policy().cloned();
    let mut from = app.versus.judged.question.policy.clone().or_else(|| one.clone());
    // The policy that is judged by stands there already.
    for _ in 0..2 {
        let title = app.versus.judged.turn_policy(from.as_ref(), steps);
        app.notice = title.map(|title| format!("beside {title}"));
        from.clone_from(&app.versus.judged.question.policy);
        if from != one {
            break;
        }
    }
}

/// By the policy under the cursor of the table.
pub(super) fn choose(app: &mut App) {
    let chosen = app.survey.selected().map(|policy| policy.id.clone());
    app.notice = match chosen.and_then(|id| app.judged.choose(id)) {
        Some(title) => Some(format!("judged by {title}")),
        None => Some("there is no policy".to_owned()),
    };
}

/// By the policy of an id, and what it would do.
pub(super) fn choose_policy(app: &mut App, id: Arc<str>) {
    show_dry_run(app);
    app.notice = app.judged.choose(id).map(|title| format!("judged by {title}"));
}

/// What the policy would do now.
pub(super) fn show_dry_run(app: &mut App) {
    jump::leave_trail(app);
    app.panes.face = Face::Policy;
    app.panes.focus(Pane::Tab(Tab::DryRun));
}

fn turn_face(app: &mut App, face: Face) {
    let shown = app.shows(face);
    if !shown {
        jump::leave_trail(app);
    }
    app.panes.face = if shown { Face::Policy } else { face };
    app.panes.focus(Pane::Tab(Tab::DryRun));
}

/// Moves the cut a step.
pub(super) fn move_cut(app: &mut App, by: CutMove) {
    let Some((lane, assessment)) = app.lane().zip(app.assessment()) else { return no_cut(app) };
    let now = app.judged.question.cut.unwrap_or(assessment.judgement.cut);
    match cut::moved(lane, assessment, now, by) {
        Some(span) => put_cut(app, span),
        None => app.notice = Some("the cut is at the end of the context".to_owned()),
    }
}

/// Moves the cut so that the selected row is the first to stay.
pub(super) fn cut_here(app: &mut App) {
    let Some(event) = jump::under_cursor(app) else {
        app.notice = Some("this row stands for no event".to_owned());
        return;
    };
    let Some((lane, assessment)) = app.lane().zip(app.assessment()) else { return no_cut(app) };
    let span = lane.events.get(event.index()).and_then(|row| row.span);
    match span.filter(|span| assessment.span(*span).is_some_and(|view| view.in_context)) {
        Some(span) => put_cut(app, span),
        None => app.notice = Some("this row is not in the context: no cut can stand there".to_owned()),
    }
}

/// The cut where the policy puts it.
pub(super) fn cut_by_policy(app: &mut App) {
    app.judged.question.cut = None;
    show(app);
}

/// Puts the cut before a span, and shows what that does.
pub(super) fn put_cut(app: &mut App, span: SpanIx) {
    app.judged.question.cut = Some(span);
    show(app);
}

fn show(app: &mut App) {
    if app.panes.face == Face::All {
        app.panes.face = Face::Policy;
    }
    app.show(Tab::DryRun);
}

fn no_cut(app: &mut App) {
    app.notice = Some("nothing is judged yet: there is no cut to move".to_owned());
}

/// The event that the selected row of the dry run stands for.
pub(super) fn event(app: &App) -> Option<EventIx> {
    let lane = app.lane()?;
    let opened = |id: EntryId| Some(app.entry(id)?.opened.event);
    let first = |span: SpanIx| Some(lane.spans.get(span.index())?.first);
    match app.panes.face {
        Face::All => None,
        Face::Versus => match app.versus.rows.get(app.versus.list.selected)? {
            VersusRow::Severed(entry, _) => Some(entry.opened.event),
            VersusRow::Span(span, _) => first(*span),
            VersusRow::SeveredHeading(_) | VersusRow::SpansHeading(..) => None,
        },
        Face::Policy => match app.dry_run.selected()? {
            DryRunRow::Severed(n) => opened(app.assessment()?.judgement.severed.get(n)?.entry),
            DryRunRow::Span(span) => first(span),
            _ => None,
        },
    }
}

/// The entry that the selected row of the dry run stands for.
pub(super) fn entry(app: &App) -> Option<EntryId> {
    let assessment = app.assessment()?;
    let of_span = |span: SpanIx| assessment.span(span)?.reasons.first().copied();
    match app.panes.face {
        Face::All => None,
        Face::Versus => match app.versus.rows.get(app.versus.list.selected)? {
            VersusRow::Severed(entry, _) => Some(entry.id).filter(|id| app.entry(*id).is_some_and(|known| known.key == entry.key)),
            VersusRow::Span(span, _) => of_span(*span),
            VersusRow::SeveredHeading(_) | VersusRow::SpansHeading(..) => None,
        },
        Face::Policy => match app.dry_run.selected()? {
            DryRunRow::Severed(n) => assessment.judgement.severed.get(n).map(|severed| severed.entry),
            DryRunRow::Span(span) => of_span(span),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_a_policy_stands_another_of_its_agent_else_a_shape() {
        let name = |id: &str, family| PolicyName { id: id.into(), title: id.to_owned(), alias: None, family };
        let policies = [
            name("claude-code", Family::Agent),
            name("claude-code-early", Family::Agent),
            name("claude-code-micro", Family::Agent),
            name("cline", Family::Agent),
            name("codex-local", Family::Agent),
            name("codex-remote-v1", Family::Agent),
            name("codex-remote-v2", Family::Agent),
            name("crush", Family::Agent),
            name("keep-last", Family::Shape),
        ];
        for (one, other) in [
            ("claude-code", "claude-code-early"),
            ("claude-code-micro", "claude-code"),
            ("codex-remote-v2", "codex-remote-v1"),
            ("crush", "keep-last"),
            ("keep-last", "claude-code"),
        ] {
            assert_eq!(other_than(&one.into(), &policies).as_deref(), Some(other), "{one}");
        }
        assert_eq!(other_than(&"crush".into(), &policies[7..8]), None);
    }
}
