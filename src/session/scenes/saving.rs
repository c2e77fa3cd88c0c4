//! Writing a scene.

use std::{fs, path::Path};

use crate::session::{
    Source,
    files::{folder::folder_of, writing::write_whole},
};
use mutoscope_core::export::InputFiles;

/// The outcome of a request to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum Saving {
    /// It was written; what is worth knowing.
    Done(Vec<String>),
    /// A file is there: what is asked before it is replaced.
    Asks(String),
    /// Nothing was written: why.
    Failed(String),
}

/// Writes `content`, the scene that was read from `source`, to `path`. A file that is there is only
/// replaced if `replaces`; one that is open otherwise (`others`) never is.
pub(in crate::session) fn save(
    content: &[u8],
    path: &Path,
    replaces: bool,
    source: &Source,
    others: &InputFiles,
) -> Saving {
    if path.extension().is_none_or(|extension| extension != "mcmocap_scene") {
        return Saving::Failed("expected a name that ends in .mcmocap_scene".to_owned());
    }
    if let Err(why) = others.allow(path) {
        return Saving::Failed(why);
    }
    if !replaces && fs::symlink_metadata(path).is_ok() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let question = if is_own(path, source) {
            format!("{name} is the scene that is open. Replace the original?")
        } else {
            format!("{name} exists already. Replace it?")
        };
        return Saving::Asks(question);
    }
    match write_whole(path, content) {
        Ok(()) => Saving::Done(remarks(path, source)),
        Err(error) => Saving::Failed(format!("cannot be written: {error}")),
    }
}

/// Whether `path` leads to what `source` is.
pub(super) fn is_own(path: &Path, source: &Source) -> bool {
    let Source::File(own) = source else { return false };
    let mut inputs = InputFiles::default();
    inputs.add(own, "the scene");
    inputs.allow(path).is_err()
}

/// Remarks on requirements of the mod that the path does not meet.
fn remarks(path: &Path, source: &Source) -> Vec<String> {
    let mut remarks = Vec::new();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_allowed = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-.".contains(letter)
    };
    if !name.chars().all(is_allowed) || name.starts_with(['-', '.']) {
        remarks.push(
            "The mod accepts names of a to z, digits, _, - and . only; they must not begin with - \
             or ."
                .to_owned(),
        );
    }
    if let Source::File(own) = source
        && folder_of(own) != folder_of(path)
    {
        remarks.push(
            "The folder is not that of the original: the mod plays recordings from ../recordings there"
                .to_owned(),
        );
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_after_a_question_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let own = path("own.mcmocap_scene");
        fs::write(&own, "own").unwrap();
        fs::write(path("other.mcmocap_scene"), "other").unwrap();
        let source = Source::File(own.clone());
        let mut others = InputFiles::default();
        let saved = |name: &str, replaces: bool, others: &InputFiles| {
            save(b"new", &path(name), replaces, &source, others)
        };
        let question = |saving: Saving| match saving {
            Saving::Asks(question) => question,
            other => panic!("{other:?}"),
        };
        let asked = question(saved("own.mcmocap_scene", false, &others));
        assert!(asked.contains("original"), "{asked}");
        assert!(!question(saved("other.mcmocap_scene", false, &others)).contains("original"));
        assert_eq!(fs::read(&own).unwrap(), b"own");
        assert_eq!(saved("own.mcmocap_scene", true, &others), Saving::Done(Vec::new()));
        assert_eq!(fs::read(&own).unwrap(), b"new");
        assert_eq!(saved("third.mcmocap_scene", false, &others), Saving::Done(Vec::new()));
        assert!(matches!(saved("third.json", false, &others), Saving::Failed(_)));
        others.add(&path("other.mcmocap_scene"), "an open recording");
        assert!(matches!(saved("other.mcmocap_scene", true, &others), Saving::Failed(_)));
        assert_eq!(fs::read(path("other.mcmocap_scene")).unwrap(), b"other");
        let Saving::Done(remarks) = saved("Not Allowed.mcmocap_scene", false, &others) else {
            panic!()
        };
        assert_eq!(remarks.len(), 1);
        assert!(matches!(saved("missing/a.mcmocap_scene", false, &others), Saving::Failed(_)));
    }
}
