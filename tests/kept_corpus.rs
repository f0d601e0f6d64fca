//! What stays at real compactions against the dry run of the moment before, where `OWED_CORPUS` names a folder that holds some: pi, Qwen
//! Code, Copilot CLI and Cline say what they kept.
//!
//! Two more formats could, and no recording of them lets it be compared. Roo Code's one condensed conversation no longer holds what was
//! condensed: versions of then deleted it. OpenHands' one condensation was made up after the schema, and forgets an event that does not
//! stand in the file.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use owed::base::ids::{EventIx, SpanIx};
use owed::compaction::judgement::{Action, Judgement};
use owed::compaction::{Ask, Models, Policies, Strictness, Urgency, judge};
use owed::ledger::rows::{BoundaryRow, EventKind, SpanKind};
use owed::ledger::{LaneSnapshot, Rulebook};
use owed::session::{Feed, Options};
use owed::transcript::BoundaryKind;

/// Boundaries at which the dry run keeps something else, and why.
#[rustfmt::skip]
const KNOWN: &[(&str, u32, &str)] = &[
    ("badlogic_pi-mono__compact", 1013, "a hook of its human compacted, which discards all that was said: it names the entry that it writes as the first that is kept"),
    ("cline agentic", 33, "the latest turn stays alone, where the source keeps at least 20,000 tokens: what that run was set to is not recorded"),
];

/// Folders of the corpus with lines, and the policy of the agent.
const LINES: &[(&str, &str)] = &[("pi", "pi"), ("qwen", "qwen-code"), ("copilot", "copilot-cli")];

/// What lay beside the one session of Cline in two runs of its fixtures, and the policy that made it.
const CLINE: &[(&str, &str)] = &[("basic", "cline-basic"), ("agentic", "cline")];

/// Sessions that other programs' tests made up: no runtime decided what stays in them.
const INVENTED: &[&str] = &["specstoryai_getspecstory__specstory-cli_pkg_providers_piagent", "kenn-io"];

/// A runtime counts tokens in its own way (pi a quarter of the characters of each message, we an estimate of events), which moves the edge
/// of what stays: by so much of it.
const TOLERANCE: f64 = 0.25;

/// A recording, and the policy that its agent ran.
struct Recording {
    name: String,
    path: PathBuf,
    policy: &'static str,
}

fn recordings(corpus: &Path, folder: &Path) -> Vec<Recording> {
    let mut all = Vec::new();
    for (agent, policy) in LINES {
        for path in fs::read_dir(corpus.join(agent)).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".jsonl") && !INVENTED.iter().any(|part| name.contains(part)) {
                all.push(Recording { name, path, policy });
            }
        }
    }
    for (kind, policy) in CLINE {
        let fixture = |name: &str| corpus.join(format!("cline/cline_cline__sdk_packages_core_fixtures_session_{name}.json"));
        let path = folder.join(format!("{kind}.messages.json"));
        fs::copy(fixture("session.messages"), &path).unwrap();
        fs::copy(fixture(&format!("{kind}.compaction")), folder.join(format!("{kind}.compaction.json"))).unwrap();
        all.push(Recording { name: format!("cline {kind}"), path, policy });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn the_dry_run_keeps_what_real_compactions_kept() {
    let Some(corpus) = std::env::var_os("OWED_CORPUS") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (policies, models) = (Policies::load(&[]).unwrap(), Models::load(None).unwrap());
    let options = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let (mut seen, mut differing) = (0, Vec::new());
    for Recording { name, path, policy } in recordings(Path::new(&corpus), folder.path()) {
        let Ok(feed) = Feed::whole(&path, &options) else { continue };
        for lane in &feed.latest().lanes {
            for row in lane.boundaries.iter().filter(|row| row.kind == BoundaryKind::Summary) {
                let line = lane.events.get(row.event.index()).unwrap().place.line;
                let Some(before) = begun(lane, row, policy) else { continue };
                let window = models.window_for(lane.model.as_deref(), None, None).holding(row.before.unwrap_or(0));
                let policy = policies.get(policy).unwrap();
                let (strictness, urgency) = (Strictness::Normal, Urgency::Measured);
                let judgement =
                    judge(lane, &Ask { at: Some(before), policy, window, budget: None, cut: None, strictness, urgency });
                let (real, ours) = (kept(lane, row, before), foretold(lane, &judgement));
                seen += 1;
                let differ = tokens(lane, real.symmetric_difference(&ours)) as f64;
                println!("{name}:{line}: {} messages stay, {} by the dry run; {differ} tokens differ", real.len(), ours.len());
                if differ > tokens(lane, real.union(&ours)) as f64 * TOLERANCE {
                    differing.push((name.clone(), line, real, ours));
                }
            }
        }
    }
    let known = |name: &str, line: u32| KNOWN.iter().any(|(part, at, _)| name.contains(part) && *at == line);
    let new: Vec<_> = differing.iter().filter(|(name, line, ..)| !known(name, *line)).collect();
    println!("{} of {seen} agree", seen - differing.len());
    assert!(new.is_empty(), "differences without a reason: {new:#?}");
    assert!(seen >= 9, "{seen} compactions");
}

/// The event before a compaction began: Copilot's runs beside the agent, and what was said since its beginning always stays.
fn begun(lane: &LaneSnapshot, row: &BoundaryRow, policy: &str) -> Option<EventIx> {
    let before = row.event.0.checked_sub(1)?;
    let counted = |ix: &u32| lane.events.get(*ix as usize).is_some_and(|event| event.kind == EventKind::Counted);
    let began = (0..=before).rev().find(counted).filter(|_| policy == "copilot-cli");
    Some(EventIx(began.unwrap_or(before)))
}

/// The prompts and steps that stayed, of those that were there by then.
fn kept(lane: &LaneSnapshot, row: &BoundaryRow, by: EventIx) -> BTreeSet<SpanIx> {
    let was_there = |span: &SpanIx| lane.spans.get(span.index()).is_some_and(|row| row.first <= by);
    row.kept.iter().copied().filter(was_there).filter(|span| is_message(lane, *span)).collect()
}

/// The same, by the dry run.
fn foretold(lane: &LaneSnapshot, judgement: &Judgement) -> BTreeSet<SpanIx> {
    let kept = judgement.spans.context().filter(|view| view.action == Action::Kept);
    kept.map(|view| view.span).filter(|span| is_message(lane, *span)).collect()
}

fn tokens<'s>(lane: &LaneSnapshot, spans: impl Iterator<Item = &'s SpanIx>) -> u64 {
    spans.filter_map(|span| lane.spans.get(span.index())).map(|row| u64::from(row.tokens)).sum()
}

fn is_message(lane: &LaneSnapshot, span: SpanIx) -> bool {
    lane.spans.get(span.index()).is_some_and(|row| matches!(row.kind, SpanKind::Prompt | SpanKind::Step))
}
