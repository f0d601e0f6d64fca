//! Colour on a terminal: status and nothing else, in the terminal's own 16 colours.

use std::borrow::Cow;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it stands.
    Plain,
    /// With escape sequences.
    Coloured,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Text.
    Normal,
    /// Less than text.
    Dim,
    /// A heading.
    Strong,
    /// Must stay verbatim.
    Barrier,
    /// Needs a carrier.
    Repair,
    /// Free.
    Opportunity,
}

impl Tone {
    /// The tone of a colour's word; normal for anything else.
    #[must_use]
    pub fn of_colour(word: &str) -> Self {
        match word {
            "barrier" => Self::Barrier,
            "repair" => Self::Repair,
            "opportunity" => Self::Opportunity,
            _ => Self::Normal,
        }
    }

    /// The tone of a verdict's word: green passes as it stands, amber with carriers or later, red needs somebody.
    #[must_use]
    pub fn of_verdict(word: &str) -> Self {
        match word {
            "compact" => Self::Opportunity,
            "repair" | "around" | "defer" => Self::Repair,
            _ => Self::Barrier,
        }
    }

    /// The glyph that says the same without colour.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Barrier => "■",
            Self::Repair => "▲",
            Self::Opportunity => "·",
            Self::Normal | Self::Dim | Self::Strong => " ",
        }
    }

    /// Its SGR parameters; none for text as it stands.
    fn sgr(self) -> Option<&'static str> {
        match self {
            Self::Normal => None,
            Self::Dim => Some("2"),
            Self::Strong => Some("1"),
            Self::Barrier => Some("31"),
            Self::Repair => Some("33"),
            Self::Opportunity => Some("32"),
        }
    }
}

impl Style {
    /// `text` in `tone`. The text must be clean already.
    #[must_use]
    pub fn paint(self, tone: Tone, text: &str) -> Cow<'_, str> {
        match (self, tone.sgr()) {
            (Self::Coloured, Some(sgr)) if !text.is_empty() => Cow::Owned(format!("\x1b[{sgr}m{text}\x1b[0m")),
            _ => Cow::Borrowed(text),
        }
    }
}
