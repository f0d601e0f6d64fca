//! How much models read and write, by the pattern that their name fits: `assets/models.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::base::data::{DataError, DataFile, parse_over};

const BUILT_IN: DataFile<'_> = DataFile { name: "models.toml (built in)", text: include_str!("../../assets/models.toml") };

/// The models that are known.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// What a record's window is of the real one: Codex records what it lets itself use.
    recorded_share: f64,
    /// What agents reserve for an answer, at most.
    reserved_output: u64,
    unknown: Limits,
    /// Windows by a mark at the end of a name.
    suffix: BTreeMap<String, u64>,
    model: BTreeMap<String, Limits>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Limits {
    window: u64,
    output: u64,
    input: Option<u64>,
}

/// A model's limits, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The context window.
    pub tokens: u64,
    /// Whether that is a guess.
    pub assumed: bool,
    /// The most that the model writes.
    pub output: u64,
    /// The most that the model reads.
    pub input: u64,
}

impl Models {
    /// The built-in models with the user's overlay merged over them, by key.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        parse_over(BUILT_IN, overlay)
    }

    /// The window of a model: what the user asks for, else what the transcript records (Codex: `model_context_window`, as it
    /// stands there), else what the model's name says, else 200,000, marked as assumed.
    #[must_use]
    pub fn window_for(&self, model: Option<&str>, recorded: Option<u64>, asked: Option<u64>) -> Window {
        let name = model.unwrap_or_default().to_lowercase();
        let marked = self.suffix.iter().find_map(|(mark, window)| Some((name.strip_suffix(mark.as_str())?, *window)));
        let known = self.limits(marked.map_or(name.as_str(), |(bare, _)| bare));
        let limits = known.unwrap_or(self.unknown);
        let recorded = recorded.map(|used| (used as f64 / self.recorded_share).round() as u64);
        let stated = asked.or(recorded).or(marked.map(|(_, window)| window));
        let tokens = stated.unwrap_or(limits.window);
        let input = match limits.input {
            Some(input) if tokens == limits.window => input,
            Some(_) => tokens,
            None => tokens.saturating_sub(limits.output.min(self.reserved_output)),
        };
        Window { tokens, assumed: stated.is_none() && known.is_none(), output: limits.output, input }
    }

    /// The limits of the pattern with the most letters of its own that fits; of two with as many, the later in the alphabet.
    fn limits(&self, name: &str) -> Option<Limits> {
        let fitting = self.model.iter().filter(|(pattern, _)| fits(pattern, name));
        fitting.max_by_key(|(pattern, _)| pattern.chars().filter(|c| *c != '*').count()).map(|(_, limits)| *limits)
    }
}

impl Window {
    /// The window, given that a context of `tokens` was seen in it: one that is too small for that was guessed wrong, and the model
    /// ran with a larger one. Not for a window that somebody asked for.
    #[must_use]
    pub fn holding(self, tokens: u64) -> Self {
        const LARGER: u64 = 1_000_000;
        if tokens <= self.tokens {
            return self;
        }
        let larger = LARGER.max(tokens);
        Self { tokens: larger, assumed: true, input: self.input + (larger - self.tokens), ..self }
    }
}

/// Whether `name` fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_by_name() {
        let models = Models::load(None).unwrap();
        for (name, window, output, input) in [
            ("claude-opus-4-6", 200_000, 128_000, 168_000),
            ("claude-sonnet-4-5-20250929", 200_000, 64_000, 168_000),
            ("claude-sonnet-4-5-20250929[1m]", 1_000_000, 64_000, 968_000),
            ("Claude-Opus-4-6[1M]", 1_000_000, 128_000, 968_000),
            ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", 200_000, 8_192, 191_808),
            ("claude-2.1", 200_000, 4_096, 195_904),
            ("gpt-5.2-codex", 272_000, 128_000, 272_000),
            ("openai/gpt-5-mini", 272_000, 128_000, 272_000),
            ("codex-mini-latest", 200_000, 100_000, 168_000),
            ("o3", 200_000, 100_000, 168_000),
            ("gemini-3-pro-preview", 1_048_576, 65_536, 1_048_576),
        ] {
            let got = models.window_for(Some(name), None, None);
            assert_eq!(got, Window { tokens: window, assumed: false, output, input }, "{name}");
        }
    }

    #[test]
    fn what_is_asked_for_beats_what_is_recorded_beats_the_name() {
        let models = Models::load(None).unwrap();
        let tokens = |name, recorded, asked| {
            let window = models.window_for(name, recorded, asked);
            (window.tokens, window.assumed)
        };
        assert_eq!(tokens(None, None, None), (200_000, true));
        assert_eq!(tokens(Some("a-model-of-tomorrow"), None, None), (200_000, true));
        assert_eq!(tokens(Some("a-model-of-tomorrow"), None, Some(64_000)), (64_000, false));
        assert_eq!(tokens(Some("gpt-5-codex"), Some(258_400), None), (272_000, false));
        assert_eq!(tokens(None, Some(121_600), None), (128_000, false));
        assert_eq!(tokens(Some("gpt-5-codex"), Some(258_400), Some(100_000)), (100_000, false));
        assert_eq!(models.window_for(Some("gpt-5-codex"), None, Some(100_000)).input, 100_000);
    }

    #[test]
    fn a_context_that_was_seen_proves_a_larger_window() {
        let window = Models::load(None).unwrap().window_for(Some("claude-opus-4-6"), None, None);
        assert_eq!(window.holding(199_000), window);
        let grown = window.holding(243_000);
        assert_eq!((grown.tokens, grown.assumed), (1_000_000, true));
        assert_eq!(window.holding(1_200_000).tokens, 1_200_000);
    }

    #[test]
    fn an_overlay_adds_and_corrects_models() {
        let text = "[model.\"my-model*\"]\nwindow = 32_000\noutput = 4_000\n[unknown]\nwindow = 8_000\n";
        let models = Models::load(Some(DataFile { name: "models.toml", text })).unwrap();
        assert_eq!(models.window_for(Some("my-model-7b"), None, None).input, 28_000);
        assert_eq!(models.window_for(None, None, None).tokens, 8_000);
        let wrong = DataFile { name: "models.toml", text: "[model.x]\nwindows = 1\noutput = 1\n" };
        assert_eq!(Models::load(Some(wrong)).unwrap_err().file, "models.toml");
    }

    #[test]
    fn patterns() {
        for (pattern, name, want) in [
            ("o3", "o3", true),
            ("o3", "o3-mini", false),
            ("o3*", "o3-mini", true),
            ("*gpt-5*", "openai/gpt-5.1", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("*", "", true),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), want, "{pattern} {name}");
        }
    }
}
