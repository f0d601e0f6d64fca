//! One commitment that lives: how long, what ends it, and whether later words come back to it.

use crate::base::ids::{EntryId, EventIx, TurnIx};
use crate::base::text::prefix;
use crate::evidence::Gist;
use crate::ledger::commitments::condition;
use crate::ledger::entry::{Entry, EntryKind};
use crate::ledger::lifetimes::{Order, Wanted};
use crate::ledger::snapshot::{LaneSnapshot, Slot};
use crate::ledger::tagging::Source;

/// A one-shot is left behind by this many further prompts that do not come back to it.
pub(super) const PROMPTS: u8 = 2;

/// What later prompts come back to is left behind by this many all the same: two errors of one project always share some names.
pub(super) const PROMPTS_AT_MOST: u8 = 4;

/// The last message of a turn by this many: its questions, its promises and what it says is not done are entries of their own.
const PROMPTS_AFTER_THE_LAST_MESSAGE: u8 = 1;

/// A question of at most so many content words is about what was said before it.
pub(super) const A_QUESTION: usize = 4;

/// A message with this many numbered lines is a list of things to come back to.
const NUMBERED: usize = 4;

/// Of a longer text this much says what it is about.
pub(super) const GIST_BYTES: usize = 4096;

/// A text is about another when it shares this much of its words.
pub(super) const ABOUT: f64 = 0.5;
/// A text has next to nothing to do with another when it shares this much of its words.
const A_LITTLE: f64 = 0.11;

/// A message of at least so many content words is said again by a text that has this share of them.
const MESSAGE_WORDS: usize = 12;
const SAID_AGAIN: f64 = 0.8;

/// How long a commitment lives.
pub(in crate::ledger) enum Life {
    /// Until it is lifted or replaced.
    Standing,
    /// As long as one of its identifiers occurs.
    WhileUsed,
    /// Until later prompts leave it behind.
    OneShot,
    /// Until its turn is over.
    Asked,
    /// Until both ends of it were seen done in their order.
    UntilDone(Order),
}

/// What keeps a turn from ending as it should.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ledger) enum Trouble {
    #[default]
    None,
    /// A boundary came in between, here: what the agent says behind it may end the turn as it should all the same.
    Crossed(EventIx),
    /// A request failed.
    Broken,
    /// The human stopped it.
    Stopped,
}

/// One commitment that lives.
pub(super) struct Item {
    pub(super) entry: EntryId,
    pub(super) life: Life,
    pub(super) wanted: Wanted,
    pub(super) source: Source,
    /// The turn in which it was said.
    pub(super) said: TurnIx,
    /// The turn that has to end well before later prompts can leave it behind.
    pub(super) turn: TurnIx,
    /// The newest turn that asks back about it.
    pub(super) asked_in: Option<TurnIx>,
    /// How many prompts have come since.
    pub(super) age: u8,
    /// How many prompts have not come back to it since.
    pub(super) prompts: u8,
    /// The newest turn in which one of its identifiers occurred.
    pub(super) used: TurnIx,
    pub(super) gist: Gist,
    /// Of what is to be left as it is, what that is.
    pub(super) bans: Option<Gist>,
    /// Of what stands until something has come about, what that is.
    pub(super) until: Option<Gist>,
    pub(super) values: Vec<String>,
    /// The entries of words that point at it.
    pub(super) users: Vec<EntryId>,
    /// Whether it is a whole message of many sentences.
    pub(super) is_whole: bool,
    /// Whether it is a list of numbered things, which somebody may come back to one by one.
    pub(super) is_list: bool,
    /// Whether its turn ended with a question back to the human, and nothing was done.
    pub(super) is_unmet: bool,
}

/// What a text waits for: "until the festival is over". A word alone ("until Friday") nobody says when it has come.
fn until(text: &str) -> Option<Gist> {
    const WORDS: usize = 2;
    let condition = condition(prefix(text, GIST_BYTES))?;
    Some(Gist::of(condition.strip_prefix("until ")?)).filter(|until| until.len() >= WORDS)
}

/// What a text wants to be left as it is: "leave the bootloader alone for now" is about the bootloader.
fn left_alone(text: &str) -> Option<Gist> {
    const BAN: &str =
        "leave left alone keep touch change edit modify alter untouched unchanged frozen moment off limits hands isn aren";
    let bans = Gist::of(prefix(text, GIST_BYTES)).without(&Gist::of(BAN));
    (!bans.is_empty()).then_some(bans)
}

impl Item {
    /// A commitment that was opened, or is live again, in this turn.
    pub(super) fn new(row: &Entry, (life, wanted): (Life, Wanted), source: Source, turn: TurnIx) -> Self {
        let stands = matches!(life, Life::Standing);
        let until = if stands { until(&row.text) } else { None };
        let forbids = row.kind == EntryKind::Prohibition || row.also.contains(&EntryKind::Prohibition);
        let bans = if stands && forbids { left_alone(&row.text) } else { None };
        Self {
            entry: row.id,
            life,
            wanted,
            source,
            said: row.opened.turn,
            turn: row.opened.turn,
            asked_in: None,
            age: 0,
            prompts: 0,
            used: turn,
            gist: Gist::of(prefix(&row.text, GIST_BYTES)),
            bans,
            until,
            values: row.identifiers.iter().filter(|value| value.len() >= 3).cloned().collect(),
            users: Vec::new(),
            is_whole: row.pointer.is_some() || source == Source::LastOfTurn,
            is_list: row.text.lines().filter(|line| is_numbered(line)).nth(NUMBERED - 1).is_some(),
            is_unmet: false,
        }
    }

