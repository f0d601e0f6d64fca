//! Keys to actions: the table's own keys, with the user's laid over them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;

use super::actions::{ACTIONS, Action, ActionRow, Context};
use crate::base::data::{DataError, DataFile, nearest, parse};

/// A key as it is typed: `j`, `G`, `ctrl-d`, `shift-tab`, `pagedown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Which keys do what.
#[derive(Clone, Debug, PartialEq)]
pub struct Keymap {
    rows: Vec<Binding>,
}

#[derive(Clone, Debug, PartialEq)]
struct Binding {
    action: Action,
    contexts: &'static [Context],
    chords: Vec<Chord>,
}

/// A user's `keys.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeysFile {
    #[serde(default)]
    keys: BTreeMap<String, Vec<String>>,
}

impl Default for Keymap {
    fn default() -> Self {
        let rows = ACTIONS.iter().map(|row| Binding {
            action: row.action,
            contexts: row.contexts,
            chords: row.keys.iter().filter_map(|key| key.parse().ok()).collect(),
        });
        Self { rows: rows.collect() }
    }
}

impl Keymap {
    /// The table's keys, with those that a user's `keys.toml` names put in their place: `[keys]`, an action's name, its keys.
    ///
    /// # Errors
    /// A mistake, with file and field: an action or a key that does not exist, or a key that would mean two things in one place.
    pub fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let mut keymap = Self::default();
        let Some(overlay) = overlay else { return Ok(keymap) };
        let wrong = |name: &str, message: String| {
            let line = overlay.text.lines().position(|line| line.split('=').next().is_some_and(|key| key.trim() == name));
            DataError { file: overlay.name.to_owned(), line: line.map(|n| n + 1), field: Some(format!("keys.{name}")), message }
        };
        for (name, keys) in parse::<KeysFile>(overlay)?.keys {
            let Some(at) = ACTIONS.iter().position(|row| row.name == name) else {
                let meant = nearest(&name, ACTIONS.iter().map(|row| row.name));
                let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
                return Err(wrong(&name, format!("there is no such action{meant} `?` in the inspector lists them")));
            };
            let chords = keys.iter().map(|key| key.parse()).collect::<Result<Vec<Chord>, _>>();
            if let Some(row) = keymap.rows.get_mut(at) {
                row.chords = chords.map_err(|message| wrong(&name, message))?;
            }
            if let Some((chord, other)) = keymap.clash(at) {
                return Err(wrong(&name, format!("`{chord}` is already `{}` in the same place", other.name)));
            }
        }
        Ok(keymap)
    }

    /// What a key does in a context.
    #[must_use]
    pub fn action(&self, context: Context, key: KeyEvent) -> Option<Action> {
        let chord = Chord::of(key);
        let row = self.rows.iter().find(|row| row.contexts.contains(&context) && row.chords.contains(&chord))?;
        Some(row.action)
    }

    /// The keys of an action, the one to show first.
    #[must_use]
    pub fn chords(&self, action: Action) -> &[Chord] {
        self.rows.iter().find(|row| row.action == action).map_or(&[], |row| &row.chords)
    }

    /// A key of the row at `at` that another row already has in one of the same contexts.
    fn clash(&self, at: usize) -> Option<(Chord, &'static ActionRow)> {
        let own = self.rows.get(at)?;
        let others = self.rows.iter().zip(ACTIONS).enumerate().filter(|(n, _)| *n != at);
        others
            .filter(|(_, (row, _))| row.contexts.iter().any(|context| own.contexts.contains(context)))
            .find_map(|(_, (row, named))| Some((*row.chords.iter().find(|chord| own.chords.contains(chord))?, named)))
    }
}

/// The letter that a key types, where somebody types.
pub(crate) fn letter(key: KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(letter) if !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => Some(letter),
        _ => None,
    }
}

