//! Where an agent's sessions lie, as plain data: what `source` looks for, told by an adapter.

/// How a transcript is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// One JSON record a line, appended to.
    Lines,
}

/// An agent whose transcripts are known, by its format's id: `claude-code`, `codex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Agent(pub &'static str);

/// Where an agent keeps its sessions on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Whereabouts {
    /// The agent.
    pub agent: Agent,
    /// The variable that names the agent's own folder, if it is set.
    pub variable: &'static str,
    /// That folder below the home folder, when the variable is not set.
    pub home: &'static str,
    /// Folders below it that hold sessions, each searched to its full depth.
    pub folders: &'static [&'static str],
    /// What a session's file name starts with.
    pub prefix: &'static str,
    /// What a session's file name ends with.
    pub suffix: &'static str,
    /// A path part below which nothing is a session of its own (a session's sub-agents).
    pub not_below: Option<&'static str>,
    /// The folder beside a session's file, named like it without its suffix, that holds its sub-agents' files, and their prefix.
    pub children: Option<(&'static str, &'static str)>,
    /// What the watcher may take for "a process owns it" besides recent writing: a folder of lock files below the agent's own.
    pub locks: Option<&'static str>,
}
