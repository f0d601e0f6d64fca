//! The side ledgers of a session: their lines, and what was wrong in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::base::data::DataError;
use crate::base::ids::FileIx;
use crate::ledger::record::{Mistake, read_all};
use crate::session::lanes::{Complaint, Lanes};
use crate::session::notes::Order;
use crate::session::snapshot::SideLedger;
use crate::transcript::Record;

/// The longest line that is read, in bytes: an agent writes a few hundred a record, and a record takes many times its bytes in memory.
const LONGEST_LINE: usize = 1 << 20;

/// What was read of them.
#[derive(Default)]
pub(super) struct Side {
    ledgers: BTreeMap<FileIx, SideLedger>,
    /// Lines that say nothing, because something in them is wrong.
    unread: Vec<Complaint>,
}

impl Side {
    /// Reads a line of the side ledger at `path`; several records may stand on it.
    pub(super) fn read(&mut self, path: &Path, record: Record<'_>, lanes: &mut Lanes) {
        let (file, line) = (record.place.file, record.place.line);
        let ledger = self.ledgers.entry(file).or_insert_with(|| SideLedger { path: path.to_path_buf(), records: 0 });
        if record.bytes.len() > LONGEST_LINE {
            let mistake = Mistake::whole(format!("a line of more than {LONGEST_LINE} bytes: write a record a line"));
            self.unread.push(Complaint { order: (file, record.place.bytes.start), line, mistake });
            return;
        }
        let mut values = serde_json::Deserializer::from_slice(record.bytes).into_iter::<Value>();
        loop {
            let start = record.place.bytes.start + values.byte_offset() as u64;
            let said = match values.next() {
                None => return,
                Some(Ok(value)) => read_all(value),
                Some(Err(_)) => {
                    self.unread.push(Complaint { order: (file, start), line, mistake: Mistake::whole("no JSON") });
                    return;
                }
            };
            // Each record takes more than a byte: in a list they keep their order, and none has another's.
            for (n, said) in said.into_iter().enumerate() {
                let order: Order = (file, start + n as u64);
                match said {
                    Ok(said) => {
                        ledger.records += 1;
                        lanes.note(order, line, said);
                    }
                    Err(mistake) => self.unread.push(Complaint { order, line, mistake }),
                }
            }
        }
    }

    /// The side ledgers of which anything was read.
    pub(super) fn ledgers(&self) -> Vec<SideLedger> {
        self.ledgers.values().cloned().collect()
    }

    /// All that is wrong, with what the lanes complain about, by place.
    pub(super) fn mistakes(&self, lanes: Vec<Complaint>) -> Vec<DataError> {
        let mut all: Vec<Complaint> = self.unread.iter().cloned().chain(lanes).collect();
        all.sort_by_key(|complaint| (complaint.order.0, complaint.line, complaint.order.1));
        let path = |file: FileIx| self.ledgers.get(&file).map_or_else(PathBuf::new, |ledger| ledger.path.clone());
        let told = |Complaint { order, line, mistake }: Complaint| DataError {
            file: path(order.0).display().to_string(),
            line: usize::try_from(line).ok(),
            field: mistake.field,
            message: mistake.message,
        };
        all.into_iter().map(told).collect()
    }
}

#[cfg(test)]
mod tests;
