//! Writes AnimJ track by track. Members are in the only order that Resonite accepts.

use std::io::{self, Write};

use crate::{
    clip::Value,
    diagnostics::format_count,
    export::Report,
    formats::resonite::{Interpolation, TrackType, TypeInfo},
};

pub(super) struct Track<'a> {
    pub(super) node: &'a str,
    pub(super) property: &'a str,
    pub(super) value_type: &'static TypeInfo,
    pub(super) keys: Vec<Key>,
}

#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The time in seconds. Never negative.
    pub(super) time: f64,
    pub(super) value: Value,
    pub(super) interpolation: Interpolation,
    pub(super) tangents: [Option<Vec<f64>>; 2],
}

impl Key {
    pub(super) fn plain(time: f64, value: Value, interpolation: Interpolation) -> Self {
        Self { time, value, interpolation, tangents: [None, None] }
    }

    fn is_finite(&self) -> bool {
        let is_finite = match &self.value {
            Value::Number(number) => number.is_finite(),
            Value::Numbers(numbers) => numbers.iter().all(|number| number.is_finite()),
            _ => true,
        };
        is_finite && self.time.is_finite()
    }
}

pub(super) struct AnimationWriter<'a> {
    out: &'a mut dyn Write,
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

    fn round_to_type(&mut self, value_type: &TypeInfo, keys: &mut [Key]) {
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

impl<'a> AnimationWriter<'a> {
    pub(super) fn begin(name: &str, duration: f64, out: &'a mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"name\":")?;
        serde_json::to_writer(&mut *out, name)?;
        write!(out, ",\"globalDuration\":")?;
        serde_json::to_writer(&mut *out, &duration)?;
        out.write_all(b",\"tracks\":[")?;
        Ok(Self {
            out,
            track_count: 0,
            key_count: 0,
            non_finite_count: 0,
            tangents: TangentLosses::default(),
        })
    }

    /// Writes a track. Non-finite keys are skipped, because JSON cannot represent them. The key
    /// before a skipped key holds its value.
    pub(super) fn write_track(&mut self, track: Track<'_>) -> io::Result<()> {
        let Track { node, property, value_type, mut keys } = track;
        for index in 0..keys.len().saturating_sub(1) {
            if !keys[index + 1].is_finite() {
                keys[index].interpolation = Interpolation::Hold;
            }
        }
        self.non_finite_count += drop_non_finite_tangents(&mut keys);
        self.tangents.round_to_type(value_type, &mut keys);
        let all = keys.len();
        keys.retain(Key::is_finite);
        self.non_finite_count += all - keys.len();
        self.key_count += keys.len();
        let gaps = keys.split_last().map_or(&[][..], |(_, gaps)| gaps);
        let holds = gaps.iter().all(|key| key.interpolation == Interpolation::Hold);
        let track_type = if holds { TrackType::Discrete } else { TrackType::Curve };
        let comma = if self.track_count > 0 { "," } else { "" };
        self.track_count += 1;
        let out = &mut *self.out;
        write!(
            out,
            "{comma}\n{{\"trackType\":\"{}\",\"valueType\":\"{}\",\"data\":{{\"node\":",
            track_type.name(),
            value_type.name
        )?;
        serde_json::to_writer(&mut *out, node)?;
        out.write_all(b",\"property\":")?;
        serde_json::to_writer(&mut *out, property)?;
        out.write_all(b",\"keyframes\":[")?;
        for (index, key) in keys.iter().enumerate() {
            out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            key.write(value_type, track_type, out)?;
        }
        out.write_all(b"]}}")
    }

    pub(super) fn tangent_losses(&self) -> &TangentLosses {
        &self.tangents
    }

    pub(super) fn finish(self, report: &mut Report) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")?;
        let (tracks, keys) =
            (format_count(self.track_count, "track"), format_count(self.key_count, "key"));
        report.info(format!("{tracks} with {keys}"));
        if self.track_count == 0 {
            report.warning("nothing moves; the file has no tracks");
        }
        self.tangents.report(report);
        if self.non_finite_count > 0 {
            let keys = format_count(self.non_finite_count, "key");
            report.warning(format!(
                "{keys} or their tangents skipped: not finite, which JSON cannot represent"
            ));
        }
        Ok(())
    }
}

impl Key {
    fn write(
        &self,
        value_type: &TypeInfo,
        track_type: TrackType,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(b"{\"time\":")?;
        serde_json::to_writer(&mut *out, &self.time)?;
        out.write_all(b",\"value\":")?;
        match &self.value {
            Value::Bools(bools) => write_object(value_type, bools, out)?,
            Value::Integers(integers) => write_object(value_type, integers, out)?,
            Value::Numbers(numbers) => write_object(value_type, numbers, out)?,
            single => serde_json::to_writer(&mut *out, single)?,
        }
        if track_type == TrackType::Curve {
            write!(out, ",\"interpolation\":\"{}\"", self.interpolation.name())?;
            for (name, tangent) in ["leftTangent", "rightTangent"].iter().zip(&self.tangents) {
                let Some(tangent) = tangent else { continue };
                write!(out, ",\"{name}\":")?;
                if value_type.integer_bounds().is_some() {
                    let (min, max) = value_type.integer_bounds().unwrap_or_default();
                    // Clamp as i128, because i64::MAX and u64::MAX round up by one when converted
                    // to f64.
                    let whole = |number: &f64| (*number as i128).clamp(min.into(), max.into());
                    let whole: Vec<i128> = tangent.iter().map(whole).collect();
                    write_components(value_type, &whole, out)?;
                } else {
                    write_components(value_type, tangent, out)?;
                }
            }
        }
        out.write_all(b"}")
    }
}

/// Makes a key hold its value if a tangent of its segment is not finite, because JSON cannot
/// represent such tangents. Returns the number of changed keys.
fn drop_non_finite_tangents(keys: &mut [Key]) -> usize {
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

fn write_components<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut dyn Write,
) -> io::Result<()> {
    match components {
        [single] => Ok(serde_json::to_writer(&mut *out, single)?),
        several => write_object(value_type, several, out),
    }
}

fn write_object<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, component) in components.iter().enumerate() {
        let before = if index == 0 { "{" } else { "," };
        write!(out, "{before}\"{}\":", value_type.member_name(index))?;
        serde_json::to_writer(&mut *out, component)?;
    }
    out.write_all(b"}")
}
