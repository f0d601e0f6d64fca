//! Which of the sessions that were scanned are shown.

use jiff::civil::Date;

use crate::cli::args::SieveArgs;
use crate::cli::failure::Failure;
use crate::formats::registry::by_name;
use crate::report::scan::ScanReport;

/// What all must pass.
pub(super) struct Sieve<'a> {
    args: &'a SieveArgs,
    /// The ids of the agents that were named, by whatever name.
    agents: Vec<&'static str>,
}

impl<'a> Sieve<'a> {
    /// The filters that were asked for.
    ///
    /// # Errors
    /// There is no agent of a name.
    pub(super) fn of(args: &'a SieveArgs) -> Result<Self, Failure> {
        let known = |name: &String| {
            let unknown = || Failure::usage(format!("no agent is called `{name}`")).next("`owed formats` names them");
            by_name(name).map(|format| format.agent.0).ok_or_else(unknown)
        };
        Ok(Self { args, agents: args.agent.iter().map(known).collect::<Result<_, _>>()? })
    }

    /// Whether it is shown. A session without any time in it passes no filter by date.
    pub(super) fn passes(&self, row: &ScanReport) -> bool {
        let Self { args, agents } = self;
        let class = || args.class.iter().any(|class| row.findings.contains_key(class.as_str()));
        let below = |text: &str| row.directory.as_deref().unwrap_or_default().contains(text) || row.path.contains(text);
        (args.class.is_empty() || class())
            && (agents.is_empty() || agents.contains(&row.format))
            && args.project.as_deref().is_none_or(below)
            && args.since.is_none_or(|day| day_of(row.ended.as_deref()).is_some_and(|ended| ended >= day))
            && args.until.is_none_or(|day| day_of(row.started.as_deref()).is_some_and(|started| started <= day))
    }
}

/// The day of an RFC 3339 time in UTC.
fn day_of(at: Option<&str>) -> Option<Date> {
    at?.get(..10)?.parse().ok()
}
