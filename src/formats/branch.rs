//! Which branch of the conversation is live.
//!
//! A human who goes back and types something else leaves the old lines in the file: the new prompt names an older line as its parent.
//! Parent links decide this and nothing else, and not over a boundary: there they are re-written.

use rustc_hash::FxHashMap;

use super::emit::Was;
use crate::base::hash::Hash64;

/// The records of the main lane since the last boundary, each with the number of prompts that its branch has up to it.
#[derive(Debug, Default)]
pub(super) struct Branch {
    prompts_at: FxHashMap<Hash64, u32>,
    prompts: u32,
}

/// Where a record stands.
pub(super) struct Spot {
    id: Option<Hash64>,
    is_new: bool,
    /// The prompts of its branch up to its parent.
    before: Option<u32>,
}

impl Branch {
    /// Finds where a record of this id stands.
    pub(super) fn find(&self, own: Option<&str>, parent: Option<&str>) -> Spot {
        let id = |id: &str| Hash64::of(id.as_bytes());
        let (own, parent) = (own.map(id), parent.map(id));
        let at = |id: Option<Hash64>| self.prompts_at.get(&id?).copied();
        Spot { id: own, is_new: at(own).is_none(), before: at(parent) }
    }

    /// How many prompts a record takes back, if it is a prompt.
    pub(super) fn left_by(&self, spot: &Spot) -> u32 {
        spot.before.filter(|_| spot.is_new).map_or(0, |prompts| self.prompts.saturating_sub(prompts))
    }

    /// So many prompts were taken back by a record that is none itself.
    pub(super) fn leave(&mut self, prompts: u32) {
        self.prompts = self.prompts.saturating_sub(prompts);
    }

    /// Follows a record.
    pub(super) fn follow(&mut self, spot: &Spot, was: Was) {
        let Some(id) = spot.id else { return };
        let before = spot.before.unwrap_or(self.prompts);
        let prompts = match was {
            Was::Boundary => {
                self.prompts_at.clear();
                self.prompts = 0;
                0
            }
            Was::Prompt => {
                self.prompts = before + 1;
                self.prompts
            }
            Was::Other => before,
        };
        self.prompts_at.entry(id).or_insert(prompts);
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::FORMAT;
    use crate::formats::testing::events;

    fn prompt(uuid: &str, parent: &str, text: &str) -> String {
        format!(r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"isSidechain":false,"message":{{"content":"{text}"}}}}"#)
    }

    fn answer(uuid: &str, parent: &str, text: &str) -> String {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":"{parent}","isSidechain":false,"message":{{"id":"m{uuid}","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    }

    fn told(lines: &[String]) -> Vec<String> {
        events(&FORMAT, &lines.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn a_prompt_that_names_an_older_line_takes_back_what_came_since() {
        let mut lines = vec![
            prompt("p1", "null", "one"),
            answer("a1", "p1", "first"),
            prompt("p2", "\"a1\"", "two"),
            answer("a2", "p2", "second"),
            prompt("p3", "\"a2\"", "three"),
            answer("a3", "p3", "third"),
        ];
        assert_eq!(told(&lines).len(), 6);
        lines.push(prompt("p2b", "\"a1\"", "two, but better"));
        lines.push(answer("a2b", "p2b", "again"));
        lines.push(prompt("p4", "\"a2b\"", "four"));
        let told = told(&lines);
        assert_eq!(told[6..], ["RolledBack { turns: 2 }", "Human: two, but better", "Assistant: again", "Human: four"]);
    }

    #[test]
    fn links_count_for_nothing_over_a_boundary_or_in_a_line_that_stands_here_again() {
        let boundary =
            r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"compactMetadata":{"trigger":"auto"}}"#;
        let lines = [
            prompt("p1", "null", "one"),
            answer("a1", "p1", "first"),
            prompt("p2", "\"a1\"", "two"),
            prompt("p1", "null", "one"),
            boundary.to_owned(),
            prompt("p3", "\"p1\"", "three"),
        ];
        assert!(told(&lines).iter().all(|event| !event.contains("RolledBack")));
    }
}
