//! The inspector of one session, as whoever shows it sees it.

use std::time::Duration;

use ratatui::buffer::Buffer;

use super::activity::Activity;
use super::app::App;
use super::msg::{Effect, Msg, Step};
use super::update::{begin, pass, update};
use super::view::view;
use crate::base::time::Stamp;

/// An app on a screen.
pub(crate) struct Inspector(pub(crate) App);

impl Inspector {
    /// The first step.
    pub(crate) fn begin(&mut self) -> Step {
        begin(&mut self.0)
    }

    /// Takes a message.
    pub(crate) fn update(&mut self, msg: Msg) -> Step {
        update(&mut self.0, msg)
    }

    /// Draws.
    pub(crate) fn draw(&self, buffer: &mut Buffer) {
        view(&self.0, buffer);
    }

    /// It is later now; what that means for somebody who looks elsewhere.
    pub(crate) fn pass(&mut self, now: Stamp) -> Vec<Effect> {
        pass(&mut self.0, now);
        self.0.show_moment();
        std::mem::take(&mut self.0.outbox)
    }

    /// When what is new is not any more.
    pub(crate) fn next_news(&self) -> Option<Duration> {
        let app = &self.0;
        let news = [app.recent.and_then(|recent| recent.left(app.clock)), app.turned.and_then(|turned| turned.left(app.clock))];
        news.into_iter().flatten().filter_map(|left| u64::try_from(left).ok()).map(Duration::from_millis).min()
    }

    /// When something on the screen changes although nothing happens: an age.
    pub(crate) fn next_change(&self) -> Option<Duration> {
        let app = &self.0;
        if let Some(sleep) = app.time.player.sleep(app.clock) {
            return u64::try_from(sleep).ok().map(Duration::from_millis);
        }
        // In the past, time stands still.
        if app.time.moment.is_some() {
            return None;
        }
        let activity = app.lane().and_then(|lane| Activity::of(lane, app.now).age());
        let grows = app.grown() == app.now;
        let pending = app.pending.rows.iter().filter(|_| grows).filter_map(|row| row.since);
        let pending = pending.map(|at| app.now.millis_since(at).max(0));
        let ages = activity.into_iter().chain(pending).filter_map(until_next);
        together(ages.chain(self.next_news()))
    }
}

/// How long an age of so many milliseconds keeps its words.
fn until_next(age: i64) -> Option<Duration> {
    const MINUTE: i64 = 60_000;
    let unit = match age {
        0..MINUTE => 1_000,
        // Days are not worth waking up for.
        MINUTE..86_400_000 => MINUTE,
        _ => return None,
    };
    u64::try_from(unit - age % unit).ok().map(Duration::from_millis)
}

/// The next moment worth a frame: ages that turn within the same second share one, so that several of them cost no
/// more than one.
fn together(due: impl Iterator<Item = Duration> + Clone) -> Option<Duration> {
    const SECOND: Duration = Duration::from_secs(1);
    let soon = due.clone().filter(|wait| *wait <= SECOND).max();
    soon.or_else(|| due.min())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loop_wakes_when_an_age_changes_its_words_and_not_before() {
        for (age, wait) in
            [(0, Some(1_000)), (41_300, Some(700)), (60_000, Some(60_000)), (185_000, Some(55_000)), (90_000_000, None)]
        {
            assert_eq!(until_next(age), wait.map(Duration::from_millis), "{age}");
        }
    }

    #[test]
    fn ages_that_turn_within_a_second_share_a_frame() {
        for (due, wait) in
            [(&[][..], None), (&[300, 900, 60_000], Some(900)), (&[1_000, 1], Some(1_000)), (&[55_000, 1_001, 40_000], Some(1_001))]
        {
            let due = due.iter().copied().map(Duration::from_millis);
            assert_eq!(together(due), wait.map(Duration::from_millis));
        }
    }
}
