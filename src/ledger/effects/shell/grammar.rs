//! From a syntax tree to simple commands: what runs, with which words, where its output goes and what it is fed.
//!
//! Every command counts, whether or not it would run: in both branches of an `if`, behind `||`, inside `$(...)`. What the grammar
//! could not make sense of (a cut-off command, PowerShell) is read word by word.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use tree_sitter::Node;

use super::parse::{Parsed, Syntax};
use super::plain::{self, Role, Token};
use super::words::value;

/// Deeper nesting than this is not looked into.
const DEPTH: usize = 120;

/// All simple commands of a script, in the order in which they stand.
#[derive(Debug, Default)]
pub(super) struct Script<'t> {
    pub(super) commands: Vec<Simple<'t>>,
    /// The functions that it defines: a call of one is no program.
    pub(super) functions: Vec<&'t str>,
    /// The folder that it goes to before anything else, and the bytes of the words that say so.
    pub(super) first_cd: Option<(Arc<str>, Range<usize>)>,
    /// What it starts in the background (`&`) and leaves running, as it is written.
    pub(super) jobs: Vec<&'t str>,
}

/// One simple command.
#[derive(Debug, Default)]
pub(super) struct Simple<'t> {
    /// Program and arguments, without quotes. Expansions stand as they are written.
    pub(super) words: Vec<Cow<'t, str>>,
    pub(super) redirects: Vec<Redirect<'t>>,
    /// The text that it reads: a here-document, a here-string, or what `echo` and `cat` pipe into it.
    pub(super) stdin: Option<Cow<'t, str>>,
    /// The folder that it runs in, where a `cd` before it says so.
    pub(super) dir: Option<Arc<str>>,
    /// Number of its statement; the commands of a pipeline share one.
    pub(super) statement: usize,
    /// It may run more than once.
    pub(super) looped: bool,
    /// It runs only if what stands before it succeeded (`&&`).
    pub(super) after_success: bool,
    /// The job that it is a part of.
    pub(super) job: Option<usize>,
}

/// Output that goes to a file.
#[derive(Debug)]
pub(super) struct Redirect<'t> {
    pub(super) path: Cow<'t, str>,
    pub(super) append: bool,
}

/// Reads the simple commands of a parsed script.
pub(super) fn read<'t>(parsed: &'t Parsed<'_>) -> Script<'t> {
    let mut walk = Walk {
        parsed,
        text: &parsed.text,
        script: Script::default(),
        statements: 0,
        statement: 0,
        in_pipeline: false,
        looped: false,
        after_success: false,
        dir: None,
    };
    match &parsed.syntax {
        Syntax::Plain(tokens) => walk.plain(tokens),
        Syntax::Tree(tree) => walk.visit(tree.root_node(), 0),
        Syntax::Unknown => {}
    }
    walk.script
}

struct Walk<'t> {
    parsed: &'t Parsed<'t>,
    text: &'t str,
    script: Script<'t>,
    /// Statements so far, and the one that is being read.
    statements: usize,
    statement: usize,
    in_pipeline: bool,
    looped: bool,
    after_success: bool,
    dir: Option<Arc<str>>,
}

impl<'t> Walk<'t> {
    fn visit(&mut self, node: Node<'_>, depth: usize) {
        if depth > DEPTH || node.named_child_count() == 0 {
            return;
        }
        match node.kind() {
            "command" => self.command(node, depth),
            "redirected_statement" => self.redirected(node, depth),
            "pipeline" => self.pipeline(node, depth),
            "subshell" | "command_substitution" | "process_substitution" => {
                let (dir, statement) = (self.dir.clone(), self.statement);
                let in_pipeline = std::mem::replace(&mut self.in_pipeline, false);
                self.children(node, depth);
                (self.dir, self.statement, self.in_pipeline) = (dir, statement, in_pipeline);
            }
            // Each command of `a && b | c` is a statement of its own; the pipeline goes on with the last one.
            "list" | "compound_statement" => {
                let (in_pipeline, after_success) = (std::mem::replace(&mut self.in_pipeline, false), self.after_success);
                let mut cursor = node.walk();
                let mut newest = None;
                for child in node.children(&mut cursor) {
                    match child.kind() {
                        "&&" => self.after_success = true,
                        "||" | ";" => self.after_success = false,
                        "&" => {
                            if let Some((bytes, from)) = newest.take() {
                                self.in_background(bytes, from);
                            }
                        }
                        _ if child.is_named() => {
                            newest = Some((child.byte_range(), self.script.commands.len()));
                            self.visit(child, depth + 1);
                        }
                        _ => {}
                    }
                }
                (self.in_pipeline, self.after_success) = (in_pipeline, after_success);
            }
            "for_statement" | "while_statement" | "c_style_for_statement" => {
                let looped = std::mem::replace(&mut self.looped, true);
                self.children(node, depth);
                self.looped = looped;
            }
            "function_definition" => {
                let name = node.child_by_field_name("name").and_then(|name| self.text.get(name.byte_range()));
                self.script.functions.extend(name);
                self.children(node, depth);
            }
            "ERROR" => self.unparsed(node, depth),
            _ => self.children(node, depth),
        }
    }

