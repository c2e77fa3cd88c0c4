//! Counts the checked and the skipped files of a folder.

use crate::print_message;
use mutoscope_core::diagnostics::format_count;

#[derive(Debug, Default)]
pub(super) struct FolderTally {
    pub(super) checked: usize,
    unrecognised: usize,
    without_animations: usize,
    non_files: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum SkipReason {
    /// The format is unknown, or not the requested one.
    Unrecognised,
    /// The file is a model or skeleton without animations.
    WithoutAnimations,
    /// The entry is a broken link, a link to a folder, a pipe or a device.
    NotAFile,
}

impl FolderTally {
    pub(super) fn skip(&mut self, why: SkipReason) {
        match why {
            SkipReason::Unrecognised => self.unrecognised += 1,
            SkipReason::WithoutAnimations => self.without_animations += 1,
            SkipReason::NotAFile => self.non_files += 1,
        }
    }

    pub(super) fn print(&self, path: &str) {
        let Self { checked, unrecognised, without_animations, non_files } = *self;
        let skipped = [
            (unrecognised, "not recognised"),
            (without_animations, "no animations"),
            (non_files, "not a file"),
        ];
        let skipped: Vec<_> = skipped
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} skipped ({why})"))
            .collect();
        if !skipped.is_empty() {
            let checked = format_count(checked, "file");
            print_message(format_args!("info: {path}: {checked} checked, {}", skipped.join(", ")));
        }
    }
}
