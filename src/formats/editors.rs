//! Where editors keep what their extensions write: Visual Studio Code and those that were made of it.

/// The folders of an extension below an editor's own folders, which lie below `~/.config` or `~/Library/Application Support`.
macro_rules! in_editors {
    ($extension:literal) => {
        &[
            concat!("Code/User/globalStorage/", $extension),
            concat!("Code - Insiders/User/globalStorage/", $extension),
            concat!("VSCodium/User/globalStorage/", $extension),
            concat!("Cursor/User/globalStorage/", $extension),
            concat!("Windsurf/User/globalStorage/", $extension),
        ]
    };
}

/// The same on a machine that the editor works on from another one, below the home folder.
macro_rules! on_hosts {
    ($extension:literal) => {
        &[
            concat!(".vscode-server/data/User/globalStorage/", $extension),
            concat!(".vscode-server-insiders/data/User/globalStorage/", $extension),
            concat!(".cursor-server/data/User/globalStorage/", $extension),
            concat!(".windsurf-server/data/User/globalStorage/", $extension),
        ]
    };
}

pub(super) use {in_editors, on_hosts};
