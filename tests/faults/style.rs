//! Styles: how a summary words and lays out what it tells.

use super::story::Kind;

/// What a summary tells, before it is laid out.
#[derive(Clone, Debug)]
pub(crate) struct Telling {
    /// One sentence a fact that is told, by the fact's id.
    pub(crate) facts: Vec<Told>,
    pub(crate) narrative: Vec<String>,
    /// What the human typed.
    pub(crate) prompts: Vec<String>,
}

#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) fact: String,
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

/// A way to write a summary.
pub(crate) struct Style {
    pub(crate) name: &'static str,
    /// Whether a fact is quoted, where it has words of its own; else by which of its wordings it is told.
    pub(crate) wording: Wording,
    pub(crate) lay_out: fn(&Telling) -> String,
}

#[derive(Clone, Copy)]
pub(crate) enum Wording {
    Quoted,
    Restated(usize),
}

/// All styles. The sectioned ones are what Claude Code writes, the handoff is what Codex does, the numbered one what Cline does.
pub(crate) const STYLES: &[Style] = &[
    Style { name: "bulleted", wording: Wording::Restated(0), lay_out: bulleted },
    Style { name: "prose", wording: Wording::Restated(1), lay_out: prose },
    Style { name: "sectioned, quoting", wording: Wording::Quoted, lay_out: |telling| sectioned(telling, usize::MAX) },
    Style { name: "sectioned, brief", wording: Wording::Restated(2), lay_out: |telling| sectioned(telling, 48) },
    Style { name: "handoff", wording: Wording::Restated(3), lay_out: handoff },
    Style { name: "numbered", wording: Wording::Restated(4), lay_out: numbered },
    Style { name: "table", wording: Wording::Restated(5), lay_out: table },
    Style { name: "notes", wording: Wording::Restated(6), lay_out: notes },
];

/// Where a summary of sections tells a fact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Intent,
    Concepts,
    Errors,
    Solved,
    Pending,
    Current,
}

impl Kind {
    fn part(self) -> Part {
        match self {
            Self::Rule | Self::Order | Self::Request | Self::Nothing => Part::Intent,
            Self::Value | Self::Binding => Part::Concepts,
            Self::Unknown => Part::Errors,
            Self::Done | Self::Settled => Part::Solved,
            Self::Task | Self::Question => Part::Pending,
            Self::Call | Self::Open | Self::Unverified => Part::Current,
        }
    }
}

impl Telling {
    fn of(&self, parts: &[Part]) -> Vec<&str> {
        self.facts.iter().filter(|told| parts.contains(&told.kind.part())).map(|told| told.text.as_str()).collect()
    }
}

fn list(lines: &[&str], mark: &str) -> String {
    lines.iter().map(|line| format!("{mark}{line}\n")).collect()
}

fn bulleted(telling: &Telling) -> String {
    let narrative: Vec<&str> = telling.narrative.iter().map(String::as_str).collect();
    let blocks = [
        ("Goal and rules", telling.of(&[Part::Intent])),
        ("What happened", [narrative, telling.of(&[Part::Solved, Part::Errors])].concat()),
        ("Details", telling.of(&[Part::Concepts])),
        ("State", telling.of(&[Part::Current])),
        ("Still open", telling.of(&[Part::Pending])),
    ];
    let block = |(head, lines): &(&str, Vec<&str>)| format!("## {head}\n{}\n", list(lines, "- "));
    blocks.iter().filter(|(_, lines)| !lines.is_empty()).map(block).collect::<String>().trim_end().to_owned()
}

fn prose(telling: &Telling) -> String {
    let narrative: Vec<&str> = telling.narrative.iter().map(String::as_str).collect();
    let paragraphs = [
        [narrative, telling.of(&[Part::Solved])].concat(),
        telling.of(&[Part::Intent, Part::Concepts]),
        telling.of(&[Part::Errors, Part::Current, Part::Pending]),
    ];
    paragraphs.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n")
}

