//! `owed export`: one self-contained page of a session.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::cli::args::ExportArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::folder::Overlay;
use crate::cli::input;
use crate::cli::io::Io;
use crate::cli::judge::{Bench, Question};
use crate::cli::settings::Settings;
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
        written(&args.html, &mut |out| html(&audited, &parts, &redactor, out))?;
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

/// Writes a file whole, or not at all.
fn written(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let result = new_file(folder).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let old = fs::metadata(path).map(|metadata| metadata.permissions());
        if let Ok(permissions) = old {
            fs::set_permissions(file.path(), permissions)?;
        }
        file.persist(path).map_err(|error| error.error)
    });
    result.map(|_| ()).map_err(|error| Failure::unexpected(format!("{}: {error}", path.display())))
}

/// A file that others may read as they may read any new one.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
