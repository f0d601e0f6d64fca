//! What a call did to the world: the table of DESIGN section 2, from how it ended and what its result says.
//!
//! Copied from records, never inferred from prose: a text counts only where a runtime, a shell or a program's own argument parser wrote
//! it, at the head of the result of one failed command.

use super::catalogue::Catalogue;
use super::class::{Atomicity, Class};
use crate::base::text::prefix;
use crate::ledger::rows::EndHow;

/// What a call did to the world: copied from records, never inferred from prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectStatus {
    /// It happened.
    Committed,
    /// It did not begin.
    NotStarted,
    /// It may have happened, whole or in part. Never read as failed.
    Unknown,
}

impl EffectStatus {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::NotStarted => "not_started",
            Self::Unknown => "unknown",
        }
    }
}

/// Lines at the head of a result that are looked at, and bytes of each.
const LINES: usize = 4;
const LINE_BYTES: usize = 400;
/// Lines at the end of the result of a chain that are looked at: git gives a hint or two behind its error.
const TAIL_LINES: usize = 8;

impl Catalogue {
    /// What a call of this class did, given how it ended and the text of its result. None where its class has no effect.
    ///
    /// A launch in the background is committed: what the job does is owed by its process. A call that was given up is unknown; that it
    /// ran, by a hook's line, is for the fold to add.
    #[must_use]
    pub fn effect_of(&self, class: Class, atomicity: Atomicity, how: EndHow, text: &str) -> Option<EffectStatus> {
        if !class.has_effect() {
            return None;
        }
        Some(match how {
            EndHow::Success | EndHow::Started => EffectStatus::Committed,
            EndHow::Refused | EndHow::Declined => EffectStatus::NotStarted,
            EndHow::Failed(exit) => self.failed(class, atomicity, exit, text),
            EndHow::Returned
            | EndHow::TimedOut
            | EndHow::Interrupted
            | EndHow::Lost
            | EndHow::Synthetic
            | EndHow::AbandonedAtBoundary
            | EndHow::AbandonedAtTurn
            | EndHow::AbandonedAtEnd
            | EndHow::NotRecorded => EffectStatus::Unknown,
        })
    }

    /// Whether a program says by its exit code that it reached nobody, or that its arguments are wrong. Of several commands nobody
    /// knows whose code it is.
    #[must_use]
    pub fn reached_nobody(&self, intent: &str, atomicity: Atomicity, how: EndHow) -> bool {
        let EndHow::Failed(Some(exit)) = how else { return false };
        let program = intent.split(' ').next().unwrap_or_default();
        let codes = || self.not_started.codes.get(program).is_some_and(|codes| codes.contains(&exit));
        !matches!(atomicity, Atomicity::Several | Atomicity::Chain) && codes()
    }

    /// Whether a look failed before it saw anything: the service did not answer, or does not let it in.
    #[must_use]
    pub fn saw_nothing(&self, how: EndHow, text: &str) -> bool {
        let says = |line: &String| {
            [&self.unknown.blind, &self.unknown.text].iter().any(|all| all.iter().any(|at| line.contains(at.as_str())))
        };
        matches!(how, EndHow::Failed(_)) && head(text).iter().any(says)
    }

    fn failed(&self, class: Class, atomicity: Atomicity, exit: Option<i32>, text: &str) -> EffectStatus {
        let exit_is_one_of = |codes: &[i32]| exit.is_some_and(|exit| codes.contains(&exit));
        let head = head(text);
        let proves = |lines: usize, proofs: &[String]| {
            head.iter().take(lines).any(|line| proofs.iter().any(|proof| line.contains(proof.as_str())))
        };
        // What a script nobody knows says in its second line may be about its second step.
        let before_all = if class == Class::Execute { 1 } else { LINES };
        if atomicity == Atomicity::Chain && !exit_is_one_of(&self.unknown.exit) {
            // The command at which a chain breaks speaks last.
            let proven = tail(text).any(|line| self.not_started.chain.iter().any(|proof| line.contains(proof.as_str())));
            return if proven { EffectStatus::NotStarted } else { EffectStatus::Unknown };
        }
        if exit_is_one_of(&self.unknown.exit) || atomicity == Atomicity::Several {
            return EffectStatus::Unknown;
        }
        if exit_is_one_of(&self.not_started.exit) || proves(before_all, &self.not_started.anything) {
            return EffectStatus::NotStarted;
        }
        if proves(LINES, &self.unknown.text) {
            return EffectStatus::Unknown;
        }
        // What it says about a missing file may be about any step; what a listed program says is about its own.
        let about_one = matches!(atomicity, Atomicity::One | Atomicity::Atomic) && proves(LINES, &self.not_started.one);
        let proven = class != Class::Execute && (about_one || proves(LINES, &self.not_started.listed));
        if proven || atomicity == Atomicity::Atomic { EffectStatus::NotStarted } else { EffectStatus::Unknown }
    }
}

/// The last lines of what a program wrote, in lower case.
fn tail(text: &str) -> impl Iterator<Item = String> + '_ {
    let lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    lines.take(TAIL_LINES).map(|line| prefix(line, LINE_BYTES).to_lowercase())
}

/// The first lines of what a program wrote, in lower case, without the lines that a runtime puts before them.
fn head(text: &str) -> Vec<String> {
    let body = match text.split_once("\nOutput:\n") {
        // Codex puts a header before the output.
        Some((header, output)) if header.len() < 300 && header.contains("Wall time") => output,
        _ => text,
    };
    // `### Error` stands over what Playwright's server says.
    let is_ours = |line: &&str| !line.is_empty() && !line.starts_with("Exit code ") && *line != "### Error";
    let line = |line: &str| prefix(line, LINE_BYTES).to_lowercase();
    body.lines().map(str::trim).filter(is_ours).take(LINES).map(line).collect()
}
