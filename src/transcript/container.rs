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
    /// The variable that names the agent's own folder, if it is set; empty where there is none.
    pub variable: &'static str,
    /// Other variables that do, each with the path below the folder that it names. The first that is set counts.
    pub others: &'static [(&'static str, &'static str)],
    /// That folder below the home folder, when no variable is set.
    pub home: &'static str,
    /// Folders below it that hold sessions, each searched to its full depth.
    pub folders: &'static [&'static str],
    /// What a session's file name starts with.
    pub prefix: &'static str,
    /// What a session's file name ends with.
    pub suffix: &'static str,
    /// A path part below which nothing is a session of its own (a session's sub-agents).
    pub not_below: Option<&'static str>,
    /// Where the files of a session's sub-agents lie.
    pub children: Option<Brood>,
    /// What the watcher may take for "a process owns it" besides recent writing: a folder of lock files below the agent's own.
    pub locks: Option<&'static str>,
}

/// Where the files of a session's sub-agents lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brood {
    /// In a folder of the session's own, which lies beside its file and is named like it without its suffix.
    Own {
        /// The name of the folder in there.
        folder: &'static str,
        /// What their names start with.
        prefix: &'static str,
    },
    /// In a folder beside the session's file that is named by the session's id, with which the session's own name ends.
    ById {
        /// The name of the folder in which sessions lie.
        below: &'static str,
        /// How many characters of the id the session's name has.
        characters: usize,
    },
}
