//! The hooks in an agent's settings file: added beside whatever is there, and taken out again. What is not ours stays as it was typed.

use indexmap::IndexMap;
use serde_json::value::RawValue;

/// What the hooks run.
const COMMAND: &str = "owed hook claude-code";

/// The events, each with what it is told for.
const EVENTS: [(&str, &str); 2] = [
    ("PreCompact", r#"{ "hooks": [{ "type": "command", "command": "owed hook claude-code", "timeout": 30 }] }"#),
    (
        "SessionStart",
        r#"{ "matcher": "compact", "hooks": [{ "type": "command", "command": "owed hook claude-code", "timeout": 30 }] }"#,
    ),
];

/// An object whose values stay as they were typed, in their order.
type Object = IndexMap<String, Box<RawValue>>;

/// The settings that a file without any would have.
///
/// # Errors
/// None that can happen.
pub fn snippet() -> Result<String, String> {
    Ok(added("")?.unwrap_or_default())
}

/// The settings with our hooks in them; none where they are there already. An empty text is a file without settings.
///
/// # Errors
/// The text is no settings file, or its hooks have another shape.
pub fn added(settings: &str) -> Result<Option<String>, String> {
    let mut all = read(settings)?;
    let mut hooks = hooks(&all)?;
    let mut changed = false;
    for (event, group) in EVENTS {
        let mut groups = groups(&hooks, event)?;
        if !groups.iter().any(|group| is_ours(group)) {
            groups.push(raw(group.to_owned())?);
            hooks.insert(event.to_owned(), list(&groups)?);
            changed = true;
        }
    }
    if !changed {
        return Ok(None);
    }
    all.insert("hooks".to_owned(), object(&hooks, 1)?);
    Ok(Some(written(&all)?))
}

/// The settings without our hooks; none where they are not there. What only held them goes with them.
///
/// # Errors
/// The text is no settings file, or its hooks have another shape.
pub fn removed(settings: &str) -> Result<Option<String>, String> {
    let mut all = read(settings)?;
    let mut hooks = hooks(&all)?;
    let mut changed = false;
    for (event, _) in EVENTS {
        let mut groups = groups(&hooks, event)?;
        let before = groups.len();
        groups.retain(|group| !is_ours(group));
        if groups.len() == before {
            continue;
        }
        changed = true;
        if groups.is_empty() {
            hooks.shift_remove(event);
        } else {
            hooks.insert(event.to_owned(), list(&groups)?);
        }
    }
    if !changed {
        return Ok(None);
    }
    if hooks.is_empty() {
        all.shift_remove("hooks");
    } else {
        all.insert("hooks".to_owned(), object(&hooks, 1)?);
    }
    Ok(Some(written(&all)?))
}

/// Whether a group of hooks is the one that we add: one with others in it is its owner's.
fn is_ours(group: &RawValue) -> bool {
    let Ok(group) = serde_json::from_str::<serde_json::Value>(group.get()) else { return false };
    let hooks = group.get("hooks").and_then(|hooks| hooks.as_array());
    let is_own = |hook: &serde_json::Value| hook.get("command").is_some_and(|command| command == COMMAND);
    hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(is_own))
}

fn read(settings: &str) -> Result<Object, String> {
    if settings.trim().is_empty() {
        return Ok(Object::new());
    }
    serde_json::from_str(settings).map_err(|error| format!("it is no JSON object: {error}"))
}

fn hooks(all: &Object) -> Result<Object, String> {
    let Some(hooks) = all.get("hooks") else { return Ok(Object::new()) };
    serde_json::from_str(hooks.get()).map_err(|_| "its `hooks` are no object".to_owned())
}

fn groups(hooks: &Object, event: &str) -> Result<Vec<Box<RawValue>>, String> {
    let Some(groups) = hooks.get(event) else { return Ok(Vec::new()) };
    serde_json::from_str(groups.get()).map_err(|_| format!("its `hooks.{event}` are no list"))
}

fn written(all: &Object) -> Result<String, String> {
    Ok(object(all, 0)?.get().to_owned() + "\n")
}

/// An object, two blanks a level.
fn object(fields: &Object, depth: usize) -> Result<Box<RawValue>, String> {
    if fields.is_empty() {
        return raw("{}".to_owned());
    }
    let indent = "  ".repeat(depth + 1);
    let field = |name: &str, value: &RawValue| format!("{indent}{}: {value}", serde_json::json!(name));
    let fields: Vec<String> = fields.iter().map(|(name, value)| field(name, value)).collect();
    raw(format!("{{\n{}\n{}}}", fields.join(",\n"), "  ".repeat(depth)))
}

/// A list of groups, one a line.
fn list(groups: &[Box<RawValue>]) -> Result<Box<RawValue>, String> {
    let groups: Vec<String> = groups.iter().map(|group| format!("      {group}")).collect();
    raw(format!("[\n{}\n    ]", groups.join(",\n")))
}

fn raw(text: String) -> Result<Box<RawValue>, String> {
    RawValue::from_string(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = r#"{
  "zeta": [1,  2],
  "model": "opus",
  "hooks": {
    "PreCompact": [
      { "matcher": "manual", "hooks": [{ "type": "command", "command": "mine.sh" }] }
    ],
    "Stop": [{"hooks": []}]
  },
  "alpha": "\u00e9"
}
"#;

    #[test]
    fn added_once_beside_what_is_there_and_taken_out_again() {
        for settings in ["", "{}", "{\n  \"model\": \"opus\"\n}\n", OWN] {
            let with = added(settings).unwrap().unwrap();
            let value: serde_json::Value = serde_json::from_str(&with).unwrap();
            for event in ["PreCompact", "SessionStart"] {
                let commands = value["hooks"][event].as_array().unwrap().iter().map(|group| &group["hooks"][0]["command"]);
                assert_eq!(commands.filter(|command| *command == COMMAND).count(), 1, "{with}");
            }
            assert_eq!(added(&with).unwrap(), None);
            let without = removed(&with).unwrap().unwrap();
            let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(if text.is_empty() { "{}" } else { text }).unwrap();
            assert_eq!(parsed(&without), parsed(settings));
            assert_eq!(removed(&without).unwrap(), None);
        }
        let with = added(OWN).unwrap().unwrap();
        assert!(
            with.starts_with("{\n  \"zeta\": [1,  2],\n  \"model\": \"opus\","),
            "what is not ours stays as it was typed: {with}"
        );
        assert!(with.contains(r#""alpha": "\u00e9""#) && with.contains(r#""Stop": [{"hooks": []}]"#));
        assert_eq!(removed(&with).unwrap().as_deref(), Some(OWN));
    }

    #[test]
    fn what_is_no_settings_file_is_left_alone() {
        for (settings, told) in [
            ("[]", "it is no JSON object"),
            ("{ // mine\n}", "it is no JSON object"),
            (r#"{"hooks": 1}"#, "its `hooks` are no object"),
            (r#"{"hooks": {"PreCompact": {}}}"#, "its `hooks.PreCompact` are no list"),
        ] {
            assert!(added(settings).unwrap_err().starts_with(told), "{settings}");
            assert!(removed(settings).unwrap_err().starts_with(told), "{settings}");
        }
    }
}
