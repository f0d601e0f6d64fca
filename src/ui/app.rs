//! The app: state only, in small parts. What changes it is `update`; what shows it is `view`, which cannot change it.

mod audit;
mod change;
pub(crate) mod cut;
mod detail;
mod dry_run;
mod foot;
mod graph;
mod judged;
mod ledger;
mod list;
mod narrow;
mod nested;
mod palette;
mod panes;
mod pending;
mod prompt;
mod recent;
mod search;
mod sieve;
mod survey;
mod time;
mod timeline;
pub(crate) mod versus;
mod why;

use std::sync::Arc;

use jiff::tz::TimeZone;
use ratatui::layout::Size;

pub(crate) use self::audit::{AuditKey, AuditRow, AuditState, Audited, Link, Station, Tie, TiePart, chain};
pub(crate) use self::change::{Base, ChangeRow, ChangeState, Kind as ChangeKind};
pub(crate) use self::cut::{CutLine, CutMove, Whereabouts};
pub(crate) use self::detail::{DetailFace, DetailState, DocumentKey, Form, LONG_LINE, Word, Wrap};
pub(crate) use self::dry_run::{DryRunRow, DryRunState};
pub(crate) use self::foot::Foot;
pub(crate) use self::graph::{GraphLine, GraphState, Part, Rail};
pub(crate) use self::judged::Judged;
pub(crate) use self::ledger::LedgerState;
pub(crate) use self::list::{List, Motion, Scroll};
pub(crate) use self::narrow::Narrow;
pub(crate) use self::nested::Nested;
pub(crate) use self::palette::{Command, Offer};
pub(crate) use self::panes::{Face, Pane, Panes, Room, Tab};
pub(crate) use self::pending::{Changes, PendingRow, PendingState, began};
pub(crate) use self::prompt::{Asks, Prompt};
pub(crate) use self::recent::{Recent, Turned};
pub(crate) use self::search::{PART, Search, SearchKey};
pub(crate) use self::sieve::{Chip, MOST_COUNTED, Sieve};
pub(crate) use self::survey::{Answer, Survey};
pub(crate) use self::time::{LONGEST_PAUSE, Pace, Playing, Time};
pub(crate) use self::timeline::{Follow, TimelineState};
pub(crate) use self::versus::{Versus, VersusRow, Which};
pub(crate) use self::why::{Why, is_lost, is_restated, why};
use super::Behind;
use super::actions::Context;
use super::activity::Activity;
use super::assess::{Assessment, PolicyName};
use super::feed::Supply;
use super::keymap::Keymap;
use super::layout::Layout;
use super::msg::{Effect, TextKey};
use super::rows::Tree;
use super::theme::Theme;
use crate::base::ids::{EntryId, EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ledger::entry::Entry;
use crate::ledger::{Glance, LaneSnapshot};
use crate::session::{Following, Progress, Snapshot};

/// What does not change while the program runs.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// What the program says that it is: `owed`, `owed demo`.
    pub(crate) name: String,
    pub(crate) theme: Theme,
    pub(crate) keymap: Keymap,
    /// The reader's own time zone.
    pub(crate) zone: TimeZone,
}

/// Everything that the inspector knows.
pub(crate) struct App {
    pub(crate) look: Look,
    /// Where leaving leads.
    pub(crate) behind: Behind,
    /// The session at the moment that is shown.
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) time: Time,
    pub(crate) following: Following,
    pub(crate) lane: LaneIx,
    pub(crate) judged: Judged,
    pub(crate) timeline: TimelineState,
    /// What the time line leaves out.
    pub(crate) sieve: Sieve,
    /// Which calls launched which lanes, and which of them are opened.
    pub(crate) nested: Nested,
    pub(crate) panes: Panes,
    /// The selected reason of the span.
    pub(crate) why: List,
    pub(crate) detail: DetailState,
    pub(crate) dry_run: DryRunState,
    pub(crate) versus: Versus,
    pub(crate) survey: Survey,
    /// What the mouse holds.
    pub(crate) dragged: Option<Dragged>,
    pub(crate) pending: PendingState,
    pub(crate) ledger: LedgerState,
    pub(crate) graph: GraphState,
    pub(crate) audit: AuditState,
    pub(crate) change: ChangeState,
    pub(crate) search: Search,
    /// What is being typed; none: nobody types.
    pub(crate) prompt: Option<Prompt>,
    /// What was done by its name and how often, the most often and then the last first.
    pub(crate) done: Vec<(Command, u32)>,
    /// Where the reader came from, the last place last.
    pub(crate) trail: Vec<Spot>,
    /// What has come in the last seconds.
    pub(crate) recent: Option<Recent>,
    /// A verdict that has changed in the last seconds.
    pub(crate) turned: Option<Turned>,
    pub(crate) help: Help,
    /// What of an event is to leave the screen, and has not been asked for.
    pub(crate) wants: Option<TextKey>,
    /// What should happen outside of the screen.
    pub(crate) outbox: Vec<Effect>,
    /// What the last key has to say, until the next one.
    pub(crate) notice: Option<String>,
    pub(crate) size: Size,
    /// This machine's time.
    pub(crate) clock: Stamp,
    /// The time by which ages are told: of the moment that is shown.
    pub(crate) now: Stamp,
}

