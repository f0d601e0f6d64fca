//! The screen over whole sessions, the samples' and those of `OWED_CORPUS`: keys lead everywhere, and nothing comes out that a
//! terminal would obey.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

#[path = "screen_samples/any_bytes.rs"]
mod any_bytes;
#[path = "screen_samples/said.rs"]
mod said;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use owed::base::text::is_unsafe;
use owed::base::time::Stamp;
use owed::compaction::{Ask, Judgement, Models, Policies, Strictness, Urgency, judge};
use owed::ledger::LaneSnapshot;
use owed::ledger::Rulebook;
use owed::session::{Feed, Options};
use owed::source::side::is_side_ledger;
use owed::transcript::Agent;
use owed::ui::keymap::Keymap;
use owed::ui::theme::Theme;
use owed::ui::{self, Judge, PolicyName, Question, Replay, Still};

/// Judges by the policy that is asked for, else by the agent's, else by Claude Code's.
struct BuiltIn(Policies, Models);

impl Default for BuiltIn {
    fn default() -> Self {
        Self(Policies::load(&[]).unwrap(), Models::load(None).unwrap())
    }
}

impl Judge for BuiltIn {
    fn policies(&self) -> Vec<PolicyName> {
        self.0.iter().map(PolicyName::from).collect()
    }

    fn judge(&self, agent: Agent, lane: &LaneSnapshot, question: &Question) -> Judgement {
        let asked = question.policy.as_deref().and_then(|name| self.0.get(name).ok());
        let ask = Ask {
            at: None,
            policy: asked.or_else(|| self.0.of_agent(agent.0)).or_else(|| self.0.of_agent("claude-code")).unwrap(),
            window: self.1.window_for(lane.model.as_deref(), None, None),
            budget: None,
            cut: question.cut,
            strictness: Strictness::Normal,
            urgency: Urgency::Measured,
        };
        judge(lane, &ask)
    }
}

fn jsonl(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl") && !is_side_ledger(path));
    files.sort();
    files
}

#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn sessions() -> Vec<PathBuf> {
    let mut files = jsonl(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions"));
    assert!(files.len() >= 4, "the samples were not found");
    if let Some(corpus) = std::env::var_os("OWED_CORPUS") {
        for agent in ["claude", "codex"] {
            files.extend(jsonl(&PathBuf::from(&corpus).join(agent)));
        }
    }
    files
}

/// How the screen looks out of the box, at a time.
fn look(now: Stamp, replay: Option<Replay>) -> ui::Options {
    ui::Options {
        theme: Theme::load("terminal", None).unwrap(),
        keymap: Keymap::default(),
        zone: TimeZone::UTC,
        clock: Arc::new(move || now),
        name: "owed".to_owned(),
        greeting: None,
        front: ui::Front::default(),
        replay,
        outside: Arc::new(owed::ui::outside::Nowhere),
        beside: None,
        arrangement: Default::default(),
        behind: Default::default(),
    }
}

const WAYS: [&str; 8] = [
    "v enter backspace",
    "B d pagedown esc",
    "O enter tab tab tab j j enter",
    "C enter j backspace",
    "p X X { } = P",
    "* s s j enter | n a j enter backspace * |",
    "g j d G l l ?",
    ", < [ . > ] h y w",
];

#[test]
fn every_session_can_be_looked_through() {
    let reading = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let look = look(Stamp(1_790_000_000_000), None);
    let mut looked = 0;
    for path in sessions() {
        // What is no transcript is another test's.
        let Ok(feed) = Feed::whole(&path, &reading) else { continue };
        let mut still = Still::open(&feed, Box::new(BuiltIn::default()), &look, (120, 40));
        for (keys, size) in WAYS.iter().zip([(120, 40), (200, 60), (80, 24)].iter().cycle()) {
            still.resize(size.0, size.1);
            for key in keys.split(' ') {
                still.press(key).unwrap();
                let shown = still.text();
                let live = shown.chars().find(|c| *c != '\n' && is_unsafe(*c));
                assert_eq!(live, None, "{}, after `{key}` of `{keys}`:\n{shown}", path.display());
                assert_eq!(shown.lines().count(), usize::from(size.1));
            }
        }
        looked += 1;
    }
    assert!(looked >= 4);
}

#[test]
fn the_screen_at_a_moment_is_what_it_was_then() {
    let reading = Options::of(Arc::new(Rulebook::load(Default::default()).unwrap()));
    let judge = || Box::new(BuiltIn::default());
    let folder = tempfile::tempdir().unwrap();
    for name in ["compacted", "stopped-mid-call", "healthy", "codex"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-sessions").join(name).with_extension("jsonl");
        let text = fs::read_to_string(&path).unwrap();
        let whole = Feed::whole(&path, &reading).unwrap();
        for tenths in [3, 5, 8, 9] {
            let lines: Vec<&str> = text.lines().take(text.lines().count() * tenths / 10).collect();
            let prefix = folder.path().join("prefix.jsonl");
            fs::write(&prefix, lines.join("\n") + "\n").unwrap();
            let then = Feed::whole(&prefix, &reading).unwrap();
            let now = then.latest().lanes[0].events.iter().rev().find_map(|row| row.at).unwrap();
            let mut was = Still::open(&then, judge(), &look(now, None), (120, 40));
            let replay = Replay { from: u32::try_from(lines.len()).unwrap() + 1, speed: 1.0 };
            let mut is = Still::open(&whole, judge(), &look(Stamp(0), Some(replay)), (120, 40));
            is.press("y").unwrap();
            for keys in ["esc", "v", "d", "e", "a", "tab tab tab tab", "e r"] {
                was.press(keys).unwrap();
                is.press(keys).unwrap();
                // Line one and the rule below it tell the moment, the last line its keys.
                let told = |still: &Still| {
                    still
                        .text()
                        .lines()
                        .enumerate()
                        .filter(|(n, _)| ![0, 2, 39].contains(n))
                        .map(|(_, line)| line.to_owned())
                        .collect::<Vec<_>>()
                };
                assert_eq!(told(&is), told(&was), "{name}, after line {}, `{keys}`", lines.len());
                assert!(is.text().lines().next().unwrap().contains("paused"), "{}", is.text());
            }
        }
    }
}
