//! `assets/cues.toml` and the user's own over it: read and compiled language by language, when a text first needs one.

use std::sync::OnceLock;

use super::data::CuesFile;
use super::deeds::Deeds;
use super::language::{CommonWords, Language};
use super::rules::{self, Mistake, Rules};
use crate::base::data::{DataError, DataFile, parse, parse_over};

const NAME: &str = "cues.toml (built in)";
pub(super) const TEXT: &str = include_str!("../../../assets/cues.toml");

/// All cues, compiled or not yet.
#[derive(Debug, Default)]
pub(super) struct CueBook {
    overlay: Option<Overlay>,
    common: OnceLock<CommonWords>,
    deeds: OnceLock<Deeds>,
    any: OnceLock<Rules>,
    languages: [OnceLock<Rules>; Language::ALL.len()],
}

/// The user's file.
#[derive(Debug)]
struct Overlay {
    name: String,
    text: String,
}

impl CueBook {
    /// The built-in cues with the user's laid over them. Without an overlay nothing is read yet.
    ///
    /// # Errors
    /// A mistake in the overlay, with file, line and field.
    pub(super) fn load(overlay: Option<DataFile<'_>>) -> Result<Self, DataError> {
        let Some(overlay) = overlay else { return Ok(Self::default()) };
        // A merged table has no lines any more: what is wrong in the overlay alone is told with its place.
        parse::<CuesFile>(overlay)?;
        let book =
            Self { overlay: Some(Overlay { name: overlay.name.to_owned(), text: overlay.text.to_owned() }), ..Self::default() };
        for language in std::iter::once(None).chain(Language::ALL.map(Some)) {
            if overlay.text.contains(&format!("[{}.", name(language))) {
                book.check(language)?;
            }
        }
        Ok(book)
    }

    /// The words by which languages are told.
    pub(super) fn common(&self) -> &CommonWords {
        self.common.get_or_init(|| {
            let file: CuesFile = self.read("common").unwrap_or_default();
            CommonWords::new(file.common)
        })
    }

    /// The verbs of requests whose doing a session shows.
    pub(super) fn deeds(&self) -> &Deeds {
        self.deeds.get_or_init(|| self.read("deeds").unwrap_or_default().deeds)
    }

    /// What holds for all languages: here, what lines are by their form.
    pub(super) fn any(&self) -> &Rules {
        self.any.get_or_init(|| self.rules(None))
    }

    /// The cues of a language, and those that hold for all.
    pub(super) fn of(&self, language: Language) -> &Rules {
        let rules = self.languages.get(language as usize);
        rules.map_or_else(|| self.any(), |rules| rules.get_or_init(|| self.rules(Some(language))))
    }

    /// Whether the cues of any language are there.
    pub(super) fn is_compiled(&self) -> bool {
        self.languages.iter().any(|rules| rules.get().is_some())
    }

    fn rules(&self, language: Option<Language>) -> Rules {
        let read = |language| self.read(name(language)).unwrap_or_default().of(language);
        let mut tongue = read(language);
        if language.is_some() {
            tongue.share(read(None));
        }
        Rules::new(language, &tongue)
    }

    fn check(&self, language: Option<Language>) -> Result<(), DataError> {
        let name = name(language);
        match rules::mistakes(language, &self.read(name)?.of(language)).first() {
            Some(mistake) => Err(self.told(name, mistake)),
            None => Ok(()),
        }
    }

    /// Reads the part of the built-in file about one language, and the overlay.
    fn read(&self, name: &str) -> Result<CuesFile, DataError> {
        parse_over(DataFile { name: NAME, text: section(TEXT, name) }, self.overlay.as_ref().map(Overlay::as_file))
    }

    fn told(&self, language: &str, mistake: &Mistake) -> DataError {
        let file = self.overlay.as_ref().map_or(DataFile { name: NAME, text: TEXT }, Overlay::as_file);
        let header = format!("[{language}.cue.{}]", mistake.cue);
        let from = file.text.lines().position(|line| line.trim() == header);
        let written = mistake.pattern.as_ref().and_then(|pattern| {
            let quoted = format!("{pattern:?}");
            file.text.lines().skip(from?).position(|line| line.contains(pattern.as_str()) || line.contains(&quoted))
        });
        let list = if mistake.pattern.is_some() { ".any" } else { "" };
        DataError {
            file: file.name.to_owned(),
            line: from.map(|from| from + written.unwrap_or(0) + 1),
            field: Some(format!("{language}.cue.{}{list}", mistake.cue)),
            message: match &mistake.pattern {
                Some(pattern) => format!("`{pattern}` is no pattern: {}", mistake.message),
                None => mistake.message.clone(),
            },
        }
    }
}

impl Overlay {
    fn as_file(&self) -> DataFile<'_> {
        DataFile { name: &self.name, text: &self.text }
    }
}

fn name(language: Option<Language>) -> &'static str {
    language.map_or("any", Language::name)
}

/// The tables of a file whose headers begin with `name`: they stand together.
fn section<'t>(text: &'t str, name: &str) -> &'t str {
    let starts = memchr::memmem::find_iter(text.as_bytes(), b"\n[");
    let mut headers = starts.map(|at| (at + 1, text.get(at + 2..).unwrap_or("")));
    let own = |after: &str| after.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ']']));
    let Some((start, _)) = headers.find(|(_, after)| own(after)) else { return "" };
    let end = headers.find(|(_, after)| !own(after)).map_or(text.len(), |(at, _)| at);
    text.get(start..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_pattern_compiles_and_no_table_stands_apart() {
        let (book, mut wrong) = (CueBook::default(), Vec::new());
        for language in std::iter::once(None).chain(Language::ALL.map(Some)) {
            for mistake in rules::mistakes(language, &book.read(name(language)).unwrap().of(language)) {
                wrong.push(format!("{} {mistake:?}", name(language)));
            }
            let header = format!("\n[{}.", name(language));
            assert_eq!(TEXT.matches(&header).count(), format!("\n{}", section(TEXT, name(language))).matches(&header).count());
        }
        parse::<CuesFile>(DataFile { name: NAME, text: TEXT }).unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_mistake_in_an_overlay_is_told_with_its_place() {
        for (text, told) in [
            (
                "[en.cue.P1]\nnot = []\n\n[en.cue.U1]\nkind = \"prohibition\"\nany = [\n  \"fine\",\n  \"a(b\",\n]\n",
                "mine.toml:8: en.cue.U1.any: `a(b` is no pattern: `)` is missing",
            ),
            ("[en.cue.U1]\nany = [\"x\"]\n", "mine.toml:1: en.cue.U1: says no `kind`"),
            ("[en.cue.U1]\nkind = \"prohibited\"\n", "mine.toml:2: en.cue.U1.kind: unknown variant `prohibited`"),
            ("[en.cue.U1]\nkinds = \"task\"\n", "mine.toml:2: en.cue.U1.kinds: unknown field `kinds`"),
            ("[eng.cue.U1]\nkind = \"task\"\n", "mine.toml:1: eng.cue.U1: unknown field `eng`"),
        ] {
            let error = CueBook::load(Some(DataFile { name: "mine.toml", text })).unwrap_err();
            assert!(error.to_string().starts_with(told), "{error}");
        }
    }
}
