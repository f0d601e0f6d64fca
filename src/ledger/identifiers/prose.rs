//! Words that look like a value and are plain language.

use crate::base::words::WordSet;

/// Names of products and formats that are written with a capital in the middle.
#[rustfmt::skip]
static BRANDS: WordSet<256> = WordSet::new(&[
    "GitHub", "GitLab", "JavaScript", "TypeScript", "PostgreSQL", "MySQL", "SQLite", "MongoDB", "OpenAI", "ChatGPT", "LinkedIn",
    "YouTube", "WebSocket", "WebSockets", "GraphQL", "WebAssembly", "DevOps", "DevTools", "CircleCI", "PayPal", "WhatsApp",
    "WordPress", "PowerShell", "VSCode", "LaTeX", "JetBrains", "IntelliJ", "CoffeeScript", "FastAPI", "NodeJS", "ReactJS",
    "NextJS", "VueJS", "TensorFlow", "PyTorch", "NumPy", "DeepSeek", "CodeRabbit", "PostHog", "DynamoDB", "CloudFront",
    "CloudFlare", "CloudWatch", "BigQuery", "RabbitMQ", "MariaDB", "CouchDB", "ClickHouse", "DigitalOcean", "BitBucket",
    "StackOverflow", "HubSpot", "DataDog", "TailwindCSS", "WebGL", "WebRTC", "OAuth", "OpenAPI", "OpenTelemetry", "OpenSSL",
    "OpenSSH", "FreeBSD", "OpenBSD", "macOS", "MacOS", "iPhone", "iPad", "LangChain", "HuggingFace", "SaaS", "PaaS", "IaaS",
    "PhD", "JSDoc", "JSONL", "YAMLs", "McDonald", "DuckDB", "PlanetScale", "TanStack", "SwiftUI", "AppKit", "UIKit", "NestJS",
    "ESLint", "CommonMark", "MobX", "RxJS", "SolidJS", "SvelteKit", "MinIO",
]);

/// Names that a language or its library gives to everybody who writes in it.
#[rustfmt::skip]
static LANGUAGE: WordSet<128> = WordSet::new(&[
    "useState", "useEffect", "useCallback", "useMemo", "useRef", "useContext", "useReducer", "useLayoutEffect", "useId", "props",
    "setTimeout", "setInterval", "clearTimeout", "clearInterval", "addEventListener", "removeEventListener", "preventDefault",
    "querySelector", "querySelectorAll", "getElementById", "innerHTML", "className", "forEach", "indexOf", "parseInt", "parseFloat",
    "toString", "instanceof", "typeof", "async", "await", "const", "self", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "PathBuf",
    "ArrayList", "StringBuilder",
]);

/// Names with digits that are known to everybody.
#[rustfmt::skip]
static NUMBERED: WordSet<256> = WordSet::new(&[
    "base64", "utf8", "utf16", "sha1", "sha256", "sha512", "md5", "mp3", "mp4", "h264", "h265", "x86", "x64", "i18n", "l10n",
    "a11y", "k8s", "es5", "es6", "oauth2", "python2", "python3", "web2", "web3", "ipv4", "ipv6", "http1", "http2", "http3", "p2p",
    "b2b", "b2c", "s3", "ec2", "covid19", "e2e", "f32", "f64", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "int32",
    "int64", "float32", "float64", "vec2", "vec3", "h1", "h2", "h3", "h4", "arm64", "amd64", "win32", "log4j", "neo4j", "auth0",
    "q1", "q2", "q3", "q4", "v8", "y2k", "2fa", "w3c", "mp4s", "g1", "uint8",
]);

/// Words of which a pair or a list is made that is no path.
#[rustfmt::skip]
static PAIRS: WordSet<128> = WordSet::new(&[
    "and", "or", "read", "write", "client", "yes", "no", "input", "output", "on", "off", "true", "false", "start", "stop",
    "before", "after", "he", "she", "his", "her", "him", "if", "when", "with", "without", "in", "out", "up", "down", "left",
    "right", "open", "close", "pass", "fail", "add", "remove", "create", "update", "delete", "get", "set", "push", "pull", "this",
    "that", "not", "new", "old", "either", "both", "a", "the", "to", "from", "for", "by", "of", "is", "are",
]);

