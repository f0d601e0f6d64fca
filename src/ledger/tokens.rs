//! Tokens: estimates of single events, and the meter that calibrates them on what was really charged.
//!
//! The constants are a robust fit over 6,016 consecutive requests of 222 real sessions: bytes a token by what the text is, and a flat
//! cost a block. One session's own charges then scale them; a tokenizer would be wrong by 15 to 50 % for newer models.

use crate::base::ids::{EventIx, SpanIx};
use crate::ledger::delta::{Change, Delta};
use crate::ledger::rows::EventKind;
use crate::ledger::snapshot::{LaneSnapshot, UsageRow};
use crate::transcript::{Event, Payload};

/// Flat cost of one block, in tokens.
const BLOCK: usize = 37;

/// Estimated charge before any was seen counts as much as this many estimated tokens of evidence.
const PRIOR: f64 = 2_000.0;

/// Hundredths of a byte a token, of what an assistant says, calls and thinks, and of everything else.
const SAID: usize = 366;
const CALLED: usize = 334;
const THOUGHT: usize = 351;
const OTHER: usize = 304;

/// Estimated tokens of an event in the context, before calibration.
pub(super) fn estimate(payload: &Payload<'_>) -> u32 {
    let (bytes, rate) = match payload {
        Payload::Assistant { text } => (text.len(), SAID),
        Payload::Call(call) => (call.input.as_str().len() + call.tool.len(), CALLED),
        Payload::Reasoning { text } => (text.len(), THOUGHT),
        Payload::User { text, .. }
        | Payload::Job { text, .. }
        | Payload::Summary { text, .. }
        | Payload::Unrecognised { text, .. } => (text.len(), OTHER),
        Payload::Resolution(resolution) => (resolution.text.len(), OTHER),
        Payload::Boundary(boundary) => (usize::try_from(boundary.reinjected_bytes).unwrap_or(usize::MAX), OTHER),
        Payload::Ran { .. } | Payload::Mark(_) => (0, OTHER),
    };
    tokens_of(bytes, rate)
}

fn tokens_of(bytes: usize, rate: usize) -> u32 {
    if bytes == 0 {
        return 0;
    }
    u32::try_from(bytes.saturating_mul(100) / rate + BLOCK).unwrap_or(u32::MAX)
}

fn rate_of(kind: EventKind) -> usize {
    match kind {
        EventKind::Assistant => SAID,
        EventKind::Call => CALLED,
        EventKind::Reasoning => THOUGHT,
        _ => OTHER,
    }
}

/// Estimated tokens of an event of this kind with so many bytes of text.
#[must_use]
pub fn of_bytes(kind: EventKind, bytes: u32) -> u32 {
    tokens_of(bytes as usize, rate_of(kind))
}

/// The bytes of text for which an event of this kind is estimated at so many tokens.
#[must_use]
pub fn bytes_of(kind: EventKind, tokens: u32) -> u32 {
    let bytes = (tokens as usize).saturating_sub(BLOCK).saturating_mul(rate_of(kind)).div_ceil(100);
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// The running comparison of estimates with charges.
#[derive(Default)]
pub(super) struct Meter {
    /// Estimated tokens of all events so far.
    estimated: u64,
    /// The newest charge of a prompt, and the estimate that stood then. None after a boundary.
    last: Option<(u64, u64)>,
    charged_sum: f64,
    estimated_sum: f64,
}

impl Meter {
    /// Adds an event's estimate.
    pub(super) fn add(&mut self, tokens: u32) {
        self.estimated += u64::from(tokens);
    }

    /// Forgets the newest charge: the context was replaced.
    pub(super) fn boundary(&mut self) {
        self.last = None;
    }

    /// Reads the charge that an event carries, once a step. Must run before [`Meter::add`] of the same event.
    pub(super) fn read(
        &mut self,
        rows: &mut LaneSnapshot,
        delta: &mut Delta,
        event: &Event<'_>,
        ix: EventIx,
        span: Option<SpanIx>,
    ) {
        let Some(usage) = event.usage else { return };
        let known = rows.usage.last().copied();
        let again = known.filter(|row| span.is_some() && row.span == span);
        if let Some(row) =
            again.or_else(|| known.filter(|row| span.is_none() && row.span.is_none() && row.from.index() + 1 >= ix.index()))
        {
            // More of the same message, or the same record again: only a larger count is news.
            if usage.input <= row.input && usage.output <= row.output {
                return;
            }
            let grown = UsageRow { event: ix, input: usage.input.max(row.input), output: usage.output.max(row.output), ..row };
            rows.usage.push(grown);
            delta.note(Change::Charged);
            return;
        }
        if let Some((charged, estimated)) = self.last {
            let charge = usage.input as f64 - charged as f64;
            let estimate = (self.estimated - estimated) as f64;
            // A step that is far off says more about caching, images or hidden text than about the size of text.
            if estimate >= 200.0 && charge > 0.0 && (0.2..5.0).contains(&(charge / estimate)) {
                self.charged_sum += charge;
                self.estimated_sum += estimate;
            }
        }
        self.last = Some((usage.input, self.estimated));
        let from = if span.is_some() { ix } else { EventIx(ix.0 + 1) };
        let calibration = ((self.charged_sum + PRIOR) / (self.estimated_sum + PRIOR)).clamp(0.5, 2.5);
        rows.usage.push(UsageRow {
            event: ix,
            from,
            span,
            input: usage.input,
            output: usage.output,
            window: usage.window,
            calibration,
        });
        delta.note(Change::Charged);
    }
}
