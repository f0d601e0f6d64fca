//! Paths and the names of files, and the pairs of words that only look like one.

use super::kind::IdentifierKind as Kind;
use super::prose;
use crate::base::words::WordSet;

/// Endings of file names.
#[rustfmt::skip]
static ENDINGS: WordSet<512> = WordSet::new(&[
    "rs", "go", "py", "pyi", "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "json", "jsonl", "json5", "toml", "yaml", "yml", "md",
    "mdx", "txt", "rst", "sh", "bash", "zsh", "fish", "ps1", "bat", "sql", "db", "sqlite", "sqlite3", "html", "htm", "css",
    "scss", "sass", "less", "svg", "png", "jpg", "jpeg", "gif", "webp", "ico", "pdf", "lock", "cfg", "conf", "ini", "env",
    "proto", "java", "kt", "kts", "scala", "swift", "c", "cc", "cpp", "cxx", "h", "hpp", "cs", "rb", "php", "vue", "svelte",
    "astro", "ex", "exs", "heex", "eex", "erl", "hs", "ml", "lua", "pl", "r", "jl", "dart", "zig", "nim", "xml", "xsd", "csv",
    "tsv", "parquet", "log", "out", "err", "bak", "tmp", "diff", "patch", "zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z",
    "wasm", "so", "dll", "dylib", "exe", "bin", "deb", "rpm", "dmg", "apk", "jar", "war", "class", "o", "a", "d", "pem", "key",
    "crt", "cert", "pub", "plist", "gradle", "properties", "tf", "tfvars", "hcl", "nix", "graphql", "gql", "prisma", "ipynb",
    "docx", "xlsx", "pptx", "mp3", "mp4", "wav", "ttf", "woff", "woff2", "map", "snap", "tmpl", "tpl", "j2", "hbs", "ejs", "mod",
    "sum", "work", "mk", "cmake", "dockerfile", "service", "socket", "pid", "sock", "har", "vsix", "feature", "spec", "example",
    "sample", "template", "local", "test", "backup", "old", "orig",
]);

/// Files without an ending.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "Makefile", "Dockerfile", "Justfile", "Procfile", "Gemfile", "Rakefile", "Jenkinsfile", "Vagrantfile",
];

/// Folders that make a path of what stands around them.
#[rustfmt::skip]
static FOLDERS: WordSet<256> = WordSet::new(&[
    "src", "lib", "libs", "tests", "spec", "specs", "docs", "crates", "packages", "apps", "bin", "sbin", "assets", "examples",
    "benches", "scripts", "config", "configs", "public", "components", "internal", "cmd", "pkg", "node_modules", "dist", "target",
    "vendor", "origin", "upstream", "feature", "feat", "fix", "bugfix", "hotfix", "release", "refs", "heads", "remotes", "home",
    "tmp", "var", "etc", "usr", "opt", "proc", "mnt", "application", "multipart", "utils", "fixtures", "migrations", "workflows",
    "infra", "charts",
]);

/// Folders whose names are words too: beside one of these a plain word is a folder or a file, beside two of them nobody can tell.
#[rustfmt::skip]
static WORDS: WordSet<128> = WordSet::new(&[
    "test", "doc", "app", "static", "pages", "api", "build", "releases", "tags", "users", "dev", "sys", "root", "text", "image",
    "audio", "video", "services", "models", "controllers", "views", "hooks", "styles", "templates", "server", "web", "core",
    "agents", "skills", "commands", "plugins", "layouts", "routes", "schemas", "types", "stores", "helpers", "middleware",
    "handlers", "deploy", "modules", "contrib", "include", "resources", "locales", "logs", "cache", "tools", "main",
]);

