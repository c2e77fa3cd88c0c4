//! AnimJ as text, track by track, with its members in the one order that Resonite takes.

use std::io::{self, Write};

use crate::{
    clip::Value,
    export::{Report, report::counted},
    formats::resonite::{Interpolation, TrackType, TypeInfo},
};

/// A track: whose it is, and its keys.
pub(super) struct Track<'a> {
    pub(super) node: &'a str,
    pub(super) property: &'a str,
    pub(super) value_type: &'static TypeInfo,
    /// In the order of time.
    pub(super) keys: Vec<Key>,
}

/// A key of a track.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// Seconds; never negative.
    pub(super) time: f64,
    pub(super) value: Value,
    /// How it goes on to the next.
    pub(super) interpolation: Interpolation,
    /// The tangents before and after it, by component, for whom goes by them.
    pub(super) tangents: [Option<Vec<f64>>; 2],
}

impl Key {
    /// A key without tangents.
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

/// An animation that is being written.
pub(super) struct Animation<'a> {
    out: &'a mut dyn Write,
    tracks: usize,
    keys: usize,
    not_finite: usize,
    tangents: Tangents,
}

/// Tangents that are not written as the recording has them.
#[derive(Debug, Default)]
pub(super) struct Tangents {
    /// How many tracks of whole numbers had some that were no whole numbers of their type.
    rounded: usize,
    /// How many had some of more digits than were kept of them.
    inexact: usize,
}

impl Tangents {
    /// Whether all of them are as the recording has them.
    pub(super) fn are_exact(&self) -> bool {
        self.rounded + self.inexact == 0
    }

    /// Brings the tangents of a track to its type, and counts the track if that changes any.
    fn fit(&mut self, value_type: &TypeInfo, keys: &mut [Key]) {
        /// Beyond that, doubles do not tell all whole numbers apart.
        const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        if value_type.integer_bounds().is_none() {
            return;
        }
        let (mut is_rounded, mut is_inexact) = (false, false);
        let tangents = keys.iter_mut().flat_map(|key| key.tangents.iter_mut().flatten().flatten());
        for number in tangents {
            let whole = value_type.nearest_whole(*number);
            is_rounded |= whole != *number;
            is_inexact |= whole.abs() >= EXACT;
            *number = whole;
        }
        self.rounded += usize::from(is_rounded);
        self.inexact += usize::from(is_inexact);
    }

    fn report(&self, report: &mut Report) {
        if self.rounded > 0 {
            let tracks = counted(self.rounded, "track");
            report.warning(format!(
                "tangents of {tracks} of whole numbers rounded: Resonite takes no others"
            ));
        }
        if self.inexact > 0 {
            let tracks = counted(self.inexact, "track");
            report.warning(format!(
                "tangents of {tracks} of 64-bit numbers beyond 2^53: only their first 53 bits are kept"
            ));
        }
    }
}

impl<'a> Animation<'a> {
    /// Begins an animation with this name and duration in seconds.
    pub(super) fn begin(name: &str, duration: f64, out: &'a mut dyn Write) -> io::Result<Self> {
        out.write_all(b"{\"name\":")?;
        serde_json::to_writer(&mut *out, name)?;
        write!(out, ",\"globalDuration\":")?;
        serde_json::to_writer(&mut *out, &duration)?;
        out.write_all(b",\"tracks\":[")?;
        Ok(Self { out, tracks: 0, keys: 0, not_finite: 0, tangents: Tangents::default() })
    }

    /// Writes a track. Non-finite keys, which JSON does not have, are skipped: the key before one
    /// holds.
    pub(super) fn track(&mut self, track: Track<'_>) -> io::Result<()> {
        let Track { node, property, value_type, mut keys } = track;
        for index in 0..keys.len().saturating_sub(1) {
            if !keys[index + 1].is_finite() {
                keys[index].interpolation = Interpolation::Hold;
            }
        }
        self.not_finite += drop_tangents_not_finite(&mut keys);
        self.tangents.fit(value_type, &mut keys);
        let all = keys.len();
        keys.retain(Key::is_finite);
        self.not_finite += all - keys.len();
        self.keys += keys.len();
        let gaps = keys.split_last().map_or(&[][..], |(_, gaps)| gaps);
        let holds = gaps.iter().all(|key| key.interpolation == Interpolation::Hold);
        let track_type = if holds { TrackType::Discrete } else { TrackType::Curve };
        let comma = if self.tracks > 0 { "," } else { "" };
        self.tracks += 1;
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

    /// The tangents that were not written as they are, so far.
    pub(super) fn tangents(&self) -> &Tangents {
        &self.tangents
    }

    /// Ends it.
    pub(super) fn end(self, report: &mut Report) -> io::Result<()> {
        self.out.write_all(b"\n]}\n")?;
        let (tracks, keys) = (counted(self.tracks, "track"), counted(self.keys, "key"));
        report.info(format!("{tracks} with {keys}"));
        if self.tracks == 0 {
            report.warning("nothing moves; the file has no tracks");
        }
        self.tangents.report(report);
        if self.not_finite > 0 {
            let keys = counted(self.not_finite, "key");
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
            Value::Bools(bools) => object(value_type, bools, out)?,
            Value::Integers(integers) => object(value_type, integers, out)?,
            Value::Numbers(numbers) => object(value_type, numbers, out)?,
            single => serde_json::to_writer(&mut *out, single)?,
        }
        if track_type == TrackType::Curve {
            write!(out, ",\"interpolation\":\"{}\"", self.interpolation.name())?;
            for (name, tangent) in ["leftTangent", "rightTangent"].iter().zip(&self.tangents) {
                let Some(tangent) = tangent else { continue };
                write!(out, ",\"{name}\":")?;
                if value_type.integer_bounds().is_some() {
                    let (min, max) = value_type.integer_bounds().unwrap_or_default();
                    // As doubles, the bounds of 64 bits are one too many.
                    let whole = |number: &f64| (*number as i128).clamp(min.into(), max.into());
                    let whole: Vec<i128> = tangent.iter().map(whole).collect();
                    components(value_type, &whole, out)?;
                } else {
                    components(value_type, tangent, out)?;
                }
            }
        }
        out.write_all(b"}")
    }
}

/// Makes keys hold whose tangents are not finite, which JSON does not have; returns how many.
fn drop_tangents_not_finite(keys: &mut [Key]) -> usize {
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

/// A value of one component, or of several.
fn components<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut dyn Write,
) -> io::Result<()> {
    match components {
        [single] => Ok(serde_json::to_writer(&mut *out, single)?),
        several => object(value_type, several, out),
    }
}

fn object<T: serde::Serialize>(
    value_type: &TypeInfo,
    components: &[T],
    out: &mut dyn Write,
) -> io::Result<()> {
    for (index, component) in components.iter().enumerate() {
        let before = if index == 0 { "{" } else { "," };
        write!(out, "{before}\"{}\":", value_type.member(index))?;
        serde_json::to_writer(&mut *out, component)?;
    }
    out.write_all(b"}")
}
