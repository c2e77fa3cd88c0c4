//! The error of a part of a file, which does not stop the reading of the other parts.

use std::fmt::Display;

use crate::diagnostics::Code;

/// The reason why a part of a glTF cannot be read, such as a mesh or an animation channel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct PartError {
    /// The code of the diagnostic about the part.
    pub(crate) code: Code,
    message: String,
}

impl PartError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Adds the path of the part to the message.
    pub(crate) fn within(self, path: impl Display) -> Self {
        Self { message: format!("{path}: {}", self.message), ..self }
    }
}
