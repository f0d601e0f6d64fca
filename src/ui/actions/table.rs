//! The table itself: a row an action, with its keys, where it works, and what it does.

use super::{Action, ActionRow, Context, Group};

use Context::{Audit, Change, Detail, DryRun, Filter, Graph, Help, Ledger, Pending, Picker, Policies, Timeline, Versus, Why};

const PANES: &[Context] = &[Timeline, Why, Detail, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending];
const ASIDE: &[Context] = &[Why, Detail, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending];
const LISTS: &[Context] = &[Timeline, Why, Detail, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending, Help, Picker];
const OPENS: &[Context] = &[Timeline, Why, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending, Picker, Filter];
const DETAILED: &[Context] = &[Timeline, Why, DryRun, Versus, Ledger, Graph, Audit, Change, Pending];
const DETAILED_TOO: &[Context] = &[Timeline, Why, Detail, DryRun, Versus, Ledger, Graph, Audit, Change, Pending];
const ENTRIES: &[Context] = &[Why, Ledger, Graph];
const SCREENS: &[Context] = &[Timeline, Why, Detail, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending, Picker];
const ALL: &[Context] =
    &[Timeline, Why, Detail, DryRun, Versus, Policies, Ledger, Graph, Audit, Change, Pending, Help, Picker, Filter];

const fn row(
    action: Action,
    name: &'static str,
    keys: &'static [&'static str],
    contexts: &'static [Context],
    group: Group,
    bar: &'static str,
    help: &'static str,
) -> ActionRow {
    ActionRow { action, name, keys, contexts, group, help, bar }
}

