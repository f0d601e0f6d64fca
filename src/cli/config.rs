//! `owed config`: the settings in force, and where each file was looked for.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::cli::failure::{Exit, Failure};
use crate::cli::folder::{FILES, FOLDERS, Folder};
use crate::cli::io::Io;
use crate::cli::settings::{self, Settings};

/// Prints the built-in file.
pub(super) fn print_default(io: &mut Io) -> Result<Exit, Failure> {
    io.stdout.write_all(settings::DEFAULT.text.as_bytes())?;
    Ok(Exit::Done)
}

/// Prints the settings in force, as a file that could be one's own. A mistake in any of the user's files is told here.
pub(super) fn run(settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    settings.check()?;
    let in_force = toml::to_string(&settings.config).map_err(Failure::unexpected)?;
    write!(io.stdout, "{}\n{in_force}", looked_for(&settings.folder)?)?;
    Ok(Exit::Done)
}

/// One comment a file, found or not.
fn looked_for(folder: &Folder) -> Result<String, Failure> {
    let mut text =
        String::from("# The settings in force. `owed config --default` prints the built-in file with its comments.\n#\n");
    for name in FILES {
        let found = if folder.file(name)?.is_some() { "read" } else { "not there" };
        line(&mut text, found, folder, name);
    }
    for name in FOLDERS {
        let files = folder.files(name)?;
        if files.is_empty() {
            line(&mut text, "not there", folder, &format!("{name}/*.toml"));
        }
        for file in files {
            line(&mut text, "read", folder, &format!("{name}/{}.toml", file.stem()));
        }
    }
    Ok(text)
}

fn line(text: &mut String, found: &str, folder: &Folder, name: &str) {
    let place = folder.place(name).map_or_else(|| format!("{name} (there is no home folder)"), |path| path.display().to_string());
    writeln!(text, "#   {found:<9} {place}").ok();
}
