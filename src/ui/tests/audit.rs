//! The audit: when it is asked for, where its keys lead, and what it says where there is nothing to show.

use std::sync::Arc;

use super::still;
use crate::audit::Audit;
use crate::base::ids::EventIx;
use crate::session::Progress;
use crate::ui::app::{App, AuditKey};
use crate::ui::msg::{Job, Msg};
use crate::ui::testing::{Fake, Script, Simple, migration, options};
use crate::ui::update::{begin, update};
use crate::ui::{Judge, Still, Supply};

/// The audits that a step asks for.
fn audits(jobs: Vec<Job>) -> Vec<AuditKey> {
    jobs.into_iter().filter_map(|job| if let Job::Audit(key, _) = job { Some(key) } else { None }).collect()
}

fn app(fake: &Fake, script: &Script) -> App {
    crate::ui::app(fake, Simple.policies(), &options(script, 41), ratatui::layout::Size { width: 120, height: 40 })
}

fn grow(app: &mut App, fake: &Fake, script: &Script) -> Vec<AuditKey> {
    fake.publish(&[script], 0, Progress::Complete);
    audits(update(app, Msg::Session(fake.latest(), fake.following())).jobs)
}

fn answer(app: &mut App, key: AuditKey) -> Vec<AuditKey> {
    let audit = Audit { lane: "main".into(), boundaries: Vec::new() };
    audits(update(app, Msg::Audited(key, Some(Arc::new(audit)))).jobs)
}

#[test]
fn it_is_made_anew_for_a_boundary_and_for_each_event_only_while_it_is_looked_at() {
    let mut script = migration();
    let fake = Fake::new(&script);
    let mut app = app(&fake, &script);
    let first = audits(begin(&mut app).jobs);
    assert_eq!(first.len(), 1, "at first");
    assert_eq!(answer(&mut app, first[0]), [], "answered");
    script.says("A line more.");
    assert_eq!(grow(&mut app, &fake, &script), [], "an event, and nobody looks");
    script.compacts(90_000, 20_000, "All is well.");
    let second = grow(&mut app, &fake, &script);
    assert_eq!(second.len(), 1, "a boundary");
    script.says("And another.");
    assert_eq!(grow(&mut app, &fake, &script), [], "one at a time");
    assert_eq!(answer(&mut app, second[0]), [], "of the same boundaries");
    app.panes.focus(crate::ui::app::Pane::Tab(crate::ui::app::Tab::Audit));
    script.says("And one that is looked at.");
    assert_eq!(grow(&mut app, &fake, &script).len(), 1, "an event, and the pane is open");
}

#[test]
fn its_keys_lead_from_cause_to_cost_and_back() {
    let mut still = still(&migration(), (120, 40), "f");
    for (keys, says) in [
        ("n", "where it began, line 2, 1 of 5 in its chain"),
        ("n", "compaction 1, line "),
        ("n", "what stands instead, line "),
        ("n", "prohibited action, line "),
        ("n n", "where it began, line 2, 1 of 5"),
        ("N", "5 of 5 in its chain"),
        ("j n", "compaction 1, line "),
    ] {
        still.press(keys).unwrap();
        assert!(still.text().contains(says), "`{keys}`: {says}: {}", still.text());
    }
    still.press("k n N enter d").unwrap();
    assert!(still.text().contains("◆ prohibited action: negation loss, compaction 1"), "{}", still.text());
    still.press("backspace backspace f n d").unwrap();
    assert!(still.text().contains("◇ began here: negation loss, compaction 1"), "{}", still.text());
    still.press("f r").unwrap();
    assert!(still.text().contains("Do not drop columns."), "{}", still.text());
}

#[test]
fn a_loss_that_cost_nothing_says_so() {
    let mut script = migration();
    script.prompt("Never touch the ledger of the tills.");
    script.compacts(90_000, 20_000, "All is well.");
    let mut still = still(&script, (120, 40), "f");
    let mut shown = vec![still.text()];
    for _ in 0..4 {
        still.press("j").unwrap();
        shown.push(still.text());
    }
    assert!(shown[0].contains("prohibited action") && !shown[0].contains("no cost seen"), "{}", shown[0]);
    assert!(shown.iter().any(|text| text.contains("compaction 2, no cost seen")), "{}", shown.join("\n"));
}

#[test]
fn the_past_knows_of_no_later_loss() {
    let script = migration();
    let boundary = script.lane.boundaries[0].event;
    for (before, shown) in [(1, false), (0, true)] {
        let mut still = still(&script, (120, 40), "C h f");
        still.press(&", ".repeat(before)).unwrap();
        let text = still.text();
        assert_eq!(text.contains("negation loss"), shown, "{boundary:?}: {text}");
        assert!(!text.contains("prohibited action"), "{text}");
    }
}

#[test]
fn what_there_is_not_is_said() {
    let mut opaque = Script::new();
    opaque.prompt("Never push to main.");
    opaque.entry(crate::ledger::entry::EntryKind::Prohibition, crate::ledger::entry::Weight::Repair, "Never push to main.");
    opaque.compacts(90_000, 20_000, "");
    Arc::make_mut(&mut opaque.lane.boundaries)[0].opaque = true;
    let shown = still(&opaque, (120, 40), "f").text();
    assert!(shown.contains("cannot be read") && shown.contains("1  unobserved"), "{shown}");

    let mut clean = Script::new();
    clean.prompt("Go on.");
    clean.compacts(90_000, 20_000, "All is well.");
    let shown = still(&clean, (120, 40), "f").text();
    assert!(shown.contains("nothing was lost") && shown.contains("Nothing was owed here"), "{shown}");

    let mut none = Script::new();
    none.prompt("Go on.");
    assert!(still(&none, (120, 40), "f n").text().contains("No compaction has happened in this lane."));
}

#[test]
fn what_is_not_there_yet_is_said_and_so_is_a_defect() {
    let script = migration();
    let fake = Fake::new(&script);
    fake.publish(&[&script], 0, Progress::Reading { done: 1, total: 2 });
    let mut shown = Still::open(&fake, Box::new(Simple), &options(&script, 41), (120, 40));
    shown.press("f").unwrap();
    assert!(shown.text().contains("not audited yet"), "{}", shown.text());

    fake.publish(&[&script], 0, Progress::Complete);
    let mut app = app(&fake, &script);
    let key = audits(begin(&mut app).jobs)[0];
    app.panes.focus(crate::ui::app::Pane::Tab(crate::ui::app::Tab::Audit));
    for (answered, says) in [(false, "Auditing what the compactions of this lane lost"), (true, "The audit failed")] {
        if answered {
            assert_eq!(audits(update(&mut app, Msg::Audited(key, None)).jobs), [], "a defect is not asked for again");
        }
        let mut buffer = ratatui::buffer::Buffer::empty(ratatui::layout::Rect::new(0, 0, 120, 40));
        crate::ui::view::view(&app, &mut buffer);
        let text: String = buffer.content().iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(text.contains(says), "{says}: {text}");
    }
    assert!(app.audit.ties(EventIx(1)).is_empty());
}

#[test]
fn what_an_earlier_compaction_had_hurt_is_told_as_again() {
    let mut script = migration();
    script.compacts(90_000, 20_000, "All is well.");
    let still = still(&script, (120, 40), "f G k");
    assert!(still.text().contains("again: Do not"), "{}", still.text());
    assert!(still.text().contains("Again, as at compaction 1: It was forbidden"), "{}", still.text());
    let first = crate::ui::tests::still(&script, (120, 40), "f g j");
    assert!(!first.text().contains("Again, as at"), "{}", first.text());
}
