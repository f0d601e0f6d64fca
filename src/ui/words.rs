//! The words of the screen: numbers, names, ends and reasons as a person would say them.

mod audit;
mod event;
mod graph;
mod pane;

use std::borrow::Cow;

use crate::base::data::DataError;
use crate::base::ids::EventIx;
use crate::base::time::{Stamp, duration_words};
use crate::compaction::judgement::{Colour, Reason, Repair, Verdict};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Entry, EntryKind, EntryStatus, Trust};
use crate::ledger::label::LABEL_BYTES;
use crate::ledger::rows::EventKind;
use crate::session::Snapshot;
use crate::transcript::Trigger;
use crate::ui::actions::Action;
use crate::ui::activity::Activity;
use crate::ui::app::{ChangeKind, Chip, PendingRow};
use crate::ui::assess::Assessment;
use crate::ui::keymap::Keymap;

pub(crate) use self::audit::{
    COST, consequence, consequences, distance, fate_means, fates, finding, finding_means, hurt, station, station_verb, tie,
    tie_sign,
};
pub(crate) use self::event::{bar, ending, here, label, launched, span, tool, who};
pub(crate) use self::graph::relation;
pub(crate) use self::pane::pane;
pub(crate) use crate::report::text::tokens;
pub(crate) use crate::report::wording::{boundary, boundary_kind, call, repair, verdict};

/// A count with its noun: `1 span`, `3 spans`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// How many of all are shown: `3 sessions`, `1 of 3 sessions`.
pub(crate) fn shown_of(shown: usize, all: usize, noun: &str) -> String {
    if shown == all { counted(all, noun) } else { format!("{shown} of {}", counted(all, noun)) }
}

/// What is wrong in a side ledger: the newest mistake, and how many more there are.
pub(crate) fn mistakes(all: &[DataError]) -> Option<String> {
    let (newest, others) = all.split_last()?;
    let more = if others.is_empty() { String::new() } else { format!("; {} before it", counted(others.len(), "mistake")) };
    Some(format!("a mistake in the side ledger: {newest}{more}"))
}

/// A size of files: `4 kB`, `26 MB`.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1000 => format!("{n} B"),
        1000..1_000_000 => format!("{} kB", n / 1000),
        1_000_000..1_000_000_000 => format!("{} MB", n / 1_000_000),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// How long ago, or for how long, until now.
pub(crate) fn since(at: Option<Stamp>, now: Stamp) -> Option<String> {
    at.map(|at| duration_words(now.millis_since(at)))
}

/// The same in the largest unit alone, for a column: `3 h`.
pub(crate) fn since_briefly(at: Option<Stamp>, now: Stamp) -> Option<String> {
    since(at, now).map(|words| words.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

/// A model's name without its vendor and date: `opus-4-6`.
pub(crate) fn model(name: &str) -> &str {
    let name = name.strip_prefix("claude-").unwrap_or(name);
    match name.rsplit_once('-') {
        Some((short, date)) if date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit()) => short,
        _ => name,
    }
}

/// That a verdict has changed, for somebody who looks elsewhere: `orders: refuse (was repair), 2 open`.
pub(crate) fn turned(snapshot: &Snapshot, from: Verdict, to: &Assessment) -> String {
    let folder = snapshot.facts.directory.as_deref().and_then(|folder| folder.rsplit(['/', '\\']).find(|part| !part.is_empty()));
    let name = folder.unwrap_or(snapshot.facts.agent.0);
    format!("{name}: {} (was {}), {} open", to.judgement.verdict.word(), from.word(), to.open)
}

/// How entries have changed, as a heading.
pub(crate) fn changed(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Lost => "lost",
        ChangeKind::Opened => "opened",
        ChangeKind::Closed => "closed",
        ChangeKind::Turned => "otherwise now",
        ChangeKind::CameAndWent => "came and went",
        ChangeKind::OnlyHere => "owed only here",
        ChangeKind::OnlyThere => "owed only there",
    }
}

/// What a filter of the time line is called.
pub(crate) fn chip(chip: &Chip) -> String {
    match chip {
        Chip::Errors => "errors".to_owned(),
        Chip::Effects => "effects".to_owned(),
        Chip::Open => "open".to_owned(),
        Chip::Owed => "owed".to_owned(),
        Chip::Said => "said".to_owned(),
        Chip::Tool(name) => tool(name).into_owned(),
        Chip::Kind(kind) => who(*kind).to_owned(),
        Chip::Matches => "found".to_owned(),
    }
}

/// What is pending: `1 without a result, 2 in doubt`.
pub(crate) fn pending(rows: &[PendingRow]) -> String {
    let in_doubt = rows.iter().filter(|row| row.effect.is_some()).count();
    match (rows.len() - in_doubt, in_doubt) {
        (0, 0) => "nothing".to_owned(),
        (calls, 0) => format!("{calls} without a result"),
        (0, effects) => format!("{effects} in doubt"),
        (calls, effects) => format!("{calls} without a result, {effects} in doubt"),
    }
}

/// An effect as the table shows it.
pub(crate) fn effect(effect: Option<EffectStatus>) -> &'static str {
    match effect {
        None => "-",
        Some(EffectStatus::Committed) => "committed",
        Some(EffectStatus::NotStarted) => "not started",
        Some(EffectStatus::Unknown) => "unknown",
    }
}