/// Words before or behind a hyphen that make plain English of the pair.
#[rustfmt::skip]
static ENGLISH: WordSet<512> = WordSet::new(&[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "it", "of", "off", "on", "or", "out", "over", "per", "the",
    "to", "up", "down", "vs", "with", "without", "self", "non", "pre", "post", "re", "co", "multi", "cross", "well", "end",
    "follow", "built", "real", "time", "so", "one", "two", "three", "four", "first", "second", "third", "last", "next", "long",
    "short", "high", "low", "full", "half", "part", "hard", "soft", "deep", "open", "read", "write", "only", "based", "driven",
    "like", "level", "specific", "side", "aware", "friendly", "free", "safe", "ready", "case", "wide", "sized", "related",
    "grade", "facing", "style", "way", "term", "all", "any", "anti", "back", "best", "big", "black", "white", "bottom", "top",
    "break", "clean", "day", "de", "double", "dry", "early", "easy", "ever", "ex", "extra", "fall", "far", "fine", "front", "get",
    "go", "good", "great", "inter", "intra", "kick", "know", "large", "late", "left", "look", "made", "make", "mid", "mini",
    "more", "much", "new", "no", "not", "old", "opt", "other", "quasi", "quick", "right", "roll", "semi", "set", "shut", "sign",
    "single", "small", "start", "step", "sub", "super", "take", "then", "think", "trade", "turn", "ultra", "un", "under", "wait",
    "walk", "warm", "year", "zero", "cut", "edge", "agnostic", "art", "be", "box", "coded", "cost", "date", "defined",
    "dependent", "fetch", "fetching", "generated", "hoc", "ins", "key", "locked", "offs", "party", "performance", "place", "play",
    "poll", "positive", "positives", "prone", "proof", "purpose", "quality", "rate", "running", "scale", "stand", "through",
    "type", "typed", "use", "used", "word", "writing",
]);

/// Whether this is a word that nobody means as a value.
pub(super) fn is_common(word: &str) -> bool {
    is_brand(word)
        || is_abbreviation(word)
        || matches!(
            word,
            "Node.js"
                | "Next.js"
                | "Vue.js"
                | "React.js"
                | "Express.js"
                | "Three.js"
                | "Nuxt.js"
                | "D3.js"
                | "ASP.NET"
                | "Chart.js"
                | "Ember.js"
                | "I/O"
                | "CI/CD"
                | "TCP/IP"
                | "A/B"
                | "n/a"
                | "N/A"
                | "w/o"
                | "24/7"
        )
}

/// Whether this is a word of a language, or of its library: nobody has to be told it.
pub(super) fn is_language(word: &str) -> bool {
    LANGUAGE.has(word)
}

/// Whether this names a product.
pub(super) fn is_brand(word: &str) -> bool {
    BRANDS.has(word) || is_plural_acronym(word)
}

/// `APIs`, `PRs`, `LLMs`, `iOS`.
fn is_plural_acronym(word: &str) -> bool {
    let stem = word.strip_suffix('s').unwrap_or(word);
    let stem = stem.strip_prefix('i').unwrap_or(stem);
    stem.len() >= 2 && stem.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Short forms that are more than a letter between dots.
static SHORT: WordSet<16> = WordSet::new(&["etc", "vs", "approx", "ph.d", "et.al"]);

/// `e.g`, `i.e`, `a.m`, `U.S`.
pub(super) fn is_abbreviation(word: &str) -> bool {
    let mut parts = word.split('.').filter(|part| !part.is_empty());
    word.contains('.') && parts.all(|part| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic()))
        || SHORT.has_any_case(word)
}

/// Whether a name with a digit is one that everybody knows.
pub(super) fn is_numbered_word(word: &str) -> bool {
    NUMBERED.has_any_case(word)
}

