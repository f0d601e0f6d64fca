//! What a transcript says about its session, a title by its sources.

use super::line::Line;
use crate::formats::told::Told;
use crate::transcript::{Fact, LaneKey, Sink};

/// What was told already.
#[derive(Debug, Default)]
pub(super) struct Facts {
    told: Told,
    title: Title,
}

/// Where a title comes from; a lesser source never replaces a better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Title {
    #[default]
    None,
    /// A `summary` line: written for another session now and then.
    Summary,
    Generated,
    Human,
}

impl Facts {
    /// Tells what is new in `line`.
    pub(super) fn tell(&mut self, line: &Line<'_>, sink: &mut dyn Sink) {
        self.told.session(&line.session_id, &line.version, sink);
        self.told.place(&line.cwd, &line.git_branch, sink);
        let titles = [(Title::Summary, &line.summary), (Title::Generated, &line.ai_title), (Title::Human, &line.custom_title)];
        for (source, field) in titles {
            if let Some(title) = field.filled().filter(|_| source >= self.title) {
                self.title = source;
                sink.fact(Fact::Title(title.into()));
            }
        }
    }

    /// Tells which model answers in a lane, where that is new.
    pub(super) fn lane(&mut self, lane: &LaneKey<'_>, model: Option<&str>, sink: &mut dyn Sink) {
        self.told.lane(lane, model, sink);
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::claude::testing::told;

    #[test]
    fn each_is_told_once_and_again_when_it_changes() {
        let told = told(&[
            r#"{"type":"assistant","uuid":"u1","sessionId":"s1","version":"2.1.1","cwd":"/a","gitBranch":"main","message":{"id":"m","model":"claude-opus-4-6","content":"x"}}"#,
            r#"{"type":"assistant","uuid":"u2","sessionId":"s1","version":"2.1.1","cwd":"/b","gitBranch":"","message":{"id":"m","model":"claude-opus-4-6","content":"x"}}"#,
            r#"{"type":"assistant","uuid":"u3","sessionId":"s1","message":{"id":"n","model":"<synthetic>","content":"x"}}"#,
        ]);
        let expected = [
            r#"Session("s1")"#,
            r#"Version("2.1.1")"#,
            r#"Directory("/a")"#,
            r#"Branch("main")"#,
            r#"Model(Main, "claude-opus-4-6")"#,
            r#"Directory("/b")"#,
        ];
        assert_eq!(told.facts, expected);
    }

    #[test]
    fn a_lesser_title_does_not_replace_a_better_one() {
        let told = told(&[
            r#"{"type":"summary","summary":"old","leafUuid":"u"}"#,
            r#"{"type":"custom-title","customTitle":"mine","sessionId":"s"}"#,
            r#"{"type":"ai-title","aiTitle":"generated","sessionId":"s"}"#,
            r#"{"type":"custom-title","customTitle":"mine, again","sessionId":"s"}"#,
        ]);
        let titles: Vec<_> = told.facts.iter().filter(|fact| fact.starts_with("Title")).collect();
        assert_eq!(titles, [r#"Title("old")"#, r#"Title("mine")"#, r#"Title("mine, again")"#]);
        assert!(told.events.is_empty(), "a title is no compaction");
    }
}
