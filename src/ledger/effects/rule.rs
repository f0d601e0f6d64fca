//! A row of `assets/effects.toml` with all that it inherits, and the name by which its user finds it.

use std::sync::Arc;

use super::class::{Class, Idempotency};
use super::data::{PlanShape, RowFields, Runs, Words};

/// A row, ready for use.
#[derive(Debug)]
pub(super) struct Rule {
    /// Where it stands: `command."git push"`.
    pub(super) place: Arc<str>,
    fields: RowFields,
}

impl Rule {
    /// The rule of a row of its own.
    pub(super) fn new(place: String, fields: RowFields) -> Self {
        Self { place: place.into(), fields }
    }

    /// The rule of a longer key (`git push` below `git`): options that take a value add up, and it acts in the same part of the world,
    /// and is looked at in the same way.
    pub(super) fn below(&self, place: String, own: RowFields) -> Self {
        let above = &self.fields;
        let values = above.values.clone().unwrap_or_default().and(&own.values.clone().unwrap_or_default());
        let fields = RowFields {
            values: Some(values),
            world: own.world.or_else(|| above.world.clone()),
            look: own.look.or_else(|| above.look.clone()),
            dir: own.dir.or_else(|| above.dir.clone()),
            ..own
        };
        Self::new(place, fields)
    }

    /// The rule of a variant (`git branch -d` of `git branch`): it decides by itself what is done; to what, it need not repeat.
    pub(super) fn variant(&self, place: String, own: RowFields) -> Self {
        let base = &self.fields;
        let mut rule = self.below(place, own);
        let own = &mut rule.fields;
        own.target = own.target.take().or_else(|| base.target.clone());
        own.script = own.script.take().or_else(|| base.script.clone());
        own.show = own.show.take().or_else(|| base.show.clone());
        own.volatile = own.volatile.take().or_else(|| base.volatile.clone());
        rule
    }

    /// Whether it says what to do at all.
    pub(super) fn decides(&self) -> bool {
        self.fields.class.is_some() || self.fields.runs.is_some() || self.fields.like.is_some()
    }

    /// What it may do; `execute` where what it runs was to decide and is not there.
    pub(super) fn class(&self) -> Class {
        self.fields.class.unwrap_or(Class::Execute)
    }

    pub(super) fn idempotency(&self) -> Idempotency {
        self.fields.again.unwrap_or_else(|| self.class().usual_idempotency())
    }

    pub(super) fn is_atomic(&self) -> bool {
        self.fields.atomic.unwrap_or(false)
    }

    /// Whether it acts on many things, however few it names.
    pub(super) fn is_many(&self) -> bool {
        self.fields.many.unwrap_or(false)
    }

    /// Whether it runs a program that it reads, where none is given.
    pub(super) fn is_fed(&self) -> bool {
        self.fields.fed.unwrap_or(false)
    }

    /// Whether an agent ends its turn with it.
    pub(super) fn is_last(&self) -> bool {
        self.fields.last.unwrap_or(false)
    }

    /// Whether it serves or watches until somebody ends it.
    pub(super) fn serves(&self) -> bool {
        self.fields.serves.unwrap_or(false)
    }

    /// Whether what it acts on is gone when it succeeded.
    pub(super) fn removes(&self) -> bool {
        self.fields.removes.unwrap_or(false)
    }

    /// What its input says of a plan.
    pub(super) fn plan(&self) -> Option<PlanShape> {
        self.fields.plan
    }

    pub(super) fn world(&self) -> Option<&Arc<str>> {
        self.fields.world.as_ref().filter(|world| !world.is_empty())
    }

    pub(super) fn also(&self) -> Option<&Arc<str>> {
        self.fields.also.as_ref()
    }

    pub(super) fn look(&self) -> Option<&Arc<str>> {
        self.fields.look.as_ref()
    }

    pub(super) fn runs(&self) -> Option<Runs> {
        self.fields.runs
    }

    pub(super) fn skip(&self) -> Option<usize> {
        self.fields.skip
    }

    pub(super) fn like(&self) -> Option<&str> {
        self.fields.like.as_deref()
    }

    pub(super) fn target(&self) -> &[Box<str>] {
        words(self.fields.target.as_ref())
    }

    pub(super) fn script(&self) -> &[Box<str>] {
        words(self.fields.script.as_ref())
    }

    pub(super) fn values(&self) -> &[Box<str>] {
        words(self.fields.values.as_ref())
    }

    pub(super) fn at(&self) -> &[Box<str>] {
        words(self.fields.at.as_ref())
    }

    pub(super) fn dir(&self) -> &[Box<str>] {
        words(self.fields.dir.as_ref())
    }

    pub(super) fn method(&self) -> &[Box<str>] {
        words(self.fields.method.as_ref())
    }

    pub(super) fn body(&self) -> &[Box<str>] {
        words(self.fields.body.as_ref())
    }

    pub(super) fn writes(&self) -> &[Box<str>] {
        words(self.fields.writes.as_ref())
    }

    pub(super) fn show(&self) -> &[Box<str>] {
        words(self.fields.show.as_ref())
    }

    pub(super) fn volatile(&self) -> &[Box<str>] {
        words(self.fields.volatile.as_ref())
    }
}

fn words(words: Option<&Words>) -> &[Box<str>] {
    words.map_or(&[], |words| &words.0)
}
