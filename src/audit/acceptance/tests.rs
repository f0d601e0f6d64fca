//! What is accepted, and what is not.

use super::{Acceptance, Next, Proposal, accept};
use crate::base::ids::EventIx;
use crate::compaction::{Ask, Models, Policies, Strictness, Urgency, judge};
use crate::ledger::record::carriers;
use crate::ledger::testing::{fold, payloads, rules};

const SESSION: &str = r#"
    prompt Never push to main. The export must use port 8443.
    step m1
    call c1 Bash {"command":"./migrate.sh orders --apply"}
    result c1 timeout
"#;

/// A quarter of what the session comes to.
const TIGHT: Option<u64> = Some(20);

fn asked(script: &str, summary: &str, carried: &str, budget: Option<u64>) -> Acceptance {
    let (lane, payloads, policies) = (fold(script), payloads(script), Policies::load(&[]).unwrap());
    let texts = |event: EventIx| payloads.get(event.index()).cloned();
    let ask = Ask {
        at: None,
        policy: policies.of_agent("claude-code").unwrap(),
        window: Models::load(None).unwrap().window_for(None, None, None),
        budget,
        cut: None,
        strictness: Strictness::Normal,
        urgency: Urgency::Measured,
    };
    let carried = carriers(carried);
    let proposal = Proposal { summary, carriers: &carried, strictness: Strictness::Normal };
    accept(&lane, &texts, &rules(), &judge(&lane, &ask), &proposal)
}

/// The beginnings of the keys, up to the hash.
fn keys<'a>(all: impl IntoIterator<Item = &'a String>) -> Vec<String> {
    all.into_iter().map(|key| key.split('~').next().unwrap_or_default().to_owned()).collect()
}

fn missing(acceptance: &Acceptance) -> Vec<String> {
    keys(acceptance.missing.iter().map(|one| &one.entry.key))
}

fn altered(acceptance: &Acceptance) -> Vec<(String, &'static str)> {
    let keys = keys(acceptance.altered.iter().map(|one| &one.entry.key));
    keys.into_iter().zip(acceptance.altered.iter().map(|one| one.why.word())).collect()
}

#[test]
fn only_the_exact_words_hold() {
    const RULE: &str = "prompt Never push to main.\nstep m1\nsay ok";
    let exact = asked(RULE, "What was said: - never push to  `main`.", "", None);
    assert!(exact.is_accepted() && exact.next.is_none(), "{exact:?}");
    let restated = asked(RULE, "The user does not want anything pushed to main.", "", None);
    assert_eq!(missing(&restated), ["prohibition:never-push-to-main"]);
    assert_eq!(missing(&asked(RULE, "The work went on.", "", None)), ["prohibition:never-push-to-main"]);
    // A word in the middle of another one is none.
    let short = asked("prompt Use tabs\nstep m1\nsay ok", "Reuse tabstops.", "", None);
    assert_eq!(short.missing.len(), 1, "{short:?}");
}

#[test]
fn what_is_said_otherwise_is_altered() {
    let negated = asked("prompt Do not drop columns of orders.\nstep m1\nsay ok", "Drop columns of orders.", "", None);
    assert_eq!(altered(&negated), [("prohibition:do-not-drop-columns-of".to_owned(), "negation-loss")]);
    let told = asked(SESSION, "./migrate.sh orders --apply was run and succeeded.", "", None);
    assert_eq!(altered(&told), [("effect:./migrate.sh orders".to_owned(), "ambiguous-outcome-erasure")]);
}

#[test]
fn a_carrier_holds_what_it_says_as_it_is() {
    let lane = fold(SESSION);
    let port = lane.live_at(lane.end().unwrap()).into_iter().find(|entry| entry.text.contains("8443")).unwrap();
    let carrier = |key: &str, text: &str| {
        format!(r#"{{"schema":"owed.carrier/1","key":"{key}","kind":"{}","text":"{text}"}}"#, port.kind.word())
    };
    let held = asked(SESSION, "The work went on.", &carrier(&port.key, &port.text), None);
    assert!(!missing(&held).iter().any(|key| port.key.starts_with(key.as_str())), "{held:?}");
    let other = asked(SESSION, &port.text, &carrier(&port.key, "The export must use port 9443."), None);
    assert!(altered(&other).iter().any(|(key, why)| port.key.starts_with(key.as_str()) && *why == "carried-otherwise"));
    let strange = asked(SESSION, &port.text, &carrier("nobody-gave-this", "Push at noon."), None);
    assert_eq!(strange.added.iter().map(|one| one.key.as_str()).collect::<Vec<_>>(), ["nobody-gave-this"]);
    assert_eq!(strange.next, Some(Next::Surface));
}

#[test]
fn what_nobody_gave_is_added() {
    let made_up = asked(SESSION, "## Constraints\n- Never edit the vendored libraries.\n", "", None);
    assert_eq!(keys(made_up.added.iter().map(|one| &one.key)), ["prohibition:never-edit-the-vendored-libraries"]);
    assert_eq!(made_up.added[0].says.line, 2);
}

#[test]
fn what_to_do_next_is_the_least_that_helps() {
    assert_eq!(asked(SESSION, "The work went on.", "", None).next, Some(Next::WriteCarriers));
    assert_eq!(asked(SESSION, "The work went on.", "", TIGHT).next, Some(Next::Surface));
    let talk = "say The files are here and there, and this is what each of them is for, at some length. ".repeat(40);
    let late = format!("prompt Hello.\nstep m1\n{talk}\nprompt Never push. Never merge. Never rebase.\nstep m2\nsay ok");
    let tokens = fold(&late).context_tokens_at(fold(&late).end().unwrap()).tokens;
    // The more room there is, the more will do: the rule alone, a carrier of it.
    let rooms = (0..60).map(|n| tokens.saturating_sub(1_200 - 20 * n).max(1));
    let mut found: Vec<Next> = rooms.filter_map(|room| asked(&late, "Hello. Files.", "", Some(room)).next).collect();
    found.dedup();
    assert_eq!(found, [Next::Surface, Next::StricterCut, Next::WriteCarriers]);
}

#[test]
fn a_session_without_events_owes_nothing() {
    assert!(asked("", "Anything.", "", None).is_accepted());
}
