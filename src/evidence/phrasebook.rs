//! What counts as the same, and what words say of an action, as data (`assets/evidence.toml`).

mod data;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::data::{DataError, DataFile, parse_over};
use crate::base::hash::Hash64;
use crate::evidence::claim::Status;
use crate::evidence::phrasebook::data::Data;
use crate::evidence::phrases::Phrases;
use crate::evidence::words::{Past, parts, root};

/// The built-in phrasebook.
const BUILT_IN: DataFile<'_> = DataFile { name: "evidence.toml (built in)", text: include_str!("../../assets/evidence.toml") };

/// The phrasebook that evidence goes by.
#[derive(Debug, Default)]
pub struct Phrasebook {
    pub(super) negation: Phrases,
    pub(super) void: Phrases,
    pub(super) contrast: Phrases,
    pub(super) lacks: Phrases,
    pub(super) unspaced_negation: Vec<String>,
    pub(super) permits: Phrases,
    pub(super) weak: Phrases,
    pub(super) softens: Phrases,
    pub(super) denial: Phrases,
    pub(super) doubt: Phrases,
    pub(super) decided: Phrases,
    pub(super) binds: Phrases,
    pub(super) lets: Phrases,
    pub(super) needs: Phrases,
    pub(super) bounds: Phrases,
    pub(super) repeats: Phrases,
    pub(super) strong: Phrases,
    /// By status, in the order in which they decide.
    pub(super) unknown: Phrases,
    pub(super) pending: Phrases,
    pub(super) left: Phrases,
    pub(super) failed: Phrases,
    pub(super) done: Phrases,
    pub(super) marks: Marks,
    pub(super) progress: Phrases,
    pub(super) places: Phrases,
    pub(super) nothing: Phrases,
    pub(super) headings: Headings,
    pub(super) first_left: Phrases,
    pub(super) first_right: Phrases,
    pub(super) first_word: Phrases,
    pub(super) turned: Phrases,
    pub(super) rests: Phrases,
    pub(super) void_order: Phrases,
    pub(super) reasons: Phrases,
    pub(super) causes: Phrases,
    pub(super) waits: Phrases,
    pub(super) scope: Phrases,
    pub(super) checks: Phrases,
    pub(super) commits: Phrases,
    pub(super) ends: Phrases,
    pub(super) pushes: Phrases,
    pub(super) works: Phrases,
    pub(super) general: Phrases,
    pub(super) wide: Phrases,
    pub(super) exceptions: Phrases,
    pub(super) exclusive: Phrases,
    pub(super) waives: Phrases,
    pub(super) lifts: Phrases,
    pub(super) speakers: Phrases,
    pub(super) agreed: Phrases,
    pub(super) ordered: Phrases,
    pub(super) consent: Phrases,
    pub(super) asked_first: Phrases,
    pub(super) reports: Phrases,
    pub(super) yes: Phrases,
    pub(super) assents: Phrases,
    pub(super) affirms: Phrases,
    pub(super) grants: Phrases,
    pub(super) depends: Phrases,
    pub(super) unanswered: Phrases,
    pub(super) wants: Phrases,
    pub(super) announcement: Phrases,
    giving: Vec<String>,
    machine: FxHashSet<Hash64>,
    quantities: FxHashSet<Hash64>,
    empty: FxHashSet<Hash64>,
    carry: FxHashSet<Hash64>,
    bears: FxHashSet<Hash64>,
    infinitive: FxHashSet<Hash64>,
    modals: FxHashSet<Hash64>,
    awaits: FxHashSet<Hash64>,
    relative: FxHashSet<Hash64>,
    attempts: FxHashSet<Hash64>,
    tries: FxHashSet<Hash64>,
    /// By their stems: what is forbidden, and the order that is the opposite of it.
    pub(super) opposites: Vec<(Hash64, Hash64)>,
    leave: FxHashSet<Hash64>,
    refers: FxHashSet<Hash64>,
    subjects: FxHashSet<Hash64>,
    tells: FxHashSet<Hash64>,
    alone: FxHashSet<Hash64>,
    pronouns: FxHashSet<Hash64>,
    inquires: FxHashSet<Hash64>,
    leads: FxHashSet<Hash64>,
    commands: FxHashSet<Hash64>,
    sends: FxHashSet<Hash64>,
    joins: FxHashSet<Hash64>,
    forms: FxHashMap<Hash64, (Option<Hash64>, Past)>,
    same: FxHashMap<Hash64, Hash64>,
}

