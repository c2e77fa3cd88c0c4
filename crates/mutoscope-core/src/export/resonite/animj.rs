//! Writes AnimJ track by track. Members are in the only order that Resonite accepts.

use std::io::{self, Write};

use arrayvec::ArrayVec;

use super::writer::{EncodedTracks, Key, KeyValue, Track, TrackFormat};
use crate::{
    clip::Value,
    export::ExportError,
    formats::resonite::{TrackType, TypeInfo},
};

pub(super) struct AnimJ<'a> {
    out: &'a mut dyn Write,
    has_tracks: bool,
}

impl<'a> AnimJ<'a> {
    pub(super) fn begin(name: &str, duration: f64, out: &'a mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"name\":")?;
        serde_json::to_writer(&mut *out, name)?;
        write!(out, ",\"globalDuration\":")?;
        serde_json::to_writer(&mut *out, &duration)?;
        out.write_all(b",\"tracks\":[")?;
        Ok(Self { out, has_tracks: false })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")
    }
}

impl TrackFormat for AnimJ<'_> {
    const HAS_MATRICES: bool = false;

    fn encode_track<V: KeyValue>(
        track: &Track<'_, V>,
        track_type: TrackType,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Track { node, property, value_type, keys, is_rounded } = track;
        let comma = if out.is_empty() { "" } else { "," };
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
            key.write(value_type, track_type, *is_rounded, out)?;
        }
        out.write_all(b"]}}")
    }

    fn write_tracks(&mut self, tracks: &EncodedTracks<Self>) -> Result<(), ExportError> {
        if tracks.track_count == 0 {
            return Ok(());
        }
        if std::mem::replace(&mut self.has_tracks, true) {
            self.out.write_all(b",")?;
        }
        Ok(self.out.write_all(&tracks.bytes)?)
    }
}

impl<V: KeyValue> Key<V> {
    fn write(
        &self,
        value_type: &TypeInfo,
        track_type: TrackType,
        is_rounded: bool,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        out.write_all(b"{\"time\":")?;
        serde_json::to_writer(&mut *out, &self.time)?;
        out.write_all(b",\"value\":")?;
        match &self.value.to_value() {
            Value::Numbers(numbers) if is_rounded => {
                // JSON has no infinity, so clamp to the range of f32.
                let max = f64::from(f32::MAX);
                let singles = numbers.iter().map(|number| number.clamp(-max, max) as f32);
                write_object(value_type, &singles.collect::<ArrayVec<f32, 16>>(), out)?;
            }
            Value::Bools(bools) => write_object(value_type, bools, out)?,
            Value::Integers(integers) => write_object(value_type, integers, out)?,
            Value::Numbers(numbers) => write_object(value_type, numbers, out)?,
            single => serde_json::to_writer(&mut *out, single)?,
        }
        if track_type == TrackType::Curve {
            out.write_all(b",\"interpolation\":\"")?;
            out.write_all(self.interpolation.name().as_bytes())?;
            out.write_all(b"\"")?;
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

fn write_components<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    match components {
        [single] => Ok(serde_json::to_writer(&mut *out, single)?),
        several => write_object(value_type, several, out),
    }
}

fn write_object<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    for (index, component) in components.iter().enumerate() {
        out.write_all(if index == 0 { b"{\"" } else { b",\"" })?;
        out.write_all(value_type.member_name(index).as_bytes())?;
        out.write_all(b"\":")?;
        serde_json::to_writer(&mut *out, component)?;
    }
    out.write_all(b"}")
}
