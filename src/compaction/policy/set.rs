//! The policies that are known: the built-in ones, and the user's over them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use memchr::memmem;

use crate::base::data::{DataError, DataFile, parse, parse_over};
use crate::compaction::policy::Policy;

/// The built-in policies by name: each is one file of `assets/policies/`.
macro_rules! built_in {
    ($($id:literal,)*) => { &[$(($id, include_str!(concat!("../../../assets/policies/", $id, ".toml")))),*] };
}

const BUILT_IN: &[(&str, &str)] = built_in![
    "aider",
    "anthropic-clear",
    "anthropic-compact",
    "anthropic-sdk-runner",
    "autogen-buffered",
    "autogen-head-tail",
    "autogen-token",
    "claude-code",
    "claude-code-early",
    "claude-code-memory",
    "claude-code-micro",
    "claude-code-micro-size",
    "cline",
    "cline-basic",
    "cline-legacy",
    "codex-local",
    "codex-remote-v1",
    "codex-remote-v2",
    "copilot-cli",
    "crush",
    "deepagents",
    "gemini-cli",
    "gemini-cli-mask",
    "google-adk",
    "goose",
    "inspect-edit",
    "inspect-summary",
    "inspect-trim",
    "keep-last",
    "kilo",
    "langchain-clear",
    "langchain-summarize",
    "letta",
    "llamaindex-memory",
    "llamaindex-summary-buffer",
    "maf-summarize",
    "maf-window",
    "oldest-share",
    "openai-compact",
    "opencode",
    "opencode-v2",
    "openhands",
    "openhands-amortized",
    "openhands-mask",
    "openhands-window",
    "pi",
    "qwen-code",
    "qwen-code-old",
    "roo",
    "roo-truncate",
    "semantic-kernel",
    "swe-agent",
    "vercel-prune",
    "zed",
];

/// The policy of an agent that none names.
const ANY_AGENT: &str = "oldest-share";

/// The policies that are known, by id. Start-up is part of speed: without a file of the user's each is read when it is asked for.
#[derive(Clone, Debug)]
pub struct Policies {
    by_id: BTreeMap<String, Slot>,
}

/// A policy, read or not yet.
#[derive(Clone, Debug)]
struct Slot {
    id: String,
    /// As it is built in; empty where the user has laid something over it.
    text: &'static str,
    policy: OnceLock<Option<Policy>>,
}

impl Slot {
    fn policy(&self) -> Option<&Policy> {
        let read = || parse(DataFile { name: &built_in_name(&self.id), text: self.text }).ok().map(|policy| self.named(policy));
        self.policy.get_or_init(read).as_ref()
    }

    fn named(&self, policy: Policy) -> Policy {
        Policy { id: self.id.as_str().into(), ..policy }
    }

    /// Whether this word may stand in it as a text of its own.
    fn may_say(&self, word: &str) -> bool {
        self.text.is_empty() || memmem::find(self.text.as_bytes(), format!("\"{word}\"").as_bytes()).is_some()
    }
}

/// Nobody knows a policy of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPolicy {
    /// The name that was asked for.
    pub name: String,
    /// The names that are known, aliases among them.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no policy is called `{}`; known are {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownPolicy {}

