//! What is read, and what is told of what is not; that the schema for people says the same.

use serde_json::{Value, json};

use super::*;
use crate::ledger::entry::Scope;

fn told(text: &str) -> Result<Record, String> {
    read(serde_json::from_str(text).unwrap()).map_err(|mistake| mistake.to_string())
}

#[test]
fn a_line_opens_closes_or_declares() {
    let line = r#"{"schema":"owed.ledger/1","do":"open","key":"no-drop","kind":"prohibition","text":"Do not drop columns.",
        "scope":"standing","preconditions":["while reports-worker reads v1"],"edges":[{"type":"supersedes","to":"no-rename"}],
        "place":{"line":12,"at":"2026-05-04T09:02:11Z"}}"#;
    let record = told(line).unwrap();
    assert_eq!((record.lane.as_str(), record.anchor), ("main", Anchor::Line(12)));
    let Says::Open(opening) = record.says else { panic!("{record:?}") };
    assert_eq!((opening.key.as_str(), opening.kind, opening.scope), ("no-drop", EntryKind::Prohibition, Some(Scope::Standing)));
    assert_eq!(opening.edges, [(EdgeKind::Supersedes, "no-rename".to_owned())]);

    let line = r#"{"schema":"owed.ledger/1","do":"close","key":"pay-7","effect":"committed","lane":"a1","place":{"at":"2026-05-04T09:02:11Z"}}"#;
    let record = told(line).unwrap();
    assert_eq!((record.lane.as_str(), record.anchor), ("a1", Anchor::Time(Stamp(1_777_885_331_000))));
    let closing =
        Close { key: "pay-7".into(), how: EntryStatus::Reconciled, effect: Some(crate::ledger::effects::EffectStatus::Committed) };
    assert_eq!(record.says, Says::Close(closing));

    let line = r#"{"schema":"owed.ledger/1","do":"call","call":"toolu_1","idempotency_key":"k","place":{"line":3}}"#;
    assert!(matches!(told(line).unwrap().says, Says::Call(Declared { effect: None, .. })));
}

