//! The kinds of exact value.

/// What an exact value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdentifierKind {
    /// A file or folder, with the line that it was named with: `src/a.rs:12`.
    Path,
    /// A file's name alone: `Cargo.toml`, `.env`.
    File,
    /// A URL.
    Url,
    /// An e-mail address.
    Email,
    /// A host, an address, a host with its port.
    Host,
    /// A port, or a range of them.
    Port,
    /// An option of a command: `--dry-run`, `-rf`.
    Flag,
    /// A variable of the environment, or of a template: `$HOME`, `${VAR}`.
    Variable,
    /// A name with its value: `batch=37`.
    Assignment,
    /// A commit: 7 to 40 hexadecimal digits.
    Sha,
    /// An id that a machine made: a UUID, `toolu_01A`, `bk-2291`.
    Id,
    /// A version: `v1.2.3`, `1.95`.
    Version,
    /// A package, with its scope or its version: `@scope/pkg@1.2`.
    Package,
    /// A number with its unit: `200ms`.
    Quantity,
    /// A colour: `#1a2b3c`.
    Colour,
    /// An issue, a request or a ticket: `#123`, `ABC-12`.
    Ticket,
    /// Something numbered: `Option 2`, `Phase 3`, `D15`.
    Label,
    /// A name in code: `camelCase`, `snake_case`, `a.b.c`, `call()`.
    Symbol,
    /// A name with hyphens: `user-service`.
    Name,
    /// What stands in backticks.
    Code,
    /// Latin letters in a text of another script.
    Latin,
    /// A letter or a number that stands for something said before: the `B` of "go with B".
    Choice,
    /// A plain word that the words around it make a name: quoted, listed, chosen.
    Word,
}

impl IdentifierKind {
    /// The word for it, as in the machine output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::File => "file",
            Self::Url => "url",
            Self::Email => "email",
            Self::Host => "host",
            Self::Port => "port",
            Self::Flag => "flag",
            Self::Variable => "variable",
            Self::Assignment => "assignment",
            Self::Sha => "sha",
            Self::Id => "id",
            Self::Version => "version",
            Self::Package => "package",
            Self::Quantity => "quantity",
            Self::Colour => "colour",
            Self::Ticket => "ticket",
            Self::Label => "label",
            Self::Symbol => "symbol",
            Self::Name => "name",
            Self::Code => "code",
            Self::Latin => "latin",
            Self::Choice => "choice",
            Self::Word => "word",
        }
    }
}
