//! Containers of tables that other crates read.

use std::sync::{PoisonError, RwLock};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Error, Notices},
    formats::{DecodeContext, Recognition},
};

use crate::table::Table;

/// A container of tables, such as Parquet.
#[derive(Debug)]
pub struct Container {
    /// Whether bytes begin as it does.
    pub is_one: fn(&[u8]) -> bool,
    /// Recognises a recording by all bytes of a file, or by its first.
    pub recognise: fn(&[u8]) -> Recognition,
    /// Reads a file.
    pub read: ReadContainer,
}

/// Reads the table of a container, or the recording, if it is one of our own exports.
///
/// # Errors
/// If it is broken.
pub type ReadContainer = fn(&[u8], &DecodeContext<'_>, &mut Notices) -> Result<Contents, Error>;

/// The contents of a container.
#[derive(Debug)]
pub enum Contents {
    /// A table, whose columns are to be recognised.
    Table(Box<Table>),
    /// A recording that needs no recognition.
    Clip(Box<Clip>),
}

static REGISTERED: RwLock<Vec<&'static Container>> = RwLock::new(Vec::new());

/// Adds containers.
pub fn register(containers: &'static [Container]) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for container in containers {
        if !registered.iter().any(|known| std::ptr::eq(*known, container)) {
            registered.push(container);
        }
    }
}

impl Container {
    /// The container that bytes begin as.
    pub(crate) fn of(bytes: &[u8]) -> Option<&'static Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        registered.iter().copied().find(|container| (container.is_one)(bytes))
    }
}
