//! Where an action is mentioned after a boundary, and what is said of it there.

use std::rc::Rc;

use memchr::memmem::find_iter;

use crate::audit::case::{Case, SAID, Saying};
use crate::audit::deeds;
use crate::audit::owed::{Owed, is_word};
use crate::audit::values;
use crate::base::ids::EventIx;
use crate::base::text::prefix;
use crate::evidence::{Clause, Section, Sentence, Status};
use crate::ledger::entry::EntryKind;

/// The mentions of an action.
pub(super) struct Mention<'c> {
    sayings: Vec<(Saying<'c>, Option<Status>)>,
}

/// A value shorter than this is found by accident.
const SHORT: usize = 4;

impl<'c> Mention<'c> {
    /// The sentences that name what an action acted on, or say most of what it was.
    pub(super) fn of(case: &'c Case<'_>, owed: &'c Owed) -> Self {
        // "main" stands in many sentences that are not about the merge of it.
        let is_common = |name: &&String| matches!(owed.entry.kind, EntryKind::Done | EntryKind::Transaction) && !is_proper(name);
        let mut names: Vec<String> = names(owed, case.before).iter().filter(|name| !is_common(name)).cloned().collect();
        names.extend(proofs(case, owed).iter().cloned());
        let own: Vec<&str> = names.iter().map(String::as_str).collect();
        // What a prompt asked for says nothing of what came of it.
        let is_quoted = |sentence: &Sentence| {
            let text = case.page().text_of(sentence);
            let is_quote = !is_word(&owed.entry) && text.contains('"') && sentence.words.reports(case.phrasebook);
            is_quote && !text.split('"').step_by(2).any(|told| calls(told, &own))
        };
        let may_tell = |sentence: &Sentence| !sentence.is_heading && sentence.section != Section::Quotes && !is_quoted(sentence);
        let is_of_another = |sentence: &Sentence| {
            let text = case.page().text_of(sentence);
            is_done(owed) && names.iter().any(|name| values::sibling(name, text).is_some())
        };
        // Most names stand in no sentence at all.
        let spelled: Vec<&str> = names.iter().map(String::as_str).filter(|name| case.page().spells(name)).collect();
        let named =
            case.page().sentences().iter().filter(|sentence| calls(case.page().text_of(sentence), &spelled) && may_tell(sentence));
        // "The job (b7e41c2) is over": what is put in brackets is told of by the whole sentence.
        let text_at = |n: usize| case.page().clause_at(n).map_or("", |clause| case.page().text_of_clause(clause));
        let is_bare = |n: usize| case.page().is_in_brackets(n) && calls(text_at(n), &spelled);
        let mut sayings: Vec<Saying<'c>> = named
            .flat_map(|sentence| sentence.clauses.clone())
            .filter_map(|n| Some((n, case.page().clause_at(n)?)))
            .filter_map(|(number, clause)| {
                let sentence = case.page().sentence_at(clause.sentence)?;
                // What another clause of the sentence tells is hardly told of what is named.
                let is_it = calls(text_at(number), &spelled) || sentence.clauses.clone().any(is_bare);
                let recall = if is_it { SAID } else { 0.0 };
                let shared = spelled.iter().filter(|name| calls(case.page().text_of(sentence), &[**name])).count();
                Some(Saying { number, clause, sentence, recall, precision: SAID, share: SAID, shared })
            })
            .collect();
        let is_told = |saying: &Saying<'_>| is_said(saying) && may_tell(saying.sentence) && !is_of_another(saying.sentence);
        sayings.extend(case.said(owed).filter(is_told));
        if matches!(owed.entry.kind, EntryKind::Effect | EntryKind::Retry) {
            let tells = |saying: &Saying<'_>| match case.status(saying.clause) {
                Some(status) => status != Status::Pending,
                None => saying.sentence.words.doubt(case.phrasebook),
            };
            sayings.extend(described(case, owed).filter(|saying| may_tell(saying.sentence) && tells(saying)));
            sayings.extend(retold(case, owed).into_iter().filter(|saying| may_tell(saying.sentence) && tells(saying)));
        }
        sayings.extend(quoted(case, owed));
        let sayings = sayings.into_iter().map(|saying| (saying, case.status(saying.clause)));
        Self { sayings: sayings.collect() }
    }

    /// Whether anything mentions it.
    pub(super) fn is_there(&self) -> bool {
        !self.sayings.is_empty()
    }

    /// What mentions it.
    pub(super) fn sayings(&self) -> impl Iterator<Item = Saying<'c>> {
        self.sayings.iter().map(|(saying, _)| *saying)
    }

    /// The clauses that mention it.
    pub(super) fn clauses(&self) -> impl Iterator<Item = &'c Clause> {
        self.sayings.iter().map(|(saying, _)| saying.clause)
    }

    /// The first mention.
    pub(super) fn first(&self) -> Option<Saying<'c>> {
        self.sayings.first().map(|(saying, _)| *saying)
    }

    /// The first that tells this of it, and not of another entry for which something holds.
    pub(super) fn tells_apart(
        &self,
        status: Status,
        (case, owed): (&Case<'_>, &Owed),
        is_apart: impl Fn(&Owed) -> bool,
    ) -> Option<Saying<'c>> {
        let is_own = |saying: &Saying<'_>| saying.recall > 0.0 && !case.other(owed, saying).is_some_and(&is_apart);
        self.sayings.iter().find(|(saying, own)| *own == Some(status) && is_own(saying)).map(|(saying, _)| *saying)
    }

    /// The first that tells this of it.
    pub(super) fn tells(&self, status: Status) -> Option<Saying<'c>> {
        self.telling(status).next()
    }

    /// All that tell this of it.
    pub(super) fn telling(&self, status: Status) -> impl Iterator<Item = Saying<'c>> {
        self.sayings.iter().filter(move |(_, own)| *own == Some(status)).map(|(saying, _)| *saying)
    }
}

