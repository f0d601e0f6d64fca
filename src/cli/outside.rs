//! The world around the screen: clipboard programs, pager and editor, alerts, and what is remembered of the panes.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use crate::base::text::clean;
use crate::cli::io::Io;
use crate::cli::settings::{AlertConfig, Desktop, Settings};
use crate::source::file::text_of;
use crate::ui::outside::{Arrangement, Outside, Visit};

/// The file of the state folder that remembers how the panes lie.
const REMEMBERED: &str = "screen.toml";

/// What the environment names.
pub(super) struct World {
    pager: Vec<String>,
    editor: Vec<String>,
    clipboard: Option<&'static [&'static str]>,
    alert: AlertConfig,
    remembered: Option<PathBuf>,
}

impl World {
    /// As the environment and the settings say.
    pub(super) fn of(settings: &Settings, io: &Io) -> Self {
        let words = |names: [&str; 2], otherwise: &str| {
            let named = names.iter().find_map(|name| (io.env)(name)?.into_string().ok().filter(|value| !value.trim().is_empty()));
            named.unwrap_or_else(|| otherwise.to_owned()).split_whitespace().map(str::to_owned).collect()
        };
        let clipboard: Option<&[&str]> = match () {
            () if io.is_set("WAYLAND_DISPLAY") => Some(&["wl-copy"]),
            () if io.is_set("DISPLAY") => Some(&["xclip", "-selection", "clipboard"]),
            () if cfg!(target_os = "macos") => Some(&["pbcopy"]),
            () => None,
        };
        Self {
            pager: words(["PAGER", "OWED_PAGER"], "less"),
            editor: words(["VISUAL", "EDITOR"], "vi"),
            clipboard,
            alert: settings.config.screen.alert.clone(),
            remembered: settings.state.as_ref().map(|folder| folder.join(REMEMBERED)),
        }
    }

    /// What was remembered. A file that cannot be read is as good as none: it is ours, and written anew at the next change.
    pub(super) fn arrangement(&self) -> Arrangement {
        let text = self.remembered.as_ref().and_then(|path| text_of(path).ok());
        text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
    }
}

impl Outside for World {
    fn copy(&self, text: &str) {
        let Some((program, arguments)) = self.clipboard.and_then(<[_]>::split_first) else { return };
        // Nobody waits for it, and where there is none the terminal has been told already.
        feed(Command::new(program).args(arguments), text).ok();
    }

    fn visit(&self, visit: &Visit) -> Result<(), String> {
        let words = match visit {
            Visit::Pager(_) => &self.pager,
            Visit::Editor { .. } => &self.editor,
        };
        let (program, arguments) = words.split_first().ok_or("no program is named")?;
        let mut command = Command::new(program);
        command.args(arguments);
        let status = match visit {
            Visit::Editor { path, line } => {
                // Standard input may be the session itself.
                if let Ok(terminal) = fs::File::open("/dev/tty") {
                    command.stdin(terminal);
                }
                command.arg(format!("+{line}")).arg(path).status()
            }
            Visit::Pager(text) => command.stdin(Stdio::piped()).spawn().and_then(|mut child| {
                // A pager that is left early has not read all of it.
                child.stdin.take().map(|mut pipe| pipe.write_all(text.as_bytes()));
                child.wait()
            }),
        };
        match status {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("`{program}` cannot be run: {error}")),
        }
    }

    fn alert(&self, told: &str) -> String {
        let told = clean(told).replace(';', ",");
        if let Some((program, arguments)) = self.alert.command.split_first() {
            feed(Command::new(program).args(arguments).arg(&told), "").ok();
        }
        let bell = if self.alert.bell { "\u{7}" } else { "" };
        match self.alert.desktop {
            Desktop::Off => bell.to_owned(),
            Desktop::Osc9 => format!("{bell}\u{1b}]9;{told}\u{7}"),
            Desktop::Osc777 => format!("{bell}\u{1b}]777;notify;owed;{told}\u{7}"),
        }
    }

    fn remember(&self, arrangement: Arrangement) {
        let Some((path, text)) = self.remembered.as_ref().zip(toml::to_string(&arrangement).ok()) else { return };
        // Not worth a word: the panes lie as they were put, this time.
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).ok();
        }
        fs::write(path, text).ok();
    }
}

/// Starts a program that is to read a text and say nothing, and lets it end by itself.
fn feed(command: &mut Command, text: &str) -> std::io::Result<()> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let pipe = child.stdin.take();
    let text = text.to_owned();
    thread::Builder::new().name("owed-feed".to_owned()).spawn(move || {
        // Whether it has read all of it is its own affair.
        pipe.map(|mut pipe| pipe.write_all(text.as_bytes()));
        child.wait().ok();
    })?;
    Ok(())
}
