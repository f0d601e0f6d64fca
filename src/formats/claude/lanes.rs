//! Which lane a line belongs to.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::line::Line;
use crate::base::hash::Hash64;
use crate::formats::adapter::Opening;
use crate::transcript::LaneKey;

/// The lanes of one file.
#[derive(Debug)]
pub(super) struct Lanes {
    opening: Opening,
    own: Own,
    chains: Chains,
}

/// Whose file this is.
#[derive(Debug, PartialEq, Eq)]
enum Own {
    /// No message came yet.
    Unknown,
    /// The main agent's.
    Main,
    /// This sub-agent's: its first message is of a side-chain. Opened by itself, its lines are the file's main lane.
    Sub(String),
}

impl Lanes {
    /// The lanes of a file of which this much is known.
    pub(super) fn new(opening: Opening) -> Self {
        Self { opening, own: Own::Unknown, chains: Chains::default() }
    }

    /// The lane of a line; none where the line repeats an agent that has a file of its own.
    pub(super) fn of<'l>(&'l mut self, line: &'l Line<'_>) -> Option<LaneKey<'l>> {
        if let LaneKey::Sub(id) = &self.opening.lane {
            return Some(LaneKey::Sub(Cow::Borrowed(id)));
        }
        let id = line.agent_id.filled();
        if self.own == Own::Unknown && line.uuid.filled().is_some() {
            self.own = id.filter(|_| line.is_sidechain.0).map_or(Own::Main, |id| Own::Sub(id.to_owned()));
        }
        match id {
            _ if !line.is_sidechain.0 => Some(LaneKey::Main),
            Some(id) if matches!(&self.own, Own::Sub(own) if own == id) => Some(LaneKey::Main),
            Some(id) => self.sub(id),
            None => Some(LaneKey::Sub(Cow::Borrowed(self.chains.follow(line)))),
        }
    }

    /// The lane of a sub-agent whose message the line repeats.
    pub(super) fn sub<'l>(&self, id: &'l str) -> Option<LaneKey<'l>> {
        let elsewhere = self.opening.elsewhere.iter().any(|known| known == id);
        (!elsewhere).then_some(LaneKey::Sub(Cow::Borrowed(id)))
    }
}

/// Side-chains without an agent's id.
///
/// Versions up to 1.0.x write a sub-agent's lines into the main file like that: each chain is known by its first line, and the lines
/// are followed from parent to child. Chains of parallel sub-agents are interleaved.
#[derive(Debug, Default)]
struct Chains {
    of: FxHashMap<Hash64, u32>,
    roots: Vec<String>,
}

impl Chains {
    /// The first line of the chain that `line` belongs to.
    fn follow<'l>(&'l mut self, line: &'l Line<'_>) -> &'l str {
        let uuid = line.uuid.as_str();
        let hash = |id: &str| Hash64::of(id.as_bytes());
        let known = line.parent_uuid.filled().and_then(|parent| self.of.get(&hash(parent))).copied();
        let root = known.unwrap_or_else(|| {
            self.roots.push(uuid.to_owned());
            u32::try_from(self.roots.len() - 1).unwrap_or(u32::MAX)
        });
        self.of.insert(hash(uuid), root);
        self.roots.get(root as usize).map_or(uuid, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::adapter::Opening;
    use crate::formats::claude::testing::{told, told_in};
    use crate::transcript::LaneKey;

    const PROMPT: &str = r#"{"type":"user","uuid":"p","parentUuid":null,"isSidechain":false,"message":{"content":"go"}}"#;

    #[test]
    fn chains_without_an_id_are_followed_from_their_first_line() {
        let told = told(&[
            PROMPT,
            r#"{"type":"user","uuid":"a1","parentUuid":null,"isSidechain":true,"message":{"content":"look"}}"#,
            r#"{"type":"user","uuid":"b1","parentUuid":null,"isSidechain":true,"message":{"content":"count"}}"#,
            r#"{"type":"assistant","uuid":"a2","parentUuid":"a1","isSidechain":true,"message":{"content":[{"type":"text","text":"seen"}]}}"#,
            r#"{"type":"assistant","uuid":"b2","parentUuid":"b1","isSidechain":true,"message":{"content":[{"type":"text","text":"three"}]}}"#,
            r#"{"type":"assistant","uuid":"a3","parentUuid":"a2","isSidechain":true,"message":{"content":[{"type":"text","text":"done"}]}}"#,
            r#"{"type":"assistant","uuid":"c9","parentUuid":"gone","isSidechain":true,"message":{"content":[{"type":"text","text":"lost"}]}}"#,
        ]);
        let expected = [
            "Human: go",
            "@a1 Parent: look",
            "@b1 Parent: count",
            "@a1 Assistant: seen",
            "@b1 Assistant: three",
            "@a1 Assistant: done",
            "@c9 Assistant: lost",
        ];
        assert_eq!(told.events, expected);
        assert_eq!(told.facts[0], r#"Lane { lane: Sub("a1"), parent: Main }"#);
        assert_eq!(told.facts.len(), 3);
    }

    #[test]
    fn what_is_repeated_of_an_agent_with_a_file_is_left_out() {
        let lines = [
            PROMPT,
            r#"{"type":"user","uuid":"x1","parentUuid":null,"isSidechain":true,"agentId":"a7","message":{"content":"look"}}"#,
            r#"{"type":"progress","uuid":"x2","data":{"type":"agent_progress","agentId":"a7","message":{"type":"assistant","uuid":"n1","message":{"content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]}}}}"#,
            r#"{"type":"progress","uuid":"x3","data":{"type":"agent_progress","agentId":"a8","message":{"type":"user","uuid":"n2","message":{"content":"count"}}}}"#,
        ];
        assert_eq!(told(&lines).events, ["Human: go", "@a7 Parent: look", "@a7 Call t1 Read {}", "@a8 Parent: count"]);

        let told = told_in(Opening { lane: LaneKey::Main, elsewhere: vec!["a7".into()] }, &lines);
        assert_eq!(told.events, ["Human: go", "@a8 Parent: count"]);
        assert_eq!(
            told.facts,
            ["bookkeeping user", "bookkeeping progress/agent_progress", r#"Lane { lane: Sub("a8"), parent: Main }"#]
        );
    }

    #[test]
    fn a_sub_agents_own_file_is_one_lane() {
        let lines = [
            r#"{"type":"user","uuid":"x1","parentUuid":null,"isSidechain":true,"agentId":"a7","message":{"content":"look"}}"#,
            r#"{"type":"assistant","uuid":"x2","parentUuid":"x1","isSidechain":true,"agentId":"a7","message":{"content":"seen"}}"#,
        ];
        let opening = Opening { lane: LaneKey::Sub("a7".into()), elsewhere: Vec::new() };
        assert_eq!(told_in(opening, &lines).events, ["@a7 Parent: look", "@a7 Assistant: seen"]);
        assert_eq!(told(&lines).events, ["Parent: look", "Assistant: seen"], "opened by itself");
    }
}
