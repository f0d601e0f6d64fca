//! How transcripts are stored and where an agent's sessions lie, as plain data: what `source` does and looks for, told by an adapter.

/// How a transcript is stored. One that is not lines is *rendered*: `source` turns it into one JSON record a line, in a file of ours.
#[derive(Clone, Copy, Debug)]
pub enum Container {
    /// One JSON record a line, appended to.
    Lines,
    /// One JSON value, written anew as a whole.
    Document(Document),
    /// A folder of JSON files, told by the one of them that says which session it is.
    Files(Files),
    /// A document, and what its runtime keeps beside it.
    Spliced(Spliced),
    /// Rows of an SQLite database that holds many sessions.
    Database(Database),
}

/// What of a JSON document becomes records. Each record is the document with everything else left out: first the header, then each
/// element of its lists, one list after the other: `{"id":"T-1"}`, `{"messages":{..}}`, `{"messages":{..}}`. A document that has none
/// of the lists is one record. Of one that is an array, each element is a record as it stands; one that is no object stands below an
/// empty key.
///
/// Paths are keys joined by dots, and go through the elements of arrays. What no path names is left out, so that what a runtime
/// counts on beside its messages does not make them new ones.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// Paths of what the header holds. What `attachments` in it holds are texts that strings of the lists stand for
    /// (`attachment://KEY`); it is no part of the record.
    pub header: &'static [&'static str],
    /// Paths of the lists, in the order in which they are told. An element with lists of its own is told like a document.
    pub lists: &'static [&'static str],
}

/// Files that are read as one document: the file itself under a key, and other files in a list. `{"info":FILE,"messages":[..]}`.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The key of the file.
    pub own: &'static str,
    /// The key of the others.
    pub list: &'static str,
    /// Where they lie, from the file's folder: `{}` is the file's name up to its first dot, `{folder}` that folder's name, and the last
    /// part may have one `*`.
    pub pattern: &'static str,
    /// How each of them is read; as it stands if this is none.
    pub each: Option<&'static Files>,
    /// What becomes of that document.
    pub document: Document,
}

/// A document into whose list another file is put as one more element, behind as many of them as that file says.
#[derive(Clone, Copy, Debug)]
pub struct Spliced {
    /// The key of the list.
    pub list: &'static str,
    /// Where the other file lies: as in [`Files`], without a `*`. It may not be there.
    pub pattern: &'static str,
    /// The key under which it is put.
    pub key: &'static str,
    /// Its own key for the number of elements before it; where it has none it stands behind all.
    pub after: &'static str,
    /// What becomes of the document.
    pub document: Document,
}

/// One version of an agent's database. A column whose alias ends with `:json` holds JSON, and is read as what it says.
#[derive(Clone, Copy, Debug)]
pub struct Database {
    /// Columns, as `table.column`, by which the version is known.
    pub columns: &'static [&'static str],
    /// A query for the sessions, newest first: `id`, `title`, `directory`, `updated` (milliseconds since 1970).
    pub sessions: &'static str,
    /// A query for the records of session `?1` and of its sub-agents, in an order in which news come last: each row is a record, each
    /// column that is not null a field.
    pub records: &'static str,
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
    /// That folder below the home folder, when the variable is not set.
    pub home: &'static str,
    /// Folders below it that hold sessions.
    pub folders: &'static [&'static str],
    /// How deep below those folders sessions may lie; 0: directly in them.
    pub depth: usize,
    /// What a session's file name starts with.
    pub prefix: &'static str,
    /// What a session's file name ends with.
    pub suffix: &'static str,
    /// A path part below which nothing is a session of its own (a session's sub-agents).
    pub not_below: Option<&'static str>,
    /// Where the files of a session's sub-agents lie.
    pub children: Option<Brood>,
    /// A list of other folders that hold sessions, which the agent keeps.
    pub listing: Option<Listing>,
    /// What the watcher may take for "a process owns it" besides recent writing: a folder of lock files below the agent's own.
    pub locks: Option<&'static str>,
    /// What tells the folder in which the agent works.
    pub project: Project,
}

/// What tells the folder in which the agent of a session works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Project {
    /// The session's own records, if anything.
    Recorded,
    /// The session lies in a folder of this name, which lies in the project.
    Holds(&'static str),
    /// A JSON file beside the session's, under a key. `{}` in its name stands for the session's up to its first dot.
    Beside {
        /// The file's name.
        file: &'static str,
        /// The key.
        key: &'static str,
    },
}

impl Whereabouts {
    /// As deep as any agent nests.
    pub const ANY_DEPTH: usize = 12;

    /// What an agent has that says nothing else: sessions at any depth, without sub-agents' files and locks.
    #[must_use]
    pub const fn new(agent: Agent) -> Self {
        Self {
            agent,
            variable: "",
            home: "",
            folders: &[],
            depth: Self::ANY_DEPTH,
            prefix: "",
            suffix: "",
            not_below: None,
            children: None,
            listing: None,
            locks: None,
            project: Project::Recorded,
        }
    }
}

/// A JSON file in which an agent lists where it keeps sessions: `{"projects":[{"data_dir":"/home/.."}]}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Its path below the agent's own folder.
    pub file: &'static str,
    /// The key of the list.
    pub list: &'static str,
    /// The key of a folder.
    pub folder: &'static str,
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
