//! Calls and their outputs.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::agents;
use super::line::{Item, Part};
use super::news::News;
use super::outcome;
use super::script::{self, Script};
use crate::formats::emit::Emit;
use crate::formats::json::{Content, List, Maybe, ODD, Pairs, Text, text_under};
use crate::transcript::{Call, Input, JobState, Outcome, Payload, Resolution, answered};

/// The calls without an output so far, as far as their outputs cannot be read without them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    open: FxHashMap<String, Kind>,
    /// The newest script.
    script: Option<(String, Script)>,
}

/// What a call does with something that runs in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Plain,
    /// It runs a script.
    Script,
    /// It looks after the process or script of this handle.
    Poll(String),
    /// It launches an agent.
    Launch,
    /// It waits for agents.
    Wait,
    /// It closes the agent of this handle.
    Close(String),
    /// It asks the human these questions, by id.
    Ask(Vec<(String, String)>),
}

impl Calls {
    /// Tells a call, of the step with this number.
    pub(super) fn call(&mut self, item: &Item<'_>, step: u32, out: &mut Emit<'_, '_>) {
        let name = item.name.as_str();
        let (tool, input): (Cow<'_, str>, _) = match item.kind.as_str() {
            "local_shell_call" => ("local_shell".into(), json(item.action)),
            "tool_search_call" => ("tool_search".into(), json(item.arguments)),
            "custom_tool_call" => (full_name(item), free(item.input)),
            _ => (full_name(item), json(item.arguments)),
        };
        let id = call_id(item);
        let kind = kind(name, item.kind.as_str(), &input);
        if kind == Kind::Script {
            self.script = Some((id.to_owned(), Script::new(input.as_str())));
        }
        self.open.insert(id.to_owned(), kind);
        out.push_in(step, Payload::Call(Call { id: id.into(), tool, input }));
    }

    /// Tells a call that the model's own server ran: the item says at once how it ended.
    pub(super) fn served(item: &Item<'_>, step: u32, out: &mut Emit<'_, '_>) {
        let id = match item.id.filled().or(item.call_id.filled()) {
            Some(id) => Cow::Borrowed(id),
            // Two of them on one line are still told apart: each is ended before the next.
            None => Cow::Owned(format!("{}@{}", item.kind.as_str(), out.line())),
        };
        let (tool, input, text) = match item.kind.as_str() {
            "web_search_call" => ("web_search", json(item.action), ""),
            _ => ("image_generation", Input::Text(item.revised_prompt.as_str().into()), "[image]"),
        };
        out.push_in(step, Payload::Call(Call { id: id.clone(), tool: tool.into(), input }));
        let outcome = match item.status.as_str() {
            "completed" => Outcome::Success,
            "failed" | "incomplete" => Outcome::Failed { exit: None },
            _ => return,
        };
        out.push(Payload::Resolution(Resolution { call: id, outcome, text: text.into(), said: None }));
    }

    /// Tells an output, and what it says of something in the background.
    ///
    /// Without its call (an orphan, or the record read alone) an output is read for everything that it might say, so that what a
    /// record yields in its file is always the beginning of what it yields alone.
    pub(super) fn output(&mut self, item: &Item<'_>, out: &mut Emit<'_, '_>) {
        let id = call_id(item);
        let text = body(&item.output);
        let kind = self.open.remove(id);
        let script = self.script.take_if(|(of, _)| of == id).map(|(_, script)| script);
        let (outcome, news) = ended(kind.as_ref(), script.as_ref(), &text);
        let said = match &kind {
            Some(Kind::Ask(asked)) => answers(&text, asked),
            None => answers(&text, &[]),
            Some(_) => None,
        };
        let said = said.map(Cow::Owned);
        out.push(Payload::Resolution(Resolution { call: id.into(), outcome, text: text.as_ref().into(), said }));
        if let Content::Parts(parts) = &item.output {
            // Its text stands in the output.
            let odd = parts.iter().filter(|part| part.is_odd());
            odd.for_each(|_| out.push(Payload::Unrecognised { name: format!("output/{ODD}").into(), text: "".into() }));
        }
        for news in news {
            out.push(news.into());
        }
    }

    /// A turn begins. Codex answers every call before a turn ends: what is open now was lost with its process.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Takes what the runtime says of something that ended. It is the script's only when nothing else is open.
    pub(super) fn ended(&mut self, item: &Item<'_>) {
        if let Some((_, script)) = self.script.as_mut().filter(|_| self.open.len() == 1) {
            script.hear(item);
        }
    }
}

/// How a call of this kind ended, and what its output says of something in the background.
fn ended(kind: Option<&Kind>, script: Option<&Script>, text: &str) -> (Outcome<'static>, Vec<News>) {
    let outcome = outcome::outcome(text);
    let launched = |outcome| agents::launched(text).map_or(outcome, |handle| Outcome::Started { handle: handle.into() });
    let scripted = |outcome| if outcome == Outcome::Returned { script::outcome(script, text) } else { outcome };
    let closed = |handle| agents::closed(text).then(|| News::of(handle, JobState::Killed, "closed"));
    match kind {
        Some(Kind::Plain | Kind::Ask(_)) => (outcome, Vec::new()),
        Some(Kind::Script) => (scripted(outcome), Vec::new()),
        Some(Kind::Launch) => (launched(outcome), Vec::new()),
        Some(Kind::Wait) => (outcome, agents::waited(text)),
        Some(Kind::Close(handle)) => (outcome, closed(handle).into_iter().collect()),
        Some(Kind::Poll(handle)) => match outcome::process(text) {
            // The poll itself did its work: the exit code is the process's.
            Some(process) => (Outcome::Success, vec![News::of(handle, process.job(), process.line)]),
            None => (outcome, Vec::new()),
        },
        None => {
            let process = outcome::process(text);
            let mut news = Vec::from_iter(process.map(|told| News::of(told.handle().unwrap_or_default(), told.job(), told.line)));
            news.extend(agents::waited(text));
            news.extend(closed(""));
            (launched(scripted(outcome)), news)
        }
    }
}

