//! Prepares tracks for the files of Resonite, and counts what is lost.

use std::{io, marker::PhantomData};

use crate::{
    clip::Value,
    diagnostics::format_count,
    export::{ExportError, Report, codes},
    formats::resonite::{Interpolation, TrackType, TypeInfo},
};

/// A file format for tracks.
pub(super) trait TrackFormat {
    /// `true` if tracks can have matrices.
    const HAS_MATRICES: bool;

    /// Appends a track, whose keys are finite, to the tracks in `out`.
    fn encode_track<V: KeyValue>(
        track: &Track<'_, V>,
        track_type: TrackType,
        out: &mut Vec<u8>,
    ) -> io::Result<()>;

    /// Writes tracks that [`Self::encode_track`] has encoded.
    fn write_tracks(&mut self, tracks: &EncodedTracks<Self>) -> Result<(), ExportError>
    where
        Self: Sized;
}

/// A value of a key. An array of numbers takes less memory than a [`Value`], and millions of keys are in
/// memory at once.
pub(super) trait KeyValue {
    fn to_value(&self) -> Value;

    fn is_finite(&self) -> bool;
}

impl KeyValue for Value {
    fn to_value(&self) -> Value {
        self.clone()
    }

    fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Numbers(numbers) => numbers.iter().all(|number| number.is_finite()),
            _ => true,
        }
    }
}

impl<const N: usize> KeyValue for [f64; N] {
    fn to_value(&self) -> Value {
        Value::from_numbers(self.iter().copied())
    }

    fn is_finite(&self) -> bool {
        self.iter().all(|number| number.is_finite())
    }
}

impl KeyValue for bool {
    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }

    fn is_finite(&self) -> bool {
        true
    }
}

pub(super) struct Track<'a, V> {
    pub(super) node: &'a str,
    pub(super) property: &'a str,
    pub(super) value_type: &'static TypeInfo,
    /// `true` if the values are rounded to f32, because their source has another precision than
    /// the track.
    pub(super) is_rounded: bool,
    pub(super) keys: Vec<Key<V>>,
}

#[derive(Clone, Debug)]
pub(super) struct Key<V = Value> {
    /// The time in seconds. Never negative.
    pub(super) time: f64,
    pub(super) value: V,
    pub(super) interpolation: Interpolation,
    pub(super) tangents: [Option<Vec<f64>>; 2],
}

impl<V: KeyValue> Key<V> {
    pub(super) fn plain(time: f64, value: V, interpolation: Interpolation) -> Self {
        Self { time, value, interpolation, tangents: [None, None] }
    }

    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.time.is_finite()
    }
}

/// Encoded tracks, and what was lost in them.
pub(super) struct EncodedTracks<F> {
    pub(super) bytes: Vec<u8>,
    pub(super) track_count: usize,
    key_count: usize,
    non_finite_count: usize,
    tangents: TangentLosses,
    format: PhantomData<fn() -> F>,
}

/// Writes the tracks of an animation.
pub(super) struct AnimationWriter<F> {
    pub(super) format: F,
    track_count: usize,
    key_count: usize,
    non_finite_count: usize,
    tangents: TangentLosses,
}

#[derive(Debug, Default)]
pub(super) struct TangentLosses {
    rounded_tracks: usize,
    inexact_tracks: usize,
}

impl TangentLosses {
    pub(super) fn is_empty(&self) -> bool {
        self.rounded_tracks + self.inexact_tracks == 0
    }

    fn add(&mut self, other: &Self) {
        self.rounded_tracks += other.rounded_tracks;
        self.inexact_tracks += other.inexact_tracks;
    }

    fn round_to_type<V>(&mut self, value_type: &TypeInfo, keys: &mut [Key<V>]) {
        const FIRST_INEXACT_INTEGER: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        if value_type.integer_bounds().is_none() {
            return;
        }
        let (mut is_rounded, mut is_inexact) = (false, false);
        let tangents = keys.iter_mut().flat_map(|key| key.tangents.iter_mut().flatten().flatten());
        for number in tangents {
            let whole = value_type.nearest_integer(*number);
            is_rounded |= whole != *number;
            is_inexact |= whole.abs() >= FIRST_INEXACT_INTEGER;
            *number = whole;
        }
        self.rounded_tracks += usize::from(is_rounded);
        self.inexact_tracks += usize::from(is_inexact);
    }

