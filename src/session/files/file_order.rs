//! Sorts the list of files by the quality of the recordings.

use std::cmp::Ordering;

use super::{FilePreview, Files};
use mutoscope_study::{ClippedEnds, Quality};

/// The sort key of the list of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileOrder {
    /// The original order: by name for the files of a folder, otherwise as they were opened.
    #[default]
    Listed,
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
    pub const ALL: [Self; 5] = [Self::Listed, Self::Loss, Self::Jerk, Self::Still, Self::Clipped];

    /// Returns the value to sort by, or `None` if it is unknown or not finite.
    fn sort_value(self, quality: &Quality) -> Option<f64> {
        let measure = match self {
            Self::Listed => None,
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
    /// first. [`FileOrder::Listed`] keeps the original order.
    pub by: FileOrder,
    /// Is `true` if the smallest value, or the last file of the original order, comes first.
    pub reversed: bool,
}

impl Files {
    /// Returns the indices of the listed files in the order in which they are shown and stepped
    /// through. Files with an unknown value always come last, and equal values keep their original
    /// order.
    pub fn sorted_indices(&self) -> Vec<usize> {
        let FileSort { by, reversed } = self.sort;
        let mut order: Vec<usize> = (0..self.listed.len()).collect();
        if by == FileOrder::Listed {
            if reversed {
                order.reverse();
            }
            return order;
        }
        let measure = |path| match self.previews.get(path)? {
            FilePreview::Recording(preview) => by.sort_value(&preview.quality),
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
    use super::*;
    use crate::session::files::{RecordingPreview, Source, Thumbnail};
    use mutoscope_core::{formats::FormatId, playback::Direction};

    fn files(qualities: [Quality; 3]) -> Files {
        let given = ["a", "b", "c", "d", "e"].map(Into::into).into();
        let mut files = Files { listed: given, ..Files::default() };
        for (name, quality) in ["a", "b", "c"].into_iter().zip(qualities) {
            let preview = RecordingPreview {
                format: FormatId::MRTK,
                duration: 1.0,
                tracks: 1,
                errors_and_warnings: [0, 0],
                quality,
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
