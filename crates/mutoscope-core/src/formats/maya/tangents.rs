//! Converts tangent types into the shapes of segments.
//!
//! Slopes are in the curve's own unit of output per second. [`TangentUnits`] converts for rules
//! that depend on Maya's internal units (centimetres, radians, seconds).

use std::sync::Arc;

use super::{Key, Tangent, units::TimeUnit};
use crate::clip::{Handle, Segment};

/// The steepest slope in Maya, in internal units per second: tan 89.99999°. Maya gives this slope
/// to vertical tangents.
const MAX_SLOPE: f64 = 5_729_577.951_308_232;

/// A clamped tangent is horizontal if the values of the key and a neighbouring key differ by at
/// most this, in Maya's internal units.
const CLAMP_TOLERANCE: f64 = 0.05;

/// The limit for the slope of an automatic tangent, relative to the flatter of the two lines to the
/// neighbouring keys.
const MAX_SLOPE_RATIO: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TangentUnits {
    pub(super) time: TimeUnit,
    /// The factor from the unit of the output to Maya's internal unit: centimetres, radians or
    /// seconds.
    pub(super) maya_units_per_value: f64,
    /// The number of radians in one unit of the angles of fixed tangents.
    pub(super) radians_per_angle: f64,
    /// `true` if fixed tangents are in seconds and Maya's internal units, as in files of Maya 2.
    /// Otherwise they are in the units of the file.
    pub(super) fixed_in_maya_units: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CurveShape {
    pub(super) segments: Arc<[Segment]>,
    /// The slope before the first key for linear extrapolation, in units of output per second.
    pub(super) first_slope: f64,
    pub(super) last_slope: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TimedKey<'a> {
    pub(super) time: f64,
    pub(super) key: &'a Key,
}

pub(super) fn build_shape(keys: &[TimedKey], weighted: bool, units: &TangentUnits) -> CurveShape {
    let neighbours_of = |index: usize| KeyNeighbours {
        before: index.checked_sub(1).map(|before| keys[before]),
        here: keys[index],
        after: keys.get(index + 1).copied(),
        units,
        weighted,
    };
    let segments = (1..keys.len()).map(|index| {
        let (left, right) = (neighbours_of(index - 1), neighbours_of(index));
        build_segment(&left, &right, weighted, units)
    });
    let last = keys.len().checked_sub(1);
    let end_slope =
        |slope: f64| if slope.abs() * units.maya_units_per_value < MAX_SLOPE { slope } else { 0.0 };
    let slope_of = |vector: TangentVector| end_slope(vector.slope(units));
    CurveShape {
        segments: segments.collect(),
        first_slope: last.map_or(0.0, |_| slope_of(neighbours_of(0).in_vector())),
        last_slope: last.map_or(0.0, |last| slope_of(neighbours_of(last).out_vector())),
    }
}

fn build_segment(
    left: &KeyNeighbours,
    right: &KeyNeighbours,
    weighted: bool,
    units: &TangentUnits,
) -> Segment {
    let types = (left.here.key.out_tangent, right.here.key.in_tangent);
    match types {
        (Tangent::Step, _) => return Segment::Step,
        (Tangent::StepNext, _) => return Segment::StepNext,
        (Tangent::Linear, Tangent::Linear) => return Segment::Linear,
        _ => {}
    }
    let (out, facing) = (left.out_vector(), right.in_vector());
    if weighted {
        let duration = right.here.time - left.here.time;
        Segment::from_handles(out.handle(duration), facing.handle(duration), duration)
    } else {
        Segment::Hermite { out_slope: out.slope(units), in_slope: facing.slope(units) }
    }
}

/// The direction of a tangent, in seconds and units of output. The vector of a weighted tangent is
/// three times as long as the handle of the Bézier curve. The vector points forwards in time on
/// both sides of the key.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TangentVector {
    x: f64,
    y: f64,
}

impl TangentVector {
    const HORIZONTAL: Self = Self { x: 1.0, y: 0.0 };
    const ZERO: Self = Self { x: 0.0, y: 0.0 };

    fn slope(self, units: &TangentUnits) -> f64 {
        if self.y == 0.0 {
            return 0.0;
        }
        let max_slope = MAX_SLOPE / units.maya_units_per_value;
        (self.y / self.x.max(0.0)).clamp(-max_slope, max_slope)
    }

    fn handle(self, duration: f64) -> Handle {
        Handle { fraction: self.x / 3.0 / duration, rise: self.y / 3.0 }
    }
}

#[derive(Clone, Copy, Debug)]
struct KeyNeighbours<'a> {
    before: Option<TimedKey<'a>>,
    here: TimedKey<'a>,
    after: Option<TimedKey<'a>>,
    units: &'a TangentUnits,
    weighted: bool,
}

