//! Exact values: where each was first seen, and what depends on that.

use crate::base::ids::{EventIx, SpanIx};
use crate::ledger::LaneSnapshot;
use crate::ledger::entry::EdgeKind;
use crate::ledger::testing::fold;
use crate::ledger::values::ValueRole;

/// The calls on whose output each call depends, by their numbers.
fn sources(lane: &LaneSnapshot) -> Vec<(usize, Vec<usize>)> {
    let number = |entry| lane.calls.iter().position(|call| call.entry == entry).unwrap();
    let edges = lane.calls.iter().map(|call| {
        let outputs = call.edges.iter().filter(|edge| edge.kind == EdgeKind::DependsOnOutput);
        outputs.map(|edge| number(edge.to)).collect()
    });
    edges.enumerate().filter(|(_, sources): &(_, Vec<_>)| !sources.is_empty()).collect()
}

/// Where a value stands: span and role.
fn places(lane: &LaneSnapshot, value: &str) -> Vec<(u32, ValueRole)> {
    let end = lane.end().unwrap();
    let at = lane.values.all.iter().position(|row| row.full_at(end) == value).unwrap_or(usize::MAX);
    let own = lane.values.places.iter().filter(|place| place.value.index() == at);
    own.map(|place| (place.span.0, place.role)).collect()
}

fn spellings(lane: &LaneSnapshot) -> Vec<String> {
    lane.values.all.iter().map(|row| row.full_at(lane.end().unwrap()).to_owned()).collect()
}

#[test]
fn a_call_depends_on_the_output_in_which_its_value_was_first_seen() {
    let lane = fold(
        r#"prompt Look for the parser, and mend it.
        step m1
        call c1 Glob {"pattern":"**/parser*"}
        result c1 ok ./src/legacy/parser_v2.py src/new/parser_v3.py
        step m2
        call c2 Bash {"command":"rg -n parser_v2"}
        result c2 ok docs/index.md:3: see src/legacy/parser_v2.py
        step m3
        call c3 Read {"file_path":"/home/u/app/src/legacy/parser_v2.py"}
        result c3 ok 1 import orders_lib"#,
    );
    assert_eq!(sources(&lane), [(2, vec![0])], "in the first output, and not in each");
    assert_eq!(
        places(&lane, "/home/u/app/src/legacy/parser_v2.py"),
        [(1, ValueRole::Shown), (2, ValueRole::Shown), (3, ValueRole::Given)],
        "the places that it had before it was a value are known from its first and its newest"
    );
}

#[test]
fn what_was_said_or_given_first_depends_on_no_output() {
    let lane = fold(
        r#"prompt Read src/legacy/parser_v2.py and run `make check-all`.
        step m1
        call c1 Bash {"command":"cat src/legacy/parser_v2.py && ls src/tool_kit"}
        result c1 ok src/legacy/parser_v2.py: see index.md and package.json, on main
        step m2
        call c2 Read {"file_path":"src/legacy/parser_v2.py"}
        result c2 ok fine
        step m3
        call c3 Read {"file_path":"package.json"}
        result c3 ok fine"#,
    );
    assert_eq!(sources(&lane), [], "and a common name depends on nothing");
}

#[test]
fn spellings_from_other_folders_are_one_value_and_a_line_is_no_part_of_it() {
    let lane = fold(
        r#"prompt Mend it.
        step m1
        call c1 Read {"file_path":"src/legacy/parser_v2.py"}
        result c1 ok fine
        step m2
        call c2 Bash {"command":"python /home/u/app/src/legacy/parser_v2.py"}
        result c2 exit1 Traceback: File src/legacy/parser_v2.py:12
        say It fails in line 12 of parser_v2.py."#,
    );
    assert_eq!(spellings(&lane), ["parser_v2.py", "/home/u/app/src/legacy/parser_v2.py"]);
    let places = |value| places(&lane, value);
    assert_eq!(
        places("/home/u/app/src/legacy/parser_v2.py"),
        [(1, ValueRole::Given), (2, ValueRole::Given), (2, ValueRole::Shown)]
    );
    assert_eq!(places("parser_v2.py"), [(2, ValueRole::Said)]);
    let row = lane.values.all.iter().find(|row| row.short.is_some()).unwrap();
    assert_eq!(row.full_at(EventIx(2)), "src/legacy/parser_v2.py", "a prefix never knows the future");
}

#[test]
fn what_an_output_alone_shows_is_no_value() {
    let lane = fold(
        r#"prompt Look around.
        step m1
        call c1 Bash {"command":"ls"}
        result c1 ok src/a_b.rs src/c_d.rs 4f2a91c07be3d5a1 QmFzZTY0/QmFzZTY0Zm9v/YmFyQmF6QmF6/QmF6QmF6QmF6MTIz"#,
    );
    assert_eq!(spellings(&lane), Vec::<String>::new());
    assert_eq!(lane.values.places.len(), 0);
}

#[test]
fn values_that_are_listed_together_are_a_set() {
    let lane = fold(
        r#"prompt Rewrite the columns (status, total_cents, placed_at) of orders.
        step m1
        call c1 Bash {"command":"./migrate.sh orders --columns status,total_cents"}
        result c1 timeout"#,
    );
    let sets: Vec<Vec<String>> = lane
        .values
        .sets
        .iter()
        .map(|set| {
            let name = |ix: &crate::base::ids::ValueIx| lane.values.all.get(ix.index()).unwrap().full_at(EventIx(9)).to_owned();
            set.members.iter().map(name).collect()
        })
        .collect();
    assert_eq!(sets, [["status", "total_cents", "placed_at"]]);
    assert_eq!(lane.values.sets.get(0).map(|set| set.span), Some(SpanIx(0)));
}
