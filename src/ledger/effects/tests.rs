//! Tables: what commands and tools are. One file an idea.

mod compound;
mod data;
mod files;
mod git;
mod identity;
mod network;
mod observe;
mod projects;
mod sql;
mod status;
mod tools;
mod wrappers;

use std::sync::{Arc, LazyLock};

use super::{Action, Catalogue, Classifier, Idempotency, Known};
use crate::transcript::{Agent, Call, Input};

const CLAUDE: Agent = Agent("claude-code");

static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(Catalogue::load(None).unwrap()));

fn classifier() -> Classifier {
    Classifier::new(Arc::clone(&CATALOGUE))
}

fn call<'a>(tool: &'a str, json: &'a str) -> Call<'a> {
    Call { id: "call-1".into(), tool: tool.into(), input: Input::Json(json.into()) }
}

fn command(classifier: &mut Classifier, command: &str) -> Action {
    let json = serde_json::json!({ "command": command }).to_string();
    classifier.explain(CLAUDE, &call("Bash", &json))
}

/// An action on one line: `external safe [git push origin main] origin main`; `?` behind a class that is a guess.
fn line(action: &Action) -> String {
    let guess = if action.known == Known::Inferred { "?" } else { "" };
    let again = match action.idempotency {
        _ if !action.class.has_effect() => "",
        Idempotency::Idempotent => " safe",
        Idempotency::Unknown => " unknown",
        Idempotency::NotIdempotent => " harm",
    };
    let target = action.target.as_deref().map(|target| format!(" {target}")).unwrap_or_default();
    format!("{}{guess}{again} [{}]{target}", action.class.word(), action.intent)
}

fn check(rows: &[(&str, &str)]) {
    let mut classifier = classifier();
    let mut wrong = String::new();
    for (text, expected) in rows {
        let action = command(&mut classifier, text);
        let got = line(&action);
        if got != *expected {
            wrong.push_str(&format!("{text}\n  expected {expected}\n  got      {got}\n  {}\n", action.why.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
