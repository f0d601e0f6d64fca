//! One run, observation or span, whatever the words of its platform.

use serde_json::{Map, Value};

use crate::base::time::Stamp;
use crate::formats::outcome::{failure, inferred};
use crate::transcript::{Outcome, Usage};

/// What a record turned out to be.
pub(super) struct Seen {
    pub(super) at: Option<Stamp>,
    pub(super) session: Option<String>,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// A tool that was run; without an end, it has none yet.
    Tool { id: String, name: String, input: String, end: Option<(Outcome<'static>, String)> },
    /// A request to a model.
    Model { model: Option<String>, rules: Vec<String>, prompts: Vec<String>, answers: Vec<String>, usage: Option<Usage> },
    /// Anything else.
    Other,
}

/// How deep texts are looked for that were encoded as JSON in JSON.
const ENCODED: usize = 3;

/// Gives every run of LangSmith in a record to `each`.
pub(super) fn run(value: &Value, each: &mut dyn FnMut(Seen)) {
    objects(value, &|object| object.contains_key("run_type"), &mut |run| {
        let text = |key: &str| run.get(key).and_then(Value::as_str);
        let failed = run.get("error").is_some_and(|error| !error.is_null());
        let id = text("id").or(text("run_id")).unwrap_or_default().to_owned();
        let kind = match text("run_type") {
            Some("tool") => {
                let output = run.get("outputs").map(|out| out.get("output").unwrap_or(out));
                let told = output
                    .map(said)
                    .filter(|text| !text.is_empty())
                    .or_else(|| text("error").map(str::to_owned))
                    .unwrap_or_default();
                let open = run.get("end_time").is_none_or(Value::is_null) || text("status") == Some("pending");
                Kind::Tool {
                    id,
                    name: text("name").unwrap_or_default().to_owned(),
                    input: json(run.get("inputs")),
                    end: (!open).then(|| outcome(failed, told)),
                }
            }
            Some("llm") => {
                let (inputs, outputs) = (run.get("inputs").unwrap_or(&Value::Null), run.get("outputs").unwrap_or(&Value::Null));
                model(
                    model_name(run),
                    inputs,
                    outputs,
                    usage(outputs, "usage", ["prompt_tokens", "input_tokens"], ["completion_tokens", "output_tokens"]),
                )
            }
            _ => Kind::Other,
        };
        each(Seen { at: text("start_time").and_then(stamp), session: text("trace_id").map(str::to_owned), kind });
    });
}

/// Gives every observation of Langfuse in a record to `each`.
pub(super) fn observation(value: &Value, each: &mut dyn FnMut(Seen)) {
    let is = |object: &Map<String, Value>| {
        object.contains_key("type") && (object.contains_key("startTime") || object.contains_key("start_time"))
    };
    objects(value, &is, &mut |seen| {
        let text = |key: &str, other: &str| seen.get(key).or_else(|| seen.get(other)).and_then(Value::as_str);
        let kind = match text("type", "type") {
            Some("TOOL") => {
                let failed = text("level", "level") == Some("ERROR");
                let open = seen.get("endTime").or_else(|| seen.get("end_time")).is_none_or(Value::is_null);
                let output = seen.get("output").map(said).filter(|text| !text.is_empty());
                let told = output.or_else(|| text("statusMessage", "status_message").map(str::to_owned)).unwrap_or_default();
                let input = seen.get("input").map(decoded).map(|input| json(Some(&input)));
                Kind::Tool {
                    id: text("id", "id").unwrap_or_default().to_owned(),
                    name: text("name", "name").unwrap_or_default().to_owned(),
                    input: input.unwrap_or_else(|| "null".to_owned()),
                    end: (!open).then(|| outcome(failed, told)),
                }
            }
            Some("GENERATION") => {
                let part = |key: &str| seen.get(key).map(decoded).unwrap_or_default();
                let whole = Value::Object(seen.clone());
                let charged = usage(&whole, "usageDetails", ["input", "prompt_tokens"], ["output", "completion_tokens"]);
                model(text("model", "model").map(str::to_owned), &part("input"), &part("output"), charged)
            }
            _ => Kind::Other,
        };
        let session = text("traceId", "trace_id").map(str::to_owned);
        each(Seen { at: text("startTime", "start_time").and_then(stamp), session, kind });
    });
}

/// Whether an object is a span.
pub(super) fn is_span(object: &Map<String, Value>) -> bool {
    let id = ["spanId", "span_id", "spanID"].iter().any(|key| object.contains_key(*key))
        || object.get("context").is_some_and(|context| context.get("span_id").is_some())
        || object.get("spanContext").is_some_and(Value::is_object);
    id && (object.contains_key("attributes") || object.contains_key("tags") || object.contains_key("startTimeUnixNano"))
}

/// Gives every span of OpenTelemetry in a record to `each`.
pub(super) fn span(value: &Value, each: &mut dyn FnMut(Seen)) {
    objects(value, &is_span, &mut |span| {
        let attributes = attributes(span);
        let text = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key).map(said)).filter(|text| !text.is_empty());
        let kind_of = text(&["openinference.span.kind", "gen_ai.operation.name", "llm.request.type", "traceloop.span.kind"])
            .unwrap_or_default();
        let tool = text(&["gen_ai.tool.name", "ai.toolCall.name", "tool.name"]);
        let is_tool = matches!(kind_of.as_str(), "execute_tool" | "TOOL" | "tool") || tool.is_some() && kind_of != "LLM";
        let kind = if is_tool {
            let name = tool.or_else(|| span.get("name").or_else(|| span.get("operationName")).map(said)).unwrap_or_default();
            let id = text(&["gen_ai.tool.call.id", "ai.toolCall.id", "tool.id", "tool_call.id"]).unwrap_or_else(|| name.clone());
            let input = text(&[
                "gen_ai.tool.call.arguments",
                "ai.toolCall.args",
                "gcp.vertex.agent.tool_call_args",
                "input.value",
                "tool.parameters",
                "traceloop.entity.input",
            ]);
            let told = text(&[
                "gen_ai.tool.call.result",
                "ai.toolCall.result",
                "gcp.vertex.agent.tool_response",
                "output.value",
                "traceloop.entity.output",
            ])
            .or_else(|| span.get("status")?.get("message").map(said))
            .unwrap_or_default();
            let failed = attributes.contains_key("error.type") || is_error(span);
            let ended = match text(&["error.type"]).as_deref() {
                // One of the values that the conventions name.
                Some("timeout") => (Outcome::TimedOut, told),
                _ => outcome(failed, told),
            };
            let open =
                span.contains_key("endTimeUnixNano") && span.get("endTimeUnixNano").is_some_and(|end| end.is_null() || end == "0");
            Kind::Tool { id, name, input: input.unwrap_or_else(|| "null".to_owned()), end: (!open).then_some(ended) }
        } else if matches!(kind_of.as_str(), "chat" | "generate_content" | "text_completion" | "LLM" | "completion") {
            request(&attributes)
        } else {
            Kind::Other
        };
        let session = text(&["gen_ai.conversation.id", "session.id"]);
        let nanos = span.get("startTimeUnixNano").and_then(|at| at.as_u64().or_else(|| at.as_str()?.parse().ok()));
        let at = nanos.and_then(|nanos| i64::try_from(nanos / 1_000_000).ok()).map(Stamp);
        each(Seen { at: at.or_else(|| span.get("start_time").and_then(Value::as_str).and_then(stamp)), session, kind });
    });
}

