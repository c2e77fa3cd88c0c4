//! Where a recording is shown relative to another, and how it is to be compared with it.

use glam::DVec3;

use super::{Comparison, JointMatching, Timing, Unaligned, align};
use crate::clip::Clip;

/// Where a recording is shown relative to the one that it is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Where it was recorded.
    #[default]
    AsRecorded,
    /// Moved by the mean distance of its matched joints: both are at the same place.
    Aligned,
    /// The same, and moved to the right of it.
    SideBySide,
}

impl Placement {
    /// All of them, in the order in which they cycle.
    pub const ALL: [Self; 3] = [Self::AsRecorded, Self::Aligned, Self::SideBySide];

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::AsRecorded => "recorded",
            Self::Aligned => "aligned",
            Self::SideBySide => "side-by-side",
        }
    }

    /// Its former word, which is still accepted.
    pub fn old_word(self) -> Option<&'static str> {
        match self {
            Self::AsRecorded => None,
            Self::Aligned => Some("spot"),
            Self::SideBySide => Some("beside"),
        }
    }

    /// The one of this word, or of this former word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word || one.old_word() == Some(word))
    }

    /// The next one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::AsRecorded => Self::Aligned,
            Self::Aligned => Self::SideBySide,
            Self::SideBySide => Self::AsRecorded,
        }
    }
}

/// The colours of recordings that are compared with another, red, green and blue in sRGB, in turn.
const COLORS: [[u8; 3]; 5] = [
    [0xb9, 0xd9, 0x57],
    [0xf2, 0xa6, 0x5a],
    [0xc5, 0x8b, 0xf2],
    [0x5f, 0xd0, 0xd8],
    [0xf0, 0x8f, 0xb0],
];

/// The colour, red, green and blue in sRGB, that tells the recording with this index from the others; nothing for the
/// reference, which is the first and has its own colours.
pub fn color_of(index: usize) -> Option<[u8; 3]> {
    Some(COLORS[index.checked_sub(1)? % COLORS.len()])
}

/// How a recording is to be compared with another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// Its timing on the clock of the other; none leaves that as it is.
    pub timing: Option<Timing>,
    /// Where it is shown; none leaves that as it is.
    pub placement: Option<Placement>,
    /// Whether the offset is to be found by aligning the motions.
    pub align: bool,
}

impl CompareOptions {
    /// The options of `count` recordings, from the values on the command line or in a link: a value
    /// that is given once applies to all, else each recording has its own.
    ///
    /// # Errors
    /// If a value is given more than once, and not once for each recording: the message.
    pub fn each(
        count: usize,
        offsets: &[f64],
        rates: &[f64],
        places: &[Placement],
    ) -> Result<Vec<Self>, String> {
        let usual = Timing::default();
        let offsets = each(offsets, count, usual.offset, "--offset")?;
        let rates = each(rates, count, usual.rate, "--rate")?;
        let places = each(places, count, Placement::default(), "--place")?;
        let values = offsets.into_iter().zip(rates).zip(places);
        let options = values.map(|((offset, rate), placement)| Self {
            timing: Some(Timing { offset, rate }),
            placement: Some(placement),
            align: false,
        });
        Ok(options.collect())
    }
}

/// A value for each of `count` recordings: the same for all if it was given once, else its own.
fn each<T: Copy>(given: &[T], count: usize, usual: T, option: &str) -> Result<Vec<T>, String> {
    match given {
        [] => Ok(vec![usual; count]),
        [one] => Ok(vec![*one; count]),
        several if several.len() == count => Ok(several.to_vec()),
        several => Err(format!(
            "{option}: expected it once, or once for each of {count} recordings, found {}",
            several.len()
        )),
    }
}

/// How a recording relates to another: which joints are matched, its timing, and where it is.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// The joints that both have.
    pub matching: JointMatching,
    /// Its timing on the clock of the other.
    pub timing: Timing,
    /// The mean way from the joints of the other to those that they are matched with, in metres;
    /// none if no joint is matched, or the two never play together.
    pub mean: Option<DVec3>,
}

impl Relation {
    /// Matches and measures `second` against `first` at once.
    ///
    /// # Errors
    /// If alignment is requested and fails.
    pub fn new(first: &Clip, second: &Clip, options: &CompareOptions) -> Result<Self, Unaligned> {
        let matching = JointMatching::by_name(first, second);
        let mut timing = options.timing.unwrap_or_default();
        let pairs = matching.pairs();
        if options.align {
            timing.offset = align([first, second], pairs, timing.rate)?.offset;
        }
        let compared = Comparison::new([first, second], pairs, timing).ok();
        let mean = compared.filter(|_| !pairs.is_empty()).map(|compared| compared.mean());
        Ok(Self { matching, timing, mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    #[test]
    fn relation_has_alignment_and_mean_distance() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let take = formats::decode(bytes, &formats::DecodeRequest::default()).unwrap();
        let late = Timing { offset: 3.0, rate: 1.0 };
        let options = CompareOptions { timing: Some(late), placement: None, align: true };
        let relation = Relation::new(&take, &take, &options).unwrap();
        assert!(relation.timing.offset.abs() < 1.0 / 120.0, "{:?}", relation.timing);
        assert!(relation.mean.unwrap().length() < 1e-3, "{:?}", relation.mean);
        let apart = CompareOptions {
            timing: Some(Timing { offset: 1e4, rate: 1.0 }),
            ..CompareOptions::default()
        };
        assert_eq!(Relation::new(&take, &take, &apart).unwrap().mean, None);
    }

    #[test]
    fn placements_cycle_and_have_words() {
        let mut placement = Placement::default();
        for expected in Placement::ALL {
            assert_eq!(placement, expected);
            placement = placement.next();
        }
        assert_eq!(placement, Placement::AsRecorded);
    }
}
