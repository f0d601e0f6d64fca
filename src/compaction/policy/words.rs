//! A policy in words, primitive by primitive: what `owed policies` says of any of them, the user's own too.

use crate::compaction::policy::keep::{Edge, Head, HeadKind, IfAll, Measure, Otherwise, Overflow, Pin, Role, Roles, Tail, Unit};
use crate::compaction::policy::mask::{MaskHow, MaskOn};
use crate::compaction::policy::rest::{Inflate, Previous, Stand};
use crate::compaction::policy::trigger::{Moment, Reached};
use crate::compaction::policy::{Cut, Mask, Orphan, Policy, Recover, Reinjected, Threshold};

/// One primitive of a policy: its key, and what it does.
pub type Step = (&'static str, String);

impl Policy {
    /// What it does, in the order in which it does it. A primitive that it does not use is left out.
    #[must_use]
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = vec![("trigger", self.fires())];
        steps.extend(self.mask.iter().map(|mask| ("mask", masks(mask))));
        steps.push(("keep", self.stays()));
        steps.extend(self.cut.as_ref().map(|cut| ("cut", cuts(cut))));
        steps.extend(listed(&self.pairs(), "; ").map(|pairs| ("pair", pairs)));
        steps.extend(listed(&self.guarded(), "; ").map(|guards| ("guards", guards)));
        steps.extend(self.goes().map(|goes| ("rest", goes)));
        let after: Vec<String> = self.after.iter().map(|what| what.words().to_owned()).collect();
        steps.extend(listed(&after, ", ").map(|after| ("after", after)));
        let asks: Vec<String> = self.asks.iter().map(|topic| topic.words().to_owned()).collect();
        steps.extend(listed(&asks, ", ").map(|asks| ("asks", asks)));
        steps.push(("recover", self.recover.words().to_owned()));
        steps
    }

    /// When it compacts, and when it looks.
    #[must_use]
    pub fn fires(&self) -> String {
        let looks: Vec<String> = self.trigger.check.iter().map(|moment| moment.words().to_owned()).collect();
        match (self.reached(), listed(&looks, ", ")) {
            (Some(counts), Some(looks)) => format!("{counts}; looks {looks}"),
            (Some(counts), None) => counts,
            (None, Some(looks)) => looks,
            (None, None) => "never by itself".to_owned(),
        }
    }

    /// What makes it compact by itself; none where no count does.
    #[must_use]
    pub fn reached(&self) -> Option<String> {
        let of = &self.trigger;
        let counts = [
            (&of.tokens, "tokens"),
            (&of.messages, "messages"),
            (&of.turns, "turns"),
            (&of.events, "records"),
            (&of.items, "records of the model's"),
            (&of.tool_uses, "results"),
            (&of.images, "images"),
            (&of.idle_minutes, "idle minutes"),
        ];
        let reached = counts.into_iter().filter_map(|(at, unit)| Some(format!("{} {unit}", threshold(at.as_ref()?))));
        let blocks = of.block.iter().map(|at| format!("the run waits at {}", threshold(at)));
        listed(&reached.chain(blocks).collect::<Vec<_>>(), " or ")
    }

    /// What stays verbatim.
    #[must_use]
    pub fn stays(&self) -> String {
        if self.rest.is_none() {
            return if self.mask.iter().any(|mask| !mask.off) { "every message" } else { "everything" }.to_owned();
        }
        let keep = &self.keep;
        let mut stays = heads(&keep.head);
        stays.extend(keep.roles.as_ref().map(spoken));
        stays.extend(keep.tail.as_ref().map(tail));
        stays.extend(keep.ends.as_ref().map(|ends| format!("both ends, of {} tokens together", ends.tokens)));
        stays.extend(keep.pin.iter().map(|pin| pin.words().to_owned()));
        listed(&stays, "; ").unwrap_or_else(|| "nothing".to_owned())
    }

    fn goes(&self) -> Option<String> {
        let rest = self.rest.as_ref()?;
        let place = match rest.place {
            Stand::First => "before what stays",
            Stand::AfterHead => "behind the head",
            Stand::Last => "behind all that stays",
        };
        let out = rest.out.iter().map(|out| format!("of at most {out} tokens"));
        let newest = rest.see.newest_tokens.iter().map(|newest| format!("only the newest {newest} tokens of it are read"));
        let results = rest.see.result_chars.iter().map(|most| format!("of a result {most} characters are read"));
        let previous = (rest.previous == Previous::Merged).then(|| "an earlier summary is brought up to date".to_owned());
        let more: Vec<String> = [place.to_owned()].into_iter().chain(out).chain(newest).chain(results).chain(previous).collect();
        Some(format!("all else {}, {}", rest.does.words(), more.join("; ")))
    }

    fn pairs(&self) -> Vec<String> {
        let said = |what: &str, fate: Orphan| match fate {
            Orphan::Stays => None,
            Orphan::Dropped => Some(format!("{what} goes too")),
            Orphan::Stubbed => Some(format!("{what} is made whole by a text that knows nothing of what happened")),
        };
        let halves = [
            said("a call whose result is gone", self.pair.orphan_call),
            said("a result whose call is gone", self.pair.orphan_result),
            said("a call that has no result yet", self.pair.open_call),
        ];
        halves.into_iter().flatten().collect()
    }

    fn guarded(&self) -> Vec<String> {
        let guards = &self.guards;
        let progress = guards.min_progress.map(|share| format!("nothing happens when less than {share} of the messages would go"));
        let inflate =
            (guards.inflate == Inflate::Refused).then(|| "a summary longer than what it stands for is refused".to_owned());
        let breaker = guards.breaker.map(|times| format!("gives up after {times} failures in a row"));
        let fallback = guards.fallback.as_ref().map(|other| format!("{other} takes over when it fails"));
        [progress, inflate, breaker, fallback].into_iter().flatten().collect()
    }
}

