//! Plain words that are names by what stands around them: quoted, before what they are ("the Save button", "the log-tail agent"),
//! behind it ("branch staging"), or chosen ("use pnpm instead of npm").

use super::words::{Word, is_number};
use super::{Identifier, Kind, Spoken};
use crate::ledger::identifiers::{hyphens, prose};

/// What has a name with hyphens, before it or behind it.
#[rustfmt::skip]
const THINGS: &[&str] = &[
    "agent", "agents", "bead", "branch", "package", "crate", "library", "module", "plugin", "extension", "tool", "tools", "skill",
    "command", "script", "hook", "service", "server", "example", "container", "image", "pod", "cluster", "namespace", "bucket",
    "topic", "queue", "workflow", "job", "repo", "repository", "project", "component", "template", "theme", "model", "worktree",
    "endpoint", "table", "index", "dataset", "preset", "profile", "environment", "region", "host", "cli", "api", "app", "binary",
    "skript", "zweig", "paket", "paquet", "paquete", "pacote", "rama", "ветка", "ветке", "ветку", "пакет", "сервис", "agente",
];

/// What ends the name of something that does a thing.
#[rustfmt::skip]
const DOERS: &[&str] = &[
    "agent", "architect", "bridge", "proxy", "router", "gateway", "daemon", "manager", "parser", "runner", "builder", "loader",
    "watcher", "helper", "hub", "kit", "engine", "adapter", "driver", "wrapper", "relay", "store", "queue", "tool", "tools",
    "tracker", "scanner", "viewer", "dashboard", "monitor", "indexer", "formatter", "reviewer", "planner", "tester", "writer",
    "orchestrator", "scheduler", "exporter", "importer", "collector", "intercom", "theme", "starter", "template",
];

/// What has a plain word for a name behind it, where it stands behind one of [`LEADS`]; and where it does wherever it stands.
const NAMED: &[&str] = &["branch", "crate", "library", "package", "gem", "bead", "skill", "table", "column", "tool"];
#[rustfmt::skip]
const ALWAYS_NAMED: &[&str] = &[
    "librería", "libreria", "biblioteca", "bibliothek", "bibliothèque", "paquet", "paquete", "pacote", "paket", "rama", "branche",
    "zweig", "tabla", "tabela", "tabelle", "spalte", "columna", "coluna", "colonne", "библиотеку", "библиотека", "библиотеки",
    "библиотекой", "пакет", "ветку", "ветка", "ветке", "ветки", "таблицу", "таблица", "таблице", "таблицы",
];
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "on", "to", "into", "from", "onto", "in", "with", "via", "use", "delete", "drop", "create", "checkout", "merge", "push", "add",
    "install", "rename", "keep", "close", "open", "start", "finish",
];

/// Words behind one of these that are no names.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "is", "was", "has", "of", "and", "or", "that", "which", "for", "from", "to", "in", "on", "with", "off", "name", "names", "code",
    "protection", "version", "versions", "manager", "managers", "list", "lock", "file", "files", "level", "structure", "size", "data",
    "definition", "should", "must", "can", "will", "first", "instead", "here", "there", "by", "but", "if", "when", "not", "it",
    "before", "after", "so", "then", "too", "again", "only", "also", "de", "del", "do", "da", "que", "y", "o", "e", "die", "der",
    "das", "und", "oder", "ist", "en", "pour", "et", "ou", "qui", "es", "para", "con", "no", "não", "nao", "nicht", "this", "the", "a", "an",
    "these", "those", "them", "why", "when", "who", "cause", "because", "somehow", "anyway", "now", "later", "today", "one", "ones", "something", "anything", "everything", "your", "our", "my", "their", "its", "all",
    "both", "each", "some", "more", "less", "either", "neither", "such", "same", "other", "another", "what", "how", "where", "dependency",
    "dependencies", "imports", "exports", "tests", "usage", "docs", "update", "updates", "upgrade", "policy", "strategy",
];

/// What a word itself is spoken of behind these: "called orders", "that mention orders", "rename orders to".
#[rustfmt::skip]
const CALLS: &[&str] = &[
    "called", "named", "mentions", "mentioned", "mentioning", "genannt", "namens", "appelé", "appelée", "nommé", "nommée",
    "llamado", "llamada", "chamado", "chamada",
];

