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
    /// The variable that names the agent's own folder; empty where there is none.
    pub variable: &'static str,
    /// Where its sessions lie: patterns below the home folder, while that variable is not set.
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
        let mut containers = Vec::new();
        for container in format.containers.iter().map(word) {
            if !containers.contains(&container) {
                containers.push(container);
            }
        }
        Self {
            id: format.agent.0,
            aliases: format.aliases,
            title: format.title,
            container: containers.first().copied().unwrap_or_default(),
            also: containers.into_iter().skip(1).collect(),
            variable: format.whereabouts.first().map_or("", |place| place.variable),
            places: format.whereabouts.iter().flat_map(patterns).collect(),
        }
    }
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
