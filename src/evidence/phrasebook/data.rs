//! The shape of `assets/evidence.toml`.

use serde::Deserialize;

/// `evidence.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub(super) empty: Empty,
    pub(super) negation: Negation,
    pub(super) force: Force,
    pub(super) status: Status,
    pub(super) section: Section,
    pub(super) order: Order,
    pub(super) scope: Scope,
    pub(super) actions: Actions,
    pub(super) authority: Authority,
    pub(super) announcement: Announcement,
    pub(super) labels: Labels,
    pub(super) same: Same,
    pub(super) forms: Forms,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Empty {
    pub(super) quantities: String,
    pub(super) words: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Negation {
    pub(super) phrases: Vec<String>,
    pub(super) void: Vec<String>,
    pub(super) contrast: Vec<String>,
    pub(super) lacks: Vec<String>,
    pub(super) leave: String,
    pub(super) subjects: String,
    pub(super) tells: String,
    pub(super) opposites: Vec<String>,
    pub(super) alone: String,
    pub(super) unspaced: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Force {
    pub(super) permits: Vec<String>,
    pub(super) weak: Vec<String>,
    pub(super) softens: Vec<String>,
    pub(super) binds: Vec<String>,
    pub(super) lets: Vec<String>,
    pub(super) needs: Vec<String>,
    pub(super) bounds: Vec<String>,
    pub(super) repeats: Vec<String>,
    pub(super) strong: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {
    pub(super) denial: Vec<String>,
    pub(super) doubt: Vec<String>,
    pub(super) decided: Vec<String>,
    pub(super) unknown: Vec<String>,
    pub(super) pending: Vec<String>,
    pub(super) left: Vec<String>,
    pub(super) failed: Vec<String>,
    pub(super) done: Vec<String>,
    pub(super) progress: Vec<String>,
    pub(super) places: Vec<String>,
    pub(super) nothing: Vec<String>,
    pub(super) pending_marks: Vec<String>,
    pub(super) failed_marks: Vec<String>,
    pub(super) done_marks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Section {
    pub(super) pending: Vec<String>,
    pub(super) done: Vec<String>,
    pub(super) rules: Vec<String>,
    pub(super) requests: Vec<String>,
    pub(super) quotes: Vec<String>,
    pub(super) unknown: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub(super) turned: Vec<String>,
    pub(super) rests: Vec<String>,
    pub(super) void_order: Vec<String>,
    pub(super) reasons: Vec<String>,
    pub(super) causes: Vec<String>,
    pub(super) waits: Vec<String>,
    pub(super) first_word: Vec<String>,
    pub(super) first_left: Vec<String>,
    pub(super) first_right: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scope {
    pub(super) phrases: Vec<String>,
    pub(super) exceptions: Vec<String>,
    pub(super) exclusive: Vec<String>,
    pub(super) wide: Vec<String>,
    pub(super) general: Vec<String>,
    pub(super) waives: Vec<String>,
    pub(super) lifts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Actions {
    pub(super) checks: Vec<String>,
    pub(super) commits: Vec<String>,
    pub(super) ends: Vec<String>,
    pub(super) pushes: Vec<String>,
    pub(super) works: Vec<String>,
    pub(super) machine: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Authority {
    pub(super) speakers: Vec<String>,
    pub(super) agreed: Vec<String>,
    pub(super) ordered: Vec<String>,
    pub(super) consent: Vec<String>,
    pub(super) asked_first: Vec<String>,
    pub(super) reports: Vec<String>,
    pub(super) refers: String,
    pub(super) yes: Vec<String>,
    pub(super) assents: Vec<String>,
    pub(super) affirms: Vec<String>,
    pub(super) grants: Vec<String>,
    pub(super) depends: Vec<String>,
    pub(super) unanswered: Vec<String>,
    pub(super) wants: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Announcement {
    pub(super) phrases: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Labels {
    pub(super) giving: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Same {
    pub(super) groups: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Forms {
    pub(super) carry: String,
    pub(super) bears: String,
    pub(super) infinitive: String,
    pub(super) modals: String,
    pub(super) awaits: String,
    pub(super) relative: String,
    pub(super) attempts: String,
    pub(super) tries: String,
    pub(super) pronouns: String,
    pub(super) inquires: String,
    pub(super) leads: String,
    pub(super) commands: String,
    pub(super) sends: String,
    pub(super) join: String,
    pub(super) unchanged: String,
    pub(super) past: Vec<String>,
    pub(super) other: Vec<String>,
}
