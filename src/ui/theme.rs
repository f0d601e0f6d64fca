//! What a colour means: semantic roles, and the theme files that give each a style.
//!
//! **Invariant:** nothing outside this file names a colour. A view asks for a [`Role`]; each status also has a glyph, so that a
//! theme without colours loses nothing.

mod depth;
mod ink;

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::base::data::{DataError, DataFile, parse, parse_over};

pub use self::depth::Depth;
pub(crate) use self::ink::Ink;

/// What a piece of the screen is, from which a theme decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plain text.
    Text,
    /// What is there for the second look: times, rules, what left the context.
    Dim,
    /// What is read first.
    Strong,
    /// The one accent: where the keys go.
    Focus,
    /// The selected row of the pane that has the keys.
    Selected,
    /// The selected row of another pane.
    Marked,
    /// Status: must stay verbatim.
    Barrier,
    /// Status: may be summarised once its carriers are written.
    Repair,
    /// Status: may be summarised freely.
    Opportunity,
    /// A verdict that stops a compaction, as a label.
    VerdictStop,
    /// A verdict that lets it happen once something is done, as a label.
    VerdictFirst,
    /// A verdict that lets it happen, as a label.
    VerdictGo,
    /// Rules between panes.
    Rule,
    /// A compaction that happened, across the time line.
    Boundary,
    /// A heading in prose.
    Heading,
    /// Code in prose, and code that nothing is known about.
    Code,
    /// Words that a language reserves.
    Keyword,
    /// String literals.
    String,
    /// Numbers and constants.
    Number,
    /// Comments.
    Comment,
    /// Names of functions, types, keys and tags.
    Name,
    /// The sign of an added line.
    Added,
    /// The sign of a removed line.
    Removed,
    /// Underline of a region: prohibition.
    RegionProhibition,
    /// Underline of a region: requirement.
    RegionRequirement,
    /// Underline of a region: ordering.
    RegionOrdering,
    /// Underline of a region: decision.
    RegionDecision,
    /// Underline of a region: value.
    RegionValue,
    /// Underline of a region: question.
    RegionQuestion,
    /// Underline of a region of another kind.
    RegionOther,
}

impl Role {
    /// All roles, in the order of a theme file.
    pub const ALL: [Self; 30] = [
        Self::Text,
        Self::Dim,
        Self::Strong,
        Self::Focus,
        Self::Selected,
        Self::Marked,
        Self::Barrier,
        Self::Repair,
        Self::Opportunity,
        Self::VerdictStop,
        Self::VerdictFirst,
        Self::VerdictGo,
        Self::Rule,
        Self::Boundary,
        Self::Heading,
        Self::Code,
        Self::Keyword,
        Self::String,
        Self::Number,
        Self::Comment,
        Self::Name,
        Self::Added,
        Self::Removed,
        Self::RegionProhibition,
        Self::RegionRequirement,
        Self::RegionOrdering,
        Self::RegionDecision,
        Self::RegionValue,
        Self::RegionQuestion,
        Self::RegionOther,
    ];
}

/// With which characters lines and signs are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signs {
    /// Box-drawing lines and geometric shapes.
    #[default]
    Unicode,
    /// Characters of ASCII, for terminals and fonts that have no others.
    Ascii,
}

/// The built-in themes by name; the first is the default.
pub const THEMES: [(&str, &str); 6] = [
    ("terminal", include_str!("../../assets/themes/terminal.toml")),
    ("night", include_str!("../../assets/themes/night.toml")),
    ("paper", include_str!("../../assets/themes/paper.toml")),
    ("contrast", include_str!("../../assets/themes/contrast.toml")),
    ("safe", include_str!("../../assets/themes/safe.toml")),
    ("ascii", include_str!("../../assets/themes/ascii.toml")),
];

/// A style for each role.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    signs: Signs,
    depth: Depth,
    styles: BTreeMap<Role, Style>,
}

/// A theme file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    /// For whom it is.
    #[serde(rename = "about")]
    _about: String,
    #[serde(default)]
    signs: Signs,
    roles: BTreeMap<Role, StyleText>,
}

/// A style in words: `bold red on black`, `underlined under blue`.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct StyleText(Style);

impl Theme {
    /// The built-in theme of this name, or the default one, with a user's file laid over it role by role.
    ///
    /// # Errors
    /// A mistake in the user's file, with file, line and field.
    pub fn load(name: &str, overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let (_, text) = THEMES.iter().find(|(known, _)| *known == name).unwrap_or(&THEMES[0]);
        let base = DataFile { name: "theme (built in)", text };
        let file: ThemeFile = if overlay.is_some() { parse_over(base, overlay)? } else { parse(base)? };
        Ok(Self {
            signs: file.signs,
            depth: Depth::Full,
            styles: file.roles.into_iter().map(|(role, style)| (role, style.0)).collect(),
        })
    }

