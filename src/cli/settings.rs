//! The settings in force: the command line over the user's files over what is built in.

use std::path::PathBuf;
use std::str::FromStr;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

use crate::base::data::{DataFile, parse_over};
use crate::cli::args::HowMuch;
use crate::cli::color::{Circumstances, ColorChoice};
use crate::cli::count::TokenCount;
use crate::cli::failure::Failure;
use crate::cli::folder::{self, Folder, Overlay};
use crate::cli::io::Io;
use crate::compaction::Strictness;
use crate::compaction::models::Models;
use crate::compaction::policy::Policies;
use crate::hooks::{GateRules, OnDanger};
use crate::ledger::{Overlays, Rulebook};
use crate::report::Style;
use crate::ui::keymap::Keymap;
use crate::ui::theme::{Depth, THEMES, Theme};
use crate::ui::{Background, Mouse};

/// The built-in settings, with their comments.
pub(super) const DEFAULT: DataFile<'_> =
    DataFile { name: "config.toml (built in)", text: include_str!("../../assets/config.toml") };

/// `config.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// When to colour.
    pub(super) color: ColorChoice,
    /// What is asked of a session.
    pub(super) check: CheckConfig,
    /// The gate.
    pub(super) gate: GateConfig,
    /// The inspector.
    pub(super) screen: ScreenConfig,
}

/// `[check]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckConfig {
    /// The policy's name or alias.
    pub(super) policy: Auto<String>,
    /// The context window.
    pub(super) window: Auto<TokenCount>,
    /// What the context must get under.
    pub(super) budget: Auto<TokenCount>,
    /// Whether settled entries count.
    pub(super) strict: bool,
    /// How much of human text counts.
    pub(super) human: HowMuch,
}

/// `[gate]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GateConfig {
    /// For compactions that a human asks for.
    manual: OnDanger,
    /// For those that the runtime begins by itself.
    auto: OnDanger,
    /// How many in a row are stopped at most.
    refusals: u32,
}

impl GateConfig {
    /// What the gate goes by.
    pub(super) fn rules(&self) -> GateRules {
        GateRules { manual: self.manual, auto: self.auto, refusals: self.refusals }
    }
}

/// `[screen]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScreenConfig {
    /// The theme's name.
    pub(super) theme: String,
    /// Whether the wheel scrolls and a click selects.
    pub(super) mouse: bool,
    /// How its reader is called.
    pub(super) alert: AlertConfig,
}

/// `[screen.alert]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AlertConfig {
    /// Whether the terminal's bell rings.
    pub(super) bell: bool,
    /// How the terminal is asked for a notification.
    pub(super) desktop: Desktop,
    /// A program to run, with its arguments; what is told comes last.
    pub(super) command: Vec<String>,
}

/// A terminal's own way to notify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Desktop {
    /// None.
    Off,
    /// iTerm2, Windows Terminal, `WezTerm`, Ghostty.
    Osc9,
    /// urxvt, foot, VTE.
    Osc777,
}

/// A setting that may be left to the program: `"auto"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Auto<T>(pub(super) Option<T>);

impl<T: Serialize> Serialize for Auto<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_str("auto"),
        }
    }
}

impl<'de, T: FromStr<Err: std::fmt::Display>> Deserialize<'de> for Auto<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected \"auto\", a name or a number")]
        enum Written {
            Number(u64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(n) => n.to_string(),
            Written::Text(text) => text,
        };
        if text == "auto" {
            return Ok(Self(None));
        }
        text.parse().map(Some).map(Self).map_err(D::Error::custom)
    }
}

/// What a command runs by.
pub(super) struct Settings {
    /// The user's folder.
    pub(super) folder: Folder,
    /// Where what is written for a session lies; none when there is no home folder.
    pub(super) state: Option<PathBuf>,
    /// The configuration.
    pub(super) config: Config,
    /// How text on standard output is coloured.
    pub(super) style: Style,
}

impl Settings {
    /// Reads the user's configuration; `color` is what the command line says.
    ///
    /// # Errors
    /// A mistake in it, with file, line and field.
    pub(super) fn load(color: Option<ColorChoice>, io: &Io) -> Result<Self, Failure> {
        let folder = Folder::of(io);
        let config: Config = parse_over(DEFAULT, folder.file("config.toml")?.as_ref().map(Overlay::as_file))?;
        let style = color.unwrap_or(config.color).style(&Circumstances::of(io, io.terminal.stdout));
        Ok(Self { folder, state: folder::state(io), config, style })
    }

    /// The same, counting what settled too where that is asked for.
    pub(super) fn with(mut self, strictness: Strictness) -> Self {
        self.config.check.strict |= strictness == Strictness::Strict;
        self
    }

