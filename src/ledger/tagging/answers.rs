//! The answers to a question tool: pairs of a question and what was answered, which belong together.

use std::ops::Range;

/// What parts a question from its answer, in the text that an adapter makes of them.
const ARROW: &str = " → ";

/// One question with its answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Pair {
    /// All of it.
    pub whole: Range<usize>,
    /// The answer.
    pub answer: Range<usize>,
}

/// The pairs of a text; none where it is no answer to a question tool. Lines without an arrow are part of the question that they stand
/// before; behind the last arrow, of its answer.
#[must_use]
pub fn pairs(text: &str) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end_matches('\n').len();
        if let Some(arrow) = line.rfind(ARROW) {
            pairs.push(Pair { whole: start..end, answer: at + arrow + ARROW.len()..end });
            start = at + line.len();
        }
        at += line.len();
    }
    if let Some(last) = pairs.last_mut() {
        let end = text.trim_end().len().max(last.answer.start);
        (last.whole.end, last.answer.end) = (end, end);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_and_its_answer_are_one() {
        for (text, expected) in [
            ("Which DB? → Postgres", vec!["Which DB? → Postgres | Postgres"]),
            (
                "The plan is ready.\nWhat next? → Start\nPort? → 5433\nnot 5432",
                vec!["The plan is ready.\nWhat next? → Start | Start", "Port? → 5433\nnot 5432 | 5433\nnot 5432"],
            ),
            ("use main instead", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<String> =
                pairs(text).into_iter().map(|pair| format!("{} | {}", &text[pair.whole], &text[pair.answer])).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
