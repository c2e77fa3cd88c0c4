//! Writes labels to files.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::session::files::{Source, write_complete_file};
use mutoscope_core::{export::InputFiles, io::storage};
use mutoscope_study::labels::{self, Label, LabelFormat, sidecar_paths};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum SaveOutcome {
    /// The file was written.
    Saved,
    /// A file with that name exists. The string is the question to the user.
    NeedsConfirmation(String),
    /// The file was not written. The string is the reason.
    Failed(String),
}

/// Returns the path of the table that labels of the recording from `source` are saved to. `None` if
/// the recording has no folder. In a browser the path is only a name, because files are downloaded.
pub(in crate::session) fn label_path(source: &Source) -> Option<PathBuf> {
    let path = match source {
        Source::File(path) => path.clone(),
        other if cfg!(target_family = "wasm") => other.output_base_path(),
        Source::Stdin | Source::Sample(_) => return None,
    };
    let [table, ..] = sidecar_paths(&path);
    Some(table)
}

/// Encodes labels in this format. Also returns one sentence for each thing that the format cannot
/// store.
///
/// # Errors
/// If the format cannot store a label.
pub(in crate::session) fn encode_labels(
    labels: &[Label],
    format: LabelFormat,
) -> io::Result<(Vec<u8>, Vec<String>)> {
    let mut content = Vec::new();
    let remarks = labels::write(labels, format, &mut content)?;
    Ok((content, remarks))
}

/// Writes `content` to `path`. Replaces an existing file only if `replaces` is set, or if the
/// content of the file is `known`. Never replaces the files in `others`, because they are open.
pub(in crate::session) fn save_labels(
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

/// Returns the question to ask before the file at `path` is replaced. `None` if there is no file or
/// if its content is `known`. In a browser there is never a question, because a download replaces
/// no file.
fn replacement_question(path: &Path, known: Option<&[u8]>) -> Option<String> {
    if cfg!(target_family = "wasm") || storage::metadata(path).is_err() {
        return None;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match known {
        None => Some(format!("{name} exists already. Replace it?")),
        Some(known) if storage::read(path).is_ok_and(|bytes| bytes == known) => None,
        Some(_) => Some(format!("{name} was changed by another program. Replace it?")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn unknown_files_are_replaced_only_after_a_question() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.labels.csv");
        let mut others = InputFiles::default();
        let save = |content: &[u8], replaces, known: Option<&[u8]>, others: &InputFiles| {
            save_labels(content, &path, replaces, known, others)
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

    #[test]
    fn label_path_is_next_to_the_recording() {
        let path = label_path(&Source::File("takes/one.bin".into()));
        assert_eq!(path, Some("takes/one.labels.csv".into()));
        assert_eq!(label_path(&Source::Sample(0)), None);
    }
}