/// `UTF-8`, `SHA-256`, `ISO-8601`: standards, not tickets.
pub(super) fn is_standard(name: &str) -> bool {
    matches!(
        name,
        "UTF"
            | "SHA"
            | "ISO"
            | "AES"
            | "RSA"
            | "HMAC"
            | "GPT"
            | "COVID"
            | "F"
            | "H"
            | "IPV"
            | "MD"
            | "ES"
            | "RFC3339"
            | "TOP"
            | "CRC"
            | "ANSI"
            | "WCAG"
            | "X"
    )
}

/// Whether a word stands in pairs with a slash that are no path.
pub(super) fn is_pair_word(word: &str) -> bool {
    PAIRS.has_any_case(word)
}

/// Words that a hyphen joins to a number: `top-10`, `mid-2024`.
pub(super) fn is_prefix(word: &str) -> bool {
    matches!(word, "top" | "mid" | "pre" | "post" | "non" | "sub" | "under" | "over" | "early" | "late" | "exit")
}

/// Whether a word with hyphens is plain English.
pub(super) fn is_hyphenated(word: &str) -> bool {
    let parts = || word.split('-');
    let english = |part: &str| ENGLISH.has(part) || part.ends_with("ed") || part.ends_with("ing") || part.ends_with("ly");
    match parts().count() {
        2 => parts().any(english),
        n => {
            parts().filter(|part| english(part)).count() * 2 >= n
                || parts().any(|part| matches!(part, "to" | "of" | "the" | "and" | "in" | "a" | "as"))
        }
    }
}

/// Words that a number follows that is their name: `Option 2`.
pub(super) fn takes_number(word: &str) -> bool {
    static WORDS: WordSet<128> = WordSet::new(&[
        "option",
        "options",
        "phase",
        "phases",
        "step",
        "steps",
        "stage",
        "chunk",
        "task",
        "tasks",
        "subtask",
        "section",
        "part",
        "milestone",
        "sprint",
        "issue",
        "issues",
        "pr",
        "prs",
        "mr",
        "ticket",
        "finding",
        "findings",
        "item",
        "items",
        "round",
        "wave",
        "epic",
        "approach",
        "variant",
        "rule",
        "adr",
        "rfc",
        "story",
        "scenario",
        "plan",
        "requirement",
        "appendix",
        "chapter",
        "tier",
        "level",
        "bug",
        "cluster",
        "important",
        "critical",
        "address",
    ]);
    WORDS.has_any_case(word)
}

/// Words that a version of two numbers follows: `Python 3.11`, `version 2.1`.
pub(super) fn takes_version(word: &str) -> bool {
    static WORDS: WordSet<128> = WordSet::new(&[
        "version",
        "python",
        "node",
        "rust",
        "ruby",
        "java",
        "go",
        "php",
        "swift",
        "kotlin",
        "postgres",
        "postgresql",
        "mysql",
        "redis",
        "ubuntu",
        "debian",
        "elixir",
        "django",
        "rails",
        "react",
        "typescript",
        "release",
        "edition",
        "angular",
        "vue",
        "laravel",
        "dotnet",
        "terraform",
        "kubernetes",
    ]);
    WORDS.has_any_case(word)
}

/// Words that begin a sentence more often than they end a name.
pub(super) fn begins_a_sentence(word: &str) -> bool {
    matches!(
        word,
        "The"
            | "This"
            | "That"
            | "It"
            | "I"
            | "We"
            | "You"
            | "They"
            | "He"
            | "She"
            | "If"
            | "When"
            | "Then"
            | "Now"
            | "But"
            | "And"
            | "So"
            | "Please"
            | "Let"
            | "Also"
            | "For"
            | "In"
            | "To"
            | "Do"
            | "Can"
            | "Make"
            | "Use"
            | "A"
            | "An"
            | "There"
            | "Understand"
            | "What"
            | "How"
            | "Why"
            | "Is"
    )
}

/// Whether a character is of a script that is written without spaces, or Hangul.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// Marks of those scripts.
pub(super) fn is_wide_mark(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF65}')
}
