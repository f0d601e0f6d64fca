//! All phrases of a language as one tree of words, walked from every word of a sentence. A gap is bounded, and so is a phrase: time is
//! linear in the text.

use rustc_hash::FxHashMap;

/// A place in the tree.
pub(super) type NodeIx = u32;
/// Where every phrase begins.
pub(super) const ROOT: NodeIx = 0;
/// The number of a word.
type WordIx = u32;

/// The first bytes of a word, as many as count; zeros behind a shorter one.
type Head = [u8; HEAD];
const HEAD: usize = 3;

/// The most words that `...` stands for.
const GAP: usize = 8;
/// In fewer bytes no more than one word of a sentence is to be expected, and in most sentences no more than so many phrases.
const BYTES_A_WORD: usize = 4;
const SPANS: usize = 16;
/// How many phrases that take back are looked at before one that speaks for the same owner.
const NEAR: usize = 24;

/// Phrases, each of which speaks for somebody, or against: a number.
#[derive(Debug)]
pub(super) struct Tree {
    words: FxHashMap<Box<str>, WordIx>,
    /// By word: the lists that it stands in, as bits, and the bit of its first letter.
    lists: Vec<(u32, u32)>,
    /// From a place by a word to the next.
    edges: FxHashMap<(NodeIx, WordIx), NodeIx>,
    nodes: Vec<Node>,
    /// From the beginning by a word, by the word's number: every word of every sentence is looked for there.
    first: Vec<NodeIx>,
    /// From a place by the first bytes of a word that only has to begin so: there may be hundreds.
    stems: FxHashMap<(NodeIx, Head), Chain>,
    /// The ways on that are no single word.
    ways: Chains<(Part, NodeIx)>,
    /// The ends of phrases.
    ends: Chains<End>,
}

/// A place in the tree.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Ways on by a word of a list, and all these lists, as bits: most words stand in none.
    by_list: Chain,
    lists: u32,
    /// Further ways on: by what is no single word, nor the beginning of one, nor of a list.
    ways: Chain,
    /// The first letters of the words by which there is a way on, as bits, and of the beginnings of words: nearly every place that is
    /// come to is left by no word, and this is seen without a look into a table.
    words: u32,
    stems: u32,
    /// How many bytes of those beginnings count, as bits: all but the shortest have [`HEAD`].
    heads: u8,
    /// The phrases that end here.
    ends: Chain,
}

/// Where a chain begins: its newest link, counted from 1; 0 where there is none.
type Chain = u32;

/// Short lists of the places of the tree, most of which have none: all in one, each link with the one before it.
#[derive(Debug)]
struct Chains<T>(Vec<(T, Chain)>);

impl<T> Default for Chains<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Chains<T> {
    /// Adds a link to a chain.
    fn push(&mut self, chain: &mut Chain, link: T) {
        self.0.push((link, std::mem::replace(chain, self.0.len() as Chain + 1)));
    }

    /// The links of a chain, the newest first.
    fn of(&self, chain: Chain) -> impl Iterator<Item = &T> {
        let link = |chain: Chain| self.0.get((chain as usize).checked_sub(1)?);
        std::iter::successors(link(chain), move |(_, before)| link(*before)).map(|(one, _)| one)
    }
}

/// One step of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// This word or mark.
    Word(WordIx),
    /// A word of this list.
    List(u8),
    /// A word that begins so.
    Begins(Box<str>),
    /// A word that ends so.
    Ends(Box<str>),
    /// A word that begins with a digit.
    Number,
    /// Any one word.
    Any,
    /// Up to [`GAP`] words.
    Gap,
    /// No word: several ways go on as one.
    Join(NodeIx),
}

/// The end of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) owner: usize,
    pub(super) side: Side,
    /// Whether it counts only at the beginning of a sentence.
    pub(super) at_start: bool,
    /// Whether it counts only at the end of one.
    pub(super) at_end: bool,
}

/// Whether a phrase speaks for its owner, or takes back what another says at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    For,
    Against,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            words: FxHashMap::default(),
            lists: Vec::new(),
            edges: FxHashMap::default(),
            nodes: vec![Node::default()],
            first: Vec::new(),
            stems: FxHashMap::default(),
            ways: Chains::default(),
            ends: Chains::default(),
        }
    }
}

impl Tree {
    /// The number of a word.
    pub(super) fn word(&mut self, word: &str) -> WordIx {
        if let Some(ix) = self.words.get(word) {
            return *ix;
        }
        let ix = self.lists.len() as WordIx;
        self.words.insert(Box::from(word), ix);
        self.lists.push((0, letter(word)));
        ix
    }

    /// Puts a word into a list.
    pub(super) fn put_in_list(&mut self, word: &str, list: u8) {
        let ix = self.word(word);
        if let Some((lists, _)) = self.lists.get_mut(ix as usize) {
            *lists |= 1 << list;
        }
    }

