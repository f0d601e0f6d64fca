//! Audits of sessions in the language of `ledger::testing`.

use crate::audit::{Audit, audit};
use crate::base::ids::EventIx;
use crate::ledger::testing::{fold, payloads, rules};

/// Audits the session of a script.
pub(crate) fn audited(script: &str) -> Audit {
    let payloads = payloads(script);
    let texts = |event: EventIx| payloads.get(event.index()).cloned();
    audit(&fold(script), &texts, &rules())
}
