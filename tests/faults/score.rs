//! The score: per class and mutation, how often a fault was named, how much else was said, and whether its cost was found.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::case::{Case, Set, What};
use super::judge::{Found, Judge, Judgement};
use super::story::Story;
use super::style::STYLES;

/// Of so many, so many.
#[derive(Clone, Copy, Default)]
pub(crate) struct Share {
    pub(crate) of: u32,
    pub(crate) hit: u32,
}

/// What a row counts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    /// Faults named on the right entry; of them, those in wordings that are held out.
    pub(crate) named: Share,
    pub(crate) held: Share,
    /// And besides, those in wordings of another hand.
    pub(crate) fresh: Share,
    /// Costs that were found with their fault.
    pub(crate) cost: Share,
    /// Findings of weight on anything else.
    pub(crate) scatter: Share,
    /// Costs that were found where nothing had been done.
    pub(crate) idle: Share,
}

/// The whole table.
#[derive(Default)]
pub(crate) struct Score {
    /// By class that is to be named, mutation, and whether the fact was live or had been settled.
    pub(crate) rows: BTreeMap<(String, &'static str, bool), Row>,
    /// By class of cost.
    pub(crate) costs: BTreeMap<String, Share>,
    /// Findings of weight in faithful summaries, of so many summaries; and of so many live entries.
    pub(crate) alarms: Share,
    pub(crate) alarms_of_entries: Share,
    misses: Vec<String>,
    held_misses: Vec<String>,
    fresh_misses: Vec<String>,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.of += 1;
        self.hit += u32::from(hit);
    }

    fn add(&mut self, other: Self) {
        self.of += other.of;
        self.hit += other.hit;
    }

    fn word(self) -> String {
        if self.of == 0 { "-".to_owned() } else { format!("{:.2}", self.value()) }
    }

    pub(crate) fn value(self) -> f64 {
        f64::from(self.hit) / f64::from(self.of.max(1))
    }
}

/// What is judged.
pub(crate) struct Choice {
    /// Every fault in every style, and the misses of what is held out.
    pub(crate) all: bool,
    /// Only these mutations, if there are any.
    pub(crate) only: Vec<String>,
    /// The folder in which the sessions of the faithful summaries are kept, to be looked at.
    pub(crate) keep: Option<PathBuf>,
}

impl Choice {
    fn has(&self, mutation: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == mutation)
    }
}

impl Score {
    /// Judges all stories, on two threads. A wording is tried in two styles, and its cost in one; or in all of them.
    pub(crate) fn of(stories: &[Story], choice: &Choice) -> Self {
        let judge = &Judge::new();
        let half = stories.len().div_ceil(2);
        std::thread::scope(|scope| {
            let part = |part| scope.spawn(move || Self::of_some(part, judge, choice));
            let parts: Vec<_> = stories.chunks(half).map(part).collect();
            parts.into_iter().map(|part| part.join().unwrap()).reduce(Self::and).unwrap_or_default()
        })
    }

    fn of_some(stories: &[Story], judge: &Judge, choice: &Choice) -> Self {
        let mut score = Self::default();
        for story in stories {
            for (m, style) in STYLES.iter().enumerate() {
                let case = Case { story, style, what: What::Faithful };
                if let Some(folder) = &choice.keep {
                    std::fs::write(folder.join(format!("{}, {}.jsonl", story.name, style.name)), case.session().text()).unwrap();
                }
                let usual = score.faithful(&case, judge);
                score.faithful(&Case { story, style, what: What::Terse }, judge);
                let all = choice.all;
                for (n, injected) in story.injections().enumerate().filter(|(_, injected)| choice.has(injected.mutation.name)) {
                    if !all && !injected.wording.is_empty() && (m + n) % STYLES.len() > 1 {
                        continue;
                    }
                    score.faulty(&Case { story, style, what: What::Fault(injected) }, judge, &usual);
                    // What a loss costs hardly depends on how the summary was worded.
                    if injected.fault.cost.is_some() && (all || (m + n) % STYLES.len() == 0) {
                        score.faulty(&Case { story, style, what: What::Costly(injected) }, judge, &usual);
                    }
                }
            }
        }
        score
    }

    fn and(mut self, other: Self) -> Self {
        for (key, row) in other.rows {
            let own = self.rows.entry(key).or_default();
            for (own, other) in [
                (&mut own.named, row.named),
                (&mut own.held, row.held),
                (&mut own.fresh, row.fresh),
                (&mut own.cost, row.cost),
                (&mut own.scatter, row.scatter),
                (&mut own.idle, row.idle),
            ] {
                own.add(other);
            }
        }
        for (cost, share) in other.costs {
            self.costs.entry(cost).or_default().add(share);
        }
        self.alarms.add(other.alarms);
        self.alarms_of_entries.add(other.alarms_of_entries);
        self.misses.extend(other.misses);
        self.held_misses.extend(other.held_misses);
        self.fresh_misses.extend(other.fresh_misses);
        self
    }

    fn faithful(&mut self, case: &Case<'_>, judge: &Judge) -> Judgement {
        let judgement = judge.judge(&case.session());
        let alarms: Vec<&Found> = judgement.findings.iter().filter(|found| found.matters()).collect();
        self.alarms.of += 1;
        self.alarms.hit += alarms.len() as u32;
        self.alarms_of_entries.of += judgement.live as u32;
        self.alarms_of_entries.hit += alarms.len() as u32;
        self.misses.extend(alarms.iter().map(|found| format!("false alarm  {}\n      {}", case.name(), found.line())));
        judgement
    }