/// The prompts are listed, each up to so many characters.
fn sectioned(telling: &Telling, most: usize) -> String {
    let short = |prompt: &String| match prompt.char_indices().nth(most) {
        Some((end, _)) => format!("\"{}...\"", &prompt[..end]),
        None => format!("\"{prompt}\""),
    };
    let prompts: Vec<String> = telling.prompts.iter().map(short).collect();
    let prompts: Vec<&str> = prompts.iter().map(String::as_str).collect();
    let narrative: Vec<&str> = telling.narrative.iter().map(String::as_str).collect();
    let sections = [
        ("Primary Request and Intent", telling.of(&[Part::Intent])),
        ("Key Technical Concepts", telling.of(&[Part::Concepts])),
        ("Files and Code Sections", narrative),
        ("Errors and fixes", telling.of(&[Part::Errors])),
        ("Problem Solving", telling.of(&[Part::Solved])),
        ("All user messages", prompts),
        ("Pending Tasks", telling.of(&[Part::Pending])),
        ("Current Work", telling.of(&[Part::Current])),
    ];
    let section = |(n, (head, lines)): (usize, &(&str, Vec<&str>))| format!("{}. {head}:\n{}\n", n + 1, list(lines, "   - "));
    let analysis: String = telling.narrative.iter().enumerate().map(|(n, told)| format!("{}. {told}\n\n", n + 1)).collect();
    format!(
        "Analysis:\nLet me go through the conversation chronologically:\n\n{analysis}Summary:\n{}",
        sections.iter().enumerate().map(section).collect::<String>().trim_end()
    )
}

fn handoff(telling: &Telling) -> String {
    let blocks = [
        ("Progress", telling.of(&[Part::Solved, Part::Errors, Part::Current])),
        ("Constraints", telling.of(&[Part::Intent])),
        ("Context", telling.of(&[Part::Concepts])),
        ("Next", telling.of(&[Part::Pending])),
    ];
    let block = |(head, lines): &(&str, Vec<&str>)| format!("**{head}**\n{}\n", list(lines, "- "));
    blocks.iter().filter(|(_, lines)| !lines.is_empty()).map(block).collect::<String>().trim_end().to_owned()
}

/// What is still to be done is nested below its head.
fn numbered(telling: &Telling) -> String {
    let pending = [
        ("Rules to follow", telling.of(&[Part::Intent])),
        ("Not finished", telling.of(&[Part::Pending])),
        ("In flight", telling.of(&[Part::Current])),
    ];
    let nested = |(head, lines): &(&str, Vec<&str>)| format!("   - {head}:\n{}", list(lines, "     - "));
    let pending: String = pending.iter().filter(|(_, lines)| !lines.is_empty()).map(nested).collect();
    let narrative: Vec<&str> = telling.narrative.iter().map(String::as_str).collect();
    format!(
        "1. Previous Conversation:\n   {}\n\n2. Key Technical Concepts:\n{}\n3. Problem Solving:\n{}\n4. Pending Tasks and Next Steps:\n{}",
        narrative.join(" "),
        list(&telling.of(&[Part::Concepts]), "   - "),
        list(&telling.of(&[Part::Solved, Part::Errors]), "   - "),
        pending.trim_end()
    )
}

fn table(telling: &Telling) -> String {
    let rows = [
        ("Requirement", telling.of(&[Part::Intent])),
        ("Detail", telling.of(&[Part::Concepts])),
        ("Result so far", telling.of(&[Part::Solved, Part::Errors])),
        ("Status", telling.of(&[Part::Current])),
        ("Remaining", telling.of(&[Part::Pending])),
    ];
    let row = |(head, lines): &(&str, Vec<&str>)| lines.iter().map(|line| format!("| {head} | {line} |\n")).collect::<String>();
    let narrative = telling.narrative.join(" ");
    let rows: String = rows.iter().map(row).collect();
    format!("## Summary of the session\n\n{narrative}\n\n| Topic | What |\n|---|---|\n{}", rows.trim_end())
}

/// As somebody writes to himself: lines without marks.
fn notes(telling: &Telling) -> String {
    let narrative: Vec<&str> = telling.narrative.iter().map(String::as_str).collect();
    let blocks = [
        ("Where I am", [narrative, telling.of(&[Part::Solved, Part::Errors, Part::Current])].concat()),
        ("What I must keep in mind", telling.of(&[Part::Intent, Part::Concepts])),
        ("What is left", telling.of(&[Part::Pending])),
    ];
    let block = |(head, lines): &(&str, Vec<&str>)| format!("{head}:\n{}\n", list(lines, ""));
    blocks.iter().filter(|(_, lines)| !lines.is_empty()).map(block).collect::<String>().trim_end().to_owned()
}