/// Before and behind a word that is chosen.
const USES: &[&str] = &[
    "use",
    "using",
    "uses",
    "with",
    "via",
    "to",
    "adopt",
    "try",
    "prefer",
    "want",
    "nutze",
    "benutze",
    "nimm",
    "utilise",
    "usa",
    "use",
    "используй",
];
const INSTEAD: &[&str] = &["instead", "rather", "statt", "anstatt", "vez", "lugar", "lieu", "place", "вместо", "plutôt"];

/// What a name in capitals may be that stands before it, on a screen.
#[rustfmt::skip]
const SHOWN: &[&str] = &[
    "button", "buttons", "tab", "tabs", "label", "labels", "menu", "link", "checkbox", "toggle", "dropdown", "dialog", "modal",
    "icon", "knopf", "schaltfläche", "reiter",
];

/// Whom a quotation is said by.
const SAYS: &[&str] = &["say", "says", "said", "saying", "tells", "told", "asks", "replied", "sagt", "dit", "dice", "diz"];

/// The longest quotation that is a name, in words.
const QUOTED: usize = 3;

/// A quoted word, or a few that begin with a capital.
pub(super) fn quoted(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    let words = &spoken.words;
    for (n, first) in words.iter().enumerate() {
        let Some(close) = first.opens.chars().next_back().and_then(closing) else { continue };
        let Some(length) = words.iter().skip(n).take(QUOTED).position(|word| word.closes.starts_with(close)) else { continue };
        let all = words.get(n..=n + length).unwrap_or_default();
        let Some(last) = all.last() else { continue };
        let behind = last.closes.get(close.len_utf8()..).unwrap_or("");
        let is_json = behind.starts_with([':', '='])
            || first.opens.len() > 1 && !first.opens.starts_with('(')
            || n.checked_sub(1)
                .and_then(|n| words.get(n))
                .is_some_and(|before| before.closes.ends_with(':') && before.closes.len() > 1);
        // What stands on a screen begins with a capital; longer words in quotation marks are somebody's.
        let is_name = all.len() == 1 && first.text.len() > 1 || all.len() > 1 && first.text.starts_with(char::is_uppercase);
        if is_name && !is_json && !SAYS.contains(&spoken.before(n)) && first.text.is_ascii() {
            found.push(Identifier { kind: Kind::Word, range: first.range.start..last.range.end });
        }
    }
    found
}

/// The mark that closes a quotation.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '\'' => '\'',
        '“' => '”',
        '„' => '“',
        '‘' => '’',
        '«' => '»',
        '「' => '」',
        _ => return None,
    })
}

/// "the Save button", "the (Old) and (New) labels".
pub(super) fn labels(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for (n, _) in spoken.words.iter().enumerate().filter(|(_, word)| SHOWN.contains(&word.lower.as_str())) {
        let mut at = n;
        while let Some(word) = at.checked_sub(1).and_then(|n| spoken.words.get(n)) {
            at -= 1;
            let begins = at
                .checked_sub(1)
                .and_then(|n| spoken.words.get(n))
                .is_none_or(|before| before.ends_clause && !word.opens.contains('('));
            let in_brackets = word.opens.ends_with('(') && word.closes.starts_with(')');
            let is_shown = word.text.starts_with(|c: char| c.is_ascii_uppercase()) && (!begins || in_brackets);
            if is_shown {
                let marks = usize::from(in_brackets);
                found.push(Identifier { kind: Kind::Word, range: word.range.start - marks..word.range.end + marks });
            } else if !matches!(word.lower.as_str(), "and" | "or") {
                break;
            }
        }
    }
    found
}

/// Names with hyphens that the words around them, or their own last part, tell from plain English.
pub(super) fn hyphenated(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for (n, word) in spoken.words.iter().enumerate().filter(|(_, word)| is_hyphenated(word)) {
        let last = word.text.rsplit('-').next().unwrap_or("");
        let beside = THINGS.contains(&spoken.after(n)) || THINGS.contains(&spoken.before(n));
        if beside || DOERS.contains(&last) || word.text.split('-').any(|part| part == "agent") {
            found.push(Identifier { kind: Kind::Name, range: word.range.clone() });
        }
    }
    found
}

