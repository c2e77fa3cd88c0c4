//! Sources of rotations, and rotations whose components are separate curves.

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4};

use super::{
    AnyCurve, Blend, ComponentVector, Convention, EulerRotation, Hint, RotationRule, ScalarCurve,
    Track, TrackId,
    curve::{KeySet, PackedKeys, Round, SampleCursor},
};

/// A quaternion shorter than this has no direction left and counts as zero.
const SHORTEST: f64 = 1e-6;

/// The source of a node's rotation.
#[derive(Clone, Debug, Default)]
pub enum Rotation {
    /// From its rest pose.
    #[default]
    Rest,
    /// From the four components of a quaternion.
    Components(ComponentRotation),
    /// From a curve of whole quaternions.
    Keyed(TrackId),
    /// From angles about the axes.
    Euler(Box<EulerRotation>),
    /// From a direction in source space: −Z of the viewer's space points along it, +Y as far up as
    /// possible. For Unity, that is its own +Z.
    Direction(ComponentVector),
}

/// A quaternion whose x, y, z and w are separate curves, interpolated on their own and normalised
/// afterwards, as Unity does.
#[derive(Clone, Debug)]
pub struct ComponentRotation {
    tracks: [TrackId; 4],
    /// Replaces the w that was lost.
    rebuilt_w: Option<Box<ScalarCurve>>,
    /// The keys to negate so that consecutive ones turn the short way.
    negated: Option<Arc<KeySet>>,
    /// The keys, negated so, where the four curves are keyed alike.
    packed: Option<PackedKeys<4>>,
    /// Whether rotations turn at constant speed from key to key.
    is_spherical: bool,
}

impl ComponentRotation {
    /// The rotation with these components among `tracks`.
    ///
    /// Where the four curves share their key times, it also knows which keys to negate under
    /// [`RotationRule::Continuous`], and values are held side by side from now on, no longer by each curve.
    pub fn new(components: [TrackId; 4], tracks: &mut [Track]) -> Self {
        Self::build(components, None, tracks)
    }

    /// The rotation with these components among `tracks`, which turns from key to key the short way
    /// at constant speed by [`RotationRule::Continuous`]. For sampled rotations of which each key is
    /// a whole quaternion.
    ///
    /// The four curves have to share their key times; else it is as [`Self::new`] makes it.
    pub fn spherical(components: [TrackId; 4], tracks: &mut [Track]) -> Self {
        let curves = components.map(|id| tracks[id.index()].curve.scalar());
        let is_spherical =
            curves.iter().all(|curve| curve.times().is_shared_with(curves[0].times()));
        if !is_spherical {
            return Self::build(components, None, tracks);
        }
        Self { tracks: components, rebuilt_w: None, negated: None, packed: None, is_spherical }
    }

    /// The same, with `w` in place of the w of the file, which stays in its track.
    pub fn with_rebuilt_w(components: [TrackId; 4], w: ScalarCurve, tracks: &mut [Track]) -> Self {
        Self::build(components, Some(w), tracks)
    }

    fn build(components: [TrackId; 4], w: Option<ScalarCurve>, tracks: &mut [Track]) -> Self {
        let mut rotation = Self {
            tracks: components,
            rebuilt_w: w.map(Box::new),
            negated: None,
            packed: None,
            is_spherical: false,
        };
        let curves = rotation.curves(tracks);
        let times = curves[0].times();
        if curves.iter().all(|curve| curve.times().is_shared_with(times)) {
            let negated = keys_of_other_sign(curves).map(Arc::new);
            let packed = PackedKeys::new(curves, negated.as_deref());
            rotation.packed = packed;
            rotation.negated = negated;
            rotation.hold_packed(tracks);
        }
        rotation
    }

    /// Lets the curves hold the values that are side by side.
    fn hold_packed(&mut self, tracks: &mut [Track]) {
        let Some(packed) = &self.packed else { return };
        let [x, y, z, w] = packed.columns(self.negated.as_ref());
        let ids = self.tracks.map(TrackId::index);
        for (id, values) in ids.into_iter().zip([x, y, z]) {
            tracks[id].curve.scalar_mut().hold(values);
        }
        match &mut self.rebuilt_w {
            Some(rebuilt) => rebuilt.hold(w),
            None => tracks[ids[3]].curve.scalar_mut().hold(w),
        }
    }

