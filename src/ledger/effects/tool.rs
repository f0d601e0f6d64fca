//! The table of tools: each agent's own, and those that many have.
//!
//! A key is the tool's name. It may end with a condition on a field of the input: `NotebookEdit edit_mode=insert`, or `chars=` for
//! one that is empty or not there.

use std::collections::BTreeMap;

use super::data::{PlanShape, Row};
use super::input::Fields;
use super::rule::Rule;

/// The agent under which tools stand that many agents have.
const ANY: &str = "any";
/// The row of what is worth showing of a tool that nobody listed: no tool itself.
pub(super) const OTHER: &str = "*";

/// All tools, by agent and name.
#[derive(Debug, Default)]
pub(super) struct Tools {
    by_agent: BTreeMap<String, BTreeMap<String, Tool>>,
    /// The agent whose tools another one has too.
    kin: BTreeMap<String, String>,
}

#[derive(Debug)]
struct Tool {
    rule: Rule,
    conditions: Vec<Condition>,
}

#[derive(Debug)]
struct Condition {
    field: String,
    value: String,
    rule: Rule,
}

impl Tools {
    /// The tables of these rows; `kin` names the agents whose tools others have too. A condition stands behind the tool that it is about, whose key it begins with.
    pub(super) fn new(rows: BTreeMap<String, BTreeMap<String, Row>>, kin: BTreeMap<String, String>) -> Self {
        let mut by_agent = BTreeMap::new();
        for (agent, rows) in rows {
            let mut own: BTreeMap<String, Tool> = BTreeMap::new();
            for (key, Row(fields)) in rows {
                let place = format!("tool.{agent}.{key:?}");
                let condition = key.split_once(' ').and_then(|(name, condition)| Some((name, condition.trim().split_once('=')?)));
                match condition {
                    Some((name, (field, value))) => {
                        if let Some(tool) = own.get_mut(name) {
                            let rule = tool.rule.variant(place, fields);
                            tool.conditions.push(Condition { field: field.to_owned(), value: value.to_owned(), rule });
                        }
                    }
                    None => {
                        own.insert(key, Tool { rule: Rule::new(place, fields), conditions: Vec::new() });
                    }
                }
            }
            by_agent.insert(agent, own);
        }
        Self { by_agent, kin }
    }

    /// The row of a tool of this agent that is called with this input.
    pub(super) fn find(&self, agent: &str, name: &str, fields: &Fields<'_>) -> Option<&Rule> {
        let tool = self.tool(agent, name)?;
        let holds = |condition: &&Condition| fields.text(&condition.field).unwrap_or_default() == condition.value;
        Some(tool.conditions.iter().find(holds).map_or(&tool.rule, |condition| &condition.rule))
    }

    /// What the input of a tool of this agent says of a plan.
    pub(super) fn plan(&self, agent: &str, name: &str) -> Option<PlanShape> {
        self.tool(agent, name)?.rule.plan()
    }

    /// Whether an agent ends its turn with this tool.
    pub(super) fn is_last(&self, agent: &str, name: &str) -> bool {
        self.tool(agent, name).is_some_and(|tool| tool.rule.is_last())
    }

    fn tool(&self, agent: &str, name: &str) -> Option<&Tool> {
        let of = |agent: &str, name: &str| self.by_agent.get(agent)?.get(name);
        let kin = self.kin.get(agent).map_or(ANY, String::as_str);
        let find = |name: &str| [agent, kin, ANY].into_iter().find_map(|agent| of(agent, name));
        let found = find(name)?;
        Some(found.rule.like().and_then(find).unwrap_or(found))
    }

    /// Agent, name and row of every listed tool, in the order of their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str, &Rule)> {
        self.by_agent.iter().flat_map(move |(agent, tools)| {
            let listed = tools.iter().filter(|(name, _)| *name != OTHER);
            listed.map(move |(name, tool)| (agent.as_str(), name.as_str(), &self.tool(agent, name).unwrap_or(tool).rule))
        })
    }
}
