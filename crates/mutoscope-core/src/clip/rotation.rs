//! The sources of rotations, and rotations whose components are separate curves.

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4, Vec4};

use super::{
    AnyCurve, Blend, ComponentVector, Convention, EulerRotation, Hint, RotationRule, ScalarCurve,
    Track, TrackId,
    curve::{KeySet, PackedKeys, SampleCursor, SeekRound},
};

/// The smallest length of a quaternion with a usable direction. A shorter quaternion is treated as
/// zero.
const MIN_QUATERNION_LENGTH: f64 = 1e-6;

/// The source of a node's rotation.
#[derive(Clone, Debug, Default)]
pub enum Rotation {
    /// The rest pose.
    #[default]
    Rest,
    /// Four curves, one for each component of a quaternion.
    Components(ComponentRotation),
    /// One curve of whole quaternions.
    Keyed(TrackId),
    /// Angles about the axes.
    Euler(Box<EulerRotation>),
    /// A direction in source space. In the viewer's space, the node's −Z axis points along the
    /// direction, and its +Y axis points up as far as possible. For Unity, −Z in the viewer's space
    /// is +Z of the source.
    Direction(ComponentVector),
}

/// A quaternion whose x, y, z and w are separate curves. They are interpolated independently and
/// normalised afterwards, as in Unity.
#[derive(Clone, Debug)]
pub struct ComponentRotation {
    tracks: [TrackId; 4],
    /// The curve that is used instead of the w of the file, because the file has lost w.
    rebuilt_w: Option<Box<ScalarCurve>>,
    /// The keys to negate, so that rotations take the short way between consecutive keys.
    negated: Option<Arc<KeySet>>,
    /// The packed keys, if the four curves share their key times. The keys in `negated` are already
    /// negated.
    packed: Option<PackedKeys<4>>,
    /// `true` if rotations take the short way between keys at constant speed.
    uses_slerp: bool,
}

impl ComponentRotation {
    /// Creates a rotation from the tracks of x, y, z and w.
    ///
    /// If the four curves share their key times, this also finds the keys to negate under
    /// [`RotationRule::Continuous`]. If they are also linear and store f32, this moves their values
    /// into one interleaved buffer.
    pub fn new(components: [TrackId; 4], tracks: &mut [Track]) -> Self {
        Self::build(components, None, tracks)
    }

    /// Creates a rotation from the tracks of x, y, z and w that is interpolated at constant speed
    /// along the short way, under either [`RotationRule`]. Use this for sampled rotations, in which
    /// each key is a whole quaternion.
    ///
    /// If the four curves do not share their key times, this does the same as [`Self::new`].
    pub fn new_slerp(components: [TrackId; 4], tracks: &mut [Track]) -> Self {
        let curves = components.map(|id| tracks[id.index()].curve.scalar());
        let share_times =
            curves.iter().all(|curve| curve.times().is_shared_with(curves[0].times()));
        if !share_times {
            return Self::build(components, None, tracks);
        }
        Self { tracks: components, rebuilt_w: None, negated: None, packed: None, uses_slerp: true }
    }

    /// Creates a rotation like [`Self::new`], but with the curve `w` instead of the w of the file.
    /// The track of w is not changed.
    pub fn with_rebuilt_w(components: [TrackId; 4], w: ScalarCurve, tracks: &mut [Track]) -> Self {
        Self::build(components, Some(w), tracks)
    }

    fn build(components: [TrackId; 4], w: Option<ScalarCurve>, tracks: &mut [Track]) -> Self {
        let mut curves = components.map(|id| tracks[id.index()].curve.scalar().clone());
        let is_rebuilt = w.is_some();
        if let Some(w) = w {
            curves[3] = w;
        }
        let mut rotation = Self::from_curves(components, &mut curves);
        let [x, y, z, w] = curves;
        let [x_track, y_track, z_track, w_track] = components.map(TrackId::index);
        for (track, curve) in [(x_track, x), (y_track, y), (z_track, z)] {
            *tracks[track].curve.scalar_mut() = curve;
        }
        match is_rebuilt {
            true => rotation.rebuilt_w = Some(Box::new(w)),
            false => *tracks[w_track].curve.scalar_mut() = w,
        }
        rotation
    }

    /// Creates a rotation like [`Self::new`], for a decoder that has built the curves but not yet their
    /// tracks.
    pub(crate) fn from_curves(tracks: [TrackId; 4], curves: &mut [ScalarCurve; 4]) -> Self {
        let times = curves[0].times();
        let share_times = curves.iter().all(|curve| curve.times().is_shared_with(times));
        let negated = match share_times {
            true => keys_to_negate(curves.each_ref()).map(Arc::new),
            false => None,
        };
        let packed = PackedKeys::new(curves.each_ref(), negated.as_deref());
        if let Some(packed) = &packed {
            for (curve, values) in curves.iter_mut().zip(packed.columns(negated.as_ref())) {
                curve.set_values(values);
            }
        }
        Self { tracks, rebuilt_w: None, negated, packed, uses_slerp: false }
    }

