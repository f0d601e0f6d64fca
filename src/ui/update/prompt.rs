//! What is typed at the foot of the screen, and what enter does with it.

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};

use super::{act, detail, dry_run, jump, mouse, search, time};
use crate::ui::actions::{Action, Context};
use crate::ui::app::{App, Asks, Command, List, Motion, Narrow, Prompt, TimelineState};
use crate::ui::keymap::letter;
use crate::ui::msg::Flow;
use crate::ui::theme::Theme;
use crate::ui::view;

/// Begins to type.
pub(super) fn open(app: &mut App, asks: Asks) {
    app.prompt = Some(Prompt::new(asks));
    refill(app);
}

/// A key while somebody types.
pub(super) fn key(app: &mut App, key: KeyEvent) -> Flow {
    let keymap = &app.look.keymap;
    let typing = keymap.action(Context::Filter, key);
    // What is no letter moves in the list above, as it does in any other.
    let moving = || keymap.action(Context::Help, key).filter(|_| letter(key).is_none());
    let action = typing.or_else(moving);
    let Some(prompt) = &mut app.prompt else { return Flow::Go };
    match (action, letter(key)) {
        (Some(Action::Open), _) => return take(app),
        (Some(Action::DropFilter), _) => leave(app),
        (Some(Action::EraseFilter), _) => match prompt.typed.pop() {
            Some(_) => refill(app),
            None => leave(app),
        },
        (Some(Action::Down), _) => walk(app, Motion::Rows(1)),
        (Some(Action::Up), _) => walk(app, Motion::Rows(-1)),
        (Some(Action::PageDown), _) => walk(app, Motion::Pages(1)),
        (Some(Action::PageUp), _) => walk(app, Motion::Pages(-1)),
        (None, Some(letter)) => {
            prompt.typed.push(letter);
            refill(app);
        }
        (Some(action), _) => return act::act(app, action),
        (None, None) => {}
    }
    Flow::Go
}

/// The mouse while somebody types: the wheel moves in the list above; of the palette, a click selects a row, and one on the selected row
/// does it.
pub(super) fn mouse(app: &mut App, event: MouseEvent) -> Flow {
    if let Some(by) = mouse::turned(event) {
        walk(app, Motion::Rows(by));
    }
    let rows = view::palette_rows(app.size);
    let is_click = event.kind == MouseEventKind::Down(MouseButton::Left) && rows.contains((event.column, event.row).into());
    let Some(prompt) = app.prompt.as_mut().filter(|prompt| is_click && prompt.asks == Asks::Command) else { return Flow::Go };
    let row = prompt.list.first(prompt.offers.len(), usize::from(rows.height)) + usize::from(event.row - rows.y);
    if row == prompt.list.selected {
        return take(app);
    }
    if row < prompt.offers.len() {
        prompt.list.selected = row;
    }
    Flow::Go
}

/// Types no more; of a list all rows are shown again.
fn leave(app: &mut App) {
    let prompt = app.prompt.take();
    if prompt.is_some_and(|prompt| prompt.asks == Asks::Rows) {
        app.set_narrow(app.panes.focus, Narrow::default());
    }
}

fn walk(app: &mut App, motion: Motion) {
    if app.prompt.as_ref().is_some_and(|prompt| prompt.asks == Asks::Rows) {
        return act::go_in(app, app.panes.focus, motion);
    }
    let page = view::palette_page(app.size);
    if let Some(prompt) = &mut app.prompt {
        prompt.list.go(motion, prompt.offers.len(), page);
    }
}

/// Looks again for what fits what is typed.
fn refill(app: &mut App) {
    if let Some(prompt) = app.prompt.as_ref().filter(|prompt| prompt.asks == Asks::Rows) {
        let narrow = Narrow::of(&prompt.typed);
        return app.set_narrow(app.panes.focus, narrow);
    }
    let typed = app.prompt.as_ref().filter(|prompt| prompt.asks == Asks::Command).map(|prompt| prompt.typed.clone());
    let Some(offers) = typed.map(|typed| app.offers(&typed)) else { return };
    if let Some(prompt) = &mut app.prompt {
        (prompt.offers, prompt.list) = (offers, List::default());
    }
}

/// Enter.
fn take(app: &mut App) -> Flow {
    let Some(prompt) = app.prompt.take() else { return Flow::Go };
    match prompt.asks {
        // They have been narrowed with each letter.
        Asks::Rows => {}
        Asks::Words => search::start(app, &prompt.typed),
        Asks::WordsWithin => detail::find(app, &prompt.typed),
        Asks::Command => match prompt.offers.into_iter().nth(prompt.list.selected) {
            Some(offer) => return run(app, offer.command),
            None => app.notice = Some(format!("no command fits “{}”", prompt.typed)),
        },
    }
    Flow::Go
}

fn run(app: &mut App, command: Command) -> Flow {
    app.note_done(&command);
    match command {
        Command::Do(action) => return act::act(app, action),
        Command::Policy(id) => dry_run::choose_policy(app, id),
        Command::Theme(name) => {
            // A built-in theme has no mistakes.
            if let Ok(theme) = Theme::load(name, None) {
                app.look.theme = theme.like(&app.look.theme);
            }
        }
        Command::Lane(lane) => {
            jump::leave_trail(app);
            jump::enter_lane(app, lane);
            app.timeline = TimelineState::default();
        }
        Command::Line(event) => {
            time::now_if_after(app, event);
            jump::to_event(app, event);
        }
        Command::Moment(event) => time::seek_event(app, event),
    }
    Flow::Go
}
