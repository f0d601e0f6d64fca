//! Every rule of the four essays as a session that is folded and judged. A file of `scenarios/` is an essay; a scenario begins with a
//! rule (`#`), goes on in the language of `ledger::testing`, and asks: `? POLICY [forced] [cut SPAN] [budget TOKENS]`.
//!
//! What must hold of the last answer: `= verdict WORD`, `= span N COLOUR`, `= reason KIND REPAIR: WORDS`, `= carries KIND: WORDS`,
//! `= carries once: WORDS`, `= severs KIND: WORDS`, `= severs nothing`, `= names VALUE`, `= cannot WORDS`, `= free` (everything is an
//! opportunity), `= writes: WORDS` (a carrier of what stands in the way holds them).

use std::fs;
use std::path::Path;

use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::carrier::Carrier;
use crate::compaction::judge::{Ask, Urgency, judge};
use crate::compaction::judgement::{Colour, Judgement};
use crate::compaction::testing::{ask, policy};
use crate::ledger::LaneSnapshot;
use crate::ledger::testing::fold;

/// A lane and the last answer about it.
struct Answer {
    lane: LaneSnapshot,
    judgement: Judgement,
}

impl Answer {
    fn to(question: &str, script: &str) -> Self {
        let mut words = question.split(' ');
        let policy = policy(words.next().unwrap());
        let mut ask = ask(&policy);
        while let Some(word) = words.next() {
            let mut number = || words.next().unwrap().parse().unwrap();
            match word {
                "forced" => ask = Ask { urgency: Urgency::Forced, ..ask },
                "cut" => ask = Ask { cut: Some(SpanIx(number())), ..ask },
                "budget" => ask = Ask { budget: Some(u64::from(number())), ..ask },
                other => panic!("no such word: {other}"),
            }
        }
        let lane = fold(script);
        Self { judgement: judge(&lane, &ask), lane }
    }

    /// Whether an entry is of a kind and says some words, in its text or its line.
    fn is(&self, id: EntryId, kind: &str, words: &str) -> bool {
        let entry = self.judgement.entry(&self.lane, id).unwrap();
        entry.kind.word() == kind && (entry.text.contains(words) || entry.line_text.contains(words))
    }

    fn holds(&self, expected: &str) -> bool {
        let judgement = &self.judgement;
        let (what, words) = expected.split_once(": ").unwrap_or((expected, ""));
        let parts: Vec<&str> = what.split(' ').collect();
        match parts.as_slice() {
            ["verdict", verdict] => judgement.verdict.word() == *verdict,
            ["span", n, colour] => {
                judgement.spans.get(SpanIx(n.parse().unwrap())).is_some_and(|span| span.colour.word() == *colour)
            }
            ["reason", kind, repair] => {
                judgement.reasons.iter().any(|reason| reason.repair.word() == *repair && self.is(reason.entry, kind, words))
            }
            ["carries", "once"] => {
                let says = |id: &&EntryId| self.judgement.entry(&self.lane, **id).is_some_and(|entry| entry.text.contains(words));
                judgement.plan.carry.iter().filter(says).count() == 1
            }
            ["carries", kind] => judgement.plan.carry.iter().any(|id| self.is(*id, kind, words)),
            ["severs", "nothing"] => judgement.severed.is_empty(),
            ["severs", kind] => judgement.severed.iter().any(|severed| self.is(severed.entry, kind, words)),
            ["names", value] => judgement.live_identifiers.iter().any(|known| known == value),
            ["cannot", ..] => {
                let asked = what.strip_prefix("cannot ").unwrap();
                judgement.cannot.iter().any(|cannot| cannot.words() == format!("cannot {asked}"))
            }
            ["free"] => judgement.spans.context().all(|span| span.colour == Colour::Opportunity),
            ["writes"] => judgement.reasons.iter().any(|reason| {
                let entry = judgement.entry(&self.lane, reason.entry).unwrap();
                Carrier::of(&entry, judgement.at.unwrap()).text.contains(words)
            }),
            _ => panic!("no such expectation: {expected}"),
        }
    }

    /// What there is, for whoever mends a scenario.
    fn told(&self) -> String {
        let judgement = &self.judgement;
        let entry = |id: EntryId| {
            let entry = judgement.entry(&self.lane, id).unwrap();
            format!("{id} {}: {}", entry.kind.word(), entry.line_text)
        };
        let colours: Vec<String> = judgement.spans.context().map(|span| format!("{} {}", span.span, span.colour.word())).collect();
        let reasons: Vec<String> =
            judgement.reasons.iter().map(|reason| format!("{} ({})", entry(reason.entry), reason.repair.word())).collect();
        let severed: Vec<String> = judgement.severed.iter().map(|severed| entry(severed.entry)).collect();
        format!(
            "    {}\n    {colours:?}\n    reasons {reasons:#?}\n    severed {severed:#?}\n    names {:?}",
            judgement.verdict.word(),
            judgement.live_identifiers
        )
    }
}

#[test]
fn every_rule_of_the_essays_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/compaction/tests/scenarios");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut rules, mut wrong) = (0, Vec::new());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (mut rule, mut script, mut answer): (&str, String, Option<Answer>) = ("", String::new(), None);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(next) = line.strip_prefix("# ") {
                (rule, script, answer, rules) = (next, String::new(), None, rules + 1);
            } else if let Some(question) = line.strip_prefix("? ") {
                answer = Some(Answer::to(question, &script));
            } else if let Some(expected) = line.strip_prefix("= ") {
                let answer = answer.as_ref().unwrap();
                if !answer.holds(expected) {
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    wrong.push(format!("{name}: {rule}\n  {expected}\n{}", answer.told()));
                }
            } else {
                script.push_str(line);
                script.push('\n');
            }
        }
    }
    assert!(rules >= 30, "{rules} rules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
