//! A machine of its own for each test: a home folder in which nothing is, and no environment.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

pub(crate) struct Machine {
    home: TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    /// The program, run in the home folder.
    pub(crate) fn owed(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("owed").unwrap();
        command.env_clear().env("HOME", self.home.path()).current_dir(self.home.path()).args(args);
        command
    }

    /// A file below the home folder.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// `text` with the home folder's name, which differs from run to run, replaced.
    pub(crate) fn homely(&self, text: &[u8]) -> String {
        String::from_utf8(text.to_vec()).unwrap().replace(&shown(self.home.path()), "~")
    }

    /// What a run says: exit code, standard output, standard error.
    pub(crate) fn say(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.owed(args).output().unwrap();
        (output.status.code().unwrap(), self.homely(&output.stdout), self.homely(&output.stderr))
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