/// What there is to see: whatever is worked out from a lane's rows holds as long as this is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub(crate) epoch: u32,
    pub(crate) revision: u64,
    pub(crate) lane: LaneIx,
    /// The event after which the lane is shown; none: now.
    pub(crate) moment: Option<EventIx>,
    /// How many judgements have been taken.
    pub(crate) judgements: u64,
}

/// What the mouse can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dragged {
    /// The cut, in a pane and at a row of the screen.
    Cut(Pane, u16),
    /// The edge between the time line and the tabs.
    Side,
    /// The edge above the pending calls.
    Foot,
}

/// A place to come back to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) lane: LaneIx,
    pub(crate) moment: Option<EventIx>,
    pub(crate) timeline: TimelineState,
    pub(crate) panes: Panes,
    /// The entry under the ledger's cursor.
    pub(crate) entry: Option<EntryId>,
    /// The entry whose graph is shown.
    pub(crate) centre: Option<EntryId>,
}

/// The help overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Help {
    Closed,
    Open(Scroll),
}

impl App {
    pub(crate) fn new(look: Look, supply: &dyn Supply, policies: Vec<PolicyName>, size: Size, now: Stamp) -> Self {
        let newest = supply.latest();
        let mut app = Self {
            look,
            behind: Behind::default(),
            snapshot: Arc::clone(&newest),
            time: Time::new(newest),
            following: supply.following(),
            lane: LaneIx(0),
            versus: Versus::new(policies.clone()),
            survey: Survey::new(policies.clone()),
            judged: Judged::new(policies),
            dragged: None,
            timeline: TimelineState::default(),
            sieve: Sieve::default(),
            nested: Nested::default(),
            panes: Panes::default(),
            why: List::default(),
            detail: DetailState::default(),
            dry_run: DryRunState::default(),
            pending: PendingState::default(),
            ledger: LedgerState::default(),
            graph: GraphState::default(),
            audit: AuditState::default(),
            change: ChangeState::default(),
            search: Search::default(),
            prompt: None,
            done: Vec::new(),
            trail: Vec::new(),
            recent: None,
            turned: None,
            help: Help::Closed,
            wants: None,
            outbox: Vec::new(),
            notice: None,
            size,
            clock: now,
            now,
        };
        app.show_moment();
        app
    }

    /// The lane that is shown.
    pub(crate) fn lane(&self) -> Option<&Arc<LaneSnapshot>> {
        self.snapshot.lane(self.lane)
    }

    /// The newest judgement on the lane that is shown; none while the session is still being read.
    pub(crate) fn assessment(&self) -> Option<&Assessment> {
        let complete = self.snapshot.progress == Progress::Complete;
        self.judged.answer().filter(|a| complete && a.ticket.lane == self.lane && a.ticket.epoch == self.snapshot.epoch)
    }

    /// The newest judgement by the policy that is looked at beside it, on the same state.
    pub(crate) fn beside(&self) -> Option<&Assessment> {
        let one = self.assessment()?;
        self.versus.judged.answer().filter(|other| versus::same_state(one, other))
    }

    /// Whether the dry run is on the screen with this face.
    pub(crate) fn shows(&self, face: Face) -> bool {
        self.panes.face == face && self.layout().tab(Tab::DryRun).is_some()
    }

