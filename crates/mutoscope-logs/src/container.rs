//! Registers table containers that other crates read.

use std::sync::{PoisonError, RwLock};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Diagnostics, Error},
    formats::{DecodeContext, ExplainRejection, Recognition},
};

use crate::table::Table;

/// A container of tables, such as Parquet.
#[derive(Debug)]
pub struct Container {
    /// Returns `true` if the bytes begin with the container's magic.
    pub has_magic: fn(&[u8]) -> bool,
    /// Recognises a recording, from a whole file or from its first bytes.
    pub recognise: fn(&[u8]) -> Recognition,
    /// Explains why a file is not a recording.
    pub explain_rejection: ExplainRejection,
    /// Reads a file.
    pub read: ReadContainer,
}

/// Reads the table of a container, or the clip if the file is one of our own exports.
///
/// # Errors
/// If the file is broken.
pub type ReadContainer = fn(&[u8], &DecodeContext<'_>, &mut Diagnostics) -> Result<Contents, Error>;

/// The contents of a container.
#[derive(Debug)]
pub enum Contents {
    /// A table whose columns are still to be recognised.
    Table(Box<Table>),
    /// A clip that needs no recognition.
    Clip(Box<Clip>),
}

static REGISTERED: RwLock<Vec<&'static Container>> = RwLock::new(Vec::new());

/// Adds containers, each at most once.
pub fn register(containers: &'static [Container]) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    for container in containers {
        if !registered.iter().any(|known| std::ptr::eq(*known, container)) {
            registered.push(container);
        }
    }
}

impl Container {
    pub(crate) fn find(bytes: &[u8]) -> Option<&'static Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        registered.iter().copied().find(|container| (container.has_magic)(bytes))
    }
}
