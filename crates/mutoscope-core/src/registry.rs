//! Tables that other crates can add rows to.

use std::sync::{PoisonError, RwLock};

/// A row of a [`Registry`].
pub(crate) trait Row {
    /// Whether the two rows have one id.
    fn has_id_of(&self, other: &Self) -> bool;
}

/// The rows of this crate, then those that other crates have registered.
pub(crate) struct Registry<T: 'static> {
    built_in: &'static [T],
    registered: RwLock<Vec<&'static T>>,
}

impl<T: Row> Registry<T> {
    pub(crate) const fn new(built_in: &'static [T]) -> Self {
        Self { built_in, registered: RwLock::new(Vec::new()) }
    }

    /// Adds rows; one whose id is known already is left as it is.
    pub(crate) fn register(&self, rows: &'static [T]) {
        let mut registered = self.registered.write().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let mut known = self.built_in.iter().chain(registered.iter().copied());
            if !known.any(|it| it.has_id_of(row)) {
                registered.push(row);
            }
        }
    }

    /// Every row, in the order of registration.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'static T> + Clone + use<T> {
        let registered = self.registered.read().unwrap_or_else(PoisonError::into_inner).clone();
        self.built_in.iter().chain(registered)
    }
}
