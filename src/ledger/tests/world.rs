//! What calls did to the world, as it is known after each session: unknown effects, retries, what is open, done and unverified.

mod classified;
mod done;
mod open;
mod retries;
mod unknown;
mod unverified;

use crate::ledger::LaneSnapshot;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::testing::fold;

/// A call of a shell and its result, in a step of its own: `sh ID HOW COMMAND => RESULT`. Other lines as they are.
pub(super) fn session(script: &str) -> LaneSnapshot {
    let mut lines = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("sh ").map(|rest| rest.splitn(3, ' ').collect::<Vec<_>>()) {
            Some(parts) => {
                let (command, result) = parts[2].split_once(" => ").unwrap_or((parts[2], "done"));
                let input = serde_json::json!({ "command": command.replace("\\n", "\n") });
                lines += &format!("step {id}\ncall {id} Bash {input}\nresult {id} {} {result}\n", parts[1], id = parts[0]);
            }
            None => lines += &format!("{line}\n"),
        }
    }
    fold(&lines)
}

/// The live entries but commitments, as `kind weight`.
pub(super) fn owed(lane: &LaneSnapshot) -> Vec<String> {
    let end = lane.end().unwrap();
    let own = lane.live_at(end).into_iter().filter(|entry| !entry.kind.is_commitment());
    own.map(|entry| format!("{} {}", entry.kind.word(), entry.weight_at(end).word())).collect()
}

/// The newest entry of a kind.
pub(super) fn newest(lane: &LaneSnapshot, kind: EntryKind) -> Entry {
    let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind == kind);
    all.last().map(|entry| (*entry).clone()).unwrap_or_else(|| panic!("no {}", kind.word()))
}

/// How the newest entry of a kind stands, and what settled it.
pub(super) fn ended(lane: &LaneSnapshot, kind: EntryKind) -> (&'static str, Option<&'static str>) {
    let entry = newest(lane, kind);
    (entry.status().word(), entry.settled.and_then(|settled| settled.effect).map(EffectStatus::word))
}