/// All actions, in the order in which the help and the key bar show them.
#[rustfmt::skip]
pub const ACTIONS: &[ActionRow] = &[
    row(Action::Down, "down", &["j", "down"], LISTS, Group::Move, "", "next row, or scroll down"),
    row(Action::Up, "up", &["k", "up"], LISTS, Group::Move, "", "previous row, or scroll up"),
    row(Action::PageDown, "page-down", &["space", "pagedown", "ctrl-d"], LISTS, Group::Move, "", "one page down"),
    row(Action::PageUp, "page-up", &["pageup", "ctrl-u"], LISTS, Group::Move, "", "one page up"),
    row(Action::Top, "top", &["g", "home"], LISTS, Group::Move, "", "to the first row"),
    row(Action::End, "end", &["G", "end"], LISTS, Group::Move, "", "to the last row, and follow it"),
    row(Action::Follow, "follow", &["F"], PANES, Group::Move, "", "follow the end, or stay here"),

    row(Action::Open, "open", &["enter"], OPENS, Group::Look, "look", "one level closer: row, why, evidence"),
    row(Action::Leave, "leave", &["esc"], ASIDE, Group::Look, "timeline", "all rows of the list again, then back to the time line"),
    row(Action::NextBarrier, "next-barrier", &["b"], PANES, Group::Jump, "barrier", "next span that must stay verbatim"),
    row(Action::PreviousBarrier, "previous-barrier", &["B"], PANES, Group::Jump, "", "previous span that must stay verbatim"),
    row(Action::NextOpen, "next-open", &["o"], PANES, Group::Jump, "open", "next open call or effect in doubt"),
    row(Action::PreviousOpen, "previous-open", &["O"], PANES, Group::Jump, "", "previous open call or effect in doubt"),
    row(Action::NextBoundary, "next-boundary", &["c"], PANES, Group::Jump, "compaction", "next compaction that happened"),
    row(Action::PreviousBoundary, "previous-boundary", &["C"], PANES, Group::Jump, "", "previous compaction that happened"),
    row(Action::FirstReason, "first-reason", &["v"], PANES, Group::Jump, "verdict", "to the first reason of the verdict"),
    row(Action::Audit, "audit", &["f"], PANES, Group::Look, "findings", "what compactions lost, and what that cost"),

    row(Action::Search, "search", &["/"], PANES, Group::Jump, "find", "find words: in this list, this event, or in the session"),
    row(Action::DryRun, "dry-run", &["!"], PANES, Group::Judge, "dry run", "what the policy would drop if it compacted now"),
    row(Action::Back, "back", &["backspace", "ctrl-o"], PANES, Group::Jump, "back", "back the way you came"),
    row(Action::NextMatch, "next-match", &["n"], &[Timeline, Pending], Group::Jump, "", "next place of what was searched for"),
    row(Action::PreviousMatch, "previous-match", &["N"], &[Timeline, Pending], Group::Jump, "", "previous place of what was searched for"),
    row(Action::NextPrompt, "next-prompt", &["J"], &[Timeline], Group::Jump, "", "to the next prompt"),
    row(Action::PreviousPrompt, "previous-prompt", &["K"], &[Timeline], Group::Jump, "", "to the prompt before"),
    row(Action::NextRegion, "next-region", &["n"], &[Detail], Group::Jump, "region", "next region and its rule, or next place of words found"),
    row(Action::PreviousRegion, "previous-region", &["N"], &[Detail], Group::Jump, "", "previous region, or previous place of words found"),
    row(Action::NextEvidence, "next-evidence", &["n"], ENTRIES, Group::Jump, "evidence", "next event that shows the entry"),
    row(Action::PreviousEvidence, "previous-evidence", &["N"], ENTRIES, Group::Jump, "", "previous event that shows the entry"),
    row(Action::NextDependent, "next-dependent", &["u"], ENTRIES, Group::Jump, "came of it", "next thing that came of the entry"),
    row(Action::PreviousDependent, "previous-dependent", &["U"], ENTRIES, Group::Jump, "", "previous thing that came of the entry"),
    row(Action::NextLink, "next-link", &["n"], &[Audit], Group::Jump, "chain", "next link of a finding: cause, boundary, cost"),
    row(Action::PreviousLink, "previous-link", &["N"], &[Audit], Group::Jump, "", "previous link of a finding"),
    row(Action::FootDown, "foot-down", &["J"], &[Audit, Ledger, Graph], Group::Move, "", "scroll what is told of the selected row"),
    row(Action::FootUp, "foot-up", &["K"], &[Audit, Ledger, Graph], Group::Move, "", "scroll it back"),

    row(Action::Errors, "errors-only", &["1"], &[Timeline], Group::Filter, "errors", "only what failed, or may have"),
    row(Action::Effects, "effects-only", &["2"], &[Timeline], Group::Filter, "effects", "only calls that do something to the world"),
    row(Action::OpenOnly, "open-only", &["3"], &[Timeline], Group::Filter, "", "only calls without a result or with an effect in doubt"),
    row(Action::OwedOnly, "owed-only", &["4"], &[Timeline], Group::Filter, "owed", "only spans that must be carried or must stay"),
    row(Action::SaidOnly, "said-only", &["5"], &[Timeline], Group::Filter, "said", "only what people and the agent said"),
    row(Action::ToolOnly, "tool-only", &["6"], &[Timeline], Group::Filter, "", "only rows like this one: of its tool, or who speaks"),
    row(Action::MatchesOnly, "matches-only", &["7"], &[Timeline], Group::Filter, "", "only places of what was searched for"),
    row(Action::AllRows, "all-rows", &["0"], &[Timeline], Group::Filter, "", "take all filters away"),
    row(Action::Clear, "clear", &["esc"], &[Timeline], Group::Filter, "", "no filters any more, then nothing searched for"),
    row(Action::Fold, "fold", &["left", "("], &[Timeline], Group::Filter, "fold", "close this sub-agent, or fold this turn to its prompt"),
    row(Action::Unfold, "unfold", &["right", ")"], &[Timeline], Group::Filter, "", "unfold this turn, or open the sub-agent of this row"),
    row(Action::FoldAll, "fold-all", &["Z"], &[Timeline], Group::Filter, "", "fold every turn, or unfold them all"),

    row(Action::Record, "record", &["R"], &[Detail], Group::Look, "record", "the record as it stands in the file, or read"),
    row(Action::Wrap, "wrap", &["W"], &[Detail], Group::Look, "wrap", "wrap long lines, or not"),
    row(Action::Columns, "columns", &["s"], &[Detail], Group::Look, "", "changes in two columns where there is room, or in one"),
    row(Action::ShiftLeft, "shift-left", &["left"], &[Detail], Group::Look, "", "to the left along long lines"),
    row(Action::ShiftRight, "shift-right", &["right"], &[Detail], Group::Look, "", "to the right along long lines"),
    row(Action::LevelLess, "fold-json", &["("], &[Detail], Group::Look, "", "fold JSON one level"),
    row(Action::LevelMore, "unfold-json", &[")"], &[Detail], Group::Look, "", "unfold JSON one level"),
    row(Action::Copy, "copy", &["Y"], DETAILED_TOO, Group::Take, "copy", "copy the text of the event"),
    row(Action::CopyCommand, "copy-command", &["ctrl-y"], DETAILED_TOO, Group::Take, "", "copy the command or the path of the call"),
    row(Action::CopyReference, "copy-reference", &["'"], DETAILED_TOO, Group::Take, "", "copy where it stands, as path:line"),
    row(Action::CopyId, "copy-id", &["\""], DETAILED_TOO, Group::Take, "", "copy the id of the call, or of the entry"),
    row(Action::Pager, "pager", &["V"], DETAILED_TOO, Group::Take, "pager", "read the text of the event in $PAGER"),
    row(Action::Editor, "editor", &["E"], DETAILED_TOO, Group::Take, "", "open the record in $EDITOR"),

    row(Action::Breadth, "all-entries", &["a"], &[Ledger], Group::Look, "all/live", "all entries, or the live ones only"),
    row(Action::Differences, "differences", &["a"], &[Versus], Group::Look, "all/differ", "all spans, or those on which two policies differ"),
    row(Action::NextKind, "next-kind", &["t"], &[Ledger], Group::Look, "kind", "only the next kind of entry"),
    row(Action::PreviousKind, "previous-kind", &["T"], &[Ledger], Group::Look, "", "only the previous kind of entry"),
    row(Action::NextStatus, "next-status", &["i"], &[Ledger], Group::Look, "status", "only entries of the next status"),
    row(Action::PreviousStatus, "previous-status", &["I"], &[Ledger], Group::Look, "", "only entries of the previous status"),
    row(Action::NextSort, "next-sort", &["s"], &[Ledger, Policies], Group::Look, "sort", "sort the list another way"),
    row(Action::PreviousSort, "previous-sort", &["S"], &[Ledger, Policies], Group::Look, "", "sort the list the way before"),

    row(Action::Detail, "detail", &["d"], DETAILED, Group::Look, "", "the selected event, whole"),
    row(Action::Ledger, "ledger", &["e"], PANES, Group::Look, "ledger", "every entry of the ledger"),
    row(Action::Graph, "graph", &["r"], PANES, Group::Look, "related", "what the entry comes from, and what came of it"),
    row(Action::Change, "changes", &["~"], PANES, Group::Look, "", "what has changed in the ledger since a moment"),
    row(Action::NextBase, "next-base", &["n"], &[Change], Group::Look, "since", "hold the ledger against the next moment or session"),
    row(Action::PreviousBase, "previous-base", &["N"], &[Change], Group::Look, "", "hold it against the previous one"),
    row(Action::Mark, "mark", &["M"], PANES, Group::Look, "", "mark the moment that is shown, to see what changes"),
    row(Action::Room, "whole-screen", &["z"], PANES, Group::Look, "", "this pane alone, or all of them"),
    row(Action::NextPane, "next-pane", &["tab"], PANES, Group::Look, "pane", "next pane"),
    row(Action::PreviousPane, "previous-pane", &["shift-tab"], PANES, Group::Look, "", "previous pane"),
    row(Action::Wider, "wider", &["shift-right"], PANES, Group::Look, "", "more room for the time line"),
    row(Action::Narrower, "narrower", &["shift-left"], PANES, Group::Look, "", "less room for the time line"),
    row(Action::Taller, "taller", &["shift-up"], PANES, Group::Look, "", "more room for the pending calls"),
    row(Action::Shorter, "shorter", &["shift-down"], PANES, Group::Look, "", "less room for the pending calls"),
    row(Action::HidePending, "hide-pending", &["H"], PANES, Group::Look, "", "hide the pending calls, or show them"),
    row(Action::HideTabs, "hide-tabs", &["D"], PANES, Group::Look, "", "hide what stands beside the time line, or show it"),
    row(Action::NextLane, "next-lane", &["l"], PANES, Group::Look, "", "next lane: main agent, sub-agents"),
    row(Action::PreviousLane, "previous-lane", &["L"], PANES, Group::Look, "", "previous lane"),

    row(Action::NextPolicy, "next-policy", &["p"], PANES, Group::Judge, "policy", "judge by the next policy"),
    row(Action::PreviousPolicy, "previous-policy", &["P"], PANES, Group::Judge, "", "judge by the previous policy"),
    row(Action::AllPolicies, "all-policies", &["*"], PANES, Group::Judge, "policies", "what each policy would drop now"),
    row(Action::SideBySide, "side-by-side", &["|"], PANES, Group::Judge, "versus", "two policies, span by span"),
    row(Action::NextOther, "next-other", &["n"], &[Versus], Group::Judge, "other", "the next policy beside the one judged by"),
    row(Action::PreviousOther, "previous-other", &["N"], &[Versus], Group::Judge, "", "the previous policy beside the one judged by"),
    row(Action::CutLater, "cut-later", &["x"], PANES, Group::Judge, "cut", "move the cut one span later"),
    row(Action::CutEarlier, "cut-earlier", &["X"], PANES, Group::Judge, "", "move the cut one span earlier"),
    row(Action::CutTurnLater, "cut-turn-later", &["}"], PANES, Group::Judge, "", "move the cut to the next prompt"),
    row(Action::CutTurnEarlier, "cut-turn-earlier", &["{"], PANES, Group::Judge, "", "move the cut to the prompt before"),
    row(Action::CutHere, "cut-here", &["m"], PANES, Group::Judge, "cut here", "move the cut to the selected row"),
    row(Action::CutByPolicy, "cut-by-policy", &["="], PANES, Group::Judge, "", "put the cut where the policy puts it"),

    row(Action::Play, "play", &["y"], PANES, Group::Time, "play/pause", "play by the session's own clock, or pause"),
    row(Action::EventBefore, "event-before", &[","], PANES, Group::Time, "event back", "as it was one event before"),
    row(Action::EventAfter, "event-after", &["."], PANES, Group::Time, "event on", "one event later"),
    row(Action::SpanBefore, "span-before", &["<"], PANES, Group::Time, "", "as it was when this span began, or the one before"),
    row(Action::SpanAfter, "span-after", &[">"], PANES, Group::Time, "span on", "as it was when the next span began"),
    row(Action::ChangeBefore, "change-before", &["["], PANES, Group::Time, "", "to the last change of the ledger, calls aside"),
    row(Action::ChangeAfter, "change-after", &["]"], PANES, Group::Time, "change on", "to the next change of the ledger, calls aside"),
    row(Action::Here, "here", &["h"], PANES, Group::Time, "", "as it was after the event of this row"),
    row(Action::Now, "now", &["w"], PANES, Group::Time, "now", "back to now"),
    row(Action::Slower, "slower", &["-"], PANES, Group::Time, "", "play at half the speed"),
    row(Action::Faster, "faster", &["+"], PANES, Group::Time, "faster", "play at twice the speed"),

    row(Action::Filter, "filter", &["/"], &[Picker], Group::Look, "filter", "type to narrow the list"),
    row(Action::EraseFilter, "erase-filter", &["backspace"], &[Filter], Group::Look, "", "erase the last letter that was typed"),
    row(Action::DropFilter, "drop-filter", &["esc"], &[Filter, Picker], Group::Look, "", "show the whole list again, or back to the open sessions"),

    row(Action::Palette, "commands", &[":", "ctrl-p"], PANES, Group::Program, "commands", "every command by name; a line, a time"),
    row(Action::Help, "help", &["?"], SCREENS, Group::Program, "help", "what this pane shows, and every key"),
    row(Action::CloseHelp, "close-help", &["esc", "q", "?", "enter"], &[Help], Group::Program, "close", "close the help"),
    row(Action::Sessions, "sessions", &["A"], PANES, Group::Program, "sessions", "to the list of all sessions; this one stays open"),
    row(Action::NextSession, "next-session", &["ctrl-n"], PANES, Group::Program, "", "to the next open session"),
    row(Action::PreviousSession, "previous-session", &["ctrl-b"], PANES, Group::Program, "", "to the previous open session"),
    row(Action::CloseSession, "close-session", &["Q"], PANES, Group::Program, "", "close this session, and go on with the others"),
    row(Action::Redraw, "redraw", &["ctrl-l"], ALL, Group::Program, "", "draw the screen anew"),
    row(Action::Suspend, "suspend", &["ctrl-z"], ALL, Group::Program, "", "to the shell for a while; `fg` returns"),
    row(Action::Quit, "quit", &["q"], SCREENS, Group::Program, "quit", "back to the list that this came from, or leave"),
    row(Action::QuitNow, "quit-now", &["ctrl-c"], ALL, Group::Program, "", "leave at once, from anywhere"),
];