impl Policies {
    /// The built-in policies, with the user's merged over them by key. A user's file overlays the policy of its own name
    /// (`policies/codex-local.toml`); with a new name it is a new policy.
    ///
    /// # Errors
    /// A mistake in a file, with its line and field; a name that two policies claim; or a fallback that is none.
    pub fn load(overlays: &[DataFile<'_>]) -> Result<Self, DataError> {
        let slot = |id: &str, text| (id.to_owned(), Slot { id: id.to_owned(), text, policy: OnceLock::new() });
        let mut policies = Self { by_id: BUILT_IN.iter().map(|(id, text)| slot(id, text)).collect() };
        let by_id: BTreeMap<&str, DataFile<'_>> = overlays.iter().map(|overlay| (stem(overlay.name), *overlay)).collect();
        for (id, overlay) in by_id {
            let slot = policies.by_id.entry(id.to_owned()).or_insert_with(|| slot(id, "").1);
            let name = built_in_name(id);
            let (base, over) = match slot.text {
                "" => (overlay, None),
                text => (DataFile { name: &name, text }, Some(overlay)),
            };
            slot.policy = Some(slot.named(parse_over(base, over)?)).into();
            slot.text = "";
        }
        if !overlays.is_empty() {
            policies.link()?;
        }
        Ok(policies)
    }

    /// The policy of an id or an alias.
    ///
    /// # Errors
    /// With the names that are known.
    pub fn get(&self, name: &str) -> Result<&Policy, UnknownPolicy> {
        let own = self.by_id.get(name).and_then(Slot::policy);
        let alias = || self.that_may_say(name).find(|policy| policy.aliases.iter().any(|alias| alias == name));
        own.or_else(alias).ok_or_else(|| {
            let aliases: BTreeSet<&String> = self.iter().flat_map(|policy| &policy.aliases).collect();
            UnknownPolicy { name: name.to_owned(), known: self.by_id.keys().chain(aliases).cloned().collect() }
        })
    }

    /// The policy that an agent runs by, by its format's id.
    #[must_use]
    pub fn of_agent(&self, agent: &str) -> Option<&Policy> {
        let own = self.that_may_say(agent).find(|policy| policy.agents.iter().any(|name| name == agent));
        own.or_else(|| self.by_id.get(ANY_AGENT)?.policy())
    }

    /// All of them, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Policy> + '_ {
        self.by_id.values().filter_map(Slot::policy)
    }

    /// Those in which a word may stand, by id.
    fn that_may_say(&self, word: &str) -> impl Iterator<Item = &Policy> {
        self.by_id.values().filter(move |slot| slot.may_say(word)).filter_map(Slot::policy)
    }

    /// Looks at the names that policies give to each other.
    fn link(&self) -> Result<(), DataError> {
        let mut aliases = BTreeMap::new();
        for policy in self.iter() {
            for alias in &policy.aliases {
                let taken = self.by_id.get_key_value(alias).map(|(id, _)| id.as_str());
                if let Some(other) = taken.or_else(|| aliases.insert(alias, &*policy.id)) {
                    return Err(wrong(&policy.id, "aliases", format!("`{alias}` already names the policy {other}")));
                }
            }
            if let Some(other) = policy.guards.fallback.as_ref().filter(|other| !self.by_id.contains_key(*other)) {
                return Err(wrong(&policy.id, "guards.fallback", format!("no policy has the id `{other}`")));
            }
        }
        Ok(())
    }
}

fn built_in_name(id: &str) -> String {
    format!("policies/{id}.toml (built in)")
}

/// A mistake that only shows beside the other policies.
fn wrong(id: &str, field: &str, message: String) -> DataError {
    DataError { file: format!("policies/{id}.toml"), line: None, field: Some(field.to_owned()), message }
}

