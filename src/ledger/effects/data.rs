//! The shape of `assets/effects.toml`: what may stand in it, and nothing else. The file itself explains the fields.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::class::{Class, Idempotency};

/// The whole file. Every table may be missing, so that an overlay holds only what its user changes.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EffectsFile {
    pub(super) kin: BTreeMap<String, String>,
    pub(super) tool: BTreeMap<String, BTreeMap<String, Row>>,
    pub(super) verb: BTreeMap<String, Row>,
    pub(super) server: BTreeMap<String, Class>,
    pub(super) command: BTreeMap<String, Row>,
    pub(super) script: BTreeMap<String, Row>,
    pub(super) cmdlet: BTreeMap<String, Row>,
    pub(super) method: BTreeMap<String, Row>,
    pub(super) sql: BTreeMap<String, Row>,
    pub(super) snippet: BTreeMap<String, Row>,
    pub(super) pure: PureFacts,
    pub(super) sql_tool: SqlTools,
    pub(super) world: BTreeMap<String, Arc<str>>,
    pub(super) shell: ShellFacts,
    pub(super) identity: IdentityFacts,
    pub(super) not_started: NotStarted,
    pub(super) unknown: UnknownOutcome,
}

/// One row: a class alone (`"git status" = "read"`), or a table with more.
#[derive(Clone, Debug, Default)]
pub(super) struct Row(pub(super) RowFields);

/// What a row may say.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RowFields {
    pub(super) class: Option<Class>,
    pub(super) again: Option<Idempotency>,
    pub(super) atomic: Option<bool>,
    pub(super) many: Option<bool>,
    pub(super) fed: Option<bool>,
    pub(super) also: Option<Arc<str>>,
    pub(super) world: Option<Arc<str>>,
    pub(super) look: Option<Arc<str>>,
    pub(super) target: Option<Words>,
    pub(super) script: Option<Words>,
    pub(super) values: Option<Words>,
    pub(super) runs: Option<Runs>,
    pub(super) at: Option<Words>,
    pub(super) skip: Option<usize>,
    pub(super) dir: Option<Words>,
    pub(super) method: Option<Words>,
    pub(super) body: Option<Words>,
    pub(super) writes: Option<Words>,
    pub(super) show: Option<Words>,
    pub(super) volatile: Option<Words>,
    pub(super) like: Option<String>,
    pub(super) serves: Option<bool>,
    pub(super) last: Option<bool>,
    pub(super) removes: Option<bool>,
    pub(super) plan: Option<PlanShape>,
}

/// What a tool's input says of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanShape {
    /// The whole list of items, each with its state; it takes the place of the list before.
    List,
    /// One new item; its id stands in the result.
    Item,
    /// A change of one item, by its id.
    Change,
    /// A plan in prose, which a human approves by letting the call succeed.
    Approval,
}

/// What a tool or program hands on to something else, which then decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Runs {
    /// Its further words are a command: `sudo`, `timeout 5`.
    Words,
    /// A text is a shell script: `bash -c`, `ssh host`.
    Text,
    /// A text is SQL: `psql -c`.
    Sql,
    /// An HTTP request, by its method: `curl`.
    Http,
    /// Its sub-commands are verbs: `aws s3api list-buckets`.
    Verb,
    /// Names of scripts that a project defines: `npm run`, `make`.
    Script,
    /// A patch in the form of Codex's `apply_patch`.
    Patch,
    /// A program in another language, of which only some calls are looked for: `python -c` (see `[snippet]`).
    Snippet,
    /// JavaScript that calls tools: Codex's `exec`.
    Code,
    /// A list of shell scripts, one after the other: Cline's `run_commands`.
    Texts,
    /// Another tool, by name: Cline's `use_mcp_tool`.
    Tool,
}

/// Words parted by white space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words(pub(super) Arc<[Box<str>]>);

impl Words {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|word| &**word)
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.iter().any(|own| own == word)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These words and then those.
    pub(super) fn and(&self, more: &Self) -> Self {
        match (self.is_empty(), more.is_empty()) {
            (_, true) => self.clone(),
            (true, _) => more.clone(),
            _ => Self(self.0.iter().chain(more.0.iter()).cloned().collect()),
        }
    }
}

/// Facts about shells.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShellFacts {
    pub(super) dry: Words,
    pub(super) alone: Words,
    pub(super) help: Words,
    pub(super) nowhere: Words,
    pub(super) scratch: Words,
    pub(super) here: Words,
    pub(super) queries: Words,
    pub(super) leaves: Words,
}

/// What is left out of an action's identity, and where explicit keys stand.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct IdentityFacts {
    pub(super) volatile: Words,
    pub(super) keys: Words,
    pub(super) headers: Words,
    pub(super) options: Words,
}

/// What proves that a failed call did not begin.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NotStarted {
    pub(super) exit: Vec<i32>,
    pub(super) anything: Vec<String>,
    pub(super) listed: Vec<String>,
    pub(super) one: Vec<String>,
    pub(super) chain: Vec<String>,
    pub(super) codes: BTreeMap<String, Vec<i32>>,
}

/// Which tools of servers take SQL.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SqlTools {
    pub(super) fields: Words,
    pub(super) names: Words,
}

/// What a program in another language may hold that only reads.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PureFacts {
    pub(super) modules: Words,
    pub(super) acts: Words,
}

/// What shows that nobody can tell how a failed call ended.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct UnknownOutcome {
    pub(super) exit: Vec<i32>,
    pub(super) text: Vec<String>,
    pub(super) blind: Vec<String>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a class, as \"read\", or a table, as { class = \"write\", target = \"1\" }")
    }

    fn visit_str<E: Error>(self, class: &str) -> Result<Row, E> {
        let class = Class::deserialize(serde::de::value::StrDeserializer::new(class))?;
        Ok(Row(RowFields { class: Some(class), ..RowFields::default() }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Row, A::Error> {
        RowFields::deserialize(MapAccessDeserializer::new(map)).map(Row)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("words parted by spaces")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words(text.split_whitespace().map(Box::from).collect()))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