    /// The same for curves of the same keys with other shapes between them: `change` replaces the
    /// rebuilt w. Keys are not packed side by side, which would visit each.
    pub(super) fn reshaped(&self, change: impl Fn(&ScalarCurve) -> ScalarCurve) -> Self {
        let rebuilt_w = self.rebuilt_w.as_deref().map(change).map(Box::new);
        Self { rebuilt_w, packed: None, ..self.clone() }
    }

    /// The tracks of x, y, z and w.
    pub fn tracks(&self) -> [TrackId; 4] {
        self.tracks
    }

    /// The curve in the place of the w that was lost, if it was.
    pub fn rebuilt_w(&self) -> Option<&ScalarCurve> {
        self.rebuilt_w.as_deref()
    }

    fn curves<'a>(&'a self, tracks: &'a [Track]) -> [&'a ScalarCurve; 4] {
        let [x, y, z, w] = self.tracks.map(|id| tracks[id.index()].curve.scalar());
        [x, y, z, self.rebuilt_w.as_deref().unwrap_or(w)]
    }

    /// Guesses where `time` is among its keys, so that it is found sooner.
    #[inline]
    pub(super) fn seek(&self, round: Round, time: f64, hint: &mut Hint) {
        if let Some(packed) = &self.packed {
            packed.seek(round, time, hint);
        }
    }

    /// The rotation at `moment`, of unit length; identity where the components vanish.
    #[inline]
    pub(crate) fn evaluate<'a>(
        &'a self,
        tracks: &[Track],
        rule: RotationRule,
        moment: &mut SampleCursor<'a>,
        hint: &mut Hint,
    ) -> DQuat {
        let time = moment.time;
        if self.is_spherical && rule == RotationRule::Continuous {
            return self.between_whole_keys(tracks, time, hint);
        }
        let sign = |key| self.negated.as_ref().map_or(1.0, |negated| negated.sign(key));
        let evaluate = |curve: &ScalarCurve, hint: &mut Hint| match rule {
            RotationRule::Continuous => curve.evaluate_signed(time, hint, sign),
            RotationRule::AsAuthored => curve.evaluate(time, hint),
        };
        let components = match (&self.packed, rule) {
            (Some(packed), RotationRule::Continuous) => packed.at(moment, hint, |_| 1.0),
            // Negated twice, they are unchanged.
            (Some(packed), RotationRule::AsAuthored) => packed.at(moment, hint, sign),
            (None, _) => self.curves(tracks).map(|curve| evaluate(curve, hint)),
        };
        unit_or_identity(DVec4::from_array(components))
    }
}

impl ComponentRotation {
    /// The rotation at `time`, the short way at constant speed between two keys.
    #[inline(never)]
    fn between_whole_keys(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> DQuat {
        let curves = self.curves(tracks);
        let components = match curves[0].straight_between(time, hint) {
            Some((left, right, t)) => {
                let key = |index| DVec4::from_array(curves.map(|curve| curve.values().at(index)));
                Blend::ShortSlerp.between(key(left), key(right), t)
            }
            None => DVec4::from_array(curves.map(|curve| curve.evaluate(time, hint))),
        };
        unit_or_identity(components)
    }
}

/// The quaternion with these components brought to unit length.
#[inline]
fn unit_or_identity(components: DVec4) -> DQuat {
    let length = components.length();
    if length >= SHORTEST && length.is_finite() {
        DQuat::from_vec4(components * length.recip())
    } else {
        DQuat::IDENTITY
    }
}

/// The rotation of a curve of quaternions at `time`, of unit length; identity where it has none.
#[inline(never)]
pub(super) fn of_keyed(curve: &AnyCurve, time: f64, rule: RotationRule, hint: &mut Hint) -> DQuat {
    match curve {
        AnyCurve::Typed(curve) => unit_or_identity(curve.rotation(time, rule, hint)),
        _ => DQuat::IDENTITY,
    }
}

/// The rotation that points +Z along `direction` and keeps +Y as far up as possible; identity for a
/// zero direction.
pub(super) fn looking_along(direction: DVec3) -> DQuat {
    let Some(forward) = direction.try_normalize() else { return DQuat::IDENTITY };
    let sideways = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::X);
    let upward = forward.cross(sideways);
    DQuat::from_mat3(&glam::DMat3::from_cols(sideways, upward, forward)).normalize()
}

