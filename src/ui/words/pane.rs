//! What each pane shows, for its help: a title, a sentence or two, and its signs, each parted from what it means by two blanks.

use crate::ui::actions::Context;

/// The title and the lines of a pane's help.
pub(crate) fn pane(context: Context) -> (&'static str, &'static [&'static str]) {
    match context {
        Context::Picker => (
            "The list of sessions",
            &[
                "A row a session: the live ones first, then project by project. The verdict is that of a compaction now.",
                "●  an agent is at work in it: its records say so, or its file was written just now",
                "○  it waits for you",
                "open  so many things stand in the way of a compaction as they are",
                "enter opens the selected one. What is typed behind / is looked for in projects, titles, agents and verdicts.",
            ],
        ),
        Context::Timeline | Context::Help | Context::Filter => (
            "The time line",
            &[
                "A row an event: when, who, what, how it ended, how many tokens it takes. What left the context is dim.",
                "■  must stay verbatim: something can still change unobserved",
                "▲  may be summarised once what it holds is carried",
                "·  may be summarised freely",
                "┌│└  attempts of one action, joined; from a selected call down to its result",
                "+  came in the last seconds",
                "/  holds what was searched for, and does not show it",
                "◇◆  at the left edge: where something began that a compaction lost, and what that cost",
                "┃  at the right edge: the whole session, where you are in it; ■ ◆ ═ ▲ its barriers, findings, compactions, carriers",
            ],
        ),
        Context::Why => (
            "Why",
            &[
                "Why the span of the selected row has its colour: each entry that touches it, what closes that, and what to do about it \
                 now.",
            ],
        ),
        Context::Detail => (
            "Detail",
            &[
                "The selected event, whole. What commits somebody is underlined; n tells which rule saw it. R shows the record itself.",
            ],
        ),
        Context::DryRun => (
            "Dry run",
            &[
                "What the policy would do if it compacted now: first the entries that it would sever, then span by span.",
                "reclaimed safely  tokens of spans that may be summarised freely",
                "at risk  tokens of all other spans that it takes",
                "to carry  what must be carried over word by word before that is safe",
                "x  moves the cut, as does dragging it; = puts it back",
            ],
        ),
        Context::Versus => {
            ("Two policies", &["What two policies would do now, span by span; a shows the spans on which they agree too."])
        }
        Context::Policies => (
            "All policies",
            &[
                "What each known policy would come to now; enter judges by the selected one.",
                "severed  entries of which nothing that stays holds anything",
                "?  something about its run that no transcript tells",
            ],
        ),
        Context::Ledger => (
            "The ledger",
            &["Every entry: what was asked, promised, begun, left unknown. a shows the closed ones too; r what belongs to one."],
        ),
        Context::Graph => {
            ("The graph", &["What an entry comes from, above it, and what came of it, below; enter walks there, backspace back."])
        }
        Context::Audit => (
            "The audit",
            &[
                "What each compaction lost: before, after, and what that cost. n leads along the chain from cause to cost.",
                "■  of high severity",
                "▲  of medium severity",
                "·  of low severity",
            ],
        ),
        Context::Change => (
            "The difference",
            &[
                "What has changed in the ledger since a moment, or what only one of two sessions owes. n turns to another moment; M marks \
                 the one that is shown.",
                "+  opened, or owed only here",
                "-  closed, or owed only there",
                "■  lost: nothing in the context holds it",
            ],
        ),
        Context::Pending => (
            "Pending calls",
            &[
                "Calls without a result, and effects in doubt, which nobody has confirmed: since when, how often tried, on what they lean.",
                "■  nothing may be summarised over it",
                "▲  may be, once it is carried",
            ],
        ),
    }
}
