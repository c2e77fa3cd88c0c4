//! Writes AnimX: the same tracks as AnimJ, in binary form and compressed.

use std::{
    io::{self, Write},
    sync::Arc,
};

use strum::VariantNames as _;

use super::writer::{EncodedTracks, Key, KeyValue, Track, TrackFormat};
use crate::{
    clip::{AnyCurve, Value, Values},
    diagnostics::format_count,
    export::{ExportError, Job, OptionKind, Report, TargetOption},
    formats::resonite::{
        Columns, Interpolations, Scalar, Tangents, TrackType, TypeInfo,
        animx::{
            Encoding, MAX_UNPACKED_BYTES, SourceDetails,
            encode::{EncodableTrack, encode_header},
            pack::{Lz4Packer, LzmaPacker},
        },
    },
    io::spooled::SpooledBytes,
};

pub(super) const COMPRESSION: TargetOption = TargetOption {
    name: "compression",
    label: "Compression",
    help: "Compress with this method [default: lz4]",
    kind: OptionKind::Choice { values: Compression::VARIANTS, default: Some("lz4") },
};

#[derive(Clone, Copy, Debug, Default, PartialEq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
enum Compression {
    None,
    /// LZ4, in the chunks of the .NET library that Resonite uses.
    #[default]
    Lz4,
    /// LZMA, in the framing of Resonite.
    Lzma,
}

/// The tracks of a file, which are compressed as they arrive, because the plain bytes of a long
/// recording would need as much memory again.
pub(super) struct AnimX {
    packer: Packer,
    plain_size: usize,
    track_count: usize,
}

enum Packer {
    None(SpooledBytes),
    Lz4(Lz4Packer<SpooledBytes>),
    Lzma(Box<LzmaPacker<SpooledBytes>>),
}

impl AnimX {
    pub(super) fn begin(job: &Job<'_>) -> io::Result<Self> {
        let packed = SpooledBytes::new(job.path);
        let packer = match job.settings.choice(&COMPRESSION).unwrap_or_default() {
            Compression::None => Packer::None(packed),
            Compression::Lz4 => Packer::Lz4(Lz4Packer::new(packed)),
            Compression::Lzma => Packer::Lzma(Box::new(LzmaPacker::new(packed)?)),
        };
        Ok(Self { packer, plain_size: 0, track_count: 0 })
    }

    fn add(&mut self, plain: &[u8]) -> Result<(), ExportError> {
        self.plain_size += plain.len();
        let is_packed = !matches!(self.packer, Packer::None(_));
        if is_packed && self.plain_size as u64 > MAX_UNPACKED_BYTES {
            return Err(ExportError::LimitExceeded(format!(
                "the tracks have more than the {MAX_UNPACKED_BYTES} bytes that are read from a \
                 compressed file. Choose a shorter --range, or --compression none"
            )));
        }
        match &mut self.packer {
            Packer::None(tracks) => tracks.write_all(plain)?,
            Packer::Lz4(packer) => packer.add(plain)?,
            Packer::Lzma(packer) => packer.add(plain)?,
        }
        Ok(())
    }

    /// Writes the tracks of an AnimX file that is exported as a whole, with the track types and
    /// tangents of the file. Returns the declared duration, or `None` if the recording is not such
    /// a file.
    ///
    /// # Errors
    /// Fails if the tracks are too large for a compressed file.
    pub(super) fn write_own_tracks(
        &mut self,
        job: &Job<'_>,
        report: &mut Report,
    ) -> Result<Option<f64>, ExportError> {
        let clip = job.clip;
        let Some(details) = clip.source_details_as::<SourceDetails>() else { return Ok(None) };
        let is_whole = job.is_unchanged() && details.duration == clip.span.duration;
        let types = clip.tracks.iter().map(|track| TypeInfo::from_name(track.curve.type_name()));
        let types: Option<Vec<_>> = types.collect();
        let Some(types) = types.filter(|_| is_whole && details.tracks.len() == clip.tracks.len())
        else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for ((track, layout), value_type) in clip.tracks.iter().zip(&details.tracks).zip(types) {
            let values = match &track.curve {
                AnyCurve::Text(curve) => {
                    let keys = 0..curve.times().as_slice().len();
                    Columns::Texts(keys.map(|key| text(curve.key_value(key))).collect())
                }
                curve => {
                    let components = curve.components().iter();
                    Columns::Components(components.map(|one| one.values().clone()).collect())
                }
            };
            let track = EncodableTrack {
                node: clip.owner_name(track.owner),
                property: &track.property,
                track_type: layout.track_type,
                value_type,
                times: track.curve.key_times(),
                interval: layout.interval,
                values: &values,
                interpolations: &layout.interpolations,
                tangents: layout.tangents.as_deref(),
            };
            track.encode(&mut bytes);
            self.add(&bytes)?;
            bytes.clear();
        }
        self.track_count = clip.tracks.len();
        report.info("tracks, types, keys and tangents are the recording's own");
        Ok(Some(details.global_duration))
    }

