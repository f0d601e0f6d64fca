//! Whether words are about something that was said earlier: by what they share with it.

use crate::evidence::Gist;
use crate::ledger::tagging::{Act, Region};

/// A yes with at most this many content words asks for nothing else.
const SHORT_REPLY: usize = 4;

/// A text is about another when it shares this much of its words.
const ABOUT: f64 = 0.5;
/// Two texts say the same when each shares this much of its words with the other.
const ALIKE: f64 = 0.6;

/// Whether a prompt says yes, and hardly more: it leaves nothing behind.
pub(super) fn goes_on(regions: &[Region], words: &Gist) -> bool {
    words.len() <= SHORT_REPLY && regions.iter().any(|region| region.acts.contains(&Act::Approves))
}

/// Whether words are about something: about half of what it says, and more than one word of it.
pub(super) fn is_about(about: &Gist, words: &Gist) -> bool {
    about.shared(words) >= about.len().min(2) && about.share_in(words) >= ABOUT
}

/// Whether two texts say the same in other words.
pub(super) fn are_alike(one: &Gist, other: &Gist) -> bool {
    one.share_in(other) >= ALIKE && other.share_in(one) >= ALIKE
}

/// What a human takes back.
pub(super) fn lifted(text: &str, regions: &[Region]) -> Vec<Gist> {
    let takes_back = |region: &&Region| region.acts.contains(&Act::Revokes) || region.acts.contains(&Act::Waives);
    regions.iter().filter(takes_back).filter_map(|region| text.get(region.range.clone())).map(Gist::of).collect()
}
