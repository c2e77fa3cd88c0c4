//! From tangent types to the shapes of segments.
//!
//! Everything here is in seconds and in the curve's own unit of values. Where a rule depends on a
//! unit of Maya's (centimetres, radians), [`Units`] converts.

use std::sync::Arc;

use super::{Key, Tangent, units::TimeUnit};
use crate::clip::{Handle, Segment};

/// The steepest slope there is, in Maya's units a second: the tangent of 89.99999°. Upright
/// tangents have it.
const STEEPEST: f64 = 5_729_577.951_308_232;

/// How close a neighbour's value has to be, in Maya's units, for a clamped tangent to be level.
const CLOSE: f64 = 0.05;

/// How many times the flatter of its two neighbours an automatic tangent may be as steep as.
const OVERSHOOT: f64 = 3.0;

/// The units of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    /// The unit of input.
    pub(super) time: TimeUnit,
    /// Maya's units (centimetres, radians, seconds) in one unit of output.
    pub(super) internal: f64,
    /// Radians in one unit of the angles of fixed tangents.
    pub(super) angle: f64,
    /// Whether fixed tangents are stated in seconds and Maya's units, as up to Maya 2, rather than
    /// in the units of the file.
    pub(super) fixed_are_internal: bool,
}

/// The shape of a curve besides its keys' values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CurveShape {
    /// The segments between keys.
    pub(super) segments: Arc<[Segment]>,
    /// The slope before the first key for linear extrapolation, in value per second.
    pub(super) first_slope: f64,
    /// The slope after the last key.
    pub(super) last_slope: f64,
}

/// A key by itself: its time in seconds, and its data in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimedKey<'a> {
    pub(super) time: f64,
    pub(super) key: &'a Key,
}

/// The shape of a curve through `keys`, which are in the order of time.
pub(super) fn run(keys: &[TimedKey], weighted: bool, units: &Units) -> CurveShape {
    let around = |index: usize| Around {
        before: index.checked_sub(1).map(|before| keys[before]),
        here: keys[index],
        after: keys.get(index + 1).copied(),
        units,
        weighted,
    };
    let segments = (1..keys.len()).map(|index| {
        let (left, right) = (around(index - 1), around(index));
        segment(&left, &right, weighted, units)
    });
    let last = keys.len().checked_sub(1);
    let end_slope = |slope: f64| if slope.abs() * units.internal < STEEPEST { slope } else { 0.0 };
    let slope_of = |vector: Vector| end_slope(vector.slope(units));
    CurveShape {
        segments: segments.collect(),
        first_slope: last.map_or(0.0, |_| slope_of(around(0).in_vector())),
        last_slope: last.map_or(0.0, |last| slope_of(around(last).out_vector())),
    }
}

fn segment(left: &Around, right: &Around, weighted: bool, units: &Units) -> Segment {
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
        Segment::weighted(out.handle(duration), facing.handle(duration), duration)
    } else {
        Segment::Hermite { out_slope: out.slope(units), in_slope: facing.slope(units) }
    }
}

/// A tangent: three times a handle of the Bezier, in seconds and the curve's unit of values. It
/// points forwards in time on either side of its key.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Vector {
    x: f64,
    y: f64,
}

impl Vector {
    const LEVEL: Self = Self { x: 1.0, y: 0.0 };
    const NONE: Self = Self { x: 0.0, y: 0.0 };

    /// In value per second; that of an upright one is as steep as can be.
    fn slope(self, units: &Units) -> f64 {
        if self.y == 0.0 {
            return 0.0;
        }
        let steepest = STEEPEST / units.internal;
        (self.y / self.x.max(0.0)).clamp(-steepest, steepest)
    }

    fn handle(self, duration: f64) -> Handle {
        Handle { part: self.x / 3.0 / duration, rise: self.y / 3.0 }
    }
}

/// A key with its neighbours: all that its tangents depend on.
#[derive(Clone, Copy, Debug)]
struct Around<'a> {
    before: Option<TimedKey<'a>>,
    here: TimedKey<'a>,
    after: Option<TimedKey<'a>>,
    units: &'a Units,
    weighted: bool,
}