#[test]
fn a_mistake_is_told_with_its_field() {
    let open = |more: &str| {
        format!(r#"{{"schema":"owed.ledger/1","do":"open","key":"k","kind":"task","text":"t","place":{{"line":1}}{more}}}"#)
    };
    assert!(told(&open("")).is_ok());
    for (line, mistake) in [
        (r#"[]"#.to_owned(), "a record is an object, not this list"),
        (r#"{"do":"open"}"#.to_owned(), "schema: is missing"),
        (r#"{"schema":"owed.ledger/2"}"#.to_owned(), "schema: `owed.ledger/2` is none of owed.ledger/1, owed.carrier/1"),
        (r#"{"schema":"owed.ledger/1","do":"open","key":"k"}"#.to_owned(), "place: is missing: the line of the transcript"),
        (r#"{"schema":"owed.ledger/1","do":"open","place":{}}"#.to_owned(), "place: is missing: the line of the transcript"),
        (r#"{"schema":"owed.ledger/1","do":"end","place":{"line":1}}"#.to_owned(), "do: `end` is none of open, close, call"),
        (r#"{"schema":"owed.ledger/1","place":{"line":1}}"#.to_owned(), "do: is missing: open, close or call"),
        (open(r#","line":1"#), "line: nobody knows this field; there are schema, lane, place, do, key, kind"),
        (open(r#","scope":"forever""#), "scope: `forever` is none of standing, one-shot, action"),
        (open(r#","attempts":0"#), "attempts: must be a whole number from 1, not this number"),
        (open(r#","progress":"half""#), "progress: must be a list of texts, not a text"),
        (open(r#","action":"12""#), "action: must be 16 hexadecimal digits"),
        (open(r#","effect":"failed""#), "effect: `failed` is none of committed, not_started, unknown"),
        (open(r#","discharge":{"text":"x","chek":"done"}"#), "discharge.chek: nobody knows this field"),
        (open(r#","discharge":{"check":"done"}"#), "discharge.text: is missing"),
        (open(r#","edges":[{"type":"guards","to":"a"},{"type":"guards"}]"#), "edges.1.to: is missing"),
        (open(r#","pointer":{"start":1}"#), "pointer: nobody knows this field"),
        (open("").replace(r#""k""#, r#"" ""#), "key: must not be empty"),
        (open("").replace(r#""task""#, r#""todo""#), "kind: `todo` is none of call, effect, done"),
        (open("").replace(r#""line":1"#, r#""at":"soon""#), "place.at: `soon` is no RFC 3339 time"),
        (open("").replace(r#""line":1"#, r#""line":1,"event":2"#), "place.event: nobody knows this field; there are line, at"),
        (
            r#"{"schema":"owed.ledger/1","do":"close","key":"k","effect":"unknown","place":{"line":1}}"#.to_owned(),
            "effect: what is still unknown is not closed",
        ),
        (
            r#"{"schema":"owed.ledger/1","do":"close","key":"k","how":"live","place":{"line":1}}"#.to_owned(),
            "how: `live` is none of discharged, settled",
        ),
        (r#"{"schema":"owed.ledger/1","do":"call","call":"c","place":{"line":1}}"#.to_owned(), "says nothing of the call"),
    ] {
        let said = told(&line).unwrap_err();
        assert!(said.starts_with(mistake), "{line}\n  {said}\n  {mistake}");
    }
}

fn carrier(key: &str, more: &str) -> String {
    format!(
        r#"{{"schema":"owed.carrier/1","entry":"e4","key":"{key}","kind":"prohibition","text":"Never push.","place":{{"line":3,"at":null}},"pointer":null,"tokens":9{more}}}"#
    )
}

#[test]
fn carriers_are_found_wherever_they_stand() {
    let keys = |text: &str| carriers(text).into_iter().map(|opening| opening.key).collect::<Vec<_>>();
    let (a, b) = (carrier("a", ""), carrier("b", ""));
    let bare = b.replacen(r#""schema":"owed.carrier/1","#, "", 1);
    let pretty = a.replace("\"schema\":", "\n  \"schema\" : ").replace(',', ",\n  ");
    for (text, expected) in [
        (a.clone(), vec!["a"]),
        (format!("Before.\n```json\n{a}\n{b}\n```\nAfter."), vec!["a", "b"]),
        (format!("{a} {b}"), vec!["a", "b"]),
        (format!("```json\n{pretty}\n```"), vec!["a"]),
        (format!(r#"{{"schema": "owed.carrier/1", "carriers": [{bare}, {a}]}}"#), vec!["b", "a"]),
        (format!("{{\"note\":1}}\n{{\"carriers\":[{bare}],\"schema\":\"owed.carrier/1\"}}"), vec!["b"]),
        (format!("fn main() {{\n    {{ x }}\n}}\n  {b}"), vec!["b"]),
        // Cut, quoted as a text, of another schema, without words, a field that nobody knows: none of ours.
        (a[..a.len() - 4].to_owned(), vec![]),
        (format!("{} {b}", &a[..a.len() - 4]), vec!["b"]),
        (serde_json::to_string(&a).unwrap(), vec![]),
        (a.replace("carrier/1", "carrier/2"), vec![]),
        (r#"{"key":"a","schema":"owed.carrier/1"}"#.to_owned(), vec![]),
        (carrier("a", r#","mood":"good""#), vec![]),
        ("owed.carrier/1 \"owed.carrier/1\"".to_owned(), vec![]),
    ] {
        assert_eq!(keys(&text), expected, "{text}");
    }
    assert!(carriers(&carrier("a", "").replace(r#""pointer":null"#, r#""pointer":{"start":1,"len":2}"#))[0].is_part);
}

#[test]
fn a_carrier_with_a_mistake_in_it_is_told() {
    let (a, strange) = (carrier("a", ""), carrier("b", r#","mood":"good""#));
    let told = |text: &str| {
        let misread = read_carriers(text).misread.into_iter();
        misread.map(|misread| (misread.line, misread.mistake.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(told(&a), []);
    let [(3, mistake)] = &told(&format!("Carried:\n{a}\n{strange}\n"))[..] else { panic!("{strange}") };
    assert!(mistake.starts_with("mood"), "{mistake}");
    let cut = format!("{a}\n{}", &a[..a.len() - 4]);
    assert_eq!(told(&cut), [(2, "is no whole JSON object: it was cut or changed".to_owned())]);
}

#[test]
fn many_beginnings_of_carriers_cost_little() {
    for piece in [
        r#"{"schema":"owed.carrier/1","a":"#,
        r#"{"schema":"owed.carrier/1","a":["#,
        r#"{"schema":"owed.carrier/1""#,
        "{\n",
        "{\"a\":\n",
    ] {
        assert_eq!(carriers(&(piece.repeat(5_000) + "\"owed.carrier/1\"")), []);
    }
}

/// The names and words of the schema are those that are read: a field or a word of the one that the other does not know is a mistake
/// that nobody would be told.
#[test]
fn the_schema_says_what_is_read() {
    let schema: Value = serde_json::from_str(include_str!("../../../assets/ledger.schema.json")).unwrap();
    let defs = &schema["$defs"];
    let base = [("schema", json!(LEDGER)), ("place", json!({"line": 1}))];
    let probes = [
        ("open", json!({"do": "open", "key": "k", "kind": "task", "text": "t"})),
        ("close", json!({"do": "close", "key": "k"})),
        ("call", json!({"do": "call", "call": "c", "effect": "committed"})),
        ("carrier", json!({"schema": CARRIER, "key": "k", "kind": "task", "text": "t"})),
    ];
    for (name, probe) in probes {
        let of = |property: &str, value: Value| {
            let mut record = probe.as_object().unwrap().clone();
            for (key, value) in &base {
                record.entry((*key).to_owned()).or_insert_with(|| value.clone());
            }
            record.insert(property.to_owned(), value);
            read(Value::Object(record))
        };
        let Err(Mistake { message, .. }) = of("nobody", json!(1)) else { panic!("{name} is open") };
        let known: Vec<&str> = message.split_once("there are ").unwrap().1.split(", ").collect();
        let properties = defs[name]["properties"].as_object().unwrap();
        let described: Vec<&str> = properties.keys().map(String::as_str).collect();
        let sorted = |names: &[&str]| {
            let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(&known), sorted(&described), "{name}");
        assert_eq!(defs[name]["additionalProperties"], json!(false), "{name}");
        for (property, description) in properties {
            let own = description["$ref"].as_str().map_or(description, |path| &defs[path.rsplit('/').next().unwrap()]);
            assert!(description["description"].is_string() || own["description"].is_string(), "{name}.{property} is not described");
            for word in own["enum"].as_array().into_iter().flatten().filter(|word| !word.is_null()) {
                let read = of(property, word.clone());
                assert!(read.is_ok(), "{name}.{property} = {word}: {read:?}");
            }
        }
    }
    let words = |name: &str| defs[name]["enum"].as_array().unwrap().len();
    assert_eq!((words("kind"), words("effect")), (EntryKind::ALL.len(), 3 + 1));
}
