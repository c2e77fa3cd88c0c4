//! The registry of targets: those of this crate, and those that other crates register.

use std::sync::{PoisonError, RwLock};

use super::{BUILT_IN, ExportTarget};

/// The rows that other crates have registered.
static REGISTERED: RwLock<Vec<&'static ExportTarget>> = RwLock::new(Vec::new());

/// Registers targets that live in other crates. A program does so once, before it exports anything. A target
/// whose id is known already is left as it is.
pub fn register(rows: &'static [ExportTarget]) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for row in rows {
        let is_known = BUILT_IN.iter().chain(registered.iter().copied()).any(|it| it.id == row.id);
        if !is_known {
            registered.push(row);
        }
    }
}

/// Every target: those of this crate, then those that were registered.
pub fn targets() -> impl Iterator<Item = &'static ExportTarget> + Clone {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone();
    BUILT_IN.iter().chain(registered)
}
