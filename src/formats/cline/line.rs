//! The fields of a record.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::chat::Part;
use crate::formats::json::{Content, Flag, Maybe, Number, Text};
use crate::transcript::Usage;

/// The header of a document, or a message: of a list, or alone.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    #[serde(rename = "sessionId")]
    pub(super) session_id: Text<'a>,
    pub(super) system_prompt: Text<'a>,
    pub(super) messages: Maybe<Own<'a>>,
}

/// A message, and what Cline and Roo add to it.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Own<'a> {
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    pub(super) id: Text<'a>,
    pub(super) content: Content<'a, Part<'a>>,
    pub(super) ts: Number,
    pub(super) is_summary: Flag,
    pub(super) condense_parent: Text<'a>,
    pub(super) truncation_parent: Text<'a>,
    pub(super) is_truncation_marker: Flag,
    pub(super) metrics: Maybe<Metrics>,
    pub(super) model_info: Maybe<ModelInfo<'a>>,
    pub(super) metadata: Maybe<Metadata<'a>>,
    /// What lies beside the document stands in the place of a message.
    pub(super) compaction: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Metrics {
    pub(super) input_tokens: Number,
    pub(super) output_tokens: Number,
    pub(super) cache_read_tokens: Number,
    pub(super) cache_write_tokens: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ModelInfo<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata<'a> {
    #[serde(borrow)]
    pub(super) kind: Text<'a>,
    pub(super) reason: Text<'a>,
}

impl Metadata<'_> {
    pub(super) fn is_summary(&self) -> bool {
        matches!(self.kind.as_str(), "compaction" | "compaction_summary")
    }
}

impl Metrics {
    pub(super) fn counted(&self) -> Option<Usage> {
        let cached = self.cache_read_tokens.or_zero().saturating_add(self.cache_write_tokens.or_zero());
        let input = self.input_tokens.or_zero();
        // The input counts what was cached, except where it is less than that: some providers count only what was not.
        let input = if cached > input { input.saturating_add(cached) } else { input };
        let output = self.output_tokens.or_zero();
        (input + output > 0).then_some(Usage { input, output, window: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cached_is_counted_once() {
        for (input, read, write, expected) in [(35_912, 34_332, 0, 35_912), (34_334, 0, 0, 34_334), (14, 12_224, 300, 12_538)] {
            let metrics = Metrics {
                input_tokens: Number(Some(input)),
                output_tokens: Number(Some(164)),
                cache_read_tokens: Number(Some(read)),
                cache_write_tokens: Number(Some(write)),
            };
            assert_eq!(metrics.counted(), Some(Usage { input: expected, output: 164, window: None }));
        }
    }
}