impl KeyNeighbours<'_> {
    fn in_vector(&self) -> TangentVector {
        self.resolve_tangent(
            self.here.key.in_tangent,
            self.before.map(|before| line_between(before, self.here)),
        )
    }

    fn out_vector(&self) -> TangentVector {
        self.resolve_tangent(
            self.here.key.out_tangent,
            self.after.map(|after| line_between(self.here, after)),
        )
    }

    fn resolve_tangent(&self, tangent: Tangent, own: Option<TangentVector>) -> TangentVector {
        match tangent {
            Tangent::Fixed { angle, weight } => self.fixed_vector(angle, weight),
            Tangent::Step | Tangent::StepNext => TangentVector::ZERO,
            Tangent::Linear | Tangent::Slow | Tangent::Fast => {
                own.unwrap_or(TangentVector::HORIZONTAL)
            }
            Tangent::Flat => self.with_slope(0.0, own),
            Tangent::Spline => self.with_slope(self.spline_slope(), own),
            Tangent::Clamped => {
                let slope = if self.is_clamped(own) { 0.0 } else { self.spline_slope() };
                self.with_slope(slope, own)
            }
            Tangent::Auto
            | Tangent::Plateau
            | Tangent::AutoMix
            | Tangent::AutoEase
            | Tangent::AutoCustom
            | Tangent::Global => self.with_slope(self.auto_slope(tangent), own),
        }
    }

    fn with_slope(&self, slope: f64, own: Option<TangentVector>) -> TangentVector {
        let (before, after) = self.neighbour_lines();
        let x = own.or(before).or(after).map_or(1.0, |line| line.x);
        TangentVector { x, y: slope * x }
    }

    fn neighbour_lines(&self) -> (Option<TangentVector>, Option<TangentVector>) {
        let before = self.before.map(|before| line_between(before, self.here));
        let after = self.after.map(|after| line_between(self.here, after));
        (before, after)
    }

    fn spline_slope(&self) -> f64 {
        let from = self.before.unwrap_or(self.here);
        let to = self.after.unwrap_or(self.here);
        let line = line_between(from, to);
        if line.x > 0.0 { line.y / line.x } else { 0.0 }
    }

    /// Returns `true` if a clamped tangent is horizontal. This is so if there is a neighbouring key
    /// on the side of the tangent, and the value of either neighbouring key is close.
    fn is_clamped(&self, own: Option<TangentVector>) -> bool {
        let (before, after) = self.neighbour_lines();
        let close =
            |line: TangentVector| line.y.abs() * self.units.maya_units_per_value <= CLAMP_TOLERANCE;
        own.is_some() && (before.is_some_and(close) || after.is_some_and(close))
    }

    /// Returns the slope of an automatic tangent. The slope is limited so that the curve does not
    /// overshoot. It is 0 at the first and last key, at extrema, and at keys with the same value as
    /// a neighbouring key.
    fn auto_slope(&self, tangent: Tangent) -> f64 {
        let (Some(before), Some(after)) = self.neighbour_lines() else { return 0.0 };
        if before.y * after.y <= 0.0 {
            return 0.0;
        }
        let slopes = (before.y / before.x, after.y / after.x);
        let part = before.x / (before.x + after.x);
        let mix = |part: f64| (1.0 - part) * slopes.0 + part * slopes.1;
        let slope = match tangent {
            Tangent::AutoMix | Tangent::AutoCustom => mix(part),
            Tangent::AutoEase => mix(ease_weight(part)),
            _ => self.spline_slope(),
        };
        let max_slope = MAX_SLOPE_RATIO * slopes.0.abs().min(slopes.1.abs());
        if slope.abs() <= max_slope {
            slope
        } else if tangent == Tangent::Plateau {
            0.0
        } else {
            max_slope.copysign(slope)
        }
    }

    fn fixed_vector(&self, angle: f64, weight: f64) -> TangentVector {
        let (sin, cos) = (angle * self.units.radians_per_angle).sin_cos();
        let length = if self.weighted { 3.0 * weight } else { 1.0 };
        let (seconds, values) = if self.units.fixed_in_maya_units {
            (1.0, 1.0 / self.units.maya_units_per_value)
        } else {
            (self.units.time.to_seconds(1.0), 1.0)
        };
        TangentVector { x: (length * cos * seconds).max(0.0), y: length * sin * values }
    }
}

fn line_between(from: TimedKey, to: TimedKey) -> TangentVector {
    TangentVector { x: to.time - from.time, y: to.key.value - from.key.value }
}