    /// Writes the file: the header, and the compressed tracks.
    pub(super) fn finish(
        self,
        job: &Job<'_>,
        duration: f64,
        out: &mut dyn Write,
        report: &mut Report,
    ) -> Result<(), ExportError> {
        let (encoding, header, data) = match self.packer {
            Packer::None(tracks) => (Encoding::Plain, Vec::new(), tracks),
            Packer::Lz4(packer) => (Encoding::Lz4, Vec::new(), packer.finish()?),
            Packer::Lzma(packer) => {
                let (mut header, stream) = packer.finish()?;
                header.extend((stream.len() as u64).to_le_bytes());
                (Encoding::Lzma, header, stream)
            }
        };
        let size = format_count(header.len() + data.len(), "byte");
        out.write_all(&encode_header(self.track_count, duration, job.title, encoding))?;
        out.write_all(&header)?;
        data.write_to(out)?;
        let packed = format!("from {} to {size}", self.plain_size);
        match encoding {
            Encoding::Plain => {}
            Encoding::Lzma => report.info(format!("compressed with LZMA {packed}")),
            Encoding::Lz4 => report.info(format!(
                "compressed with LZ4 {packed}. If a program cannot read it, pass --compression none"
            )),
        }
        Ok(())
    }
}

impl TrackFormat for AnimX {
    const HAS_MATRICES: bool = true;

    fn encode_track<V: KeyValue>(
        track: &Track<'_, V>,
        track_type: TrackType,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Track { node, property, value_type, keys, .. } = track;
        let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
        let first = keys.first().map(|key| key.interpolation).unwrap_or_default();
        let is_same = keys.iter().rev().skip(1).all(|key| key.interpolation == first);
        let tangents = key_tangents(keys, value_type);
        let tangents = tangents.filter(|_| track_type == TrackType::Curve);
        let track = EncodableTrack {
            node,
            property,
            track_type,
            value_type,
            times: &times,
            interval: 0.0,
            values: &key_values(keys, value_type),
            interpolations: &match is_same {
                true => Interpolations::All(first),
                false => Interpolations::Each(keys.iter().map(|key| key.interpolation).collect()),
            },
            tangents: tangents.as_ref(),
        };
        track.encode(out);
        Ok(())
    }

    fn write_tracks(&mut self, tracks: &EncodedTracks<Self>) -> Result<(), ExportError> {
        self.add(&tracks.bytes)?;
        self.track_count += tracks.track_count;
        Ok(())
    }
}

fn key_values<V: KeyValue>(keys: &[Key<V>], value_type: &TypeInfo) -> Columns {
    if value_type.scalar == Scalar::Text {
        return Columns::Texts(keys.iter().map(|key| text(key.value.to_value())).collect());
    }
    let column = |component: usize| -> Values {
        let values = keys.iter().map(|key| key.value.to_value());
        match value_type.integer_bounds() {
            Some((0, _)) => values
                .map(|value| integer(&value, component).clamp(0, u64::MAX.into()) as u64)
                .collect::<Vec<_>>()
                .into(),
            Some(_) => values
                .map(|value| {
                    integer(&value, component).clamp(i64::MIN.into(), i64::MAX.into()) as i64
                })
                .collect::<Vec<_>>()
                .into(),
            None => values.map(|value| number(&value, component)).collect::<Vec<f64>>().into(),
        }
    };
    Columns::Components((0..value_type.component_count()).map(column).collect())
}

fn text(value: Value) -> Option<Arc<str>> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn integer(value: &Value, component: usize) -> i128 {
    match value {
        Value::Integer(integer) => *integer,
        Value::Integers(integers) => integers.get(component).copied().unwrap_or_default(),
        other => number(other, component) as i128,
    }
}

fn number(value: &Value, component: usize) -> f64 {
    match value {
        Value::Number(number) => *number,
        Value::Numbers(numbers) => numbers.get(component).copied().unwrap_or_default(),
        Value::Bool(is_true) => f64::from(u8::from(*is_true)),
        Value::Bools(bools) => {
            f64::from(u8::from(bools.get(component).copied().unwrap_or_default()))
        }
        Value::Integer(integer) => *integer as f64,
        Value::Integers(integers) => integers.get(component).copied().unwrap_or_default() as f64,
        Value::Null | Value::Text(_) => 0.0,
    }
}

/// Returns the tangents of all keys, or `None` if no key has one. Missing tangents are 0, as in
/// AnimJ.
fn key_tangents<V>(keys: &[Key<V>], value_type: &TypeInfo) -> Option<Tangents> {
    if !keys.iter().any(|key| key.tangents.iter().any(Option::is_some)) {
        return None;
    }
    let columns = |side: usize| {
        let component = |component: usize| {
            let tangent = |key: &Key<V>| {
                let tangent = key.tangents[side].as_deref();
                tangent.and_then(|numbers| numbers.get(component)).copied().unwrap_or(0.0)
            };
            keys.iter().map(tangent).collect()
        };
        (0..value_type.component_count()).map(component).collect()
    };
    Some(Tangents { left: columns(0), right: columns(1), given: Vec::new() })
}
