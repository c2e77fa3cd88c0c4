//! Encodes labels, and chooses the file that they are saved to.

use std::{io, path::PathBuf};

use crate::session::files::Source;
use mutoscope_study::labels::{self, Label, LabelFormat, sidecar_paths};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_path_is_next_to_the_recording() {
        let path = label_path(&Source::File("takes/one.bin".into()));
        assert_eq!(path, Some("takes/one.labels.csv".into()));
        assert_eq!(label_path(&Source::Sample(0)), None);
    }
}
