//! Counts the checked and the skipped files of a folder, and compares the units of its files.

use std::collections::BTreeMap;

use crate::print_message;
use mutoscope_core::{
    clip::{Clip, FactOrigin},
    diagnostics::format_count,
};

#[derive(Debug, Default)]
pub(super) struct FolderTally {
    pub(super) checked: usize,
    unrecognised: usize,
    without_animations: usize,
    non_files: usize,
    assumed_units: BTreeMap<&'static str, Vec<AssumedUnit>>,
}

/// The files of one format with the same assumed unit.
#[derive(Debug)]
struct AssumedUnit {
    metres: f64,
    count: usize,
    first_path: String,
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

    /// Adds the counts and the units of `other`, whose files come after those of this tally.
    pub(super) fn append(&mut self, other: Self) {
        self.checked += other.checked;
        self.unrecognised += other.unrecognised;
        self.without_animations += other.without_animations;
        self.non_files += other.non_files;
        for (format, units) in other.assumed_units {
            units.into_iter().for_each(|unit| self.add_unit(format, unit));
        }
    }

    fn add_unit(&mut self, format: &'static str, unit: AssumedUnit) {
        let units = self.assumed_units.entry(format).or_default();
        match units.iter_mut().find(|known| known.metres == unit.metres) {
            Some(known) => known.count += unit.count,
            None => units.push(unit),
        }
    }

    pub(super) fn record_unit(&mut self, path: &str, clip: &Clip) {
        let unit = &clip.convention.metres_per_unit;
        if unit.origin != FactOrigin::Assumed {
            return;
        }
        let first_path = path.to_owned();
        self.add_unit(
            clip.format.as_str(),
            AssumedUnit { metres: unit.value, count: 1, first_path },
        );
    }

    /// Returns a message for each format whose files have different assumed units, because files of
    /// one collection usually have one unit.
    pub(super) fn describe_mixed_units(&self) -> impl Iterator<Item = (&'static str, String)> {
        let mixed = self.assumed_units.iter().filter(|(_, units)| units.len() > 1);
        mixed.map(|(&format, units)| {
            let units = units.iter().map(|AssumedUnit { metres, count, first_path }| {
                let files = format_count(*count, "file");
                let metres = (metres * 1e6).round() / 1e6;
                format!("{metres} m for {files} (first: {first_path})")
            });
            let units: Vec<_> = units.collect();
            (
                format,
                format!("different units are assumed for {format} files: {}", units.join(", ")),
            )
        })
    }

    pub(super) fn print(&self, path: &str) {
        let &Self { checked, unrecognised, without_animations, non_files, .. } = self;
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
