//! `owed export`: one self-contained page of a session.

use std::io::Write;
use std::path::Path;

use crate::cli::args::ExportArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::folder::Overlay;
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
use crate::hooks::durable::{self, Readers};
use crate::report::Subject;
use crate::report::html::{Part, html};
use crate::report::redact::Redactor;
use crate::session::{Audited, LaneTexts};

/// Reads the session, and writes the page.
pub(super) fn run(args: &ExportArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let options = input::options(&args.input.how, settings)?;
    let redactor = if args.redact {
        let overlay = settings.folder.file("redact.toml")?;
        Redactor::load(overlay.as_ref().map(Overlay::as_file))?
    } else {
        Redactor::none()
    };
    let (bench, question) = (Bench::load(settings)?, Question::of_settings(settings));
    let feed = input::feed(&args.input.path, &options, io)?;
    let audited = Audited::of(&feed, &options.rules);
    let (snapshot, bodies) = (&*audited.snapshot, feed.bodies());
    let policy = bench.policy(question.policy.as_deref(), snapshot.facts.agent)?;
    let judge = |lane| bench.judge(lane, lane.end(), policy, &question);
    let judged: Vec<_> = snapshot.lanes.iter().map(|lane| (lane, judge(lane), LaneTexts { lane, bodies: &bodies })).collect();
    let parts: Vec<Part<'_>> = (judged.iter().zip(&audited.audits).enumerate())
        .map(|(number, ((lane, judgement, texts), audit))| Part {
            number,
            subject: Subject { snapshot, lane, judgement, strictness: question.strictness },
            audit,
            texts,
        })
        .collect();
    if input::is_standard_input(&args.html) {
        html(&audited, &parts, &redactor, &mut io.stdout)?;
    } else {
        let read =
            snapshot.facts.files.iter().map(|file| file.path.as_path()).chain(snapshot.facts.side.iter().map(|side| &*side.path));
        refuse_to_overwrite(&args.html, read)?;
        let fill = &mut |out: &mut dyn Write| html(&audited, &parts, &redactor, out);
        durable::write_by(&args.html, Readers::AsUsual, fill)
            .map_err(|error| Failure::unexpected(format!("{}: {error}", args.html.display())))?;
    }
    Ok(Exit::Done)
}

/// A page must not take the place of what it is about.
fn refuse_to_overwrite<'a>(page: &Path, mut read: impl Iterator<Item = &'a Path>) -> Result<(), Failure> {
    let Ok(page) = page.canonicalize() else { return Ok(()) };
    match read.find(|path| path.canonicalize().is_ok_and(|path| path == page)) {
        Some(_) => Err(Failure::usage(format!("{} is the session itself", page.display())).next("give the page another name")),
        None => Ok(()),
    }
}
