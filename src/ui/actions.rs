//! What a person can do, where, and under which heading. Key handling, the help, the key bar and the docs read the table of actions; no
//! key is named anywhere else.

mod table;

pub use self::table::ACTIONS;

/// Where the keys go: what an action's keys mean depends on this and on nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// The time line.
    Timeline,
    /// Why a span has its colour.
    Why,
    /// The selected event, whole.
    Detail,
    /// What the policy would drop now.
    DryRun,
    /// What two policies would drop now, side by side.
    Versus,
    /// What each policy would drop now.
    Policies,
    /// Every entry.
    Ledger,
    /// What belongs to one entry.
    Graph,
    /// What the boundaries lost.
    Audit,
    /// What has changed in the ledger.
    Change,
    /// The pending-call table.
    Pending,
    /// The help.
    Help,
    /// The list of sessions.
    Picker,
    /// Typing a filter for that list, or what is searched for.
    Filter,
}

/// What a person can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the table below says what each does")]
pub enum Action {
    Down,
    Up,
    PageDown,
    PageUp,
    Top,
    End,
    Follow,
    Open,
    Detail,
    Back,
    Leave,
    NextPane,
    PreviousPane,
    NextBarrier,
    PreviousBarrier,
    NextOpen,
    PreviousOpen,
    NextBoundary,
    PreviousBoundary,
    FirstReason,
    Search,
    NextMatch,
    PreviousMatch,
    NextRegion,
    PreviousRegion,
    NextPrompt,
    PreviousPrompt,
    Fold,
    Unfold,
    FoldAll,
    Errors,
    Effects,
    OpenOnly,
    OwedOnly,
    SaidOnly,
    ToolOnly,
    MatchesOnly,
    AllRows,
    Clear,
    Record,
    Wrap,
    Columns,
    ShiftLeft,
    ShiftRight,
    LevelLess,
    LevelMore,
    Copy,
    CopyCommand,
    CopyReference,
    CopyId,
    Pager,
    Editor,
    NextEvidence,
    PreviousEvidence,
    NextDependent,
    PreviousDependent,
    Ledger,
    Graph,
    Audit,
    FootDown,
    FootUp,
    NextLink,
    PreviousLink,
    Breadth,
    Differences,
    NextKind,
    PreviousKind,
    NextStatus,
    PreviousStatus,
    NextSort,
    PreviousSort,
    Room,
    DryRun,
    NextPolicy,
    PreviousPolicy,
    Change,
    NextBase,
    PreviousBase,
    Mark,
    AllPolicies,
    SideBySide,
    NextOther,
    PreviousOther,
    CutLater,
    CutEarlier,
    CutTurnLater,
    CutTurnEarlier,
    CutHere,
    CutByPolicy,
    NextLane,
    PreviousLane,
    Filter,
    EraseFilter,
    DropFilter,
    EventBefore,
    EventAfter,
    SpanBefore,
    SpanAfter,
    ChangeBefore,
    ChangeAfter,
    Here,
    Now,
    Play,
    Slower,
    Faster,
    Wider,
    Narrower,
    Taller,
    Shorter,
    HidePending,
    HideTabs,
    Palette,
    Help,
    CloseHelp,
    Sessions,
    NextSession,
    PreviousSession,
    CloseSession,
    Redraw,
    Suspend,
    Quit,
    QuitNow,
}

/// Under which heading the help lists an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// From row to row.
    Move,
    /// To what matters.
    Jump,
    /// What to look at.
    Look,
    /// What the time line leaves out.
    Filter,
    /// What to take away.
    Take,
    /// What to judge.
    Judge,
    /// Which moment.
    Time,
    /// The program itself.
    Program,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ActionRow {
    /// The action.
    pub action: Action,
    /// Its name in `keys.toml`.
    pub name: &'static str,
    /// Its keys, unless the user says otherwise; the first is the one that is shown.
    pub keys: &'static [&'static str],
    /// Where it works.
    pub contexts: &'static [Context],
    /// Where the help lists it.
    pub group: Group,
    /// What it does, in one line.
    pub help: &'static str,
    /// Two words for the key bar; empty: it is not shown there.
    pub bar: &'static str,
}

/// An action that works in so many panes or fewer is special to them.
const FEW: usize = 3;

impl ActionRow {
    /// Whether it works in few panes.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.contexts.len() <= FEW
    }
}

impl Group {
    /// All groups, in the order of the help.
    pub const ALL: [Self; 8] =
        [Self::Move, Self::Jump, Self::Look, Self::Filter, Self::Judge, Self::Time, Self::Take, Self::Program];

    /// The heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Jump => "Jump",
            Self::Look => "Look",
            Self::Filter => "Filter and fold",
            Self::Take => "Take away",
            Self::Judge => "Judge",
            Self::Time => "Time",
            Self::Program => "Program",
        }
    }
}

/// The table as Markdown, for the docs.
#[must_use]
pub fn as_markdown() -> String {
    let rows = ACTIONS.iter().map(|row| {
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        format!("| {} | `{}` | {} |\n", keys.join(" "), row.name, row.help)
    });
    format!("| keys | name | does |\n|---|---|---|\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_action_has_one_row_a_name_and_help() {
        let (mut names, mut actions) = (BTreeSet::new(), BTreeSet::new());
        for row in ACTIONS {
            assert!(names.insert(row.name), "{} stands twice", row.name);
            assert!(actions.insert(row.action), "{:?} stands twice", row.action);
            assert!(!row.contexts.is_empty() && !row.keys.is_empty(), "{} cannot be reached", row.name);
            assert!(row.help.len() > 4 && row.help.len() < 60 && !row.help.ends_with('.'), "{}: {}", row.name, row.help);
            assert!(row.bar.len() <= 10, "{}: `{}` is too long for the key bar", row.name, row.bar);
        }
    }

    #[test]
    fn the_docs_name_every_action() {
        let page = as_markdown();
        for row in ACTIONS {
            assert!(page.contains(&format!("`{}`", row.name)));
        }
        insta::assert_snapshot!(page);
    }
}