/// What a word with a slash is.
pub(super) fn kind(word: &str) -> Option<Kind> {
    let bare = without_line(word);
    let first = word.as_bytes().first()?;
    if *first == b'/' && !word.contains(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let is_hidden = *first == b'.' && word.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
    let begins = matches!(first, b'/' | b'~') || word.starts_with("./") || word.starts_with("../") || is_hidden;
    if begins {
        // `/s` is a mark, `/x/y` and `/help` are not.
        return (bare.len() > 2).then_some(Kind::Path);
    }
    if word.contains("//") {
        return None;
    }
    if let Some((file, number)) = word.rsplit_once('#') {
        if has_known_ending(file) {
            return Some(Kind::Path);
        }
        return (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(Kind::Ticket);
    }
    let parts = || bare.split('/').filter(|part| !part.is_empty());
    if parts().all(|part| part.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'%' | b'-'))) {
        // A date, a share, a score.
        return None;
    }
    if has_known_ending(bare) || bare.ends_with("/*") || bare.contains("/.") || bare.contains('*') {
        return Some(Kind::Path);
    }
    let count = parts().count();
    let words = parts().filter(|part| WORDS.has(part)).count();
    let last_is_root = parts().next_back().is_some_and(|part| matches!(part, "src" | "lib" | "dist" | "bin" | "cmd" | "pkg"));
    let in_folder = if count == 2 { parts().next().is_some_and(is_folder) || last_is_root } else { parts().any(is_folder) };
    if count > 1 && (in_folder || (words > 0 && words < count && !parts().any(prose::is_pair_word))) {
        return Some(Kind::Path);
    }
    if bare.ends_with('/') {
        return (bare.len() > 3 && count > 0 && !parts().any(prose::is_pair_word)).then_some(Kind::Path);
    }
    if host_first(bare) {
        return Some(Kind::Url);
    }
    let marked = |part: &str| {
        let inner = part.bytes().any(|byte| matches!(byte, b'_' | b'.' | b'@' | b':'));
        inner
            || (part.contains('-') && !prose::is_hyphenated(part))
            || (part.bytes().any(|byte| byte.is_ascii_digit())
                && part.len() > 2
                && part.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    let lower = parts().all(|part| part.starts_with(|c: char| c.is_ascii_lowercase()));
    let any_marked = parts().any(marked);
    (any_marked
        && parts().count() > 1
        && !parts().any(prose::is_pair_word)
        && (lower || parts().count() > 2 || parts().all(marked)))
    .then_some(Kind::Path)
}

fn is_folder(part: &str) -> bool {
    FOLDERS.has(part)
}

/// `example.com/path`.
fn host_first(word: &str) -> bool {
    let host = word.split(['/', ':']).next().unwrap_or("");
    host == "localhost" || is_host(host)
}

/// Whether this is the name of a file that needs no ending.
pub(super) fn is_name(word: &str) -> bool {
    NAMES.contains(&word)
}

/// What a word with a dot and no slash is, as a file.
pub(super) fn file(word: &str) -> Option<Kind> {
    let bare = without_line(word);
    if let Some(hidden) = bare.strip_prefix('.') {
        let is_name =
            hidden.len() > 1 && hidden.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        return (is_name && hidden.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(Kind::File);
    }
    if has_known_ending(bare) && !is_host(bare) {
        return Some(Kind::File);
    }
    is_host(bare).then_some(Kind::Host)
}

/// Whether a name ends as files do.
pub(super) fn has_known_ending(word: &str) -> bool {
    let name = without_line(word).rsplit('/').next().unwrap_or("");
    if NAMES.contains(&name) {
        return true;
    }
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let is_name = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.+*@[]$".contains(&byte));
    is_name && ENDINGS.has_any_case(ending)
}

/// The ends of host names that are no ends of files.
fn is_host(word: &str) -> bool {
    static ENDS: WordSet<128> = WordSet::new(&[
        "com", "org", "net", "io", "dev", "ai", "co", "edu", "gov", "eu", "de", "fr", "uk", "ru", "cn", "jp", "kr", "br", "xyz",
        "me", "gg", "internal", "cloud", "site", "online", "info", "us", "ca", "ch", "nl", "it", "es", "tech",
    ]);
    let Some((stem, end)) = word.rsplit_once('.') else { return false };
    ENDS.has(end)
        && stem.len() > 1
        && stem.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
}

/// Where a file's name, with its line, ends in a word that goes on: `a.rs:12:use`, and `a.rs-12-` as grep prints it.
pub(super) fn end_of_file(word: &str) -> Option<usize> {
    let mut marks = word.match_indices([':', '-']);
    let (at, mark) = marks.find(|(at, _)| word.get(..*at).is_some_and(has_known_ending))?;
    let rest = word.get(at + 1..)?;
    let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'L').count();
    match mark {
        "-" => (digits > 0 || rest.is_empty()).then_some(at),
        // `a.py::test_b` is one name.
        _ if rest.starts_with(':') => None,
        _ if digits == 0 => Some(at),
        _ => {
            let more = rest.get(digits..)?;
            let second = more.get(1..).unwrap_or("").bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'L').count();
            let is_pair = more.starts_with([':', '-']) && second > 0;
            Some(at + 1 + digits + if is_pair { 1 + second } else { 0 })
        }
    }
}

/// A path without the line that it was named with: `:12`, `:12:3`, `:12-20`.
pub(in crate::ledger) fn without_line(word: &str) -> &str {
    let mut bare = word;
    for _ in 0..2 {
        match bare.rsplit_once(':') {
            Some((rest, line)) if !rest.is_empty() && is_line(line) => bare = rest,
            _ => break,
        }
    }
    bare
}

fn is_line(text: &str) -> bool {
    let text = text.trim_start_matches('L');
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-' || byte == b'L')
}
