//! Writes scenes.

use std::{fs, path::Path};

use crate::session::files::{Source, folder_of, write_complete_file};
use mutoscope_core::export::InputFiles;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum SaveOutcome {
    /// The scene was written. The strings are remarks for the user.
    Saved(Vec<String>),
    /// A file with that name exists. The string is the question to the user.
    NeedsConfirmation(String),
    /// The scene was not written. The string is the reason.
    Failed(String),
}

pub(in crate::session) fn save_scene(
    content: &[u8],
    path: &Path,
    replaces: bool,
    source: &Source,
    others: &InputFiles,
) -> SaveOutcome {
    if path.extension().is_none_or(|extension| extension != "mcmocap_scene") {
        return SaveOutcome::Failed("expected a name that ends in .mcmocap_scene".to_owned());
    }
    if let Err(why) = others.check_output(path) {
        return SaveOutcome::Failed(why.to_string());
    }
    if !replaces && fs::symlink_metadata(path).is_ok() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let question = if is_source_file(path, source) {
            format!("{name} is the scene that is open. Replace the original?")
        } else {
            format!("{name} exists already. Replace it?")
        };
        return SaveOutcome::NeedsConfirmation(question);
    }
    match write_complete_file(path, content) {
        Ok(()) => SaveOutcome::Saved(path_remarks(path, source)),
        Err(error) => SaveOutcome::Failed(format!("cannot be written: {error}")),
    }
}

pub(super) fn is_source_file(path: &Path, source: &Source) -> bool {
    let Source::File(original) = source else { return false };
    let mut inputs = InputFiles::default();
    inputs.add(original, "the scene");
    inputs.check_output(path).is_err()
}

fn path_remarks(path: &Path, source: &Source) -> Vec<String> {
    let mut remarks = Vec::new();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_allowed = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-.".contains(letter)
    };
    if !name.chars().all(is_allowed) || name.starts_with(['-', '.']) {
        remarks.push(
            "The mod accepts only names of a to z, 0 to 9, _, - and . that do not begin with - or ."
                .to_owned(),
        );
    }
    if let Source::File(original) = source
        && folder_of(original) != folder_of(path)
    {
        remarks.push(
            "The scene is not in the folder of the original. The mod looks for its recordings in \
             ../recordings of the new folder"
                .to_owned(),
        );
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_replaced_only_after_a_question() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let own = path("own.mcmocap_scene");
        fs::write(&own, "own").unwrap();
        fs::write(path("other.mcmocap_scene"), "other").unwrap();
        let source = Source::File(own.clone());
        let mut others = InputFiles::default();
        let save = |name: &str, replaces: bool, others: &InputFiles| {
            save_scene(b"new", &path(name), replaces, &source, others)
        };
        let question = |outcome: SaveOutcome| match outcome {
            SaveOutcome::NeedsConfirmation(question) => question,
            other => panic!("{other:?}"),
        };
        let text = question(save("own.mcmocap_scene", false, &others));
        assert!(text.contains("original"), "{text}");
        assert!(!question(save("other.mcmocap_scene", false, &others)).contains("original"));
        assert_eq!(fs::read(&own).unwrap(), b"own");
        assert_eq!(save("own.mcmocap_scene", true, &others), SaveOutcome::Saved(Vec::new()));
        assert_eq!(fs::read(&own).unwrap(), b"new");
        assert_eq!(save("third.mcmocap_scene", false, &others), SaveOutcome::Saved(Vec::new()));
        assert!(matches!(save("third.json", false, &others), SaveOutcome::Failed(_)));
        others.add(&path("other.mcmocap_scene"), "an open recording");
        assert!(matches!(save("other.mcmocap_scene", true, &others), SaveOutcome::Failed(_)));
        assert_eq!(fs::read(path("other.mcmocap_scene")).unwrap(), b"other");
        let SaveOutcome::Saved(remarks) = save("Not Allowed.mcmocap_scene", false, &others) else {
            panic!()
        };
        assert_eq!(remarks.len(), 1);
        assert!(matches!(save("missing/a.mcmocap_scene", false, &others), SaveOutcome::Failed(_)));
    }
}
