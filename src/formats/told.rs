//! What a transcript says about its session: told once, and again when it changes.

use std::borrow::Cow;

use super::json::Text;
use crate::transcript::{Fact, LaneKey, Sink};

/// What was told already.
#[derive(Debug, Default)]
pub(super) struct Told {
    session: String,
    version: String,
    directory: String,
    branch: String,
    models: Vec<(String, String)>,
}

impl Told {
    /// Tells whose record this is, as far as that is new.
    pub(super) fn session<'l>(&mut self, id: &'l Text<'_>, version: &'l Text<'_>, sink: &mut dyn Sink) {
        news(&mut self.session, id, Fact::Session, sink);
        news(&mut self.version, version, Fact::Version, sink);
    }

    /// Tells where it was written, as far as that is new.
    pub(super) fn place<'l>(&mut self, directory: &'l Text<'_>, branch: &'l Text<'_>, sink: &mut dyn Sink) {
        news(&mut self.directory, directory, Fact::Directory, sink);
        news(&mut self.branch, branch, Fact::Branch, sink);
    }

    /// Tells which model answers in a lane, where that is new; a lane that is new as well has the main agent for its parent.
    pub(super) fn lane(&mut self, lane: &LaneKey<'_>, model: Option<&str>, sink: &mut dyn Sink) {
        let at = self.models.iter().position(|(name, _)| name == lane.name()).unwrap_or_else(|| {
            self.models.push((lane.name().to_owned(), String::new()));
            if let LaneKey::Sub(_) = lane {
                sink.fact(Fact::Lane { lane: lane.clone(), parent: LaneKey::Main });
            }
            self.models.len() - 1
        });
        if let (Some((_, known)), Some(model)) = (self.models.get_mut(at), model.filter(|model| !model.starts_with('<')))
            && known != model
        {
            model.clone_into(known);
            sink.fact(Fact::Model(lane.clone(), model.into()));
        }
    }
}

fn news<'l>(known: &mut String, field: &'l Text<'_>, fact: fn(Cow<'l, str>) -> Fact<'l>, sink: &mut dyn Sink) {
    if let Some(value) = field.filled().filter(|value| known != value) {
        value.clone_into(known);
        sink.fact(fact(value.into()));
    }
}
