//! What the reports and the screen say in the same words, each said in one place.

use crate::base::ids::BoundaryIx;
use crate::compaction::judgement::{Judgement, Repair, Verdict};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EntryKind;
use crate::report::text::tokens;
use crate::transcript::BoundaryKind;

/// What a boundary was: `compaction`, `masking`.
pub(crate) fn boundary_kind(kind: BoundaryKind) -> &'static str {
    match kind {
        BoundaryKind::Summary => "compaction",
        BoundaryKind::Dropped => "truncation",
        BoundaryKind::Masking => "masking",
        BoundaryKind::Rewound => "rewind",
    }
}

/// A boundary of a lane by its name: `compaction 1`, `masking 2`.
pub(crate) fn boundary(lane: &LaneSnapshot, ix: BoundaryIx) -> String {
    let kind = lane.boundaries.get(ix.index()).map_or(BoundaryKind::Summary, |row| row.kind);
    format!("{} {}", boundary_kind(kind), ix.index() + 1)
}

/// A call by its tool and what it does, which may be no more than the tool's name: `Bash make test`.
pub(crate) fn call(tool: &str, what: &str) -> String {
    if what.is_empty() || what == tool { tool.to_owned() } else { format!("{tool} {what}") }
}

/// What clears a reason, and with what: `reconcile: git ls-remote origin`.
pub(crate) fn repair(repair: Repair, kind: EntryKind, with: Option<&str>) -> String {
    let look = with.unwrap_or("look whether it happened");
    match (repair, with) {
        (Repair::Reconcile, _) => format!("reconcile: {look}"),
        (Repair::Carry, _) if kind == EntryKind::Effect => format!("reconcile: {look}; or carry"),
        (Repair::Carry, _) => "carry".to_owned(),
        (Repair::Wait, Some(with)) => format!("wait, or reconcile: {with}"),
        (Repair::Wait, None) => "wait for its result".to_owned(),
        (Repair::Abandon, Some(with)) => format!("abandon, and say so; or reconcile: {with}"),
        (Repair::Abandon, None) => "abandon, and say so".to_owned(),
        (Repair::Close, Some(with)) => format!("close: {with}"),
        (Repair::Close, None) => "close it".to_owned(),
        (Repair::CoLocate, _) => "co-locate: keep both ends together".to_owned(),
    }
}

/// How a verdict's sentence begins, of so many live entries and so many open ones; its reasons follow where it ends in a colon.
pub(crate) fn verdict(judgement: &Judgement, live: usize, open: usize) -> String {
    let carriers = judgement.reasons.len();
    match judgement.verdict {
        Verdict::Compact if judgement.at.is_none() => "no events yet".to_owned(),
        Verdict::Compact if live == 0 => "nothing is owed; this session may be compacted".to_owned(),
        Verdict::Compact => "what is live is safe as it stands; this session may be compacted".to_owned(),
        Verdict::Repair if carriers == 1 => "safe once 1 carrier is written: ".to_owned(),
        Verdict::Repair => format!("safe once {carriers} carriers are written: "),
        Verdict::Around => format!("safe around {open} open: "),
        Verdict::Defer if judgement.older.is_some() => format!("not the whole range, {open} open; older spans alone would do: "),
        Verdict::Defer => format!("not yet, {open} open: "),
        Verdict::Refuse => format!("{open} open: "),
        Verdict::Escalate => {
            format!(
                "does not fit: {} live tokens are the floor; somebody must decide what may be lost: ",
                tokens(judgement.tokens.floor)
            )
        }
    }
}
