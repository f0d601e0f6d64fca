//! Work on many things at once, its outcomes in the order of the things.
//!
//! **Invariant:** an outcome that is waited for never waits for a thread: whoever takes the next thing takes the first that is left.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::bounded;

/// Whether there is to be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Go on.
    Go,
    /// Leave it at that.
    Stop,
}

/// Does `work` on each thing on so many threads, and hands the outcomes to `each` with their numbers, in order, until it says stop or
/// fails.
///
/// # Errors
/// Those of `each`.
pub(super) fn in_order<T: Sync, R: Send, E>(
    things: &[T],
    threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut each: impl FnMut(usize, R) -> Result<Next, E>,
) -> Result<(), E> {
    let (taken, work) = (&AtomicUsize::new(0), &work);
    let (send, outcomes) = bounded(threads.get());
    // The channel ends with the closure: who still has something to send must not wait for a receiver that has gone.
    thread::scope(move |scope| {
        for _ in 0..threads.get().min(things.len()) {
            let send = send.clone();
            scope.spawn(move || {
                loop {
                    let n = taken.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(n) else { return };
                    // Nobody receives any more after a stop.
                    if send.send((n, work(thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (n, outcome) in &outcomes {
            early.insert(n, outcome);
            while let Some(outcome) = early.remove(&next) {
                if each(next, outcome)? == Next::Stop {
                    return Ok(());
                }
                next += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, stop: usize) -> Vec<(usize, u64)> {
        let things: Vec<u64> = (0..200).collect();
        let mut got = Vec::new();
        // The first ones take longest: their outcomes come last.
        let work = |n: &u64| (0..(200 - n) * 500).fold(*n, |sum, _| std::hint::black_box(sum));
        let each = |n, outcome| {
            got.push((n, outcome));
            Ok::<_, ()>(if n + 1 == stop { Next::Stop } else { Next::Go })
        };
        in_order(&things, NonZeroUsize::new(threads).unwrap(), work, each).unwrap();
        got
    }

    #[test]
    fn outcomes_come_in_order_whatever_the_number_of_threads() {
        let expected: Vec<(usize, u64)> = (0..200).map(|n| (n as usize, n)).collect();
        for threads in [1, 2, 7, 300] {
            assert_eq!(run(threads, usize::MAX), expected);
        }
        assert_eq!(run(3, 5), expected[..5]);
    }

    #[test]
    fn a_failure_ends_it() {
        let failed = in_order(&[1, 2, 3], NonZeroUsize::MIN, |n| *n, |_, n| if n == 2 { Err(n) } else { Ok(Next::Go) });
        assert_eq!(failed, Err(2));
    }
}
