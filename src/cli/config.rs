//! `owed config`: the settings in force, where each comes from, and where each file was looked for.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::base::data::{DataFile, line_that_sets};
use crate::cli::failure::{Exit, Failure};
use crate::cli::folder::{FILES, FOLDERS, Folder, Overlay};
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
    let own = settings.folder.file("config.toml")?;
    let in_force = with_origins(&in_force, own.as_ref().map(Overlay::as_file));
    write!(io.stdout, "{}\n{in_force}", looked_for(&settings.folder)?)?;
    Ok(Exit::Done)
}

/// Each value with where it comes from: a line of the user's file, or the built-in one.
fn with_origins(in_force: &str, own: Option<DataFile<'_>>) -> String {
    let mut table = "";
    let mut text = String::new();
    let widest = in_force.lines().filter(|line| !line.starts_with('[')).map(str::len).max().unwrap_or(0);
    for line in in_force.lines() {
        table = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or(table);
        let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('[')) else {
            writeln!(text, "{line}").ok();
            continue;
        };
        let key = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
        let own = own.and_then(|own| Some(format!("{}:{}", own.name, line_that_sets(own.text, &key)?)));
        writeln!(text, "{line:<widest$}  # {}", own.as_deref().unwrap_or("built in")).ok();
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_says_where_it_comes_from() {
        let own = DataFile { name: "mine.toml", text: "# mine\n[screen]\ntheme = \"night\"\n" };
        let text = with_origins("color = \"auto\"\n\n[screen]\ntheme = \"night\"\nmouse = true\n", Some(own));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            ["color = \"auto\"   # built in", "", "[screen]", "theme = \"night\"  # mine.toml:3", "mouse = true     # built in"]
        );
    }
}
