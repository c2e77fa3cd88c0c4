//! Finds the gaps between keys in which a node moves on a straight line.

use super::{
    AnyCurve, Blend, Channel, Channels, Clip, Form, Hint, Node, NodeVisibility, Rotation,
    RotationRule, ScalarCurve, Shapes, TrackId, Translation, curve::PackedKeys,
};

/// The parts of the motion of a node that need no samples between two keys.
///
/// A translation or a scale is linear there, a rotation is within 10⁻⁵ rad of a slerp, and a
/// visibility does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StraightParts {
    pub(crate) translation: bool,
    pub(crate) rotation: bool,
    pub(crate) scale: bool,
    pub(crate) visibility: bool,
}

/// Finds the [`StraightParts`] of a node in each gap between its key times.
pub(crate) struct StraightGaps<'a> {
    translation: bool,
    rotation: RotationGaps<'a>,
    scale: bool,
    visibility: bool,
    hint: Hint,
}

enum RotationGaps<'a> {
    AllStraight,
    Unknown,
    /// Quaternions whose components are interpolated and then normalised. The gap is straight if
    /// the rotation from one key to the next is small.
    Normalised(&'a PackedKeys<4>),
}

impl<'a> StraightGaps<'a> {
    pub(crate) fn new(clip: &'a Clip, node: &'a Node) -> Self {
        Self {
            translation: match &node.motion.translation {
                Translation::Rest => true,
                Translation::Components(vector) => {
                    vector.tracks().iter().all(|&track| clip.is_straight(track, 0))
                }
                Translation::Channels(channels) => clip.are_channels_straight(channels),
            },
            rotation: clip.rotation_gaps(&node.motion.rotation),
            scale: node
                .motion
                .scale
                .as_deref()
                .is_none_or(|channels| clip.are_channels_straight(channels)),
            visibility: match node.motion.visibility {
                NodeVisibility::Always | NodeVisibility::Never => true,
                NodeVisibility::While(track) => match &clip.track(track).curve {
                    AnyCurve::Number(curve) | AnyCurve::Switch(curve) => {
                        matches!(curve.shapes(), Shapes::Step) && has_single_keys(curve)
                    }
                    _ => false,
                },
            },
            hint: Hint::default(),
        }
    }

    /// Returns the straight parts in the gap that begins at `from`, in seconds. No key of the node
    /// may be inside the gap.
    pub(crate) fn parts_after(&mut self, from: f64) -> StraightParts {
        let rotation = match &self.rotation {
            RotationGaps::AllStraight => true,
            RotationGaps::Unknown => false,
            RotationGaps::Normalised(keys) => is_small_turn(keys.keys_around(from, &mut self.hint)),
        };
        let Self { translation, scale, visibility, .. } = *self;
        StraightParts { translation, rotation, scale, visibility }
    }
}

impl Clip {
    fn are_channels_straight(&self, channels: &Channels) -> bool {
        channels.0.iter().all(|channel| match *channel {
            Channel::Rest(_) => true,
            Channel::Track { track, .. } => self.is_straight(track, 0),
            Channel::Component { track, component } => self.is_straight(track, component.into()),
        })
    }

    /// Returns `true` if all gaps of a component of a track are linear.
    fn is_straight(&self, track: TrackId, component: usize) -> bool {
        let curve = match &self.track(track).curve {
            AnyCurve::Number(curve) => Some(curve),
            AnyCurve::Typed(curve) if !curve.is_frozen() => curve.components().get(component),
            _ => None,
        };
        curve.is_some_and(is_linear)
    }

    fn rotation_gaps<'a>(&self, rotation: &'a Rotation) -> RotationGaps<'a> {
        let rule = self.convention.rotation.value;
        let is_continuous = rule == RotationRule::Continuous;
        let is_slerp = match rotation {
            Rotation::Rest => true,
            Rotation::Components(components) => {
                let is_normalised = is_continuous || !components.negates_keys();
                if let Some(keys) = components.packed().filter(|keys| keys.has_single_keys())
                    && is_normalised
                {
                    return RotationGaps::Normalised(keys);
                }
                components.authored_blend() == Blend::ShortSlerp
                    && components.tracks().iter().all(|&track| self.is_straight(track, 0))
                    && components.rebuilt_w().is_none()
            }
            Rotation::Keyed(track) => match &self.track(*track).curve {
                AnyCurve::Typed(curve) => {
                    let authored = match curve.value_type().form {
                        Form::Quaternion { authored_blend } => authored_blend,
                        _ => Blend::ShortSlerp,
                    };
                    (is_continuous || authored == Blend::ShortSlerp) && self.is_straight(*track, 0)
                }
                _ => false,
            },
            Rotation::Euler(euler) => {
                let first = euler.angles.tracks().next();
                let is_linear = |track| self.is_straight(track, 0);
                euler.is_sampled && is_continuous && first.is_some_and(is_linear)
            }
            Rotation::Direction(_) => false,
        };
        if is_slerp { RotationGaps::AllStraight } else { RotationGaps::Unknown }
    }
}

