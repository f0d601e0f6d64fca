//! `owed.formats/1`: the transcript formats that are known.

use serde::Serialize;

use crate::formats::Format;
use crate::transcript::{Container, Whereabouts};

/// The formats.
#[derive(Clone, Debug, Serialize)]
pub struct FormatsReport {
    /// `owed.formats/1`.
    pub schema: &'static str,
    /// One row each.
    pub formats: Vec<FormatReport>,
}

/// One format.
#[derive(Clone, Debug, Serialize)]
pub struct FormatReport {
    /// Its id, as `--format` takes it.
    pub id: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What people call the agent.
    pub title: &'static str,
    /// How it is stored: `lines` (one JSON record a line), `document`, `files` (a folder of them), `database`; the usual way first.
    pub container: &'static str,
    /// The other ways.
    pub also: Vec<&'static str>,
    /// The variables that put one of its places elsewhere.
    pub variables: Vec<&'static str>,
    /// Where its sessions lie: patterns below the home folder, while the variable of a place is not set.
    pub places: Vec<String>,
}

impl FormatsReport {
    /// The twin of the registry.
    #[must_use]
    pub fn of<'f>(formats: impl IntoIterator<Item = &'f Format>) -> Self {
        Self { schema: "owed.formats/1", formats: formats.into_iter().map(FormatReport::of).collect() }
    }
}

impl FormatReport {
    fn of(format: &Format) -> Self {
        let containers = distinct(format.containers.iter().map(word));
        Self {
            id: format.agent.0,
            aliases: format.aliases,
            title: format.title,
            container: containers.first().copied().unwrap_or_default(),
            also: containers.into_iter().skip(1).collect(),
            variables: distinct(format.whereabouts.iter().map(|place| place.variable).filter(|name| !name.is_empty())),
            places: distinct(format.whereabouts.iter().flat_map(patterns)),
        }
    }
}

/// Each once, where it first stands.
fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

fn word(container: &Container) -> &'static str {
    match container {
        Container::Lines => "lines",
        Container::Document(_) => "document",
        Container::Files(_) | Container::Spliced(_) => "files",
        Container::Database(_) => "database",
    }
}

fn patterns(place: &Whereabouts) -> Vec<String> {
    let name = |folder: &&str| {
        let parts = ["~", place.home, folder, if place.depth == 0 { "" } else { "**" }];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}/{}*{}", parts.join("/"), place.prefix, place.suffix)
    };
    place.folders.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::registry::FORMATS;

    #[test]
    fn a_place_that_two_variables_move_is_named_once_and_both_variables_are() {
        let qwen = FormatsReport::of(FORMATS.iter().copied()).formats.into_iter().find(|format| format.id == "qwen-code").unwrap();
        assert_eq!(qwen.places, ["~/.qwen/projects/**/*.jsonl", "~/.qwen/tmp/**/*.jsonl"]);
        assert_eq!(qwen.variables, ["QWEN_RUNTIME_DIR", "QWEN_HOME"]);
    }
}
