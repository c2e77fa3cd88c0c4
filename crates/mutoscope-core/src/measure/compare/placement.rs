//! Places a recording relative to another, and holds the options of their comparison.

use glam::DVec3;

use super::{AlignError, Comparison, JointMatching, Timing, align};
use crate::clip::Clip;

/// The placement of a recording relative to the one that it is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Placement {
    /// The recorded position.
    #[default]
    #[strum(serialize = "recorded")]
    AsRecorded,
    /// The recorded position, moved by the mean offset of the matched joints so that the recordings
    /// overlap.
    Aligned,
    /// The aligned position, moved to the right of the other recording.
    SideBySide,
}

impl Placement {
    /// All placements, in cycling order.
    pub const ALL: [Self; 3] = [Self::AsRecorded, Self::Aligned, Self::SideBySide];

    /// Returns the name of the placement on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the former name, which is still accepted, or `None` if the name is the first.
    pub fn old_name(self) -> Option<&'static str> {
        match self {
            Self::AsRecorded => None,
            Self::Aligned => Some("spot"),
            Self::SideBySide => Some("beside"),
        }
    }

    /// Returns the placement with this name or former name, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|placement| placement.name() == name || placement.old_name() == Some(name))
    }

    /// Returns the next placement in the cycle.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::AsRecorded => Self::Aligned,
            Self::Aligned => Self::SideBySide,
            Self::SideBySide => Self::AsRecorded,
        }
    }
}

const COLORS: [[u8; 3]; 5] = [
    [0xb9, 0xd9, 0x57],
    [0xf2, 0xa6, 0x5a],
    [0xc5, 0x8b, 0xf2],
    [0x5f, 0xd0, 0xd8],
    [0xf0, 0x8f, 0xb0],
];

/// Returns the colour of the recording at `index` in sRGB, or `None` for the reference at index 0,
/// which keeps its own colours.
pub fn comparison_color(index: usize) -> Option<[u8; 3]> {
    Some(COLORS[index.checked_sub(1)? % COLORS.len()])
}

/// The options for comparing a recording with another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompareOptions {
    /// The timing on the clock of the other recording; `None` keeps the current timing.
    pub timing: Option<Timing>,
    /// The placement; `None` keeps the current placement.
    pub placement: Option<Placement>,
    /// Finds the offset by aligning the motions, if `true`.
    pub align: bool,
}

impl CompareOptions {
    /// Returns the options of `count` recordings. The values come from the command line or from a
    /// link. A single value applies to all recordings. Otherwise there must be one value per
    /// recording.
    ///
    /// # Errors
    /// Fails if a value is given more than once, but not once for each recording.
    pub fn for_recordings(
        count: usize,
        offsets: &[f64],
        rates: &[f64],
        placements: &[Placement],
    ) -> Result<Vec<Self>, ValueCountError> {
        let default = Timing::default();
        let offsets = spread_values(offsets, count, default.offset, "--offset")?;
        let rates = spread_values(rates, count, default.rate, "--rate")?;
        let placements = spread_values(placements, count, Placement::default(), "--place")?;
        let values = offsets.into_iter().zip(rates).zip(placements);
        let options = values.map(|((offset, rate), placement)| Self {
            timing: Some(Timing { offset, rate }),
            placement: Some(placement),
            align: false,
        });
        Ok(options.collect())
    }
}

/// The error for an option with more than one value, but not one for each recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option}: expected one value, or one for each of {expected} recordings, found {found}")]
pub struct ValueCountError {
    /// The name of the option, such as `--offset`.
    pub option: &'static str,
    /// The number of recordings.
    pub expected: usize,
    /// The number of values.
    pub found: usize,
}

fn spread_values<T: Copy>(
    given: &[T],
    count: usize,
    default: T,
    option: &'static str,
) -> Result<Vec<T>, ValueCountError> {
    match given {
        [] => Ok(vec![default; count]),
        [value] => Ok(vec![*value; count]),
        values if values.len() == count => Ok(values.to_vec()),
        values => Err(ValueCountError { option, expected: count, found: values.len() }),
    }
}

/// The matched joints, the timing and the mean offset of a recording relative to another.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// The joints that both recordings have.
    pub matching: JointMatching,
    /// The timing on the clock of the other recording.
    pub timing: Timing,
    /// The mean offset from the joints of the other recording to their matches, in metres. `None`
    /// if no joint is matched, or if the recordings never play at the same time.
    pub mean_offset: Option<DVec3>,
}

impl Relation {
    /// Matches `second` with `first`, aligns it if requested, and measures the mean offset.
    ///
    /// # Errors
    /// Fails if alignment is requested and no offset is found.
    pub fn new(first: &Clip, second: &Clip, options: &CompareOptions) -> Result<Self, AlignError> {
        let matching = JointMatching::by_name(first, second);
        let mut timing = options.timing.unwrap_or_default();
        let pairs = matching.pairs();
        if options.align {
            timing.offset = align([first, second], pairs, timing.rate)?.offset;
        }
        let compared = Comparison::new([first, second], pairs, timing).ok();
        let mean = compared.filter(|_| !pairs.is_empty()).map(|compared| compared.mean_offset());
        Ok(Self { matching, timing, mean_offset: mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    #[test]
    fn relation_has_alignment_and_mean_distance() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let late = Timing { offset: 3.0, rate: 1.0 };
        let options = CompareOptions { timing: Some(late), placement: None, align: true };
        let relation = Relation::new(&clip, &clip, &options).unwrap();
        assert!(relation.timing.offset.abs() < 1.0 / 120.0, "{:?}", relation.timing);
        assert!(relation.mean_offset.unwrap().length() < 1e-3, "{:?}", relation.mean_offset);
        let apart = CompareOptions {
            timing: Some(Timing { offset: 1e4, rate: 1.0 }),
            ..CompareOptions::default()
        };
        assert_eq!(Relation::new(&clip, &clip, &apart).unwrap().mean_offset, None);
    }

    #[test]
    fn next_cycles_through_all_placements() {
        let mut placement = Placement::default();
        for expected in Placement::ALL {
            assert_eq!(placement, expected);
            placement = placement.next();
        }
        assert_eq!(placement, Placement::AsRecorded);
    }
}
