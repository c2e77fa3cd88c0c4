//! Recordings that are compared with what is shown.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use mutoscope_cli::report;
use mutoscope_core::read::{Reader, Source};

use crate::{asset::ClipAsset, recording::RecordingSnapshot};
use mutoscope_core::{
    clip::Clip,
    measure::compare::{CompareOptions, Placement},
    playback::{parse_rate, parse_seconds},
};

/// The recordings that are compared with another, and their timing on its clock. An option that is
/// given once applies to all; else the first applies to the first `--against`, and so on.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct AgainstArgs {
    /// Compare with this recording, on one clock; repeatable
    #[arg(long, value_name = "FILE")]
    pub against: Vec<PathBuf>,
    /// The time of the first, in seconds, at which the other is at its own time 0 [default: 0]; once
    /// for all, or once for each
    #[arg(
        long,
        value_name = "S",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = parse_seconds
    )]
    pub offset: Vec<f64>,
    /// How many seconds of the other pass in one second of the first [default: 1]
    #[arg(
        long,
        value_name = "R",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = parse_rate
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
        let mut options = CompareOptions::each(count, &self.offset, &self.rate, &self.place)?;
        options.iter_mut().for_each(|options| options.align = self.align);
        Ok(self.against.iter().cloned().zip(options).collect())
    }

    /// The recordings that are compared with others, read; an error, which is printed, if one
    /// cannot be read.
    pub(super) fn open(&self, reader: &Reader) -> Result<Vec<ClipAsset>, Told> {
        let open = |path: &PathBuf| {
            let input = reader.open(&Source::File(path.clone()));
            report(&input).cloned().map(ClipAsset::new).ok_or(Told)
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

/// An error that has already been printed.
pub(super) struct Told;

/// Accepts the words of all placements, and their former ones.
fn placement() -> impl TypedValueParser<Value = Placement> {
    let values = Placement::ALL.map(|one| PossibleValue::new(one.word()).aliases(one.old_word()));
    PossibleValuesParser::new(values)
        .try_map(|word| Placement::of_word(&word).ok_or("no such placement"))
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
