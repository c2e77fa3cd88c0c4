//! Clips with another interpolation between keys, to compare with the interpolation of the format.

use super::{AnyCurve, Clip, ScalarCurve, Shapes};

/// The interpolation of values between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InterpolationOverride {
    /// The interpolation that the format defines.
    #[default]
    AsDefined,
    /// The value of the nearer key, so that only values from the file are shown.
    Nearest,
    /// Linear interpolation. Rotations are interpolated at constant speed or component by
    /// component, by the clip's rule.
    Linear,
}

impl InterpolationOverride {
    /// All interpolations.
    pub const ALL: [Self; 3] = [Self::AsDefined, Self::Nearest, Self::Linear];
}

impl Clip {
    /// Returns `true` if an [`InterpolationOverride`] can change the clip: some curve has keys
    /// whose values are not held until the next key.
    pub fn supports_interpolation_override(&self) -> bool {
        let mut curves = self.tracks.iter().flat_map(|track| track.curve.components());
        curves.any(|curve| !matches!(curve.shapes(), Shapes::Step))
    }

    /// Returns the clip with another interpolation. Curves whose values are held, driven curves,
    /// and computed curves are unchanged.
    #[must_use]
    pub fn with_interpolation(&self, interpolation: InterpolationOverride) -> Self {
        let mut clip = Self { source_details: None, ..self.clone() };
        let shapes = match interpolation {
            InterpolationOverride::AsDefined => return self.clone(),
            InterpolationOverride::Nearest => Shapes::Nearest,
            InterpolationOverride::Linear => Shapes::Linear,
        };
        let reshaped = |curve: &ScalarCurve| match curve.shapes() {
            Shapes::Step => curve.clone(),
            _ => curve.with_shapes(shapes.clone()),
        };
        for track in &mut clip.tracks {
            track.curve = reshape_curve(&track.curve, &reshaped);
        }
        clip.nodes.edit_motions(|motion| motion.unpack_keys(reshaped));
        clip
    }
}

fn reshape_curve(curve: &AnyCurve, reshaped: &impl Fn(&ScalarCurve) -> ScalarCurve) -> AnyCurve {
    match curve {
        AnyCurve::Number(curve) => AnyCurve::Number(reshaped(curve)),
        AnyCurve::Switch(curve) => AnyCurve::Switch(reshaped(curve)),
        AnyCurve::Typed(curve) => {
            let components: Vec<_> = curve.components().iter().map(reshaped).collect();
            AnyCurve::Typed(Box::new(curve.with_components(components)))
        }
        AnyCurve::Driven(_) | AnyCurve::Text(_) | AnyCurve::Computed(_) => curve.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{Pose, TrackId},
        formats::{ReadOptions, SourceFile, decode},
    };

    const SAMPLES: [(&[u8], &str); 4] = [
        (include_bytes!("../../../../assets/mrtk/two-hands.bin"), "bin"),
        (include_bytes!("../../../../assets/maya/walk-with-hat.anim"), "anim"),
        (include_bytes!("../../../../assets/prime/walk.ANIM"), "ANIM"),
        (include_bytes!("../../../../tests/data/animj/generated/all_types.animj"), "animj"),
    ];

    fn pose(clip: &Clip, time: f64) -> Pose {
        let mut pose = Pose::default();
        clip.sample(time, &mut pose);
        pose
    }

    #[test]
    fn every_interpolation_agrees_on_shared_keys() {
        let (bytes, _) = SAMPLES[2];
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        assert!(clip.supports_interpolation_override());
        let times = clip.tracks[0].curve.key_times().to_vec();
        for interpolation in InterpolationOverride::ALL {
            let other = clip.with_interpolation(interpolation);
            for &time in &times {
                let (ours, theirs) = (pose(&clip, time), pose(&other, time));
                for (a, b) in ours.nodes.iter().zip(&theirs.nodes) {
                    assert!(a.world.translation.abs_diff_eq(b.world.translation, 1e-9));
                    assert!(a.world.rotation.dot(b.world.rotation).abs() > 1.0 - 1e-12);
                }
            }
        }
    }

    #[test]
    fn nearest_interpolation_gives_authored_values() {
        for (bytes, extension) in SAMPLES {
            let name = format!("take.{extension}");
            let clip = decode(SourceFile::new(&name, bytes), &ReadOptions::default()).unwrap();
            let nearest = clip.with_interpolation(InterpolationOverride::Nearest);
            for id in (0..clip.tracks.len()).map(TrackId::new) {
                let curve = &clip.track(id).curve;
                let Some(pair) = curve.key_times().windows(2).next() else { continue };
                let shapes = curve.components().first().map(ScalarCurve::shapes);
                if matches!(shapes, None | Some(Shapes::Step)) {
                    continue;
                }
                let value_at =
                    |fraction: f64| nearest.value(id, pair[0] + fraction * (pair[1] - pair[0]));
                let name = &clip.track(id).property;
                assert_eq!(value_at(0.4), curve.key_value(0), "{extension}: {name}");
                assert_eq!(value_at(0.6), curve.key_value(1), "{extension}: {name}");
            }
        }
    }

    #[test]
    fn poses_follow_the_interpolation_override() {
        let (bytes, _) = SAMPLES[0];
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let times = clip.tracks.iter().find(|track| track.property == "position.x").unwrap();
        let &[start, end, ..] = times.curve.key_times() else { panic!("two keys") };
        let (just_after, middle) = (start + 0.1 * (end - start), start + 0.5 * (end - start));
        let head = |clip: &Clip, time| pose(clip, time).nodes[0].world.translation;
        let nearest = clip.with_interpolation(InterpolationOverride::Nearest);
        assert_eq!(head(&nearest, just_after), head(&clip, start));
        assert_eq!(head(&nearest, middle), head(&clip, end));
        let linear = head(&clip.with_interpolation(InterpolationOverride::Linear), middle);
        let between = (head(&clip, start) + head(&clip, end)) / 2.0;
        assert!(linear.abs_diff_eq(between, 1e-9), "{linear} instead of {between}");
    }
}