/// Returns the weight of the slope after the key for the autoease tangent: the smooth step 3p² −
/// 2p³ of `part`. `part` is the time from the previous key to the key, divided by the time from the
/// previous to the next key.
fn ease_weight(part: f64) -> f64 {
    let offset = part - 0.5;
    0.5 + offset * (1.5 - 2.0 * offset * offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::maya::units::FILM;

    const SECOND: TimeUnit =
        TimeUnit { count: 1.0, seconds: 1.0, is_frame: false, is_known_to_maya: true };
    const UNITS: TangentUnits = TangentUnits {
        time: SECOND,
        maya_units_per_value: 1.0,
        radians_per_angle: 1.0,
        fixed_in_maya_units: false,
    };

    fn key(input: f64, value: f64, tangent: Tangent) -> Key {
        Key {
            line: 1,
            input,
            value,
            in_tangent: tangent,
            out_tangent: tangent,
            tangent_lock: true,
            weight_lock: true,
            breakdown: false,
        }
    }

    fn middle_slopes(tangent: Tangent, values: [f64; 3]) -> [f64; 2] {
        let keys = [0, 1, 2].map(|i| key([0.0, 1.0, 3.0][i], values[i], tangent));
        let timed = keys.each_ref().map(|key| TimedKey { time: key.input, key });
        let shape = build_shape(&timed, false, &UNITS);
        let [Segment::Hermite { in_slope, .. }, Segment::Hermite { out_slope, .. }] =
            *shape.segments
        else {
            panic!("{shape:?}");
        };
        [in_slope, out_slope]
    }

    #[test]
    fn tangent_slopes_at_the_middle_key() {
        use Tangent::*;
        let rising = [0.0, 2.0, 3.0];
        let steep = [0.0, 10.0, 10.5];
        let turning = [0.0, 2.0, 1.0];
        // The slopes are 2 and 1, and the key is a third of the way. Automix weighs them by thirds;
        // autoease by the smooth step of a third, 3/9 − 2/27 = 7/27.
        let gentle = [0.0, 2.0, 4.0];
        let cases = [
            (Flat, rising, [0.0; 2]),
            (Spline, rising, [1.0; 2]),
            (Spline, turning, [1.0 / 3.0; 2]),
            (Clamped, rising, [1.0; 2]),
            (Clamped, [0.0, 2.0, 2.05], [0.0; 2]),
            (Auto, rising, [1.0; 2]),
            (Auto, steep, [0.75; 2]),
            (Auto, turning, [0.0; 2]),
            (Auto, [0.0, 2.0, 2.0], [0.0; 2]),
            (Auto, [0.0, -10.0, -10.5], [-0.75; 2]),
            (Global, steep, [0.75; 2]),
            (Plateau, rising, [1.0; 2]),
            (Plateau, steep, [0.0; 2]),
            (AutoMix, gentle, [5.0 / 3.0; 2]),
            (AutoCustom, gentle, [5.0 / 3.0; 2]),
            (AutoEase, gentle, [47.0 / 27.0; 2]),
            (AutoEase, steep, [0.75; 2]),
            (Slow, rising, [2.0, 0.5]),
            (Fast, rising, [2.0, 0.5]),
            (Fixed { angle: 1.0, weight: 9.0 }, rising, [1_f64.tan(); 2]),
            (Fixed { angle: 2.0, weight: 1.0 }, rising, [MAX_SLOPE; 2]),
        ];
        for (tangent, values, expected) in cases {
            let slopes = middle_slopes(tangent, values);
            let near =
                |i: usize| (slopes[i] - expected[i]).abs() <= 1e-12 * expected[i].abs().max(1.0);
            assert!(near(0) && near(1), "{tangent:?} {values:?}: {slopes:?}");
        }
    }

    #[test]
    fn tangent_slopes_at_the_ends() {
        use Tangent::*;
        let upright = Fixed { angle: std::f64::consts::FRAC_PI_2, weight: 1.0 };
        let cases = [
            (Spline, 2.0),
            (Auto, 0.0),
            (Linear, 0.0),
            (Flat, 0.0),
            (Step, 0.0),
            (Fixed { angle: -1.0, weight: 1.0 }, (-1_f64).tan()),
            (upright, 0.0),
        ];
        for (tangent, expected) in cases {
            let keys = [key(0.0, 1.0, tangent), key(2.0, 5.0, tangent)];
            let timed = keys.each_ref().map(|key| TimedKey { time: key.input, key });
            let shape = build_shape(&timed, false, &UNITS);
            for slope in [shape.first_slope, shape.last_slope] {
                assert!((slope - expected).abs() < 1e-12, "{tangent:?}: {slope}");
            }
        }
        let empty = build_shape(&[], false, &UNITS);
        assert_eq!((empty.segments.len(), empty.first_slope), (0, 0.0));
    }

    #[test]
    fn fixed_tangents_use_file_units() {
        // A fixed tangent of 45° is one unit per frame, for any unit of angle.
        let film = TangentUnits { time: FILM, maya_units_per_value: 0.0174, ..UNITS };
        let fixed = Tangent::Fixed { angle: std::f64::consts::FRAC_PI_4, weight: 1.0 };
        let keys = [key(0.0, 0.0, fixed), key(1.0, 1.0, fixed)];
        let timed = keys.each_ref().map(|key| TimedKey { time: key.input / 24.0, key });
        let slope = |units| build_shape(&timed, false, units).last_slope;
        assert!((slope(&film) - 24.0).abs() < 1e-9);
        let old = TangentUnits { fixed_in_maya_units: true, ..film };
        assert!((slope(&old) - 1.0 / 0.0174).abs() < 1e-9);
    }
}
