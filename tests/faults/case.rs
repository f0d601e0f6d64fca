//! Cases: one story, one style, one fault or none, one way to go on; and the session that comes of them.

use std::collections::BTreeSet;

use super::mutation::{How, Mutation};
use super::script::{Step, Verb, steps};
use super::session::{Agent, Session};
use super::story::{Fact, Fault, Kind, Story};
use super::style::{Style, Telling, Told, Wording};

/// One fault in one wording.
#[derive(Clone, Copy)]
pub(crate) struct Injected<'a> {
    pub(crate) fact: &'a Fact,
    pub(crate) fault: &'a Fault,
    pub(crate) mutation: &'static Mutation,
    pub(crate) wording: &'a str,
    pub(crate) set: Set,
}

/// Who may look at what becomes of a wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// Everybody.
    Open,
    /// Held out: its misses are printed only if they are asked for.
    Held,
    /// Held out, and by another hand (`fresh.toml`): scored by itself.
    Fresh,
}

/// One session to be judged.
pub(crate) struct Case<'a> {
    pub(crate) story: &'a Story,
    pub(crate) style: &'static Style,
    pub(crate) what: What<'a>,
}

/// What its summary does, and how it goes on.
#[derive(Clone, Copy)]
pub(crate) enum What<'a> {
    /// Tells everything.
    Faithful,
    /// Leaves out what it may: what was settled, what stays in the context anyway, what nobody needs.
    Terse,
    /// Goes wrong, and nothing happens.
    Fault(Injected<'a>),
    /// Goes wrong, and it costs something.
    Costly(Injected<'a>),
}

impl<'a> What<'a> {
    pub(crate) fn injected(self) -> Option<Injected<'a>> {
        match self {
            Self::Faithful | Self::Terse => None,
            Self::Fault(injected) | Self::Costly(injected) => Some(injected),
        }
    }
}

impl Story {
    /// Every fault of it, in every wording, those of the other hand last.
    pub(crate) fn injections(&self) -> impl Iterator<Item = Injected<'_>> {
        let faults = || self.facts.iter().flat_map(|fact| fact.faults.iter().map(move |fault| (fact, fault)));
        faults().flat_map(|(fact, fault)| injections(fact, fault)).chain(faults().flat_map(|(fact, fault)| fresh(fact, fault)))
    }

    pub(crate) fn telling(&self, style: &Style) -> Telling {
        let facts = self.facts.iter().filter(|fact| !fact.told.is_empty());
        let prompts = steps(&self.before).into_iter().filter(|step| step.verb == Verb::Prompt);
        Telling {
            facts: facts.map(|fact| Told { fact: fact.id.clone(), kind: fact.kind, text: fact.told_in(style) }).collect(),
            narrative: self.narrative.clone(),
            prompts: prompts.map(|step| step.text).collect(),
        }
    }
}

fn injections<'a>(fact: &'a Fact, fault: &'a Fault) -> impl Iterator<Item = Injected<'a>> {
    let mutation = Mutation::named(&fault.mutation);
    // To say nothing is a wording too.
    let silent = matches!(mutation.how, How::Omit | How::Sever | How::Lose | How::Mask).then_some(("", Set::Open));
    let open = fault.open.iter().map(|wording| (wording.as_str(), Set::Open));
    let held = fault.held.iter().map(|wording| (wording.as_str(), Set::Held));
    silent.into_iter().chain(open).chain(held).map(move |(wording, set)| Injected { fact, fault, mutation, wording, set })
}

fn fresh<'a>(fact: &'a Fact, fault: &'a Fault) -> impl Iterator<Item = Injected<'a>> {
    let mutation = Mutation::named(&fault.mutation);
    fault.fresh.iter().map(move |wording| Injected { fact, fault, mutation, wording, set: Set::Fresh })
}

impl Fact {
    /// Whether a summary must tell it.
    fn is_needed(&self, agent: Agent) -> bool {
        let stays = agent == Agent::Codex && self.at.iter().any(|id| id.starts_with('p'));
        self.live && self.kind != Kind::Settled && !stays
    }

    pub(crate) fn told_in(&self, style: &Style) -> String {
        match (style.wording, &self.said) {
            // To quote an order that was carried out would not tell that it was.
            (Wording::Quoted, Some(said)) if self.kind != Kind::Done => {
                let who = if self.at[0].starts_with('p') { "The user" } else { "I" };
                format!("{who} said: \"{said}\"")
            }
            (Wording::Quoted, _) => self.told[0].clone(),
            (Wording::Restated(n), _) => self.told[n % self.told.len()].clone(),
        }
    }
}

