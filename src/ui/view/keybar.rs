//! The last line: what the last key had to say, else the keys that work here.

use ratatui::layout::Rect;

use super::canvas::{Canvas, inset};
use crate::base::text::width;
use crate::ui::Behind;
use crate::ui::actions::{ACTIONS, Action, ActionRow, Context, Group};
use crate::ui::app::{App, Asks};
use crate::ui::keymap::Keymap;
use crate::ui::theme::Role;

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    if let Some(prompt) = &app.prompt {
        let (sign, keys) = match prompt.asks {
            Asks::Words => ("/", "enter find   esc leave"),
            Asks::Rows => ("/", "only rows with these words   enter keep them   esc all rows"),
            Asks::WordsWithin => ("/", "enter find in this event   esc leave"),
            Asks::Command => (":", "enter do it   down up choose   esc leave"),
        };
        return typing(sign, &prompt.typed, keys, area, canvas);
    }
    match &app.notice {
        Some(notice) => {
            let x = canvas.put(area, 1, Role::Strong, notice) + 2;
            let rest = inset(area, u16::try_from(x).unwrap_or(u16::MAX), 0);
            if rest.width >= LAST {
                keys(&app.look.keymap, app.context(), (mode(app), app.behind), rest, canvas);
            }
        }
        None => keys(&app.look.keymap, app.context(), (mode(app), app.behind), area, canvas),
    }
}

/// Cells that the keys take which are always there.
const LAST: u16 = 40;
/// From so many columns there is room for the way back to the sessions.
const WIDE: u16 = 100;

/// What is being typed, and what the keys do then.
pub(crate) fn typing(sign: &str, typed: &str, keys: &str, area: Rect, canvas: &mut Canvas<'_>) {
    let x = canvas.put(area, 1, Role::Focus, sign);
    let x = canvas.put(area, x, Role::Strong, typed);
    let x = canvas.put(area, x, Role::Focus, "▏");
    canvas.put(area, x + 2, Role::Dim, keys);
}

/// What its reader is about to do, which decides which keys come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To look around.
    Look,
    /// To judge by policies and cuts.
    Judge,
    /// To go through time.
    Time,
}

fn mode(app: &App) -> Mode {
    match app.context() {
        Context::Help => Mode::Look,
        _ if app.time.moment.is_some() => Mode::Time,
        Context::DryRun | Context::Versus | Context::Policies => Mode::Judge,
        _ => Mode::Look,
    }
}

impl Mode {
    /// Whose keys come first.
    fn group(self) -> Option<Group> {
        match self {
            Self::Look => None,
            Self::Judge => Some(Group::Judge),
            Self::Time => Some(Group::Time),
        }
    }
}

/// The keys of a context, as many as fit; the commands and the help are always among them, and so is the way back. On a wide screen
/// the list of sessions is too.
pub(crate) fn keys(keymap: &Keymap, context: Context, (mode, behind): (Mode, Behind), area: Rect, canvas: &mut Canvas<'_>) {
    let fits = |row: &&ActionRow| !row.bar.is_empty() && (row.group != Group::Time || mode == Mode::Time);
    let mut here: Vec<&ActionRow> = ACTIONS.iter().filter(|row| row.contexts.contains(&context)).filter(fits).collect();
    // In the past, time comes first. What works in few places comes before what is known from everywhere; filters come last.
    here.sort_by_key(|row| (Some(row.group) != mode.group(), row.group == Group::Filter, !row.is_special()));
    let back = match behind {
        Behind::Shell => None,
        Behind::List => Some((Action::Quit, "to list")),
        Behind::Sessions => Some((Action::DropFilter, "back")),
    };
    let is_back = |action| back.is_some_and(|(back, _)| back == action);
    let is_told_otherwise = |action| is_back(action) || (behind == Behind::List && action == Action::Sessions);
    here.retain(|row| !is_told_otherwise(row.action) && !leads_here(row.action, context));
    let item = |action, words| Some((action, keymap.chords(action).first()?.to_string(), words));
    let back = back.filter(|(action, _)| ACTIONS.iter().any(|row| row.action == *action && row.contexts.contains(&context)));
    let shown = here.into_iter().map(|row| (row.action, row.bar)).chain(back).filter_map(|(action, words)| item(action, words));
    let is_last = |action| match action {
        Action::Palette | Action::Help | Action::Leave => true,
        Action::Sessions => area.width >= WIDE,
        other => is_back(other),
    };
    let (last, others): (Vec<_>, Vec<_>) = shown.partition(|(action, ..)| is_last(*action));
    let cells = |(_, key, words): &(Action, String, &str)| width(key) + width(words) + 4;
    let mut left = usize::from(area.width).saturating_sub(1 + last.iter().map(cells).sum::<usize>());
    let mut x = 1;
    for item in others {
        if cells(&item) > left {
            break;
        }
        left -= cells(&item);
        x = one(item, area, x, canvas);
    }
    for item in last {
        x = one(item, area, x, canvas);
    }
}

/// Whether an action only shows what is shown.
fn leads_here(action: Action, context: Context) -> bool {
    matches!(
        (action, context),
        (Action::DryRun, Context::DryRun)
            | (Action::AllPolicies, Context::Policies)
            | (Action::SideBySide, Context::Versus)
            | (Action::Audit, Context::Audit)
            | (Action::Ledger, Context::Ledger)
            | (Action::Graph, Context::Graph)
    )
}

fn one((_, key, words): (Action, String, &str), area: Rect, x: usize, canvas: &mut Canvas<'_>) -> usize {
    let x = canvas.put(area, x, Role::Focus, &key);
    canvas.put(area, x + 1, Role::Dim, words) + 3
}
