//! Reads one text, segment by segment: tags, languages, list heads, evidence of pastes, and the cues of each.

use std::ops::Range;

use super::answers::{Pair, pairs};
use super::book::CueBook;
use super::data::{Drop, Lasting};
use super::explicit::{Tag, tags};
use super::heads::Heads;
use super::language::Language;
use super::plain::Plain;
use super::rules::Rule;
use super::weigh::{Seen, Voice, rank, weigh};
use super::{Act, Region, Said, Setting, Source};
use crate::ledger::entry::{EntryKind, Scope, Trust};
use crate::ledger::segments::{Segment, SegmentKind, segments_in};

/// A prompt of at most this many bytes and [`SHORT_SEGMENTS`] was typed for what it says: what it forbids stands until it is lifted.
const SHORT_BYTES: usize = 1_500;
/// See [`SHORT_BYTES`].
const SHORT_SEGMENTS: usize = 12;
/// As many lines in a row that look like code or a log are a paste, whatever their words are.
const PASTE: usize = 3;

/// Reads one text.
pub(super) struct Reader<'a> {
    book: &'a CueBook,
    said: Said<'a>,
    setting: Setting,
    voice: Voice,
    /// The languages that the newest sentence which tells its own may be in.
    languages: Vec<Language>,
    heads: Heads<'a>,
    regions: Vec<Region>,
    /// Where the newest line ends, and what it is by its form.
    line: (usize, Option<&'a Rule>),
    /// The lines of a paste that may go on.
    paste: Option<Paste>,
}

/// Lines that look like a paste.
struct Paste {
    /// The first of its regions.
    from: usize,
    /// Whether a paragraph begins with it, by a line that nobody types: then all of the paragraph that directs nobody is of it.
    leads: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(book: &'a CueBook, said: Said<'a>, setting: Setting) -> Self {
        let around = |text: &str| if text.is_empty() { Vec::new() } else { book.common().guess(&Plain::new(tail(text))) };
        let languages = Some(around(said.head)).filter(|told| !told.is_empty()).unwrap_or_else(|| around(said.before));
        let mut reader = Self {
            book,
            said,
            setting,
            voice: Voice::of(said.source),
            languages: or_english(languages),
            heads: Heads::default(),
            regions: Vec::new(),
            line: (0, None),
            paste: None,
        };
        if !said.head.is_empty() {
            reader.heads = Heads::given(reader.head(&Plain::new(said.head)));
        }
        reader
    }

    /// The regions of the text, by place.
    pub(super) fn read(mut self) -> Vec<Region> {
        let text = self.said.text;
        let answers = if self.said.source == Source::Answer { pairs(text) } else { Vec::new() };
        if !answers.is_empty() {
            for pair in answers {
                self.answer(pair);
            }
            return self.regions;
        }
        let explicit = self.typed() || self.said.source == Source::Rules;
        let mut tags = if explicit { tags(text) } else { Vec::new() };
        if !tags.is_empty() {
            // What stands in a fenced block is text.
            let segments = segments_in(text, 0..text.len());
            let around = |at: usize| {
                segments.get(segments.partition_point(|segment| segment.end <= at)).filter(|segment| segment.start <= at)
            };
            tags.retain(|tag| around(tag.range.start).is_none_or(|segment| segment.kind != SegmentKind::Block));
        }
        let mut from = 0;
        let mut short = 0;
        for tag in &tags {
            short += self.words(from..tag.range.start);
            self.tagged(tag);
            from = tag.range.end;
        }
        short += self.words(from..text.len());
        self.end_paste();
        if self.typed() && text.len() <= SHORT_BYTES && short <= SHORT_SEGMENTS {
            self.let_stand();
        }
        self.regions
    }

    /// Whether a human typed it to the agent.
    fn typed(&self) -> bool {
        matches!(self.said.source, Source::Typed | Source::Steering | Source::Answer)
    }

    /// Reads a part of the text without tags. Returns how many segments it has.
    fn words(&mut self, part: Range<usize>) -> usize {
        let segments = segments_in(self.said.text, part);
        for segment in &segments {
            self.segment(segment);
        }
        segments.len()
    }