/// Whether an effect stands, which is known by its own values: its proof, its target, its object.
fn is_done(owed: &Owed) -> bool {
    owed.entry.kind == EntryKind::Done
}

/// The values that the result of an effect shows: the number of the booking, the id of the mail.
pub(super) fn proofs(case: &Case<'_>, owed: &Owed) -> Rc<[String]> {
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()));
    let Some(end) = call.filter(|_| is_done(owed)).and_then(|call| call.end_at(case.before)) else { return Rc::default() };
    let marks = |shown: &str| {
        let shown = prefix(shown, INPUT_BYTES);
        values::marks(shown).map(str::to_owned).chain(values::requests(shown)).collect()
    };
    case.readings.marks(end.event, || marks(&case.texts.text(end.event)))
}

/// Whether a text shows a value that only the result of an effect does: then it knows that it happened.
pub(super) fn shows_proof(case: &Case<'_>, owed: &Owed, text: &str) -> bool {
    // "#12" stands for the number that a result shows, where the input does not have it.
    let number = |proof: &str| proof.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned();
    let is_request = |proof: &str| proof.contains([' ', '#', '!']);
    let is_new = |proof: &&String| {
        let own = if is_request(proof) { number(proof) } else { (*proof).clone() };
        !own.is_empty() && !owed.entry.text.contains(&own)
    };
    proofs(case, owed).iter().filter(is_new).any(|proof| calls(text, &[proof.as_str()]))
}

/// Whether a name is no word of the language: it has a digit or a mark in it.
pub(super) fn is_proper(name: &str) -> bool {
    name.contains(|c: char| !c.is_alphabetic())
}

/// Whether a clause says more than half of an action, or little else than it: "replied to all comments".
fn is_said(saying: &Saying<'_>) -> bool {
    saying.share > SAID || (saying.precision >= SAID && saying.shared >= 2)
}

/// The clauses that speak of an action in the words of its input: they have several of them, or few others and what was done.
pub(super) fn described<'c>(case: &'c Case<'_>, owed: &'c Owed) -> impl Iterator<Item = Saying<'c>> + 'c {
    const SHARED: usize = 3;
    let is_open = |saying: &Saying<'_>| saying.shared >= 2 && saying.sentence.words.doubt(case.phrasebook);
    let does = |saying: &Saying<'_>| saying.sentence.words.share_of(&owed.words) > 0.0;
    case.saying_of(&owed.input).filter(move |saying| {
        saying.shared >= SHARED || is_open(saying) || (saying.shared >= 2 && saying.precision >= SAID && does(saying))
    })
}