fn is_linear(curve: &ScalarCurve) -> bool {
    curve.is_linear_and_clamped() && has_single_keys(curve)
}

/// Returns `true` if no two keys have the same time. A curve may jump between two such keys.
fn has_single_keys(curve: &ScalarCurve) -> bool {
    curve.times().are_unique()
}

/// Returns `true` if the normalised interpolation between two unit quaternions is within 10⁻⁵ rad
/// of a slerp.
///
/// For two unit quaternions that are θ rad of rotation apart, the difference is at most θ³/190 in
/// any part of the gap. At 0.1 rad it is 5·10⁻⁶ rad.
fn is_small_turn([left, right]: [[f32; 4]; 2]) -> bool {
    /// The distance between two unit quaternions that are 0.1 rad of rotation apart.
    const MAX_DISTANCE: f64 = 0.05;
    const MAX_LENGTH_ERROR: f64 = 1e-5;
    let (left, right) = (glam::Vec4::from(left).as_dvec4(), glam::Vec4::from(right).as_dvec4());
    let is_unit = |key: glam::DVec4| (key.length_squared() - 1.0).abs() <= 2.0 * MAX_LENGTH_ERROR;
    left.distance_squared(right) <= MAX_DISTANCE * MAX_DISTANCE && is_unit(left) && is_unit(right)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3, DVec4};
    use mutoscope_testing::recording::{Keys, Recording};

    use super::*;
    use crate::clip::NodeId;

    #[test]
    fn large_turns_between_keys_are_not_straight() {
        let turn = |angle: f64| to_key(DQuat::from_rotation_y(angle));
        let keys = [turn(0.0), turn(0.05), turn(1.5), turn(1.55)];
        let component = |part: usize| {
            let keys = keys.iter().enumerate();
            Keys::simple(&keys.map(|(index, key)| (index as f32, key[part])).collect::<Vec<_>>())
        };
        let [still, rotation] = [Keys::simple(&[(0.0, 0.0)]), component(0)];
        let camera = [
            still.clone(),
            still.clone(),
            still,
            rotation,
            component(1),
            component(2),
            component(3),
        ];
        let bytes = Recording::with_camera(camera).encode();
        let clip = crate::decode(&bytes, &crate::ReadOptions::default()).unwrap();
        let mut gaps = StraightGaps::new(&clip, &clip.nodes[NodeId::new(0)]);
        let straight = [0.0, 0.5, 1.0, 1.2, 2.0].map(|time| gaps.parts_after(time).rotation);
        assert_eq!(straight, [true, true, false, false, true]);
        assert!(gaps.parts_after(0.0).translation && gaps.parts_after(0.0).visibility);
    }

    fn to_key(rotation: DQuat) -> [f32; 4] {
        rotation.as_quat().to_array()
    }

    #[test]
    fn small_turns_are_close_to_a_slerp_in_every_part_of_the_gap() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut direction = || DVec3::from_array([(); 3].map(|()| random.f64() - 0.5)).normalize();
        let mut largest = 0.0_f64;
        for turn in 1..200 {
            let left = DQuat::from_axis_angle(direction(), f64::from(turn));
            let angle = 0.0999 * f64::from(turn) / 200.0;
            let right = left * DQuat::from_axis_angle(direction(), angle);
            let keys = [to_key(left), to_key(right)];
            assert!(is_small_turn(keys), "{angle}");
            let [from, to] = keys.map(|key| glam::Vec4::from(key).as_dvec4());
            let normalised = |part: f64| from.lerp(to, part).normalize();
            for [start, end] in [[0.0, 1.0], [0.0, 0.75], [0.2, 0.6], [0.3, 1.0]] {
                for part in [0.2, 0.25, 0.5, 0.8] {
                    let ends = [start, end].map(normalised);
                    let slerp = Blend::ShortSlerp.interpolate(ends[0], ends[1], part);
                    let expected: DVec4 = normalised(start + (end - start) * part);
                    largest = largest.max(2.0 * slerp.distance(expected));
                }
            }
        }
        assert!((2e-6..1e-5).contains(&largest), "{largest}");
        let fast = DQuat::from_rotation_x(0.11);
        assert!(!is_small_turn([to_key(DQuat::IDENTITY), to_key(fast)]));
        assert!(!is_small_turn([to_key(DQuat::IDENTITY), to_key(-DQuat::IDENTITY)]));
        assert!(!is_small_turn([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.999]]));
    }
}
