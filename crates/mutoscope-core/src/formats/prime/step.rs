//! The quantisation step of a stream: converts its integers to values.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, DVec4};

use super::RawKey;
use crate::clip::ErrorBound;

/// The value that the integer 1 represents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A fraction of a quarter turn. Each of x, y and z of the quaternion is the sine of a multiple
    /// of this angle.
    Rotation {
        /// The number of steps in a quarter turn.
        divisor: u32,
    },
    /// A length in metres, or a scale factor.
    Vector {
        /// The value of one step.
        multiplier: f32,
    },
}

impl Step {
    /// Returns the value of `key`: the unit quaternion x, y, z, w of a rotation, or x, y, z and 0
    /// of a vector.
    pub fn value(self, key: RawKey) -> DVec4 {
        self.value_for_numbers(DVec3::from_array(key.numbers.map(f64::from)), key.is_negative)
    }

    /// Returns the value for `numbers`, which are not integers if [`Self::deviation`] asks for
    /// values half a step away.
    fn value_for_numbers(self, numbers: DVec3, is_negative: bool) -> DVec4 {
        match self {
            Self::Rotation { divisor } => {
                let angle = FRAC_PI_2 / f64::from(divisor);
                let imaginary = (numbers * angle).map(f64::sin);
                let rest = 1.0 - imaginary.length_squared();
                if rest > 0.0 {
                    let w = rest.sqrt();
                    imaginary.extend(if is_negative { -w } else { w })
                } else {
                    // Because of rounding, x, y and z may be longer than 1. Then w is 0, and x, y
                    // and z are scaled to unit length.
                    imaginary.normalize().extend(0.0)
                }
            }
            Self::Vector { multiplier } => (numbers * f64::from(multiplier)).extend(0.0),
        }
    }

    /// Returns the integers that are nearest to a vector, or to the x, y and z of a quaternion.
    pub(super) fn nearest_numbers(self, vector: DVec3) -> [i16; 3] {
        let numbers = match self {
            Self::Rotation { divisor } => {
                let angle = FRAC_PI_2 / f64::from(divisor);
                vector.map(|component| component.clamp(-1.0, 1.0).asin() / angle)
            }
            Self::Vector { multiplier } => vector / f64::from(multiplier),
        };
        numbers.round().to_array().map(|number| number as i16)
    }

    /// Returns the largest error of `key`. We assume that the writer rounded to the nearest
    /// integers, so that each axis is wrong by at most half a step.
    pub fn deviation(self, key: RawKey) -> ErrorBound {
        let numbers = DVec3::from_array(key.numbers.map(f64::from));
        let value = self.value(key);
        let halves = [-0.5, 0.5];
        let corners = halves.into_iter().flat_map(|x| {
            halves.into_iter().flat_map(move |y| halves.map(|z| DVec3::new(x, y, z)))
        });
        let distances = corners.map(|corner| {
            (self.value_for_numbers(numbers + corner, key.is_negative) - value).length()
        });
        let farthest = distances.fold(0.0, f64::max);
        match self {
            // The unit quaternions of two rotations that differ by an angle are 2 sin(angle / 4)
            // apart. Solve this for the angle.
            Self::Rotation { .. } => ErrorBound::Turn(4.0 * (0.5 * farthest).min(1.0).asin()),
            Self::Vector { .. } => ErrorBound::Length(farthest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation(divisor: u32, numbers: [i16; 3]) -> (DVec4, f64) {
        let (step, key) = (Step::Rotation { divisor }, RawKey { is_negative: false, numbers });
        let ErrorBound::Turn(turn) = step.deviation(key) else { panic!("a rotation turns") };
        (step.value(key), turn.to_degrees())
    }

    #[test]
    fn quantised_rotations_are_sines_of_angles() {
        // 512 of 4096 steps are an eighth of a quarter turn, so x is sin(11.25°).
        let (value, _) = rotation(4096, [512, 0, 0]);
        assert!((value - DVec4::new(0.195_090_322, 0.0, 0.0, 0.980_785_280)).length() < 1e-9);
        let negative = RawKey { is_negative: true, numbers: [512, 0, 0] };
        assert_eq!(Step::Rotation { divisor: 4096 }.value(negative).w, -value.w);
    }

    #[test]
    fn rotations_are_normalised_when_w_vanishes() {
        for numbers in [[4096, 4096, 4096], [4096, 1, 0], [i16::MIN, i16::MAX, -1]] {
            let (value, _) = rotation(4096, numbers);
            assert!((value.length() - 1.0).abs() < 1e-12, "{numbers:?}: {value}");
        }
    }

    /// A component is the sine of half the rotation angle, so half a step on each axis turns the
    /// bone by a whole step, 90° / divisor. Near half a turn, w is the square root of a small
    /// remainder, so the error grows to the square root of a step.
    #[test]
    fn rotation_step_is_small_except_near_half_turns() {
        let (_, at_rest) = rotation(32_767, [0; 3]);
        let on_each_axis = 90.0 / 32_767.0;
        assert!((at_rest - on_each_axis * 3.0_f64.sqrt()).abs() < 1e-6, "{at_rest}");
        for (divisor, degrees) in [(32_766, 0.8), (4094, 2.3)] {
            // Half the divisor is sin(45°), so the axis lies half-way between x and y.
            let eighth = divisor as i16 / 2;
            let (_, half_turn) = rotation(divisor, [eighth, eighth, 0]);
            assert!((0.5 * degrees..degrees).contains(&half_turn), "{divisor}: {half_turn}");
        }
    }

    #[test]
    fn vector_step_is_half_the_multiplier_per_axis() {
        let step = Step::Vector { multiplier: 0.5 };
        let key = RawKey { is_negative: false, numbers: [2, -4, 0] };
        assert_eq!(step.value(key), DVec4::new(1.0, -2.0, 0.0, 0.0));
        assert_eq!(step.deviation(key), ErrorBound::Length(0.1875_f64.sqrt()));
    }
}