/// A request to a model, in whichever dialect its span keeps it.
fn request(attributes: &Map<String, Value>) -> Kind {
    let number = |keys: &[&str]| {
        keys.iter().find_map(|key| attributes.get(*key).and_then(|n| n.as_u64().or_else(|| n.as_str()?.parse().ok())))
    };
    let input = number(&[
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.token_count.prompt",
        "ai.usage.promptTokens",
        "ai.usage.inputTokens",
    ]);
    let output = number(&[
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.token_count.completion",
        "ai.usage.completionTokens",
        "ai.usage.outputTokens",
    ]);
    let usage = (input.is_some() || output.is_some()).then(|| Usage {
        input: input.unwrap_or(0),
        output: output.unwrap_or(0),
        window: None,
    });
    let value = |keys: &[&str]| keys.iter().find_map(|key| attributes.get(*key)).map(decoded).unwrap_or_default();
    let mut inputs = value(&["gen_ai.input.messages", "ai.prompt.messages", "gcp.vertex.agent.llm_request"]);
    let mut outputs = value(&["gen_ai.output.messages", "ai.response.text", "gcp.vertex.agent.llm_response"]);
    for (into, prefixes) in
        [(&mut inputs, ["gen_ai.prompt.", "llm.input_messages."]), (&mut outputs, ["gen_ai.completion.", "llm.output_messages."])]
    {
        if into.is_null() {
            *into = numbered(attributes, prefixes);
        }
    }
    let name = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id"]
        .iter()
        .find_map(|key| attributes.get(*key).map(said));
    model(name, &inputs, &outputs, usage)
}

/// Messages that are spread over numbered keys: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`.
fn numbered(attributes: &Map<String, Value>, prefixes: [&str; 2]) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for n in 0..1000 {
        let find = |field: &str| {
            prefixes.iter().find_map(|prefix| {
                attributes.get(&format!("{prefix}{n}.{field}")).or_else(|| attributes.get(&format!("{prefix}{n}.message.{field}")))
            })
        };
        let (role, content) = (find("role"), find("content"));
        if role.is_none() && content.is_none() {
            break;
        }
        messages.push(serde_json::json!({"role": role, "content": content}));
    }
    if messages.is_empty() { Value::Null } else { Value::Array(messages) }
}

