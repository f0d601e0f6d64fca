//! `owed effects`: what tools and programs are known, and how one call is classified.

use std::ffi::OsString;
use std::io::Write as _;
use std::sync::Arc;

use crate::cli::args::EffectsArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::formats::registry;
use crate::ledger::effects::{Catalogue, Classifier};
use crate::report::effects::{EffectReport, EffectsReport};
use crate::report::text;
use crate::transcript::{Agent, Call, Input};

/// The agent and the tool by which a command on the command line is run.
const SHELL: (Agent, &str) = (Agent("claude-code"), "Bash");

/// Lists the catalogue, or explains a tool or a command.
pub(super) fn run(args: &EffectsArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let catalogue = Arc::<Catalogue>::clone(&settings.rulebook()?.effects);
    let form = Form::of(args.json, settings);
    if let Some(tool) = &args.tool {
        for (n, agent) in agents(&catalogue, tool).into_iter().enumerate() {
            if n > 0 && form != Form::Json {
                writeln!(io.stdout)?;
            }
            explain(&catalogue, agent, tool, (tool, "{}"), form, io)?;
        }
    } else if !args.command.is_empty() {
        let command = typed(&args.command);
        let input = serde_json::json!({ "command": command }).to_string();
        explain(&catalogue, SHELL.0, &command, (SHELL.1, &input), form, io)?;
    } else {
        output::print(io, form, &EffectsReport::of(&catalogue), text::effects)?;
    }
    Ok(Exit::Done)
}

/// The agents that have a tool of this name; where none has, one of them, so that the guess is explained.
fn agents(catalogue: &Catalogue, tool: &str) -> Vec<Agent> {
    let of: Vec<String> = catalogue.tools().into_iter().filter(|row| row.name == tool).map(|row| row.of).collect();
    let known = registry::FORMATS.iter().map(|format| format.agent);
    let having: Vec<Agent> = known.filter(|agent| of.iter().any(|of| of == agent.0)).collect();
    if having.is_empty() { vec![SHELL.0] } else { having }
}

fn explain(
    catalogue: &Arc<Catalogue>,
    agent: Agent,
    asked: &str,
    (tool, input): (&str, &str),
    form: Form,
    io: &mut Io,
) -> Result<(), Failure> {
    let call = Call { id: "".into(), tool: tool.into(), input: Input::Json(input.into()) };
    let action = Classifier::new(Arc::clone(catalogue)).explain(agent, &call);
    output::print(io, form, &EffectReport::of(agent, asked, &action), text::effect)
}

/// The words of a command line as a shell would read them; a single one is a script as it stands.
fn typed(words: &[OsString]) -> String {
    if let [script] = words {
        return script.to_string_lossy().into_owned();
    }
    let plain = |c: char| c.is_alphanumeric() || "@%+=:,./-_".contains(c);
    let quoted = |word: &OsString| {
        let word = word.to_string_lossy();
        if !word.is_empty() && word.chars().all(plain) { word.into_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_a_shell_needs_them() {
        for (words, script) in [
            (&["git", "push", "origin", "main"] as &[&str], "git push origin main"),
            (&["git commit -m 'x' && git push"], "git commit -m 'x' && git push"),
            (&["git", "commit", "-m", "it's done; rm -rf /"], r"git commit -m 'it'\''s done; rm -rf /'"),
            (&["echo", ""], "echo ''"),
        ] {
            assert_eq!(typed(&words.iter().map(OsString::from).collect::<Vec<_>>()), script);
        }
    }
}
