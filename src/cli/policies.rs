//! `owed policies`: the compaction policies that are known, the user's among them, and what one of them does.

use crate::cli::args::PoliciesArgs;
use crate::cli::failure::{Exit, Failure};
use crate::cli::io::Io;
use crate::cli::output::{self, Form};
use crate::cli::settings::Settings;
use crate::report::policies::PoliciesReport;
use crate::report::text;

/// Lists them, or explains one.
pub(super) fn run(args: &PoliciesArgs, settings: &Settings, io: &mut Io) -> Result<Exit, Failure> {
    let policies = settings.policies()?;
    let window = settings.models()?.window_for(None, None, None);
    let form = Form::of(args.json, settings);
    match &args.name {
        Some(name) => {
            let policy = policies.get(name).map_err(|error| Failure::usage(error).next("`owed policies` lists them"))?;
            output::print(io, form, &PoliciesReport::some([policy], window), text::policy)?;
        }
        None => output::print(io, form, &PoliciesReport::of(&policies, window), text::policies)?,
    }
    Ok(Exit::Done)
}
