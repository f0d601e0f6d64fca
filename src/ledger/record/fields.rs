//! The fields of a JSON object, taken out one by one; what is left over was known to nobody.

use serde_json::{Map, Value};

use super::Mistake;

/// An object that is being read.
pub(super) struct Fields {
    /// The dotted name of the object, with a dot at its end; empty at the top.
    within: String,
    values: Map<String, Value>,
    /// The names that were asked for.
    known: Vec<&'static str>,
}

impl Fields {
    /// The fields of the record itself.
    pub(super) fn of(value: Value) -> Result<Self, Mistake> {
        match value {
            Value::Object(values) => Ok(Self { within: String::new(), values, known: Vec::new() }),
            other => Err(Mistake::whole(format!("a record is an object, not {}", name_of(&other)))),
        }
    }

    /// A text.
    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Mistake> {
        self.read(name, "a text", |value| match value {
            Value::String(text) => Ok(text),
            other => Err(other),
        })
    }

    /// A text that must be there, and say something.
    pub(super) fn needed_text(&mut self, name: &'static str) -> Result<String, Mistake> {
        match self.text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.mistake(name, "must not be empty")),
            None => Err(self.mistake(name, "is missing")),
        }
    }

    /// A whole number from 1.
    pub(super) fn count(&mut self, name: &'static str) -> Result<Option<u32>, Mistake> {
        self.read(name, "a whole number from 1", |value| {
            let number = value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
            number.ok_or(value)
        })
    }

    /// True or false.
    pub(super) fn flag(&mut self, name: &'static str) -> Result<Option<bool>, Mistake> {
        self.read(name, "true or false", |value| value.as_bool().ok_or(value))
    }

    /// A list of texts; none is an empty one.
    pub(super) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Mistake> {
        let texts = self.read(name, "a list of texts", |value| {
            let texts = value.as_array().map(|all| all.iter().map(|one| one.as_str().map(str::to_owned)).collect());
            texts.flatten().ok_or(value)
        });
        texts.map(Option::unwrap_or_default)
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(
        &mut self,
        name: &'static str,
        all: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Mistake> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = all.iter().copied().find(|one| word(*one) == text);
        found.map(Some).ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|one| word(*one)).collect();
            self.mistake(name, format!("`{text}` is none of {}", words.join(", ")))
        })
    }

    /// A list of such words; none is an empty one.
    pub(super) fn words<T: Copy>(
        &mut self,
        name: &'static str,
        all: &[T],
        word: impl Fn(T) -> &'static str,
    ) -> Result<Vec<T>, Mistake> {
        let texts = self.texts(name)?;
        let read = |text: String| {
            let found = all.iter().copied().find(|one| word(*one) == text);
            found.ok_or_else(|| self.mistake(name, format!("`{text}` is none of the kinds of entry")))
        };
        texts.into_iter().map(read).collect()
    }

    /// An object.
    pub(super) fn object(&mut self, name: &'static str) -> Result<Option<Self>, Mistake> {
        let values = self.read(name, "an object", as_object)?;
        Ok(values.map(|values| Self { within: format!("{}{name}.", self.within), values, known: Vec::new() }))
    }

    /// A list of objects; none is an empty one.
    pub(super) fn objects(&mut self, name: &'static str) -> Result<Vec<Self>, Mistake> {
        let list = self.read(name, "a list of objects", |value| match value {
            Value::Array(list) if list.iter().all(Value::is_object) => Ok(list),
            other => Err(other),
        })?;
        let objects = list.unwrap_or_default().into_iter().filter_map(|value| as_object(value).ok());
        let within = |n: usize| format!("{}{name}.{n}.", self.within);
        Ok(objects.enumerate().map(|(n, values)| Self { within: within(n), values, known: Vec::new() }).collect())
    }

    /// Takes a field whose value means nothing here.
    pub(super) fn pass(&mut self, name: &'static str) -> bool {
        self.known.push(name);
        self.values.remove(name).is_some_and(|value| !value.is_null())
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> Result<(), Mistake> {
        match self.values.keys().next() {
            Some(unknown) => {
                let known = self.known.join(", ");
                Err(self.mistake(unknown, format!("nobody knows this field; there are {known}")))
            }
            None => Ok(()),
        }
    }

    /// A mistake in a field of this object.
    pub(super) fn mistake(&self, name: &str, message: impl Into<String>) -> Mistake {
        Mistake::at(format!("{}{name}", self.within), message)
    }

    /// Takes a field; one that is null is not there.
    fn read<T>(
        &mut self,
        name: &'static str,
        wanted: &str,
        read: impl FnOnce(Value) -> Result<T, Value>,
    ) -> Result<Option<T>, Mistake> {
        self.known.push(name);
        match self.values.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                Ok(read) => Ok(Some(read)),
                Err(other) => Err(self.mistake(name, format!("must be {wanted}, not {}", name_of(&other)))),
            },
        }
    }
}

fn as_object(value: Value) -> Result<Map<String, Value>, Value> {
    match value {
        Value::Object(values) => Ok(values),
        other => Err(other),
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "this number",
        Value::String(_) => "a text",
        Value::Array(_) => "this list",
        Value::Object(_) => "an object",
    }
}