/// The clauses that tell of an action as its result and the agent did. What says that nobody knows needs fewer of their words, for
/// hardly anything else is told so.
fn retold<'c>(case: &'c Case<'_>, owed: &Owed) -> Vec<Saying<'c>> {
    const DOUBTED: f64 = 0.4;
    const TOLD: f64 = 0.6;
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()));
    let Some(call) = call else { return Vec::new() };
    let known = deeds::known(case, call);
    let known = known.all(case, call);
    // What was asked for before is what the action was for.
    let asked = |other: &Owed| {
        let asks = other.entry.kind.is_commitment() || other.entry.kind == EntryKind::Task;
        asks && other.entry.kind != EntryKind::Prohibition && other.entry.opened.event < call.event
    };
    let is_anothers =
        |saying: &Saying<'_>| case.owner(saying).is_some_and(|other| other.entry.id != owed.entry.id && !asked(other));
    let is_it = |saying: &Saying<'_>| {
        let told = saying.sentence.words.without_status(case.phrasebook);
        let share = known.share_of(&told);
        let is_doubted = saying.sentence.words.doubt(case.phrasebook) || case.status(saying.clause) == Some(Status::Unknown);
        told.len() >= 2 && share >= if is_doubted { DOUBTED } else { TOLD } && share * told.len() as f64 >= 2.0
    };
    let found = case.saying_of(known).filter(|saying| is_it(saying) && !is_anothers(saying));
    found.map(|saying| Saying { recall: SAID, share: SAID, ..saying }).collect()
}

/// Whether an effect shows no value of its own by which it could be known.
pub(super) fn is_nameless(case: &Case<'_>, owed: &Owed) -> bool {
    proofs(case, owed).is_empty()
}

/// The sentence before the line of code that quotes the command.
fn quoted<'c>(case: &'c Case<'_>, owed: &Owed) -> Option<Saying<'c>> {
    const LEAST: usize = 12;
    let call = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index()))?;
    let command = prefix(&call.label, QUOTED_BYTES).trim();
    if command.len() < LEAST {
        return None;
    }
    let sentences = case.page().sentences();
    let at = sentences.iter().position(|sentence| sentence.is_code && case.page().text_of(sentence).contains(command))?;
    let sentence = sentences.get(..at)?.iter().rev().find(|sentence| !sentence.is_code)?;
    let number = sentence.clauses.clone().next_back()?;
    let clause = case.page().clause_at(number)?;
    Some(Saying { number, clause, sentence, recall: SAID, precision: SAID, share: SAID, shared: 2 })
}

/// So much of a command must stand in code for it to be quoted.
const QUOTED_BYTES: usize = 40;

/// Whether a sentence says what was done, and does not only name what it was done to.
pub(super) fn does(case: &Case<'_>, owed: &Owed, sentence: &Sentence) -> bool {
    if owed.deed().is_empty() || sentence.words.share_of(owed.deed()) > 0.0 {
        return true;
    }
    let Some(call) = owed.entry.action.as_ref().and_then(|action| case.lane.calls.get(action.call?.index())) else { return false };
    let shown = format!("{} {} {}", call.tool, call.label, call.input).to_lowercase();
    let text = case.page().text_of(sentence).to_lowercase();
    case.wordings.named_in(&text).iter().any(|deed| !deed.vague && deed.is_shown_by(call, &shown))
}

/// Whether a sentence has a name that nothing else that is owed has: "INC-4471" is the name of all that was done about it.
pub(super) fn names_it_alone(case: &Case<'_>, owed: &Owed, names: &[String], saying: &Saying<'_>) -> bool {
    let text = case.page().text_of(saying.sentence);
    let is_shared = |name: &str| case.owed.iter().any(|other| other.entry.id != owed.entry.id && other.entry.text.contains(name));
    names.iter().any(|name| text.contains(name.as_str()) && !is_shared(name))
}

