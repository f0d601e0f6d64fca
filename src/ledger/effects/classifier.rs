//! The classifier: from a call to what it may do, what it is, and what it acts on.

use std::borrow::Cow;
use std::sync::Arc;

use tree_sitter::Parser;

use super::action::{Action, Sight};
use super::catalogue::Catalogue;
use super::class::{Atomicity, Class, Idempotency, Known};
use super::combine::{Part, whole};
use super::data::Runs;
use super::identity::{self, Identity};
use super::input::Fields;
use super::label;
use super::patch;
use super::rule::Rule;
use super::script::{self, Argument};
use super::shell::{self, Shell};
use crate::base::text::prefix;
use crate::transcript::{Agent, Call, Input};

/// Of code that calls tools only this many bytes are looked at.
const CODE_BYTES: usize = 64 * 1024;
/// Code in code is looked into no deeper than this.
const DEPTH: usize = 3;
/// Longer intents and targets are cut, in bytes.
const NAME_BYTES: usize = 240;
/// A tool that takes a command either way.
const COMMAND_LINE: (Agent, &str) = (Agent("codex"), "shell");
/// The row of the fields that are worth showing of a tool that nobody listed.
const OTHER: &str = "*";

/// Classifies calls. Holds the shell parser, so there is one for each lane.
pub struct Classifier {
    catalogue: Arc<Catalogue>,
    parser: Parser,
}

/// What was read from one call.
struct Reading {
    parts: Vec<Part>,
    identity: Identity,
    label: String,
}

/// How much an action says about itself.
#[derive(Clone, Copy, PartialEq)]
enum Detail {
    Brief,
    Explained,
}

