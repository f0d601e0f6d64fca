//! Several sessions at once.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::base::time::Stamp;
use crate::session::Progress;
use crate::ui::deck::Cards;
use crate::ui::feed::Supply;
use crate::ui::inspector::Inspector;
use crate::ui::jobs::Hands;
use crate::ui::keymap::Chord;
use crate::ui::msg::{Flow, Msg};
use crate::ui::runtime::{From, Screen};
use crate::ui::testing::{Fake, Script, Simple, migration, options, settled};

/// Both sessions with their judgements.
struct Two {
    cards: Cards,
    fakes: [Fake; 2],
}

impl Two {
    fn new() -> Self {
        let scripts: [Script; 2] = [migration(), settled()];
        let fakes = scripts.each_ref().map(Fake::new);
        let size = Size { width: 120, height: 40 };
        let app = |(script, fake): (&Script, &Fake)| Inspector(crate::ui::app(fake, Vec::new(), &options(script, 41), size));
        let inspectors = scripts.iter().zip(&fakes).map(app).collect();
        let mut two = Self { cards: Cards::of(inspectors, size), fakes };
        for n in 0..2 {
            let step = two.cards.begin(n);
            two.work(n, step.jobs);
        }
        two
    }

    fn work(&mut self, n: usize, jobs: Vec<crate::ui::msg::Job>) {
        let mut hands = Hands::new(Box::new(Simple), self.fakes[n].bodies());
        for job in jobs {
            let mut answers = Vec::new();
            hands.work(&job, &mut |msg| answers.push(msg));
            for msg in answers {
                drop(self.cards.update(From::Source(n), msg));
            }
        }
    }

    fn press(&mut self, keys: &str) -> Flow {
        let mut flow = Flow::Go;
        for key in keys.split_whitespace() {
            flow = self.cards.update(From::Outside, Msg::Key(key.parse::<Chord>().unwrap().event())).flow;
        }
        flow
    }

    fn text(&self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
        self.cards.draw(&mut buffer);
        let rows = buffer.content().chunks(120).map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
        rows.map(|row| format!("{}\n", row.trim_end())).collect()
    }
}

#[test]
fn each_session_has_a_tab_with_its_state_and_keeps_its_place() {
    let mut two = Two::new();
    insta::assert_snapshot!("tabs-120x40", two.text());
    two.press("g j");
    let place = two.text().lines().nth(3).unwrap_or_default().to_owned();
    two.press("ctrl-n");
    assert!(two.text().contains("It shows what an agent"), "{}", two.text());
    two.press("ctrl-b");
    assert_eq!(two.text().lines().nth(3), Some(&*place));
}

#[test]
fn a_session_that_is_not_in_front_is_judged_all_the_same() {
    let mut two = Two::new();
    let mut script = settled();
    script.prompt("Deploy it.");
    script.call("Bash", crate::ledger::effects::Class::External, "make deploy", r#"{"command":"make deploy"}"#);
    two.fakes[1].publish(&[&script], 0, Progress::Complete);
    let fed = Msg::Session(two.fakes[1].latest(), two.fakes[1].following());
    let step = two.cards.update(From::Source(1), fed);
    assert!(step.changed, "its tab has changed");
    let jobs = step.jobs;
    let mut hands = Hands::new(Box::new(Simple), two.fakes[1].bodies());
    let mut effects = Vec::new();
    for job in jobs {
        let mut answers = Vec::new();
        hands.work(&job, &mut |msg| answers.push(msg));
        for msg in answers {
            effects.extend(two.cards.update(From::Source(1), msg).effects);
        }
    }
    assert!(effects.is_empty(), "it may be otherwise in a moment: {effects:?}");
    for (seconds, calls) in [(1, 0), (9, 1)] {
        let now = Stamp(script.now().0 + seconds * 1_000);
        let effects = two.cards.update(From::Outside, Msg::Clock(now)).effects;
        assert_eq!(effects.len(), calls, "its reader is called when it stands: {effects:?}");
    }
    assert!(two.text().lines().next().is_some_and(|line| line.contains("call open")), "{}", two.text());
}

#[test]
fn closing_and_leaving_are_told_apart() {
    let mut two = Two::new();
    assert_eq!(two.press("Q"), Flow::Close);
    assert_eq!(two.press("q"), Flow::Quit);
    assert_eq!(two.press("A"), Flow::Sessions);
    drop(two.cards.update(From::Outside, Msg::Clock(Stamp(0))));
}
