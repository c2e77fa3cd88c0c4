//! The reasons why an export fails.

use std::io;

use crate::io::progress::Cancelled;

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The export was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The export would exceed a limit, which the message names.
    #[error("{0}")]
    LimitExceeded(String),
    /// The output could not be written.
    #[error("cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}
