//! Sorts the list of files by name, by facts about the files, or by the quality of the recordings.

use std::{cmp::Ordering, time::SystemTime};

use alphanumeric_sort::compare_os_str;

use super::{FilePreview, Files, RecordingPreview};
use mutoscope_study::ClippedEnds;

/// The sort key of the list of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileOrder {
    /// The original order: by name for the files of a folder, otherwise as they were opened.
    #[default]
    Listed,
    /// The file name, in natural order.
    Name,
    /// The time at which the file was written.
    Modified,
    /// The duration of the recording.
    Duration,
    /// The size of the file.
    Size,
    /// The verdict, and then the number of errors and warnings. An error weighs more than all
    /// warnings.
    Issues,
    /// The share of time in which hands, gaze or body are not tracked.
    Loss,
    /// The jerk of the movement.
    Jerk,
    /// The longest still stretch.
    Still,
    /// The number of ends (start and end of the recording) at which a movement is cut off.
    Clipped,
}

impl FileOrder {
    /// All sort keys.
    pub const ALL: [Self; 10] = [
        Self::Listed,
        Self::Name,
        Self::Modified,
        Self::Duration,
        Self::Size,
        Self::Issues,
        Self::Loss,
        Self::Jerk,
        Self::Still,
        Self::Clipped,
    ];

    /// Returns the value to sort by, or `None` if it is unknown or not finite.
    fn sort_value(self, preview: &RecordingPreview) -> Option<f64> {
        let quality = &preview.quality;
        let measure = match self {
            Self::Listed | Self::Name => None,
            Self::Modified => {
                let since = preview.modified?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
                Some(since.as_secs_f64())
            }
            Self::Duration => Some(preview.duration),
            Self::Size => Some(preview.size as f64),
            Self::Issues => {
                let [errors, warnings] = preview.errors_and_warnings.map(|count| count as f64);
                let outcome = f64::from(preview.verdict.outcome as u8);
                Some(1e9 * outcome + errors + warnings / (warnings + 1.0))
            }
            Self::Loss => quality.loss,
            Self::Jerk => quality.jerk,
            Self::Still => quality.still,
            Self::Clipped => quality.clipped.map(|ends| match ends {
                ClippedEnds::None => 0.0,
                ClippedEnds::Start | ClippedEnds::End => 1.0,
                ClippedEnds::Both => 2.0,
            }),
        };
        measure.filter(|measure| measure.is_finite())
    }
}

/// The sort key of the list of files, and its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSort {
    /// The sort key. Files with the largest value come first, because the user should look at them
    /// first. [`FileOrder::Listed`] keeps the original order, and [`FileOrder::Name`] begins with A.
    pub by: FileOrder,
    /// Is `true` if the smallest value, the last name, or the last file of the original order comes
    /// first.
    pub reversed: bool,
}

