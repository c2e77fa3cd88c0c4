//! The reasons why an export fails.

use std::io;

use crate::{diagnostics::Code, io::progress::Cancelled};

/// The reason why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The export was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The export would exceed a limit, which the message names.
    #[error("{0}")]
    LimitExceeded(String),
    /// The target cannot hold the recording, for the reason that `code` describes.
    #[error("{message}")]
    Refused {
        /// The code of the reason.
        code: Code,
        /// The reason, and what the user can do.
        message: String,
    },
    /// The output could not be written.
    #[error("cannot be written: {0}")]
    Unwritable(#[from] io::Error),
}

impl ExportError {
    /// Creates the error for a recording that the target cannot hold.
    pub fn refused(code: Code, message: impl Into<String>) -> Self {
        Self::Refused { code, message: message.into() }
    }

    /// Returns the code of the reason, or `None` if the reason has none.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused { code, .. } => Some(*code),
            Self::Cancelled(_) | Self::LimitExceeded(_) | Self::Unwritable(_) => None,
        }
    }
}
