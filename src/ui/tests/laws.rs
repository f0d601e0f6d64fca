//! Any sequence of messages: no panic, and a cursor that is on the screen.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use crate::session::Progress;
use crate::ui::Still;
use crate::ui::actions::ACTIONS;
use crate::ui::msg::Msg;
use crate::ui::testing::{Fake, Script, Simple, delegating, long, migration, options, settled};

#[derive(Clone, Debug)]
enum Happening {
    Key(&'static str),
    Size(u16, u16),
    Mouse(MouseEventKind, u16, u16),
    Session(usize, u32, bool),
}

fn happening() -> impl Strategy<Value = Happening> {
    let keys: Vec<&'static str> = ACTIONS.iter().flat_map(|row| row.keys).copied().collect();
    let sizes = prop_oneof![Just((0, 0)), Just((60, 15)), Just((80, 24)), Just((120, 40)), Just((200, 60)), (0u16..260, 0u16..90)];
    let mouse = prop_oneof![
        Just(MouseEventKind::ScrollDown),
        Just(MouseEventKind::ScrollUp),
        Just(MouseEventKind::Down(MouseButton::Left)),
        Just(MouseEventKind::Drag(MouseButton::Left)),
        Just(MouseEventKind::Up(MouseButton::Left)),
        Just(MouseEventKind::Moved)
    ];
    prop_oneof![
        8 => prop::sample::select(keys).prop_map(Happening::Key),
        2 => sizes.prop_map(|(width, height)| Happening::Size(width, height)),
        2 => (mouse, 0u16..260, 0u16..90).prop_map(|(kind, x, y)| Happening::Mouse(kind, x, y)),
        2 => (0usize..5, 0u32..3, any::<bool>()).prop_map(|(which, epoch, complete)| Happening::Session(which, epoch, complete)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_makes_the_screen_panic(happenings in prop::collection::vec(happening(), 0..40)) {
        let [parent, first, second] = delegating();
        let scripts = [migration(), settled(), Script::new(), long(300), parent];
        let fake = Fake::new(&scripts[4]);
        fake.publish(&[&scripts[4], &first, &second], 0, Progress::Complete);
        let mut still = Still::open(&fake, Box::new(Simple), &options(&scripts[0], 41), (120, 40));
        for happening in happenings {
            match happening {
                Happening::Key(key) => still.press(key).unwrap(),
                Happening::Size(width, height) => still.resize(width, height),
                Happening::Mouse(kind, column, row) => {
                    still.take(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
                }
                Happening::Session(which, epoch, complete) => {
                    let progress = if complete { Progress::Complete } else { Progress::Reading { done: 1, total: 3 } };
                    fake.publish(&[&scripts[which], &first, &second], epoch, progress);
                    still.refresh(&fake);
                }
            }
            let screen = still.screen();
            prop_assert_eq!(screen.content().len(), usize::from(screen.area.width) * usize::from(screen.area.height));
        }
    }
}