impl Classifier {
    /// A classifier that knows what `catalogue` knows.
    #[must_use]
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        let mut parser = Parser::new();
        // A grammar of another version would leave the parser without a language: then scripts are read as opaque.
        let loaded = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
        debug_assert!(loaded.is_ok(), "the grammar of the shell does not fit the parser");
        Self { catalogue, parser }
    }

    /// What it knows.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// What a call may do. Never fails, whatever the call holds. About 15 µs for a shell command.
    pub fn classify(&mut self, agent: Agent, call: &Call<'_>) -> Action {
        self.action(agent, &call.tool, &call.input, Detail::Brief)
    }

    /// The same, with the rules that fired, in words: for `owed effects`.
    pub fn explain(&mut self, agent: Agent, call: &Call<'_>) -> Action {
        self.action(agent, &call.tool, &call.input, Detail::Explained)
    }

    /// The same for a command as a person types it: one word is a script, several are a program and its arguments.
    pub fn explain_command(&mut self, words: &[&str]) -> Action {
        let command = if let [script] = words { serde_json::Value::from(*script) } else { words.into() };
        let input = Input::Json(serde_json::json!({ "command": command }).to_string().into());
        self.action(COMMAND_LINE.0, COMMAND_LINE.1, &input, Detail::Explained)
    }

    fn action(&mut self, agent: Agent, tool: &str, input: &Input<'_>, detail: Detail) -> Action {
        let Reading { parts, identity, label } = self.read(agent, tool, input, 0);
        let Some(whole) = whole(&parts) else { return nothing(tool, identity, label) };
        let strongest = whole.strongest;
        let look = strongest.look.as_ref().or_else(|| self.catalogue.worlds.get(&**strongest.world.as_ref()?));
        let mut why: Vec<String> = Vec::new();
        if detail == Detail::Explained {
            why.extend(parts.iter().map(|part| part.why.clone()));
            if parts.len() > 1 {
                why.push(format!("{}: the strongest of {} parts is {}", strongest.class.word(), parts.len(), strongest.intent));
            }
        }
        Action {
            class: strongest.class,
            idempotency: whole.idempotency,
            known: whole.known,
            action: identity.action,
            intent: strongest.intent.as_str().into(),
            target: strongest.target.as_deref().map(Arc::from),
            world: strongest.world.clone(),
            key: identity.key.as_deref().map(Arc::from),
            atomicity: whole.atomicity,
            reconcile_with: look
                .filter(|_| strongest.class.has_effect())
                .and_then(|look| filled(look, strongest.target.as_deref())),
            sees: parts.iter().flat_map(sights).collect(),
            label,
            why,
        }
    }

    fn read(&mut self, agent: Agent, tool: &str, input: &Input<'_>, depth: usize) -> Reading {
        let catalogue = Arc::clone(&self.catalogue);
        let fields = Fields::of(input);
        let Some(rule) = catalogue.tools.find(agent.0, tool, &fields) else { return unlisted(&catalogue, agent, tool, &fields) };
        match rule.runs() {
            Some(Runs::Text) => self.command(rule, tool, &fields),
            Some(Runs::Code) if depth < DEPTH => self.code(agent, rule, tool, &fields, depth),
            Some(Runs::Patch) => {
                let text = fields.first_text(rule.at());
                let row = part(rule, tool, &fields);
                let part = patch::part(text.as_deref().unwrap_or(fields.whole), row);
                let label = part.target.as_deref().map_or_else(|| tool.to_owned(), label::line);
                Reading { parts: vec![part], identity: identity_of(&catalogue, rule, tool, &fields), label }
            }
            _ => {
                let part = part(rule, tool, &fields);
                let shown = label::of_tool(rule.show(), &fields).or_else(|| part.target.as_deref().map(label::line));
                let label = shown.unwrap_or_else(|| label::line(tool));
                Reading { parts: vec![part], identity: identity_of(&catalogue, rule, tool, &fields), label }
            }
        }
    }

    /// A tool whose input is a command: a script, or words.
    fn command(&mut self, rule: &Rule, tool: &str, fields: &Fields<'_>) -> Reading {
        let catalogue = Arc::clone(&self.catalogue);
        let dir = fields.first_text(rule.dir());
        let words = rule.at().iter().find_map(|path| fields.words(path)).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        let text = match words.as_slice() {
            // A shell that gets its script as a word: the same as the script.
            [shell, option, script] if is_shell(shell) && option.starts_with('-') && option.ends_with('c') => {
                Some((*script).into())
            }
            [] if fields.free_text.is_some() => fields.free_text.map(Cow::Borrowed),
            [] => rule.at().iter().find(|path| fields.json(path).is_some()).map(|path| fields.text(path).unwrap_or_default()),
            _ => None,
        };
        if text.is_none() && words.is_empty() {
            // No command is there: the tool itself is all that is known.
            let part = part(rule, tool, fields);
            return Reading { parts: vec![part], identity: identity_of(&catalogue, rule, tool, fields), label: label::line(tool) };
        }
        let tree = text.as_deref().and_then(|text| shell::parse(&mut self.parser, text));
        let mut shell = Shell::new(&catalogue, &mut self.parser);
        match &text {
            Some(text) => shell.script(tree.as_ref(), text, dir.as_deref()),
            None => shell.argv(&words, dir.as_deref()),
        }
        let Shell { parts, key, first_cd, .. } = shell;
        let (cd, from) = first_cd.map_or((None, 0), |(dir, bytes)| (Some(dir), bytes.end));
        let tokens = text.as_deref().map_or_else(|| words.clone(), |text| shell::tokens(tree.as_ref(), text, from));
        let dir = cd.as_deref().map(|cd| shell::joined(dir.as_deref(), cd)).or_else(|| dir.as_deref().map(str::to_owned));
        let identity = identity::of_command(&tokens, dir.as_deref(), key);
        let label = text.as_deref().map_or_else(|| label::line(&words.join(" ")), label::of_command);
        Reading { parts, identity, label }
    }

    /// Code that calls tools: each call counts, the strongest speaks.
    fn code(&mut self, agent: Agent, rule: &Rule, tool: &str, fields: &Fields<'_>, depth: usize) -> Reading {
        let code = fields.first_text(rule.at());
        let code = code.as_deref().unwrap_or(fields.whole);
        let words: Vec<&str> = code.split_whitespace().collect();
        let mut identity = identity::of_command(&words, None, None);
        let mut parts = Vec::new();
        let mut labels = Vec::new();
        for (n, call) in script::sub_calls(prefix(code, CODE_BYTES)).into_iter().enumerate() {
            let input = match call.argument {
                Argument::Object(json) => Input::Json(json.into()),
                Argument::Text(text) => Input::Text(text.into()),
                Argument::Unknown => Input::Json("{}".into()),
            };
            let reading = self.read(agent, call.tool, &input, depth + 1);
            parts.extend(reading.parts.into_iter().map(|part| Part { statement: part.statement + n * 1000, ..part }));
            identity.key = identity.key.or(reading.identity.key);
            labels.push(reading.label);
        }
        if parts.is_empty() {
            parts.push(part(rule, tool, fields));
        }
        let label = if labels.is_empty() { label::of_command(code) } else { label::line(&labels.join(" · ")) };
        Reading { parts, identity, label }
    }
}