    /// What else was opened in its turn and lives. Entries stand in the order in which they were opened, so only few are looked at.
    pub(super) fn turn_mates<'r>(&self, rows: &'r LaneSnapshot) -> impl Iterator<Item = &'r Entry> + use<'r> {
        let (own, said) = (self.entry, self.said);
        let entry = |id: &EntryId| rows.entries.get(id.index()).and_then(Slot::own).map(|entry| &**entry);
        let before = rows.live.range(..own).rev().filter_map(entry).take_while(move |entry| entry.opened.turn >= said);
        let behind = rows.live.range(own..).filter_map(entry).take_while(move |entry| entry.opened.turn <= said);
        before.chain(behind).filter(move |entry| entry.opened.turn == said)
    }

    /// Whether a report may say that it is done: a human asked for it, and it lasts no longer than that.
    pub(super) fn can_be_claimed(&self) -> bool {
        matches!(self.life, Life::OneShot) && matches!(self.source, Source::Typed | Source::Steering | Source::Answer)
    }

    /// Something came back to it.
    pub(super) fn renew(&mut self, turn: TurnIx) {
        self.turn = turn;
        self.prompts = 0;
        self.used = turn;
    }

    /// How many prompts that do not come back to it leave it behind.
    pub(super) fn patience(&self) -> u8 {
        if self.is_unmet {
            return PROMPTS_AT_MOST;
        }
        let is_told = self.source == Source::LastOfTurn && self.is_whole && !self.is_list;
        if is_told { PROMPTS_AFTER_THE_LAST_MESSAGE } else { PROMPTS }
    }

    /// Whether it is of the last message of a turn.
    pub(super) fn is_last_word_of(&self, turn: TurnIx) -> bool {
        self.source == Source::LastOfTurn && self.said == turn
    }

    /// Whether it is a whole last message that a later text of these words says again: a plan in its next version.
    pub(super) fn is_said_again(&self, words: &Gist) -> bool {
        let is_message = self.source == Source::LastOfTurn && self.is_whole;
        is_message && self.gist.len() >= MESSAGE_WORDS && self.gist.share_in(words) >= SAID_AGAIN
    }

    /// Whether it was said, or come back to, in the turn before, and a text of these words has nothing to do with it.
    pub(super) fn is_left_by(&self, before: TurnIx, words: &Gist) -> bool {
        let has_nothing = match (self.is_whole, self.gist.shared(words)) {
            // Of a long text nearly every word may be one: "commit" takes up none.
            (true, _) => words.len() <= 1 || words.share_in(&self.gist) < ABOUT,
            (false, 0) => true,
            // One word of many may stand in any long prompt about the same project. What names an exact value is no mere talk.
            (false, 1) if self.values.is_empty() => self.gist.share_in(words) < ABOUT && words.share_in(&self.gist) < A_LITTLE,
            (false, _) => false,
        };
        self.turn == before && has_nothing
    }

    /// Whether the turn before left it open: that did not end as it should, or asked the human something first. A message that came
    /// behind a boundary is whole all the same.
    pub(super) fn waits(&self, before: TurnIx, trouble: Trouble, answers: bool) -> bool {
        match trouble {
            Trouble::Stopped => true,
            Trouble::Crossed(_) | Trouble::Broken => !self.is_last_word_of(before),
            Trouble::None => answers && self.said == before && !self.is_last_word_of(before),
        }
    }

    /// Whether it is the last message of the turn before, and a question of these words is about it.
    pub(super) fn is_asked_about(&self, before: TurnIx, words: &Gist) -> bool {
        self.is_last_word_of(before) && (words.len() <= A_QUESTION || words.share_in(&self.gist) >= ABOUT)
    }

    /// Whether a text of these words repeats it, or refers to it.
    pub(super) fn is_meant_by(&self, text: &str, words: &Gist) -> bool {
        if self.is_whole {
            return self.values.iter().filter(|value| text.contains(value.as_str())).count() >= 2;
        }
        self.is_named_in(text) || (self.gist.shared(words) >= 2 && self.gist.share_in(words) >= ABOUT)
    }

    pub(super) fn is_named_in(&self, text: &str) -> bool {
        self.values.iter().any(|value| text.contains(value.as_str()))
    }
}

/// Whether a line begins with a number, as `3.` or `**P2**` do.
fn is_numbered(line: &str) -> bool {
    let word = line.split_whitespace().find(|word| word.chars().any(char::is_alphanumeric)).unwrap_or_default();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.len() <= 4 && word.ends_with(|c: char| c.is_ascii_digit())
}
