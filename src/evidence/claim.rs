//! What a clause claims: whether it denies, how strongly it binds, and how far what it speaks of has come.

use std::ops::Range;

use crate::evidence::fact::is_of_fact;
use crate::evidence::phrasebook::Phrasebook;
use crate::evidence::phrases::is_within;
use crate::evidence::words::{Past, Token, Words};

/// How far an action has come, as words tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Nobody knows whether it happened.
    Unknown,
    /// It has not happened yet.
    Pending,
    /// It did not succeed.
    Failed,
    /// It happened.
    Done,
}

/// How strongly a rule binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Force {
    /// It may be left.
    Weak,
    /// Nothing is said of it.
    Plain,
    /// It must hold.
    Strong,
}

/// What a clause claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whether it forbids or denies.
    pub denies: bool,
    /// How strongly it binds.
    pub force: Force,
    /// How far what it speaks of has come, where its words say so.
    pub status: Option<Status>,
    /// Whether it says when, or under what condition, it holds.
    pub is_scoped: bool,
    /// Whether it says that it holds always.
    pub is_general: bool,
    /// Whether a verb in it tells of something done.
    pub tells_past: bool,
}

impl Claim {
    /// Reads a text as one clause.
    #[must_use]
    pub fn of_text(text: &str, phrasebook: &Phrasebook) -> Self {
        Self::of_words(text, &Words::of(text, phrasebook), phrasebook)
    }

    /// The same of a text whose words are known.
    #[must_use]
    pub fn of_words(text: &str, words: &Words, phrasebook: &Phrasebook) -> Self {
        Self::of(text, &words.tokens, phrasebook)
    }

    /// Reads a clause.
    pub(super) fn of(text: &str, tokens: &[Token], phrasebook: &Phrasebook) -> Self {
        let unspaced = || phrasebook.unspaced_negation.iter().any(|word| text.contains(word.as_str()));
        let denies = denies(tokens, phrasebook) || (!text.is_ascii() && unspaced());
        let force = match (phrasebook.weak.is_in(tokens), phrasebook.strong.is_in(tokens)) {
            _ if phrasebook.softens.is_in(tokens) => Force::Weak,
            (true, false) => Force::Weak,
            (_, true) => Force::Strong,
            // "No column may be dropped" permits nothing.
            (false, false) if !denies && phrasebook.permits.is_in(tokens) => Force::Weak,
            (false, false) => Force::Plain,
        };
        let scoped = tokens;
        let tokens = main(tokens, phrasebook);
        // "Push only after the tests have passed": what the condition tells has yet to come, and may be unknown all the same.
        let told = match status(text, tokens, phrasebook) {
            Some(Status::Done) => status(text, head(tokens, phrasebook), phrasebook),
            told => told,
        };
        let tokens = head(tokens, phrasebook);
        let status = told.or_else(|| is_undone(tokens, phrasebook).then_some(Status::Pending));
        let is_headline =
            || !denies && force == Force::Plain && status.is_none() && (0..tokens.len()).any(|n| is_headed(tokens, n));
        let tells_past = tells_past(tokens, phrasebook) || is_headline();
        Self {
            denies,
            force,
            status,
            is_scoped: phrasebook.scope.is_in(scoped),
            is_general: phrasebook.general.is_in(scoped),
            tells_past,
        }
    }
}

impl Words {
    /// Whether any of them denies, be it only how something is.
    #[must_use]
    pub fn deny(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.negation.is_in(&self.tokens)
    }

    /// What they are about, without the words that forbid it: "keep off", "hands off".
    #[must_use]
    pub fn without_bans(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.negation])
    }

    /// What they tell of, without the words for how far that has come.
    #[must_use]
    pub fn without_status(&self, phrasebook: &Phrasebook) -> Self {
        self.without_phrases(&[&phrasebook.pending, &phrasebook.unknown, &phrasebook.failed, &phrasebook.done])
    }

    /// Whether they say that something is left to do, and not only how it should be: "yet", "next", "still".
    #[must_use]
    pub fn tell_of_rest(&self, phrasebook: &Phrasebook) -> bool {
        phrasebook.left.is_in(&self.tokens)
    }

    /// Whether they begin with what says that something is done, and deny nothing; `claim` is what they claim.
    pub(super) fn begin_as_done(&self, claim: &Claim, phrasebook: &Phrasebook) -> bool {
        let is_past = || claim.tells_past && self.tokens.first().is_some_and(|token| token.past != Past::Never);
        let is_said = || phrasebook.done.find(&self.tokens).next().is_some_and(|at| at.start == 0);
        !claim.denies && matches!(claim.status, None | Some(Status::Done)) && (is_said() || is_past())
    }

    /// Whether they say of anything that it is done.
    #[must_use]
    pub fn tell_success(&self, phrasebook: &Phrasebook) -> bool {
        let done = status("", &self.tokens, phrasebook) == Some(Status::Done);
        done || phrasebook.done.find(&self.tokens).any(|at| {
            let before = self.tokens.get(at.start.saturating_sub(DENIED)..at.start).unwrap_or_default();
            !phrasebook.denial.is_in(before)
        })
    }
}

