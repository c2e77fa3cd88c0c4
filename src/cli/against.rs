//! A second recording, held against what is shown.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::{
    Reader, Source,
    args::{rate, seconds},
};
use crate::{
    asset::ClipAsset,
    clip::Clip,
    compare::Timing,
    counterpart::{Counterpart, Placement, Wish},
};

/// What is held against a recording, and how it lies on its clock.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct AgainstArgs {
    /// Hold this recording against it, on one clock
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// The time of the first, in seconds, at which the second is at its own time 0 [default: 0]
    #[arg(
        long,
        value_name = "S",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = seconds
    )]
    pub offset: Option<f64>,
    /// How many seconds of the second pass in one second of the first [default: 1]
    #[arg(
        long,
        value_name = "R",
        requires = "against",
        allow_hyphen_values = true,
        value_parser = rate
    )]
    pub rate: Option<f64>,
    /// Find the offset at which the joints move alike, by how fast they are
    #[arg(long, requires = "against", conflicts_with = "offset")]
    pub align: bool,
    /// Where the second is shown: where it was recorded, on the spot of the first, or beside that
    #[arg(long, value_name = "WHERE", requires = "against", value_parser = placement())]
    pub place: Option<Placement>,
}

impl AgainstArgs {
    /// What is wished of the second recording.
    pub(super) fn wish(&self) -> Wish {
        let usual = Timing::default();
        let timing = Timing {
            offset: self.offset.unwrap_or(usual.offset),
            rate: self.rate.unwrap_or(usual.rate),
        };
        Wish { timing: Some(timing), placement: self.place, align: self.align }
    }

    /// The recording that is held against others, if one is; an error, which is told, if it cannot be
    /// read.
    pub(super) fn open(&self, reader: &Reader) -> Result<Option<ClipAsset>, Told> {
        let Some(path) = &self.against else { return Ok(None) };
        let input = reader.open(&Source::File(path.clone()));
        let clip = input.report().ok_or(Told)?;
        Ok(Some(ClipAsset::new(clip.clone())))
    }

    /// `second` as it is held against `clip`.
    ///
    /// # Errors
    /// If the two cannot be aligned: the words for it.
    pub(super) fn held(
        &self,
        clip: &Clip,
        second: Option<&ClipAsset>,
    ) -> Result<Counterpart, String> {
        let Some(second) = second else { return Ok(Counterpart::default()) };
        let held = Counterpart::held(clip, second.clone(), self.wish());
        held.map_err(|why| format!("cannot be aligned: {why}"))
    }
}

/// What went wrong has been told.
pub(super) struct Told;

/// Takes the words of all placements.
fn placement() -> impl TypedValueParser<Value = Placement> {
    PossibleValuesParser::new(Placement::ALL.map(Placement::word)).try_map(|word| {
        let placement = Placement::ALL.into_iter().find(|placement| placement.word() == word);
        placement.ok_or("no such place")
    })
}
