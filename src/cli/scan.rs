//! `owed scan`: many sessions, one row each: what is owed in each, and what its compactions lost.

mod paths;
mod pool;
mod progress;
mod sieve;
mod triage;

use std::io::Write as _;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::thread;

use self::paths::Wanted;
use self::progress::Progress;
use self::sieve::Sieve;
use crate::base::text::clean;
use crate::cli::args::ScanArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::report::scan::ScanReport;
use crate::report::text::Rest;
use crate::report::{json, text};
use crate::session::{Audited, Error, Feed, Options};

/// Scans every session below the paths.
pub(super) fn run(args: &ScanArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    if args.open && !io.terminal.has_both_ends() {
        return Err(Failure::usage("there is no terminal to show the list on").next("leave `--open` out for a table"));
    }
    let (scanner, sieve) = (Scanner::new(args, settings)?, Sieve::of(&args.sieve)?);
    let wanted = Wanted::of(&args.paths, io)?;
    // Of one thing alone that is no session one error says it all.
    if let ([what], []) = (&*wanted.unreadable, &*wanted.files) {
        return Err(Failure::input(what).next("`owed sessions` lists the sessions on this machine"));
    }
    let is_alone = matches!((&*wanted.unreadable, &*wanted.files), ([], [file]) if file.how == How::Named);
    for what in &wanted.unreadable {
        writeln!(io.stderr, "owed: {}", clean(what)).ok();
    }
    let mut results = Results::default();
    let mut progress = Progress::new(wanted.files.len(), io);
    let each = |n: usize, outcome: Result<ScanReport, Error>| -> Result<pool::Next, Failure> {
        progress.clear(io);
        let outcome = if is_alone { Ok(outcome?) } else { outcome };
        if let Some(report) = results.take(wanted.files.get(n), outcome, &sieve, io) {
            if args.json { json::write_line(&mut io.stdout, &report)? } else { results.rows.push(report) }
        }
        progress.show(n + 1, io);
        // Whoever read the rows may have seen enough.
        Ok(if io.stdout.is_closed() { pool::Next::Stop } else { pool::Next::Go })
    };
    // Whoever is done has nothing to do while the last one is read: that takes two threads.
    let last = wanted.files.last();
    let work = |file: &File| {
        let (path, options) = (&file.path, &scanner.options);
        if Some(file) == last {
            let feed = Feed::whole(path, options)?;
            return Ok(scanner.report(&Audited::of(&feed, &options.rules)));
        }
        let feed = Feed::whole_here(path, options)?;
        Ok(scanner.report(&Audited::of_here(&feed, &options.rules)))
    };
    let scanned = pool::in_order(&wanted.files, workers(args.threads), work, each);
    progress.clear(io);
    scanned?;
    if results.sessions == 0 && results.unread + wanted.unreadable.len() > 0 {
        return Err(Failure::input("no session could be read").next("`owed formats` says what is known"));
    }
    if !args.json {
        results.rows.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        if args.open {
            return triage::run(&results.rows, &scanner.options, settings, io);
        }
        io.stdout.write_all(text::scan(&results.rows, results.rest, settings.style).as_bytes())?;
    }
    Ok(if results.lossy > 0 { Exit::Found } else { Exit::Done })
}

/// What the files came to.
#[derive(Default)]
struct Results {
    sessions: usize,
    /// Sessions that lost something, and are to be shown.
    lossy: usize,
    rest: Rest,
    unread: usize,
    /// What waits to be sorted.
    rows: Vec<ScanReport>,
}

impl Results {
    /// Counts what a file came to, and says what was wrong with it; what is to be shown of it.
    fn take(
        &mut self,
        file: Option<&File>,
        outcome: Result<ScanReport, Error>,
        sieve: &Sieve<'_>,
        io: &mut Io,
    ) -> Option<ScanReport> {
        match outcome {
            Ok(report) => {
                self.sessions += 1;
                if !sieve.passes(&report) {
                    self.rest.left_out += 1;
                    return None;
                }
                self.lossy += usize::from(report.is_lossy());
                return Some(report);
            }
            // What a folder holds beside sessions is nobody's mistake.
            Err(Error::Unknown { .. }) if file.is_none_or(|file| file.how == How::Found) => self.rest.passed_over += 1,
            Err(error) => {
                self.unread += 1;
                writeln!(io.stderr, "owed: {}", clean(&error.to_string())).ok();
            }
        }
        None
    }
}

/// What each session is read and judged with.
struct Scanner {
    options: Options,
    bench: Bench,
    question: Question,
}

impl Scanner {
    fn new(args: &ScanArgs, settings: &Settings) -> Result<Self, Failure> {
        let options = input::options(&args.how, settings)?;
        let (bench, question) = (Bench::load(settings)?, Question::of_settings(settings));
        if let Some(name) = &question.policy {
            _ = bench.policies.get(name).map_err(|error| Failure::usage(error).next("`owed policies` describes them"))?;
        }
        Ok(Self { options, bench, question })
    }

    fn report(&self, audited: &Audited) -> ScanReport {
        let snapshot = &audited.snapshot;
        let verdict = snapshot.lanes.first().and_then(|lane| {
            let policy = self.bench.policy(self.question.policy.as_deref(), snapshot.facts.agent).ok()?;
            Some(self.bench.judge(lane, lane.end(), policy, &self.question).verdict)
        });
        ScanReport::of(audited, verdict)
    }
}

/// As many threads as were asked for, else as the machine has cores.
fn workers(asked: Option<NonZeroU32>) -> NonZeroUsize {
    asked
        .and_then(|count| NonZeroUsize::try_from(count).ok())
        .or_else(|| thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// A file to be scanned.
#[derive(Clone, Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    how: How,
}

/// How a file came to be scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It was named, and is meant to be a session.
    Named,
    /// It lies in a folder.
    Found,
}
