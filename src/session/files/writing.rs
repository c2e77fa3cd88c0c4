//! Writes files that are either complete or absent.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::open_job::display_name;
use mutoscope_core::{
    export::{InputFiles, resolve_links},
    io::{atomic_file, storage},
    read::format_path,
};

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum SaveOutcome {
    /// The file was written.
    Saved,
    /// A file with that name exists. The string is the question to the user.
    NeedsConfirmation(String),
    /// The file was not written. The string is the reason.
    Failed(String),
}

/// Writes `content` to `path`. Replaces an existing file only if `replaces` is set, or if the
/// content of the file is `known`. Never replaces the files in `others`, because they are open.
pub(in crate::session) fn save_sidecar(
    content: &[u8],
    path: &Path,
    replaces: bool,
    known: Option<&[u8]>,
    others: &InputFiles,
) -> SaveOutcome {
    if let Err(why) = others.check_output(path) {
        return SaveOutcome::Failed(why.to_string());
    }
    if !replaces && let Some(question) = replacement_question(path, known) {
        return SaveOutcome::NeedsConfirmation(question);
    }
    match write_complete_file(path, content) {
        Ok(()) => SaveOutcome::Saved,
        Err(error) => SaveOutcome::Failed(format!("cannot be written: {error}")),
    }
}

/// Returns the question to ask before output files are replaced. `None` if none of them exists. In a
/// browser there is never a question, because a download replaces no file.
pub(in crate::session) fn existing_files_question(outputs: &[PathBuf]) -> Option<String> {
    let exists = |path: &&PathBuf| {
        // Do not follow links. Otherwise the name of a dangling link would look free.
        cfg!(not(target_family = "wasm")) && fs::symlink_metadata(path).is_ok()
    };
    let names: Vec<_> = outputs.iter().filter(exists).map(|path| display_name(path)).collect();
    match &names[..] {
        [] => None,
        [name] => Some(format!("{name} exists already. Replace it?")),
        names => Some(format!("{} exist already. Replace them?", names.join(", "))),
    }
}

/// Returns the question to ask before the file at `path` is replaced. `None` if there is no file or
/// if its content is `known`. In a browser there is never a question, because a download replaces
/// no file.
fn replacement_question(path: &Path, known: Option<&[u8]>) -> Option<String> {
    if cfg!(target_family = "wasm") || storage::metadata(path).is_err() {
        return None;
    }
    let name = display_name(path);
    match known {
        None => existing_files_question(&[path.to_owned()]),
        Some(known) if storage::read(path).is_ok_and(|bytes| bytes == known) => None,
        Some(_) => Some(format!("{name} was changed by another program. Replace it?")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_files_are_replaced_only_after_a_question() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.labels.csv");
        let mut others = InputFiles::default();
        let save = |content: &[u8], replaces, known: Option<&[u8]>, others: &InputFiles| {
            save_sidecar(content, &path, replaces, known, others)
        };
        let question = |outcome: SaveOutcome| match outcome {
            SaveOutcome::NeedsConfirmation(question) => question,
            other => panic!("{other:?}"),
        };
        assert_eq!(save(b"1", false, None, &others), SaveOutcome::Saved);
        assert_eq!(save(b"2", false, Some(b"1"), &others), SaveOutcome::Saved);
        assert!(question(save(b"3", false, Some(b"1"), &others)).contains("another program"));
        assert!(question(save(b"3", false, None, &others)).contains("exists already"));
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(save(b"3", true, None, &others), SaveOutcome::Saved);
        others.add(&path, "an open recording");
        assert!(matches!(save(b"4", true, None, &others), SaveOutcome::Failed(_)));
        assert_eq!(fs::read(&path).unwrap(), b"3");
    }
}