/// A policy's id: the name of its file without folder and ending.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.strip_suffix(".toml").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compaction::models::Models;

    fn file<'a>(name: &'a str, text: &'a str) -> DataFile<'a> {
        DataFile { name, text }
    }

    #[test]
    fn every_file_is_built_in_and_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/policies");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap().trim_end_matches(".toml").to_owned())
            .collect();
        files.sort();
        let policies = Policies::load(&[]).unwrap();
        assert_eq!(policies.iter().map(|policy| policy.id.to_string()).collect::<Vec<_>>(), files);
        policies.link().unwrap();
    }

    #[test]
    fn triggers_of_the_presets() {
        let (policies, models) = (Policies::load(&[]).unwrap(), Models::load(None).unwrap());
        for (id, model, trigger) in [
            ("claude-code", "claude-opus-4-6", Some(167_000)),
            ("claude-code", "claude-sonnet-4-5[1m]", Some(967_000)),
            ("claude-code-early", "claude-opus-4-5", Some(155_000)),
            ("claude-code-micro", "claude-opus-4-6", None),
            ("claude-code-micro-size", "claude-opus-4-5", Some(135_000)),
            ("codex", "gpt-5-codex", Some(244_800)),
            ("codex-local", "gpt-5-codex", Some(244_800)),
            ("keep-last", "unknown", Some(160_000)),
            ("oldest-share", "unknown", Some(140_000)),
        ] {
            let window = models.window_for(Some(model), None, None);
            assert_eq!(policies.get(id).unwrap().trigger_tokens(window), trigger, "{id} {model}");
        }
    }

    #[test]
    fn a_policy_is_found_by_id_alias_and_agent() {
        let policies = Policies::load(&[]).unwrap();
        assert_eq!(&*policies.get("codex").unwrap().id, "codex-remote-v2");
        assert_eq!(&*policies.of_agent("claude-code").unwrap().id, "claude-code");
        assert_eq!(&*policies.of_agent("somebody").unwrap().id, "oldest-share");
        for policy in Policies::load(&[]).unwrap().iter() {
            let ids = policy.aliases.iter().map(|alias| &policies.get(alias).unwrap().id);
            assert!(ids.chain(policy.agents.iter().map(|agent| &policies.of_agent(agent).unwrap().id)).all(|id| *id == policy.id));
        }
        let error = policies.get("codx").unwrap_err().to_string();
        assert!(error.starts_with("no policy is called `codx`; known are aider, anthropic-clear"), "{error}");
        assert!(error.ends_with("sk, vercel"), "{error}");
    }

    #[test]
    fn a_users_file_overlays_by_key_or_is_new() {
        let policies = Policies::load(&[
            file("/home/u/.config/owed/policies/claude-code.toml", "[trigger]\ntokens = \"0.5*W\"\n"),
            file("mine.toml", "title = \"Mine\"\nconfidence = \"generic\"\nrecover = \"none\"\naliases = [\"m\"]\n"),
        ])
        .unwrap();
        let claude = policies.get("claude-code").unwrap();
        assert_eq!(claude.trigger.tokens.as_ref().unwrap().to_string(), "0.5*W");
        assert_eq!((claude.title.as_str(), claude.trigger.check.len()), ("Claude Code, auto-compact", 3));
        assert_eq!(policies.get("m").unwrap().title, "Mine");
    }

    #[test]
    fn a_mistake_is_told_with_file_line_and_field() {
        const HEAD: &str = "title = \"x\"\nconfidence = \"generic\"\nrecover = \"none\"\n";
        for (name, text, line, field, part) in [
            ("mine.toml", format!("{HEAD}keeep = 1\n"), Some(4), Some("keeep"), "unknown field `keeep`"),
            ("mine.toml", format!("{HEAD}[trigger]\ntokens = \"0.9*Q\"\n"), Some(5), Some("trigger.tokens"), "`Q` is not known"),
            ("mine.toml", format!("{HEAD}[rest]\ndo = \"forget\"\n"), Some(5), Some("rest.do"), "unknown variant `forget`"),
            ("mine.toml", format!("{HEAD}aliases = [\"codex\"]\n"), None, Some("aliases"), "already names"),
            (
                "mine.toml",
                format!("{HEAD}guards = {{ fallback = \"luck\" }}\n"),
                None,
                Some("guards.fallback"),
                "no policy has the id",
            ),
            ("mine.toml", format!("{HEAD}[trigger]\nevents = \"> 8x\"\n"), Some(5), Some("trigger.events"), "at column 4"),
            (
                "mine.toml",
                format!("{HEAD}[keep]\ntail = {{ by = \"pages\", n = 3 }}\n"),
                Some(5),
                Some("keep.tail"),
                "unknown variant `pages`",
            ),
            (
                "mine.toml",
                format!("{HEAD}[[mask]]\non = \"thinking\"\nhow = \"clear\"\nkeep = 3\n"),
                Some(7),
                Some("mask.keep"),
                "unknown field `keep`",
            ),
            ("mine.toml", "title = 1\n".to_owned(), Some(1), Some("title"), "expected a string"),
            ("claude-code.toml", "\n[trigger]\ntokens = \"W -\"\n".to_owned(), Some(3), Some("trigger.tokens"), "found the end"),
            ("claude-code.toml", "asks = [\"everything\"]\n".to_owned(), Some(1), Some("asks"), "unknown variant"),
        ] {
            let error = Policies::load(&[file(name, &text)]).unwrap_err();
            assert_eq!((error.line, error.field.as_deref()), (line, field), "{error}");
            assert!(error.message.contains(part), "{error}");
            assert!(error.file.ends_with(name), "{error}");
        }
    }
}
