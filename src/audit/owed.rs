//! An entry that was owed before a boundary, prepared for being looked for after it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::audit::case::Saying;
use crate::audit::readings::Readings;
use crate::audit::standing::Standing;
use crate::base::text::prefix;
use crate::evidence::{Claim, Ends, Force, Match, Page, Phrasebook, Words};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{ActionFacts, Entry, EntryKind, Holder, HolderForm, Scope, Trust};
use crate::ledger::rows::BoundaryRow;
use crate::ledger::tagging::answers::pairs;

/// An entry that was live and stood in the context.
pub(super) struct Owed {
    pub(super) entry: Arc<Entry>,
    /// What it says.
    pub(super) words: Rc<Words>,
    /// What its own words claim.
    pub(super) claim: Claim,
    /// The words with which it rules.
    rule: Rc<Words>,
    /// What it rules beside the exact values that it names.
    deed: Rc<Words>,
    /// Of an action, what its command or input says besides: what was announced, to whom.
    pub(super) input: Words,
    /// Whether it is in another language than what stands: then its words say nothing.
    pub(super) is_foreign: bool,
    /// Whether something of the context that was kept holds it, or a carrier does.
    pub(super) is_held: bool,
    /// The text in which it stands word by word.
    pub(super) quoted: Option<usize>,
    /// The clauses that share words with it, best first.
    pub(super) matches: Vec<Match>,
    condition: OnceCell<Option<Words>>,
    /// By what its action may be called, once somebody has asked for that.
    pub(super) names: OnceCell<Vec<String>>,
}

/// Of a text with more things than this nobody expects a single sentence to say it.
const LONG: usize = 28;

/// Half of what is done is not what is done.
const HALF: f64 = 0.5;

impl Owed {
    pub(super) fn new(
        entry: Arc<Entry>,
        (lane, row): (&LaneSnapshot, &BoundaryRow),
        standing: &Standing,
        (phrasebook, readings): (&Phrasebook, &Readings),
    ) -> Self {
        let reading = readings.of(&entry, phrasebook);
        let told = entry.action.as_ref().filter(|_| !is_word(&entry));
        let words = told.map_or_else(|| Rc::clone(&reading.words), |told| Rc::new(action(told, &entry, lane, phrasebook)));
        let is_held = lane.holders_at(&entry, standing.until).any(|holder| is_kept(holder, row));
        let quoted = if is_word(&entry) { quoted(&entry.text, &standing.page, phrasebook) } else { None };
        let input = if told.is_some() { input(&entry, phrasebook) } else { Words::default() };
        let named = || entry.identifiers.iter().map(|value| Words::of(value, phrasebook)).collect::<Vec<_>>();
        let deed = if told.is_some() { Rc::new(words.without(named().iter())) } else { Rc::clone(&reading.deed) };
        let is_foreign = is_word(&entry) && words.is_foreign_to(standing.abroad);
        let rule = Rc::clone(if told.is_some() { &words } else { &reading.rule });
        let (matches, condition, names) = (Vec::new(), OnceCell::new(), OnceCell::new());
        Self { entry, words, claim: reading.claim, rule, deed, input, is_foreign, is_held, quoted, matches, condition, names }
    }

    /// Whether it stands as it stood.
    pub(super) fn stands(&self) -> bool {
        self.is_held || self.quoted.is_some()
    }

    /// Whether it is a prohibition, by its own kind or as a standing rule.
    pub(super) fn forbids(&self) -> bool {
        let also = self.entry.also.contains(&EntryKind::Prohibition) && self.entry.scope == Scope::Standing;
        self.entry.kind == EntryKind::Prohibition || (also && self.claim.denies)
    }

    /// Whether it holds on, or forbids.
    pub(super) fn is_rule(&self) -> bool {
        let holds_on = self.entry.scope == Scope::Standing && self.claim.force != Force::Weak;
        self.entry.kind.is_commitment() && (self.forbids() || holds_on)
    }

    /// What is done, without what it is done to.
    pub(super) fn deed(&self) -> &Words {
        &self.deed
    }

    /// Whether a clause says what is done, and does not only name what it is done to.
    pub(super) fn says_what(&self, saying: &Saying<'_>) -> bool {
        self.deed.is_empty() || saying.sentence.words.share_of(&self.deed) > HALF
    }

