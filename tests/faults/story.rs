//! A story: a session up to a compaction, the facts that a summary of it must tell, what can be done to each, and how it goes on.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::session::Agent;

/// One story, as its file tells it (`tests/faults/README.md`).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Story {
    pub(crate) name: String,
    /// Whose work it is, and in which language.
    pub(crate) trade: String,
    pub(crate) language: String,
    /// Whose session it is: of Claude Code, unless it says otherwise. With Codex, what the human typed stays, so that no fault of a
    /// summary loses it.
    #[serde(default = "claude_code")]
    pub(crate) agent: Agent,
    /// What happens before the boundary, and after it where nothing goes wrong: scripts.
    pub(crate) before: String,
    pub(crate) harmless: String,
    /// What a summary also says, and nobody needs.
    pub(crate) narrative: Vec<String>,
    #[serde(rename = "fact")]
    pub(crate) facts: Vec<Fact>,
}

/// Something that a summary of the story must tell, or must not.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fact {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// The events that it comes from.
    #[serde(default)]
    pub(crate) at: Vec<String>,
    /// Its own words in a prompt or a message. An entry that opens at one of the events is its own if it shares these words.
    pub(crate) said: Option<String>,
    /// Whether the ledger holds it when the boundary comes. A value that was settled may be left out, and still be told wrongly.
    #[serde(default = "yes")]
    pub(crate) live: bool,
    /// Faithful wordings. None: a summary that does not speak of it is faithful.
    #[serde(default)]
    pub(crate) told: Vec<String>,
    #[serde(default, rename = "fault")]
    pub(crate) faults: Vec<Fault>,
}

/// What a fact is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A prohibition, requirement or decision.
    Rule,
    /// One thing before another.
    Order,
    /// An order of the newest prompts, not yet carried out.
    Request,
    /// A value or an identifier that was fixed.
    Value,
    /// An effect that happened, and must not happen twice.
    Done,
    /// An effect of which nobody knows whether it happened.
    Unknown,
    /// A call whose result is the last thing before the boundary.
    Call,
    /// Something that runs, or was opened and not closed.
    Open,
    /// A plan item that is not done, or a promise.
    Task,
    /// Something asked to the human and not answered.
    Question,
    /// Work that no check has seen.
    Unverified,
    /// A value that a call defined and something that is kept uses.
    Binding,
    /// Something that was settled, discharged or lifted.
    Settled,
    /// Nothing at all: what is added to a summary here was never there.
    Nothing,
}

/// One thing that a summary can do wrong with a fact.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fault {
    /// The mutation, by its name in the table.
    #[serde(rename = "do")]
    pub(crate) mutation: String,
    /// What is respelt.
    pub(crate) from: Option<String>,
    /// What stands in the summary instead. The second half is held out: only its score is told.
    #[serde(default)]
    pub(crate) open: Vec<String>,
    #[serde(default)]
    pub(crate) held: Vec<String>,
    /// Those of another hand, out of `fresh.toml`.
    #[serde(skip)]
    pub(crate) fresh: Vec<String>,
    /// How the story goes on where the loss costs something, and the classes of cost of which one must be named.
    pub(crate) cost: Option<String>,
    #[serde(default)]
    pub(crate) costs: Vec<String>,
    /// The classes that are right here, where they are not those of the mutation; with the reason.
    #[serde(default)]
    pub(crate) accepts: Vec<String>,
    pub(crate) why: Option<String>,
}

fn claude_code() -> Agent {
    Agent::ClaudeCode
}

fn yes() -> bool {
    true
}

impl Story {
    /// The folder of other stories, if some are to be tried alone.
    #[expect(clippy::disallowed_methods, reason = "the folder is named by the environment")]
    pub(crate) fn others() -> Option<PathBuf> {
        std::env::var_os("OWED_FAULTS_STORIES").map(PathBuf::from)
    }

    /// The stories of the kit, or those that are to be tried instead.
    pub(crate) fn all() -> Vec<Self> {
        if let Some(folder) = Self::others() {
            return Self::of(&folder);
        }
        let mut stories = Self::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/stories"));
        for wording in Fresh::all() {
            let story = stories.iter_mut().find(|story| story.name == wording.story);
            let fact = story.and_then(|story| story.facts.iter_mut().find(|fact| fact.id == wording.fact));
            let fact = fact.unwrap_or_else(|| panic!("no fact {} in {}", wording.fact, wording.story));
            match fact.faults.iter_mut().find(|fault| fault.mutation == wording.mutation) {
                Some(fault) => fault.fresh.extend(wording.fresh),
                None => fact.faults.push(wording.into()),
            }
        }
        stories
    }

    fn of(folder: &Path) -> Vec<Self> {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| read(path)).collect()
    }
}

/// More wordings of one fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fresh {
    story: String,
    fact: String,
    #[serde(rename = "do")]
    mutation: String,
    fresh: Vec<String>,
    /// Where the story knows no such fault, and others are right than those of the mutation.
    #[serde(default)]
    accepts: Vec<String>,
    why: Option<String>,
}

impl Fresh {
    fn all() -> Vec<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            wording: Vec<Fresh>,
        }
        read::<File>(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/fresh.toml")).wording
    }
}

impl From<Fresh> for Fault {
    fn from(Fresh { mutation, fresh, accepts, why, .. }: Fresh) -> Self {
        let (open, held, costs) = (Vec::new(), Vec::new(), Vec::new());
        Self { mutation, from: None, open, held, fresh, cost: None, costs, accepts, why }
    }
}

/// Reads one file of data.
pub(crate) fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
