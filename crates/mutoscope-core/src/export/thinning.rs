//! Removes keys that interpolation restores within given bounds.

use std::str::FromStr;

use super::{Job, OptionKind, TargetOption, node_motion::NodeMotion};

/// The option of targets that can thin keys.
pub(super) const OPTION: TargetOption = TargetOption {
    name: "thin",
    label: "Thin keys to",
    help: "Remove keys that interpolation restores within this distance and this angle, relative to the parent, \
           such as 0.5,0.2 [default: keep all keys]",
    kind: OptionKind::Bounds,
};

/// The largest errors that removing keys may cause, relative to the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thinning {
    millimetres: f64,
    degrees: f64,
}

impl FromStr for Thinning {
    type Err = ();

    /// Parses a distance in millimetres and an angle in degrees, separated by a comma.
    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |part: &str| part.trim().parse().ok().filter(|it: &f64| it.is_finite());
        let bounds = text.split_once(',');
        let bounds = bounds.and_then(|(left, right)| Some([number(left)?, number(right)?]));
        match bounds {
            Some([millimetres, degrees]) if millimetres >= 0.0 && degrees >= 0.0 => {
                Ok(Self { millimetres, degrees })
            }
            _ => Err(()),
        }
    }
}

impl Job<'_> {
    /// Returns the bounds of the option [`OPTION`], or `None` if all keys are kept.
    pub(super) fn thinning(&self) -> Option<Thinning> {
        self.settings.choice(&OPTION)
    }
}

impl Thinning {
    /// Removes keys of translations and rotations. Scales and the visibility stay.
    pub(super) fn thin(self, motion: &NodeMotion) -> NodeMotion {
        NodeMotion {
            translation: motion.translation.simplified(1e-3 * self.millimetres),
            rotation: motion.rotation.simplified(self.angle()),
            scale: motion.scale.clone(),
            shown: motion.shown.clone(),
        }
    }

    /// Returns these bounds with half of the angle.
    pub(super) fn with_half_angle(self) -> Self {
        Self { degrees: 0.5 * self.degrees, ..self }
    }

    /// Returns the largest error of rotations, in radians.
    pub(super) fn angle(self) -> f64 {
        self.degrees.to_radians()
    }

    pub(super) fn describe(self) -> String {
        let Self { millimetres, degrees } = self;
        format!("keys removed where interpolation is within {millimetres} mm and {degrees}°")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_two_numbers_that_are_not_negative() {
        let parse = |text: &str| text.parse::<Thinning>().ok();
        let bounds = |millimetres, degrees| Some(Thinning { millimetres, degrees });
        assert_eq!(parse("0.5,0.2"), bounds(0.5, 0.2));
        assert_eq!(parse("1, 0"), bounds(1.0, 0.0));
        for wrong in ["", "0.5", "0.5,", "0.5,x", "-1,0.2", "0.5,inf", "1,2,3", "NaN,1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
