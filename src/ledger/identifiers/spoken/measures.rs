//! A number and what it counts by, in words: "10 minutes", "30 Sekunden", "5分钟". What somebody has measured is no value: "took 3
//! minutes", "5 days ago".

use super::{Identifier, Kind, Spoken};

/// Units in words, by how they begin; behind them only letters.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "second", "sec", "minut", "min", "hour", "hr", "day", "week", "month", "year", "byte", "pixel", "percent", "millisecond",
    "kilobyte", "megabyte", "gigabyte",
    "sekund", "stunde", "tag", "woche", "monat", "jahr", "prozent",
    "seconde", "heure", "jour", "semaine", "mois", "an", "ans",
    "segundo", "hora", "dia", "día", "semana", "mes", "meses", "año", "ano", "mês",
    "secondi", "ore", "giorn", "settiman", "anni", "uur", "dagen", "weken", "maand", "jaar", "hodin", "dní", "dnů",
    "секунд", "минут", "час", "дн", "день", "недел", "месяц", "год", "лет", "процент", "байт", "пиксел",
];

/// Units that must be the whole word.
const WHOLE: &[&str] = &[
    "sec", "min", "hr", "day", "mes", "an", "ans", "dia", "día", "ore", "час", "лет", "год", "tag", "ano", "jour", "year", "mois",
];

/// Units where words are not parted.
#[rustfmt::skip]
const WIDE: &[&str] = &[
    "毫秒", "秒钟", "秒間", "秒", "分钟", "分鐘", "分間", "分", "小时", "小時", "時間", "天", "日間", "周", "週間", "个月", "個月",
    "ヶ月", "か月", "ミリ秒", "像素", "ピクセル", "초", "분", "시간", "일", "주", "개월", "픽셀", "字节", "バイト", "바이트",
];

/// Before a measurement, or a guess.
#[rustfmt::skip]
const MEASURED: &[&str] = &[
    "took", "takes", "taken", "spent", "about", "roughly", "around", "approximately", "nearly", "almost", "dauerte",
    "etwa", "ungefähr", "environ", "unos", "unas", "cerca", "около", "примерно",
];

/// Behind a measurement.
const PASSED: &[&str] = &["ago", "later", "old", "earlier", "into", "назад", "später", "atrás"];

/// Numbers with their units.
pub(super) fn measured(spoken: &Spoken<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    for (n, word) in spoken.words.iter().enumerate() {
        let Some(unit) = spoken.words.get(n + 1).filter(|_| is_number(word.text) && !word.ends_clause) else { continue };
        let is_said = !MEASURED.contains(&spoken.before(n)) && !PASSED.contains(&spoken.after(n + 1));
        if is_unit(&unit.lower) && is_said {
            found.push(Identifier { kind: Kind::Quantity, range: word.range.start..unit.range.end });
        }
    }
    found.extend(wide(spoken.text));
    found
}

/// `5分钟`, `30 초`.
fn wide(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = bytes.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit)).map(|n| at + n) {
        let length = text.get(start..).unwrap_or("").bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        at = start + length;
        let behind = text.get(at..).unwrap_or("");
        let space = usize::from(behind.starts_with(' '));
        let unit = behind.get(space..).unwrap_or("");
        let joined = start
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b':' | b'/' | b'.'));
        if let Some(unit) = WIDE.iter().find(|known| unit.starts_with(**known)).filter(|_| !joined && length <= 6) {
            found.push(Identifier { kind: Kind::Quantity, range: start..at + space + unit.len() });
        }
    }
    found
}

fn is_unit(word: &str) -> bool {
    WHOLE.contains(&word)
        || UNITS.iter().any(|unit| {
            !matches!(*unit, "sec" | "min" | "hr" | "an" | "ans" | "ore" | "ano" | "mes" | "dia" | "día")
                && word.strip_prefix(unit).is_some_and(|end| end.chars().count() <= 3 && end.chars().all(char::is_alphabetic))
        })
        || matches!(word, "secs" | "mins" | "hrs" | "dias" | "días" | "anos" | "años")
}

fn is_number(word: &str) -> bool {
    word.len() <= 7
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}
