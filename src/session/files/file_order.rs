//! The order of the list of files: as it was made, or by the quality of the recordings.

use std::cmp::Ordering;

use super::{FilePreview, Files};
use mutoscope_study::{ClippedEnds, Quality};

/// The sort key of the list of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileOrder {
    /// As it was made: the files of a folder by their names, others as they were opened.
    #[default]
    Listed,
    /// The share in which hands, gaze or body are lost.
    Loss,
    /// Jerk.
    Jerk,
    /// The longest still stretch.
    Still,
    /// How many ends cut a movement off.
    Clipped,
}

impl FileOrder {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Listed, Self::Loss, Self::Jerk, Self::Still, Self::Clipped];

    /// The value that a recording is sorted by; nothing where it is unknown.
    fn measure(self, quality: &Quality) -> Option<f64> {
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

/// How the list of files is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSort {
    /// By what: the largest first, which is the first to look at.
    pub by: FileOrder,
    /// The other way round: the last of the list first, or the least.
    pub reversed: bool,
}

impl Files {
    /// The indices of the listed files in the order in which they are shown and stepped through. What is not known
    /// comes last, whichever way round; what is equal stays as it was listed.
    pub fn order(&self) -> Vec<usize> {
        let FileSort { by, reversed } = self.sort;
        let mut order: Vec<usize> = (0..self.given.len()).collect();
        if by == FileOrder::Listed {
            if reversed {
                order.reverse();
            }
            return order;
        }
        let measure = |path| match self.previews.get(path)? {
            FilePreview::Recording(seen) => by.measure(&seen.quality),
            FilePreview::Unreadable(_) | FilePreview::TooLarge => None,
        };
        let measures: Vec<Option<f64>> = self.given.iter().map(measure).collect();
        order.sort_by(|one, other| match (measures[*one], measures[*other]) {
            (Some(one), Some(other)) if reversed => one.total_cmp(&other),
            (Some(one), Some(other)) => other.total_cmp(&one),
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
    use crate::session::{RecordingPreview, Source, Thumbnail};
    use mutoscope_core::{formats::FormatId, playback::Direction};

    /// Files `a` to `e`: the first three with these qualities, one not looked into, and one that cannot be read.
    fn files(qualities: [Quality; 3]) -> Files {
        let given = ["a", "b", "c", "d", "e"].map(Into::into).into();
        let mut files = Files { given, ..Files::default() };
        for (name, quality) in ["a", "b", "c"].into_iter().zip(qualities) {
            let preview = RecordingPreview {
                format: FormatId::MRTK,
                duration: 1.0,
                tracks: 1,
                errors_and_warnings: [0, 0],
                quality,
                thumbnail: Thumbnail::default(),
            };
            files.note(name.into(), FilePreview::Recording(preview));
        }
        files.note("e".into(), FilePreview::Unreadable(None));
        files
    }

    #[test]
    fn the_worst_is_first_and_the_unknown_last_either_way() {
        let mut files = files([0.1, f64::NAN, 0.4].map(|jerk| Quality {
            loss: Some(jerk / 2.0),
            jerk: Some(jerk),
            ..Quality::default()
        }));
        let mut sorted = |by, reversed| {
            files.sort = FileSort { by, reversed };
            files.order()
        };
        assert_eq!(sorted(FileOrder::Listed, false), [0, 1, 2, 3, 4]);
        assert_eq!(sorted(FileOrder::Listed, true), [4, 3, 2, 1, 0]);
        for by in [FileOrder::Loss, FileOrder::Jerk] {
            assert_eq!(sorted(by, false), [2, 0, 1, 3, 4]);
            assert_eq!(sorted(by, true), [0, 2, 1, 3, 4]);
        }
        assert_eq!(sorted(FileOrder::Still, false), [0, 1, 2, 3, 4], "of none it is known");
    }

    #[test]
    fn ends_are_sorted_by_how_many_are_clipped() {
        let ends = [ClippedEnds::None, ClippedEnds::End, ClippedEnds::Both];
        let mut files =
            files(ends.map(|ends| Quality { clipped: Some(ends), ..Quality::default() }));
        files.sort = FileSort { by: FileOrder::Clipped, reversed: false };
        assert_eq!(files.order(), [2, 1, 0, 3, 4]);
    }

    #[test]
    fn files_are_stepped_through_as_they_are_sorted() {
        let mut files = files(
            [1.0, 3.0, 2.0].map(|still| Quality { still: Some(still), ..Quality::default() }),
        );
        files.sort = FileSort { by: FileOrder::Still, reversed: false };
        files.current = Some(Source::File("b".into()));
        assert_eq!(files.next(Direction::Forward), Some(2));
        assert_eq!(files.next(Direction::Backward), None, "it is the stillest");
        files.current = Some(Source::File("a".into()));
        assert_eq!(files.next(Direction::Forward), Some(3), "not looked into yet");
        files.current = Some(Source::File("d".into()));
        assert_eq!(files.next(Direction::Forward), None, "the last cannot be read");
    }
}
