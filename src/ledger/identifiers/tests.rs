//! Labelled texts, and how many of their values are found.

use proptest::prelude::*;

use super::{Identifier, identifiers, spoken};

/// A text and its values.
struct Labelled {
    text: &'static str,
    values: Vec<&'static str>,
}

fn labelled(table: &'static str) -> Vec<Labelled> {
    let mut all: Vec<Labelled> = Vec::new();
    for line in table.lines() {
        match line.strip_prefix("= ") {
            Some(value) => all.last_mut().unwrap().values.push(value),
            None if line.starts_with("# ") && !line.starts_with("# Heading") => {}
            None => all.push(Labelled { text: line, values: Vec::new() }),
        }
    }
    all
}

fn found(text: &str) -> Vec<&str> {
    identifiers(text).into_iter().map(|found| &text[found.range]).collect()
}

#[test]
fn the_values_of_labelled_texts_are_found() {
    hold(include_str!("tests/labelled.txt"), identifiers, 0.97, 0.95);
}

#[test]
fn what_words_make_a_value_is_found() {
    hold(include_str!("tests/spoken.txt"), spoken, 0.99, 0.99);
}

/// Finds at least these shares of a table's values, and of what is found.
#[track_caller]
fn hold(table: &'static str, find: impl Fn(&str) -> Vec<Identifier>, least_recall: f64, least_precision: f64) {
    let (mut right, mut found_all, mut wanted_all, mut report) = (0, 0, 0, String::new());
    for Labelled { text, values } in labelled(table) {
        let found: Vec<&str> = find(text).into_iter().map(|found| &text[found.range]).collect();
        let mut left = found.clone();
        let mut missed = Vec::new();
        for value in &values {
            match left.iter().position(|found| found == value) {
                Some(n) => {
                    left.remove(n);
                    right += 1;
                }
                None => missed.push(value),
            }
        }
        found_all += found.len();
        wanted_all += values.len();
        if !missed.is_empty() || !left.is_empty() {
            report += &format!("{text}\n    missed {missed:?}, invented {left:?}\n");
        }
    }
    let (recall, precision) = (f64::from(right) / wanted_all as f64, f64::from(right) / found_all as f64);
    println!("{report}recall {recall:.3}, precision {precision:.3} of {wanted_all} values in {} texts", labelled(table).len());
    assert!(recall >= least_recall && precision >= least_precision, "recall {recall:.3}, precision {precision:.3}\n{report}");
}

#[test]
fn a_long_line_of_data_is_no_value() {
    assert_eq!(found(&"QmFzZTY0+/".repeat(10_000)), Vec::<&str>::new());
    assert_eq!(found(&format!("data:image/png;base64,{}", "iVBORw0KGgo".repeat(500))), ["data:image/png"]);
}

proptest! {
    #[test]
    fn what_is_spoken_stands_in_order_and_says_something(text in "(?s)[ -~\n`é你]{0,120}|((do|go with|fields:|[A-C0-9]|branch|`|\"|\\(|, |的|分) ?){0,20}") {
        let mut start = 0;
        for value in spoken(&text) {
            prop_assert!(start <= value.range.start && value.range.start < value.range.end, "{value:?} in {text:?}");
            prop_assert!(text.get(value.range.clone()).is_some());
            start = value.range.start;
        }
    }

    /// Plain words are passed over sixteen bytes at a time, where there are as many.
    #[test]
    fn what_is_passed_over_holds_no_value(text in "[a-dv A1#.{(\\\\]{0,15}") {
        let padded = format!("{text}{}", " ".repeat(16));
        prop_assert_eq!(found(&text), found(&padded), "{:?}", text);
    }

    #[test]
    fn values_stand_in_order_and_apart(text in "(?s)[ -~\n`é你]{0,200}") {
        let mut end = 0;
        for value in identifiers(&text) {
            prop_assert!(end <= value.range.start && value.range.start < value.range.end, "{value:?} in {text:?}");
            let inner = text.get(value.range.clone()).unwrap();
            prop_assert_eq!(inner.trim(), inner);
            end = value.range.end;
        }
    }
}