    /// Returns the rotation for curves that have the same number of keys, but other times or shapes.
    /// `change` converts the rebuilt w.
    pub(super) fn without_packed_keys(&self, change: impl Fn(&ScalarCurve) -> ScalarCurve) -> Self {
        let rebuilt_w = self.rebuilt_w.as_deref().map(change).map(Box::new);
        Self { rebuilt_w, packed: None, ..self.clone() }
    }

    pub(super) fn packed(&self) -> Option<&PackedKeys<4>> {
        self.packed.as_ref()
    }

    pub(super) fn negates_keys(&self) -> bool {
        self.negated.is_some()
    }

    /// Returns the tracks of x, y, z and w.
    pub fn tracks(&self) -> [TrackId; 4] {
        self.tracks
    }

    /// Returns the blend between keys under [`RotationRule::AsAuthored`].
    pub fn authored_blend(&self) -> Blend {
        if self.uses_slerp { Blend::ShortSlerp } else { Blend::Lerp }
    }

    /// Returns the curve that replaces the w of the file, if w was lost.
    pub fn rebuilt_w(&self) -> Option<&ScalarCurve> {
        self.rebuilt_w.as_deref()
    }

    fn curves<'a>(&'a self, tracks: &'a [Track]) -> [&'a ScalarCurve; 4] {
        let [x, y, z, w] = self.tracks.map(|id| tracks[id.index()].curve.scalar());
        [x, y, z, self.rebuilt_w.as_deref().unwrap_or(w)]
    }

    #[inline]
    pub(super) fn seek(&self, round: SeekRound, time: f64, hint: &mut Hint) {
        if let Some(packed) = &self.packed {
            packed.seek(round, time, hint);
        }
    }

    /// The result has unit length, or is the identity if the components are (almost) zero.
    #[inline]
    pub(crate) fn evaluate<'a>(
        &'a self,
        tracks: &[Track],
        rule: RotationRule,
        cursor: &mut SampleCursor<'a>,
        hint: &mut Hint,
    ) -> DQuat {
        let time = cursor.time;
        if self.uses_slerp {
            return self.slerp_between_keys(tracks, time, hint);
        }
        let sign = |key| self.negated.as_ref().map_or(1.0, |negated| negated.sign(key));
        let evaluate = |curve: &ScalarCurve, hint: &mut Hint| match rule {
            RotationRule::Continuous => curve.evaluate_signed(time, hint, sign),
            RotationRule::AsAuthored => curve.evaluate(time, hint),
        };
        let components = match (&self.packed, rule) {
            (Some(packed), RotationRule::Continuous) => packed.evaluate(cursor, hint, |_| 1.0),
            // The packed keys in `negated` have the opposite sign. Negating them again restores the
            // values of the file.
            (Some(packed), RotationRule::AsAuthored) => packed.evaluate(cursor, hint, sign),
            (None, _) => self.curves(tracks).map(|curve| evaluate(curve, hint)),
        };
        unit_or_identity(DVec4::from_array(components))
    }
}

impl ComponentRotation {
    #[inline(never)]
    fn slerp_between_keys(&self, tracks: &[Track], time: f64, hint: &mut Hint) -> DQuat {
        let curves = self.curves(tracks);
        let components = match curves[0].linear_span_at(time, hint) {
            Some((left, right, t)) => {
                let key =
                    |index| DVec4::from_array(curves.map(|curve| curve.values().value_at(index)));
                Blend::ShortSlerp.interpolate(key(left), key(right), t)
            }
            None => DVec4::from_array(curves.map(|curve| curve.evaluate(time, hint))),
        };
        unit_or_identity(components)
    }
}

#[inline]
fn unit_or_identity(components: DVec4) -> DQuat {
    let length = components.length();
    if length >= MIN_QUATERNION_LENGTH && length.is_finite() {
        DQuat::from_vec4(components * length.recip())
    } else {
        DQuat::IDENTITY
    }
}

#[inline(never)]
pub(super) fn evaluate_quaternion_curve(
    curve: &AnyCurve,
    time: f64,
    rule: RotationRule,
    hint: &mut Hint,
) -> DQuat {
    match curve {
        AnyCurve::Typed(curve) => unit_or_identity(curve.rotation(time, rule, hint)),
        _ => DQuat::IDENTITY,
    }
}

/// Returns the rotation that points +Z along `direction` and keeps +Y as far up as possible, or the
/// identity if `direction` is zero.
pub(super) fn look_rotation(direction: DVec3) -> DQuat {
    let Some(forward) = direction.try_normalize() else { return DQuat::IDENTITY };
    let sideways = DVec3::Y.cross(forward).try_normalize().unwrap_or(DVec3::X);
    let upward = forward.cross(sideways);
    DQuat::from_mat3(&glam::DMat3::from_cols(sideways, upward, forward)).normalize()
}

