//! The command palette: every action of the table that works where the reader is, every policy, theme and lane by name, and any
//! line or time by its number.

use std::cmp::Reverse;
use std::sync::Arc;

use super::App;
use crate::base::ids::{EventIx, LaneIx};
use crate::base::time::Stamp;
use crate::ui::actions::{ACTIONS, Action, ActionRow};
use crate::ui::fuzzy::misfit_of;
use crate::ui::theme::THEMES;

/// What a row of the palette does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// An action of the table.
    Do(Action),
    /// Judge by this policy.
    Policy(Arc<str>),
    /// Look like this theme.
    Theme(&'static str),
    /// Show this lane.
    Lane(LaneIx),
    /// Put the cursor on this event: of a line of the transcript.
    Line(EventIx),
    /// Show this moment: of a time of day.
    Moment(EventIx),
}

/// A row of the palette.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Offer {
    pub(crate) command: Command,
    pub(crate) name: String,
    pub(crate) means: String,
    pub(crate) key: String,
}

/// So many commands are remembered.
const MOST_DONE: usize = 8;

/// How well a row fits what was typed, the best first: called so, a word of it begins so, or it fits somehow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Called,
    Begins,
    Somehow(usize),
}

/// Below this, each word that was typed begins one of the name.
const WITHIN: usize = 100;

impl Offer {
    fn row(&self) -> Option<&'static ActionRow> {
        let Command::Do(action) = self.command else { return None };
        ACTIONS.iter().find(|row| row.action == action)
    }

    /// Where it stands among those that nothing was typed for: what the key bar shows first, and of that what works in few places.
    fn rank(&self) -> (bool, bool) {
        self.row().map_or((true, true), |row| (row.bar.is_empty(), !row.is_special()))
    }

    /// Whether that is its name, or of a policy, a theme or a lane the name of that.
    fn is_called(&self, typed: &str) -> bool {
        let of = self.name.split_once(' ').map(|(_, of)| of);
        [Some(self.name.as_str()), of].into_iter().flatten().any(|name| name.eq_ignore_ascii_case(typed))
    }

    /// How well it fits, and how far from its beginning.
    fn fit(&self, typed: &str) -> Option<(Fit, usize)> {
        let misfit = misfit_of(typed, &self.name, &self.means)?;
        let fit = match misfit {
            _ if self.is_called(typed.trim()) => Fit::Called,
            0..WITHIN => Fit::Begins,
            _ => Fit::Somehow(misfit),
        };
        Some((fit, misfit))
    }
}

impl App {
    /// The rows that fit what was typed, the best first; of those that fit alike, what was done most often, then actions, which are
    /// few, before policies. Where nothing is typed: what was done, what the key bar shows, and the rest in the order of the help.
    pub(crate) fn offers(&self, typed: &str) -> Vec<Offer> {
        let all = self.actions().chain(self.choices());
        let done = |offer: &Offer| self.done.iter().position(|(done, _)| *done == offer.command).unwrap_or(self.done.len());
        if typed.trim().is_empty() {
            let mut offers: Vec<Offer> = all.collect();
            offers.sort_by_key(|offer| (done(offer), offer.rank()));
            return offers;
        }
        let mut named: Vec<((Fit, usize), Offer)> = all.filter_map(|offer| Some((offer.fit(typed)?, offer))).collect();
        named.sort_by_key(|((fit, at), offer)| (*fit, done(offer), offer.row().is_none(), *at));
        self.places(typed).into_iter().chain(named.into_iter().map(|(_, offer)| offer)).collect()
    }

    /// Remembers what was done by name.
    pub(crate) fn note_done(&mut self, command: &Command) {
        let before = self.done.iter().find(|(done, _)| done == command).map_or(0, |(_, times)| *times);
        self.done.retain(|(done, _)| done != command);
        self.done.insert(0, (command.clone(), before + 1));
        self.done.sort_by_key(|(_, times)| Reverse(*times));
        self.done.truncate(MOST_DONE);
    }

    fn actions(&self) -> impl Iterator<Item = Offer> + '_ {
        let here = self.place();
        let works = move |row: &&ActionRow| row.contexts.contains(&here) && row.action != Action::Palette;
        ACTIONS.iter().filter(works).map(|row| Offer {
            command: Command::Do(row.action),
            name: row.name.to_owned(),
            means: row.help.to_owned(),
            key: self.look.keymap.chords(row.action).first().map(ToString::to_string).unwrap_or_default(),
        })
    }

    fn choices(&self) -> impl Iterator<Item = Offer> + '_ {
        let offer = |command, name: String, means: String| Offer { command, name, means, key: String::new() };
        let policies = self.judged.policies().iter();
        let policies = policies.map(move |policy| {
            // A runtime's default goes by the runtime's name.
            let (name, title) = match policy.alias.as_deref().filter(|alias| **alias != *policy.id) {
                Some(alias) => (alias, format!("{} ({})", policy.title, policy.id)),
                None => (&*policy.id, policy.title.clone()),
            };
            offer(Command::Policy(policy.id.clone()), format!("policy {name}"), title)
        });
        let themes = THEMES.iter().map(move |(name, _)| {
            offer(Command::Theme(name), format!("theme {name}"), "how the screen looks, until you leave".to_owned())
        });
        let lanes = self.snapshot.lanes.iter().enumerate().filter(|_| self.snapshot.lanes.len() > 1);
        let lanes = lanes.map(move |(n, lane)| {
            offer(Command::Lane(LaneIx::from_index(n)), format!("lane {}", lane.name), format!("{} events", lane.events.len()))
        });
        policies.chain(themes).chain(lanes)
    }

    /// The line or the moment that a number names: `120` is a line, `9:41` a time of day.
    fn places(&self, typed: &str) -> Option<Offer> {
        let newest = self.time.lane(self.lane)?;
        let offer = |command, name: String, means: &str| Offer { command, name, means: means.to_owned(), key: String::new() };
        if let Ok(line) = typed.trim().parse::<u32>() {
            let event = newest.events.iter().position(|row| row.place.line >= line).map(EventIx::from_index).or(newest.end())?;
            let at = newest.events.get(event.index())?.place.line;
            return Some(offer(Command::Line(event), format!("line {at}"), "the cursor on what stands in this line"));
        }
        let wanted = minute_of_day(typed.trim())?;
        let end = newest.events.iter().rev().find_map(|row| row.at)?;
        // The last time that the clock showed it, before the end.
        let ago = (minute_of_day(&end.clock(&self.look.zone))? - wanted).rem_euclid(24 * 60);
        let until = Stamp(end.0 - ago * MINUTE + (MINUTE - 1).min(ago * MINUTE));
        let event = newest.events.iter().rev().position(|row| row.at.is_some_and(|at| at <= until))?;
        let event = EventIx::from_index(newest.events.len() - 1 - event);
        Some(offer(Command::Moment(event), format!("moment {}", typed.trim()), "the whole screen as it was then"))
    }
}

/// Milliseconds.
const MINUTE: i64 = 60_000;

/// The minutes since midnight that `9:41` says.
fn minute_of_day(text: &str) -> Option<i64> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (hour.parse::<i64>().ok()?, minute.parse::<i64>().ok()?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some(hour * 60 + minute)
}