    /// The same theme in the colours that a terminal has, or that its reader wants.
    #[must_use]
    pub fn in_depth(mut self, depth: Depth) -> Self {
        self.depth = depth;
        for style in self.styles.values_mut() {
            *style = depth.style(*style);
        }
        self
    }

    /// The same theme in the colours of another one.
    pub(crate) fn like(self, other: &Self) -> Self {
        self.in_depth(other.depth)
    }

    /// With which characters it draws.
    #[must_use]
    pub fn signs(&self) -> Signs {
        self.signs
    }

    /// How what a tool has coloured looks, in the colours that there are.
    pub(crate) fn ink(&self, ink: Ink) -> Style {
        self.depth.style(ink.style())
    }

    /// How a role looks.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }
}

impl TryFrom<String> for StyleText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut style = Style::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            style = match word {
                "plain" => style,
                "bold" => style.add_modifier(Modifier::BOLD),
                "dim" => style.add_modifier(Modifier::DIM),
                "italic" => style.add_modifier(Modifier::ITALIC),
                "underlined" => style.add_modifier(Modifier::UNDERLINED),
                "reversed" => style.add_modifier(Modifier::REVERSED),
                "under" => style.underline_color(colour(words.next().unwrap_or_default())?),
                "on" => style.bg(colour(words.next().unwrap_or_default())?),
                name => style.fg(colour(name)?),
            };
        }
        Ok(Self(style))
    }
}

/// A colour by its name, as `#rrggbb`, or as a number of the 256 colours.
fn colour(name: &str) -> Result<Color, String> {
    let named = match name {
        "black" => Color::Black,
        "red" => Color::Red,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "blue" => Color::Blue,
        "magenta" => Color::Magenta,
        "cyan" => Color::Cyan,
        "white" => Color::Gray,
        "bright-black" => Color::DarkGray,
        "bright-red" => Color::LightRed,
        "bright-green" => Color::LightGreen,
        "bright-yellow" => Color::LightYellow,
        "bright-blue" => Color::LightBlue,
        "bright-magenta" => Color::LightMagenta,
        "bright-cyan" => Color::LightCyan,
        "bright-white" => Color::White,
        _ => return other_colour(name).ok_or_else(|| format!("unknown colour or attribute `{name}`: try `bold red on #202020`")),
    };
    Ok(named)
}

fn other_colour(name: &str) -> Option<Color> {
    match name.strip_prefix('#') {
        Some(hex) if hex.len() == 6 => {
            let [_, red, green, blue] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
            Some(Color::Rgb(red, green, blue))
        }
        Some(_) => None,
        None => name.parse().ok().map(Color::Indexed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_theme_knows_every_role() {
        for (name, _) in THEMES {
            let theme = Theme::load(name, None).unwrap();
            for role in Role::ALL {
                assert!(theme.styles.contains_key(&role), "{name} has no style for {role:?}");
            }
        }
    }

    #[test]
    fn the_default_theme_keeps_to_the_terminals_own_colours() {
        let theme = Theme::load("terminal", None).unwrap();
        for (role, style) in &theme.styles {
            for colour in [style.fg, style.bg].into_iter().flatten() {
                assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)), "{role:?} is {colour}");
            }
        }
    }

    #[test]
    fn a_style_is_said_in_words() {
        let red = StyleText::try_from("bold #ff8700 on 236".to_owned()).map(|s| s.0).unwrap();
        assert_eq!(red, Style::default().fg(Color::Rgb(255, 135, 0)).bg(Color::Indexed(236)).add_modifier(Modifier::BOLD));
        for wrong in ["reddish", "#ff", "red on", "#zzzzzz"] {
            assert!(StyleText::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_users_file_wins_role_by_role_and_its_mistakes_are_told() {
        let mine = DataFile { name: "mine.toml", text: "[roles]\nbarrier = \"bold magenta\"\n" };
        let theme = Theme::load("terminal", Some(mine)).unwrap();
        assert_eq!(theme.style(Role::Barrier).fg, Some(Color::Magenta));
        assert_eq!(theme.style(Role::Repair), Theme::load("terminal", None).unwrap().style(Role::Repair));

        let wrong = DataFile { name: "mine.toml", text: "[roles]\nbarier = \"red\"\n" };
        assert!(Theme::load("terminal", Some(wrong)).unwrap_err().to_string().starts_with("mine.toml"));
    }

    #[test]
    fn without_colours_no_colour_is_left() {
        let theme = Theme::load("night", None).unwrap().in_depth(Depth::None);
        assert!(theme.styles.values().all(|s| s.fg.is_none() && s.bg.is_none()));
        assert!(theme.style(Role::Selected).add_modifier.contains(Modifier::REVERSED));
    }
}
