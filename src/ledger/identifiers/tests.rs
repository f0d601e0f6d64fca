//! Labelled texts, and how many of their values are found.

use proptest::prelude::*;

use super::identifiers;

/// A text and its values.
struct Labelled {
    text: &'static str,
    values: Vec<&'static str>,
}

fn labelled() -> Vec<Labelled> {
    let mut all: Vec<Labelled> = Vec::new();
    for line in include_str!("tests/labelled.txt").lines() {
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
    let (mut right, mut found_all, mut wanted_all, mut report) = (0, 0, 0, String::new());
    for Labelled { text, values } in labelled() {
        let found = found(text);
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
    println!("{report}recall {recall:.3}, precision {precision:.3} of {wanted_all} values in {} texts", labelled().len());
    assert!(recall >= 0.97 && precision >= 0.95, "recall {recall:.3}, precision {precision:.3}\n{report}");
}

#[test]
fn a_long_line_of_data_is_no_value() {
    assert_eq!(found(&"QmFzZTY0+/".repeat(10_000)), Vec::<&str>::new());
    assert_eq!(found(&format!("data:image/png;base64,{}", "iVBORw0KGgo".repeat(500))), ["data:image/png"]);
}

proptest! {
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
