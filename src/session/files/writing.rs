//! Writes files that are either complete or absent.

use std::{
    io::{self, Write as _},
    path::Path,
};

use super::open_job::display_name;
use mutoscope_core::{export::resolve_links, io::atomic_file, read::format_path};

/// Writes `content` to `path` and replaces an existing file. A link is followed, so that its target
/// is replaced. In a browser the content is downloaded.
pub(in crate::session) fn write_complete_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let real = resolve_links(path)?;
    if real.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let mut file = atomic_file::begin(&real, ".part")?;
    file.as_file_mut().write_all(content)?;
    atomic_file::finish(file, &real)
}

pub(in crate::session) fn display_output_path(path: &Path) -> String {
    if cfg!(target_family = "wasm") { display_name(path) } else { format_path(path) }
}

/// A question that the user must answer before a file is replaced.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::session) struct ReplaceQuestion<C> {
    pub(in crate::session) text: String,
    /// The command that replaces the file without asking again.
    pub(in crate::session) command: C,
}