    /// The same of what it rules, without the condition under which it does.
    pub(super) fn says_what_is_ruled(&self, saying: &Saying<'_>, phrasebook: &Phrasebook) -> bool {
        let deed = self.deed.core(phrasebook);
        deed.is_empty() || saying.sentence.words.share_of(&deed) > HALF
    }

    /// The condition under which it holds.
    pub(super) fn condition(&self, phrasebook: &Phrasebook) -> Option<&Words> {
        self.condition.get_or_init(|| self.words.condition(phrasebook)).as_ref()
    }

    /// The words with which it rules, the condition among them.
    pub(super) fn ruling(&self) -> &Words {
        &self.rule
    }

    /// What it rules, without the condition under which it does.
    pub(super) fn core(&self, phrasebook: &Phrasebook) -> Words {
        self.rule.core(phrasebook)
    }

    /// The two things that it orders: by its kind, or as a standing rule whose words do.
    pub(super) fn ends(&self, phrasebook: &Phrasebook) -> Option<Ends> {
        let is_ordering = self.entry.kind == EntryKind::Ordering || self.entry.also.contains(&EntryKind::Ordering);
        let is_rule = self.entry.kind.is_commitment() && self.entry.scope == Scope::Standing;
        Ends::of(&self.words, phrasebook).filter(|_| is_ordering || is_rule)
    }

    /// Whether it is too long, or says too little, for its words to be looked for.
    pub(super) fn is_vague(&self) -> bool {
        self.words.len() < 2 || self.is_foreign || self.is_long()
    }

    /// The same of what stands there, which may be in its language where the rest is not.
    pub(super) fn is_untold(&self) -> bool {
        self.words.len() < 2 || self.is_long()
    }

    /// Whether it is a whole message, and no single thing.
    pub(super) fn is_long(&self) -> bool {
        self.words.len() > LONG || self.entry.is_whole_text()
    }

    /// Whether somebody tagged it, or a runtime recorded it.
    pub(super) fn is_explicit(&self) -> bool {
        self.entry.trust == Trust::Explicit
    }
}

/// The text in which an entry stands word by word; of an answer to a question tool the answer will do, if it says something itself.
fn quoted(text: &str, page: &Page, phrasebook: &Phrasebook) -> Option<usize> {
    let answer = || {
        let pairs = pairs(text);
        let [pair] = pairs.as_slice() else { return None };
        text.get(pair.answer.clone()).filter(|answer| Words::of(answer, phrasebook).len() >= 2)
    };
    page.holds(text).or_else(|| page.holds(answer()?))
}

/// Whether a holder stands beside the summary: what the summary says of it is read here, sentence by sentence.
fn is_kept(holder: Holder, row: &BoundaryRow) -> bool {
    holder.form == HolderForm::Carrier || Some(holder.since) != row.summary
}

/// Whether an entry is words that somebody said or wrote down, and no action.
pub(super) fn is_word(entry: &Entry) -> bool {
    entry.kind.is_commitment() || matches!(entry.kind, EntryKind::Task | EntryKind::Question | EntryKind::Reference)
}

/// What an action does to what, in words that a summary might use, without our own words about it.
fn action(action: &ActionFacts, entry: &Entry, lane: &LaneSnapshot, phrasebook: &Phrasebook) -> Words {
    let call = action.call.and_then(|call| lane.calls.get(call.index()));
    let what = format!("{} {}", action.intent, action.target.as_deref().unwrap_or_default());
    let words = Words::of_action(&what, phrasebook);
    match call {
        // "git commit" says too little to be known by; what becomes of the files that it is given is not what came of it.
        Some(call) if words.len() < 2 => {
            let is_over = entry.kind == EntryKind::Done;
            let label = prefix(&call.label, LABEL_BYTES).split(' ').filter(|word| is_over || !is_file(word));
            Words::of_action(&format!("{what} {}", label.collect::<Vec<_>>().join(" ")), phrasebook)
        }
        _ => words,
    }
}

/// What the input of an action says, in words that a summary might use.
fn input(entry: &Entry, phrasebook: &Phrasebook) -> Words {
    Words::of_input(prefix(&entry.text, INPUT_BYTES), phrasebook)
}

/// Of an input so much is looked at.
const INPUT_BYTES: usize = 300;

fn is_file(word: &str) -> bool {
    word.rsplit_once('/').is_some_and(|(_, end)| end.contains('.'))
}

/// Of a command so much is looked at where its program says too little.
const LABEL_BYTES: usize = 60;
