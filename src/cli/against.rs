//! Recordings that are compared with what is shown.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use super::{
    Reader, Source,
    args::{rate, seconds},
};
use crate::{
    asset::ClipAsset,
    clip::Clip,
    compare::{CompareOptions, Placement, Timing},
    recording::RecordingSnapshot,
};

/// The recordings that are compared with another, and their timing on its clock. An option that is
/// given once applies to all; else the first applies to the first `--against`, and so on.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct AgainstArgs {
    /// Compare this recording with it, on one clock; may be given again
    #[arg(long, value_name = "FILE")]
    pub against: Vec<PathBuf>,
    /// The time of the first, in seconds, at which the other is at its own time 0 [default: 0]; once
    /// for all, or once for each
    #[arg(
        long,
        value_name = "S",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = seconds
    )]
    pub offset: Vec<f64>,
    /// How many seconds of the other pass in one second of the first [default: 1]
    #[arg(
        long,
        value_name = "R",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = rate
    )]
    pub rate: Vec<f64>,
    /// Find the offset by aligning the speeds of the joints
    #[arg(long, requires = "against", conflicts_with = "offset")]
    pub align: bool,
    /// Where the other is shown: as recorded, aligned with the first, or side by side
    #[arg(long, value_name = "WHERE", requires = "against", value_parser = placement())]
    pub place: Vec<Placement>,
}

impl AgainstArgs {
    /// The recordings and how each is to be compared.
    ///
    /// # Errors
    /// If an option is given more than once, and not as often as there are recordings.
    pub(super) fn options(&self) -> Result<Vec<(PathBuf, CompareOptions)>, String> {
        let count = self.against.len();
        let usual = Timing::default();
        let offsets = each(&self.offset, count, usual.offset, "--offset")?;
        let rates = each(&self.rate, count, usual.rate, "--rate")?;
        let places = each(&self.place, count, Placement::default(), "--place")?;
        let values = offsets.into_iter().zip(rates).zip(places);
        let options = values.map(|((offset, rate), placement)| CompareOptions {
            timing: Some(Timing { offset, rate }),
            placement: Some(placement),
            align: self.align,
        });
        Ok(self.against.iter().cloned().zip(options).collect())
    }

    /// The recordings that are compared with others, read; an error, which is printed, if one
    /// cannot be read.
    pub(super) fn open(&self, reader: &Reader) -> Result<Vec<ClipAsset>, Told> {
        let open = |path: &PathBuf| {
            let input = reader.open(&Source::File(path.clone()));
            input.report().cloned().map(ClipAsset::new).ok_or(Told)
        };
        self.against.iter().map(open).collect()
    }

    /// `clip`, and `others` as they are compared with it.
    ///
    /// # Errors
    /// If one cannot be aligned, or options do not fit: the message.
    pub(super) fn overlay(
        &self,
        clip: &Clip,
        others: &[ClipAsset],
    ) -> Result<Vec<RecordingSnapshot>, String> {
        let mut all = vec![RecordingSnapshot::new(ClipAsset::new(clip.clone()))];
        for (index, (asset, (_, options))) in others.iter().zip(self.options()?).enumerate() {
            let other = RecordingSnapshot::overlaid(clip, asset.clone(), index + 1, &options);
            all.push(other.map_err(|why| format!("cannot be aligned: {why}"))?);
        }
        Ok(all)
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

/// An error that has already been printed.
pub(super) struct Told;

/// Accepts the words of all placements, and their former ones.
fn placement() -> impl TypedValueParser<Value = Placement> {
    let values = Placement::ALL.map(|one| PossibleValue::new(one.word()).aliases(one.old_word()));
    PossibleValuesParser::new(values).try_map(|word| {
        let is_called = |one: &Placement| one.word() == word || one.old_word() == Some(&word);
        Placement::ALL.into_iter().find(is_called).ok_or("no such placement")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_applies_to_all_or_to_each() {
        let against = vec!["b".into(), "c".into()];
        let args = |offset: &[f64]| AgainstArgs {
            against: against.clone(),
            offset: offset.to_vec(),
            ..AgainstArgs::default()
        };
        let offsets = |offset: &[f64]| -> Result<Vec<f64>, String> {
            let options = args(offset).options()?;
            Ok(options.iter().map(|(_, one)| one.timing.unwrap().offset).collect())
        };
        assert_eq!(offsets(&[]), Ok(vec![0.0, 0.0]));
        assert_eq!(offsets(&[1.5]), Ok(vec![1.5, 1.5]));
        assert_eq!(offsets(&[1.5, 2.0]), Ok(vec![1.5, 2.0]));
        assert!(offsets(&[1.0, 2.0, 3.0]).unwrap_err().contains("found 3"));
    }
}
