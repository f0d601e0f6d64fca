//! The catalogue: all rows of `assets/effects.toml`, with the user's own laid over them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::class::{Class, Idempotency};
use super::commands::Commands;
use super::data::{EffectsFile, IdentityFacts, NotStarted, PureFacts, Row, ShellFacts, SqlTools, UnknownOutcome};
use super::mcp::Verbs;
use super::rule::Rule;
use super::things::Things;
use super::tool::Tools;
use crate::base::data::{DataError, DataFile, parse, parse_over};

const NAME: &str = "effects.toml (built in)";
pub(super) const TEXT: &str = include_str!("../../../assets/effects.toml");
/// The header of the last and by far the longest table, whose rows are parsed when they are needed.
const COMMANDS: &str = "\n[command]\n";

/// What tools and programs do, as data.
#[derive(Debug, Default)]
pub struct Catalogue {
    pub(super) tools: Tools,
    pub(super) verbs: Verbs,
    pub(super) commands: Commands,
    pub(super) scripts: Rules,
    pub(super) cmdlets: Rules,
    pub(super) methods: Rules,
    pub(super) sql: Rules,
    pub(super) snippets: Rules,
    pub(super) pure: PureFacts,
    pub(super) sql_tool: SqlTools,
    pub(super) worlds: BTreeMap<String, Arc<str>>,
    pub(super) shell: ShellFacts,
    pub(super) identity: IdentityFacts,
    pub(super) not_started: NotStarted,
    pub(super) unknown: UnknownOutcome,
    /// What calls open and close.
    pub(super) things: Arc<Things>,
}

/// Rows by a single word.
pub(super) type Rules = BTreeMap<String, Rule>;

/// A row, for listings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Whose tool it is: an agent's id, `any`, or `command`.
    pub of: String,
    /// The tool's name, or the words of the command.
    pub name: String,
    /// What it may do; of what runs something else, what it does alone.
    pub class: Class,
    /// Whether it may be done again.
    pub idempotency: Idempotency,
    /// Where its row stands: `command."git push"`.
    pub place: Arc<str>,
}

impl Listed {
    fn of(of: &str, name: &str, rule: &Rule) -> Self {
        let place = Arc::clone(&rule.place);
        Self { of: of.to_owned(), name: name.to_owned(), class: rule.class(), idempotency: rule.idempotency(), place }
    }
}

impl Catalogue {
    /// The built-in catalogue with the user's overlay merged over it, by key.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        Self::with_things(overlay, Arc::new(Things::load(None)?))
    }

    /// The same, with another catalogue of what calls open and close.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub fn with_things(overlay: Option<DataFile<'_>>, things: Arc<Things>) -> Result<Self, DataError> {
        let (tables, commands) = TEXT.split_once(COMMANDS).unwrap_or((TEXT, ""));
        if let Some(overlay) = overlay {
            // A merged table has no lines any more: what is wrong in the overlay alone is told with its place.
            parse::<EffectsFile>(overlay)?;
        }
        let file: EffectsFile = parse_over(DataFile { name: NAME, text: tables }, overlay)?;
        let commands = Commands::new(commands, &file.command, overlay)?;
        check(&file, &commands).map_err(|mistake| mistake.told(overlay.unwrap_or(DataFile { name: NAME, text: TEXT })))?;
        Ok(Self {
            tools: Tools::new(file.tool, file.kin),
            verbs: Verbs::new(file.verb, file.server),
            commands,
            scripts: rules("script", file.script),
            cmdlets: rules("cmdlet", file.cmdlet),
            methods: rules("method", file.method),
            sql: rules("sql", file.sql),
            snippets: snippets(file.snippet),
            pure: file.pure,
            sql_tool: file.sql_tool,
            things,
            worlds: file.world,
            shell: file.shell,
            identity: file.identity,
            not_started: file.not_started,
            unknown: file.unknown,
        })
    }

    /// What calls open and close.
    #[must_use]
    pub fn things(&self) -> &Arc<Things> {
        &self.things
    }

    /// Every tool that is known, by agent and name.
    #[must_use]
    pub fn tools(&self) -> Vec<Listed> {
        self.tools.iter().map(|(agent, name, rule)| Listed::of(agent, name, rule)).collect()
    }

    /// Every command that is known, by its words.
    #[must_use]
    pub fn commands(&self) -> Vec<Listed> {
        self.commands.list().into_iter().map(|(name, rule)| Listed::of("command", &name, rule)).collect()
    }
}

/// Rows by a piece of a program's text, as it stands.
fn snippets(rows: BTreeMap<String, Row>) -> Rules {
    rows.into_iter().map(|(key, row)| (key.clone(), Rule::new(format!("snippet.{key:?}"), row.0))).collect()
}

fn rules(section: &str, rows: BTreeMap<String, Row>) -> Rules {
    rows.into_iter().map(|(key, row)| (key.to_lowercase(), Rule::new(format!("{section}.{key}"), row.0))).collect()
}

/// A row that is well written and says nothing.
struct Mistake {
    table: String,
    key: String,
    message: String,
}

impl Mistake {
    fn told(self, file: DataFile<'_>) -> DataError {
        let starts_with_key = |line: &str| line.trim_start().trim_start_matches('"').starts_with(&self.key);
        let line = file.text.lines().position(starts_with_key).map(|n| n + 1);
        DataError { file: file.name.to_owned(), line, field: Some(format!("{}.{:?}", self.table, self.key)), message: self.message }
    }
}

/// Looks for rows that do not say what to do. `file` holds the built-in rows but those of commands, and all of the overlay's.
fn check(file: &EffectsFile, commands: &Commands) -> Result<(), Mistake> {
    let tools = file.tool.iter().map(|(agent, rows)| (format!("tool.{agent}"), rows));
    let others =
        [("verb", &file.verb), ("script", &file.script), ("cmdlet", &file.cmdlet), ("method", &file.method), ("sql", &file.sql)];
    for (table, rows) in tools.chain(others.map(|(table, rows)| (table.to_owned(), rows))) {
        let silent = |row: &Row| row.0.class.is_none() && row.0.runs.is_none() && row.0.like.is_none();
        if let Some((key, _)) = rows.iter().find(|(_, row)| silent(row)) {
            let message = "says neither `class` nor `runs` nor `like`".to_owned();
            return Err(Mistake { table, key: key.clone(), message });
        }
    }
    for (key, row) in &file.command {
        let like = row.0.like.as_deref().unwrap_or_default();
        if !like.is_empty() && !commands.lists(like) {
            return Err(Mistake {
                table: "command".to_owned(),
                key: key.clone(),
                message: format!("is like {like:?}, which is no command"),
            });
        }
        if row.0.class.is_none() && row.0.runs.is_none() && like.is_empty() && !commands.lists(key) {
            let message = "is new, and says neither `class` nor `runs` nor `like`".to_owned();
            return Err(Mistake { table: "command".to_owned(), key: key.clone(), message });
        }
    }
    Ok(())
}
