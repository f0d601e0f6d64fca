//! How much text is held back: over the Claude Code sessions of the folder that `OWED_CORPUS` names, the share of all that was said,
//! thought, asked of tools and shown by them that stands in a region to be kept word for word. Without it there is nothing to do.
#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use owed::ledger::tagging::{Cues, Said, Setting, Source};
use owed::ledger::{Overlays, Rulebook};
use owed::session::{Options, translate};
use owed::transcript::{Diagnostic, Event, Fact, LaneKey, Mark, Payload, Sink, Speaker};

#[expect(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
fn sessions() -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("OWED_CORPUS") else { return Vec::new() };
    let files = fs::read_dir(PathBuf::from(corpus).join("claude")).unwrap().map(|entry| entry.unwrap().path());
    let is_session = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl");
    // What was derived from another session would count it twice.
    let is_own = |path: &PathBuf| !path.file_name().unwrap().to_string_lossy().starts_with("DERIVED");
    let mut files: Vec<PathBuf> = files.filter(is_session).filter(is_own).collect();
    files.sort();
    assert!(!files.is_empty(), "the corpus holds no session");
    files
}

/// Characters, and how many of them are held in either setting.
#[derive(Clone, Copy, Default)]
struct Held {
    all: usize,
    keep: usize,
    lean: usize,
}

/// Counts what a session says, by who says it.
struct Counter<'c> {
    cues: &'c Cues,
    human: Held,
    assistant: Held,
    thinking: Held,
    /// What tools were asked and showed, and what the runtime put in.
    rest: Held,
    /// The newest text of the turn that goes on.
    last: Option<String>,
}

impl<'c> Counter<'c> {
    fn new(cues: &'c Cues) -> Self {
        let none = Held::default();
        Self { cues, human: none, assistant: none, thinking: none, rest: none, last: None }
    }

    fn read(&self, text: &str, source: Source) -> Held {
        let held = |setting| {
            let regions = self.cues.read(&Said { text, source, before: "", head: "" }, setting);
            let kept = regions.iter().filter(|region| region.kind.is_some());
            kept.map(|region| text[region.range.clone()].chars().count()).sum()
        };
        Held { all: text.chars().count(), keep: held(Setting::Keep), lean: held(Setting::Lean) }
    }

    /// The turn is over: its newest text is what the human answers.
    fn conclude(&mut self, source: Source) {
        if let Some(text) = self.last.take() {
            self.assistant.add(self.read(&text, source));
        }
    }

    fn sum(&self) -> Held {
        let mut sum = self.human;
        [self.assistant, self.thinking, self.rest].into_iter().for_each(|held| sum.add(held));
        sum
    }
}

impl Held {
    fn add(&mut self, other: Self) {
        self.all += other.all;
        self.keep += other.keep;
        self.lean += other.lean;
    }

    fn shares(self, of: Self) -> [f64; 3] {
        [self.all, self.keep, self.lean].map(|count| 100.0 * count as f64 / of.all.max(1) as f64)
    }
}

impl Sink for Counter<'_> {
    fn event(&mut self, event: Event<'_>) {
        if event.lane != LaneKey::Main {
            return;
        }
        let plain = |text: &str| Held { all: text.chars().count(), ..Held::default() };
        match event.payload {
            Payload::User { speaker, text } => {
                let source = match speaker {
                    Speaker::Human => Source::Typed,
                    Speaker::Steering => Source::Steering,
                    Speaker::Parent => Source::Parent,
                    Speaker::Rules => Source::Rules,
                    Speaker::Injected => return self.rest.add(plain(&text)),
                };
                if matches!(source, Source::Typed | Source::Parent) {
                    self.conclude(Source::LastOfTurn);
                }
                self.human.add(self.read(&text, source));
            }
            Payload::Assistant { text } => {
                self.conclude(Source::Assistant);
                self.last = Some(text.into_owned());
            }
            Payload::Mark(Mark::TurnEnded | Mark::Interrupted | Mark::SessionEnded) => self.conclude(Source::LastOfTurn),
            Payload::Reasoning { text } => self.thinking.add(self.read(&text, Source::Reasoning)),
            Payload::Call(call) => self.rest.add(plain(call.input.as_str())),
            Payload::Resolution(resolution) => {
                self.rest.add(plain(&resolution.text));
                if let Some(said) = &resolution.said {
                    let said = self.read(said, Source::Answer);
                    self.rest.add(Held { all: 0, ..said });
                }
            }
            Payload::Job { text, .. } | Payload::Summary { text, .. } | Payload::Unrecognised { text, .. } => {
                self.rest.add(plain(&text));
            }
            Payload::Boundary(_) | Payload::Ran { .. } | Payload::Mark(_) => {}
        }
    }
    fn fact(&mut self, _: Fact<'_>) {}
    fn diagnostic(&mut self, _: Diagnostic) {}
}

/// Tool output is two thirds of a session and more, and is kept by nobody's sentence; what is held must be a small share of it all.
#[test]
fn little_text_is_held_back() {
    let cues = Cues::load(None).unwrap();
    let options = Options::of(Arc::new(Rulebook::load(Overlays::default()).unwrap()));
    let mut all = Counter::new(&cues);
    for path in sessions() {
        let mut own = Counter::new(&cues);
        translate(&path, &options, &mut own).unwrap();
        own.conclude(Source::LastOfTurn);
        all.human.add(own.human);
        all.assistant.add(own.assistant);
        all.thinking.add(own.thinking);
        all.rest.add(own.rest);
    }
    let sum = all.sum();
    println!("{} characters; of all of them, in per cent: of this kind, held with `keep`, held with `lean`", sum.all);
    for (name, held) in
        [("humans", all.human), ("assistant", all.assistant), ("thinking", all.thinking), ("the rest", all.rest), ("all", sum)]
    {
        let [own, keep, lean] = held.shares(sum);
        println!("{own:6.2} {keep:6.2} {lean:6.2}  {name}");
    }
    let [_, keep, lean] = sum.shares(sum);
    assert!(keep <= 13.0 && lean <= 11.0, "keep {keep:.2} %, lean {lean:.2} %");
}
