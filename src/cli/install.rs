//! `owed hook install`: the hooks of Claude Code in its settings file.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::args::InstallArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::hooks::{durable, install};
use crate::source::file::text_of;

/// Prints the settings, or puts them into the agent's file or out of it.
pub(super) fn run(args: &InstallArgs, io: &mut Io) -> Result<Exit, Failure> {
    if !args.write && !args.remove {
        let snippet = install::snippet().map_err(Failure::unexpected)?;
        write!(io.stdout, "{snippet}")?;
        return Ok(Exit::Done);
    }
    let Some(path) = args.settings.clone().or_else(|| agents_settings(io)) else {
        return Err(Failure::usage("there is no home folder").next("name the file with --settings"));
    };
    let unusable =
        |what: String| Failure::usage(format!("{}: {what}", path.display())).next("put it right, or add the hooks by hand");
    let before = match text_of(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(unusable(error.to_string())),
    };
    let changed = if args.remove { install::removed(&before) } else { install::added(&before) }.map_err(unusable)?;
    let Some(after) = changed else {
        let is = if args.remove { "are not there" } else { "are there already" };
        writeln!(io.stdout, "{}: the hooks {is}", path.display())?;
        return Ok(Exit::Done);
    };
    let backup = kept(&path, &before).map_err(|error| unusable(format!("no backup can be written: {error}")))?;
    durable::write(&path, after.as_bytes()).map_err(|error| unusable(error.to_string()))?;
    let done = if args.remove { "taken out" } else { "added" };
    writeln!(
        io.stdout,
        "{}: hooks {done}; as it was: {}",
        path.display(),
        backup.map_or("not there".to_owned(), |p| p.display().to_string())
    )?;
    Ok(Exit::Done)
}

/// Keeps the file as it was beside it; none where there was none.
fn kept(path: &Path, before: &str) -> io::Result<Option<PathBuf>> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    if before.is_empty() {
        return Ok(None);
    }
    let mut backup = path.as_os_str().to_owned();
    backup.push(".before-owed");
    let backup = PathBuf::from(backup);
    durable::write(&backup, before.as_bytes())?;
    Ok(Some(backup))
}

/// The settings of Claude Code that hold everywhere.
fn agents_settings(io: &Io) -> Option<PathBuf> {
    let named = (io.env)("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = named.or_else(|| io.home.as_ref().map(|home| home.join(".claude")))?;
    Some(folder.join("settings.json"))
}