/// The words behind a condition that leads. What it tells has yet to come: "once the tests have passed, push".
pub(super) fn main<'t>(tokens: &'t [Token], phrasebook: &Phrasebook) -> &'t [Token] {
    let leads = phrasebook.depends.find(tokens).next().is_some_and(|cue| cue.start == 0);
    let comma = || tokens.windows(2).position(|pair| matches!(pair, [one, two] if two.is_apart_from(one)));
    let behind = leads.then(comma).flatten().and_then(|at| tokens.get(at + 1..));
    behind.filter(|behind| behind.iter().any(|token| token.stem.is_some())).unwrap_or(tokens)
}

/// The words before a condition that comes last, where they tell of nothing themselves.
pub(super) fn head<'t>(tokens: &'t [Token], phrasebook: &Phrasebook) -> &'t [Token] {
    const THINGS: usize = 2;
    let tells = |head: &[Token]| head.iter().any(|token| phrasebook.carries(token.word));
    let is_head = |head: &[Token]| head.iter().filter(|token| token.stem.is_some()).count() >= THINGS && !tells(head);
    let cue = phrasebook.depends.find(tokens).next();
    cue.and_then(|cue| tokens.get(..cue.start)).filter(|head| is_head(head)).unwrap_or(tokens)
}

/// Whether one of the words that deny does deny something here: not in "no objection to it".
fn denies(words: &[Token], phrasebook: &Phrasebook) -> bool {
    let void: Vec<Range<usize>> = phrasebook.void.find(words).collect();
    // "Needs no go" is void, and no "no go".
    let is_void = |not: &Range<usize>| void.iter().any(|void| void.contains(&not.start));
    let is_left = || is_left_alone(words, phrasebook);
    is_left()
        || phrasebook
            .negation
            .find(words)
            .any(|not| !is_void(&not) && !is_aside(words, &not, phrasebook) && !is_of_fact(words, &not, phrasebook))
}

/// Whether something is to be left as it is, whatever stands between the two words that say so: "leave everything below it alone".
fn is_left_alone(words: &[Token], phrasebook: &Phrasebook) -> bool {
    const FAR: usize = 10;
    let leaves = words.iter().enumerate().filter(|(_, word)| phrasebook.leaves(word.word));
    let mut rests = leaves.filter_map(|(n, _)| words.get(n + 1..(n + FAR).min(words.len())));
    rests.any(|rest| rest.iter().any(|word| phrasebook.is_alone(word.word)))
}

/// Whether a "not" belongs to a clause within the clause, and what this one says is that something may be: "columns that nobody needs
/// can be dropped".
fn is_aside(words: &[Token], not: &Range<usize>, phrasebook: &Phrasebook) -> bool {
    const CLOSE: usize = 4;
    let before = words.get(not.start.saturating_sub(CLOSE)..not.start).unwrap_or_default();
    let behind = words.get(not.end + 1..).unwrap_or_default();
    before.iter().any(|word| phrasebook.is_relative(word.word)) && phrasebook.permits.is_in(behind)
}

/// Whether a verb tells of something done.
fn tells_past(tokens: &[Token], phrasebook: &Phrasebook) -> bool {
    // "Serif fonts are banned" tells of no deed.
    let bans: Vec<Range<usize>> = phrasebook.negation.find(tokens).collect();
    (0..tokens.len()).any(|n| is_past(tokens, n, phrasebook) && !bans.iter().any(|ban| ban.contains(&n)))
}

/// Whether a word tells of something done as a headline does, without a verb that carries it: "report mailed to the board".
pub(super) fn is_headed(tokens: &[Token], n: usize) -> bool {
    let Some(token) = tokens.get(n).filter(|token| token.past == Past::Carried) else { return false };
    let before = n.checked_sub(1).and_then(|n| tokens.get(n));
    let is_of_thing = before.is_some_and(|before| {
        before.stem.is_some() && matches!(before.past, Past::Never | Past::Behind) && !token.is_apart_from(before)
    });
    let goes_on = tokens.get(n + 1).is_none_or(|next| next.is_small && !next.is_apart_from(token));
    // A label before it is no part of it: "CHANGELOG.md: entry committed".
    let label = (1..n).rfind(|m| tokens.get(m - 1).zip(tokens.get(*m)).is_some_and(|(before, token)| token.is_apart_from(before)));
    // "The file changed in it fails" has a verb of its own: what stands first is the headline.
    let lead = tokens.get(label.unwrap_or(0)..n);
    is_of_thing && goes_on && lead.is_some_and(|lead| lead.len() <= HEADLINE && !lead.iter().any(|token| token.is_lead))
}