fn model(name: Option<String>, inputs: &Value, outputs: &Value, usage: Option<Usage>) -> Kind {
    let (mut rules, mut prompts, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    messages(inputs, &mut |role, text| match role {
        "system" | "developer" => rules.push(text),
        "user" | "human" => prompts.push(text),
        _ => {}
    });
    match outputs {
        Value::String(text) => answers.push(text.clone()),
        outputs => messages(outputs, &mut |role, text| {
            if matches!(role, "assistant" | "ai" | "model") {
                answers.push(text);
            }
        }),
    }
    Kind::Model { model: name, rules, prompts, answers, usage }
}

/// Gives role and text of every message in a value.
fn messages(value: &Value, each: &mut dyn FnMut(&str, String)) {
    match value {
        Value::Array(all) => all.iter().for_each(|value| messages(value, each)),
        Value::Object(object) => {
            let role = object.get("role").or_else(|| object.get("type")).and_then(Value::as_str).unwrap_or_default();
            let content = object
                .get("content")
                .or_else(|| object.get("parts"))
                .or_else(|| object.get("data").and_then(|data| data.get("content")));
            match content {
                Some(content) if matches!(role, "system" | "developer" | "user" | "human" | "assistant" | "ai" | "model") => {
                    let text = spoken(content);
                    if !text.trim().is_empty() {
                        each(role, text);
                    }
                }
                _ => object.values().filter(|value| value.is_array() || value.is_object()).for_each(|value| messages(value, each)),
            }
        }
        _ => {}
    }
}

/// The plain text of a message's content: calls and results are told by their own records.
fn spoken(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part: &Value| match part {
                Value::String(text) => Some(text.clone()),
                part if is_of_a_tool(part) => None,
                part => Some(part.get("text").or_else(|| part.get("content"))?.as_str()?.to_owned()),
            };
            parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Whether a part of a message is a call or its result, in whichever words: `tool_use`, `tool_result`, `tool_call_response`.
fn is_of_a_tool(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str).is_some_and(|kind| kind.contains("tool"))
}

fn outcome(failed: bool, text: String) -> (Outcome<'static>, String) {
    (if failed { failure(&text) } else { inferred(&text) }, text)
}

/// What went wrong with a span: its status, or what Jaeger made of it.
fn is_error(span: &Map<String, Value>) -> bool {
    let status = span.get("status").and_then(|status| status.get("code")).or_else(|| span.get("status_code"));
    status.is_some_and(|code| code == 2 || code == "2" || code == "STATUS_CODE_ERROR" || code == "ERROR")
}

/// The attributes of a span under their keys: of OTLP a list of typed values, of Jaeger one of tags, of Phoenix an object.
fn attributes(span: &Map<String, Value>) -> Map<String, Value> {
    let pair = |entry: &Value| {
        let value = entry.get("value")?;
        let inner = value.as_object().and_then(|typed| typed.values().next()).unwrap_or(value);
        Some((entry.get("key")?.as_str()?.to_owned(), inner.clone()))
    };
    match span.get("attributes").or_else(|| span.get("tags")) {
        Some(Value::Array(list)) => list.iter().filter_map(pair).collect(),
        Some(Value::Object(object)) => object.clone(),
        _ => Map::new(),
    }
}

/// Gives every object that `is` what is looked for to `each`, at whatever depth; what it holds itself is its own.
fn objects(value: &Value, is: &dyn Fn(&Map<String, Value>) -> bool, each: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(all) => all.iter().for_each(|value| objects(value, is, each)),
        Value::Object(object) if is(object) => each(object),
        Value::Object(object) => object.values().for_each(|value| objects(value, is, each)),
        _ => {}
    }
}

/// A value that may stand as JSON in a text, or in a text in a text.
fn decoded(value: &Value) -> Value {
    let mut value = value.clone();
    for _ in 0..ENCODED {
        match value.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}

/// What a value says: its text, or its JSON.
fn said(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(object) if object.get("content").is_some_and(Value::is_string) => {
            object.get("content").map(said).unwrap_or_default()
        }
        value => value.to_string(),
    }
}

fn json(value: Option<&Value>) -> String {
    value.map_or_else(|| "null".to_owned(), Value::to_string)
}

fn model_name(run: &Map<String, Value>) -> Option<String> {
    let extra = run.get("extra")?;
    let name = extra.get("metadata").and_then(|metadata| metadata.get("ls_model_name"));
    Some(name.or_else(|| extra.get("invocation_params")?.get("model"))?.as_str()?.to_owned())
}

fn usage(value: &Value, key: &str, input: [&str; 2], output: [&str; 2]) -> Option<Usage> {
    let counts = value.get(key)?;
    let number = |keys: [&str; 2]| keys.iter().find_map(|key| counts.get(*key)?.as_u64()).unwrap_or(0);
    let (input, output) = (number(input), number(output));
    (input + output > 0).then_some(Usage { input, output, window: None })
}

/// Times are RFC 3339, mostly; databases leave the `T` and the zone out.
fn stamp(text: &str) -> Option<Stamp> {
    Stamp::parse(text).or_else(|| Stamp::parse(&format!("{}Z", text.replacen(' ', "T", 1))))
}
