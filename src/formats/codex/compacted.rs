//! Compactions: what one keeps, and what stands in for the rest.
//!
//! The `compacted` line holds the whole new context (`replacement_history`), from which its kind shows:
//!
//! | kind | how it shows | what survives |
//! |---|---|---|
//! | local summary | the summary stands in `message`, or in a user message that begins with [`SUMMARY_PREFIX`] | user texts, newest first up to 20,000 tokens |
//! | remote | a `compaction` item, encrypted | user texts, newest first up to 64,000 tokens |
//! | remote, older | assistant messages that the server wrote | what it returned |
//! | new context window | none of these | nothing stands in for what was dropped |
//! | legacy | no replacement history | Codex rebuilds it: user texts as for a local summary |
//!
//! (codex-rs `core/src/compact.rs`, `compact_remote.rs`, `compact_remote_v2.rs`, `session/rollout_reconstruction.rs`.)

use std::borrow::Cow;

use super::line::{Item, Part};
use super::zones::{SUMMARY_PREFIX, Said, said};
use crate::formats::emit::Emit;
use crate::formats::json::{Content, List, Maybe};
use crate::transcript::{Boundary, BoundaryKind, Kept, Payload, Speaker, Trigger};

/// What Codex keeps of user messages where it rebuilds a context itself (`COMPACT_USER_MESSAGE_MAX_TOKENS`).
const KEPT_TOKENS: u64 = 20_000;

/// Tells a `compacted` line: a boundary, and the summary if there is one.
pub(super) fn tell(item: &Item<'_>, out: &mut Emit<'_, '_>) {
    let stored = item.message.filled().map(Cow::Borrowed);
    let (new, kept) = match &item.replacement_history {
        Some(history) => {
            let mut new = Context::read(history);
            let texts = std::mem::take(&mut new.kept);
            (new, if texts.is_empty() { Kept::Nothing } else { Kept::Texts(texts) })
        }
        None => (Context::default(), Kept::Prompts { tokens: KEPT_TOKENS }),
    };
    let written = || Some(new.written.join("\n\n").into()).filter(|text: &Cow<'_, str>| !text.is_empty());
    let summary = stored.or(new.summary).or_else(written);
    out.push(Payload::Boundary(Boundary {
        kind: if summary.is_some() || new.opaque { BoundaryKind::Summary } else { BoundaryKind::Dropped },
        // No record says who asked.
        trigger: Trigger::Unknown,
        tokens_before: None,
        tokens_after: None,
        kept,
        masked: Vec::new(),
        reinjected_bytes: new.reinjected,
    }));
    if summary.is_some() || new.opaque {
        out.push(Payload::Summary { text: summary.unwrap_or_default(), opaque: new.opaque });
    }
}

/// A new context, sorted.
#[derive(Default)]
struct Context<'a> {
    /// The human's texts that are whole.
    kept: Vec<Cow<'a, str>>,
    /// A summary as a user message.
    summary: Option<Cow<'a, str>>,
    /// What the assistant says in it.
    written: Vec<&'a str>,
    /// There is an encrypted summary.
    opaque: bool,
    /// Bytes of everything else that can be read.
    reinjected: u64,
}

impl<'a> Context<'a> {
    fn read(history: &'a List<Maybe<Item<'_>>>) -> Self {
        let mut new = Self::default();
        for item in history.0.iter().filter_map(|item| item.0.as_ref()) {
            match (item.kind.as_str(), item.role.as_str()) {
                ("compaction" | "compaction_summary" | "context_compaction", _) => new.opaque = true,
                (_, "user") => said(&item.content, Speaker::Human).into_iter().for_each(|said| new.user(said)),
                (_, "assistant") => new.written.extend(texts(&item.content)),
                _ => new.reinjected += texts(&item.content).map(|text| text.len() as u64).sum::<u64>(),
            }
        }
        new
    }

    fn user(&mut self, said: Said<'a>) {
        if said.text.starts_with(SUMMARY_PREFIX) {
            self.summary = Some(said.text);
        } else if said.speaker == Speaker::Human && !is_cut(&said.text) {
            self.kept.push(said.text);
        } else {
            self.reinjected += said.text.len() as u64;
        }
    }
}

fn texts<'a>(content: &'a Content<'_, Part<'_>>) -> impl Iterator<Item = &'a str> {
    let (plain, parts) = match content {
        Content::Absent => (None, &[][..]),
        Content::Text(text) => (Some(text.as_ref()), &[][..]),
        Content::Parts(parts) => (None, parts.as_slice()),
    };
    plain.into_iter().chain(parts.iter().filter_map(|part| part.text.filled()))
}

/// Whether Codex cut the middle out of a text: `…12 tokens truncated…`.
fn is_cut(text: &str) -> bool {
    text.match_indices(" tokens truncated…").any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let rest = before.trim_end_matches(|c: char| c.is_ascii_digit());
        rest.len() < before.len() && rest.ends_with('…')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_is_not_kept() {
        for (text, cut) in [
            ("midd…1 tokens truncated…1234", true),
            ("a …20 tokens truncated… b …x tokens truncated… c", true),
            ("why does it say tokens truncated…", false),
            ("…x tokens truncated…", false),
            ("", false),
        ] {
            assert_eq!(is_cut(text), cut, "{text}");
        }
    }
}
