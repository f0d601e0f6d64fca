//! Sub-agents: how their parent hears of them.
//!
//! An agent is launched by a call that returns at once, and tells its end in the result of a later call, in a message that the
//! runtime puts in (`<subagent_notification>`), or by mail.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::news::News;
use crate::formats::json::Text;
use crate::transcript::JobState;

/// The handle of an agent's job.
pub(super) fn handle(agent: &str) -> String {
    format!("agent:{agent}")
}

/// The agent that a launching call's output names.
pub(super) fn launched(output: &str) -> Option<String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Launched<'a> {
        #[serde(borrow)]
        agent_id: Text<'a>,
        task_name: Text<'a>,
    }
    let launched: Launched<'_> = serde_json::from_str(output).ok()?;
    launched.agent_id.filled().or(launched.task_name.filled()).map(handle)
}

/// What a waiting call's output says, agent by agent. One that nobody answered in time says nothing.
pub(super) fn waited(output: &str) -> Vec<News> {
    #[derive(Deserialize)]
    struct Waited<'a> {
        #[serde(borrow)]
        status: BTreeMap<String, &'a RawValue>,
    }
    if !output.starts_with('{') {
        return Vec::new();
    }
    let statuses = serde_json::from_str::<Waited<'_>>(output).map(|waited| waited.status).unwrap_or_default();
    statuses.into_iter().map(|(agent, status)| status_news(&agent, status)).collect()
}

/// Whether an output is that of a call that closed an agent.
pub(super) fn closed(output: &str) -> bool {
    output.starts_with("{\"previous_status\"")
}

/// What `<subagent_notification>` says.
pub(super) fn notification(text: &str) -> Option<News> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Notification<'a> {
        #[serde(borrow)]
        agent_path: Text<'a>,
        agent_id: Text<'a>,
        status: Option<&'a RawValue>,
    }
    let body = text.trim().strip_prefix("<subagent_notification>")?.strip_suffix("</subagent_notification>")?;
    let told: Notification<'_> = serde_json::from_str(body).ok()?;
    Some(status_news(told.agent_path.filled().or(told.agent_id.filled())?, told.status?))
}

/// What an agent's last mail says.
pub(super) fn mail(text: &str) -> Option<News> {
    let rest = text.strip_prefix("Message Type: FINAL_ANSWER\n")?;
    let (head, payload) = rest.split_once("\nPayload:\n")?;
    let sender = head.lines().find_map(|line| line.strip_prefix("Sender: "))?;
    Some(News::of(&handle(sender.trim()), JobState::Completed, payload))
}

/// An agent's status: a word, or an object with the word as its key. A word that nobody knows says that it still runs.
fn status_news(agent: &str, status: &RawValue) -> News {
    let (word, text) = match serde_json::from_str::<BTreeMap<String, &RawValue>>(status.get()) {
        Ok(map) => match map.into_iter().next() {
            Some((word, said)) => (Cow::Owned(word), words(said)),
            None => (Cow::Borrowed(""), String::new()),
        },
        Err(_) => (Cow::Owned(words(status)), words(status)),
    };
    let state = match word.as_ref() {
        "completed" => JobState::Completed,
        "errored" | "not_found" => JobState::Failed,
        "interrupted" | "shutdown" => JobState::Killed,
        _ => JobState::Running,
    };
    News { handle: handle(agent), state, text }
}

/// A JSON string's text; anything else as it stands.
fn words(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(agent: &str, state: JobState, text: &str) -> News {
        News::of(&handle(agent), state, text)
    }

    #[test]
    fn a_launch_names_its_agent() {
        assert_eq!(launched(r#"{"agent_id":"a1","nickname":"Sartre"}"#), Some("agent:a1".into()));
        assert_eq!(launched(r#"{"task_name":"/root/explorer"}"#), Some("agent:/root/explorer".into()));
        assert_eq!(launched("collab spawn failed: no"), None);
        assert_eq!(launched(r#"{"ok":true}"#), None);
    }

    #[test]
    fn a_wait_tells_of_every_agent() {
        use JobState::{Completed, Failed, Killed, Running};
        assert_eq!(
            waited(
                r#"{"status":{"a":{"completed":"done"},"b":{"errored":"no net"},"c":"running","d":"shutdown","e":{"completed":null}},"timed_out":false}"#
            ),
            [
                news("a", Completed, "done"),
                news("b", Failed, "no net"),
                news("c", Running, "running"),
                news("d", Killed, "shutdown"),
                news("e", Completed, "null")
            ]
        );
        assert_eq!(waited(r#"{"status":{},"timed_out":true}"#), []);
        assert_eq!(waited(r#"{"status":"ok"}"#), []);
        assert_eq!(waited("free text"), []);
    }

    #[test]
    fn an_end_is_also_told_by_message_and_mail() {
        let text = "<subagent_notification>\n{\"agent_path\":\"/root/x\",\"status\":{\"completed\":\"all green\"}}\n</subagent_notification>";
        assert_eq!(notification(text), Some(news("/root/x", JobState::Completed, "all green")));
        assert_eq!(notification("<subagent_notification>soon</subagent_notification>"), None);
        let text = "Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/x\nPayload:\nall\ngreen";
        assert_eq!(mail(text), Some(news("/root/x", JobState::Completed, "all\ngreen")));
        assert_eq!(mail("Message Type: MESSAGE\nTask name: /root\nSender: /root/x\nPayload:\nhi"), None);
    }
}