    fn report(&self, report: &mut Report) {
        if self.rounded_tracks > 0 {
            let tracks = format_count(self.rounded_tracks, "integer track");
            report.warning(format!(
                "tangents of {tracks} rounded, because Resonite requires integer tangents there"
            ));
        }
        if self.inexact_tracks > 0 {
            let tracks = format_count(self.inexact_tracks, "track");
            report.warning(format!(
                "tangents of {tracks} with 64-bit integers are beyond 2^53; rounded to 53 bits"
            ));
        }
    }
}

impl<F> Default for EncodedTracks<F> {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            track_count: 0,
            key_count: 0,
            non_finite_count: 0,
            tangents: TangentLosses::default(),
            format: PhantomData,
        }
    }
}

impl<F: TrackFormat> EncodedTracks<F> {
    /// Encodes a track. Non-finite keys are skipped, because JSON cannot represent them, and
    /// nothing moves there in Resonite. The key before a skipped key holds its value.
    pub(super) fn add<V: KeyValue>(&mut self, mut track: Track<'_, V>) -> io::Result<()> {
        let keys = &mut track.keys;
        for index in 0..keys.len().saturating_sub(1) {
            if !keys[index + 1].is_finite() {
                keys[index].interpolation = Interpolation::Hold;
            }
        }
        self.non_finite_count += drop_non_finite_tangents(keys);
        self.tangents.round_to_type(track.value_type, keys);
        let all = keys.len();
        keys.retain(Key::is_finite);
        self.non_finite_count += all - keys.len();
        self.key_count += keys.len();
        self.track_count += 1;
        let gaps = keys.split_last().map_or(&[][..], |(_, gaps)| gaps);
        let holds = gaps.iter().all(|key| key.interpolation == Interpolation::Hold);
        let track_type = if holds { TrackType::Discrete } else { TrackType::Curve };
        F::encode_track(&track, track_type, &mut self.bytes)
    }
}

impl<F: TrackFormat> AnimationWriter<F> {
    pub(super) fn new(format: F) -> Self {
        let tangents = TangentLosses::default();
        Self { format, track_count: 0, key_count: 0, non_finite_count: 0, tangents }
    }

    pub(super) fn write_track(&mut self, track: Track<'_, Value>) -> Result<(), ExportError> {
        let mut tracks = EncodedTracks::default();
        tracks.add(track)?;
        self.write_tracks(&tracks)
    }

    pub(super) fn write_tracks(&mut self, tracks: &EncodedTracks<F>) -> Result<(), ExportError> {
        self.track_count += tracks.track_count;
        self.key_count += tracks.key_count;
        self.non_finite_count += tracks.non_finite_count;
        self.tangents.add(&tracks.tangents);
        self.format.write_tracks(tracks)
    }

    pub(super) fn tangent_losses(&self) -> &TangentLosses {
        &self.tangents
    }

    /// Reports the number of tracks and keys, and what was lost.
    pub(super) fn report(&self, report: &mut Report) {
        let (tracks, keys) =
            (format_count(self.track_count, "track"), format_count(self.key_count, "key"));
        report.info(format!("{tracks} with {keys}"));
        if self.track_count == 0 {
            report.warning("nothing moves; the file has no tracks");
        }
        self.tangents.report(report);
        if self.non_finite_count > 0 {
            let keys = format_count(self.non_finite_count, "key");
            report.warning_with_code(
                codes::NON_FINITE_SKIPPED,
                format!("{keys} or their tangents skipped: not finite"),
            );
        }
    }
}

/// Makes a key hold its value if a tangent of its segment is not finite, because JSON cannot
/// represent such tangents. Returns the number of changed keys.
fn drop_non_finite_tangents<V>(keys: &mut [Key<V>]) -> usize {
    let is_finite =
        |tangent: &Option<Vec<f64>>| tangent.iter().flatten().all(|number| number.is_finite());
    let mut dropped = 0;
    for left in 0..keys.len().saturating_sub(1) {
        let [out, facing] = [&keys[left].tangents[1], &keys[left + 1].tangents[0]];
        if !(is_finite(out) && is_finite(facing)) {
            dropped += 1;
            keys[left].interpolation = Interpolation::Hold;
            keys[left].tangents[1] = None;
            keys[left + 1].tangents[0] = None;
        }
    }
    dropped
}