    /// A question with its answer: what was answered is what counts, and the question says what it means.
    fn answer(&mut self, pair: Pair) {
        let words = self.said.text.get(pair.answer).unwrap_or("");
        let mut seen = self.sentence(words, None, false);
        seen.kind = seen.kind.filter(|kind| *kind != EntryKind::Unclassified).or(Some(EntryKind::Decision));
        let region = self.region(pair.whole, seen);
        self.regions.push(region);
    }

    /// What an explicit tag is around, and its marks.
    fn tagged(&mut self, tag: &Tag<'_>) {
        self.end_paste();
        let inner = self.said.text.get(tag.inner.clone()).unwrap_or("");
        let (kind, also) = match tag.kind {
            Some(kind) => (kind, Vec::new()),
            None => {
                let seen = self.sentence(inner, None, false);
                (seen.kind.unwrap_or(EntryKind::Unclassified), seen.also)
            }
        };
        let mark = |range| Region::narrative(range, "tag");
        self.regions.push(mark(tag.range.start..tag.inner.start));
        self.regions.push(Region {
            range: tag.inner.clone(),
            kind: Some(kind),
            also,
            scope: tag.scope,
            is_order: true,
            rule: "tag".into(),
            trust: Trust::Explicit,
            key: tag.key.map(str::to_owned),
            acts: Vec::new(),
        });
        self.regions.push(mark(tag.inner.end..tag.range.end));
    }

    fn segment(&mut self, segment: &Segment) {
        let range = segment.start..segment.end;
        if segment.kind == SegmentKind::Block {
            self.end_paste();
            self.heads.over(segment);
            let region = match self.voice {
                Voice::Last => self.region(range, Seen::of(EntryKind::Unclassified, "last-of-turn")),
                _ => Region::narrative(range, "block"),
            };
            self.regions.push(region);
            return;
        }
        let text = self.said.text;
        let over = self.heads.over(segment);
        // The last message is kept as it is: the human answers all of it.
        let evidence = if self.voice == Voice::Last { None } else { self.evidence(segment) };
        let words = text.get(segment.words..segment.end).unwrap_or("");
        let mut seen = match evidence {
            Some(rule) if rule.drop == Drop::Hard => Seen::narrative(&rule.id),
            evidence => {
                let seen = self.sentence(words, over, opens(segment, words));
                if seen.opens_list {
                    self.heads.open(segment, seen.head);
                }
                match evidence {
                    Some(rule) if !seen.is_cued => Seen::narrative(&rule.id),
                    _ => seen,
                }
            }
        };
        if evidence.is_some_and(|rule| rule.drop == Drop::Hard) {
            self.name_pasted(segment);
        }
        match evidence {
            Some(rule) if self.paste.is_none() => {
                let leads = rule.drop == Drop::Hard && self.begins_paragraph(segment);
                self.paste = Some(Paste { from: self.regions.len(), leads });
            }
            Some(_) => {}
            None => {
                let leads = self.paste.as_ref().is_some_and(|paste| paste.leads);
                if !leads || seen.is_cued || !seen.acts.is_empty() || self.begins_paragraph(segment) {
                    self.end_paste();
                }
            }
        }
        if segment.kind == SegmentKind::Heading && seen.kind.is_some() && !seen.is_cued && self.voice == Voice::Assistant {
            seen.kind = None;
        }
        let region = self.region(range, seen);
        self.regions.push(region);
    }

    /// What the line in which a segment begins is by its form: part of a log, of code, of a diff.
    fn evidence(&mut self, segment: &Segment) -> Option<&'a Rule> {
        let (end, known) = self.line;
        if segment.start < end {
            return known;
        }
        let text = self.said.text;
        let begins = text.get(..segment.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line = text.get(begins..).unwrap_or("").lines().next().unwrap_or("");
        let certain = |rule: &&Rule| rule.drop == Drop::Hard || segment.kind == SegmentKind::Sentence;
        // What has a bullet or a number of a list was written for a reader.
        let found = self.book.any().find_line(line).into_iter().filter(certain).max_by_key(|rule| rule.drop);
        self.line = (begins + line.len(), found);
        found
    }

    /// Whether a segment stands at the beginning, or behind an empty line.
    fn begins_paragraph(&self, segment: &Segment) -> bool {
        let before = self.said.text.get(..segment.start).unwrap_or("");
        let words = before.trim_end();
        words.is_empty() || before.get(words.len()..).unwrap_or("").matches('\n').count() > 1
    }

