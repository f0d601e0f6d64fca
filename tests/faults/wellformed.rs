//! The kit itself: what it calls faithful is, and what it calls a fault is one, and only one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use owed::ledger::entry::Entry;

use super::case::{Case, What, shares};
use super::essays;
use super::judge::Judge;
use super::mutation::{How, MUTATIONS};
use super::story::{Fact, Kind, Story};
use super::style::STYLES;

fn faithful<'a>(story: &'a Story, style: &'static super::style::Style) -> Case<'a> {
    Case { story, style, what: What::Faithful }
}

#[test]
fn a_faithful_summary_tells_every_fact_in_every_style() {
    for story in Story::all() {
        for style in STYLES {
            let summary = faithful(&story, style).summary();
            for fact in story.facts.iter().filter(|fact| !fact.told.is_empty()) {
                let told = fact.told_in(style);
                assert!(summary.contains(&told), "{}, {}: {told:?} is not in\n{summary}", story.name, style.name);
            }
        }
    }
}

#[test]
fn a_fault_changes_its_own_fact_and_no_other() {
    for story in Story::all() {
        for style in STYLES {
            let right = faithful(&story, style).summary();
            for injected in story.injections() {
                let name = format!("{}: {} {} ({})", story.name, injected.mutation.name, injected.fact.id, style.name);
                let wrong = Case { story: &story, style, what: What::Fault(injected) }.summary();
                let omits = injected.mutation.how == How::Omit && injected.fact.kind != Kind::Binding;
                assert!(injected.fact.live || !omits, "{name}: what is settled may be left out");
                if injected.mutation.how != How::Mask {
                    assert_ne!(right, wrong, "{name} does nothing");
                }
                assert!(wrong.contains(injected.wording), "{name} does not say {:?}", injected.wording);
                assert_eq!(injected.fault.accepts.is_empty(), injected.fault.why.is_none(), "{name}: other classes need a reason");
                let others = story.facts.iter().filter(|fact| fact.id != injected.fact.id && !fact.told.is_empty());
                for other in others.map(|fact| fact.told_in(style)) {
                    let hit = injected.fault.from.as_deref().is_some_and(|from| other.contains(from));
                    assert!(hit || wrong.contains(&other), "{name} also touches {other:?}");
                }
                if injected.mutation.how == How::Respell {
                    assert!(right.contains(injected.fault.from.as_deref().unwrap()), "{name}: nothing to respell");
                } else if !injected.fact.told.is_empty() && injected.mutation.how != How::Mask {
                    assert!(!wrong.contains(&injected.fact.told_in(style)), "{name} still tells it rightly");
                }
            }
        }
    }
}

#[test]
fn every_mutation_has_wordings_enough_and_stories_enough() {
    let stories = Story::all();
    let mut wordings: BTreeMap<&str, BTreeSet<(&str, &str, &str)>> = BTreeMap::new();
    for story in &stories {
        for injected in story.injections() {
            wordings.entry(injected.mutation.name).or_default().insert((&story.name, &injected.fact.id, injected.wording));
        }
    }
    for mutation in MUTATIONS.iter().filter(|mutation| mutation.how != How::Mask) {
        let found = wordings.get(mutation.name).map_or(0, BTreeSet::len);
        assert!(found >= 4, "{}: {found} wordings", mutation.name);
    }
    let trades: BTreeSet<&str> = stories.iter().map(|story| story.trade.as_str()).collect();
    assert!(trades.len() >= 8 && stories.iter().any(|story| story.language != "en"));
}

/// Every live entry of a story belongs to a fact of it, or a faithful summary would not be one; and every fact that is live has an
/// entry, or nobody could miss it.
#[test]
fn facts_are_what_is_live_at_the_boundary() {
    let judge = Judge::new();
    let mut odd = Vec::new();
    for story in Story::all() {
        let session = faithful(&story, &STYLES[0]).session();
        let live = judge.live(&session);
        let owns = |fact: &Fact, (entry, lines): &(Arc<Entry>, Vec<u32>)| fact.owns(&session, lines, &entry.text);
        // What is owed because of a fact, what its label means, is told where the fact is.
        let is_told = |row: &&(Arc<Entry>, Vec<u32>)| {
            let mut told = story.facts.iter().flat_map(|fact| &fact.told).chain(&story.narrative);
            story.facts.iter().any(|fact| owns(fact, row)) || told.any(|told| shares(told, &row.0.text))
        };
        let untold = live.iter().filter(|row| !is_told(row));
        odd.extend(untold.map(|(entry, _)| format!("{}: no fact for {} {:?}", story.name, entry.kind.word(), entry.line_text)));
        let is_live = |fact: &&Fact| fact.live && !matches!(fact.kind, Kind::Settled | Kind::Nothing | Kind::Call | Kind::Binding);
        let bare = story.facts.iter().filter(is_live).filter(|fact| !live.iter().any(|row| owns(fact, row)));
        odd.extend(bare.map(|fact| format!("{}: no live entry for {}", story.name, fact.id)));
        let settled = story.facts.iter().filter(|fact| fact.kind == Kind::Settled || !fact.live);
        let held = settled.filter(|fact| live.iter().any(|row| owns(fact, row)));
        odd.extend(held.map(|fact| format!("{}: {} is not settled", story.name, fact.id)));
    }
    odd.extend(essays::without_entry(&judge));
    assert!(odd.is_empty(), "{odd:#?}");
}
