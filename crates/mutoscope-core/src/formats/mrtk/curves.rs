//! Converts the curves of a document into curves of a clip.

use std::{mem, sync::Arc};

use super::{Curve, CurveKeys, RawKey, codes, document::RawTangents};
use crate::{
    clip::{Extrapolation, KeyTimes, ScalarCurve, Shapes, Tangents, TrackLocation},
    diagnostics::{Diagnostics, Error, Topic},
};

/// The number of recent lists of key times that later curves can share.
///
/// MRTK needs two: the positions of a joint share one list, and its rotations another.
const MAX_RECENT_TIMES: usize = 4;

#[derive(Default)]
pub(super) struct CurveBuilder {
    recent: Vec<KeyTimes>,
    next_slot: usize,
    last_key_time: f64,
    /// The bytes of the last curve. The memory is used again for the next one.
    buffer: Vec<u8>,
}

impl CurveBuilder {
    /// Returns a builder for another thread, whose curves can share the times that are known here.
    pub(super) fn with_same_times(&self) -> Self {
        Self { recent: self.recent.clone(), buffer: Vec::new(), ..*self }
    }

    pub(super) fn build(
        &mut self,
        curve: &Curve,
        name: impl Fn() -> String,
        is_switch: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<(ScalarCurve, TrackLocation), Error> {
        let mut buffer = mem::take(&mut self.buffer);
        let raw = curve.read_keys_into(&mut buffer)?;
        let keys = self.build_keys(curve, &raw, &name, diagnostics);
        report_curve_diagnostics(curve, &raw, &keys, &name, diagnostics);
        if let Some((_, last)) = keys.times.first_and_last() {
            self.last_key_time = self.last_key_time.max(last);
        }
        let shapes = if is_switch { Shapes::Step } else { keys.shapes };
        let scalar = ScalarCurve::new(keys.times, keys.values, shapes)
            .with_extrapolation(extrapolation(curve.pre_wrap), extrapolation(curve.post_wrap));
        let bytes_per_key = curve.layout.bytes_per_key();
        let source = TrackLocation::packed(
            curve.location(),
            curve.first_key_offset(),
            bytes_per_key,
            keys.file_order,
        );
        self.buffer = buffer;
        Ok((scalar, source))
    }

    pub(super) fn last_key_time(&self) -> f64 {
        self.last_key_time
    }

    /// Extends the last key time to that of `other`.
    pub(super) fn include_last_key_time(&mut self, other: &Self) {
        self.last_key_time = self.last_key_time.max(other.last_key_time);
    }

    fn build_keys(
        &mut self,
        curve: &Curve,
        raw: &CurveKeys,
        name: impl Fn() -> String,
        diagnostics: &mut Diagnostics,
    ) -> Keys {
        if let Some(known) = self.recent.iter().find(|known| raw.has_times(known.as_slice())) {
            return Keys::in_file_order(raw, known.clone());
        }
        let keys = match KeyTimes::new(raw.times()) {
            Ok(times) => Keys::in_file_order(raw, times),
            Err(_) => Keys::repaired(curve, raw, name, diagnostics),
        };
        self.remember(keys.times.clone());
        keys
    }

    fn remember(&mut self, times: KeyTimes) {
        if self.recent.len() < MAX_RECENT_TIMES {
            self.recent.push(times);
        } else {
            self.recent[self.next_slot] = times;
            self.next_slot = (self.next_slot + 1) % MAX_RECENT_TIMES;
        }
    }
}

struct Keys {
    times: KeyTimes,
    values: Arc<[f32]>,
    shapes: Shapes,
    file_order: Option<Box<[u32]>>,
}

impl Keys {
    fn in_file_order(raw: &CurveKeys, times: KeyTimes) -> Self {
        Self {
            times,
            values: raw.values(),
            shapes: build_shapes(raw, raw.iter()),
            file_order: None,
        }
    }

