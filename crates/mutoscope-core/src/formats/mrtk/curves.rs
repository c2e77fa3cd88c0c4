//! From a file's curves to a clip's.

use std::sync::Arc;

use super::{Curve, CurveKeys, KeyLayout, RawKey, document::RawTangents};
use crate::{
    clip::{Extrapolation, KeyTimes, Provenance, ScalarCurve, Shapes, Tangents},
    diagnostics::{Error, Notices, Topic},
};

/// How many different lists of key times are remembered, to be shared by the curves that follow.
///
/// A joint's positions share one and its rotations another, so two would do for what MRTK writes.
const REMEMBERED: usize = 4;

/// Makes a clip's curves of a file's, sharing key times where they are the same.
#[derive(Default)]
pub(super) struct CurveMaker {
    recent: Vec<KeyTimes>,
    next: usize,
    latest: f64,
}

impl CurveMaker {
    /// The curve and where its keys come from. `name` is for the notices.
    ///
    /// # Errors
    /// If its keys cannot be read.
    pub(super) fn make(
        &mut self,
        curve: &Curve,
        name: impl Fn() -> String,
        is_switch: bool,
        notices: &mut Notices,
    ) -> Result<(ScalarCurve, Provenance), Error> {
        let raw = curve.read_keys()?;
        let keys = self.keys(curve, &raw, &name, notices);
        report_oddities(curve, (&raw, &keys), &name, notices);
        if let Some((_, last)) = keys.times.ends() {
            self.latest = self.latest.max(last);
        }
        let shapes = if is_switch { Shapes::Step } else { keys.shapes };
        let scalar = ScalarCurve::new(keys.times, keys.values, shapes)
            .extrapolated(extrapolation(curve.pre_wrap), extrapolation(curve.post_wrap));
        let bytes_per_key = curve.layout.bytes_per_key();
        let source =
            Provenance::packed(curve.place(), curve.first_key(), bytes_per_key, keys.file_order);
        Ok((scalar, source))
    }

    /// The time of the last key of all curves made, in seconds; 0 if there is none after that.
    pub(super) fn latest(&self) -> f64 {
        self.latest
    }

    fn keys(
        &mut self,
        curve: &Curve,
        raw: &CurveKeys,
        name: impl Fn() -> String,
        notices: &mut Notices,
    ) -> Keys {
        if let Some(known) = self.recent.iter().find(|known| has_times(raw, known)) {
            return Keys::in_file_order(raw, known.clone());
        }
        let times: Arc<[f64]> = raw.times().map(f64::from).collect();
        let keys = match KeyTimes::new(times) {
            Ok(times) => Keys::in_file_order(raw, times),
            Err(_) => Keys::repaired(curve, raw, name, notices),
        };
        self.remember(keys.times.clone());
        keys
    }

    fn remember(&mut self, times: KeyTimes) {
        if self.recent.len() < REMEMBERED {
            self.recent.push(times);
        } else {
            self.recent[self.next] = times;
            self.next = (self.next + 1) % REMEMBERED;
        }
    }
}

fn has_times(keys: &CurveKeys, known: &KeyTimes) -> bool {
    let times = keys.times().map(f64::from);
    times.len() == known.as_slice().len() && times.eq(known.as_slice().iter().copied())
}

/// The keys of one curve, column by column, in the order of time.
struct Keys {
    times: KeyTimes,
    values: Arc<[f32]>,
    shapes: Shapes,
    file_order: Option<Box<[u32]>>,
}

impl Keys {
    /// All keys as the file has them, at `times`.
    fn in_file_order(raw: &CurveKeys, times: KeyTimes) -> Self {
        let values = raw.values().collect();
        Self { times, values, shapes: shapes(raw, raw.iter()), file_order: None }
    }

    /// Drops keys whose time is not finite and sorts the others, stably as Unity would have them.
    fn repaired(
        curve: &Curve,
        keys: &CurveKeys,
        name: impl Fn() -> String,
        notices: &mut Notices,
    ) -> Self {
        let raw: Vec<RawKey> = keys.iter().collect();
        let mut order: Vec<u32> = (0..raw.len() as u32).collect();
        order.retain(|&index| raw[index as usize].time.is_finite());
        let dropped = raw.len() - order.len();
        if dropped > 0 {
            let message = format!("{}: keys with a non-finite time: {dropped}; skipped", name());
            notices.error(curve.place(), message);
        }
        if !order.is_sorted_by_key(|&index| raw[index as usize].time) {
            let message = format!("{}: keys are not in the order of time; sorted", name());
            notices.warning_about(Topic::Unsorted, curve.place(), None, message);
            order.sort_by(|&a, &b| raw[a as usize].time.total_cmp(&raw[b as usize].time));
        }
        let kept = || order.iter().map(|&index| raw[index as usize]);
        let times: Arc<[f64]> = kept().map(|key| f64::from(key.time)).collect();
        Self {
            times: KeyTimes::new(times).expect("these are finite and ascending now"),
            values: kept().map(|key| key.value).collect(),
            shapes: shapes(keys, kept()),
            file_order: Some(order.into()),
        }
    }
}