    /// The place that a step leads to; it is made where there is none.
    pub(super) fn step(&mut self, from: NodeIx, part: &Part) -> NodeIx {
        let next = self.nodes.len() as NodeIx;
        let to = match part {
            Part::Word(word) => {
                if let Some((node, (_, letter))) = self.nodes.get_mut(from as usize).zip(self.lists.get(*word as usize)) {
                    node.words |= letter;
                }
                let to = *self.edges.entry((from, *word)).or_insert(next);
                if from == ROOT {
                    self.first.resize(self.first.len().max(*word as usize + 1), ROOT);
                    self.first.get_mut(*word as usize).into_iter().for_each(|first| *first = to);
                }
                to
            }
            part => {
                let Some(node) = self.nodes.get_mut(from as usize) else { return ROOT };
                let chain = match part {
                    Part::Begins(stem) => {
                        let bytes = stem.len().min(HEAD);
                        node.stems |= letter(stem);
                        node.heads |= 1 << bytes;
                        self.stems.entry((from, head(stem, bytes))).or_default()
                    }
                    Part::List(list) => {
                        node.lists |= 1 << list;
                        &mut node.by_list
                    }
                    _ => &mut node.ways,
                };
                let known = self.ways.of(*chain).find(|(own, _)| own == part).map(|(_, to)| *to);
                if known.is_none() {
                    self.ways.push(chain, (part.clone(), next));
                }
                known.unwrap_or(next)
            }
        };
        if to == next {
            self.nodes.push(Node::default());
        }
        to
    }

    /// A place of its own that all of these lead to without a word.
    pub(super) fn join(&mut self, from: &[NodeIx]) -> NodeIx {
        let to = self.nodes.len() as NodeIx;
        self.nodes.push(Node::default());
        for node in from {
            if let Some(node) = self.nodes.get_mut(*node as usize) {
                self.ways.push(&mut node.ways, (Part::Join(to), to));
            }
        }
        to
    }

    /// Notes that a phrase ends at a place.
    pub(super) fn end(&mut self, at: NodeIx, end: End) {
        if let Some(node) = self.nodes.get_mut(at as usize) {
            self.ends.push(&mut node.ends, end);
        }
    }

    /// The place that a word leads to.
    fn by_word(&self, from: NodeIx, word: WordIx) -> Option<NodeIx> {
        if from == ROOT {
            return self.first.get(word as usize).copied().filter(|to| *to != ROOT);
        }
        self.edges.get(&(from, word)).copied()
    }

    /// Whether there is no phrase in it.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The phrases in a plain sentence. Words of the lists `openers` at its beginning only open it.
    pub(super) fn find(&self, plain: &str, openers: u32) -> Found {
        let token = |word| {
            let ix = self.words.get(word).copied();
            let (lists, _) = ix.and_then(|ix| self.lists.get(ix as usize).copied()).unwrap_or_default();
            Token { word, letter: letter(word), ix, lists }
        };
        let mut tokens: Vec<Token<'_>> = Vec::with_capacity(plain.len() / BYTES_A_WORD);
        tokens.extend(plain.split_ascii_whitespace().map(token));
        let end = tokens.iter().rposition(|token| !token.is_mark()).map_or(0, |last| last + 1);
        let lead = tokens.iter().position(|token| token.lists & openers == 0 && !token.is_mark()).unwrap_or(end);
        let mut walk = Walk { tree: self, tokens: &tokens, lead, end, start: 0, spans: Vec::with_capacity(SPANS) };
        for start in 0..tokens.len() {
            walk.start = start;
            walk.from(ROOT, start);
        }
        let mut spans = walk.spans;
        spans.sort_unstable();
        let mut words = Vec::with_capacity(tokens.len());
        words.extend(tokens.iter().filter(|token| !token.is_mark()).map(|token| token.lists));
        Found { spans, words }
    }
}

/// So many of a word's first bytes.
fn head(word: &str, bytes: usize) -> Head {
    let mut head = [0; HEAD];
    head.iter_mut().zip(word.bytes()).take(bytes).for_each(|(to, byte)| *to = byte);
    head
}

/// A word's first letter as a bit, which it shares with others.
fn letter(word: &str) -> u32 {
    word.bytes().next().map_or(0, |first| 1 << (first % 32))
}

/// A word of a sentence.
struct Token<'t> {
    word: &'t str,
    letter: u32,
    ix: Option<WordIx>,
    lists: u32,
}

impl Token<'_> {
    /// Whether it is a mark of punctuation or a picture.
    fn is_mark(&self) -> bool {
        self.word.chars().next().is_some_and(|c| !c.is_alphanumeric() && !matches!(c, '/' | '@' | '$' | '%' | '&' | '~'))
    }
}

