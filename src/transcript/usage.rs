//! What a request was charged.

/// The token counts of one request, as its record gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Usage {
    /// Tokens of the whole prompt, cached or not: the size of the context that was sent.
    pub input: u64,
    /// Tokens that the model wrote. Some versions write a placeholder here while they stream: the larger of a step's counts is kept.
    pub output: u64,
    /// The model's context window, where the record says it.
    pub window: Option<u64>,
}

impl Usage {
    /// The context after the answer, in tokens.
    #[must_use]
    pub fn context(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}