impl Fact {
    /// Whether an entry with this text, seen on these lines, is this fact's.
    pub(crate) fn owns(&self, session: &Session, lines: &[u32], text: &str) -> bool {
        let here = self.at.iter().flat_map(|id| session.lines_of(id)).any(|line| lines.contains(line));
        here && self.said.as_deref().is_none_or(|said| shares(said, text))
    }
}

/// Whether half of the words of the shorter stand in the other.
pub(crate) fn shares(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase).collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.len().min(other.len()).max(1)
}

impl Injected<'_> {
    pub(crate) fn accepts(&self) -> Vec<&str> {
        match self.fault.accepts.as_slice() {
            [] => (self.mutation.accepts)(self.fact.kind).to_vec(),
            own => own.iter().map(String::as_str).collect(),
        }
    }

    /// How it goes on: with the wrong value, and with the number in it.
    fn cost(&self) -> Option<String> {
        let number: String = self.wording.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        self.fault.cost.as_ref().map(|cost| cost.replace("<wrong>", self.wording).replace("<number>", &number))
    }

    fn on(&self, telling: &mut Telling) {
        match self.mutation.how {
            How::Omit | How::Sever | How::Reword => {
                for told in telling.facts.iter_mut().filter(|told| told.fact == self.fact.id) {
                    told.text = self.wording.to_owned();
                }
                self.add_unless_told(telling);
                self.unquote(telling);
            }
            How::Respell => {
                let from = self.fault.from.as_deref().unwrap();
                let texts = telling.facts.iter_mut().map(|told| &mut told.text);
                for text in texts.chain(&mut telling.narrative).chain(&mut telling.prompts) {
                    *text = text.replace(from, self.wording);
                }
            }
            How::Add => self.add_unless_told(telling),
            How::Lose => {
                telling.facts.retain(|told| told.fact != self.fact.id);
                // It is the last one.
                _ = telling.prompts.pop();
            }
            How::Mask => {}
        }
        telling.facts.retain(|told| !told.text.is_empty());
    }

    fn add_unless_told(&self, telling: &mut Telling) {
        if !telling.facts.iter().any(|told| told.fact == self.fact.id) {
            let (fact, text) = (self.fact.id.clone(), self.wording.to_owned());
            telling.facts.push(Told { fact, kind: self.fact.kind, text });
        }
    }

    /// A summary that gets a fact wrong does not quote it rightly elsewhere.
    fn unquote(&self, telling: &mut Telling) {
        let Some(said) = &self.fact.said else { return };
        for prompt in &mut telling.prompts {
            *prompt = prompt.replace(said, "").trim().to_owned();
        }
        telling.prompts.retain(|prompt| !prompt.is_empty());
    }
}

impl Case<'_> {
    pub(crate) fn summary(&self) -> String {
        let mut telling = self.story.telling(self.style);
        match self.what {
            What::Faithful => {}
            What::Terse => {
                telling.narrative.clear();
                let needed =
                    |told: &Told| self.story.facts.iter().any(|fact| fact.id == told.fact && fact.is_needed(self.story.agent));
                telling.facts.retain(needed);
            }
            What::Fault(injected) | What::Costly(injected) => injected.on(&mut telling),
        }
        (self.style.lay_out)(&telling)
    }

    pub(crate) fn session(&self) -> Session {
        let (mut before, mut after) = (steps(&self.story.before), Vec::new());
        let injected = self.what.injected();
        let how = injected.map(|injected| injected.mutation.how);
        let calls = injected.map_or(&[][..], |injected| &injected.fact.at);
        if how == Some(How::Sever) {
            let is_result = |step: &Step| matches!(step.verb, Verb::Ok | Verb::Error) && calls.contains(&step.id);
            after.extend(before.extract_if(.., |step| is_result(step)));
        }
        let cost = match self.what {
            What::Costly(injected) => injected.cost(),
            _ => None,
        };
        after.extend(steps(cost.as_ref().unwrap_or(&self.story.harmless)));
        let mut session = Session::of(self.story.agent);
        session.play(&before);
        if how == Some(How::Mask) {
            session.mask(calls);
        } else {
            session.compact(&self.summary());
        }
        session.play(&after);
        session
    }

    pub(crate) fn name(&self) -> String {
        let of = |injected: Injected<'_>| format!("{} {}", injected.mutation.name, injected.fact.id);
        let what = match self.what {
            What::Faithful => "faithful".to_owned(),
            What::Terse => "terse".to_owned(),
            What::Fault(injected) => of(injected),
            What::Costly(injected) => format!("{}, costly", of(injected)),
        };
        format!("{}: {what} ({})", self.story.name, self.style.name)
    }
}