/// Marks that tell a status: `[x]`.
#[derive(Debug, Default)]
pub(super) struct Marks {
    all: Vec<(String, Status)>,
    /// The bytes with which they begin: few texts have one of these.
    firsts: Vec<u8>,
}

impl Marks {
    /// The marks of some lists, in the order in which they decide.
    fn new(lists: &[(&Vec<String>, Status)]) -> Self {
        let all = lists.iter().flat_map(|(marks, status)| marks.iter().map(|mark| (mark.clone(), *status)));
        let all: Vec<(String, Status)> = all.collect();
        let mut firsts: Vec<u8> = all.iter().filter_map(|(mark, _)| mark.bytes().next()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        Self { all, firsts }
    }

    /// The status that a text is marked with.
    pub(super) fn find(&self, text: &str) -> Option<Status> {
        let may_be = text.bytes().any(|byte| self.firsts.contains(&byte));
        self.all.iter().find(|(mark, _)| may_be && text.contains(mark.as_str())).map(|(_, status)| *status)
    }
}

/// What headings say of what stands below them.
#[derive(Debug, Default)]
pub(super) struct Headings {
    pub(super) pending: Phrases,
    pub(super) done: Phrases,
    pub(super) rules: Phrases,
    pub(super) requests: Phrases,
    pub(super) quotes: Phrases,
    pub(super) unknown: Phrases,
}

impl Phrasebook {
    /// The built-in phrasebook with the user's laid over them.
    ///
    /// # Errors
    /// A mistake in the user's file, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let data: Data = parse_over(BUILT_IN, overlay)?;
        Ok(Self::of(data))
    }

    /// Whether a text tells its reader that something before it is gone.
    #[must_use]
    pub fn announces(&self, text: &str) -> bool {
        let mut words: Vec<Hash64> = Vec::new();
        let mut parts = parts(text).map(|part| part.hash());
        // Most of those that do tell it at once.
        loop {
            let read = words.len();
            words.extend(parts.by_ref().take(AT_ONCE));
            if read == words.len() {
                return false;
            }
            let from = read.saturating_sub(self.announcement.longest());
            if self.announcement.is_in(words.get(from..).unwrap_or_default()) {
                return true;
            }
        }
    }

