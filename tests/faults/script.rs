//! Scripts: one event a line, as `bash c3 git status`. `\n` in a line stands for a line break.

/// One event of a script.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) verb: Verb,
    /// By what facts name it; calls and their results share it.
    pub(crate) id: String,
    pub(crate) text: String,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// The human types.
    Prompt,
    /// The agent says, without or with an id to be named by.
    Say,
    /// The agent calls: `bash ID COMMAND`, `read ID PATH`, `tool ID NAME JSON`.
    Bash,
    Read,
    Tool,
    /// How it ends: `ok`, `error`, `refused` by validation, `declined` by the human, each `ID TEXT`.
    Ok,
    Error,
    /// The runtime tells that something in the background ended.
    Notice,
    /// The turn ends.
    Turn,
    /// A compaction, earlier than the one in question; its summary.
    Summary,
    /// What comes from here on up to the boundary is kept in the context.
    Keep,
    /// The results of these calls are taken out of the context.
    Mask,
}

/// Reads a script.
pub(crate) fn steps(script: &str) -> Vec<Step> {
    script.lines().map(str::trim).filter(|line| !line.is_empty()).map(step).collect()
}

fn step(line: &str) -> Step {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let verb = match word {
        "prompt" => Verb::Prompt,
        "say" | "says" => Verb::Say,
        "bash" => Verb::Bash,
        "read" => Verb::Read,
        "tool" => Verb::Tool,
        "ok" => Verb::Ok,
        "error" => Verb::Error,
        "notice" => Verb::Notice,
        "turn" => Verb::Turn,
        "summary" => Verb::Summary,
        "keep" => Verb::Keep,
        "mask" => Verb::Mask,
        other => panic!("no such event: {other} in {line:?}"),
    };
    let (id, text) = match word {
        "say" | "turn" | "summary" | "keep" => ("", rest),
        _ => rest.split_once(' ').unwrap_or((rest, "")),
    };
    // An input is JSON, which has line breaks of its own.
    let text = if verb == Verb::Tool { text.to_owned() } else { text.replace("\\n", "\n") };
    Step { verb, id: id.to_owned(), text }
}

impl Step {
    /// The name of the tool that a `tool` calls.
    pub(crate) fn tool(&self) -> &str {
        self.text.split_once(' ').unwrap().0
    }

    /// And its input.
    pub(crate) fn input(&self) -> serde_json::Value {
        let (_, input) = self.text.split_once(' ').unwrap();
        serde_json::from_str(input).unwrap_or_else(|error| panic!("{input}: {error}"))
    }
}