    fn children(&mut self, node: Node<'_>, depth: usize) {
        let mut cursor = node.walk();
        let mut newest = None;
        for child in node.children(&mut cursor) {
            if child.is_named() {
                newest = Some((child.byte_range(), self.script.commands.len()));
                self.visit(child, depth + 1);
            } else if let Some((bytes, from)) = newest.take().filter(|_| child.kind() == "&") {
                self.in_background(bytes, from);
            }
        }
    }

    /// What was read last runs in the background.
    fn in_background(&mut self, bytes: Range<usize>, from: usize) {
        let (Some(text), Some(commands)) = (self.text.get(bytes), self.script.commands.get_mut(from..)) else { return };
        for simple in commands {
            simple.job = Some(self.script.jobs.len());
        }
        self.script.jobs.push(text);
    }

    fn begin(&mut self) -> Simple<'t> {
        if !self.in_pipeline {
            self.next_statement();
        }
        Simple {
            dir: self.dir.clone(),
            statement: self.statement,
            looped: self.looped,
            after_success: self.after_success,
            ..Simple::default()
        }
    }

    fn next_statement(&mut self) {
        self.statements += 1;
        self.statement = self.statements;
    }

    fn command(&mut self, node: Node<'_>, depth: usize) {
        let mut simple = self.begin();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" | "comment" | "subshell" => {}
                "file_redirect" | "herestring_redirect" | "heredoc_redirect" => self.redirect(child, &mut simple),
                _ => simple.words.push(value(child, self.text)),
            }
        }
        // What is substituted runs before the command that it is substituted in.
        if self.text.get(node.byte_range()).is_some_and(|text| text.contains(['(', '`'])) {
            self.children(node, depth);
        }
        self.push(simple, node.byte_range());
    }

    /// Adds a command, which stands at these bytes.
    fn push(&mut self, simple: Simple<'t>, bytes: Range<usize>) {
        let plain_cd = matches!(simple.words.as_slice(), [cd, _] if cd == "cd" || cd == "pushd");
        if let Some(to) = simple.words.get(1).filter(|to| plain_cd && !self.in_pipeline && !to.contains('$')) {
            let first = self.script.commands.is_empty() && self.dir.is_none();
            self.dir = Some(joined(self.dir.as_deref(), to).into());
            if let Some(dir) = self.dir.clone().filter(|_| first) {
                self.script.first_cd = Some((dir, bytes));
            }
        }
        self.script.commands.push(simple);
    }

    /// A script of plain words.
    fn plain(&mut self, tokens: &[Token<'t>]) {
        for statement in tokens.split_inclusive(|token| token.role == Role::Next) {
            let (statement, next) = match statement {
                [statement @ .., last] if last.role == Role::Next => (statement, Some(last.text)),
                statement => (statement, None),
            };
            self.in_pipeline = statement.iter().any(|token| token.role == Role::Pipe);
            if self.in_pipeline {
                self.next_statement();
            }
            let from = self.script.commands.len();
            for stage in statement.split(|token| token.role == Role::Pipe) {
                self.stage(stage);
            }
            self.feed(from);
            self.after_success = next == Some("&&");
        }
    }

    /// One command of a script of plain words.
    fn stage(&mut self, tokens: &[Token<'t>]) {
        let mut simple = self.begin();
        let (mut bytes, mut sign) = (0..0, "");
        for parts in tokens.chunk_by(|_, next| next.role == Role::More) {
            let ([first, ..], [.., last]) = (parts, parts) else { continue };
            match first.role {
                Role::Word if simple.words.is_empty() => bytes = first.start..last.end(),
                Role::Word => bytes.end = last.end(),
                Role::Redirect => sign = first.text,
                _ => {}
            }
            match (first.role, sign) {
                (Role::Word, _) => simple.words.push(plain::value(parts)),
                (Role::Path, ">" | ">>") => {
                    simple.redirects.push(Redirect { path: plain::value(parts), append: sign == ">>" });
                }
                _ => {}
            }
        }
        self.push(simple, bytes);
    }

    /// A statement with redirections: they belong to the last command in it.
    fn redirected(&mut self, node: Node<'_>, depth: usize) {
        let before = self.script.commands.len();
        if let Some(body) = node.child_by_field_name("body") {
            self.visit(body, depth + 1);
        }
        let own = if self.script.commands.len() > before { self.script.commands.pop() } else { None };
        let mut last = own.unwrap_or_else(|| self.begin());
        let mut cursor = node.walk();
        let redirects: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| child.kind().ends_with("_redirect")).collect();
        for redirect in &redirects {
            self.redirect(*redirect, &mut last);
        }
        self.script.commands.push(last);
        // A here-document is followed, on its first line, by whatever goes on after the command.
        for redirect in redirects {
            let from = self.script.commands.len().saturating_sub(1);
            let mut cursor = redirect.walk();
            for child in redirect.named_children(&mut cursor) {
                match child.kind() {
                    "pipeline" | "command" if redirect.kind() == "heredoc_redirect" => {
                        let in_pipeline = std::mem::replace(&mut self.in_pipeline, child.kind() == "pipeline");
                        self.visit_stages(child, depth + 1, from);
                        self.in_pipeline = in_pipeline;
                    }
                    _ => self.visit(child, depth + 1),
                }
            }
        }
    }

    fn pipeline(&mut self, node: Node<'_>, depth: usize) {
        let in_pipeline = std::mem::replace(&mut self.in_pipeline, true);
        if !in_pipeline {
            self.next_statement();
        }
        let from = self.script.commands.len();
        self.visit_stages(node, depth, from);
        self.in_pipeline = in_pipeline;
    }

    /// The commands of a pipeline, each fed with what the one before it prints, where the text itself says what that is.
    fn visit_stages(&mut self, node: Node<'_>, depth: usize, from: usize) {
        match node.kind() {
            "pipeline" => self.children(node, depth),
            _ => self.visit(node, depth),
        }
        self.feed(from);
    }

    /// Gives each command from number `from` on what the one before it prints, where they share a statement.
    fn feed(&mut self, from: usize) {
        for n in from.max(1)..self.script.commands.len() {
            let (before, after) = self.script.commands.split_at_mut(n);
            let (Some(prints), Some(reads)) = (before.last(), after.first_mut()) else { continue };
            if prints.statement != reads.statement {
                continue;
            }
            // `a && b | c`: the pipeline as a whole waits for `a`.
            reads.after_success |= prints.after_success;
            if reads.stdin.is_none() {
                reads.stdin = prints.printed();
            }
        }
    }

    fn redirect(&self, node: Node<'_>, simple: &mut Simple<'t>) {
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut operator = "";
        let mut has_destination = false;
        loop {
            let child = cursor.node();
            match (node.kind(), child.kind(), cursor.field_name()) {
                ("file_redirect", _, Some("destination")) if !has_destination => {
                    has_destination = true;
                    let path = value(child, self.text);
                    match operator {
                        ">" | ">|" | "&>" => simple.redirects.push(Redirect { path, append: false }),
                        ">>" | "&>>" => simple.redirects.push(Redirect { path, append: true }),
                        // `>&2` duplicates a descriptor; `>& file` writes.
                        ">&" if !path.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                            simple.redirects.push(Redirect { path, append: false });
                        }
                        _ => {}
                    }
                }
                // The grammar takes the words behind a redirection for more destinations: they are arguments.
                ("file_redirect", _, Some("destination")) | ("heredoc_redirect", _, Some("argument")) => {
                    simple.words.push(value(child, self.text));
                }
                ("file_redirect", kind, None) if !child.is_named() => operator = kind,
                ("heredoc_redirect", "file_redirect", _) => self.redirect(child, simple),
                ("heredoc_redirect", "heredoc_body", _) => {
                    let body = self.text.get(child.byte_range());
                    simple.stdin = body.map(|body| Cow::Borrowed(self.parsed.body(body)));
                }
                ("herestring_redirect", _, _) if child.is_named() && child.kind() != "file_descriptor" => {
                    simple.stdin = Some(value(child, self.text));
                }
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                return;
            }
        }
    }

    /// What the grammar could not parse: words in a row are a command, the rest is visited as usual.
    fn unparsed(&mut self, node: Node<'_>, depth: usize) {
        let mut loose: Option<Simple<'t>> = None;
        let mut cursor = node.walk();
        if node.children(&mut cursor).any(|child| child.kind() == "heredoc_start") {
            // The body of a here-document that has no end.
            return;
        }
        for child in node.children(&mut cursor) {
            match child.kind() {
                "word" | "command_name" | "string" | "raw_string" | "concatenation" | "number" => {
                    let word = value(child, self.text);
                    match (&mut loose, self.script.commands.last_mut()) {
                        (Some(simple), _) => simple.words.push(word),
                        // Words right behind a command that was read are its own.
                        (None, Some(last)) if child.prev_sibling().is_some_and(|before| before.kind() == "command") => {
                            last.words.push(word);
                        }
                        (None, _) => {
                            let mut simple = self.begin();
                            simple.words.push(word);
                            loose = Some(simple);
                        }
                    }
                }
                _ => {
                    self.script.commands.extend(loose.take());
                    self.visit(child, depth + 1);
                }
            }
        }
        self.script.commands.extend(loose);
    }
}

impl<'t> Simple<'t> {
    /// What it prints, where its own words say so.
    fn printed(&self) -> Option<Cow<'t, str>> {
        let (program, rest) = self.words.split_first()?;
        match (&**program, rest) {
            ("echo" | "printf", rest) => {
                let words: Vec<&str> = rest.iter().map(|word| &**word).skip_while(|word| word.starts_with('-')).collect();
                Some(Cow::Owned(words.join(" ")))
            }
            ("cat", [] | [_]) => self.stdin.clone(),
            _ => None,
        }
    }
}

/// A path below a folder.
pub(in super::super) fn joined(dir: Option<&str>, path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    match dir {
        Some(dir) if path == "." => dir.to_owned(),
        Some(dir) if !path.starts_with(['/', '~', '$']) => format!("{}/{path}", dir.trim_end_matches('/')),
        _ => path.to_owned(),
    }
}
