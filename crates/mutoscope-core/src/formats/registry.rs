//! The registry of formats: the built-in ones, then those that other crates register.

use super::{BUILT_IN, Format, FormatId};
use crate::registry::{Registry, RegistryRow};

static FORMATS: Registry<Format> = Registry::new(&BUILT_IN);

impl RegistryRow for Format {
    fn has_same_id(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Registers formats of other crates, which are then recognised and decoded like the built-in ones.
/// Call this once, before the program reads any file. A format whose id is already registered is
/// ignored.
pub fn register(rows: &'static [Format]) {
    FORMATS.register(rows);
}

/// Returns all formats: first the built-in ones, then the registered ones.
pub fn all() -> impl Iterator<Item = &'static Format> + Clone {
    FORMATS.rows()
}

/// Returns the format with this id, or `None` if it is not registered.
pub fn format(id: FormatId) -> Option<&'static Format> {
    all().find(|row| row.id == id)
}

/// Returns the name of a format for users, or its id if the format is not registered.
pub fn name(id: FormatId) -> &'static str {
    format(id).map_or(id.as_str(), |row| row.name)
}
