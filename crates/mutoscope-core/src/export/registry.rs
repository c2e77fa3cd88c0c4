//! The registry of targets: those of this crate, and those that other crates register.

use super::{BUILT_IN, ExportTarget};
use crate::registry::{Registry, Row};

static TARGETS: Registry<ExportTarget> = Registry::new(&BUILT_IN);

impl Row for ExportTarget {
    fn has_id_of(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Registers targets of other crates. A program does so once, before it exports anything. A target whose id
/// is known already is left as it is.
pub fn register(rows: &'static [ExportTarget]) {
    TARGETS.register(rows);
}

/// Every target: those of this crate, then those that were registered.
pub fn targets() -> impl Iterator<Item = &'static ExportTarget> + Clone {
    TARGETS.rows()
}