/// The phrases that begin at one word.
struct Walk<'t> {
    tree: &'t Tree,
    tokens: &'t [Token<'t>],
    /// The first word that does more than open the sentence.
    lead: usize,
    /// Behind the last word, without the marks at the end.
    end: usize,
    start: usize,
    spans: Vec<Span>,
}

impl Walk<'_> {
    /// Goes on from a place of the tree, before the word `at`.
    fn from(&mut self, place: NodeIx, at: usize) {
        let tree = self.tree;
        let Some(node) = tree.nodes.get(place as usize) else { return };
        for end in tree.ends.of(node.ends) {
            if !(end.at_start && self.start > self.lead || end.at_end && at < self.end) {
                self.spans.push(Span { owner: end.owner, side: end.side, start: self.start, end: at });
            }
        }
        let Some(token) = self.tokens.get(at) else { return };
        if let Some(to) = token.ix.filter(|_| node.words & token.letter != 0).and_then(|word| tree.by_word(place, word)) {
            self.from(to, at + 1);
        }
        if node.lists & token.lists != 0 {
            self.by(node.by_list, token, at);
        }
        if node.stems & token.letter != 0 {
            for bytes in (1..=HEAD).filter(|bytes| node.heads & 1 << bytes != 0) {
                if let Some(stems) = tree.stems.get(&(place, head(token.word, bytes))) {
                    self.by(*stems, token, at);
                }
            }
        }
        if node.ways != 0 {
            self.by(node.ways, token, at);
        }
    }

    /// Whether anything ends at a place before the word `at`, or may go on by it.
    fn matters(&self, place: NodeIx, at: usize) -> bool {
        let Some(node) = self.tree.nodes.get(place as usize) else { return false };
        let goes_on = |token: &Token<'_>| (node.words | node.stems) & token.letter != 0 || node.lists & token.lists != 0;
        node.ends != 0 || node.ways != 0 || self.tokens.get(at).is_some_and(goes_on)
    }

    /// Goes on by those of some ways that the word `at` fits.
    fn by(&mut self, ways: Chain, token: &Token<'_>, at: usize) {
        for (part, to) in self.tree.ways.of(ways) {
            let fits = match part {
                Part::Word(word) => token.ix == Some(*word),
                Part::List(list) => token.lists & (1 << list) != 0,
                Part::Begins(stem) => token.word.starts_with(&**stem),
                Part::Ends(tail) => token.word.len() > tail.len() && token.word.ends_with(&**tail),
                Part::Number => token.word.starts_with(|c: char| c.is_ascii_digit()),
                Part::Any => !token.is_mark(),
                Part::Join(to) => {
                    if self.matters(*to, at) {
                        self.from(*to, at);
                    }
                    false
                }
                Part::Gap => {
                    for at in at..=(at + GAP).min(self.tokens.len()) {
                        if self.matters(*to, at) {
                            self.from(*to, at);
                        }
                    }
                    false
                }
            };
            if fits {
                self.from(*to, at + 1);
            }
        }
    }
}

/// What a sentence holds.
pub(super) struct Found {
    /// Where phrases stand, by owner, side and place.
    spans: Vec<Span>,
    /// The lists in which each word of the sentence stands.
    words: Vec<u32>,
}

/// A phrase of somebody's, from word to word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    owner: usize,
    side: Side,
    start: usize,
    end: usize,
}

impl Found {
    /// Whether an owner is found where nothing takes it back.
    pub(super) fn holds(&self, owner: usize) -> bool {
        let against = self.of(owner, Side::Against);
        self.of(owner, Side::For).iter().any(|span| {
            // Phrases are short: what reaches into this one begins not far before it.
            let before = against.partition_point(|other| other.start < span.end);
            let near = against.get(before.saturating_sub(NEAR)..before).unwrap_or_default();
            !near.iter().any(|other| span.start < other.end)
        })
    }

    /// Whether anything anywhere takes an owner back.
    pub(super) fn is_denied(&self, owner: usize) -> bool {
        !self.of(owner, Side::Against).is_empty()
    }

    /// Whether every word stands in one of these lists.
    pub(super) fn only(&self, lists: u32) -> bool {
        self.words.iter().all(|own| own & lists != 0)
    }

    /// The owners that phrases speak for, each once, in order.
    pub(super) fn owners(&self) -> Vec<usize> {
        let mut owners: Vec<usize> = self.spans.iter().filter(|span| span.side == Side::For).map(|span| span.owner).collect();
        owners.dedup();
        owners
    }

    fn of(&self, owner: usize, side: Side) -> &[Span] {
        let key = |span: &Span| (span.owner, span.side);
        let from = self.spans.partition_point(|span| key(span) < (owner, side));
        let to = self.spans.partition_point(|span| key(span) <= (owner, side));
        self.spans.get(from..to).unwrap_or_default()
    }
}
