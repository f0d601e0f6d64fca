//! What the tools that carry plans say: whole lists, new items, changed items, approved plans (DESIGN section 4, "Structured").
//!
//! Which tool says what stands in `assets/effects.toml` (`plan`). Agents name the fields of one shape in their own ways.

use serde_json::Value;

use crate::ledger::effects::PlanShape;

/// What a call that succeeded did to a plan.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// This is the plan now.
    List(Vec<Item>),
    /// One item more.
    New(Item),
    /// An item is changed.
    Changed(Changed),
    /// A human approved this plan.
    Approved(String),
}

/// One item as a record tells it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The runtime's id, where it is one that is not used again.
    pub(super) id: Option<String>,
    pub(super) text: String,
    pub(super) state: State,
}

/// A change of one item.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) id: String,
    pub(super) text: Option<String>,
    pub(super) state: Option<State>,
    /// The items that must be done before it, and those that must wait for it.
    pub(super) after: Vec<String>,
    pub(super) before: Vec<String>,
}

/// Where an item stands, by its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// To be done.
    Open,
    /// Being done.
    Begun,
    /// Marked done.
    Done,
    /// Given up.
    Dropped,
}

/// Reads the exact input of a call of this shape, and its result. None where it says nothing of a plan.
pub(super) fn read(shape: PlanShape, input: &str, result: &str) -> Option<Told> {
    let value: Value = serde_json::from_str(input).ok()?;
    match shape {
        PlanShape::List => list(&value).map(Told::List),
        PlanShape::Item => {
            let id = result.split_once('#').map(|(_, rest)| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
            let id = id.filter(|id| !id.is_empty()).map(str::to_owned);
            item(&value).map(|item| Told::New(Item { id, ..item }))
        }
        PlanShape::Change => Some(Told::Changed(Changed {
            id: one_of(&value, &["taskId", "task_id", "id"])?,
            text: words(&value),
            state: value.get("status").and_then(Value::as_str).map(state),
            after: ids(&value, "addBlockedBy"),
            before: ids(&value, "addBlocks"),
        })),
        PlanShape::Approval => {
            let told = result.split_once("## Approved Plan").and_then(|(_, plan)| plan.split_once('\n')).map(|(_, plan)| plan);
            let plan = one_of(&value, &["plan"]).or_else(|| told.map(|plan| plan.trim().to_owned()))?;
            Some(Told::Approved(plan)).filter(|_| !result.is_empty())
        }
    }
}

/// The items of a list; an empty list is a plan that was cleared. Some models write the list as a text, some agents as boxes to tick.
fn list(value: &Value) -> Option<Vec<Item>> {
    let list = ["todos", "plan", "items", "tasks"].iter().find_map(|name| value.get(name))?;
    let Some(text) = list.as_str() else { return items(list) };
    match serde_json::from_str(text) {
        Ok(inner) => items(&inner),
        Err(_) => boxes(text),
    }
}

fn items(list: &Value) -> Option<Vec<Item>> {
    Some(list.as_array()?.iter().filter_map(item).collect())
}

/// The items of a list of boxes, one a line: `[x] done`, `[-] being done`, `- [ ] to be done`. None where there is none.
fn boxes(text: &str) -> Option<Vec<Item>> {
    let item = |line: &str| {
        let (mark, text) = line.trim_start().trim_start_matches(['-', '*', '+']).trim_start().strip_prefix('[')?.split_once(']')?;
        let state = match mark {
            "x" | "X" | "✓" => State::Done,
            " " | "" => State::Open,
            "-" | "~" | "/" | ">" => State::Begun,
            _ => return None,
        };
        Some(text.trim().to_owned()).filter(|text| !text.is_empty()).map(|text| Item { id: None, text, state })
    };
    Some(text.lines().filter_map(item).collect()).filter(|items: &Vec<Item>| !items.is_empty())
}

fn item(value: &Value) -> Option<Item> {
    let state = value.get("status").and_then(Value::as_str).map_or(State::Open, state);
    Some(Item { id: None, text: words(value)?, state })
}

/// What an item says that is to be done.
fn words(value: &Value) -> Option<String> {
    one_of(value, &["content", "step", "subject", "title", "text", "description"])
}

fn state(word: &str) -> State {
    match word {
        "completed" | "complete" | "done" => State::Done,
        "deleted" | "cancelled" | "canceled" | "skipped" => State::Dropped,
        "in_progress" | "in-progress" | "inProgress" => State::Begun,
        _ => State::Open,
    }
}

fn one_of(value: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| text(value.get(name)?))
}

fn ids(value: &Value, name: &str) -> Vec<String> {
    value.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(text).collect()
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(shape: PlanShape, input: &str, result: &str) -> String {
        match read(shape, input, result) {
            None => "nothing".to_owned(),
            Some(Told::List(items)) => items.iter().map(|item| format!("[{:?} {}]", item.state, item.text)).collect(),
            Some(Told::New(item)) => format!("{:?} {:?} {}", item.id, item.state, item.text),
            Some(Told::Changed(Changed { id, text, state, after, before })) => {
                format!("{id} {text:?} {state:?} after {after:?} before {before:?}")
            }
            Some(Told::Approved(plan)) => plan,
        }
    }

    #[test]
    fn plans_of_all_shapes() {
        use PlanShape::{Approval, Change, Item, List};
        for (shape, input, result, expected) in [
            (
                List,
                r#"{"todos":[{"content":"Fix it","status":"in_progress","activeForm":"Fixing it"},{"content":"Test","status":"completed"}]}"#,
                "ok",
                "[Begun Fix it][Done Test]",
            ),
            (List, r#"{"explanation":"why","plan":[{"step":"Fix it","status":"pending"}]}"#, "ok", "[Open Fix it]"),
            (List, r#"{"todos":"[{\"content\":\"Fix it\",\"status\":\"cancelled\"}]"}"#, "ok", "[Dropped Fix it]"),
            (
                List,
                r#"{"todos":"[x] Look\n[-] **Fix** it\n- [ ] Test\nby Friday"}"#,
                "ok",
                "[Done Look][Begun **Fix** it][Open Test]",
            ),
            (List, r#"{"todos":"nothing to do"}"#, "ok", "nothing"),
            (List, r#"{"todos":[]}"#, "ok", ""),
            (List, r#"{"todos":7}"#, "ok", "nothing"),
            (List, "torn {", "ok", "nothing"),
            (
                Item,
                r#"{"subject":"Fix it","description":"all of it"}"#,
                "Task #12 created successfully: Fix it",
                r#"Some("12") Open Fix it"#,
            ),
            (Item, r#"{"subject":"Fix it"}"#, "", "None Open Fix it"),
            (Change, r#"{"taskId":"3","status":"completed"}"#, "ok", "3 None Some(Done) after [] before []"),
            (Change, r#"{"taskId":3,"addBlockedBy":["1",2]}"#, "ok", r#"3 None None after ["1", "2"] before []"#),
            (Change, r#"{"status":"completed"}"#, "ok", "nothing"),
            (Approval, r##"{"plan":"# Add a lock"}"##, "User has approved your plan.", "# Add a lock"),
            (Approval, "{}", "User has approved.\n\n## Approved Plan (edited by user):\n# Add a lock\n", "# Add a lock"),
            (Approval, "{}", "Exit plan mode?", "nothing"),
        ] {
            assert_eq!(told(shape, input, result), expected, "{input}");
        }
    }
}