    /// A path alone in its line, right above lines that nobody types, is the file that these are about.
    fn name_pasted(&mut self, below: &Segment) {
        let text = self.said.text;
        let Some(above) = self.regions.last_mut() else { return };
        let line = text.get(above.range.clone()).unwrap_or("").trim();
        let between = text.get(above.range.end..below.start).unwrap_or("");
        if line.contains(['/', '\\']) && !line.contains(char::is_whitespace) && between.matches('\n').count() == 1 {
            *above = Region::narrative(above.range.clone(), Region::PASTE);
        }
    }

    /// Several lines in a row that look like code or a log are a paste.
    fn end_paste(&mut self) {
        let Some(Paste { from, .. }) = self.paste.take() else { return };
        let lines = self.regions.get_mut(from..).unwrap_or_default();
        if lines.len() >= PASTE {
            for region in lines {
                *region = Region::narrative(region.range.clone(), Region::PASTE);
            }
        }
    }

    /// Reads one sentence, item, heading or row.
    fn sentence(&mut self, words: &str, over: Option<&'a Rule>, opens_list: bool) -> Seen<'a> {
        let plain = Plain::new(words);
        let told = self.book.common().guess(&plain);
        if !told.is_empty() {
            self.languages = told;
        }
        let mut found: Vec<&'a Rule> = Vec::new();
        for rules in self.languages.iter().map(|language| self.book.of(*language)) {
            found.extend(rules.find_sentence(&plain.text).into_iter().filter(|rule| self.voice.hears(rule.who)));
        }
        let seen = weigh(self.voice, self.setting, &plain, found, over);
        if opens_list { Seen { opens_list: true, head: self.head(&plain), ..seen } } else { seen }
    }

    /// The rule of a head that passes its kind down.
    fn head(&self, plain: &Plain) -> Option<&'a Rule> {
        let told = self.book.common().guess(plain);
        let languages = if told.is_empty() { &self.languages } else { &told };
        let found = languages.iter().flat_map(|language| self.book.of(*language).find_head(&plain.text));
        found.filter(|rule| self.voice.hears(rule.who)).min_by_key(|rule| (rank(rule.kind), rule.scope != Some(Lasting::Standing)))
    }

    fn region(&self, range: Range<usize>, seen: Seen<'_>) -> Region {
        // "Wait until Ines has approved": nobody sees it end, and going on too early cannot be taken back.
        let told = || self.languages.iter().any(|language| self.book.of(*language).tell_orders());
        let is_order = seen.is_outright || (seen.kind == Some(EntryKind::Prohibition) && !told());
        let gates = is_order && seen.kind == Some(EntryKind::Ordering) && seen.acts.contains(&Act::Guards);
        let rules = self.said.source == Source::Rules && seen.kind.is_some();
        let standing = seen.scope == Scope::Standing || gates || rules;
        let trust = if self.said.source == Source::Answer { Trust::Structured } else { Trust::Inferred };
        Region {
            range,
            kind: seen.kind,
            also: seen.also,
            scope: if standing { Scope::Standing } else { Scope::OneShot },
            is_order,
            rule: seen.rule.into(),
            trust,
            key: None,
            acts: seen.acts,
        }
    }

    /// What a short prompt forbids outright stands until it is lifted. What a cue finds in a report ("it doesn't inherit") forbids
    /// nothing, whatever kind it is.
    fn let_stand(&mut self) {
        for region in &mut self.regions {
            let forbids = region.kind == Some(EntryKind::Prohibition) && region.is_order && region.trust != Trust::Explicit;
            if forbids && !region.acts.iter().any(|act| matches!(act, Act::Waives | Act::Asks)) {
                region.scope = Scope::Standing;
            }
        }
    }
}

/// Whether what follows stands under a segment.
fn opens(segment: &Segment, words: &str) -> bool {
    segment.kind == SegmentKind::Heading || words.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// English, where nothing tells the language.
fn or_english(told: Vec<Language>) -> Vec<Language> {
    if told.is_empty() { vec![Language::English] } else { told }
}

/// The end of what stood before, as much as tells a language.
fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(600);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or("")
}
