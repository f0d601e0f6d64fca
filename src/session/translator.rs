//! From the records of one file to its events: the file's adapter, and what is told once a line.

use crate::base::ids::FileIx;
use crate::formats::Adapter;
use crate::session::reader::Intake;
use crate::transcript::{Diagnostic, DiagnosticKind, Event, Fact, Record, Sink};

/// The translator of one file.
pub(super) struct Translator {
    adapter: Box<dyn Adapter>,
    /// The newest line of which a record was taken.
    line: u32,
    /// Records of that line that said something, and what was odd in it.
    spoken: u32,
    oddities: Vec<DiagnosticKind>,
}

impl Translator {
    /// A translator that stands at the beginning of a file.
    pub(super) fn new(adapter: Box<dyn Adapter>) -> Self {
        Self { adapter, line: 0, spoken: 0, oddities: Vec::new() }
    }

    /// Hands on what one whole record says.
    pub(super) fn take(&mut self, record: Record<'_>, intake: &mut dyn Intake) {
        let (file, line) = (record.place.file, record.place.line);
        if self.line != line {
            (self.line, self.spoken) = (line, 0);
            self.oddities.clear();
            intake.line(file, line);
        }
        let mut sink = Passing { file, intake, oddities: &mut self.oddities, spoke: false };
        self.adapter.record(record, &mut sink);
        // An adapter sees that records were glued when they come together. It must not matter that the first was handed out early.
        if sink.spoke && self.spoken > 0 {
            sink.diagnostic(Diagnostic { kind: DiagnosticKind::Glued, line });
        }
        self.spoken += u32::from(sink.spoke);
    }
}

/// Hands on what an adapter makes of one record.
struct Passing<'s> {
    file: FileIx,
    intake: &'s mut dyn Intake,
    oddities: &'s mut Vec<DiagnosticKind>,
    spoke: bool,
}

impl Sink for Passing<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.spoke = true;
        self.intake.event(event);
    }

    fn fact(&mut self, fact: Fact<'_>) {
        self.spoke = true;
        // What a sub-agent's file says of its session, the main file says better.
        let is_of_lane = matches!(fact, Fact::Lane { .. } | Fact::Model(..) | Fact::Bookkeeping(_));
        if is_of_lane || self.file == FileIx(0) {
            self.intake.fact(fact);
        }
    }

    /// Tells an oddity once a line, so that it does not matter in how many pieces the line came.
    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        if !self.oddities.contains(&diagnostic.kind) {
            self.oddities.push(diagnostic.kind);
            self.intake.diagnostic(diagnostic);
        }
    }
}
