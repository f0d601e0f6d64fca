//! What a JSON document looks like, by which its format is known: its keys, with what is long or deep left out.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::sketch::sketched;
use crate::source::error::Error;
use crate::source::file::Origin;
use crate::source::render::{document, from_start};

/// A document, as far as it could be read.
#[derive(Debug)]
pub struct Sketch {
    /// The document's beginning.
    pub value: Value,
    /// What is wrong with it, if it is not whole.
    pub broken: Option<String>,
}

impl Sketch {
    /// Looks through the document at `origin`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(origin: &Origin) -> Result<Self, Error> {
        let (file, _) = origin.open()?;
        Ok(Self::read(&file))
    }

    fn read(file: &Arc<std::fs::File>) -> Self {
        let mut from = serde_json::Deserializer::from_reader(from_start(file));
        let (value, read) = sketched(&mut from);
        let read = read.and_then(|()| from.end());
        Self { value, broken: read.err().map(|error| document::words(&error)) }
    }

    /// The objects that decide: the document itself, or the elements of an array; of elements that are arrays, their elements.
    #[must_use]
    pub fn objects(&self) -> Vec<&Map<String, Value>> {
        match &self.value {
            Value::Object(object) => vec![object],
            Value::Array(elements) => elements.iter().flat_map(inner).filter_map(Value::as_object).collect(),
            _ => Vec::new(),
        }
    }
}

fn inner(element: &Value) -> &[Value] {
    element.as_array().map_or(std::slice::from_ref(element), Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::spool::spool;

    fn sketch(json: &str) -> Sketch {
        Sketch::of(&Origin::Held(spool(&mut json.as_bytes()).unwrap())).unwrap()
    }

    #[test]
    fn what_is_torn_counts() {
        assert_eq!(sketch("{\"id\":\"T-1\"}").broken, None);
        let torn = sketch(r#"{"id":"T-1","messages":[{"role":"us"#);
        assert_eq!(torn.value["id"], "T-1");
        assert!(torn.broken.unwrap().contains("ends in the middle"));
        assert_eq!(sketch("[{\"a\":1},2,[\"values\",{\"b\":1}]]").objects().len(), 2);
    }
}
