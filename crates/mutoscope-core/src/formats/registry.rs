//! The registry of formats: those of this crate, and those that other crates register.

use std::sync::{PoisonError, RwLock};

use super::{BUILT_IN, Format, FormatId};

/// The rows that other crates have registered.
static REGISTERED: RwLock<Vec<&'static Format>> = RwLock::new(Vec::new());

/// Registers formats that live in other crates, so that they are recognised and decoded as those of this
/// one are. A program does so once, before it reads anything. A format that is known already is left as
/// it is.
pub fn register(rows: &'static [Format]) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for row in rows {
        let is_known = BUILT_IN.iter().chain(registered.iter().copied()).any(|it| it.id == row.id);
        if !is_known {
            registered.push(row);
        }
    }
}

/// Every format that is read: those of this crate, then those that were registered.
pub fn all() -> impl Iterator<Item = &'static Format> + Clone {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone();
    BUILT_IN.iter().chain(registered)
}

/// The row of this format; `None` if no such format is registered.
pub fn format(id: FormatId) -> Option<&'static Format> {
    all().find(|row| row.id == id)
}

/// The name of this format for users.
pub fn name(id: FormatId) -> &'static str {
    format(id).map_or(id.word(), |row| row.name)
}
