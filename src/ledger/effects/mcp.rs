//! Tools of MCP servers, and any other tool that is not listed: what their names say. Always inferred.
//!
//! Claude Code names them `mcp__server__tool`, Codex `server__tool`.

use std::collections::BTreeMap;

use super::class::Class;
use super::data::Row;
use super::rule::Rule;

/// What the verbs in tools' names say, and which servers act on this machine only.
#[derive(Debug, Default)]
pub(super) struct Verbs {
    verbs: BTreeMap<String, Rule>,
    servers: BTreeMap<String, Class>,
}

/// What a tool's name says.
#[derive(Debug)]
pub(super) struct Guess<'v> {
    /// The row of its verb.
    pub(super) rule: Option<&'v Rule>,
    /// Its class: what the verb says, at most what the server can do; `external` where nothing is known of a server's tool.
    pub(super) class: Class,
    /// The tool's own name, without its server's.
    pub(super) name: String,
}

impl Verbs {
    pub(super) fn new(verbs: BTreeMap<String, Row>, servers: BTreeMap<String, Class>) -> Self {
        let verbs = verbs.into_iter().map(|(verb, row)| (verb.clone(), Rule::new(format!("verb.{verb}"), row.0))).collect();
        Self { verbs, servers }
    }

    /// What the name of a tool says that is not listed.
    pub(super) fn guess(&self, tool: &str) -> Guess<'_> {
        let path = tool.strip_prefix("mcp__").unwrap_or(tool);
        let (server, own) = match path.split_once("__") {
            Some((server, own)) => (Some(server), own),
            None => (None, path),
        };
        let rule = self.of_name(own);
        let most = server.and_then(|server| self.most(server));
        let class = match (rule, server, most) {
            (Some(rule), _, None) => rule.class(),
            (Some(rule), _, Some(most)) => rule.class().min(most),
            (None, _, Some(most)) => most,
            (None, Some(_), None) => Class::External,
            (None, None, None) => Class::Execute,
        };
        Guess { rule, class, name: own.to_owned() }
    }

    /// The row of the first word of a name that is a verb.
    pub(super) fn of_name(&self, name: &str) -> Option<&Rule> {
        words(name).iter().find_map(|word| self.verbs.get(word))
    }

    /// The most that a server's tools do, by a word of its name (`plugin_playwright_playwright`).
    fn most(&self, server: &str) -> Option<Class> {
        let parts = words(server);
        self.servers.get(server).copied().or_else(|| parts.iter().find_map(|part| self.servers.get(part).copied()))
    }
}

/// Whether a tool's name, its server's included, has one of these words.
pub(super) fn is_named(tool: &str, names: &super::data::Words) -> bool {
    words(tool).iter().any(|word| names.contains(word))
}

/// The words of a name, in lower case: `browser_click`, `get-library-docs` and `createIssue` have two or three.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last_lower = false;
    for c in name.chars() {
        let part = !c.is_alphanumeric();
        if (part || (c.is_uppercase() && last_lower)) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !part) {
            word.extend(c.to_lowercase());
        }
        last_lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}
