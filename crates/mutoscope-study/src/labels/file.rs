//! Label files on disk: reading, writing, and messages about them.

use std::{fs, io, path::Path};

use mutoscope_core::{
    diagnostics::{Error, Notice},
    io::atomic_file,
    read::Message,
};

use super::{Label, LabelFormat, Labels, format};

/// Why a label file has no labels.
#[derive(Debug)]
pub enum LabelFileError {
    /// The system does not give its content.
    Unreadable(io::Error),
    /// Its content is no labels of its format.
    Malformed(Error),
}

impl LabelFileError {
    /// The message about the file, which its user calls `path`.
    pub fn message<'a>(&self, path: &'a str, format: LabelFormat) -> Message<'a> {
        match self {
            Self::Unreadable(error) => {
                Message::about_file(path, format!("cannot be read: {error}"))
            }
            Self::Malformed(error) => Message {
                format: Some(format.extension()),
                place: Some(error.place().to_string()),
                ..Message::about_file(path, error.message().to_owned())
            },
        }
    }
}

/// The labels in a file of this format.
///
/// # Errors
/// If it cannot be read, or is not of this format.
pub fn read_file(path: &Path, format: LabelFormat) -> Result<Labels, LabelFileError> {
    let bytes = fs::read(path).map_err(LabelFileError::Unreadable)?;
    format::read(&bytes, format).map_err(LabelFileError::Malformed)
}

/// Writes labels as a file of this format, atomically, and returns what the format cannot hold, a sentence each.
///
/// # Errors
/// If it cannot be written, or the format has no way to hold a label.
pub fn write_file(labels: &[Label], format: LabelFormat, path: &Path) -> io::Result<Vec<String>> {
    let mut file = atomic_file::begin(path, ".part")?;
    let lost = format::write(labels, format, file.as_file_mut())?;
    atomic_file::finish(file, path)?;
    Ok(lost)
}

/// The message of an issue in a label file.
pub fn message_of_notice<'a>(path: &'a str, format: LabelFormat, notice: &Notice) -> Message<'a> {
    Message {
        path,
        format: Some(format.extension()),
        severity: notice.severity,
        place: Some(notice.place.to_string()),
        message: notice.message.clone(),
        time: notice.time,
    }
}
