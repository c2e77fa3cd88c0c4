//! Writing labels.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::session::{Source, files::writing::write_whole};
use mutoscope_core::{export::InputFiles, io::storage};
use mutoscope_study::labels::{self, Label, LabelFormat, sidecar_paths};

/// The outcome of a request to write a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Saving {
    /// It was written.
    Done,
    /// A file is there: what is asked before it is replaced.
    Asks(String),
    /// Nothing was written: why.
    Failed(String),
}

/// The path of the table that the labels of the recording from `source` are saved to; nothing if it has no folder.
/// In a browser, where everything is downloaded, it is a name.
pub(in crate::session) fn label_path(source: &Source) -> Option<PathBuf> {
    let path = match source {
        Source::File(path) => path.clone(),
        other if cfg!(target_family = "wasm") => other.path_for_others(),
        Source::Stdin | Source::Sample(_) => return None,
    };
    let [table, ..] = sidecar_paths(&path);
    Some(table)
}

/// Labels as a file of this format, and what the format cannot hold, a sentence each.
///
/// # Errors
/// If the format has no way to hold a label.
pub(in crate::session) fn written(
    labels: &[Label],
    format: LabelFormat,
) -> io::Result<(Vec<u8>, Vec<String>)> {
    let mut content = Vec::new();
    let remarks = labels::write(labels, format, &mut content)?;
    Ok((content, remarks))
}

/// Writes `content` to `path`. A file that is there is only replaced if `replaces`, or if it is as it is `known`; an
/// open one (`others`) never is.
pub(in crate::session) fn save(
    content: &[u8],
    path: &Path,
    replaces: bool,
    known: Option<&[u8]>,
    others: &InputFiles,
) -> Saving {
    if let Err(why) = others.allow(path) {
        return Saving::Failed(why);
    }
    if !replaces && let Some(question) = question(path, known) {
        return Saving::Asks(question);
    }
    match write_whole(path, content) {
        Ok(()) => Saving::Done,
        Err(error) => Saving::Failed(format!("cannot be written: {error}")),
    }
}

/// The question before the file at `path` is replaced; nothing if none is there, or one as it is `known`. A download
/// replaces nothing.
fn question(path: &Path, known: Option<&[u8]>) -> Option<String> {
    if cfg!(target_family = "wasm") || storage::about(path).is_err() {
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
    fn files_that_are_not_known_are_replaced_after_a_question_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.labels.csv");
        let mut others = InputFiles::default();
        let save = |content: &[u8], replaces, known: Option<&[u8]>, others: &InputFiles| {
            save(content, &path, replaces, known, others)
        };
        let question = |saving: Saving| match saving {
            Saving::Asks(question) => question,
            other => panic!("{other:?}"),
        };
        assert_eq!(save(b"1", false, None, &others), Saving::Done);
        assert_eq!(save(b"2", false, Some(b"1"), &others), Saving::Done);
        assert!(question(save(b"3", false, Some(b"1"), &others)).contains("another program"));
        assert!(question(save(b"3", false, None, &others)).contains("exists already"));
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(save(b"3", true, None, &others), Saving::Done);
        others.add(&path, "an open recording");
        assert!(matches!(save(b"4", true, None, &others), Saving::Failed(_)));
        assert_eq!(fs::read(&path).unwrap(), b"3");
    }

    #[test]
    fn labels_are_saved_beside_the_recording() {
        let path = label_path(&Source::File("takes/one.bin".into()));
        assert_eq!(path, Some("takes/one.labels.csv".into()));
        assert_eq!(label_path(&Source::Sample(0)), None);
    }
}
