//! A letter or a number that stands for something said before: "go with B", "do 1 and 3", "for 86, what would change", "opción 2".

use super::words::{Word, is_number};
use super::{Identifier, Kind, Spoken};

/// What is done with something that has a number. English, German, French, Spanish, Portuguese, Russian.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "do", "pick", "choose", "take", "with", "w", "prefer", "want", "skip", "apply", "implement", "address", "drop", "yes", "vote",
    "fix", "start", "try", "ignore", "reject", "accept", "merge", "select", "like", "defer", "close", "tackle", "keep",
    "nimm", "nehme", "nehmen", "mach", "mache", "machen", "mit", "lieber", "ja", "wähle", "nur",
    "prends", "prend", "choisis", "fais", "fait", "avec", "oui", "garde", "plutôt",
    "elige", "elijo", "haz", "con", "sí", "usa", "toma", "prefiero", "mejor", "escolho", "escolha", "faz", "faça", "com", "sim",
    "prefiro", "выбираю", "выбери", "берём", "берем", "бери", "делай", "давай", "да", "с", "лучше",
];

/// What a clause begins with that is about something that has a number, and a comma behind it.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "for", "on", "re", "regarding", "about", "in", "to", "as", "für", "zu", "bei", "pour", "sur", "para", "sobre", "en", "em",
    "по", "для", "к",
];

/// What is said of something that has a number.
const JUDGES: &[&str] = &["is", "looks", "sounds", "seems", "works", "ist", "klingt", "est", "semble", "es", "parece", "é"];

/// What may follow a label that counts nothing.
#[rustfmt::skip]
const AFTER: &[&str] = &[
    "and", "as", "but", "first", "for", "is", "next", "now", "only", "or", "please", "pls", "then", "too", "instead", "because",
    "since", "und", "oder", "bitte", "zuerst", "et", "ou", "puis", "y", "o", "por", "e", "и", "или", "пожалуйста", "сначала",
];

/// Between two labels.
const JOINS: &[&str] = &["and", "or", "&", "+", "plus", "und", "oder", "et", "ou", "y", "o", "e", "и", "или", "then"];

/// What an item is called, where [`super::super::prose::takes_number`] does not know it: the label belongs to it.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "choice", "alternative", "proposal", "suggestion", "solution", "question", "point", "comment", "design", "idea", "batch",
    "opción", "opciones", "opção", "opções", "variante", "varianten", "möglichkeit", "vorschlag", "schritt", "punkt", "etappe",
    "étape", "etape", "phase", "proposition", "paso", "fase", "passo", "etapa", "propuesta", "proposta", "punto", "ponto", "tarea",
    "tarefa", "tâche", "aufgabe", "вариант", "варианта", "вариантом", "пункт", "пункта", "шаг", "шага", "этап", "этапа", "фаза",
    "задача", "задачу", "opzione", "krok", "bod",
];

/// The same where words are not parted: the label follows at once.
#[rustfmt::skip]
const WIDE_NOUNS: &[&str] = &[
    "方案", "选项", "選項", "选择", "步骤", "阶段", "任务", "オプション", "ステップ", "フェーズ", "案", "項目", "选", "選", "옵션",
    "단계", "방안",
];

/// `Opção 3`, `Variante B`, `方案A`; and a number that begins with zeros, which counts nothing: `007`.
pub(super) fn numbered(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for (n, word) in spoken.words.iter().enumerate() {
        if let Some(next) = spoken.words.get(n + 1).filter(|next| !word.ends_clause && is_label(next.text))
            && NOUNS.contains(&word.lower.as_str())
        {
            found.push(Identifier { kind: Kind::Label, range: word.range.start..next.range.end });
        }
        // That of a time zone has its sign.
        if word.text.len() >= 3 && word.text.starts_with('0') && is_number(word.text, 6) && !word.opens.ends_with(['+', '-', '.']) {
            found.push(Identifier { kind: Kind::Label, range: word.range.clone() });
        }
    }
    for noun in WIDE_NOUNS {
        for (at, _) in spoken.text.match_indices(noun) {
            let behind = spoken.text.get(at + noun.len()..).unwrap_or("");
            let space = behind.len() - behind.strip_prefix(' ').unwrap_or(behind).len();
            let label = behind.get(space..).unwrap_or("");
            let length = label.bytes().take_while(u8::is_ascii_alphanumeric).count();
            if label.get(..length).is_some_and(is_label) {
                found.push(Identifier { kind: Kind::Label, range: at..at + noun.len() + space + length });
            }
        }
    }
    found
}

/// A label by itself, and those joined to it.
pub(super) fn chosen(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let words = &spoken.words;
    let mut found = Vec::new();
    if words.iter().all(|word| is_label(word.text) || JOINS.contains(&word.lower.as_str())) {
        found.extend(words.iter().filter(|word| is_label(word.text)).map(choice));
        return found;
    }
    for n in 0..words.len() {
        let Some(lead) = words.get(n).filter(|lead| !lead.ends_clause) else { continue };
        let begins = n.checked_sub(1).and_then(|n| words.get(n)).is_none_or(|before| before.ends_clause);
        let is_led = VERBS.contains(&lead.lower.as_str()) || (begins && ABOUT.contains(&lead.lower.as_str()));
        // "2 is too slow".
        if begins && is_label(lead.text) && JUDGES.contains(&spoken.after(n)) {
            found.push(choice(lead));
        }
        if !is_led {
            continue;
        }
        let labels = joined(words.get(n + 1..).unwrap_or_default());
        let counts_nothing = labels.last().is_some_and(|last| {
            let at = n + labels_end(words, n, last);
            let closed = last.ends_clause || AFTER.contains(&spoken.after(at));
            closed
                && (VERBS.contains(&lead.lower.as_str())
                    || last.closes.starts_with([',', ':', '?'])
                    || last.range.end == spoken.text.trim_end().len())
        });
        if counts_nothing {
            found.extend(labels.into_iter().map(choice));
        }
    }
    found
}

/// How many words behind the `n`th `last` stands.
fn labels_end(words: &[Word<'_>], n: usize, last: &Word<'_>) -> usize {
    words.iter().skip(n).position(|word| word.range == last.range).unwrap_or(0)
}

/// The labels that words begin with, one behind the other or joined.
fn joined<'w, 't>(words: &'w [Word<'t>]) -> Vec<&'w Word<'t>> {
    let mut labels: Vec<&Word<'_>> = Vec::new();
    let mut open = true;
    for word in words {
        if is_label(word.text) && open && (word.text != "A" || word.ends_clause || labels.is_empty()) {
            labels.push(word);
            open = word.closes.starts_with(',') || !word.ends_clause;
        } else if !labels.is_empty() && JOINS.contains(&word.lower.as_str()) {
            open = true;
        } else {
            break;
        }
        if word.ends_clause && !word.closes.starts_with(',') {
            break;
        }
    }
    // "A" may be the article of what comes behind it.
    if let [only] = labels.as_slice()
        && only.text == "A"
        && !only.ends_clause
    {
        return Vec::new();
    }
    labels
}

fn choice(word: &Word<'_>) -> Identifier {
    Identifier { kind: Kind::Choice, range: word.range.clone() }
}

/// `B`, `2`, `86`, `1a`.
fn is_label(word: &str) -> bool {
    let letter = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase()) && word != "I";
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word.get(digits..).unwrap_or("");
    letter
        || (1..=3).contains(&digits)
            && !word.starts_with('0')
            && (rest.is_empty() || rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_alphabetic() && !b"xsmhkbd".contains(&b)))
}