impl Files {
    /// Returns the indices of the listed files in the order in which they are shown and stepped
    /// through. Files with an unknown value always come last, and equal values keep their original
    /// order.
    pub fn sorted_indices(&self) -> Vec<usize> {
        let FileSort { by, reversed } = self.sort;
        let mut order: Vec<usize> = (0..self.listed.len()).collect();
        if let FileOrder::Listed | FileOrder::Name = by {
            if by == FileOrder::Name {
                let name = |index: &usize| self.listed[*index].file_name().unwrap_or_default();
                order.sort_by(|a, b| compare_os_str(name(a), name(b)));
            }
            if reversed {
                order.reverse();
            }
            return order;
        }
        let measure = |path| match self.previews.get(path)? {
            FilePreview::Recording(preview) => by.sort_value(preview),
            FilePreview::Unreadable(_) | FilePreview::TooLarge => None,
        };
        let measures: Vec<Option<f64>> = self.listed.iter().map(measure).collect();
        order.sort_by(|a, b| match (measures[*a], measures[*b]) {
            (Some(a), Some(b)) if reversed => a.total_cmp(&b),
            (Some(a), Some(b)) => b.total_cmp(&a),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        });
        order
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::session::files::{Source, Thumbnail};
    use mutoscope_core::{formats::FormatId, playback::Direction};
    use mutoscope_study::{Quality, verdict::Verdict};

    fn files(qualities: [Quality; 3]) -> Files {
        let given = ["a", "b", "c", "d", "e"].map(Into::into).into();
        let mut files = Files { listed: given, ..Files::default() };
        for (name, quality) in ["a", "b", "c"].into_iter().zip(qualities) {
            let preview = RecordingPreview {
                format: FormatId::MRTK,
                duration: 1.0,
                tracks: 1,
                size: 1 << 20,
                modified: None,
                errors_and_warnings: [0, 0],
                quality,
                verdict: Verdict::default(),
                thumbnail: Thumbnail::default(),
            };
            files.add_preview(name.into(), FilePreview::Recording(preview));
        }
        files.add_preview("e".into(), FilePreview::Unreadable(None));
        files
    }

    #[test]
    fn unknown_values_come_last_in_both_directions() {
        let mut files = files([0.1, f64::NAN, 0.4].map(|jerk| Quality {
            loss: Some(jerk / 2.0),
            jerk: Some(jerk),
            ..Quality::default()
        }));
        let mut sorted = |by, reversed| {
            files.sort = FileSort { by, reversed };
            files.sorted_indices()
        };
        assert_eq!(sorted(FileOrder::Listed, false), [0, 1, 2, 3, 4]);
        assert_eq!(sorted(FileOrder::Listed, true), [4, 3, 2, 1, 0]);
        for by in [FileOrder::Loss, FileOrder::Jerk] {
            assert_eq!(sorted(by, false), [2, 0, 1, 3, 4]);
            assert_eq!(sorted(by, true), [0, 2, 1, 3, 4]);
        }
        assert_eq!(
            sorted(FileOrder::Still, false),
            [0, 1, 2, 3, 4],
            "the value is unknown for all files"
        );
    }

    #[test]
    fn files_are_sorted_by_name_and_by_issues() {
        let names = ["take 10.bin", "take 9.bin", "a.bin"].map(Into::into).into();
        let mut named = Files { listed: names, ..Files::default() };
        named.sort = FileSort { by: FileOrder::Name, reversed: false };
        assert_eq!(named.sorted_indices(), [2, 1, 0]);
        let mut files = files([(); 3].map(|()| Quality::default()));
        let counts = [[0, 70], [1, 0], [0, 2]];
        for (name, counts) in ["a", "b", "c"].into_iter().zip(counts) {
            let FilePreview::Recording(preview) = files.previews.get_mut(Path::new(name)).unwrap()
            else {
                panic!("the file has a preview");
            };
            preview.errors_and_warnings = counts;
        }
        files.sort = FileSort { by: FileOrder::Issues, reversed: false };
        assert_eq!(files.sorted_indices(), [1, 0, 2, 3, 4]);
    }

    #[test]
    fn files_are_sorted_by_the_number_of_clipped_ends() {
        let ends = [ClippedEnds::None, ClippedEnds::End, ClippedEnds::Both];
        let mut files =
            files(ends.map(|ends| Quality { clipped: Some(ends), ..Quality::default() }));
        files.sort = FileSort { by: FileOrder::Clipped, reversed: false };
        assert_eq!(files.sorted_indices(), [2, 1, 0, 3, 4]);
    }

    #[test]
    fn stepping_follows_the_sort_order() {
        let mut files = files(
            [1.0, 3.0, 2.0].map(|still| Quality { still: Some(still), ..Quality::default() }),
        );
        files.sort = FileSort { by: FileOrder::Still, reversed: false };
        let step = |open: &str, direction| {
            files.adjacent_file(Some(&Source::File(open.into())), direction)
        };
        assert_eq!(step("b", Direction::Forward), Some(2));
        assert_eq!(step("b", Direction::Backward), None, "the first file has no predecessor");
        assert_eq!(step("a", Direction::Forward), Some(3), "no preview yet");
        assert_eq!(step("d", Direction::Forward), None, "the last file is unreadable");
    }
}
