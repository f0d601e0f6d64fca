//! Scenarios of what a runtime wrote down itself, and of carriers that come back.

use crate::base::ids::EventIx;
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::{Entry, EntryStatus, HolderForm, Trust};
use crate::ledger::testing::{fold, record};
use crate::ledger::{Lane, testing};
use crate::transcript::Agent;

/// The entries of a key, by id.
fn of(lane: &LaneSnapshot, key: &str) -> Vec<Entry> {
    let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.key == key);
    all.map(|entry| (*entry).clone()).collect()
}

/// The entries of a key, as `kind status weight trust`.
fn told(lane: &LaneSnapshot, key: &str) -> Vec<String> {
    let end = lane.end().unwrap();
    let words = |entry: Entry| {
        let (status, weight, trust) = (entry.status().word(), entry.weight_at(end).word(), entry.trust_at(end).word());
        format!("{} {status} {weight} {trust}", entry.kind.word())
    };
    of(lane, key).into_iter().map(words).collect()
}

const NO_DROP: &str = r#"record {"do":"open","key":"no-drop","kind":"prohibition","text":"Do not drop columns of orders."}"#;

#[test]
fn a_record_opens_joins_and_closes() {
    let open = |key: &str, kind: &str, more: &str| {
        format!(r#"record {{"do":"open","key":"{key}","kind":"{kind}","text":"Work of {key}."{more}}}"#)
    };
    let close = |key: &str, more: &str| format!(r#"record {{"do":"close","key":"{key}"{more}}}"#);
    for (script, expected) in [
        (vec![open("k", "prohibition", "")], vec!["prohibition live repair explicit"]),
        (vec![open("k", "effect", "")], vec!["effect live barrier explicit"]),
        (vec![open("k", "effect", r#","effect":"not_started""#)], vec!["effect live repair explicit"]),
        (vec![open("k", "process", r#","colour":"repair""#)], vec!["process live repair explicit"]),
        (vec![open("k", "done", r#","effect":"committed""#)], vec!["done live repair explicit"]),
        (vec![open("k", "task", ""), open("k", "task", r#","progress":["half"]"#)], vec!["task live repair explicit"]),
        (vec![open("k", "task", ""), close("k", "")], vec!["task discharged repair explicit"]),
        (vec![open("k", "task", ""), close("k", r#","how":"abandoned""#)], vec!["task abandoned repair explicit"]),
        (vec![open("k", "effect", ""), close("k", r#","effect":"committed""#)], vec!["effect reconciled barrier explicit"]),
        // What has ended ends once, and a key that has ended may open again.
        (vec![open("k", "task", ""), close("k", ""), close("k", "")], vec!["task discharged repair explicit"]),
        (
            vec![open("k", "task", ""), close("k", ""), open("k", "task", "")],
            vec!["task discharged repair explicit", "task live repair explicit"],
        ),
        // The same key with other words: both stay, unless one takes the place of the other.
        (
            vec![open("k", "value", ""), open("k", "value", "").replace("Work", "Sum")],
            vec!["value live repair explicit", "value live repair explicit"],
        ),
        (
            vec![open("k", "value", ""), open("k", "value", r#","edges":[{"type":"supersedes","to":"k"}]"#).replace("Work", "Sum")],
            vec!["value superseded repair explicit", "value live repair explicit"],
        ),
        (
            vec![open("k", "value", ""), open("l", "value", r#","edges":[{"type":"supersedes","to":"k"}]"#)],
            vec!["value superseded repair explicit"],
        ),
    ] {
        let lane = fold(&format!("prompt Begin.\n{}", script.join("\n")));
        assert_eq!(told(&lane, "k"), expected, "{script:#?}");
    }
}

#[test]
fn an_entry_says_what_its_record_says() {
    let lane = fold(
        r#"prompt Pay the invoice.
           record {"do":"open","key":"pay-7","kind":"effect","text":"POST /payments {\"invoice\":7}","effect":"unknown","target":"/payments","idempotency_key":"inv-7","attempts":2,"progress":["reserved"],"preconditions":["the ledger is open"],"discharge":{"text":"GET /payments?invoice=7","needs":["inv-7"]}}"#,
    );
    let entry = of(&lane, "pay-7").remove(0);
    let action = entry.action.clone().unwrap();
    assert_eq!((action.target.as_deref(), action.key.as_deref(), action.attempts), (Some("/payments"), Some("inv-7"), 2));
    assert_eq!(action.effect.map(crate::ledger::effects::EffectStatus::word), Some("unknown"));
    assert_eq!(entry.progress_at(entry.known()).collect::<Vec<_>>(), ["reserved"]);
    assert_eq!(entry.preconditions, ["the ledger is open"]);
    assert_eq!((entry.discharge.text.as_str(), entry.discharge.check.word()), ("GET /payments?invoice=7", "reconciled"));
    assert_eq!((entry.opened.event, entry.opened.line, entry.scope.word()), (EventIx(0), 1, "action"));
}

#[test]
fn edges_find_their_other_end_before_and_after() {
    let lane = fold(
        r#"prompt Begin.
           step m1
           call c1 Bash {"command":"./build.sh"}
           record {"do":"open","key":"b","kind":"task","text":"Upload.","edges":[{"type":"depends_on_output","to":"call:c1"},{"type":"before","to":"z"}]}
           record {"do":"open","key":"z","kind":"task","text":"Announce."}"#,
    );
    let edges = of(&lane, "b").remove(0).edges;
    let to: Vec<String> = edges.iter().map(|edge| format!("{} {}", edge.kind.word(), lane.entry(edge.to).unwrap().key)).collect();
    assert_eq!(to, ["depends_on_output call:c1", "before z"]);
}

#[test]
fn a_record_that_says_what_was_inferred_vouches_for_it() {
    let words = "Do not drop columns of orders.";
    let inferred = fold(&format!("prompt {words}"));
    let key = of_words(&inferred, words).key;
    let lane = fold(&format!(
        "prompt {words}\nstep m1\nsay Right.\nrecord {{\"do\":\"open\",\"key\":\"{key}\",\"kind\":\"prohibition\",\"text\":\"{words}\"}}"
    ));
    assert_eq!(told(&lane, &key), ["prohibition live repair explicit"]);
    let entry = of_words(&lane, words);
    assert_eq!((entry.trust_at(EventIx(0)), entry.trust_at(EventIx(1))), (Trust::Inferred, Trust::Explicit));
}

fn of_words(lane: &LaneSnapshot, words: &str) -> Entry {
    let mut all = lane.entries_until(lane.end().unwrap());
    (*all.find(|entry| &*entry.text == words).unwrap()).clone()
}

#[test]
fn a_human_has_the_last_word_on_a_recorded_commitment() {
    let tag = r#"prompt <commitment key="no-drop" kind="prohibition">Columns may go, tables stay.</commitment>"#;
    let lane = fold(&format!("prompt Begin.\n{NO_DROP}\n{tag}"));
    assert_eq!(told(&lane, "no-drop"), ["prohibition superseded repair explicit", "prohibition live repair explicit"]);
    let lane = fold(&format!("prompt Begin.\n{NO_DROP}\nstep m1\nsay Done.\nprompt Never mind about dropping columns of orders."));
    assert_eq!(told(&lane, "no-drop"), ["prohibition revoked repair explicit"]);
}

#[test]
fn a_recorded_prohibition_guards_what_it_forbids() {
    let push = r#"{"command":"git push origin main"}"#;
    let no_push = r#"record {"do":"open","key":"no-push","kind":"prohibition","text":"Do not git push to origin main."}"#;
    let lane = fold(&format!("prompt Begin.\n{no_push}\nstep m1\ncall p Bash {push}\nresult p timeout"));
    let effect = lane.live_at(lane.end().unwrap()).into_iter().find(|entry| entry.kind.word() == "effect").unwrap();
    assert_eq!(effect.preconditions, ["Do not git push to origin main."]);
}

// --------------------------------------------------------------------------------------------------------------------------- calls

/// How the effects of a lane stand.
fn effects(lane: &LaneSnapshot) -> Vec<String> {
    let all = lane.entries_until(lane.end().unwrap()).filter(|entry| entry.kind.word() == "effect");
    all.map(|entry| {
        let as_what = entry.settled.and_then(|settled| settled.effect).map_or("-", |effect| effect.word());
        format!("{} {as_what}", entry.status().word())
    })
    .collect()
}

#[test]
fn a_runtime_says_what_a_call_did() {
    let call = r#"call c Bash {"command":"./migrate.sh orders --apply"}"#;
    let says = |effect: &str| format!(r#"record {{"do":"call","call":"c","effect":"{effect}"}}"#);
    for (script, expected) in [
        (format!("{call}\nresult c timeout"), vec!["live -"]),
        (format!("{call}\nresult c timeout\n{}", says("committed")), vec!["reconciled committed"]),
        (format!("{call}\nresult c timeout\n{}", says("not_started")), vec!["reconciled not_started"]),
        // It may be known before the result is there, or before the call's own record.
        (format!("{call}\n{}\nresult c timeout", says("committed")), vec![]),
        (format!("{}\n{call}\nresult c timeout", says("not_started")), vec![]),
        // What a result calls a success may be unknown to who runs it.
        (format!("{call}\nresult c ok\n{}", says("unknown")), vec!["live -"]),
        (format!("{call}\nresult c ok\n{}\n{}", says("unknown"), says("committed")), vec!["reconciled committed"]),
    ] {
        let lane = fold(&format!("prompt Begin.\nstep m1\n{script}"));
        assert_eq!(effects(&lane), expected, "{script}");
    }
}

#[test]
fn a_record_about_a_call_joins_what_is_known_of_it() {
    let push = r#"call c Bash {"command":"git push origin main"}"#;
    let open =
        r#"record {"do":"open","key":"push-1","kind":"effect","text":"git push","call":"c","discharge":{"text":"ask the forge"}}"#;
    let script = format!("prompt Begin.\nstep m1\n{push}\nresult c timeout\n{open}");
    let lane = fold(&script);
    assert_eq!(effects(&lane), ["live -"]);
    let effect = lane.live_at(EventIx(2)).into_iter().find(|entry| entry.kind.word() == "effect").unwrap();
    assert_eq!((effect.trust_at(EventIx(2)), effect.discharge_at(EventIx(2)).text.as_str()), (Trust::Explicit, "ask the forge"));
    assert_eq!(effect.discharge_at(EventIx(1)).text, effect.discharge.text);
    let close = r#"record {"do":"close","key":"push-1","effect":"not_started"}"#;
    assert_eq!(effects(&fold(&format!("{script}\n{close}"))), ["reconciled not_started"]);
}

#[test]
fn an_unknown_effect_that_a_record_closes_is_wondered_about_no_more() {
    let script = "prompt Begin.\nstep m1\ncall c Bash {\"command\":\"git push origin main\"}\nresult c timeout";
    let key = fold(script).live_at(EventIx(2)).into_iter().find(|entry| entry.kind.word() == "effect").unwrap().key.clone();
    let close = format!(r#"record {{"do":"close","key":"{key}","effect":"committed"}}"#);
    let look = "step m2\ncall d Bash {\"command\":\"git status\"}\nresult d ok up to date";
    let lane = fold(&format!("{script}\n{close}\n{look}"));
    assert_eq!(effects(&lane), ["reconciled committed"]);
    assert_eq!(of(&lane, &key)[0].history.len(), 2);
}

#[test]
fn an_idempotency_key_is_known_since_it_was_declared() {
    let says = r#"record {"do":"call","call":"c","idempotency_key":"k-1"}"#;
    let call = r#"call c Bash {"command":"./pay.sh 7"}"#;
    let key = |lane: &LaneSnapshot| lane.calls.get(0).unwrap().key.as_deref().map(str::to_owned);
    let before = fold(&format!("prompt Begin.\n{says}\nstep m1\n{call}"));
    let after = fold(&format!("prompt Begin.\nstep m1\n{call}\nsay Wait.\n{says}"));
    assert_eq!((key(&before), key(&after)), (Some("k-1".into()), Some("k-1".into())));
    assert_eq!((key(&before.as_of(EventIx(1))), key(&after.as_of(EventIx(1)))), (Some("k-1".into()), None));
}

#[test]
fn a_runtime_may_give_a_call_up() {
    let call = r#"call c Bash {"command":"./migrate.sh orders --apply"}"#;
    let close = r#"record {"do":"close","key":"call:c","how":"abandoned"}"#;
    let lane = fold(&format!("prompt Begin.\nstep m1\n{call}\n{close}"));
    assert!(lane.open_calls.is_empty());
    assert_eq!(effects(&lane), ["live -"]);
    let lane =
        fold(&format!("prompt Begin.\nstep m1\n{call}\n{}", close.replace(r#""how":"abandoned""#, r#""effect":"not_started""#)));
    assert_eq!((lane.open_calls.len(), effects(&lane).len()), (0, 0));
}

#[test]
fn a_record_about_nothing_says_so() {
    let mut lane = Lane::new("main", Agent("claude-code"), testing::rules());
    let close = r#"{"do":"close","key":"k"}"#;
    assert_eq!(record(&mut lane, close).unwrap_err().to_string(), "its lane has no event yet");
    testing::fold_into(&mut lane, "prompt Begin.");
    assert_eq!(record(&mut lane, close).unwrap_err().to_string(), "key: nothing live has the key `k`");
}

// ------------------------------------------------------------------------------------------------------------------------ carriers

fn carrier(key: &str, text: &str, more: &str) -> String {
    let text = serde_json::json!(text);
    format!(
        r#"{{"schema":"owed.carrier/1","entry":"e0","key":"{key}","kind":"prohibition","text":{text},"place":{{"line":1,"at":null}}{more}}}"#
    )
}

#[test]
fn a_carrier_that_comes_back_holds_its_entry() {
    let words = "Do not drop columns of orders.";
    let key = of_words(&fold(&format!("prompt {words}")), words).key;
    let held = |after: &str| {
        let lane = fold(&format!("prompt {words}\nstep m1\nsay Right.\nboundary\n{after}"));
        let end = lane.end().unwrap();
        let entry = of_words(&lane, words);
        assert_eq!(of(&lane, &key).len(), 1, "{after}");
        let forms: Vec<HolderForm> = lane.holders_at(&entry, end).map(|holder| holder.form).collect();
        (entry.lost_at(end).is_some(), forms)
    };
    let own = carrier(&key, words, "");
    assert_eq!(held("summary Work went on."), (true, vec![]));
    assert_eq!(held(&format!("summary Work went on.\ninjected Carried over: {own}")), (false, vec![HolderForm::Carrier]));
    assert_eq!(held(&format!("summary Work went on. {own}")), (false, vec![HolderForm::Verbatim, HolderForm::Carrier]));
    // Other words under its key are not what was said; what an agent says is no carrier.
    assert_eq!(held(&format!("summary Work.\ninjected {}", carrier(&key, "Columns were looked at.", ""))), (true, vec![]));
    assert_eq!(held(&format!("summary Work.\nstep m2\nsay {}", own.replace(words, "x"))), (true, vec![]));
    // Of a long text a carrier holds the beginning, and says where the rest is.
    let beginning = carrier(&key, "Do not drop", r#","pointer":{"start":0,"len":99}"#);
    assert_eq!(held(&format!("summary Work.\ninjected {beginning}")), (false, vec![HolderForm::Carrier]));
}

#[test]
fn a_carrier_of_another_file_opens_what_it_states() {
    let lane = fold(&format!("prompt Go on.\ninjected {}", carrier("no-drop", "Do not drop columns.", "")));
    assert_eq!(told(&lane, "no-drop"), ["prohibition live repair structured"]);
    // What has ended since is not brought back.
    let closed = r#"record {"do":"close","key":"no-drop","how":"revoked"}"#;
    let lane =
        fold(&format!("prompt Go on.\n{NO_DROP}\n{closed}\ninjected {}", carrier("no-drop", "Do not drop columns of orders.", "")));
    assert_eq!(told(&lane, "no-drop"), ["prohibition revoked repair explicit"]);
}

#[test]
fn a_carrier_in_tool_output_or_in_a_prompt_is_text() {
    let own = carrier("no-drop", "Do not drop columns.", "");
    let lane = fold(&format!("prompt Begin.\nstep m1\ncall c Read {{}}\nresult c ok {own}\nsay {own}\nprompt {own}"));
    assert!(of(&lane, "no-drop").is_empty());
    assert!(
        lane.live_at(lane.end().unwrap())
            .iter()
            .all(|entry| entry.status() == EntryStatus::Live && entry.rule != Entry::OF_CARRIER)
    );
}