/// The shapes between `keys`, which are of `all`: straight unless a key says more.
fn shapes(all: &CurveKeys, keys: impl Iterator<Item = RawKey>) -> Shapes {
    if tangents_needed(all) {
        Shapes::Tangents(keys.filter_map(|key| key.tangents).map(RawTangents::meaning).collect())
    } else {
        Shapes::Linear
    }
}

/// Whether any key says more than a straight line does.
fn tangents_needed(keys: &CurveKeys) -> bool {
    keys.layout == KeyLayout::Full
        && keys.iter().any(|key| key.tangents.is_some_and(|tangents| !tangents.is_straight()))
}

impl RawTangents {
    /// Whether both tangents are weighted with a weight of nothing: straight lines, whatever the
    /// slopes. MRTK writes no other.
    fn is_straight(&self) -> bool {
        let no_length = self.in_weight == 0.0 && self.out_weight == 0.0;
        let no_step = self.in_tangent.is_finite() && self.out_tangent.is_finite();
        self.weighted_mode == 3 && no_length && no_step
    }

    fn meaning(self) -> Tangents {
        let weighted = |bit, weight| (self.weighted_mode & bit != 0).then_some(weight);
        Tangents {
            in_slope: self.in_tangent,
            out_slope: self.out_tangent,
            in_weight: weighted(1, self.in_weight),
            out_weight: weighted(2, self.out_weight),
        }
    }
}

/// The meaning of Unity's `WrapMode` for a curve. 0 Default, 1 Once, 8 ClampForever and what is
/// not known all keep the value of the last key.
fn extrapolation(wrap_mode: i32) -> Extrapolation {
    match wrap_mode {
        2 => Extrapolation::Cycle,
        4 => Extrapolation::Oscillate,
        _ => Extrapolation::Constant,
    }
}

fn report_oddities(
    curve: &Curve,
    (raw, keys): (&CurveKeys, &Keys),
    name: impl Fn() -> String,
    notices: &mut Notices,
) {
    for (side, mode) in [("pre", curve.pre_wrap), ("post", curve.post_wrap)] {
        if ![0, 1, 2, 4, 8].contains(&mode) {
            let message = format!("{}: unknown {side}-wrap mode {mode}; using clamp", name());
            notices.warning(curve.place(), message);
        }
    }
    if let Some(index) = keys.values.iter().position(|value| !value.is_finite()) {
        let message = format!("{}: a non-finite value", name());
        let time = keys.times.as_slice()[index];
        notices.warning_about(Topic::NonFinite, curve.place(), Some(time), message);
    }
    let strange = |key: RawKey| key.tangents.is_some_and(|t| !(0..=3).contains(&t.weighted_mode));
    if matches!(keys.shapes, Shapes::Tangents(_)) && raw.iter().any(strange) {
        let message = format!("{}: a weighted mode beyond 0 to 3; using its two low bits", name());
        notices.warning(curve.place(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Hint;

    fn simple(keys: &[(f32, f32)]) -> Vec<u8> {
        keys.iter().flat_map(|key| [key.0.to_le_bytes(), key.1.to_le_bytes()]).flatten().collect()
    }

    fn curve(keys: &[u8], wrap: i32) -> Curve<'_> {
        let (keys, layout) = (keys.into(), KeyLayout::Simple);
        Curve { offset: 100, pre_wrap: wrap, post_wrap: wrap, layout, keys }
    }

    fn make(keys: &[u8], wrap: i32) -> (ScalarCurve, Provenance, Notices) {
        let curve = curve(keys, wrap);
        let mut notices = Notices::new();
        let name = || "left/Palm.position.x".to_owned();
        let (scalar, source) =
            CurveMaker::default().make(&curve, name, false, &mut notices).unwrap();
        (scalar, source, notices)
    }

    #[test]
    fn unsorted_keys_are_sorted_and_know_their_bytes() {
        let (curve, source, notices) = make(&simple(&[(2.0, 20.0), (1.0, 10.0)]), 8);
        assert_eq!(curve.values().as_singles(), Some(&[10.0, 20.0][..]));
        assert_eq!(source.key(0).to_string(), "bytes 0x78..0x80");
        assert_eq!(notices.len(), 1);
    }

    #[test]
    fn non_finite_key_times_are_skipped_and_reported() {
        let (curve, source, notices) = make(&simple(&[(f32::NAN, 1.0), (1.0, 10.0)]), 8);
        assert_eq!(curve.evaluate(5.0, &mut Hint::default()), 10.0);
        assert_eq!(source.key(0).to_string(), "bytes 0x78..0x80");
        assert_eq!(notices.worst(), Some(crate::diagnostics::Severity::Error));
    }

    #[test]
    fn unknown_wrap_modes_clamp_and_are_reported() {
        let (curve, _, notices) = make(&simple(&[(0.0, 1.0), (1.0, 2.0)]), 3);
        assert_eq!(curve.evaluate(9.0, &mut Hint::default()), 2.0);
        assert_eq!(notices.len(), 2);
    }

    #[test]
    fn curves_with_equal_times_share_them() {
        let bytes = simple(&[(0.0, 1.0), (1.0, 2.0)]);
        let curve = curve(&bytes, 8);
        let mut maker = CurveMaker::default();
        let mut made = || maker.make(&curve, String::new, false, &mut Notices::new()).unwrap().0;
        assert!(made().times().is_shared_with(made().times()));
    }
}
