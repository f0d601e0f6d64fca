//! Floor 8: the gate in an agent's own hooks (DESIGN section 11): what each agent sends and expects, and what is decided. No terminal,
//! no threads.
//!
//! **Invariants:** carriers are on disk before an answer is given; what was written is put back byte for byte and computed only once;
//! nothing is stopped unless its owner opted in, and only so many times in a row; a failure of ours stops nobody.
//!
//! Whoever embeds a runtime calls the gate itself:
//!
//! ```
//! use owed::compaction::{Ask, Models, Policies, Strictness, Urgency, judge};
//! use owed::hooks::{Decision, Gate, GateRules, Trigger};
//! use owed::ledger::Rulebook;
//! use owed::report::Subject;
//! use owed::session::{self, Options};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let state = folder.path();
//! // Before a compaction: read the transcript, judge it, ask the gate.
//! let options = Options::of(Rulebook::load(Default::default())?.into());
//! let session = session::read("sample-sessions/stopped-mid-call.jsonl".as_ref(), &options)?;
//! let lane = &session.lanes[0];
//! let (policies, models) = (Policies::load(&[])?, Models::load(None)?);
//! let ask = Ask {
//!     at: None,
//!     policy: policies.of_agent(session.facts.agent.0).ok_or("no policy")?,
//!     window: models.window_for(lane.model.as_deref(), None, None),
//!     budget: None,
//!     cut: None,
//!     strictness: Strictness::Normal,
//!     urgency: Urgency::Forced,
//! };
//! let judgement = judge(lane, &ask);
//! let subject = Subject { snapshot: &session, lane, judgement: &judgement, strictness: Strictness::Normal };
//! let gate = Gate::new(state, GateRules::default());
//! let answer = gate.before("session-1", Trigger::Auto, &subject)?;
//! assert!(matches!(answer.decision, Decision::Warn(_)));
//!
//! // After it: the carriers go back into the context as they were written.
//! let carriers = gate.after("session-1")?.ok_or("nothing was carried")?;
//! assert_eq!(Some(carriers), answer.carriers.map(std::fs::read).transpose()?);
//! # Ok(())
//! # }
//! ```

mod briefing;
pub mod claude;
pub mod crossing;
pub mod durable;
pub mod gate;
pub mod generic;
pub mod install;
pub mod protocol;
mod shelf;
pub mod whose;

pub use crossing::{Crossing, Unverified};
pub use gate::{Answer, Decision, Gate, GateRules, OnDanger, Trigger};
pub use whose::Whose;