/// Whether a clause names what another action acted on or showed, and nothing that this one alone did: "the tag in
/// deploy/values.yaml is not committed" says nothing of the rollout.
pub(super) fn names_another(case: &Case<'_>, owed: &Owed, own: &[String], saying: &Saying<'_>) -> bool {
    let text = case.page().text_of_clause(saying.clause);
    let others = case.owed.iter().filter(|other| other.entry.id != owed.entry.id && !is_word(&other.entry));
    let mut others = others.map(|other| names(other, case.before));
    others.any(|theirs| {
        let only = |ones: &[String], others: &[String]| {
            let is_only = |name: &&String| is_proper(name) && !others.iter().any(|other| other.contains(name.as_str()));
            ones.iter().filter(is_only).any(|name| calls(text, &[name.as_str()]))
        };
        only(theirs, own) && !only(own, theirs)
    })
}

/// Whether a sentence says more of what another action did, and names what that acted on: "post the dry run on PR 318" is about the comment,
/// and not about the opening of the request.
pub(super) fn suits_another(case: &Case<'_>, owed: &Owed, sentence: &Sentence) -> bool {
    let text = case.page().text_of(sentence);
    let own = sentence.words.share_of(owed.deed());
    let is_one =
        |other: &Owed| other.entry.id != owed.entry.id && !is_word(&other.entry) && sentence.words.share_of(other.deed()) > own;
    let is_named = |other: &Owed| {
        let shown = proofs(case, other);
        let mut all = names(other, case.before).iter().chain(shown.iter());
        all.any(|name| is_proper(name) && calls(text, &[name.as_str()]))
    };
    case.owed.iter().any(|other| is_one(other) && is_named(other))
}

/// By what names an action may be called: what it acted on and what came of it, and the ends of both.
pub(super) fn names(owed: &Owed, at: EventIx) -> &[String] {
    owed.names.get_or_init(|| read_names(owed, at))
}

fn read_names(owed: &Owed, at: EventIx) -> Vec<String> {
    let action = owed.entry.action.as_ref();
    let target = action.and_then(|action| action.target.as_deref());
    let key = action.and_then(|action| action.key.as_deref());
    // The port of something that runs stands in many sentences that are not about it.
    let is_port = |name: &str| owed.entry.kind == EntryKind::Process && name.bytes().all(|byte| byte.is_ascii_digit());
    let input = values::marks(prefix(&owed.entry.text, INPUT_BYTES)).filter(|name| !is_port(name));
    let paths = values::paths(prefix(&owed.entry.text, INPUT_BYTES)).filter(|_| owed.entry.kind == EntryKind::Resource);
    let all = owed.entry.names_at(at).filter(|name| !is_port(name)).chain(target).chain(key).chain(input).chain(paths);
    let mut names: Vec<String> = Vec::new();
    for name in all {
        let name = name.trim_end_matches('/');
        let end = name.rsplit(['/', '\\']).next().unwrap_or(name);
        // The number of what an address leads to says which it is.
        let numbers = name.split('/').filter(|part| part.len() > SHORT && part.bytes().all(|byte| byte.is_ascii_digit()));
        for name in [name, end].into_iter().chain(numbers) {
            if name.len() >= SHORT && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        // A commit is called by the beginning of its hash.
        let is_hash = name.len() > 8 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        names.extend(name.get(..7).filter(|_| is_hash).map(str::to_owned));
    }
    names
}

/// Of an input so much is looked through for values by which it may be called.
const INPUT_BYTES: usize = 600;

/// Whether a text has one of some names.
fn calls(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| find_iter(text.as_bytes(), name.as_bytes()).any(|at| is_whole(text, at, name.len())))
}

/// Whether what stands at a place is no part of a longer word.
fn is_whole(text: &str, at: usize, len: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at + len..).and_then(|after| after.chars().next());
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    // "orders-api.yaml" is a file, and not what "orders-api" is.
    let goes_on =
        text.get(at + len..).is_some_and(|rest| rest.starts_with(['/', '.']) && rest.chars().nth(1).is_some_and(is_inner));
    !before.is_some_and(is_inner) && !after.is_some_and(is_inner) && !goes_on
}
