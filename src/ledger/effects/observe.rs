//! Which observation settles which unknown: a later look at the same part of the world that covers the target.

use super::action::Sight;
use super::class::Class;

/// Whether a call of this class that lets its reader see this much shows what became of an earlier one, which acted on `target` in that
/// part of the `world`. Only what changes nothing itself is a look.
#[must_use]
pub fn observes(class: Class, sees: &[Sight], world: Option<&str>, target: Option<&str>) -> bool {
    let looks = matches!(class, Class::Read | Class::Check);
    let same_world = |sight: &&Sight| world == Some(&*sight.world);
    looks && sees.iter().filter(same_world).any(|sight| covers(&sight.world, sight.target.as_deref(), target))
}

/// Whether a look at `seen` covers `done`, which may be several targets with a space between them.
fn covers(world: &str, seen: Option<&str>, done: Option<&str>) -> bool {
    let (Some(seen), Some(done)) = (seen, done) else { return true };
    match world {
        "file" => seen == done || done.split(' ').all(|done| seen.split(' ').any(|seen| covers_path(seen, done))),
        _ => covers_name(seen, done),
    }
}

/// A path covers itself, however much of it is written, and what lies below it.
fn covers_path(seen: &str, done: &str) -> bool {
    let (seen, done) = (plain(seen), plain(done));
    let is_end_of = |short: &str, long: &str| long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let is_above = done.strip_prefix(seen).is_some_and(|rest| rest.starts_with('/'));
    // A folder may be written from the working folder on, and the path below it from the root on.
    let is_within = || {
        done.match_indices(seen).any(|(at, _)| {
            let (before, behind) = (done.get(..at).unwrap_or_default(), done.get(at + seen.len()..).unwrap_or_default());
            before.ends_with('/') && behind.starts_with('/')
        })
    };
    seen == "." || is_above || is_end_of(seen, done) || is_end_of(done, seen) || (!seen.is_empty() && is_within())
}

fn plain(path: &str) -> &str {
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.len() > 1 { path.trim_end_matches('/') } else { path }
}

/// Names of anything else cover each other when one begins with the other, or when they share a word (`pod web`, `pods`).
fn covers_name(seen: &str, done: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split([' ', '/', ':', ',']).map(|word| word.trim_end_matches('s').to_lowercase());
        parts.filter(|word| !word.is_empty()).collect()
    };
    let begins = |long: &str, short: &str| !short.is_empty() && long.starts_with(short);
    if seen.contains("://") || done.contains("://") {
        return begins(done, seen) || begins(seen, done);
    }
    let done = words(done);
    words(seen).iter().any(|word| done.contains(word))
}
