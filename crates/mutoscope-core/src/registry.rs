//! Registries: tables with built-in rows, to which other crates can add rows.

use std::sync::{PoisonError, RwLock};

pub(crate) trait RegistryRow {
    fn has_same_id(&self, other: &Self) -> bool;
}

pub(crate) struct Registry<T: 'static> {
    built_in: &'static [T],
    registered: RwLock<Vec<&'static T>>,
}

impl<T: RegistryRow> Registry<T> {
    pub(crate) const fn new(built_in: &'static [T]) -> Self {
        Self { built_in, registered: RwLock::new(Vec::new()) }
    }

    pub(crate) fn register(&self, rows: &'static [T]) {
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let mut known_rows = self.built_in.iter().chain(registered.iter().copied());
            if !known_rows.any(|known_row| known_row.has_same_id(row)) {
                registered.push(row);
            }
        }
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &'static T> + Clone + use<T> {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner).clone();
        self.built_in.iter().chain(registered)
    }
}
