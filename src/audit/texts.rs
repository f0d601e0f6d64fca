//! What the events of a lane say. Rows hold no texts: whoever opened the files reads them again.

use std::borrow::Cow;

use crate::base::ids::EventIx;
use crate::transcript::Payload;

/// Reads the events of one lane again, on any thread.
pub trait Texts: Sync {
    /// What an event says; none where it cannot be read any more.
    fn payload(&self, event: EventIx) -> Option<Payload<'static>>;

    /// The words of an event: what was said, a call's input, what came back. Empty where it has none.
    fn text(&self, event: EventIx) -> String {
        self.payload(event).map(words).unwrap_or_default().into_owned()
    }
}

impl<F: Fn(EventIx) -> Option<Payload<'static>> + Sync> Texts for F {
    fn payload(&self, event: EventIx) -> Option<Payload<'static>> {
        self(event)
    }
}

/// The words of an event.
pub(super) fn words(payload: Payload<'static>) -> Cow<'static, str> {
    match payload {
        Payload::User { text, .. }
        | Payload::Assistant { text }
        | Payload::Reasoning { text }
        | Payload::Summary { text, .. }
        | Payload::Job { text, .. }
        | Payload::Unrecognised { text, .. } => text,
        Payload::Call(call) => Cow::Owned(call.input.as_str().to_owned()),
        Payload::Resolution(resolution) => resolution.text,
        Payload::Boundary(_) | Payload::Ran { .. } | Payload::Mark(_) => Cow::Borrowed(""),
    }
}
