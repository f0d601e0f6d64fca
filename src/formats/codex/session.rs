//! What a rollout says of its session: `session_meta`, and the header line of the bare rollouts of 2025.

use super::line::{Item, Source, Spawn};
use crate::formats::emit::Emit;
use crate::formats::json::Content;
use crate::transcript::{Fact, LaneKey, Payload, Speaker};

/// Who a file's session is. A rollout says it again at every resume, and a fork repeats its parent's: the first line is canonical,
/// the same id again refreshes it, another id is somebody else's and says nothing here.
#[derive(Debug, Default)]
pub(super) struct Session {
    id: Option<String>,
}

/// What a session's header says about the lane's prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Launch {
    /// A person started the session.
    ByHuman,
    /// Another agent did, and writes its prompts.
    ByAgent,
    /// Nothing: it is somebody else's header, or the same again.
    Unsaid,
}

impl Session {
    /// Tells a header.
    pub(super) fn header(&mut self, meta: &Item<'_>, out: &mut Emit<'_, '_>) -> Launch {
        let id = meta.id.filled().or(meta.session_id.filled()).unwrap_or_default();
        let first = self.id.is_none();
        if self.id.get_or_insert_with(|| id.to_owned()) != id {
            out.bookkeeping("session_meta");
            return Launch::Unsaid;
        }
        facts(meta, id, out);
        if !first {
            return Launch::Unsaid;
        }
        if let Some(text) = instructions(meta) {
            out.push(Payload::User { speaker: Speaker::Rules, text: text.into() });
        }
        match meta.source.0.as_ref().and_then(launch) {
            Some(spawn) => {
                lane(meta, spawn, out);
                Launch::ByAgent
            }
            None => Launch::ByHuman,
        }
    }
}

fn facts(meta: &Item<'_>, id: &str, out: &mut Emit<'_, '_>) {
    let branch = meta.git.0.as_ref().and_then(|git| git.branch.filled());
    let said = [
        Some(id).filter(|id| !id.is_empty()).map(|id| Fact::Session(id.into())),
        meta.cli_version.filled().map(|version| Fact::Version(version.into())),
        meta.cwd.filled().map(|cwd| Fact::Directory(cwd.into())),
        branch.map(|branch| Fact::Branch(branch.into())),
        meta.agent_nickname.filled().map(|name| Fact::Title(name.into())),
    ];
    for fact in said.into_iter().flatten() {
        out.fact(fact);
    }
}

/// The system prompt. Older headers hold `instructions` instead: those are the rules files, which stand again in a message.
fn instructions<'a>(meta: &'a Item<'_>) -> Option<&'a str> {
    let text = match &meta.base_instructions {
        Content::Absent => None,
        Content::Text(text) => Some(text.as_ref()),
        Content::Parts(parts) => parts.first().and_then(|part| part.text.filled()),
    };
    text.filter(|text| !text.trim().is_empty())
}

/// How a sub-agent was launched; none for a session that a person started.
fn launch<'a>(source: &'a Source<'_>) -> Option<Option<&'a Spawn<'a>>> {
    match &source.subagent {
        Content::Absent => None,
        Content::Text(_) => Some(None),
        Content::Parts(parts) => Some(parts.first().and_then(|part| part.thread_spawn.0.as_ref())),
    }
}

/// Which lane launched this one. A sub-agent's rollout that is read alone is a main lane, and has no parent here.
fn lane(meta: &Item<'_>, spawn: Option<&Spawn<'_>>, out: &mut Emit<'_, '_>) {
    if out.lane == LaneKey::Main {
        return;
    }
    let parent = spawn.and_then(|spawn| spawn.parent_thread_id.filled()).or(meta.parent_thread_id.filled());
    let nested = spawn.and_then(|spawn| spawn.depth.0).is_some_and(|depth| depth > 1);
    let parent = match parent {
        // The session's own thread is its main lane: newer headers name it, older ones say how deep the agent stands.
        Some(id) if nested && meta.session_id.filled() != Some(id) => LaneKey::Sub(id.into()),
        _ => LaneKey::Main,
    };
    out.fact(Fact::Lane { lane: out.lane.clone(), parent });
}
