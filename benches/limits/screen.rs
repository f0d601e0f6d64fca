//! What the inspector needs to be opened without a terminal: a judge, looks, and a clock that stands still.

use std::sync::Arc;

use jiff::tz::TimeZone;
use owed::base::time::Stamp;
use owed::compaction::{Ask, Judgement, Models, Policies, Strictness, Urgency, judge};
use owed::ledger::LaneSnapshot;
use owed::transcript::Agent;
use owed::ui::keymap::Keymap;
use owed::ui::theme::Theme;
use owed::ui::{Judge, Options, PolicyName, Question};

/// The size that the limits are for, in cells.
pub(crate) const SIZE: (u16, u16) = (200, 60);

/// Judges by the built-in policies.
pub(crate) struct Bench {
    policies: Policies,
    models: Models,
}

impl Bench {
    pub(crate) fn boxed() -> Box<dyn Judge> {
        Box::new(Self { policies: Policies::load(&[]).unwrap(), models: Models::load(None).unwrap() })
    }
}

impl Judge for Bench {
    fn policies(&self) -> Vec<PolicyName> {
        self.policies.iter().map(PolicyName::from).collect()
    }

    fn judge(&self, agent: Agent, lane: &LaneSnapshot, question: &Question) -> Judgement {
        let asked = question.policy.as_deref().and_then(|name| self.policies.get(name).ok());
        let ask = Ask {
            at: None,
            policy: asked.or_else(|| self.policies.of_agent(agent.0)).unwrap(),
            window: self.models.window_for(lane.model.as_deref(), None, None),
            budget: None,
            cut: question.cut,
            strictness: Strictness::Normal,
            urgency: Urgency::Measured,
        };
        judge(lane, &ask)
    }
}

/// How the inspector looks out of the box.
pub(crate) fn looks() -> Options {
    Options {
        theme: Theme::load("terminal", None).unwrap(),
        keymap: Keymap::load(None).unwrap(),
        zone: TimeZone::UTC,
        clock: Arc::new(|| Stamp(1_772_442_131_000)),
        name: "owed".to_owned(),
        greeting: None,
        front: owed::ui::Front::default(),
        replay: None,
        outside: Arc::new(owed::ui::outside::Nowhere),
        beside: None,
        arrangement: Default::default(),
        behind: Default::default(),
    }
}
