//! How curves run on either side of a key.

use crate::clip::{AnyCurve, Extrapolation, Interpolation};

/// How a curve runs on one side of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// A value holds.
    Hold,
    /// Straight.
    Linear,
    /// Along tangents.
    Smooth,
    /// In another way: it repeats, or curves that share the key differ.
    Other,
}

/// How curves run into a key and out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Glyph {
    /// On the side of earlier times.
    pub before: Half,
    /// On the side of later times.
    pub after: Half,
}

impl Glyph {
    /// Nothing is known but that there is a key.
    pub const OTHER: Self = Self { before: Half::Other, after: Half::Other };

    /// The sides of the key of `curve` with this index. Outside of all keys it is how the curve
    /// goes on there.
    pub fn of(curve: &AnyCurve, index: usize) -> Self {
        if matches!(curve, AnyCurve::Text(_)) || curve.is_switch() {
            return Self { before: Half::Hold, after: Half::Hold };
        }
        let components = curve.components();
        let Some((first, others)) = components.split_first() else { return Self::OTHER };
        let (before, after) = curve.extrapolation();
        let one = |component: &crate::clip::ScalarCurve| {
            let inwards = index.checked_sub(1).map_or(outside(before), |left| {
                component.interpolation(left).map_or(Half::Other, half)
            });
            Self {
                before: inwards,
                after: component.interpolation(index).map_or(outside(after), half),
            }
        };
        others.iter().map(one).fold(one(first), Self::and)
    }

    /// The glyph that fits both keys: a side on which they differ is [`Half::Other`].
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |a, b| if a == b { a } else { Half::Other };
        Self { before: both(self.before, other.before), after: both(self.after, other.after) }
    }
}

fn half(interpolation: Interpolation) -> Half {
    match interpolation {
        Interpolation::Step | Interpolation::StepNext | Interpolation::Nearest => Half::Hold,
        Interpolation::Linear => Half::Linear,
        Interpolation::Smooth => Half::Smooth,
    }
}

fn outside(extrapolation: Extrapolation) -> Half {
    match extrapolation {
        Extrapolation::Constant => Half::Hold,
        Extrapolation::Linear { .. } => Half::Linear,
        Extrapolation::Cycle | Extrapolation::CycleWithOffset | Extrapolation::Oscillate => {
            Half::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{KeyTimes, ScalarCurve, Segment, Shapes};

    #[test]
    fn glyph_sides_show_interpolation() {
        let times = KeyTimes::new(vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let hermite = Segment::Hermite { out_slope: 1.0, in_slope: 1.0 };
        let segments = Shapes::Segments([Segment::Step, Segment::Linear, hermite].into());
        let curve = ScalarCurve::new(times, vec![0.0_f32; 4], segments)
            .extrapolated(Extrapolation::Constant, Extrapolation::Cycle);
        let curve = AnyCurve::Number(curve);
        let glyphs = [0, 1, 2, 3].map(|key| Glyph::of(&curve, key));
        let halves = glyphs.map(|glyph| (glyph.before, glyph.after));
        use Half::{Hold, Linear, Other, Smooth};
        assert_eq!(halves, [(Hold, Hold), (Hold, Linear), (Linear, Smooth), (Smooth, Other)]);
    }

    #[test]
    fn differing_interpolations_are_marked() {
        let a = Glyph { before: Half::Hold, after: Half::Linear };
        let b = Glyph { before: Half::Hold, after: Half::Smooth };
        assert_eq!(a.and(b), Glyph { before: Half::Hold, after: Half::Other });
        assert_eq!(a.and(a), a);
    }
}