    /// Converts a curve whose keys may be invalid. Keys with a non-finite time are skipped. The
    /// other keys are sorted stably by time, as in Unity.
    fn repaired(
        curve: &Curve,
        keys: &CurveKeys,
        name: impl Fn() -> String,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let raw: Vec<RawKey> = keys.iter().collect();
        let mut order: Vec<u32> = (0..raw.len() as u32).collect();
        order.retain(|&index| raw[index as usize].time.is_finite());
        let dropped = raw.len() - order.len();
        if dropped > 0 {
            let message = format!("{}: keys with a non-finite time: {dropped}; skipped", name());
            diagnostics
                .error(codes::NON_FINITE_TIME, curve.location(), message)
                .with("count", dropped);
        }
        if !order.is_sorted_by_key(|&index| raw[index as usize].time) {
            let message = format!("{}: keys are not in the order of time; sorted", name());
            diagnostics.warning(Topic::Unsorted.code(), curve.location(), message);
            order.sort_by(|&a, &b| raw[a as usize].time.total_cmp(&raw[b as usize].time));
        }
        let kept = || order.iter().map(|&index| raw[index as usize]);
        let times: Arc<[f64]> = kept().map(|key| f64::from(key.time)).collect();
        Self {
            times: KeyTimes::new(times).expect("the times are finite and sorted"),
            values: kept().map(|key| key.value).collect(),
            shapes: build_shapes(keys, kept()),
            file_order: Some(order.into()),
        }
    }
}

fn build_shapes(all: &CurveKeys, keys: impl Iterator<Item = RawKey>) -> Shapes {
    if all.is_straight() {
        return Shapes::Linear;
    }
    Shapes::Tangents(keys.filter_map(|key| key.tangents).map(RawTangents::to_tangents).collect())
}

impl RawTangents {
    fn to_tangents(self) -> Tangents {
        let weighted = |bit, weight| (self.weighted_mode & bit != 0).then_some(weight);
        Tangents {
            in_slope: self.in_tangent,
            out_slope: self.out_tangent,
            in_weight: weighted(1, self.in_weight),
            out_weight: weighted(2, self.out_weight),
        }
    }
}

impl From<Tangents> for RawTangents {
    /// A weight that the weighted mode does not use becomes 0.
    fn from(tangents: Tangents) -> Self {
        let Tangents { in_slope, out_slope, in_weight, out_weight } = tangents;
        Self {
            in_tangent: in_slope,
            out_tangent: out_slope,
            in_weight: in_weight.unwrap_or(0.0),
            out_weight: out_weight.unwrap_or(0.0),
            weighted_mode: i32::from(in_weight.is_some()) | i32::from(out_weight.is_some()) << 1,
        }
    }
}

/// Converts Unity's `WrapMode`. The modes 0 (Default), 1 (Once) and 8 (ClampForever), and unknown
/// ones, keep the value of the last key.
fn extrapolation(wrap_mode: i32) -> Extrapolation {
    match wrap_mode {
        2 => Extrapolation::Cycle,
        4 => Extrapolation::Oscillate,
        _ => Extrapolation::Constant,
    }
}

fn report_curve_diagnostics(
    curve: &Curve,
    raw: &CurveKeys,
    keys: &Keys,
    name: impl Fn() -> String,
    diagnostics: &mut Diagnostics,
) {
    for (side, mode) in [("pre", curve.pre_wrap), ("post", curve.post_wrap)] {
        if ![0, 1, 2, 4, 8].contains(&mode) {
            let message = format!("{}: unknown {side}-wrap mode {mode}; using clamp", name());
            diagnostics
                .warning(codes::UNKNOWN_WRAP_MODE, curve.location(), message)
                .with("found", mode);
        }
    }
    if let Some(index) = keys.values.iter().position(|value| !value.is_finite()) {
        let message = format!("{}: a non-finite value", name());
        let time = keys.times.as_slice()[index];
        diagnostics.warning(Topic::NonFinite.code(), curve.location(), message).at_time(time);
    }
    let has_unknown_mode =
        |key: RawKey| key.tangents.is_some_and(|t| !(0..=3).contains(&t.weighted_mode));
    if matches!(keys.shapes, Shapes::Tangents(_)) && raw.iter().any(has_unknown_mode) {
        let message = format!("{}: a weighted mode beyond 0 to 3; using its two low bits", name());
        diagnostics.warning(codes::UNKNOWN_WEIGHTED_MODE, curve.location(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clip::Hint, diagnostics::Severity, formats::mrtk::KeyLayout};

    fn simple(keys: &[(f32, f32)]) -> Vec<u8> {
        keys.iter().flat_map(|key| [key.0.to_le_bytes(), key.1.to_le_bytes()]).flatten().collect()
    }

    fn curve(keys: &[u8], wrap: i32) -> Curve<'_> {
        let (keys, layout) = (keys.into(), KeyLayout::Simple);
        Curve { offset: 100, pre_wrap: wrap, post_wrap: wrap, layout, keys }
    }

    fn build(keys: &[u8], wrap: i32) -> (ScalarCurve, TrackLocation, Diagnostics) {
        let curve = curve(keys, wrap);
        let mut diagnostics = Diagnostics::new();
        let name = || "left/Palm.position.x".to_owned();
        let (scalar, source) =
            CurveBuilder::default().build(&curve, name, false, &mut diagnostics).unwrap();
        (scalar, source, diagnostics)
    }

    #[test]
    fn unsorted_keys_are_sorted_and_keep_their_locations() {
        let (curve, source, diagnostics) = build(&simple(&[(2.0, 20.0), (1.0, 10.0)]), 8);
        assert_eq!(curve.values().as_f32_slice(), Some(&[10.0, 20.0][..]));
        assert_eq!(source.key_location(0).to_string(), "bytes 0x78..0x80");
        let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [Topic::Unsorted.code()]);
    }

    #[test]
    fn non_finite_key_times_are_skipped_and_reported() {
        let (curve, source, diagnostics) = build(&simple(&[(f32::NAN, 1.0), (1.0, 10.0)]), 8);
        assert_eq!(curve.evaluate(5.0, &mut Hint::default()), 10.0);
        assert_eq!(source.key_location(0).to_string(), "bytes 0x78..0x80");
        let found: Vec<_> = diagnostics.iter().map(|d| (d.code, d.severity)).collect();
        assert_eq!(found, [(codes::NON_FINITE_TIME, Severity::Error)]);
    }

    #[test]
    fn unknown_wrap_modes_clamp_and_are_reported() {
        let (curve, _, diagnostics) = build(&simple(&[(0.0, 1.0), (1.0, 2.0)]), 3);
        assert_eq!(curve.evaluate(9.0, &mut Hint::default()), 2.0);
        let codes: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, [codes::UNKNOWN_WRAP_MODE; 2]);
    }

    #[test]
    fn curves_with_equal_times_share_them() {
        let bytes = simple(&[(0.0, 1.0), (1.0, 2.0)]);
        let curve = curve(&bytes, 8);
        let mut builder = CurveBuilder::default();
        let mut build =
            || builder.build(&curve, String::new, false, &mut Diagnostics::new()).unwrap().0;
        assert!(build().times().is_shared_with(build().times()));
    }
}