    /// Reads every file of the user's.
    ///
    /// # Errors
    /// The first mistake in one of them.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.rulebook()?;
        self.models()?;
        self.policies()?;
        self.keymap()?;
        for own in self.folder.files("themes")? {
            Theme::load(&own.stem(), Some(own.as_file()))?;
        }
        self.theme(Depth::Full, Background::default).map(|_| ())
    }

    /// The compaction policies.
    ///
    /// # Errors
    /// A mistake in one of the user's `policies/*.toml`.
    pub(super) fn policies(&self) -> Result<Policies, Failure> {
        let own = self.folder.files("policies")?;
        Ok(Policies::load(&own.iter().map(Overlay::as_file).collect::<Vec<_>>())?)
    }

    /// Context windows by model.
    ///
    /// # Errors
    /// A mistake in the user's `models.toml`.
    pub(super) fn models(&self) -> Result<Models, Failure> {
        Ok(Models::load(self.folder.file("models.toml")?.as_ref().map(Overlay::as_file))?)
    }

    /// The keys of the inspector.
    ///
    /// # Errors
    /// A mistake in the user's `keys.toml`.
    pub(super) fn keymap(&self) -> Result<Keymap, Failure> {
        Ok(Keymap::load(self.folder.file("keys.toml")?.as_ref().map(Overlay::as_file))?)
    }

    /// The theme that the configuration names, in the colours that the terminal has; by the background where that is left to us.
    ///
    /// # Errors
    /// There is none of that name, or a mistake in the user's file.
    pub(super) fn theme(&self, depth: Depth, background: impl FnOnce() -> Background) -> Result<Theme, Failure> {
        let name = match self.config.screen.theme.as_str() {
            "auto" => match background() {
                Background::Dark => "night",
                Background::Light => "paper",
            },
            name => name,
        };
        let own = self.folder.files("themes")?;
        let overlay = own.iter().find(|file| file.stem() == name);
        if overlay.is_none() && !THEMES.iter().any(|(known, _)| *known == name) {
            let known = THEMES.iter().map(|(known, _)| (*known).to_owned()).chain(own.iter().map(Overlay::stem));
            return Err(Failure::usage(format!("no theme is called `{name}`"))
                .next(format!("there are {}", known.collect::<Vec<_>>().join(", "))));
        }
        let theme = Theme::load(name, overlay.map(Overlay::as_file))?;
        Ok(theme.in_depth(if self.style == Style::Coloured { depth } else { Depth::None }))
    }

    /// Whether the inspector takes the mouse.
    pub(super) fn mouse(&self) -> Mouse {
        if self.config.screen.mouse { Mouse::Taken } else { Mouse::Left }
    }

    /// What the fold goes by.
    ///
    /// # Errors
    /// A mistake in the user's `effects.toml`, `transactions.toml`, `wordings.toml`, `cues.toml` or `evidence.toml`.
    pub(super) fn rulebook(&self) -> Result<Rulebook, Failure> {
        let file = |name| self.folder.file(name);
        let (effects, things) = (file("effects.toml")?, file("transactions.toml")?);
        let (wordings, cues, evidence) = (file("wordings.toml")?, file("cues.toml")?, file("evidence.toml")?);
        Ok(Rulebook::load(Overlays {
            effects: effects.as_ref().map(Overlay::as_file),
            things: things.as_ref().map(Overlay::as_file),
            wordings: wordings.as_ref().map(Overlay::as_file),
            cues: cues.as_ref().map(Overlay::as_file),
            phrasebook: evidence.as_ref().map(Overlay::as_file),
        })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        parse_over(DEFAULT, Some(DataFile { name: "mine.toml", text })).map_err(|error| error.to_string())
    }

    #[test]
    fn the_built_in_file_is_whole() {
        let config = read("").unwrap();
        assert_eq!(config.color, ColorChoice::Auto);
        assert_eq!(
            config.check,
            CheckConfig { policy: Auto(None), window: Auto(None), budget: Auto(None), strict: false, human: HowMuch::Keep }
        );
    }

    #[test]
    fn what_is_written_is_read_again() {
        let config = read("[check]\nwindow = \"1m\"\nbudget = 60000\npolicy = \"codex\"\n").unwrap();
        assert_eq!(config.check.window, Auto(Some(TokenCount(1_000_000))));
        assert_eq!(config.check.budget, Auto(Some(TokenCount(60_000))));
        assert_eq!(read(&toml::to_string(&config).unwrap()).unwrap(), config);
    }

    #[test]
    fn a_mistake_names_its_field_and_line() {
        for (text, told) in [
            (
                "[check]\nwindow = \"big\"\n",
                "mine.toml:2: check.window: `big` is no number of tokens: write it as 200000, 200k or 1m",
            ),
            ("[check]\nstrict = 1\n", "mine.toml:2: check.strict: invalid type: integer `1`, expected a boolean"),
            (
                "[screen]\ncolour = true\n",
                "mine.toml:2: screen.colour: unknown field `colour`, expected one of `theme`, `mouse`, `alert`",
            ),
            ("colour = 1\n", "mine.toml:1: colour: unknown field `colour`, expected one of `color`, `check`, `gate`, `screen`"),
            ("[check\n", "mine.toml:1: "),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }
}