    /// `usual` is what is said of the faithful summary: that is no scatter of a fault.
    fn faulty(&mut self, case: &Case<'_>, judge: &Judge, usual: &Judgement) {
        let Some(injected) = &case.what.injected() else { return };
        let session = case.session();
        let judgement = judge.judge(&session);
        let accepts = injected.accepts();
        let (own, others): (Vec<&Found>, Vec<&Found>) =
            judgement.findings.iter().partition(|found| found.is_on(injected, &session));
        let right: Vec<&&Found> = own.iter().filter(|found| accepts.contains(&found.class())).collect();
        let costs: Vec<&str> = right.iter().flat_map(|found| found.costs()).collect();
        let cost_found = costs.iter().any(|cost| injected.fault.costs.iter().any(|wanted| wanted == cost));

        let row = self.rows.entry((accepts[0].to_owned(), injected.mutation.name, injected.fact.live)).or_default();
        let mut wrong = Vec::new();
        if let What::Costly(_) = case.what {
            if !injected.fault.costs.is_empty() {
                row.cost.count(cost_found);
                self.costs.entry(injected.fault.costs[0].clone()).or_default().count(cost_found);
                if !cost_found {
                    wrong.push("cost missed");
                }
            }
        } else {
            match injected.set {
                Set::Fresh => row.fresh.count(!right.is_empty()),
                set => {
                    row.named.count(!right.is_empty());
                    if set == Set::Held {
                        row.held.count(!right.is_empty());
                    }
                }
            }
            let is_usual = |found: &Found| usual.findings.iter().any(|other| other.says_as(found));
            let scatter = others.iter().filter(|found| found.matters() && !is_usual(found)).count();
            row.scatter.of += 1;
            row.scatter.hit += scatter as u32;
            // What is never done is not done in a story that just ends, either; and a result that comes late has no call.
            row.idle.count(costs.iter().any(|cost| !matches!(*cost, "never-performed" | "orphan")));
            if right.is_empty() {
                wrong.push("missed");
            }
            if scatter > 0 {
                wrong.push("scatter");
            }
        }
        for wrong in wrong {
            let lines = told(&judgement);
            let line = format!(
                "{wrong}  {}\n      {:?} should be {accepts:?} {:?}{lines}",
                case.name(),
                injected.wording,
                injected.fault.costs
            );
            match injected.set {
                Set::Open => self.misses.push(line),
                Set::Held => self.held_misses.push(line),
                Set::Fresh => self.fresh_misses.push(line),
            }
        }
    }

    /// By class, the faults that were named, of what was live.
    pub(crate) fn recall(&self) -> BTreeMap<String, Share> {
        let mut recall: BTreeMap<String, Share> = BTreeMap::new();
        for ((class, ..), row) in self.rows.iter().filter(|((.., live), _)| *live) {
            recall.entry(class.clone()).or_default().add(row.named);
        }
        recall
    }

    /// Of all faults, what was said of anything else.
    pub(crate) fn scatter(&self) -> Share {
        self.sum(|row| row.scatter)
    }

    /// Of all costs, those that were found.
    pub(crate) fn cost(&self) -> Share {
        self.sum(|row| row.cost)
    }

    fn sum(&self, of: impl Fn(&Row) -> Share) -> Share {
        let mut sum = Share::default();
        self.rows.values().for_each(|row| sum.add(of(row)));
        sum
    }

    /// What went wrong, one by one; in wordings that are held out, only if they are asked for.
    pub(crate) fn misses(&self, all: bool) -> String {
        let held = [&self.held_misses, &self.fresh_misses].into_iter().filter(|_| all).flatten();
        self.misses.iter().chain(held).map(|miss| format!("{miss}\n")).collect()
    }
}

fn told(judgement: &Judgement) -> String {
    judgement.findings.iter().map(|found| format!("\n      said: {}", found.line())).collect()
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [summaries, entries] = [self.alarms, self.alarms_of_entries].map(Share::value);
        writeln!(
            f,
            "false alarms: {} in {} faithful summaries ({summaries:.3} each, {entries:.4} an entry)",
            self.alarms.hit, self.alarms.of
        )?;
        writeln!(
            f,
            "{:26} {:10} {:>6} {:>7} {:>7} {:>7} {:>8} {:>7} {:>6}",
            "class", "mutation", "faults", "recall", "held", "fresh", "scatter", "cost", "idle"
        )?;
        for ((class, mutation, live), row) in &self.rows {
            let mutation = if *live { (*mutation).to_owned() } else { format!("{mutation}*") };
            let [named, held, fresh] = [row.named, row.held, row.fresh].map(Share::word);
            let [scatter, cost, idle] = [row.scatter, row.cost, row.idle].map(Share::word);
            let of = row.named.of;
            writeln!(f, "{class:26} {mutation:10} {of:6} {named:>7} {held:>7} {fresh:>7} {scatter:>8} {cost:>7} {idle:>6}")?;
        }
        writeln!(f, "* of what was settled before; all: scatter {:.2}, cost {:.2}\n", self.scatter().value(), self.cost().value())?;
        for (cost, share) in &self.costs {
            writeln!(f, "{cost:26} {:6} {:7.2}", share.of, share.value())?;
        }
        Ok(())
    }
}
