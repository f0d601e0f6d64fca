//! The context gauge: how full, where the trigger is, and at which sizes the context was compacted before.

use crate::compaction::judgement::{ContextFacts, Pressure};
use crate::ui::piece::Piece;
use crate::ui::theme::Role;

/// Where the policy compacts by itself.
const TRIGGER: &str = "┆";
/// Where it was compacted before.
const EARLIER: &str = "╵";
/// Filled parts of a cell, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A gauge of `cells` cells between its edges. `earlier` are the sizes at which boundaries fell, in tokens.
pub(crate) fn gauge(context: &ContextFacts, earlier: &[u64], cells: usize) -> Vec<Piece<'static>> {
    let window = context.window.max(1);
    let eighths =
        |tokens: u64| usize::try_from(u128::from(tokens.min(window)) * cells as u128 * 8 / u128::from(window)).unwrap_or(0);
    let cell_of = |tokens: u64| (eighths(tokens) / 8).min(cells.saturating_sub(1));
    let full = eighths(context.tokens);
    let role = match context.pressure {
        Pressure::None => Role::Text,
        Pressure::Due => Role::Repair,
        Pressure::Critical => Role::Barrier,
    };
    let trigger = context.trigger.map(cell_of);
    let mut pieces = vec![Piece::new(Role::Dim, "▕")];
    for cell in 0..cells {
        let filled = full.saturating_sub(cell * 8).min(8);
        let piece = match filled {
            _ if trigger == Some(cell) => Piece::new(Role::Strong, TRIGGER),
            0 if earlier.iter().any(|tokens| cell_of(*tokens) == cell) => Piece::new(Role::Dim, EARLIER),
            0 => Piece::new(Role::Dim, "·"),
            8 => Piece::new(role, "█"),
            part => Piece::new(role, EIGHTHS.get(part).copied().unwrap_or(" ")),
        };
        pieces.push(piece);
    }
    pieces.push(Piece::new(Role::Dim, "▏"));
    pieces
}

/// How much of a file has been read, in percent: there is still something to do when the last byte has come.
pub(crate) fn read(done: u64, total: u64) -> u64 {
    percent(done, total).min(99)
}

/// How full, in percent; never 100 before it is.
pub(crate) fn percent(part: u64, whole: u64) -> u64 {
    u64::try_from(u128::from(part) * 100 / u128::from(whole.max(1))).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tokens: u64, trigger: Option<u64>, earlier: &[u64]) -> String {
        let context =
            ContextFacts { tokens, estimated: false, window: 200, window_assumed: false, trigger, pressure: Pressure::None };
        gauge(&context, earlier, 10).iter().map(|piece| &*piece.text).collect()
    }

    #[test]
    fn it_fills_and_marks_the_trigger_and_what_came_before() {
        for (tokens, trigger, earlier, picture) in [
            (0, None, &[][..], "▕··········▏"),
            (50, Some(167), &[], "▕██▌·····┆·▏"),
            (142, Some(167), &[155], "▕███████╵┆·▏"),
            (200, None, &[150], "▕██████████▏"),
            (900, Some(900), &[], "▕█████████┆▏"),
        ] {
            assert_eq!(shown(tokens, trigger, earlier), picture, "{tokens}");
        }
    }

    #[test]
    fn an_empty_window_divides_nothing() {
        assert_eq!((percent(3, 0), percent(u64::MAX, u64::MAX), percent(199, 200)), (300, 100, 99));
        assert_eq!((read(34, 100), read(7, 7), read(0, 0)), (34, 99, 0));
    }
}