fn is_hyphenated(word: &Word<'_>) -> bool {
    let lower = word.text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let parts = || word.text.split('-');
    let is_english = hyphens::is_plain(word.text) && parts().count() > 1;
    lower && word.text.contains('-') && parts().all(|part| part.len() > 1) && !is_english
}

/// "branch staging", "use pnpm instead of npm", "with gopls as the server".
pub(super) fn named(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut put = |word: &Word<'_>| found.push(Identifier { kind: Kind::Word, range: word.range.clone() });
    for (n, word) in spoken.words.iter().enumerate().filter(|(_, word)| is_plain(word)) {
        let (before, after) = (spoken.before(n), spoken.after(n));
        let behind = spoken.words.get(n + 2).map_or("", |word| word.lower.as_str());
        let noun = n.saturating_sub(1);
        let is_thing = ALWAYS_NAMED.contains(&before) || NAMED.contains(&before) && LEADS.contains(&spoken.before(noun));
        let is_named = is_thing && (word.ends_clause || NO_NAMES.contains(&after));
        let is_article = matches!(spoken.before(noun), "the" | "a" | "an" | "any" | "each");
        let is_called = CALLS.contains(&before) && !is_article || before == "rename" && matches!(after, "to" | "in" | "into");
        let is_used = USES.contains(&before)
            && (INSTEAD.contains(&after)
                || after == "as" && matches!(behind, "the" | "a" | "my" | "our" | "default")
                || matches!((after, behind), ("en" | "em" | "in" | "au" | "à", "vez" | "lugar" | "place" | "lieu")));
        let is_left = matches!(before, "of" | "than" | "de" | "statt" | "anstatt" | "вместо")
            && word.ends_clause
            && n.checked_sub(1).is_some_and(|n| {
                matches!(spoken.before(n), "instead" | "rather" | "vez" | "lugar" | "lieu")
                    || matches!(before, "statt" | "anstatt" | "вместо")
            });
        if is_named || is_called || is_used || is_left {
            put(word);
        }
    }
    found.extend(wide(spoken.text));
    found
}

fn is_plain(word: &Word<'_>) -> bool {
    word.text.len() >= 3
        && word.text.starts_with(|c: char| c.is_ascii_lowercase())
        && word.text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && !NO_NAMES.contains(&word.lower.as_str())
        && !word.lower.ends_with("ly")
        && word.opens.is_empty()
}

/// `使用 pnpm`, `pnpm を使って`, `pnpm을 사용`: in a text of another script, a word that is used.
fn wide(text: &str) -> Vec<Identifier> {
    const BEFORE: &[&str] = &["使用", "改用", "采用", "用", "安装", "升级", "依赖"];
    const BEHIND: &[&str] =
        &["を使", "に切り替え", "で実装", "を導入", "을 사용", "를 사용", "을 써", "를 써", "로 바꿔", "으로 바꿔"];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text.as_bytes().get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_lowercase)).map(|n| at + n)
    {
        let length = text
            .get(start..)
            .unwrap_or("")
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .count();
        at = start + length.max(1);
        let (before, behind) =
            (text.get(..start).unwrap_or("").trim_end_matches(' '), text.get(at..).unwrap_or("").trim_start_matches(' '));
        let is_used = BEFORE.iter().any(|word| before.ends_with(word)) || BEHIND.iter().any(|word| behind.starts_with(word));
        let is_alone = behind.chars().next().is_none_or(|c| !c.is_ascii_alphanumeric());
        if length >= 2 && is_used && is_alone && !before.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            found.push(Identifier { kind: Kind::Word, range: start..start + length });
        }
    }
    found
}

/// `gqc.4`: the fourth part of a thing with a short name.
pub(super) fn dotted(spoken: &Spoken<'_>) -> Vec<Identifier> {
    const ABBREVIATIONS: &[&str] = &["fig", "no", "vol", "sec", "ch", "pp", "eq", "nr", "art", "ver", "abs", "núm", "num"];
    let is_id = |word: &&Word<'_>| {
        let Some((name, number)) = word.text.split_once('.') else { return false };
        let is_name = (2..=6).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
        is_name && number.split('.').all(|part| is_number(part, 3)) && !ABBREVIATIONS.contains(&name) && !prose::is_pair_word(name)
    };
    spoken.words.iter().filter(is_id).map(|word| Identifier { kind: Kind::Id, range: word.range.clone() }).collect()
}
