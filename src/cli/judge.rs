//! The judgement on a lane: the policies, the models, and what of the question was left to the settings.

use crate::base::ids::{EventIx, SpanIx};
use crate::cli::args::AboutArgs;
use crate::cli::count::TokenCount;
use crate::cli::failure::Failure;
use crate::cli::settings::Settings;
use crate::compaction::{Ask, Judgement, Models, Policies, Policy, Strictness, Urgency, Window, judge};
use crate::ledger::LaneSnapshot;
use crate::transcript::Agent;

/// What is asked of a compaction, whatever the lane.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The policy's name or alias; none: the one of the session's agent.
    pub(super) policy: Option<String>,
    window: Option<TokenCount>,
    budget: Option<TokenCount>,
    /// The first span to keep; none: where the policy cuts.
    pub(super) cut: Option<SpanIx>,
    /// Whether settled entries count.
    pub(super) strictness: Strictness,
    /// Whether a compaction is happening now.
    pub(super) urgency: Urgency,
}

impl Question {
    /// What the settings say where nothing is asked.
    pub(super) fn of_settings(settings: &Settings) -> Self {
        let check = &settings.config.check;
        Self {
            policy: check.policy.0.clone(),
            window: check.window.0,
            budget: check.budget.0,
            cut: None,
            strictness: if check.strict { Strictness::Strict } else { Strictness::Normal },
            urgency: Urgency::Measured,
        }
    }

    /// What the settings say of a compaction that is about to happen.
    pub(super) fn in_hook(policy: Option<&str>, urgency: Urgency, settings: &Settings) -> Self {
        let standing = Self::of_settings(settings);
        Self { policy: policy.map(str::to_owned).or(standing.policy), urgency, ..standing }
    }

    /// The same under the pressure that there is, where a compaction is not forced.
    pub(super) fn measured(&self) -> Self {
        Self { urgency: Urgency::Measured, ..self.clone() }
    }

    /// The same with the cut moved by hand, or left to the policy.
    pub(super) fn cut_at(&self, cut: Option<SpanIx>) -> Self {
        Self { cut, ..self.clone() }
    }

    /// What the command line says, over the settings.
    pub(super) fn of_args(args: &AboutArgs, settings: &Settings) -> Self {
        let standing = Self::of_settings(settings);
        Self {
            policy: args.policy.clone().or(standing.policy),
            window: args.window.or(standing.window),
            budget: args.budget.or(standing.budget),
            cut: args.cut.map(SpanIx),
            strictness: if args.strict { Strictness::Strict } else { standing.strictness },
            ..standing
        }
    }
}

/// What judgements are made with.
pub(super) struct Bench {
    pub(super) policies: Policies,
    models: Models,
}

impl Bench {
    /// Reads the policies and the models.
    ///
    /// # Errors
    /// A mistake in the user's files.
    pub(super) fn load(settings: &Settings) -> Result<Self, Failure> {
        Ok(Self { policies: settings.policies()?, models: settings.models()? })
    }

    /// The policy of a name; without one, of the agent.
    ///
    /// # Errors
    /// There is none of that name.
    pub(super) fn policy(&self, name: Option<&str>, agent: Agent) -> Result<&Policy, Failure> {
        match name {
            Some(name) => self.policies.get(name).map_err(|error| Failure::usage(error).next("`owed policies` describes them")),
            None => self.policies.of_agent(agent.0).ok_or_else(|| Failure::unexpected("there is no policy at all")),
        }
    }

    /// Judges a lane at a moment.
    pub(super) fn judge(&self, lane: &LaneSnapshot, at: Option<EventIx>, policy: &Policy, question: &Question) -> Judgement {
        let ask = Ask {
            at,
            policy,
            window: self.window(lane, at, question.window),
            budget: question.budget.map(|TokenCount(tokens)| tokens),
            cut: question.cut,
            strictness: question.strictness,
            urgency: question.urgency,
        };
        judge(lane, &ask)
    }

    /// The window asked for; else of the model, grown to hold what was seen in it.
    fn window(&self, lane: &LaneSnapshot, at: Option<EventIx>, asked: Option<TokenCount>) -> Window {
        // What a request recorded holds until another says otherwise, over boundaries too.
        let recorded = lane.usage.iter().rev().find(|usage| at.is_some_and(|at| usage.event <= at)).and_then(|usage| usage.window);
        let window = self.models.window_for(lane.model.as_deref(), recorded, asked.map(|TokenCount(tokens)| tokens));
        match (asked, at) {
            (None, Some(at)) => window.holding(lane.context_tokens_at(at).tokens),
            _ => window,
        }
    }
}
