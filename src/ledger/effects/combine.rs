//! From the parts of a call to the whole: the strongest part speaks for it.

use std::sync::Arc;

use super::class::{Atomicity, Class, Idempotency, Known};
use crate::base::text::prefix;

/// Longer intents and targets are cut, in bytes.
const NAME_BYTES: usize = 240;

/// One thing that a call does: a simple command, a redirection, a statement of SQL, a tool.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) class: Class,
    pub(super) idempotency: Idempotency,
    pub(super) known: Known,
    pub(super) atomic: bool,
    /// It acts on one thing.
    pub(super) one: bool,
    pub(super) intent: String,
    pub(super) target: Option<String>,
    pub(super) world: Option<Arc<str>>,
    /// Another part of the world that it lets one see, all of it.
    pub(super) also: Option<Arc<str>>,
    /// What to look with, as its row says; `{}` stands for the target.
    pub(super) look: Option<Arc<str>>,
    /// Number of its statement; the parts of a pipeline share one.
    pub(super) statement: usize,
    /// It may run more than once.
    pub(super) looped: bool,
    /// It runs only if what stands before it succeeded (`&&`).
    pub(super) after_success: bool,
    /// It goes on in the background (`&`).
    pub(super) background: bool,
    /// It serves or watches until somebody ends it.
    pub(super) serves: bool,
    /// What it acts on is gone when it succeeded.
    pub(super) removes: bool,
    /// Which rule made it.
    pub(super) why: Why,
}

/// Which rule made a part: put into words where somebody asks for them, which hardly anybody does.
#[derive(Clone, Debug)]
pub(super) enum Why {
    /// The one at this place, which says this of `what`.
    Rule { what: Box<str>, class: Class, idempotency: Idempotency, known: Known, place: Arc<str> },
    /// None that has a place.
    Said(String),
}

/// What is said of the parts as a whole.
pub(super) struct Whole<'p> {
    pub(super) strongest: &'p Part,
    pub(super) idempotency: Idempotency,
    pub(super) known: Known,
    pub(super) atomicity: Atomicity,
}

/// The whole of some parts; none of no part. Of equally strong ones the first speaks; doing it again is as harmful as the most harmful
/// part. Its class is a guess if the strongest part's is, or if a part that nobody knows stands beside a mere write: it may do more.
pub(super) fn whole(parts: &[Part]) -> Option<Whole<'_>> {
    let class = parts.iter().map(|part| part.class).max()?;
    let at = parts.iter().position(|part| part.class == class)?;
    let strongest = parts.get(at)?;
    let acting = || parts.iter().filter(|part| part.class.has_effect());
    let idempotency = acting().map(|part| part.idempotency).max().unwrap_or(Idempotency::Idempotent);
    let may_do_more = class <= Class::Write && acting().any(|part| part.known == Known::Inferred);
    let guessed = strongest.known == Known::Inferred || may_do_more;
    let known = if guessed { Known::Inferred } else { Known::Listed };
    Some(Whole { strongest, idempotency, known, atomicity: atomicity(parts, at, strongest) })
}

/// Whether a failure of the whole says something about the strongest part. Before it, an idempotent local write does not matter: doing
/// it again does no harm. Behind it, a look at all of the same part of the world (`git status`) does not fail by itself.
fn atomicity(parts: &[Part], at: usize, strongest: &Part) -> Atomicity {
    let harmless =
        |part: &Part| !part.class.has_effect() || (part.class == Class::Write && part.idempotency == Idempotency::Idempotent);
    let quiet = |part: &Part| {
        part.statement == strongest.statement && !part.class.has_effect()
            || part.class == Class::Control
            || part.class == Class::Read && part.target.is_none() && part.world.is_some() && part.world == strongest.world
    };
    let (before, behind) = (parts.iter().take(at), parts.iter().skip(at + 1));
    let chained = || parts.get(..=at).unwrap_or_default().iter().rev().take_while(|part| part.after_success).count();
    // All that may fail before it stands in one chain with it.
    let first = at.saturating_sub(chained());
    let chain = first < at && parts.iter().take(first).all(|part| !part.class.has_effect());
    if !strongest.looped && chain && !before.clone().all(harmless) {
        Atomicity::Chain
    } else if strongest.looped || !before.into_iter().all(harmless) || !behind.into_iter().all(quiet) {
        Atomicity::Several
    } else if strongest.atomic {
        Atomicity::Atomic
    } else if strongest.one {
        Atomicity::One
    } else {
        Atomicity::Partial
    }
}

/// An intent or target of a length that fits a row.
pub(super) fn short(text: &str) -> &str {
    prefix(text, NAME_BYTES)
}

/// The same text, of such a length.
pub(super) fn shortened(mut text: String) -> String {
    text.truncate(short(&text).len());
    text
}

impl Why {
    /// The rule at `place`, which says this of `what`.
    pub(super) fn rule(what: &str, class: Class, idempotency: Idempotency, known: Known, place: &Arc<str>) -> Self {
        Self::Rule { what: short(what).into(), class, idempotency, known, place: Arc::clone(place) }
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Rule { what, class, idempotency, known, place } => {
                let again = if class.has_effect() { format!(", {}", idempotency.words()) } else { String::new() };
                let guess = if *known == Known::Inferred { ", inferred" } else { "" };
                format!("{what}: {}{again}{guess} ({place})", class.word())
            }
            Self::Said(words) => words.clone(),
        }
    }
}
