//! The colour of spans: the join of the context, the live entries and what would go. Never a property of a span's text or size.

use crate::base::ids::{EntryId, SpanIx};
use crate::compaction::context::Context;
use crate::compaction::judgement::Colour;
use crate::compaction::range::Range;
use crate::compaction::rules::{Case, Retained, SpanFate, weigh};
use crate::compaction::standing::{Place, Standing};
use crate::ledger::entry::{Entry, HolderForm, Weight};

/// The colours of a context's spans.
#[derive(Debug)]
pub(super) struct Colours {
    /// Of each span, by its place in the context.
    pub(super) of: Vec<Colour>,
    /// Which entry gives a span its colour, by span.
    pub(super) reasons: Vec<(SpanIx, EntryId)>,
}

/// Colours the spans of a context of which `range` would go.
pub(super) fn colours(context: &Context<'_>, standing: &Standing, range: &Range) -> Colours {
    let mut of = vec![Colour::Opportunity; context.parts.len()];
    let mut touches: Vec<(usize, Colour, EntryId)> = Vec::new();
    for (entry, places) in standing.held() {
        // What would go is free of an entry that something else still holds; what stays is coloured as if it went.
        let goes = weight_in(context, entry, places, range);
        let stays = weight(context, entry, range, Retained::NotHeld);
        for place in painted(entry, places) {
            let Some(weight) = (if range.has(place.part) { goes } else { stays }) else { continue };
            let colour = Colour::from(weight);
            if let Some(old) = of.get_mut(place.part) {
                *old = colour.max(*old);
            }
            touches.push((place.part, colour, entry.id));
        }
    }
    touches.retain(|(part, colour, _)| of.get(*part) == Some(colour));
    touches.sort_unstable();
    touches.dedup();
    let named = |(part, _, entry): (usize, Colour, EntryId)| Some((context.parts.get(part)?.span, entry));
    Colours { of, reasons: touches.into_iter().filter_map(named).collect() }
}

/// The places of an entry that its colour is for. What was said twice stands in full at the newer place: the older may go.
fn painted<'p>(entry: &Entry, places: &'p [Place]) -> &'p [Place] {
    let newest = places.iter().rposition(is_exact).filter(|_| entry.kind.is_commitment());
    places.get(newest.unwrap_or_default()..).unwrap_or_default()
}

/// Whether every word of an entry stands there.
fn is_exact(place: &Place) -> bool {
    place.form != HolderForm::Restated
}

/// What an entry that stands at `places` weighs if `range` goes. None: nothing of it is at stake.
pub(super) fn weight_in(context: &Context<'_>, entry: &Entry, places: &[Place], range: &Range) -> Option<Weight> {
    let held = places.iter().any(|place| is_exact(place) && !range.takes(place));
    weight(context, entry, range, if held { Retained::Held } else { Retained::NotHeld })
}

fn weight(context: &Context<'_>, entry: &Entry, range: &Range, retained: Retained) -> Option<Weight> {
    let at = context.at?;
    let fate = |span| match context.part_of(span) {
        Some(part) if range.has(part) => SpanFate::Goes,
        Some(_) => SpanFate::Stays,
        None => SpanFate::Outside,
    };
    weigh(&Case { entry, lane: context.lane, at, retained, fate: &fate })
}

impl From<Weight> for Colour {
    fn from(weight: Weight) -> Self {
        match weight {
            Weight::Repair => Self::Repair,
            Weight::Barrier => Self::Barrier,
        }
    }
}