/// A headline names so few things before it tells what became of them.
const HEADLINE: usize = 4;

/// Whether a "not" before a verb denies that what the verb tells of was done: "no seat was booked". What stands behind it does not: "it
/// was posted, do not post it again".
fn is_undone(tokens: &[Token], phrasebook: &Phrasebook) -> bool {
    const REACH: usize = 6;
    let void: Vec<Range<usize>> = phrasebook.void.find(tokens).collect();
    let nots = phrasebook.negation.find(tokens).filter(|not| !void.iter().any(|void| is_within(not, void)));
    nots.into_iter().any(|not| {
        let reach = not.end..(not.end + REACH).min(tokens.len());
        let is_apart = |n: usize| {
            n.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| is_token_apart(tokens, n, before))
        };
        reach.take_while(|n| !is_apart(*n)).any(|n| is_past(tokens, n, phrasebook))
    })
}

fn is_token_apart(tokens: &[Token], n: usize, before: &Token) -> bool {
    tokens.get(n).is_some_and(|token| token.is_apart_from(before))
}

/// Whether a word tells, where it stands, of something done.
pub(super) fn is_past(tokens: &[Token], n: usize, phrasebook: &Phrasebook) -> bool {
    const CLOSE: usize = 2;
    let past = tokens.get(n).map_or(Past::Never, |token| token.past);
    // Most words never do.
    if past == Past::Never {
        return false;
    }
    let before = tokens.get(n.saturating_sub(CLOSE)..n).unwrap_or_default();
    let is_carried = || before.iter().any(|token| phrasebook.carries(token.word) || token.past == Past::Always);
    let is_joined = || {
        let own = tokens.get(..n).unwrap_or_default();
        // "Was tried out and committed": what carries the one carries the other.
        let is_borne_too = |m: usize| {
            let before = tokens.get(m.saturating_sub(CLOSE)..m).unwrap_or_default();
            before.iter().any(|token| phrasebook.carries(token.word)) && !is_attribute(before, phrasebook)
        };
        let told = |(m, token): (usize, &Token)| {
            token.past == Past::Always || (token.past == Past::Carried && (is_first(tokens, m) || is_borne_too(m)))
        };
        own.last().is_some_and(|token| phrasebook.joins(token.word)) && own.iter().enumerate().any(told)
    };
    let is_awaited = || before.iter().any(|token| phrasebook.awaits(token.word));
    if is_attempt(tokens, n, phrasebook) || is_attribute(before, phrasebook) {
        return false;
    }
    let is_borne = || match before {
        [.., last] if phrasebook.bears(last.word) => true,
        // "Has not put", and not "has to put".
        [first, last] => phrasebook.bears(first.word) && last.is_small && !phrasebook.is_infinitive(last.word),
        _ => false,
    };
    match past {
        Past::Never => false,
        Past::Behind => is_borne(),
        Past::Carried => is_first(tokens, n) || is_carried() || is_joined(),
        Past::Always => !is_awaited(),
    }
}

/// Whether a word tells only of the will to do what is told behind it: "tried to submit it", "it was decided to keep it".
fn is_attempt(tokens: &[Token], n: usize, phrasebook: &Phrasebook) -> bool {
    if tokens.get(n).is_some_and(|token| phrasebook.tries(token.word)) {
        return true;
    }
    let is_one = tokens.get(n).is_some_and(|token| phrasebook.attempts(token.word));
    // "Invited to the opening" is no will.
    let is_verb = || tokens.get(n + 2).is_some_and(|next| next.stem.is_some() && !next.is_number);
    is_one && tokens.get(n + 1).is_some_and(|next| phrasebook.is_infinitive(next.word)) && is_verb()
}

/// Whether what stands before a word makes it say which thing is meant, and not what became of it: "whatever is tried out".
fn is_attribute(before: &[Token], phrasebook: &Phrasebook) -> bool {
    matches!(before, [first, last] if phrasebook.is_relative(first.word) && phrasebook.carries(last.word))
}

/// Whether a word stands first, or behind a mark and a blank: "Tests: added one".
fn is_first(tokens: &[Token], n: usize) -> bool {
    let before = n.checked_sub(1).and_then(|n| tokens.get(n));
    before.is_none_or(|before| tokens.get(n).is_some_and(|token| token.is_apart_from(before)))
}