/// The parts as one; none where there are none.
fn listed(parts: &[String], between: &str) -> Option<String> {
    (!parts.is_empty()).then(|| parts.join(between))
}

fn threshold(at: &Threshold) -> String {
    match at.reached {
        Reached::AtLeast => at.value.to_string(),
        Reached::Above => format!("more than {}", at.value),
    }
}

fn heads(head: &Head) -> Vec<String> {
    let kind = |kind: &HeadKind| match kind {
        HeadKind::System => "the system prompt and rules".to_owned(),
        HeadKind::FirstUser => "up to the first prompt".to_owned(),
    };
    head.messages
        .iter()
        .map(|n| if *n == 1 { "the first message".to_owned() } else { format!("the first {n} messages") })
        .chain(head.kinds.iter().map(kind))
        .collect()
}

fn spoken(roles: &Roles) -> String {
    let who = roles.kinds.iter().map(|role| match role {
        Role::User => "what the human typed",
        Role::Assistant => "what the model said",
    });
    let who = who.collect::<Vec<_>>().join(" and ");
    let Some(budget) = &roles.budget else { return who };
    let edge = match roles.edge {
        Overflow::Drop => "",
        Overflow::CutMiddle => ", the last of it without its middle",
        Overflow::CutEnd => ", the last of it without its end",
    };
    format!("{who}, up to {budget} tokens from the newest on{edge}")
}

fn tail(tail: &Tail) -> String {
    let unit = match tail.by {
        Measure::Tokens => "tokens",
        Measure::Messages => "messages",
        Measure::Events => "records",
        Measure::Groups => "groups of a call and its results",
        Measure::Turns => "turns",
        Measure::MessageShare => "of the messages",
        Measure::CharacterShare => "of the characters",
    };
    let least = if tail.edge == Edge::In { "at least " } else { "" };
    let whole = match tail.unit {
        Unit::Message => "",
        Unit::Group => " in whole groups",
        Unit::Turn => " in whole turns",
    };
    let conditions = [
        tail.split_turn.then(|| "a turn that does not fit is split".to_owned()),
        tail.within_last_turn.then(|| "within the last turn".to_owned()),
        (tail.least_texts > 0).then(|| format!("with at least {} texts", tail.least_texts)),
        tail.most_tokens.as_ref().map(|most| format!("up to {most} tokens")),
        tail.and_tokens.as_ref().map(|most| format!("up to {most} tokens with the head")),
        tail.step.zip(tail.until.as_ref()).map(|(step, until)| format!("{step} less, try by try, until {until} tokens are left")),
        tail.as_text.map(|most| format!("as text, with {most} characters of each result")),
        (tail.if_all == IfAll::NoTail).then(|| "nothing if that is all".to_owned()),
    ];
    let conditions = conditions.into_iter().flatten().fold(String::new(), |all, one| all + ", " + &one);
    format!("the newest {least}{} {unit}{whole}{conditions}", tail.n)
}

