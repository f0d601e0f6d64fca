//! Compactions, micro-compactions and replaced results.

use std::borrow::Cow;

use super::line::{Line, Message};
use super::result;
use crate::formats::emit::Emit;
use crate::formats::json::{Content, Text};
use crate::transcript::{Boundary, BoundaryKind, Kept, Payload, Trigger};

/// `compact_boundary` (2.0 and later): what stood before is gone but for the preserved records, which are not written again.
pub(super) fn compact(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    let told = line.compact_metadata.0.as_ref();
    let kept = told.map_or(Kept::Nothing, |told| {
        let mut ids: Vec<&str> = Vec::new();
        if let Some(messages) = &told.preserved_messages.0 {
            ids.extend(messages.uuids.0.iter().filter_map(Text::filled));
        } else if let Some(segment) = &told.preserved_segment.0 {
            // Its inner records are not listed.
            ids.extend([&segment.head_uuid, &segment.tail_uuid].into_iter().filter_map(Text::filled));
        }
        if ids.is_empty() { Kept::Nothing } else { Kept::Records(ids.into_iter().map(Cow::Borrowed).collect()) }
    });
    emit.push(Payload::Boundary(Boundary {
        kept,
        trigger: told.map_or(Trigger::Unknown, |told| trigger(&told.trigger)),
        tokens_before: told.and_then(|told| told.pre_tokens.0),
        tokens_after: told.and_then(|told| told.post_tokens.0),
        ..Boundary::of(BoundaryKind::Summary)
    }));
}

/// `microcompact_boundary` (2.1.12 to 2.1.22): the results of these calls stay in the file, and the model sees them no more.
pub(super) fn microcompact(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    let told = line.microcompact_metadata.0.as_ref();
    let before = told.and_then(|told| told.pre_tokens.0);
    let saved = told.and_then(|told| told.tokens_saved.0);
    emit.push(Payload::Boundary(Boundary {
        trigger: told.map_or(Trigger::Unknown, |told| trigger(&told.trigger)),
        tokens_before: before,
        tokens_after: before.zip(saved).map(|(before, saved)| before.saturating_sub(saved)),
        masked: told
            .map_or_else(Vec::new, |told| told.compacted_tool_ids.0.iter().filter_map(Text::filled).map(Cow::Borrowed).collect()),
        ..Boundary::of(BoundaryKind::Masking)
    }));
}

/// `content-replacement`: the results of these calls were replaced in the context.
pub(super) fn replacement(line: &Line<'_>, emit: &mut Emit<'_, '_>) {
    let ids = line.replacements.0.iter().filter_map(|row| row.0.as_ref()?.tool_use_id.filled());
    let masked: Vec<Cow<'_, str>> = ids.map(Cow::Borrowed).collect();
    if !masked.is_empty() {
        emit.push(Payload::Boundary(Boundary { masked, ..Boundary::of(BoundaryKind::Masking) }));
    }
}

/// The line after a boundary. A summary without a parent has no boundary's record before it (1.0.x): it is both.
pub(super) fn summary(line: &Line<'_>, message: &Message<'_>, emit: &mut Emit<'_, '_>) {
    if line.parent_uuid.filled().is_none() {
        emit.push(Payload::Boundary(Boundary::of(BoundaryKind::Summary)));
    }
    let text = match &message.content {
        Content::Absent => Cow::Borrowed(""),
        Content::Text(text) => Cow::Borrowed(text.as_ref()),
        Content::Parts(blocks) => {
            let texts = blocks.iter().map(|block| {
                if block.text.filled().is_some() { Cow::Borrowed(block.text.as_str()) } else { result::text(&block.content) }
            });
            Cow::Owned(texts.collect::<Vec<_>>().join("\n"))
        }
    };
    emit.push(Payload::Summary { text, opaque: false });
}

pub(super) fn trigger(word: &Text<'_>) -> Trigger {
    match word.as_str() {
        "auto" => Trigger::Auto,
        "manual" => Trigger::Manual,
        _ => Trigger::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::testing::{events, told};

    #[test]
    fn every_boundary_says_what_it_did() {
        for (line, event) in [
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b","content":"Conversation compacted","compactMetadata":{"trigger":"manual","preTokens":120775}}"#,
                "Boundary Summary Manual (Some(120775), None) Nothing masked []",
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b","compactMetadata":{"trigger":"auto","preTokens":222943,"postTokens":8296,"preservedSegment":{"headUuid":"x"},"preservedMessages":{"uuids":["k1","k2"],"allUuids":["k1","k2","k3"]}}}"#,
                r#"Boundary Summary Auto (Some(222943), Some(8296)) Records(["k1", "k2"]) masked []"#,
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b","compactMetadata":{"preservedSegment":{"headUuid":"h","anchorUuid":"a","tailUuid":"t"}}}"#,
                r#"Boundary Summary Unknown (None, None) Records(["h", "t"]) masked []"#,
            ),
            (
                r#"{"type":"system","subtype":"compact_boundary","uuid":"b"}"#,
                "Boundary Summary Unknown (None, None) Nothing masked []",
            ),
            (
                r#"{"type":"system","subtype":"microcompact_boundary","uuid":"b","microcompactMetadata":{"trigger":"auto","preTokens":65398,"tokensSaved":45149,"compactedToolIds":["t1","t2"]}}"#,
                r#"Boundary Masking Auto (Some(65398), Some(20249)) Nothing masked ["t1", "t2"]"#,
            ),
            (
                r#"{"type":"content-replacement","sessionId":"s","replacements":[{"kind":"tool-result","toolUseId":"t3","replacement":"<persisted-output>"},7]}"#,
                r#"Boundary Masking Unknown (None, None) Nothing masked ["t3"]"#,
            ),
        ] {
            assert_eq!(events(&[line]), [event]);
        }
        assert_eq!(told(&[r#"{"type":"content-replacement","replacements":[]}"#]).facts, ["bookkeeping content-replacement"]);
    }

    #[test]
    fn a_summary_without_a_boundary_before_it_is_both() {
        let after = r#"{"type":"user","uuid":"s","parentUuid":"b","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"content":"This session is being continued"}}"#;
        assert_eq!(events(&[after]), ["Summary: This session is being continued"]);
        let old = r#"{"type":"user","uuid":"s","parentUuid":null,"isCompactSummary":true,"message":{"content":[{"type":"text","text":"This session"},{"type":"text","text":"goes on"}]}}"#;
        assert_eq!(events(&[old]), ["Boundary Summary Unknown (None, None) Nothing masked []", "Summary: This session\ngoes on"]);
    }
}
