//! News of something in the background: a process, a script, an agent.

use crate::transcript::{JobState, Payload};

/// What became of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct News {
    /// The job's handle, as its launch told it; empty where the news does not say whose it is.
    pub(super) handle: String,
    /// What became of it.
    pub(super) state: JobState,
    /// What the model is told.
    pub(super) text: String,
}

impl News {
    /// News of the job of this handle.
    pub(super) fn of(handle: &str, state: JobState, text: &str) -> Self {
        Self { handle: handle.to_owned(), state, text: text.to_owned() }
    }
}

impl From<News> for Payload<'static> {
    fn from(news: News) -> Self {
        Self::Job { handle: news.handle.into(), state: news.state, text: news.text.into() }
    }
}