/// The id that joins a call and its output. What the model's server searched for tools has none.
fn call_id<'a>(item: &'a Item<'_>) -> &'a str {
    match (item.call_id.filled(), item.kind.as_str()) {
        (Some(id), _) => id,
        (None, "local_shell_call") => item.id.as_str(),
        (None, "tool_search_call" | "tool_search_output") => "tool_search",
        (None, _) => "",
    }
}

/// A tool's name with its namespace, as Codex joins them.
fn full_name<'a>(item: &'a Item<'_>) -> Cow<'a, str> {
    match item.namespace.filled() {
        Some(namespace) => Cow::Owned(format!("{namespace}{}", item.name.as_str())),
        None => Cow::Borrowed(item.name.as_str()),
    }
}

/// JSON, which mostly stands in a string of its own. What the model wrote is no JSON now and then.
fn json(raw: Option<&RawValue>) -> Input<'_> {
    match free(raw) {
        Input::Text(text) if serde_json::from_str::<IgnoredAny>(&text).is_ok() => Input::Json(text),
        input => input,
    }
}

/// Text; or JSON, where it is no string.
fn free(raw: Option<&RawValue>) -> Input<'_> {
    let raw = raw.map_or("", RawValue::get);
    match serde_json::from_str::<Text<'_>>(raw) {
        Ok(Text(Some(text))) => Input::Text(text),
        Ok(Text(None)) => Input::Json(raw.into()),
        Err(_) => Input::Text(raw.into()),
    }
}

fn kind(name: &str, item: &str, input: &Input<'_>) -> Kind {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Handles<'a> {
        #[serde(borrow)]
        session_id: Option<&'a RawValue>,
        cell_id: Option<&'a RawValue>,
        target: Text<'a>,
        id: Text<'a>,
    }
    let handles = || serde_json::from_str::<Handles<'_>>(input.as_str()).unwrap_or_default();
    // A handle is a number in some versions, and a string in others.
    let plain = |raw: &RawValue| raw.get().trim_matches('"').to_owned();
    match name {
        "exec" if item == "custom_tool_call" => Kind::Script,
        "write_stdin" => handles().session_id.map_or(Kind::Plain, |id| Kind::Poll(format!("proc:{}", plain(id)))),
        "wait" => handles().cell_id.map_or(Kind::Wait, |id| Kind::Poll(format!("cell:{}", plain(id)))),
        "wait_agent" => Kind::Wait,
        "spawn_agent" => Kind::Launch,
        "close_agent" | "interrupt_agent" => {
            let handles = handles();
            handles.target.filled().or(handles.id.filled()).map_or(Kind::Plain, |id| Kind::Close(agents::handle(id)))
        }
        "request_user_input" => Kind::Ask(questions(input)),
        _ => Kind::Plain,
    }
}

/// What the model was given.
fn body<'a>(output: &'a Content<'_, Part<'_>>) -> Cow<'a, str> {
    let parts = match output {
        Content::Absent => return "".into(),
        Content::Text(text) => return Cow::Borrowed(text),
        Content::Parts(parts) => parts,
    };
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(match part.kind.as_str() {
            "input_image" => "[image]",
            "encrypted_content" => "[encrypted]",
            _ => part.text.as_str(),
        });
    }
    text.into()
}

/// The questions of a call that asks the human, by id.
fn questions(input: &Input<'_>) -> Vec<(String, String)> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Asked<'a> {
        #[serde(borrow)]
        questions: List<Maybe<Question<'a>>>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Question<'a> {
        #[serde(borrow)]
        id: Text<'a>,
        question: Text<'a>,
    }
    let asked: Asked<'_> = serde_json::from_str(input.as_str()).unwrap_or_default();
    let questions = asked.questions.0.into_iter().filter_map(|question| question.0);
    questions.map(|asked| (asked.id.as_str().to_owned(), asked.question.as_str().to_owned())).collect()
}

/// What the human answered, if the output holds answers: each a line behind its question, or behind its id where that is all that is
/// known of it.
fn answers(text: &str, asked: &[(String, String)]) -> Option<String> {
    #[derive(Deserialize)]
    struct Answers<'a> {
        #[serde(borrow)]
        answers: Pairs<'a, &'a RawValue>,
    }
    if !text.starts_with("{\"answers\"") {
        return None;
    }
    let found: Answers<'_> = serde_json::from_str(text).ok()?;
    let lines = found.answers.0.iter().filter_map(|(id, answer)| {
        let words = text_under(answer.get().as_bytes(), &["answers"]);
        let question = asked.iter().find(|(known, _)| known == id).map_or(&**id, |(_, question)| question);
        (!words.is_empty()).then(|| answered(question, &words.lines().collect::<Vec<_>>().join("; ")))
    });
    Some(lines.collect::<Vec<_>>().join("\n")).filter(|said| !said.is_empty())
}