    /// What stands behind the words that give a label its meaning, with which a text begins: "L2 means ...".
    #[must_use]
    pub fn given<'t>(&self, text: &'t str) -> Option<&'t str> {
        let behind = text.strip_prefix(' ')?;
        self.giving.iter().find_map(|words| behind.strip_prefix(words.as_str())?.strip_prefix(' '))
    }

    /// Whether a word stands in commands and addresses, and not in what is said about them.
    pub(super) fn is_machine(&self, word: Hash64) -> bool {
        self.machine.contains(&word)
    }

    /// Whether a word joins a verb to the one before it: "wrote and notified".
    pub(super) fn joins(&self, word: Hash64) -> bool {
        self.joins.contains(&word)
    }

    /// Whether a word makes the form behind it tell of something done: "was", "has".
    pub(super) fn carries(&self, word: Hash64) -> bool {
        self.carry.contains(&word)
    }

    /// Whether a word makes even a form that is the same at all times tell of something done: "was put".
    pub(super) fn bears(&self, word: Hash64) -> bool {
        self.bears.contains(&word)
    }

    /// Whether a word says of the thing before it what it may, must or will do.
    pub(super) fn is_modal(&self, word: Hash64) -> bool {
        self.modals.contains(&word)
    }

    /// Whether a word makes the form behind it tell of what is to come: "has to put".
    pub(super) fn is_infinitive(&self, word: Hash64) -> bool {
        self.infinitive.contains(&word)
    }

    /// Whether a word puts the form behind it off: "must be sent".
    pub(super) fn awaits(&self, word: Hash64) -> bool {
        self.awaits.contains(&word)
    }

    /// Whether a word begins a clause about the word before it: "that", "which".
    pub(super) fn is_relative(&self, word: Hash64) -> bool {
        self.relative.contains(&word)
    }

    /// Whether a word tells of the will to do what stands behind it: "tried", "decided".
    pub(super) fn attempts(&self, word: Hash64) -> bool {
        self.attempts.contains(&word)
    }

    /// Whether a word tells that something was tried, and not that it was done.
    pub(super) fn tries(&self, word: Hash64) -> bool {
        self.tries.contains(&word)
    }

    /// Whether a word is the name of a deed that leaves this machine.
    pub(super) fn commands(&self, word: Hash64) -> bool {
        self.commands.contains(&word)
    }

    /// Whether a word is the name of a deed that no edit of a file does.
    pub(super) fn sends(&self, word: Hash64) -> bool {
        self.sends.contains(&word)
    }

    /// Whether a word may lead an order.
    pub(super) fn leads(&self, word: Hash64) -> bool {
        self.leads.contains(&word)
    }

    /// Whether a word begins a question for information.
    pub(super) fn inquires(&self, word: Hash64) -> bool {
        self.inquires.contains(&word)
    }

    /// Whether a statement may begin with a word: "nobody uses it".
    pub(super) fn is_subject(&self, word: Hash64) -> bool {
        self.subjects.contains(&word)
    }

    /// Whether a word says of what stands before it how it is.
    pub(super) fn tells(&self, word: Hash64) -> bool {
        self.tells.contains(&word)
    }

    /// Whether a word only refers to what somebody wants: "as the user asked".
    pub(super) fn is_reference(&self, word: Hash64) -> bool {
        self.refers.contains(&word)
    }

    /// Whether a word may begin what says that something is to be left as it is: "leave".
    pub(super) fn leaves(&self, word: Hash64) -> bool {
        self.leave.contains(&word)
    }

    /// Whether a word ends that: "alone".
    pub(super) fn is_alone(&self, word: Hash64) -> bool {
        self.alone.contains(&word)
    }

    /// Whether a word stands for what the sentence before is about: "it".
    pub(super) fn is_pronoun(&self, word: Hash64) -> bool {
        self.pronouns.contains(&word)
    }

    /// Whether a word says nothing, in another language than English.
    pub(super) fn is_empty_abroad(&self, word: Hash64) -> bool {
        self.empty.contains(&word)
    }

    /// What a word is about, by itself and its hash, none for a word that is about nothing; and whether its form tells of something done.
    pub(super) fn meaning(&self, word: &str, hash: Hash64) -> (Option<Hash64>, Past) {
        if self.is_empty_abroad(hash) || self.quantities.contains(&hash) {
            return (None, Past::Never);
        }
        let (stem, past) = match self.forms.get(&hash) {
            Some(&known) => known,
            None if word.len() > 3 && word.ends_with("ed") => (root(word), Past::Carried),
            None => (root(word), Past::Never),
        };
        (stem.map(|stem| self.same.get(&stem).copied().unwrap_or(stem)), past)
    }

    fn of(data: Data) -> Self {
        let mut forms = FxHashMap::default();
        for (pairs, past) in [(&data.forms.other, Past::Never), (&data.forms.past, Past::Always)] {
            for (form, word) in pairs.iter().filter_map(|pair| pair.split_once(' ')) {
                forms.insert(Hash64::of(form.as_bytes()), (root(word), past));
            }
        }
        for form in data.forms.unchanged.split_whitespace() {
            forms.insert(Hash64::of(form.as_bytes()), (root(form), Past::Behind));
        }
        let mut same = FxHashMap::default();
        for group in &data.same.groups {
            let mut stems = group.split(' ').filter_map(root);
            if let Some(first) = stems.next() {
                same.extend(stems.map(|stem| (stem, first)));
            }
        }
        let stem = |word: &str| root(word).map(|stem| same.get(&stem).copied().unwrap_or(stem));
        let pair = |pair: &String| pair.split_once(' ').and_then(|(one, two)| Some((stem(one)?, stem(two)?)));
        let opposites = data.negation.opposites.iter().filter_map(pair).collect();
        Self {
            opposites,
            negation: Phrases::new(&data.negation.phrases),
            void: Phrases::new(&data.negation.void),
            contrast: Phrases::new(&data.negation.contrast),
            lacks: Phrases::new(&data.negation.lacks),
            unspaced_negation: data.negation.unspaced,
            permits: Phrases::new(&data.force.permits),
            weak: Phrases::new(&data.force.weak),
            softens: Phrases::new(&data.force.softens),
            denial: Phrases::new(&data.status.denial),
            doubt: Phrases::new(&data.status.doubt),
            decided: Phrases::new(&data.status.decided),
            binds: Phrases::new(&data.force.binds),
            lets: Phrases::new(&data.force.lets),
            needs: Phrases::new(&data.force.needs),
            bounds: Phrases::new(&data.force.bounds),
            repeats: Phrases::new(&data.force.repeats),
            strong: Phrases::new(&data.force.strong),
            unknown: Phrases::new(&data.status.unknown),
            pending: Phrases::new(&data.status.pending),
            left: Phrases::new(&data.status.left),
            failed: Phrases::new(&data.status.failed),
            done: Phrases::new(&data.status.done),
            progress: Phrases::new(&data.status.progress),
            places: Phrases::new(&data.status.places),
            nothing: Phrases::new(&data.status.nothing),
            marks: Marks::new(&[
                (&data.status.pending_marks, Status::Pending),
                (&data.status.failed_marks, Status::Failed),
                (&data.status.done_marks, Status::Done),
            ]),
            headings: Headings {
                pending: Phrases::new(&data.section.pending),
                done: Phrases::new(&data.section.done),
                rules: Phrases::new(&data.section.rules),
                requests: Phrases::new(&data.section.requests),
                quotes: Phrases::new(&data.section.quotes),
                unknown: Phrases::new(&data.section.unknown),
            },
            first_left: Phrases::new(&data.order.first_left),
            first_right: Phrases::new(&data.order.first_right),
            first_word: Phrases::new(&data.order.first_word),
            turned: Phrases::new(&data.order.turned),
            rests: Phrases::new(&data.order.rests),
            void_order: Phrases::new(&data.order.void_order),
            reasons: Phrases::new(&data.order.reasons),
            causes: Phrases::new(&data.order.causes),
            waits: Phrases::new(&data.order.waits),
            scope: Phrases::new(&data.scope.phrases),
            checks: Phrases::new(&data.actions.checks),
            commits: Phrases::new(&data.actions.commits),
            ends: Phrases::new(&data.actions.ends),
            pushes: Phrases::new(&data.actions.pushes),
            works: Phrases::new(&data.actions.works),
            general: Phrases::new(&data.scope.general),
            wide: Phrases::new(&data.scope.wide),
            exceptions: Phrases::new(&data.scope.exceptions),
            exclusive: Phrases::new(&data.scope.exclusive),
            waives: Phrases::new(&data.scope.waives),
            lifts: Phrases::new(&data.scope.lifts),
            speakers: Phrases::new(&data.authority.speakers),
            agreed: Phrases::new(&data.authority.agreed),
            ordered: Phrases::new(&data.authority.ordered),
            consent: Phrases::new(&data.authority.consent),
            asked_first: Phrases::new(&data.authority.asked_first),
            reports: Phrases::new(&data.authority.reports),
            yes: Phrases::new(&data.authority.yes),
            assents: Phrases::new(&data.authority.assents),
            affirms: Phrases::new(&data.authority.affirms),
            grants: Phrases::new(&data.authority.grants),
            depends: Phrases::new(&data.authority.depends),
            unanswered: Phrases::new(&data.authority.unanswered),
            wants: Phrases::new(&data.authority.wants),
            announcement: Phrases::new(&data.announcement.phrases),
            giving: data.labels.giving,
            machine: hashes(&data.actions.machine),
            quantities: hashes(&data.empty.quantities),
            empty: hashes(&data.empty.words),
            joins: hashes(&data.forms.join),
            carry: hashes(&data.forms.carry),
            bears: hashes(&data.forms.bears),
            infinitive: hashes(&data.forms.infinitive),
            modals: hashes(&data.forms.modals),
            awaits: hashes(&data.forms.awaits),
            relative: hashes(&data.forms.relative),
            attempts: hashes(&data.forms.attempts),
            tries: hashes(&data.forms.tries),
            leave: hashes(&data.negation.leave),
            refers: hashes(&data.authority.refers),
            subjects: hashes(&data.negation.subjects),
            tells: hashes(&data.negation.tells),
            alone: hashes(&data.negation.alone),
            pronouns: hashes(&data.forms.pronouns),
            inquires: hashes(&data.forms.inquires),
            leads: hashes(&data.forms.leads),
            commands: hashes(&data.forms.commands),
            sends: hashes(&data.forms.sends),
            forms,
            same,
        }
    }
}

/// So many words of a text are looked at in one go.
const AT_ONCE: usize = 64;

/// The words of a list that is written as one text.
fn hashes(words: &str) -> FxHashSet<Hash64> {
    words.split_whitespace().map(|word| Hash64::of(word.as_bytes())).collect()
}