pub(super) fn look_rotation_in_source(direction: DVec3, convention: &Convention) -> DQuat {
    let viewer = convention.viewer_from_source();
    let source = viewer.inverse();
    if source.convert_direction(DVec3::NEG_Z) == DVec3::Z
        && source.convert_direction(DVec3::Y) == DVec3::Y
    {
        return look_rotation(direction);
    }
    // `look_rotation` points +Z along a direction, but a node looks along −Z in the viewer's space.
    // So compute the rotation in the viewer's space mirrored in z, and mirror it back.
    let mirrored = DVec3::new(1.0, 1.0, -1.0) * viewer.convert_direction(direction);
    let mirrored_rotation = look_rotation(mirrored);
    source.convert_rotation(DQuat::from_xyzw(
        -mirrored_rotation.x,
        -mirrored_rotation.y,
        mirrored_rotation.z,
        mirrored_rotation.w,
    ))
}

fn keys_to_negate(curves: [&ScalarCurve; 4]) -> Option<KeySet> {
    let count = curves[0].len();
    match curves.map(|curve| curve.values().as_f32_slice()) {
        [Some(x), Some(y), Some(z), Some(w)] => {
            find_opposite_keys(count, |key| Vec4::new(x[key], y[key], z[key], w[key]).as_dvec4())
        }
        _ => find_opposite_keys(count, |key| {
            DVec4::from_array(curves.map(|curve| curve.values().value_at(key)))
        }),
    }
}

/// Returns the keys to negate, so that each quaternion is nearer to the one before it, which may be
/// negated itself. `None` if no key has to be negated.
fn find_opposite_keys(count: usize, key: impl Fn(usize) -> DVec4) -> Option<KeySet> {
    let mut negated = KeySet::empty(count);
    let mut any = false;
    let mut previous = if count > 0 { key(0) } else { return None };
    for index in 1..count {
        let mut current = key(index);
        if previous.dot(current) < 0.0 {
            current = -current;
            negated.insert(index);
            any = true;
        }
        previous = current;
    }
    any.then_some(negated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{KeyTimes, NodeId, Owner, Shapes, TrackLocation, Unit},
        diagnostics::SourceLocation,
    };

    fn rotation_from_keys(keys: &[[f32; 4]]) -> (Vec<Track>, ComponentRotation) {
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
            source: TrackLocation::packed(SourceLocation::File, 0, 8, None),
        };
        let mut tracks: Vec<_> = (0..4).map(track).collect();
        let rotation = ComponentRotation::new([0, 1, 2, 3].map(TrackId::new), &mut tracks);
        (tracks, rotation)
    }

    #[test]
    fn negated_key_is_a_long_turn_only_as_authored() {
        let (tracks, rotation) = rotation_from_keys(&[
            [0.0, 0.0, 0.0, 1.0],
            [-0.6, 0.0, 0.0, -0.8],
            [0.6, 0.0, 0.0, 0.8],
        ]);
        let rotation_at = |rule, time| {
            rotation.evaluate(&tracks, rule, &mut SampleCursor::new(time), &mut Hint::default())
        };
        let still = DQuat::from_xyzw(-0.6, 0.0, 0.0, -0.8);
        assert!(rotation_at(RotationRule::Continuous, 1.5).angle_between(still) < 1e-6);
        assert_eq!(
            rotation_at(RotationRule::AsAuthored, 1.5),
            DQuat::IDENTITY,
            "the components vanish"
        );
        assert!(rotation_at(RotationRule::AsAuthored, 1.4).angle_between(still) < 1e-6);
        let quarter = rotation_at(RotationRule::Continuous, 0.25);
        let expected = DQuat::from_vec4(DVec4::new(0.15, 0.0, 0.0, 0.95).normalize());
        assert!(quarter.angle_between(expected) < 1e-6, "{quarter}");
    }

    #[test]
    fn zero_quaternion_becomes_identity() {
        let (tracks, rotation) = rotation_from_keys(&[[0.0; 4], [0.0; 4]]);
        let rule = RotationRule::Continuous;
        let rotation_at = |time| {
            rotation.evaluate(&tracks, rule, &mut SampleCursor::new(time), &mut Hint::default())
        };
        assert_eq!(rotation_at(0.5), DQuat::IDENTITY);
    }

    #[test]
    fn look_rotation_points_z_along_the_direction_with_y_up() {
        for direction in [DVec3::Z, -DVec3::Z, DVec3::X, DVec3::Y, DVec3::new(0.3, -0.4, 0.5)] {
            let rotation = look_rotation(direction * 3.0);
            assert!((rotation * DVec3::Z).abs_diff_eq(direction.normalize(), 1e-12), "{direction}");
            assert!((rotation * DVec3::Y).y >= -1e-12, "{direction}");
        }
        assert_eq!(look_rotation(DVec3::ZERO), DQuat::IDENTITY);
    }
}
