//! Reads one text, segment by segment: zone, language, evidence, cues, list heads; then decides what each is.

use std::ops::Range;

use super::book::CueBook;
use super::data::{ActWord, Asks, CueKind, Drop, Force, Who};
use super::explicit::{Tag, tags};
use super::heads::Heads;
use super::language::Language;
use super::plain::Plain;
use super::rules::Rule;
use super::{Act, Region, Said, Setting, Source};
use crate::ledger::entry::{EntryKind, Scope, Trust};
use crate::ledger::segments::{Segment, SegmentKind, segments_in};

/// A prompt of at most this many bytes and [`SHORT_SEGMENTS`] was typed for what it says: what it forbids stands until it is lifted.
const SHORT_BYTES: usize = 1_500;
/// See [`SHORT_BYTES`].
const SHORT_SEGMENTS: usize = 12;
/// As many lines in a row that look like code or a log are a paste, whatever their words are.
const PASTE: usize = 3;

/// How a source is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Human,
    Last,
    Assistant,
}

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
    /// Which regions, from which on, look like lines of a paste.
    paste: Option<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(book: &'a CueBook, said: Said<'a>, setting: Setting) -> Self {
        let voice = match said.source {
            Source::LastOfTurn => Voice::Last,
            Source::Assistant | Source::Reasoning => Voice::Assistant,
            _ => Voice::Human,
        };
        let around = |text: &str| if text.is_empty() { Vec::new() } else { book.common().guess(&Plain::new(tail(text))) };
        let languages = Some(around(said.head)).filter(|told| !told.is_empty()).unwrap_or_else(|| around(said.before));
        let mut reader = Self {
            book,
            said,
            setting,
            voice,
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
        match evidence {
            Some(_) => self.paste = Some(self.paste.unwrap_or(self.regions.len())),
            None => self.end_paste(),
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
        let found = self.book.any().find_line(line).into_iter().max_by_key(|rule| rule.drop);
        self.line = (begins + line.len(), found);
        found
    }

    /// Several lines in a row that look like code or a log are a paste.
    fn end_paste(&mut self) {
        let Some(from) = self.paste.take() else { return };
        let lines = self.regions.get_mut(from..).unwrap_or_default();
        if lines.len() >= PASTE {
            for region in lines {
                *region = Region::narrative(region.range.clone(), "paste");
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
            found.extend(rules.find_sentence(&plain.text).into_iter().filter(|rule| self.hears(rule.who)));
        }
        let mut seen = self.weigh(&plain, found, over);
        if opens_list {
            seen.opens_list = true;
            seen.head = self.head(&plain);
        }
        seen
    }

    /// The rule of a head that passes its kind down.
    fn head(&self, plain: &Plain) -> Option<&'a Rule> {
        let told = self.book.common().guess(plain);
        let languages = if told.is_empty() { &self.languages } else { &told };
        let found = languages.iter().flat_map(|language| self.book.of(*language).find_head(&plain.text));
        found.filter(|rule| self.hears(rule.who)).min_by_key(|rule| rank(rule.kind))
    }

    fn hears(&self, who: Who) -> bool {
        match who {
            Who::All => true,
            Who::Human => self.voice == Voice::Human,
            Who::Assistant => self.voice != Voice::Human,
            Who::Last => self.voice == Voice::Last,
        }
    }

    /// Decides what a sentence is by the cues in it, the head above it, and who says it.
    fn weigh(&self, plain: &Plain, mut found: Vec<&'a Rule>, over: Option<&'a Rule>) -> Seen<'a> {
        let asked = found.iter().any(|rule| rule.kind == CueKind::Question) && self.voice == Voice::Human;
        let question = plain.asks() || asked;
        let request = found.iter().any(|rule| rule.asks == Asks::Request && rule.kind != CueKind::Narrative);
        if question && !request {
            found.retain(|rule| rule.asks != Asks::Never || rule.kind == CueKind::Question);
        } else {
            found.retain(|rule| rule.asks != Asks::Only);
        }
        let ids: Vec<&str> = found.iter().map(|rule| &*rule.id).collect();
        let alone = |rule: &&Rule| rule.beside.is_empty() || rule.beside.iter().any(|id| ids.contains(&&**id));
        found = found.iter().copied().filter(alone).collect();
        let narrative = found.iter().filter(|rule| rule.kind == CueKind::Narrative).max_by_key(|rule| rule.drop).copied();
        if let Some(rule) = narrative.filter(|rule| rule.drop == Drop::Hard) {
            return Seen::narrative(&rule.id);
        }
        found.retain(|rule| rule.kind != CueKind::Narrative && (rule.kind != CueKind::Question || self.voice != Voice::Human));
        if self.voice == Voice::Assistant {
            found.retain(|rule| rule.force == Force::Strong);
        }
        found.sort_by_key(|rule| (rule.force == Force::Weak, rank(rule.kind)));
        let asks = question && !request;
        let mut seen = match found.first() {
            Some(first) => {
                let kind = first.kind.entry().filter(|_| first.force == Force::Strong).unwrap_or(EntryKind::Unclassified);
                let is_cued = !matches!(kind, EntryKind::Value | EntryKind::Reference | EntryKind::Unclassified);
                Seen { is_cued, ..Seen::of(kind, &first.id) }
            }
            None => self.uncued(narrative, over),
        };
        let kinds = found.iter().filter_map(|rule| rule.kind.entry());
        let inherited = over.and_then(|rule| rule.kind.entry()).filter(|_| seen.kind.is_some());
        for kind in kinds.chain(inherited) {
            if Some(kind) != seen.kind && !seen.also.contains(&kind) && kind != EntryKind::Unclassified {
                seen.also.push(kind);
            }
        }
        seen.also.sort_unstable();
        if found.iter().any(|rule| rule.scope.is_some()) && self.voice == Voice::Human {
            seen.scope = Scope::Standing;
        }
        let said = found.iter().flat_map(|rule| rule.acts.iter().copied().map(act));
        seen.acts = said.chain((asks || seen.kind == Some(EntryKind::Question)).then_some(Act::Asks)).collect();
        if over.is_some_and(|rule| rule.acts.contains(&ActWord::NotYet)) {
            seen.acts.push(Act::NotYet);
        }
        seen.acts.sort_unstable();
        seen.acts.dedup();
        seen
    }

    /// What a sentence without a cue is.
    fn uncued(&self, narrative: Option<&'a Rule>, over: Option<&'a Rule>) -> Seen<'a> {
        if let Some((kind, rule)) = over.and_then(|rule| Some((rule.kind.entry()?, rule))) {
            return Seen { is_cued: true, ..Seen::of(kind, &rule.id) };
        }
        let counts = |drop| drop == Drop::Soft || self.setting == Setting::Lean;
        match (self.voice, narrative.filter(|rule| counts(rule.drop))) {
            (Voice::Assistant, _) => Seen::narrative("assistant"),
            (Voice::Human, Some(rule)) => Seen::narrative(&rule.id),
            (Voice::Human, None) => Seen::of(EntryKind::Unclassified, "human"),
            (Voice::Last, _) => Seen::of(EntryKind::Unclassified, "last-of-turn"),
        }
    }

    fn region(&self, range: Range<usize>, seen: Seen<'_>) -> Region {
        let standing = seen.scope == Scope::Standing || (self.said.source == Source::Rules && seen.kind.is_some());
        let trust = if self.said.source == Source::Answer { Trust::Structured } else { Trust::Inferred };
        Region {
            range,
            kind: seen.kind,
            also: seen.also,
            scope: if standing { Scope::Standing } else { Scope::OneShot },
            rule: seen.rule.into(),
            trust,
            key: None,
            acts: seen.acts,
        }
    }

    /// What a short prompt forbids stands until it is lifted.
    fn let_stand(&mut self) {
        for region in &mut self.regions {
            let forbids = region.kind == Some(EntryKind::Prohibition) && region.trust != Trust::Explicit;
            if forbids && !region.acts.iter().any(|act| matches!(act, Act::Waives | Act::Asks)) {
                region.scope = Scope::Standing;
            }
        }
    }
}

