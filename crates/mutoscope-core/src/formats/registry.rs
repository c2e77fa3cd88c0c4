//! The registry of formats: those of this crate, and those that other crates register.

use super::{BUILT_IN, Format, FormatId};
use crate::registry::{Registry, Row};

static FORMATS: Registry<Format> = Registry::new(&BUILT_IN);

impl Row for Format {
    fn has_id_of(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Registers formats of other crates, to be recognised and decoded like those of this one. A program does so
/// once, before it reads anything. A format that is known already is left as it is.
pub fn register(rows: &'static [Format]) {
    FORMATS.register(rows);
}

/// Every format that is read: those of this crate, then those that were registered.
pub fn all() -> impl Iterator<Item = &'static Format> + Clone {
    FORMATS.rows()
}

/// The row of this format; `None` if no such format is registered.
pub fn format(id: FormatId) -> Option<&'static Format> {
    all().find(|row| row.id == id)
}

/// The name of this format for users.
pub fn name(id: FormatId) -> &'static str {
    format(id).map_or(id.word(), |row| row.name)
}
