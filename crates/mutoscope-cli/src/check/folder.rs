//! How many files of a folder are checked, and how the others are reported.

use crate::tell;
use mutoscope_core::export::counted;

/// Counts of the files of a folder, checked and skipped.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) checked: usize,
    unrecognised: usize,
    without_animations: usize,
    no_files: usize,
}

/// Why something in a folder is not checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Skipped {
    /// It is of no known format, or not of the one that is asked for.
    Unrecognised,
    /// It is a model or a skeleton, and nothing to play.
    WithoutAnimations,
    /// It is not a regular file: a broken link, a link to a folder, a pipe, a device.
    NoFile,
}

impl Folder {
    pub(super) fn skip(&mut self, why: Skipped) {
        match why {
            Skipped::Unrecognised => self.unrecognised += 1,
            Skipped::WithoutAnimations => self.without_animations += 1,
            Skipped::NoFile => self.no_files += 1,
        }
    }

    /// Reports how many files of the folder at `path` were checked, if any were not.
    pub(super) fn report(&self, path: &str) {
        let Self { checked, unrecognised, without_animations, no_files } = *self;
        let skipped = [
            (unrecognised, "not recognised"),
            (without_animations, "no animations"),
            (no_files, "no files"),
        ];
        let skipped: Vec<_> = skipped
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} skipped ({why})"))
            .collect();
        if !skipped.is_empty() {
            let checked = counted(checked, "file");
            tell(format_args!("info: {path}: {checked} checked, {}", skipped.join(", ")));
        }
    }
}
