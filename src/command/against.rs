//! The options that compare recordings with the recording in the window or image.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use mutoscope_cli::report_input;
use mutoscope_core::{
    ReadOptions,
    read::{Input, Source},
};

use bevy_mutoscope::{ClipAsset, stage::RecordingSnapshot};
use mutoscope_core::{
    clip::Clip,
    measure::compare::{CompareOptions, Placement},
    playback::{parse_rate, parse_seconds},
};

/// The recordings to compare with, and their timing on the clock of the first recording. If an
/// option is given once, it applies to all of them. Otherwise its first value applies to the first
/// `--against`, its second value to the second, and so on.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct AgainstArgs {
    /// Compare with this recording, on one clock; repeatable
    #[arg(long, value_name = "FILE")]
    pub against: Vec<PathBuf>,
    /// Start the other recording at this time on the clock of the first, in seconds [default: 0];
    /// once for all, or once for each
    #[arg(
        long,
        value_name = "S",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = parse_seconds
    )]
    pub offset: Vec<f64>,
    /// Play this many seconds of the other recording in one second of the first [default: 1].
    /// Without --against, the frame rate of the recordings, in Hz
    #[arg(long, value_name = "R", allow_hyphen_values = true, value_parser = parse_rate)]
    pub rate: Vec<f64>,
    /// Find the offset by aligning the speeds of the joints
    #[arg(long, requires = "against", conflicts_with = "offset")]
    pub align: bool,
    /// Show the other recording as recorded, aligned with the first, or side by side
    #[arg(long, value_name = "WHERE", requires = "against", value_parser = parse_placement())]
    pub place: Vec<Placement>,
}

impl AgainstArgs {
    /// Returns each path with its comparison options.
    ///
    /// # Errors
    /// If an option is given several times, but not once for each recording.
    pub(super) fn compare_options(&self) -> Result<Vec<(PathBuf, CompareOptions)>, String> {
        let count = self.against.len();
        let mut options =
            CompareOptions::for_recordings(count, &self.offset, &self.rate, &self.place)
                .map_err(|error| error.to_string())?;
        options.iter_mut().for_each(|options| options.align = self.align);
        Ok(self.against.iter().cloned().zip(options).collect())
    }

    /// Opens the recordings to compare with. If one cannot be read, prints its error and returns
    /// `Err`.
    pub(super) fn open(
        &self,
        read_options: &ReadOptions,
    ) -> Result<Vec<ClipAsset>, AlreadyReported> {
        let open = |path: &PathBuf| {
            let input = Input::open(&Source::File(path.clone()), read_options);
            report_input(&input).cloned().map(ClipAsset::new).ok_or(AlreadyReported)
        };
        self.against.iter().map(open).collect()
    }

    /// Returns a snapshot of `clip`, followed by snapshots of `others`, which are compared with
    /// `clip`.
    ///
    /// # Errors
    /// Returns the message if a recording cannot be aligned, or if the options do not fit.
    pub(super) fn overlay(
        &self,
        clip: &Clip,
        others: &[ClipAsset],
    ) -> Result<Vec<RecordingSnapshot>, String> {
        let mut all = vec![RecordingSnapshot::new(ClipAsset::new(clip.clone()))];
        for (index, (asset, (_, options))) in others.iter().zip(self.compare_options()?).enumerate()
        {
            let other = RecordingSnapshot::overlaid(clip, asset.clone(), index + 1, &options);
            all.push(other.map_err(|why| format!("cannot be aligned: {why}"))?);
        }
        Ok(all)
    }
}

/// An error that has already been printed.
pub(super) struct AlreadyReported;

/// Accepts the names of all placements, and their former names.
fn parse_placement() -> impl TypedValueParser<Value = Placement> {
    let values = Placement::ALL.map(|one| PossibleValue::new(one.name()).aliases(one.old_name()));
    PossibleValuesParser::new(values)
        .try_map(|word| Placement::from_name(&word).ok_or("no such placement"))
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
            let options = args(offset).compare_options()?;
            Ok(options.iter().map(|(_, options)| options.timing.unwrap().offset).collect())
        };
        assert_eq!(offsets(&[]), Ok(vec![0.0, 0.0]));
        assert_eq!(offsets(&[1.5]), Ok(vec![1.5, 1.5]));
        assert_eq!(offsets(&[1.5, 2.0]), Ok(vec![1.5, 2.0]));
        assert!(offsets(&[1.0, 2.0, 3.0]).unwrap_err().contains("found 3"));
    }
}
