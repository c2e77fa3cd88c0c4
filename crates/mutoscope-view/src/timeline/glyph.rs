//! Determines the shape of curves on either side of a key.

use mutoscope_core::clip::{AnyCurve, Extrapolation, Interpolation, ScalarCurve};

/// The shape of a curve on one side of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlyphSide {
    /// The value holds.
    Hold,
    /// The curve is straight.
    Linear,
    /// The curve follows tangents.
    Smooth,
    /// Another shape: the curve repeats, or the curves that share the key differ.
    Other,
}

/// The shape of curves before and after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Glyph {
    /// The shape on the side of earlier times.
    pub before: GlyphSide,
    /// The shape on the side of later times.
    pub after: GlyphSide,
}

impl Glyph {
    /// A key of unknown shape.
    pub const OTHER: Self = Self { before: GlyphSide::Other, after: GlyphSide::Other };

    /// Returns the shape of `curve` on either side of the key at `index`. Before the first and
    /// after the last key, this is the extrapolation.
    pub fn for_key(curve: &AnyCurve, index: usize) -> Self {
        if matches!(curve, AnyCurve::Text(_)) || curve.is_switch() {
            return Self { before: GlyphSide::Hold, after: GlyphSide::Hold };
        }
        let components = curve.components();
        let Some((first, others)) = components.split_first() else { return Self::OTHER };
        let (before, after) = curve.extrapolation();
        let glyph_of = |component: &ScalarCurve| {
            let before_key = index.checked_sub(1).map_or(side_outside_of_keys(before), |left| {
                component.interpolation(left).map_or(GlyphSide::Other, side_between_keys)
            });
            Self {
                before: before_key,
                after: component
                    .interpolation(index)
                    .map_or(side_outside_of_keys(after), side_between_keys),
            }
        };
        others.iter().map(glyph_of).fold(glyph_of(first), Self::merged_with)
    }

    /// Merges the glyphs of two keys at the same time. A side on which they differ becomes
    /// [`GlyphSide::Other`].
    #[must_use]
    pub fn merged_with(self, other: Self) -> Self {
        let both = |a, b| if a == b { a } else { GlyphSide::Other };
        Self { before: both(self.before, other.before), after: both(self.after, other.after) }
    }
}

fn side_between_keys(interpolation: Interpolation) -> GlyphSide {
    match interpolation {
        Interpolation::Step | Interpolation::StepNext | Interpolation::Nearest => GlyphSide::Hold,
        Interpolation::Linear => GlyphSide::Linear,
        Interpolation::Smooth => GlyphSide::Smooth,
    }
}

fn side_outside_of_keys(extrapolation: Extrapolation) -> GlyphSide {
    match extrapolation {
        Extrapolation::Constant => GlyphSide::Hold,
        Extrapolation::Linear { .. } => GlyphSide::Linear,
        Extrapolation::Cycle | Extrapolation::CycleWithOffset | Extrapolation::Oscillate => {
            GlyphSide::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::clip::{KeyTimes, Segment, Shapes};

    #[test]
    fn glyph_sides_show_interpolation() {
        let times = KeyTimes::new(vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let hermite = Segment::Hermite { out_slope: 1.0, in_slope: 1.0 };
        let segments = Shapes::Segments([Segment::Step, Segment::Linear, hermite].into());
        let curve = ScalarCurve::new(times, vec![0.0_f32; 4], segments)
            .with_extrapolation(Extrapolation::Constant, Extrapolation::Cycle);
        let curve = AnyCurve::Number(curve);
        let glyphs = [0, 1, 2, 3].map(|key| Glyph::for_key(&curve, key));
        let halves = glyphs.map(|glyph| (glyph.before, glyph.after));
        use GlyphSide::{Hold, Linear, Other, Smooth};
        assert_eq!(halves, [(Hold, Hold), (Hold, Linear), (Linear, Smooth), (Smooth, Other)]);
    }

    #[test]
    fn differing_interpolations_are_marked() {
        let a = Glyph { before: GlyphSide::Hold, after: GlyphSide::Linear };
        let b = Glyph { before: GlyphSide::Hold, after: GlyphSide::Smooth };
        assert_eq!(a.merged_with(b), Glyph { before: GlyphSide::Hold, after: GlyphSide::Other });
        assert_eq!(a.merged_with(a), a);
    }
}