/// Who asked for a boundary; empty where nobody says.
pub(crate) fn trigger(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Auto => "auto",
        Trigger::Manual => "by you",
        Trigger::Unknown => "",
    }
}

/// The sign of a colour.
pub(crate) fn glyph(colour: Colour) -> &'static str {
    match colour {
        Colour::Barrier => "■",
        Colour::Repair => "▲",
        Colour::Opportunity => "·",
    }
}

/// What a colour means for its span.
pub(crate) fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Barrier => "Must stay verbatim: something here can still change unobserved.",
        Colour::Repair => "May be summarised once what is listed here is carried.",
        Colour::Opportunity => "May be summarised freely: no open call, no unconfirmed effect and no commitment touches it.",
    }
}

/// What people call a kind of entry, whoever said it.
pub(crate) fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Unclassified => "said",
        kind => kind.word(),
    }
}

/// The same of an entry that opened with an event: what cannot be told by its kind is told by who said it.
pub(crate) fn kind_of(lane: &LaneSnapshot, kind: EntryKind, opened: EventIx) -> &'static str {
    if kind != EntryKind::Unclassified {
        return kind.word();
    }
    match lane.events.get(opened.index()).map(|row| row.kind) {
        Some(EventKind::Prompt | EventKind::Call | EventKind::Resolution) => "you said",
        Some(EventKind::Task) => "parent said",
        Some(EventKind::Rules) => "rules say",
        Some(EventKind::Assistant | EventKind::Reasoning) => "agent said",
        _ => "said",
    }
}

/// Where a text comes from.
pub(crate) fn trust(trust: Trust) -> &'static str {
    match trust {
        Trust::Explicit => "tagged",
        Trust::Structured => "from a record",
        Trust::Inferred => "inferred",
    }
}

/// An entry's kind with what its status adds: `effect unknown`, `call, discharged`.
pub(crate) fn headline(lane: &LaneSnapshot, entry: &Entry, status: EntryStatus) -> String {
    let kind = |of: EntryKind| kind_of(lane, of, entry.opened.event);
    match (status, entry.kind) {
        (EntryStatus::Live, EntryKind::Call) => "call without a result".to_owned(),
        (EntryStatus::Live, EntryKind::Effect) => "effect unknown".to_owned(),
        (EntryStatus::Live, EntryKind::Done) => "done, not to be repeated".to_owned(),
        (EntryStatus::Live, other) => kind(other).to_owned(),
        (status, other) => format!("{}, {}", kind(other), status.word()),
    }
}

/// What an entry is about, beside its kind: without the words that say the kind again, and with paths from the session's folder.
pub(crate) fn what<'e>(entry: &'e Entry, directory: Option<&str>) -> Cow<'e, str> {
    let said = match entry.kind {
        EntryKind::Done => entry.line_text.strip_prefix("done: "),
        EntryKind::Effect => entry.line_text.strip_prefix("outcome unknown: "),
        EntryKind::Process => entry.line_text.strip_prefix("running in the background: "),
        _ => None,
    };
    // What stood in a list is told without its mark.
    here(said.unwrap_or(&entry.line_text).trim_start_matches(['-', '*', '•', ' ']), directory)
}

/// The same where it is not cut again: with a mark where its line is only the beginning of what it says.
pub(crate) fn whole(entry: &Entry, directory: Option<&str>) -> String {
    const A_LETTER: usize = 4;
    let is_cut = entry.line_text.len() + A_LETTER > LABEL_BYTES && entry.text.len() > entry.line_text.len();
    let what = what(entry, directory);
    if is_cut { format!("{}…", what.trim_end()) } else { what.into_owned() }
}

/// What to do about an entry, as an order. In a session that is over nobody waits.
pub(crate) fn order(reason: &Reason, entry: &Entry, activity: Activity) -> String {
    let is_over = matches!(activity, Activity::Over { .. });
    let has_effect = entry.action.as_ref().is_some_and(|action| action.class.has_effect());
    match reason.repair {
        Repair::Wait if is_over && entry.kind == EntryKind::Call && has_effect => {
            let look = repair(Repair::Reconcile, entry.kind, reason.with.as_deref());
            format!("its result never came: before anything builds on it, {look}")
        }
        Repair::Wait if is_over => "its result never came: ask again if it still matters".to_owned(),
        order => repair(order, entry.kind, reason.with.as_deref()),
    }
}

/// Where one can go from the time line.
pub(crate) fn ways_out(keymap: &Keymap) -> String {
    let key = |action| keymap.chords(action).first().map(ToString::to_string).unwrap_or_default();
    format!("{} is the list of sessions, {} leaves", key(Action::Sessions), key(Action::Quit))
}

/// What is said of an entry behind its text: how it stands.
pub(crate) fn state(lane: &LaneSnapshot, entry: &Entry) -> &'static str {
    match entry.kind {
        EntryKind::Call => "no result",
        EntryKind::Effect => "effect unknown",
        other => kind_of(lane, other, entry.opened.event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_is_short() {
        for (name, shown) in [
            ("claude-opus-4-6-20250929", "opus-4-6"),
            ("claude-sonnet-4-5", "sonnet-4-5"),
            ("gpt-5.1-codex", "gpt-5.1-codex"),
            ("", ""),
        ] {
            assert_eq!(model(name), shown);
        }
    }
}
