//! The meaning of the integers of a stream, and their quantisation step.

use std::f64::consts::FRAC_PI_2;

use glam::{DVec3, DVec4};

use super::RawKey;
use crate::clip::Deviation;

/// The meaning of the integer 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A part of a quarter turn: a component of a quaternion is the sine of such an angle.
    Rotation {
        /// How many of them make a quarter turn.
        divisor: u32,
    },
    /// A length in metres, or a factor.
    Vector {
        /// How much it is.
        multiplier: f32,
    },
}

impl Step {
    /// The rotation that `key` stands for, as x, y, z and w, of unit length; of a vector its x, y
    /// and z, and 0.
    pub fn value(self, key: RawKey) -> DVec4 {
        self.value_between(DVec3::from_array(key.numbers.map(f64::from)), key.is_negative)
    }

    /// The value for numbers that need not be whole.
    fn value_between(self, numbers: DVec3, is_negative: bool) -> DVec4 {
        match self {
            Self::Rotation { divisor } => {
                let angle = FRAC_PI_2 / f64::from(divisor);
                let imaginary = (numbers * angle).map(f64::sin);
                let rest = 1.0 - imaginary.length_squared();
                if rest > 0.0 {
                    let w = rest.sqrt();
                    imaginary.extend(if is_negative { -w } else { w })
                } else {
                    // Rounding can leave nothing for w, and a quaternion that is too long.
                    imaginary.normalize().extend(0.0)
                }
            }
            Self::Vector { multiplier } => (numbers * f64::from(multiplier)).extend(0.0),
        }
    }

    /// The quantisation error of `key`, if it was rounded to the nearest integers: half a step in
    /// each.
    pub fn deviation(self, key: RawKey) -> Deviation {
        let numbers = DVec3::from_array(key.numbers.map(f64::from));
        let value = self.value(key);
        let halves = [-0.5, 0.5];
        let corners = halves.into_iter().flat_map(|x| {
            halves.into_iter().flat_map(move |y| halves.map(|z| DVec3::new(x, y, z)))
        });
        let distances = corners
            .map(|corner| (self.value_between(numbers + corner, key.is_negative) - value).length());
        let farthest = distances.fold(0.0, f64::max);
        match self {
            // The chord between unit quaternions is twice the sine of a quarter of the turn.
            Self::Rotation { .. } => Deviation::Turn(4.0 * (0.5 * farthest).min(1.0).asin()),
            Self::Vector { .. } => Deviation::Length(farthest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation(divisor: u32, numbers: [i16; 3]) -> (DVec4, f64) {
        let (step, key) = (Step::Rotation { divisor }, RawKey { is_negative: false, numbers });
        let Deviation::Turn(turn) = step.deviation(key) else { panic!("a rotation turns") };
        (step.value(key), turn.to_degrees())
    }

    #[test]
    fn quantised_rotations_are_sines_of_angles() {
        // An eighth of the divisor is the sine of 11.25°.
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

    /// Half a step is half of a divisor's part of a quarter turn on each axis, and a rotation by
    /// an angle has the sine of half of it; near half a turn w, which is what is left, is known
    /// to the root of a step only.
    #[test]
    fn rotation_step_is_small_except_near_half_turns() {
        let (_, at_rest) = rotation(32_767, [0; 3]);
        let on_each_axis = 90.0 / 32_767.0;
        assert!((at_rest - on_each_axis * 3.0_f64.sqrt()).abs() < 1e-6, "{at_rest}");
        for (divisor, degrees) in [(32_766, 0.8), (4094, 2.3)] {
            // Half way between two axes, where both numbers stand for 45°.
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
        assert_eq!(step.deviation(key), Deviation::Length(0.1875_f64.sqrt()));
    }
}