    /// An entry as the newest judgement names it: of the lane that is shown, or a binding of the cut.
    pub(crate) fn entry(&self, id: EntryId) -> Option<Arc<Entry>> {
        let lane = self.lane()?;
        self.assessment().map_or_else(|| lane.entry(id), |assessment| assessment.judgement.entry(lane, id))
    }

    /// The event of the lane that is shown that the time line's cursor is on: on a row of a sub-agent, the call that launched it.
    pub(crate) fn selected(&self) -> Option<EventIx> {
        self.in_lane(self.row()?)
    }

    /// The rows of the time line.
    pub(crate) fn tree(&self) -> Option<Tree<'_>> {
        Tree::of(&self.snapshot, self.lane, &self.sieve, &self.nested)
    }

    /// Whether calls may come and go in what is shown: an agent may be at work, or the reader goes through time.
    fn may_change(&self) -> Changes {
        let is_over = self.lane().is_some_and(|lane| matches!(Activity::of(lane, self.now), Activity::Over { .. }));
        let is_known = self.snapshot.progress == Progress::Complete && self.time.moment.is_none();
        if is_over && is_known { Changes::Never } else { Changes::Ever }
    }

    /// Where the panes lie.
    pub(crate) fn layout(&self) -> Layout {
        let mut layout = Layout::of(self.size, self.panes, self.pending.room(self.may_change()));
        let is_narrowed = |tab: &Tab| self.narrow(Pane::Tab(*tab)).is_some_and(Narrow::is_on);
        layout.narrowed = layout.tabs.iter().map(|(tab, _)| *tab).filter(is_narrowed).collect();
        layout
    }

    /// Where the keys go.
    pub(crate) fn context(&self) -> Context {
        match (&self.prompt, self.help) {
            (Some(_), _) => Context::Filter,
            (None, Help::Open(_)) => Context::Help,
            (None, Help::Closed) => self.place(),
        }
    }

    /// Where the keys go when neither the help nor a prompt has them.
    pub(crate) fn place(&self) -> Context {
        match self.panes.focus {
            Pane::Timeline => Context::Timeline,
            Pane::Pending => Context::Pending,
            Pane::Tab(Tab::Why) => Context::Why,
            Pane::Tab(Tab::Detail) => Context::Detail,
            Pane::Tab(Tab::DryRun) => match self.panes.face {
                Face::Policy => Context::DryRun,
                Face::Versus => Context::Versus,
                Face::All => Context::Policies,
            },
            Pane::Tab(Tab::Ledger) => Context::Ledger,
            Pane::Tab(Tab::Graph) => Context::Graph,
            Pane::Tab(Tab::Audit) => Context::Audit,
            Pane::Tab(Tab::Change) => Context::Change,
        }
    }

    /// Brings a tab to the front; the keys follow only where it would hide the pane that has them.
    pub(crate) fn show(&mut self, tab: Tab) {
        let focus = self.panes.focus;
        self.panes.focus(Pane::Tab(tab));
        if self.layout().tabs.len() + usize::from(self.layout().timeline.is_some()) > 1 && !matches!(focus, Pane::Tab(_)) {
            self.panes.focus = focus;
        }
    }

    /// The place that is shown, to come back to.
    pub(crate) fn spot(&self) -> Spot {
        let (entry, centre) = (self.ledger.selected(), self.graph.centre);
        Spot { lane: self.lane, moment: self.time.moment, timeline: self.timeline.clone(), panes: self.panes, entry, centre }
    }

    /// An entry at a glance, as the newest judgement names it.
    pub(crate) fn glance(&self, id: EntryId) -> Option<Glance> {
        let (lane, binding) = (self.lane()?, self.bindings().iter().find(|binding| binding.id == id));
        let at = lane.end()?;
        binding.map_or_else(|| lane.glance(id, at), |binding| Glance::of(binding, at))
    }

    /// The entries that the newest judgement has added to those of the lane.
    pub(crate) fn bindings(&self) -> &[Arc<Entry>] {
        self.assessment().map_or(&[], |assessment| &assessment.judgement.bindings)
    }

    /// What there is to see of the lane that is shown.
    pub(crate) fn sight(&self) -> Sight {
        let Snapshot { epoch, revision, .. } = *self.snapshot;
        Sight { epoch, revision, lane: self.lane, moment: self.time.moment, judgements: self.judged.taken() }
    }
}
