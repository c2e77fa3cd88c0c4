//! AnimX versions 0 and 1, the binary format in which Resonite stores animations.
//!
//! `unpack` decompresses the data after the header, and `tracks` reads it. `pack` and `encode` do
//! the reverse.

mod decode;
pub(crate) mod encode;
pub(crate) mod pack;
mod tracks;
mod unpack;
mod values;

pub use decode::{Version, decode, unpack_tracks};
pub(crate) use unpack::{Encoding, MAX_UNPACKED_BYTES};

use std::sync::Arc;

use super::{Animation, Interpolations, Tangents, Times, TrackType, bindings, convert};
use crate::{
    clip::{Clip, Content, FormatId},
    diagnostics::{Diagnostics, Error},
    formats::{Decode, Format, ReadOptions, Recognition, SourceFile},
    skeleton_file::SkeletonKind,
};

impl FormatId {
    /// The format of animations as Resonite stores them.
    pub const ANIMX: Self = Self::new("animx");
}

pub(in crate::formats) const FORMAT: Format = Format {
    id: FormatId::ANIMX,
    name: "Resonite AnimX",
    extensions: &["animx"],
    between_keys: "as each key states; rotations at constant speed",
    contents: &[Content::Motion, Content::Scales, Content::Signals, Content::Tangents],
    recognise,
    decode: Decode::Whole(decode_clip),
    skeleton_kind: Some(SkeletonKind::GLTF),
    variants: &[],
    animations: None,
    unpack: Some(unpack_tracks),
    explain_rejection: None,
};

fn decode_clip(
    bytes: &[u8],
    _file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let (version, animation) = decode(bytes, diagnostics)?;
    let details = SourceDetails::new(&animation);
    let mut clip = convert::convert(animation, FormatId::ANIMX, version.as_str(), diagnostics);
    clip.source_details = details.map(|details| {
        Arc::new(SourceDetails { duration: clip.span.duration, ..details }) as Arc<_>
    });
    Ok(match options.given_skeleton() {
        Some(skeleton) => bindings::attach_to_skeleton(
            clip,
            skeleton,
            &options.assumptions_for(FormatId::ANIMX),
            diagnostics,
        ),
        None => clip,
    })
}

/// What a file has besides the keys of its clip.
#[derive(Debug)]
pub(crate) struct SourceDetails {
    /// The duration in the header, in seconds.
    pub(crate) global_duration: f64,
    /// The duration of the clip when the file was decoded, in seconds.
    pub(crate) duration: f64,
    /// The layouts of the tracks, in file order.
    pub(crate) tracks: Vec<TrackLayout>,
}

/// What a track has besides its times and values.
#[derive(Debug)]
pub(crate) struct TrackLayout {
    pub(crate) track_type: TrackType,
    /// The interval of a Raw track, in seconds.
    pub(crate) interval: f64,
    pub(crate) interpolations: Interpolations,
    pub(crate) tangents: Option<Box<Tangents>>,
}

impl SourceDetails {
    /// Returns `None` if the clip will have the keys of a track in another order than the file.
    fn new(animation: &Animation) -> Option<Self> {
        let layout = |track: &super::Track| {
            let interval = match &track.keys.times {
                Times::Even { interval } => interval.unwrap_or(0.0),
                Times::Each(times) => {
                    let is_kept = times.is_sorted() && times.iter().all(|time| time.is_finite());
                    is_kept.then_some(0.0)?
                }
            };
            Some(TrackLayout {
                track_type: track.track_type,
                interval,
                interpolations: track.keys.interpolations.clone(),
                tangents: track.keys.tangents.clone(),
            })
        };
        let tracks: Option<Vec<_>> = animation.tracks.iter().map(layout).collect();
        let global_duration = animation.global_duration.unwrap_or(0.0);
        Some(Self { global_duration, duration: 0.0, tracks: tracks? })
    }
}

/// The word `AnimX` as .NET writes a string: its length, and then its bytes.
const MAGIC: &[u8] = b"\x05AnimX";

fn recognise(bytes: &[u8]) -> Recognition {
    if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
}