/// What the row of a tool says of a call with these fields.
fn part(rule: &Rule, tool: &str, fields: &Fields<'_>) -> Part {
    let target = fields.first_text(rule.target()).map(|target| prefix(&target, NAME_BYTES).to_owned());
    let about = fields.first_text(rule.script()).map(|script| prefix(&script, NAME_BYTES).to_owned()).or_else(|| target.clone());
    let intent = about.map_or_else(|| tool.to_owned(), |about| format!("{tool} {about}"));
    let (class, idempotency) = (rule.class(), rule.idempotency());
    let again = if class.has_effect() { format!(", {}", idempotency.words()) } else { String::new() };
    Part {
        class,
        idempotency,
        known: Known::Listed,
        atomic: rule.is_atomic(),
        why: format!("{tool}: {}{again} ({})", class.word(), rule.place),
        intent: prefix(&intent, NAME_BYTES).to_owned(),
        target,
        world: rule.world().cloned(),
        also: rule.also().cloned(),
        look: rule.look().cloned(),
        statement: 0,
        looped: false,
    }
}

/// A tool that no row names: what its name says.
fn unlisted(catalogue: &Catalogue, agent: Agent, tool: &str, fields: &Fields<'_>) -> Reading {
    let guess = catalogue.verbs.guess(tool);
    let other = catalogue.tools.find(agent.0, OTHER, fields);
    let base = other.map(|rule| part(rule, tool, fields));
    let idempotency =
        guess.rule.filter(|rule| rule.class() == guess.class).map_or(guess.class.usual_idempotency(), Rule::idempotency);
    let verb = guess.rule.map_or_else(|| "no verb in its name is listed".to_owned(), |rule| rule.place.to_string());
    let part = Part {
        class: guess.class,
        idempotency,
        known: Known::Inferred,
        atomic: false,
        intent: base.as_ref().map_or_else(|| prefix(tool, NAME_BYTES).to_owned(), |base| base.intent.clone()),
        target: base.as_ref().and_then(|base| base.target.clone()),
        world: None,
        also: None,
        look: None,
        statement: 0,
        looped: false,
        why: format!("{}: not listed, {} by inference ({verb})", prefix(tool, NAME_BYTES), guess.class.word()),
    };
    let label = other.and_then(|rule| label::of_tool(rule.show(), fields)).unwrap_or_else(|| label::line(&guess.name));
    let identity = identity::of_tool(&catalogue.identity, tool, fields, &[]);
    Reading { parts: vec![part], identity, label }
}

fn identity_of(catalogue: &Catalogue, rule: &Rule, tool: &str, fields: &Fields<'_>) -> Identity {
    identity::of_tool(&catalogue.identity, tool, fields, rule.volatile())
}

/// A call that does nothing at all: an empty script, a lone assignment.
fn nothing(tool: &str, identity: Identity, label: String) -> Action {
    Action {
        class: Class::Control,
        idempotency: Idempotency::Idempotent,
        known: Known::Listed,
        action: identity.action,
        intent: tool.into(),
        target: None,
        world: None,
        key: identity.key.as_deref().map(Arc::from),
        atomicity: Atomicity::Partial,
        reconcile_with: None,
        sees: Arc::default(),
        label,
        why: Vec::new(),
    }
}

/// What a part lets its reader see. Of files only those that it names: `sort` in a pipeline shows nobody a file.
fn sights(part: &Part) -> impl Iterator<Item = Sight> {
    let looks = matches!(part.class, Class::Read | Class::Check);
    let names_it = part.target.is_some() || part.world.as_deref() != Some("file");
    let own = part.world.clone().filter(|_| looks && names_it);
    let own = own.map(|world| Sight { world, target: part.target.as_deref().map(Arc::from) });
    own.into_iter().chain(part.also.clone().filter(|_| looks).map(|world| Sight { world, target: None }))
}

/// A look with its target filled in; none where it needs one that is not there.
fn filled(look: &str, target: Option<&str>) -> Option<Arc<str>> {
    match (look.contains("{}"), target) {
        (false, _) => Some(look.into()),
        (true, Some(target)) => Some(look.replace("{}", target).into()),
        (true, None) => None,
    }
}

fn is_shell(word: &str) -> bool {
    matches!(word.rsplit('/').next(), Some("bash" | "sh" | "zsh" | "dash"))
}
