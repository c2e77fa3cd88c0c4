//! Reads and writes label files, and formats messages about them.

use std::{fs, io, path::Path};

use mutoscope_core::{
    diagnostics::{Diagnostic, Error},
    io::atomic_file,
    read::Message,
};

use super::{Label, LabelFormat, Labels, format};

/// The reason why a label file could not be read.
#[derive(Debug)]
pub enum LabelFileError {
    /// The operating system could not read the file.
    Unreadable(io::Error),
    /// The content does not match the format.
    Malformed(Error),
}

impl LabelFileError {
    /// Returns the message about the file. `path` is the path as the user gave it.
    pub fn message<'a>(&self, path: &'a str, format: LabelFormat) -> Message<'a> {
        match self {
            Self::Unreadable(error) => Message::for_file(path, format!("cannot be read: {error}")),
            Self::Malformed(error) => Message {
                format: Some(format.extension()),
                code: Some(format!("labels/{}", error.kind().as_str()).into()),
                location: Some(error.location().clone()),
                ..Message::for_file(path, error.message().to_owned())
            },
        }
    }
}

/// Reads the labels in a file.
///
/// # Errors
/// Returns an error if the file cannot be read, or if its content does not match the format.
pub fn read_file(path: &Path, format: LabelFormat) -> Result<Labels, LabelFileError> {
    let bytes = fs::read(path).map_err(LabelFileError::Unreadable)?;
    format::read(&bytes, format).map_err(LabelFileError::Malformed)
}

/// Writes labels to a file atomically. Returns a message for each kind of information that the
/// format cannot hold.
///
/// # Errors
/// Returns an error if the file cannot be written, or if the format cannot represent a label at
/// all.
pub fn write_file(labels: &[Label], format: LabelFormat, path: &Path) -> io::Result<Vec<String>> {
    let mut file = atomic_file::begin(path, ".part")?;
    let losses = format::write(labels, format, file.as_file_mut())?;
    atomic_file::finish(file, path)?;
    Ok(losses)
}

/// Returns the message for a diagnostic about a label file.
pub fn message_for_diagnostic<'a>(
    path: &'a str,
    format: LabelFormat,
    diagnostic: &'a Diagnostic,
) -> Message<'a> {
    Message::from_diagnostic_in(path, format.extension(), diagnostic)
}
