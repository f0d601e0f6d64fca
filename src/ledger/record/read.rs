//! From JSON to records.

use serde_json::Value;

use super::fields::Fields;
use super::{Anchor, CARRIER, Close, Declared, Ends, LEDGER, Mistake, Opening, Record, Says};
use crate::base::hash::Hash64;
use crate::base::time::Stamp;
use crate::ledger::effects::EffectStatus;
use crate::ledger::entry::{Check, EdgeKind, EntryKind, EntryStatus, Scope, Weight};

/// The lane that is meant where none is named.
const MAIN: &str = "main";

/// Reads one line of a side ledger, or the next value of a line on which several stand. A carrier is a record that opens.
///
/// # Errors
/// What is wrong with it, and in which field.
pub fn read(value: Value) -> Result<Record, Mistake> {
    let mut fields = Fields::of(value)?;
    let schema = schema(&mut fields)?;
    let lane = fields.text("lane")?.unwrap_or_else(|| MAIN.to_owned());
    let anchor = anchor(&mut fields)?;
    let says = match schema {
        Schema::Carrier => Says::Open(Box::new(opening(&mut fields, schema)?)),
        Schema::Ledger => match fields.word("do", &Verb::ALL, Verb::word)? {
            Some(Verb::Open) => Says::Open(Box::new(opening(&mut fields, schema)?)),
            Some(Verb::Close) => Says::Close(closing(&mut fields)?),
            Some(Verb::Call) => Says::Call(declared(&mut fields)?),
            None => return Err(fields.mistake("do", "is missing: open, close or call")),
        },
    };
    fields.end()?;
    Ok(Record { lane, anchor, says })
}

/// Reads a value of a side ledger: one record, or as many as there are in a list of carriers.
#[must_use]
pub fn read_all(value: Value) -> Vec<Result<Record, Mistake>> {
    match value {
        Value::Object(mut object) if object.contains_key("carriers") => {
            let list = object.remove("carriers").unwrap_or_default();
            listed(Value::Object(object), list).unwrap_or_else(|mistake| vec![Err(mistake)])
        }
        one => vec![read(one)],
    }
}

/// The carriers of a list, of which `around` is all the rest.
fn listed(around: Value, list: Value) -> Result<Vec<Result<Record, Mistake>>, Mistake> {
    let mut fields = Fields::of(around)?;
    if schema(&mut fields)? != Schema::Carrier {
        return Err(fields.mistake("carriers", "only a list of carriers has these"));
    }
    fields.pass("left_out");
    fields.end()?;
    let Value::Array(list) = list else { return Err(Mistake::at("carriers", "must be a list of objects")) };
    let one = |mut one: Value| {
        if let Value::Object(carrier) = &mut one {
            carrier.entry("schema").or_insert_with(|| CARRIER.into());
        }
        read(one)
    };
    Ok(list.into_iter().map(one).collect())
}

/// Reads a carrier, wherever its entry opened.
pub(super) fn carrier(value: Value) -> Result<Opening, Mistake> {
    let mut fields = Fields::of(value)?;
    // Inside a list the list says what it is.
    fields.pass("schema");
    fields.pass("lane");
    fields.pass("place");
    let opening = opening(&mut fields, Schema::Carrier)?;
    fields.end()?;
    Ok(opening)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Schema {
    Ledger,
    Carrier,
}

/// What a line of a side ledger does.
#[derive(Clone, Copy)]
enum Verb {
    Open,
    Close,
    Call,
}

impl Verb {
    const ALL: [Self; 3] = [Self::Open, Self::Close, Self::Call];

    fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Close => "close",
            Self::Call => "call",
        }
    }
}

fn schema(fields: &mut Fields) -> Result<Schema, Mistake> {
    match fields.needed_text("schema")?.as_str() {
        LEDGER => Ok(Schema::Ledger),
        CARRIER => Ok(Schema::Carrier),
        other => Err(fields.mistake("schema", format!("`{other}` is none of {LEDGER}, {CARRIER}"))),
    }
}