fn cuts(cut: &Cut) -> String {
    let at = cut.at.iter().map(|at| at.words()).collect::<Vec<_>>().join(" or ");
    if cut.only_first {
        return "one result that comes first is left out".to_owned();
    }
    let otherwise = match cut.otherwise {
        Otherwise::NoTail => "",
        Otherwise::Forward => ", else the next",
        Otherwise::LastTurn => ", else the last turn stays",
        Otherwise::All => ", else everything stays",
    };
    format!("begins at {at}, {} one{otherwise}", cut.direction.words())
}

fn masks(mask: &Mask) -> String {
    let on = match mask.on {
        MaskOn::ToolResult => "results",
        MaskOn::ToolArgs => "what calls were given",
        MaskOn::ToolGroup => "calls and their results",
        MaskOn::Reads => "readings of a file that was read again",
        MaskOn::Thinking => "reasoning",
    };
    let how = match mask.how {
        MaskHow::Clear => "cleared",
        MaskHow::Offload => "moved to a file",
        MaskHow::Cut => "cut to the beginning",
        MaskHow::Headtail => "cut to beginning and end",
        MaskHow::Collapse => "made one line",
        MaskHow::Delete => "taken out",
        MaskHow::Erase => "cleared, in the log too",
    };
    let spared = [
        mask.keep_n.as_ref().map(|n| format!("the newest {n}")),
        mask.protect_tokens.as_ref().map(|n| format!("the newest {n} tokens")),
        mask.protect_turns.map(|n| format!("the newest {n} turns")),
        (mask.skip_last > 0).then(|| format!("the newest {} messages", mask.skip_last)),
        (mask.keep_first > 0).then(|| format!("the first {}", mask.keep_first)),
        mask.over.as_ref().map(|n| format!("up to {n} tokens each")),
        (!mask.exclude.is_empty()).then(|| mask.exclude.join(", ")),
        (!mask.only.is_empty()).then(|| format!("all tools but {}", mask.only.join(", "))),
    ];
    let spared: Vec<String> = spared.into_iter().flatten().collect();
    let but = listed(&spared, ", ").map_or_else(String::new, |spared| format!("; not {spared}"));
    let gain = mask.min_gain.as_ref().map_or_else(String::new, |least| format!("; only for {least} tokens or more"));
    let enough = mask.enough.as_ref().map_or_else(String::new, |enough| format!("; enough when {enough} tokens are left"));
    let off = if mask.off { " (off unless switched on)" } else { "" };
    format!("{on} {how}{off}{but}{gain}{enough}")
}

impl Moment {
    /// When it looks, for a sentence.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Turn => "before a prompt is answered",
            Self::Step => "between requests",
            Self::Request => "at the server",
            Self::End => "after a turn",
            Self::Background => "beside the run",
            Self::Overflow => "when a request was too long",
            Self::Manual => "when it is told to",
        }
    }
}

impl Pin {
    /// What stays, for a list.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::PendingCall => "calls without a result",
            Self::TrailingCall => "a last call without a result",
            Self::LastUser => "the newest prompt",
            Self::LastUserTurn => "the latest turn",
            Self::TurnFinalAnswers => "the answer that ended each turn",
        }
    }
}

impl Reinjected {
    /// What is put back, for a list.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Rules => "rules and memory",
            Self::Environment => "the environment",
            Self::Files => "files read last",
            Self::FileNames => "names of files read and changed",
            Self::Images => "images seen last",
            Self::Skills => "skills in use",
            Self::Commands => "commands of the first prompt",
            Self::Plan => "the plan",
            Self::Todos => "the todo list",
            Self::Tools => "tools and agents",
            Self::Subagents => "agents at work",
            Self::Hooks => "what hooks say",
            Self::TranscriptPath => "where the transcript lies",
            Self::LastPrompt => "the newest prompt, once more",
            Self::Acknowledgement => "an answer that says \"understood\"",
            Self::Continue => "an order to go on",
        }
    }
}

impl Recover {
    /// How the model gets back what is gone.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::PathTold => "the model is told where it lies",
            Self::Tool => "the model has a tool for it",
            Self::LogOnly => "not by itself: only the log has it",
            Self::Erased => "not at all: the log is overwritten",
            Self::None => "not at all",
        }
    }
}
