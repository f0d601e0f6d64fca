//! One self-contained page of a session: its verdict, what was lost, the ledger, the dry run and every span with its events. It loads
//! nothing, and holds nothing that a transcript could make run.

mod events;
mod ledger;
mod losses;
mod writer;

use std::io::{self, Write};

use self::writer::Writer;
use crate::audit::{Audit, Texts};
use crate::base::ids::EntryId;
use crate::report::plan::PlanReport;
use crate::report::redact::Redactor;
use crate::report::subject::{Breadth, Subject};
use crate::session::Audited;

/// What a page may load: nothing.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("../../assets/export.css");
const SCRIPT: &str = include_str!("../../assets/export.js");

/// One lane of a page.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// Its number in the session.
    pub number: usize,
    /// The lane, and the judgement on it.
    pub subject: Subject<'a>,
    /// What its boundaries did.
    pub audit: &'a Audit,
    /// What its events say.
    pub texts: &'a dyn Texts,
}

impl Part<'_> {
    /// The id of an entry on the page.
    fn entry(&self, id: EntryId) -> String {
        format!("l{}-{id}", self.number)
    }
}

/// Writes the page.
///
/// # Errors
/// It cannot be written.
pub fn html(audited: &Audited, parts: &[Part<'_>], redactor: &Redactor, out: &mut dyn Write) -> io::Result<()> {
    let facts = &audited.snapshot.facts;
    let mut page = Writer::new(out, redactor);
    let path = facts.path.to_string_lossy();
    let title = facts.title.as_deref().unwrap_or(&path);
    page.tag("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    page.tag(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"))?;
    page.tag("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
    page.within("<title>owed: ", title, "</title>\n")?;
    page.tag(&format!("<style>\n{STYLE}</style>\n</head>\n<body>\n"))?;
    page.within("<h1>", title, "</h1>\n")?;
    page.within("<p class=\"dim mono\">", &path, "")?;
    for (name, fact) in [("agent", Some(facts.agent.0)), ("version", facts.version.as_deref()), ("in", facts.directory.as_deref())]
    {
        if let Some(fact) = fact {
            page.within(&format!(" · {name} "), fact, "")?;
        }
    }
    page.tag("</p>\n")?;
    for part in parts {
        let plan = PlanReport::of(&part.subject, Breadth::All);
        if part.number > 0 {
            page.within("<h2>Sub-agent ", &part.subject.lane.name, "</h2>\n")?;
        }
        summary(&mut page, &plan)?;
        losses::write(&mut page, part)?;
        ledger::write(&mut page, part, &plan)?;
        if part.number == 0 {
            search(&mut page)?;
        }
        events::write(&mut page, part, &plan)?;
    }
    page.tag(&format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n"))
}

/// The verdict, and how full the context is.
fn summary(page: &mut Writer<'_>, plan: &PlanReport<'_>) -> io::Result<()> {
    let (check, context) = (&plan.check, &plan.check.context);
    let tokens = &check.verdict.tokens;
    page.tag(&format!("<p><span class=\"verdict\">{}</span> ", check.verdict.verdict))?;
    page.within("a compaction by ", check.verdict.policy, " now: ")?;
    page.tag(&format!(
        "context {} of {} tokens; {} reclaimed safely, {} at a risk; carriers take {}</p>\n",
        context.tokens, context.window, tokens.reclaimed_safely, tokens.at_risk, tokens.carriers
    ))
}

/// The field that the page is searched with.
fn search(page: &mut Writer<'_>) -> io::Result<()> {
    page.tag(
        "<div class=\"find\"><input type=\"search\" id=\"find\" placeholder=\"search the spans ( / )\" aria-label=\"search\">",
    )?;
    for colour in ["barrier", "repair", "opportunity", "out"] {
        page.tag(&format!(
            "<label class=\"{colour}\"><input type=\"checkbox\" data-colour=\"{colour}\" checked> {}</label>",
            if colour == "out" { "out of the context" } else { colour }
        ))?;
    }
    page.tag("<span class=\"dim\" id=\"count\"></span></div>\n")
}