/// The line, where it is known: it is the more exact of the two.
fn anchor(fields: &mut Fields) -> Result<Anchor, Mistake> {
    let missing = "is missing: the line of the transcript (`line`), or a time (`at`)";
    let Some(mut place) = fields.object("place")? else { return Err(fields.mistake("place", missing)) };
    let line = place.count("line")?;
    let at = match place.text("at")? {
        Some(text) => Some(Stamp::parse(&text).ok_or_else(|| place.mistake("at", format!("`{text}` is no RFC 3339 time")))?),
        None => None,
    };
    place.end()?;
    line.map(Anchor::Line).or(at.map(Anchor::Time)).ok_or_else(|| fields.mistake("place", missing))
}

fn opening(fields: &mut Fields, schema: Schema) -> Result<Opening, Mistake> {
    let key = fields.needed_text("key")?;
    let Some(kind) = fields.word("kind", &EntryKind::ALL, EntryKind::word)? else {
        return Err(fields.mistake("kind", "is missing"));
    };
    let also = fields.words("also", &EntryKind::ALL, EntryKind::word)?;
    let mut is_part = false;
    if schema == Schema::Carrier {
        fields.pass("entry");
        fields.pass("tokens");
        is_part = fields.pass("pointer");
    }
    Ok(Opening {
        key,
        kind,
        also,
        text: fields.needed_text("text")?,
        is_part,
        scope: fields.word("scope", &[Scope::Standing, Scope::OneShot, Scope::Action], Scope::word)?,
        colour: fields.word("colour", &[Weight::Repair, Weight::Barrier], Weight::word)?,
        call: fields.text("call")?,
        effect: effect(fields)?,
        action: action(fields)?,
        target: fields.text("target")?,
        idempotency_key: fields.text("idempotency_key")?,
        attempts: fields.count("attempts")?,
        progress: fields.texts("progress")?,
        preconditions: fields.texts("preconditions")?,
        discharge: discharge(fields)?,
        edges: edges(fields)?,
    })
}

fn effect(fields: &mut Fields) -> Result<Option<EffectStatus>, Mistake> {
    fields.word("effect", &[EffectStatus::Committed, EffectStatus::NotStarted, EffectStatus::Unknown], EffectStatus::word)
}

fn action(fields: &mut Fields) -> Result<Option<Hash64>, Mistake> {
    let Some(text) = fields.text("action")? else { return Ok(None) };
    match u64::from_str_radix(&text, 16) {
        Ok(hash) if text.len() == 16 => Ok(Some(Hash64(hash))),
        _ => Err(fields.mistake("action", "must be 16 hexadecimal digits")),
    }
}

fn discharge(fields: &mut Fields) -> Result<Option<Ends>, Mistake> {
    let Some(mut ends) = fields.object("discharge")? else { return Ok(None) };
    let read = Ends {
        text: ends.needed_text("text")?,
        check: ends.word("check", &Check::ALL, Check::word)?,
        needs: ends.texts("needs")?,
        observable: ends.flag("observable")?.unwrap_or(true),
    };
    ends.end()?;
    Ok(Some(read))
}

fn edges(fields: &mut Fields) -> Result<Vec<(EdgeKind, String)>, Mistake> {
    let edges = fields.objects("edges")?.into_iter().map(|mut edge| {
        let Some(kind) = edge.word("type", &EdgeKind::ALL, EdgeKind::word)? else {
            return Err(edge.mistake("type", "is missing"));
        };
        let to = edge.needed_text("to")?;
        edge.end()?;
        Ok((kind, to))
    });
    edges.collect()
}

fn closing(fields: &mut Fields) -> Result<Close, Mistake> {
    let key = fields.needed_text("key")?;
    let how = fields.word("how", &EntryStatus::CLOSED, EntryStatus::word)?;
    let effect = effect(fields)?;
    if effect == Some(EffectStatus::Unknown) {
        return Err(fields.mistake("effect", "what is still unknown is not closed"));
    }
    let how = how.unwrap_or(if effect.is_some() { EntryStatus::Reconciled } else { EntryStatus::Discharged });
    Ok(Close { key, how, effect })
}

fn declared(fields: &mut Fields) -> Result<Declared, Mistake> {
    let call = fields.needed_text("call")?;
    let declared = Declared { call, effect: effect(fields)?, idempotency_key: fields.text("idempotency_key")? };
    if declared.effect.is_none() && declared.idempotency_key.is_none() {
        return Err(Mistake::whole("says nothing of the call: give `effect`, `idempotency_key` or both"));
    }
    Ok(declared)
}