impl Chord {
    /// The event of its being pressed.
    #[must_use]
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    fn of(key: KeyEvent) -> Self {
        let kept = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        match key.code {
            // A terminal says shift-tab in two ways, and the case of a letter already tells about its shift.
            KeyCode::BackTab => Self { code: KeyCode::Tab, modifiers: KeyModifiers::SHIFT },
            KeyCode::Char(_) => Self { code: key.code, modifiers: (key.modifiers & kept) - KeyModifiers::SHIFT },
            code => Self { code, modifiers: key.modifiers & kept },
        }
    }
}

/// Keys that have a name instead of a character.
const NAMED: [(&str, KeyCode); 14] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("delete", KeyCode::Delete),
];

const PREFIXES: [(&str, KeyModifiers); 3] =
    [("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", KeyModifiers::SHIFT)];

impl FromStr for Chord {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((prefix, modifier)) = PREFIXES.iter().find(|(prefix, _)| rest.starts_with(prefix)) {
            modifiers |= *modifier;
            rest = rest.strip_prefix(prefix).unwrap_or_default();
        }
        let mut letters = rest.chars();
        let code = match (NAMED.iter().find(|(name, _)| *name == rest), letters.next(), letters.next()) {
            (Some((_, code)), ..) => *code,
            (None, Some(letter), None) => KeyCode::Char(letter),
            _ => return Err(format!("`{text}` is no key: try `x`, `ctrl-x`, `pagedown`")),
        };
        Ok(Self { code, modifiers })
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (prefix, modifier) in PREFIXES {
            if self.modifiers.contains(modifier) {
                f.write_str(prefix)?;
            }
        }
        match (NAMED.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(letter)) => write!(f, "{letter}"),
            (None, code) => write!(f, "{code:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_actions_of_one_context_share_a_key() {
        let keymap = Keymap::default();
        for (at, row) in ACTIONS.iter().enumerate() {
            assert_eq!(keymap.clash(at).map(|(chord, other)| (chord.to_string(), other.name)), None, "{}", row.name);
        }
    }

    #[test]
    fn every_key_of_the_table_can_be_typed() {
        for row in ACTIONS {
            for key in row.keys {
                assert_eq!(key.parse::<Chord>().map(|chord| chord.to_string()).as_deref(), Ok(*key), "{}", row.name);
            }
        }
    }

    #[test]
    fn what_a_terminal_sends_is_what_is_meant() {
        let keymap = Keymap::default();
        for (code, modifiers, action) in [
            (KeyCode::Char('j'), KeyModifiers::NONE, Some(Action::Down)),
            (KeyCode::Char('G'), KeyModifiers::SHIFT, Some(Action::End)),
            (KeyCode::BackTab, KeyModifiers::SHIFT, Some(Action::PreviousPane)),
            (KeyCode::Char('z'), KeyModifiers::CONTROL, Some(Action::Suspend)),
            (KeyCode::Char('j'), KeyModifiers::ALT, None),
            (KeyCode::F(7), KeyModifiers::NONE, None),
        ] {
            assert_eq!(keymap.action(Context::Timeline, KeyEvent::new(code, modifiers)), action, "{code:?}");
        }
    }

    #[test]
    fn a_users_keys_replace_the_tables() {
        let mine = DataFile { name: "keys.toml", text: "[keys]\nnext-barrier = [\"%\", \"ctrl-g\"]\n" };
        let keymap = Keymap::load(Some(mine)).unwrap();
        let typed = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        assert_eq!(keymap.action(Context::Timeline, typed('%')), Some(Action::NextBarrier));
        assert_eq!(keymap.action(Context::Timeline, typed('b')), None);
    }

    #[test]
    fn a_mistake_is_told_where_it_stands() {
        for (text, told) in [
            ("[keys]\nfly = [\"f\"]\n", "keys.toml:2: keys.fly: there is no such action"),
            ("[keys]\n\ntop = [\"superkey\"]\n", "keys.toml:3: keys.top: `superkey` is no key"),
            ("[keys]\ntop = [\"j\"]\n", "keys.toml:2: keys.top: `j` is already `down` in the same place"),
            ("[kees]\n", "keys.toml:1"),
        ] {
            let error = Keymap::load(Some(DataFile { name: "keys.toml", text })).unwrap_err().to_string();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
