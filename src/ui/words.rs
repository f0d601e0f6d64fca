//! The words of the screen: numbers, names, ends and reasons as a person would say them.

use crate::base::time::{Stamp, duration_words};
use crate::compaction::judgement::{Colour, Judgement, Reason, Repair, Verdict};
use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::rows::{CallRow, EndHow, EventKind};
use crate::transcript::{BoundaryKind, Trigger};

/// A count of tokens in five cells: `842`, `1.2k`, `142k`, `1.3M`.
pub(crate) fn tokens(n: u64) -> String {
    match n {
        0..1000 => n.to_string(),
        1000..9_950 => format!("{:.1}k", n as f64 / 1e3),
        9_950..999_500 => format!("{:.0}k", n as f64 / 1e3),
        _ => format!("{:.1}M", n as f64 / 1e6),
    }
}

/// A count with its noun: `1 span`, `3 spans`.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
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

/// Who speaks or acts in an event that is no call.
pub(crate) fn who(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Prompt | EventKind::Interrupted | EventKind::RolledBack => "you",
        EventKind::Task => "parent",
        EventKind::Injected => "runtime",
        EventKind::Rules => "rules",
        EventKind::Assistant => "agent",
        EventKind::Reasoning => "thinks",
        EventKind::Call => "call",
        EventKind::Resolution => "result",
        EventKind::Boundary | EventKind::Masking => "",
        EventKind::Summary => "summary",
        EventKind::Ran => "hook",
        EventKind::Job => "job",
        EventKind::RequestFailed => "request",
        EventKind::TurnEnded | EventKind::SessionEnded | EventKind::Counted => "session",
        EventKind::Unrecognised => "unknown",
    }
}

/// What an event without a text of its own says.
pub(crate) fn mark(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Interrupted => "stopped the turn",
        EventKind::RolledBack => "took turns back; the world was not rewound",
        EventKind::RequestFailed => "a request to the model failed",
        EventKind::SessionEnded => "ended",
        EventKind::Reasoning => "(encrypted)",
        _ => "",
    }
}

/// What is worth saying about how a call ended; nothing about a plain success.
pub(crate) fn ending(call: &CallRow) -> String {
    let Some(end) = call.end else { return "no result yet".to_owned() };
    match end.how {
        EndHow::Success => String::new(),
        EndHow::Started => "in the background".to_owned(),
        EndHow::Failed(Some(code)) => format!("exit {code}"),
        EndHow::Failed(None) => "failed".to_owned(),
        EndHow::Refused => "refused".to_owned(),
        EndHow::Declined => "you declined".to_owned(),
        EndHow::TimedOut => "timed out".to_owned(),
        EndHow::Interrupted => "interrupted".to_owned(),
        EndHow::Lost => "lost".to_owned(),
        EndHow::Synthetic => "no real result".to_owned(),
        EndHow::AbandonedAtBoundary | EndHow::AbandonedAtTurn | EndHow::AbandonedAtEnd => "never answered".to_owned(),
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

/// What a boundary was: `compaction`, `masking`.
pub(crate) fn boundary(kind: BoundaryKind) -> &'static str {
    match kind {
        BoundaryKind::Summary => "compaction",
        BoundaryKind::Dropped => "truncation",
        BoundaryKind::Masking => "masking",
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

/// An entry's kind with what its status adds: `effect unknown`, `call open`.
pub(crate) fn headline(entry: &Entry) -> String {
    match entry.kind {
        EntryKind::Call => "call without a result".to_owned(),
        EntryKind::Effect => "effect unknown".to_owned(),
        EntryKind::Done => "done, not to be repeated".to_owned(),
        EntryKind::Unclassified => "said by you".to_owned(),
        kind => kind.word().to_owned(),
    }
}

/// What to do about a reason, as an order.
pub(crate) fn repair(repair: Repair) -> &'static str {
    match repair {
        Repair::Reconcile => "look whether it happened",
        Repair::Wait => "wait for its result",
        Repair::Abandon => "give it up, and say so",
        Repair::Close => "close it",
        Repair::Carry => "write a carrier",
        Repair::CoLocate => "keep both ends together",
    }
}

/// One entry in a sentence about a verdict: `./migrate.sh (unknown, 3 min)`.
pub(crate) fn reason(entry: &Entry, now: Stamp) -> String {
    let age = since(entry.opened.at, now);
    let facts = match entry.kind {
        EntryKind::Call => "no result",
        EntryKind::Effect => "unknown",
        EntryKind::Retry => "retried",
        EntryKind::Transaction => "half done",
        EntryKind::Process => "running",
        EntryKind::Resource => "to be undone",
        EntryKind::Unverified => "unverified",
        EntryKind::Task => "not done",
        EntryKind::Question => "unanswered",
        EntryKind::Done => return format!("done: {}", entry.line_text),
        EntryKind::Binding | EntryKind::Reference => return format!("{}: {}", entry.kind.word(), entry.line_text),
        EntryKind::Unclassified => return format!("“{}”", entry.line_text),
        kind => return format!("{}: “{}”", kind.word(), entry.line_text),
    };
    match age {
        Some(age) => format!("{} ({facts}, {age})", entry.line_text),
        None => format!("{} ({facts})", entry.line_text),
    }
}

/// The verdict's first reasons in words, the most important first; the view shows as many as fit.
pub(crate) fn verdict(judgement: &Judgement, lane: &LaneSnapshot, now: Stamp) -> (String, Vec<String>) {
    let entries = judgement.reasons.iter().filter_map(|Reason { entry, .. }| lane.entry(*entry));
    let reasons: Vec<String> = entries.take(6).map(|entry| reason(entry, now)).collect();
    let n = judgement.reasons.len();
    let opening = match judgement.verdict {
        Verdict::Compact if lane.live.is_empty() => "nothing is owed; this session may be compacted".to_owned(),
        Verdict::Compact => "nothing in range is owed; it may be compacted now".to_owned(),
        Verdict::Repair => format!("{n} to carry first: "),
        Verdict::Around => format!("{n} in the way, kept in place: "),
        Verdict::Defer => format!("wait for {n} open: "),
        Verdict::Refuse => format!("{n} open: "),
        Verdict::Escalate => format!("does not fit, decide what may be lost of {n}: "),
    };
    (opening, reasons)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_their_column() {
        for (n, shown) in [
            (0, "0"),
            (842, "842"),
            (1_000, "1.0k"),
            (9_949, "9.9k"),
            (9_950, "10k"),
            (142_000, "142k"),
            (999_499, "999k"),
            (999_500, "1.0M"),
            (12_345_678, "12.3M"),
        ] {
            assert_eq!(tokens(n), shown);
        }
    }

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