impl Around<'_> {
    fn in_vector(&self) -> Vector {
        self.vector(self.here.key.in_tangent, self.before.map(|before| line(before, self.here)))
    }

    fn out_vector(&self) -> Vector {
        self.vector(self.here.key.out_tangent, self.after.map(|after| line(self.here, after)))
    }

    /// The tangent of this type on the side on which `own` is the line to the neighbour.
    fn vector(&self, tangent: Tangent, own: Option<Vector>) -> Vector {
        match tangent {
            Tangent::Fixed { angle, weight } => self.fixed(angle, weight),
            Tangent::Step | Tangent::StepNext => Vector::NONE,
            Tangent::Linear | Tangent::Slow | Tangent::Fast => own.unwrap_or(Vector::LEVEL),
            Tangent::Flat => self.with_slope(0.0, own),
            Tangent::Spline => self.with_slope(self.spline(), own),
            Tangent::Clamped => {
                let slope = if self.is_clamped(own) { 0.0 } else { self.spline() };
                self.with_slope(slope, own)
            }
            Tangent::Auto
            | Tangent::Plateau
            | Tangent::AutoMix
            | Tangent::AutoEase
            | Tangent::AutoCustom
            | Tangent::Global => self.with_slope(self.automatic(tangent), own),
        }
    }

    /// As long as the way to the neighbour on its own side, or to the other one.
    fn with_slope(&self, slope: f64, own: Option<Vector>) -> Vector {
        let (before, after) = self.lines();
        let x = own.or(before).or(after).map_or(1.0, |line| line.x);
        Vector { x, y: slope * x }
    }

    /// The lines from the key before, and to the key after.
    fn lines(&self) -> (Option<Vector>, Option<Vector>) {
        let before = self.before.map(|before| line(before, self.here));
        let after = self.after.map(|after| line(self.here, after));
        (before, after)
    }

    /// The slope from the key before to the key after; of a key at an end, to its only neighbour.
    fn spline(&self) -> f64 {
        let from = self.before.unwrap_or(self.here);
        let to = self.after.unwrap_or(self.here);
        let way = line(from, to);
        if way.x > 0.0 { way.y / way.x } else { 0.0 }
    }

    /// Whether a clamped tangent is level: it has a neighbour on its own side, and some neighbour's
    /// value is close.
    fn is_clamped(&self, own: Option<Vector>) -> bool {
        let (before, after) = self.lines();
        let close = |line: Vector| line.y.abs() * self.units.internal <= CLOSE;
        own.is_some() && (before.is_some_and(close) || after.is_some_and(close))
    }

    /// The slope of automatic tangents, which do not leave the range of the neighbours' values. It
    /// is 0 at the ends, at extrema, and next to an equal value.
    fn automatic(&self, tangent: Tangent) -> f64 {
        let (Some(before), Some(after)) = self.lines() else { return 0.0 };
        if before.y * after.y <= 0.0 {
            return 0.0;
        }
        let slopes = (before.y / before.x, after.y / after.x);
        let part = before.x / (before.x + after.x);
        let mix = |part: f64| (1.0 - part) * slopes.0 + part * slopes.1;
        let slope = match tangent {
            Tangent::AutoMix | Tangent::AutoCustom => mix(part),
            Tangent::AutoEase => mix(eased(part)),
            _ => self.spline(),
        };
        let steepest = OVERSHOOT * slopes.0.abs().min(slopes.1.abs());
        if slope.abs() <= steepest {
            slope
        } else if tangent == Tangent::Plateau {
            0.0
        } else {
            steepest.copysign(slope)
        }
    }

    /// The tangent with this angle and length in the space of the file's units. Unweighted tangents
    /// have a direction only.
    fn fixed(&self, angle: f64, weight: f64) -> Vector {
        let (sin, cos) = (angle * self.units.angle).sin_cos();
        let length = if self.weighted { 3.0 * weight } else { 1.0 };
        let (seconds, values) = if self.units.fixed_are_internal {
            (1.0, 1.0 / self.units.internal)
        } else {
            (self.units.time.in_seconds(1.0), 1.0)
        };
        Vector { x: (length * cos * seconds).max(0.0), y: length * sin * values }
    }
}

/// The way from one key to another.
fn line(from: TimedKey, to: TimedKey) -> Vector {
    Vector { x: to.time - from.time, y: to.key.value - from.key.value }
}

/// The weight that autoease gives to the slope after the key, where the gap before it is the
/// fraction `part` of the gap between its neighbours.
fn eased(part: f64) -> f64 {
    let off = part - 0.5;
    0.5 + off * (1.5 - 2.0 * off * off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::maya::units::FILM;

    const SECOND: TimeUnit =
        TimeUnit { count: 1.0, seconds: 1.0, is_frame: false, is_known_to_maya: true };
    const UNITS: Units =
        Units { time: SECOND, internal: 1.0, angle: 1.0, fixed_are_internal: false };

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

    /// The slopes at the middle one of three keys of this type, at 0, 1 and 3 seconds.
    fn middle(tangent: Tangent, values: [f64; 3]) -> [f64; 2] {
        let keys = [0, 1, 2].map(|i| key([0.0, 1.0, 3.0][i], values[i], tangent));
        let timed = keys.each_ref().map(|key| TimedKey { time: key.input, key });
        let made = run(&timed, false, &UNITS);
        let [Segment::Hermite { in_slope, .. }, Segment::Hermite { out_slope, .. }] =
            *made.segments
        else {
            panic!("{made:?}");
        };
        [in_slope, out_slope]
    }

    #[test]
    fn tangent_slopes_between_two_keys() {
        use Tangent::*;
        let rising = [0.0, 2.0, 3.0];
        let steep = [0.0, 10.0, 10.5];
        let turning = [0.0, 2.0, 1.0];
        // Slopes 2 and 1, after a third of the way: automix weighs by thirds, autoease by the
        // smooth step of a third, 3/9 - 2/27 = 7/27.
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
            (Fixed { angle: 2.0, weight: 1.0 }, rising, [STEEPEST; 2]),
        ];
        for (tangent, values, expected) in cases {
            let slopes = middle(tangent, values);
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
            let made = run(&timed, false, &UNITS);
            for slope in [made.first_slope, made.last_slope] {
                assert!((slope - expected).abs() < 1e-12, "{tangent:?}: {slope}");
            }
        }
        let nothing = run(&[], false, &UNITS);
        assert_eq!((nothing.segments.len(), nothing.first_slope), (0, 0.0));
    }

    #[test]
    fn fixed_tangents_use_file_units() {
        // 45° is a degree a frame, whatever a degree is.
        let film = Units { time: FILM, internal: 0.0174, ..UNITS };
        let fixed = Tangent::Fixed { angle: std::f64::consts::FRAC_PI_4, weight: 1.0 };
        let keys = [key(0.0, 0.0, fixed), key(1.0, 1.0, fixed)];
        let timed = keys.each_ref().map(|key| TimedKey { time: key.input / 24.0, key });
        let slope = |units| run(&timed, false, units).last_slope;
        assert!((slope(&film) - 24.0).abs() < 1e-9);
        let old = Units { fixed_are_internal: true, ..film };
        assert!((slope(&old) - 1.0 / 0.0174).abs() < 1e-9);
    }
}
