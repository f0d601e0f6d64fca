//! The supported formats: one row each.

use super::adapter::Format;
use super::{
    amp, api, atif, autogen, claude, cline, codex, copilot, crush, gemini, goose, inspect, langchain, managed, mini_swe_agent,
    native, opencode, openhands, pi, qwen, responses, spans, swe_agent,
};

/// Every supported format: agents' own before the general ones that they are made of.
pub static FORMATS: &[&Format] = &[
    &claude::FORMAT,
    &codex::FORMAT,
    &gemini::FORMAT,
    &qwen::FORMAT,
    &pi::FORMAT,
    &copilot::FORMAT,
    &claude::stream::FORMAT,
    &native::FORMAT,
    &opencode::FORMAT,
    &goose::FORMAT,
    &crush::FORMAT,
    &cline::ROO_FORMAT,
    &cline::CLINE_FORMAT,
    &amp::FORMAT,
    &atif::FORMAT,
    &inspect::FORMAT,
    &openhands::FORMAT,
    &swe_agent::FORMAT,
    &mini_swe_agent::FORMAT,
    &langchain::FORMAT,
    &autogen::FORMAT,
    &managed::FORMAT,
    &spans::LANGSMITH_FORMAT,
    &spans::LANGFUSE_FORMAT,
    &spans::OTEL_FORMAT,
    &responses::FORMAT,
    &api::ANTHROPIC_FORMAT,
    &api::OPENAI_FORMAT,
];

/// The format of this id or alias.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.agent.0 == name || format.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_means_one_format() {
        let mut names: Vec<&str> =
            FORMATS.iter().flat_map(|format| std::iter::once(format.agent.0).chain(format.aliases.iter().copied())).collect();
        for format in FORMATS {
            for name in std::iter::once(format.agent.0).chain(format.aliases.iter().copied()) {
                assert_eq!(by_name(name).map(|found| found.agent), Some(format.agent), "{name}");
            }
            assert!(format.whereabouts.iter().all(|place| place.agent == format.agent));
            assert!(!format.containers.is_empty());
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "a name is used twice");
        assert!(by_name("").is_none() && by_name("Codex").is_none());
    }
}
