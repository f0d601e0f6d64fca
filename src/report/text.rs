//! Reports as people read them: aligned, short, and clean of whatever a terminal would obey.

mod accept;
mod audit;
mod check;
mod effects;
mod header;
mod lists;
mod page;
mod plan;
mod policies;
mod scan;
mod table;
mod tag;

pub use accept::accept;
pub use audit::audit;
pub use check::check;
pub use effects::{effect, effects};
pub use header::verdict_line;
pub use lists::{formats, sessions};
pub use plan::plan;
pub use policies::{policies, policy};
pub use scan::{Rest, scan};
pub use tag::tag;

use crate::base::text::{clean, cut_end};

/// A count with its noun: `1 entry`, `3 entries`.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Tokens in at most four cells: `310`, `1.8k`, `142k`, `1.2M`.
pub(crate) fn tokens(n: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = (n + unit / 20) / (unit / 10);
        if tenths.is_multiple_of(10) { format!("{}", tenths / 10) } else { format!("{}.{}", tenths / 10, tenths % 10) }
    };
    match n {
        0..1_000 => n.to_string(),
        1_000..9_950 => format!("{}k", tenths(1_000)),
        9_950..999_500 => format!("{}k", (n + 500) / 1_000),
        999_500..9_950_000 => format!("{}M", tenths(1_000_000)),
        _ => format!("{}M", (n + 500_000) / 1_000_000),
    }
}

/// A text from a transcript, on one line, of at most `cells`.
pub(super) fn short(text: &str, cells: usize) -> String {
    cut_end(clean(text).trim(), cells).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_fit_four_cells() {
        for (n, shown) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1k"),
            (1_830, "1.8k"),
            (9_949, "9.9k"),
            (9_950, "10k"),
            (141_600, "142k"),
            (999_499, "999k"),
            (999_500, "1M"),
            (1_240_000, "1.2M"),
            (31_000_000, "31M"),
        ] {
            assert_eq!(tokens(n), shown, "{n}");
        }
    }
}
