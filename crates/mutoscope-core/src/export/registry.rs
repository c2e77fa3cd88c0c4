//! The registry of targets: those of this crate and those that other crates register.

use super::{BUILT_IN, ExportTarget};
use crate::registry::{Registry, RegistryRow};

static TARGETS: Registry<ExportTarget> = Registry::new(&BUILT_IN);

impl RegistryRow for ExportTarget {
    fn has_same_id(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Registers targets of other crates. Call this once, before the first export. A target whose id is
/// already registered is ignored.
pub fn register(rows: &'static [ExportTarget]) {
    TARGETS.register(rows);
}

/// Returns every target: those of this crate, then the registered ones.
pub fn targets() -> impl Iterator<Item = &'static ExportTarget> + Clone {
    TARGETS.rows()
}
