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
    /// `lines`: one JSON record a line.
    pub container: &'static str,
    /// The variable that moves the agent's own folder; empty where there is none.
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
        let place = &format.whereabouts;
        Self {
            id: format.agent.0,
            aliases: format.aliases,
            title: format.title,
            container: match format.container {
                Container::Lines => "lines",
            },
            variable: if place.variable.is_empty() {
                place.others.first().map_or("", |(variable, _)| variable)
            } else {
                place.variable
            },
            places: place.folders.iter().map(|folder| pattern(place, folder)).collect(),
        }
    }
}

/// Where sessions lie below one of an agent's folders.
fn pattern(place: &Whereabouts, folder: &str) -> String {
    let path: Vec<&str> = ["~", place.home, folder].into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}/**/{}*{}", path.join("/"), place.prefix, place.suffix)
}