/// What a sentence was found to be.
struct Seen<'r> {
    kind: Option<EntryKind>,
    also: Vec<EntryKind>,
    rule: String,
    scope: Scope,
    acts: Vec<Act>,
    /// Whether a cue or a head says that it directs somebody.
    is_cued: bool,
    /// Whether it stands above a list, and what it passes down.
    opens_list: bool,
    head: Option<&'r Rule>,
}

impl Seen<'_> {
    fn of(kind: EntryKind, rule: &str) -> Self {
        Self {
            kind: Some(kind),
            also: Vec::new(),
            rule: rule.to_owned(),
            scope: Scope::OneShot,
            acts: Vec::new(),
            is_cued: false,
            opens_list: false,
            head: None,
        }
    }

    fn narrative(rule: &str) -> Self {
        Self { kind: None, ..Self::of(EntryKind::Unclassified, rule) }
    }
}

/// Whether what follows stands under a segment.
fn opens(segment: &Segment, words: &str) -> bool {
    segment.kind == SegmentKind::Heading || words.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Which of several kinds is a sentence's own; the others are further ones.
fn rank(kind: CueKind) -> u8 {
    match kind {
        CueKind::Prohibition => 0,
        CueKind::Task => 1,
        CueKind::Question => 2,
        CueKind::Ordering => 3,
        CueKind::Requirement => 4,
        CueKind::Decision => 5,
        CueKind::Value => 6,
        CueKind::Reference => 7,
        CueKind::Unclassified => 8,
        CueKind::Narrative => 9,
    }
}

fn act(word: ActWord) -> Act {
    match word {
        ActWord::Revokes => Act::Revokes,
        ActWord::Approves => Act::Approves,
        ActWord::Rejects => Act::Rejects,
        ActWord::Asks => Act::Asks,
        ActWord::Promises => Act::Promises,
        ActWord::NotYet => Act::NotYet,
        ActWord::Guards => Act::Guards,
        ActWord::Waives => Act::Waives,
    }
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