/// A "not" denies what stands so close behind it.
const DENIED: usize = 2;

/// The status that the words of a clause tell. Of phrases that lie in each other the longest counts; of several, the least sure.
fn status(text: &str, words: &[Token], phrasebook: &Phrasebook) -> Option<Status> {
    if let Some(status) = phrasebook.marks.find(text) {
        return Some(status);
    }
    let lists = [
        (&phrasebook.unknown, Status::Unknown),
        (&phrasebook.pending, Status::Pending),
        (&phrasebook.failed, Status::Failed),
        (&phrasebook.done, Status::Done),
    ];
    let found: Vec<_> = lists.iter().flat_map(|(phrases, status)| phrases.find(words).map(|range| (range, *status))).collect();
    let covered = |range: &Range<usize>| found.iter().any(|(other, _)| other.len() > range.len() && is_within(range, other));
    let told = found.iter().find(|(range, _)| !covered(range));
    told.map(|(range, status)| {
        let before = words.get(range.start.saturating_sub(DENIED)..range.start).unwrap_or_default();
        match status {
            // "Was not restored" is no success, and "none remaining" is one.
            Status::Done if phrasebook.denial.is_in(before) || is_of_none(words, range, phrasebook) => Status::Pending,
            Status::Pending if phrasebook.nothing.is_in(before) => Status::Done,
            status => *status,
        }
    })
}

/// Whether what is told at a place is told of nothing: "no build or test has been run".
fn is_of_none(words: &[Token], at: &Range<usize>, phrasebook: &Phrasebook) -> bool {
    let none = phrasebook.nothing.find(words).next().filter(|none| none.start == 0);
    let between = none.and_then(|none| words.get(none.end..at.start));
    let is_apart = |pair: &[Token]| matches!(pair, [one, two] if two.is_apart_from(one));
    between.is_some_and(|between| !between.is_empty() && !words.get(..=at.start).unwrap_or_default().windows(2).any(is_apart))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> Claim {
        Claim::of_text(text, &Phrasebook::load(None).unwrap())
    }

    #[test]
    fn a_not_that_denies_nothing_is_none() {
        for text in [
            "Do not push.",
            "No column may be dropped.",
            "Pushing is off limits.",
            "Columns that must not be dropped",
            "Push the branch, but not to main.",
            "Rename the table, it must not be dropped.",
            "Use the blue one, not the red one.",
            "Legal is still editing the page, that file is off limits.",
        ] {
            assert!(claim(text).denies, "{text}");
        }
        for text in [
            "In the meantime drop scratch.sales_tmp on staging, nobody uses it any more.",
            "The menu labels of the device stay in English, its firmware has no Polish interface.",
            "There is no objection to pushing.",
            "Deploy not only to the north.",
            "Columns that nobody needs can be dropped.",
            "Deployments no longer need to be announced.",
        ] {
            assert!(!claim(text).denies, "{text}");
        }
    }

    #[test]
    fn what_must_be_done_is_not_done() {
        assert!(!claim("The proof must be sent.").tells_past);
        assert!(claim("The raised limit was tried out and committed.").tells_past);
        assert!(!claim("The table may never be written to.").tells_past);
        assert!(claim("The proof was sent.").tells_past);
        assert_eq!(claim("None remaining").status, Some(Status::Done));
        assert_eq!(claim("Once this is done, print the labels").status, None);
        assert_eq!(claim("Reserve the bus only after the deposit has been paid").status, None);
        assert!(claim("The result was put into the report").tells_past);
        assert!(!claim("The result has to be put into the report").tells_past && !claim("Put the result there").tells_past);
        assert_eq!(claim("No seat was booked.").status, Some(Status::Pending));
        assert_eq!(claim("The note was posted, do not post it again.").status, None);
        assert_eq!(claim("Two tasks remaining").status, Some(Status::Pending));
        assert_eq!(claim("No build or test has been run with it").status, Some(Status::Pending));
    }

    #[test]
    fn what_was_tried_or_wanted_is_not_done() {
        for text in
            ["It was decided to keep the hours in the set.", "I asked to push it.", "Anything that is tried out goes there."]
        {
            assert!(!claim(text).tells_past, "{text}");
        }
        assert_eq!(claim("I tried to submit the sweep.").status, Some(Status::Unknown));
        assert!(claim("The guests were invited to the opening.").tells_past);
    }

    #[test]
    fn a_wish_binds_less_than_a_rule() {
        for text in
            ["Try not to push.", "Ideally never push.", "Pushing is discouraged.", "Pushing is fine.", "Möglichst nicht pushen."]
        {
            assert_eq!(claim(text).force, Force::Weak, "{text}");
        }
        assert_eq!(claim("Never push.").force, Force::Strong);
    }
}
