//! OpenCode: its database (`~/.local/share/opencode/opencode.db`, of 1.2 and of 2.0), the folder of JSON files that came before it
//! (`storage/session/*/ses_*.json`), and what `opencode export` prints.
//!
//! A call and its result are one part of a message, which is written anew as the call goes on. The database is therefore told in the
//! order of time: a call where it began, its end where it ended. So what comes later stands later, and nothing that was told changes.

mod line;
mod outcome;
mod tables;
mod tell;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use crate::formats::adapter::{Adapter, Format, Recognised};
use crate::formats::emit::Emit;
use crate::formats::json::{self, each_record};
use crate::formats::rows;
use crate::transcript::{Agent, Container, Document, Files, LaneKey, Record, Sink, Whereabouts};
use line::Line;
use tell::Teller;

const OPENCODE: Agent = Agent("opencode");

/// The format's row in the registry.
pub static FORMAT: Format = Format {
    agent: OPENCODE,
    aliases: &["open-code"],
    title: "OpenCode",
    containers: &[
        Container::Database(tables::V2),
        Container::Database(tables::V1),
        Container::Document(EXPORT),
        Container::Files(STORAGE),
        Container::Files(OLDEST),
    ],
    recognises,
    open: |opening| Box::new(OpenCode { lane: opening.lane.clone(), teller: Teller::default() }),
    whereabouts: &[
        Whereabouts {
            variable: "XDG_DATA_HOME",
            home: ".local/share",
            folders: &["opencode"],
            depth: 0,
            prefix: "opencode",
            suffix: ".db",
            ..Whereabouts::new(OPENCODE)
        },
        Whereabouts {
            variable: "XDG_DATA_HOME",
            home: ".local/share",
            folders: &["opencode/storage/session"],
            depth: 1,
            prefix: "ses_",
            suffix: ".json",
            ..Whereabouts::new(OPENCODE)
        },
    ],
};

/// A message is told with its parts: what a part means hangs on whose message it is.
const EXPORT: Document = Document { header: &["info"], lists: &["messages"] };

const STORAGE: Files = Files { list: "messages", pattern: "../../message/{}/*.json", each: Some(&PARTS), ..PARTS };

const PARTS: Files = Files { own: "info", list: "parts", pattern: "../../part/{}/*.json", each: None, document: EXPORT };

/// Before there were projects: `session/info/ses_*.json`, `session/message/SESSION/*.json`, `session/part/SESSION/MESSAGE/*.json`.
const OLDEST: Files = Files { list: "messages", pattern: "../message/{}/*.json", each: Some(&OLDEST_PARTS), ..PARTS };

const OLDEST_PARTS: Files = Files { pattern: "../../part/{folder}/{}/*.json", ..PARTS };

fn recognises(record: &Map<String, Value>) -> Recognised {
    let has = |object: &Map<String, Value>, keys: &[&str]| keys.iter().all(|key| object.contains_key(*key));
    let is_session =
        |info: &Map<String, Value>| has(info, &["id", "directory", "title", "time"]) || has(info, &["id", "projectID", "time"]);
    let export = record.get("info").and_then(Value::as_object).is_some_and(is_session)
        && record.get("messages").is_some_and(Value::is_array);
    let oldest = has(record, &["id", "title", "time"]);
    let file = (is_session(record) || oldest) && record.get("id").and_then(Value::as_str).is_some_and(|id| id.starts_with("ses_"));
    if export || file { Recognised::Yes } else { Recognised::No }
}

struct OpenCode {
    lane: LaneKey<'static>,
    teller: Teller,
}

impl Adapter for OpenCode {
    fn record(&mut self, record: Record<'_>, sink: &mut dyn Sink) {
        let Self { lane, teller } = self;
        each_record(record, sink, |record, sink| {
            let line: Line<'_> = json::read(record.bytes)?;
            let mut out = Emit::new(rows::lane(&line.session, &line.root, lane), record.place, sink);
            teller.line(&line, record.bytes, &mut out);
            Ok(())
        });
    }
}