/// The rotation of a node that looks along `direction`: in source space, as `direction` is.
pub(super) fn looking_along_in(direction: DVec3, convention: &Convention) -> DQuat {
    let viewer = convention.viewer_from_source();
    let source = viewer.inverse();
    if source.direction(DVec3::NEG_Z) == DVec3::Z && source.direction(DVec3::Y) == DVec3::Y {
        return looking_along(direction);
    }
    // In the viewer's space, mirrored in z, a node that looks along +Z looks along −Z.
    let mirrored = DVec3::new(1.0, 1.0, -1.0) * viewer.direction(direction);
    let looking = looking_along(mirrored);
    source.rotation(DQuat::from_xyzw(-looking.x, -looking.y, looking.z, looking.w))
}

/// The keys to negate so that each turns the short way from the one before it; nothing if none.
fn keys_of_other_sign(curves: [&ScalarCurve; 4]) -> Option<KeySet> {
    let count = curves[0].len();
    let key = |index: usize| DVec4::from_array(curves.map(|curve| curve.values().at(index)));
    let mut negated = KeySet::none(count);
    let mut any = false;
    let mut before = if count > 0 { key(0) } else { return None };
    for index in 1..count {
        let mut here = key(index);
        if before.dot(here) < 0.0 {
            here = -here;
            negated.insert(index);
            any = true;
        }
        before = here;
    }
    any.then_some(negated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{KeyTimes, NodeId, Owner, Provenance, Shapes, Unit},
        diagnostics::SourceLocation,
    };

    fn rotation_of(keys: &[[f32; 4]]) -> (Vec<Track>, ComponentRotation) {
        let times = KeyTimes::new((0..keys.len()).map(|index| index as f64).collect::<Vec<_>>());
        let times = times.unwrap();
        let track = |component: usize| Track {
            owner: Owner::Node(NodeId::new(0)),
            property: format!("rotation.{component}"),
            curve: AnyCurve::Number(ScalarCurve::new(
                times.clone(),
                keys.iter().map(|key| key[component]).collect::<Vec<_>>(),
                Shapes::Linear,
            )),
            unit: Unit::None,
            source: Provenance::packed(SourceLocation::File, 0, 8, None),
        };
        let mut tracks: Vec<_> = (0..4).map(track).collect();
        let rotation = ComponentRotation::new([0, 1, 2, 3].map(TrackId::new), &mut tracks);
        (tracks, rotation)
    }

    #[test]
    fn negated_key_is_a_long_turn_only_as_authored() {
        let (tracks, rotation) =
            rotation_of(&[[0.0, 0.0, 0.0, 1.0], [-0.6, 0.0, 0.0, -0.8], [0.6, 0.0, 0.0, 0.8]]);
        let at = |rule, time| {
            rotation.evaluate(&tracks, rule, &mut SampleCursor::new(time), &mut Hint::default())
        };
        let still = DQuat::from_xyzw(-0.6, 0.0, 0.0, -0.8);
        assert!(at(RotationRule::Continuous, 1.5).angle_between(still) < 1e-6);
        assert_eq!(at(RotationRule::AsAuthored, 1.5), DQuat::IDENTITY, "the components vanish");
        assert!(at(RotationRule::AsAuthored, 1.4).angle_between(still) < 1e-6);
        let quarter = at(RotationRule::Continuous, 0.25);
        let expected = DQuat::from_vec4(DVec4::new(0.15, 0.0, 0.0, 0.95).normalize());
        assert!(quarter.angle_between(expected) < 1e-6, "{quarter}");
    }

    #[test]
    fn zero_quaternion_becomes_identity() {
        let (tracks, rotation) = rotation_of(&[[0.0; 4], [0.0; 4]]);
        let rule = RotationRule::Continuous;
        let at = |time| {
            rotation.evaluate(&tracks, rule, &mut SampleCursor::new(time), &mut Hint::default())
        };
        assert_eq!(at(0.5), DQuat::IDENTITY);
    }

    #[test]
    fn look_rotation_points_z_along_the_direction_with_y_up() {
        for direction in [DVec3::Z, -DVec3::Z, DVec3::X, DVec3::Y, DVec3::new(0.3, -0.4, 0.5)] {
            let rotation = looking_along(direction * 3.0);
            assert!((rotation * DVec3::Z).abs_diff_eq(direction.normalize(), 1e-12), "{direction}");
            assert!((rotation * DVec3::Y).y >= -1e-12, "{direction}");
        }
        assert_eq!(looking_along(DVec3::ZERO), DQuat::IDENTITY);
    }
}
