//! The axes, units and rotation rule of a file, and the conversion to the viewer's space.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::{SourceAxes, Transform};

/// The axes, units and rotation rule of a recording, each with its origin.
///
/// Tracks keep the numbers of the file. An assumption in a convention can therefore be changed
/// while the recording plays, and everything drawn follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    /// The handedness of the axes.
    pub handedness: Stated<Handedness>,
    /// The up axis.
    pub up: Stated<UpAxis>,
    /// The length of one unit, in metres.
    pub metres_per_unit: Stated<f64>,
    /// The duration of one unit of time, in seconds. `Some` only for formats in which some writers
    /// store frame numbers instead of seconds.
    pub seconds_per_unit: Option<Stated<f64>>,
    /// The interpolation of rotations between keys.
    pub rotation: Stated<RotationRule>,
    /// The axis along which a left-handed source is mirrored to become right-handed.
    pub mirror: ViewerMirror,
    /// The directions of x, y and z, for files whose axes do not follow from the handedness and the
    /// up axis.
    ///
    /// If this is set, `handedness` and `up` have to agree with it, and it replaces `mirror`.
    pub axes: Option<SourceAxes>,
}

/// A fact about a file, with its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// The source of the value: declared, assumed or chosen.
    pub origin: FactOrigin,
}

/// The origin of a fact about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactOrigin {
    /// Declared by the file.
    Declared,
    /// Assumed for the format, because the file does not declare the fact.
    Assumed,
    /// Chosen by the user, because the file does not declare the fact.
    Chosen,
}

impl<T> Stated<T> {
    /// Creates a fact that the file declares.
    pub fn declared(value: T) -> Self {
        Self { value, origin: FactOrigin::Declared }
    }

    /// Creates a fact that is assumed for the format.
    pub fn assumed(value: T) -> Self {
        Self { value, origin: FactOrigin::Assumed }
    }
}

/// The handedness of axes: the hand whose thumb, index and middle finger point along X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Handedness {
    /// Left-handed, as in Unity.
    Left,
    /// Right-handed, as in the viewer.
    Right,
}

impl Handedness {
    /// Returns the name in all outputs: `left` or `right`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The up axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
pub enum UpAxis {
    /// Y is up, as in the viewer.
    Y,
    /// Z is up, as in Blender.
    Z,
}

impl UpAxis {
    /// Returns the name in all outputs: `Y` or `Z`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The interpolation of rotations between keys.
///
/// The rule applies to rotations whose keys are quaternions, separate quaternion components, or
/// sampled angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RotationRule {
    /// Rotations take the short way between keys, because a quaternion and its negative are the
    /// same rotation. Separate components are interpolated independently, whole quaternions at
    /// constant speed.
    Continuous,
    /// Rotations play as in the program that recorded them. Separate components are interpolated as
    /// stored. Whole quaternions are interpolated by the [`Blend`](super::Blend) in their
    /// [`Form`](super::Form).
    AsAuthored,
}

/// The axis along which a left-handed source is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewerMirror {
    /// Maps (x, y, z) to (x, y, −z): +Z of the source becomes −Z, which is forward in the viewer.
    Z,
    /// Maps (x, y, z) to (−x, y, z): +Z of the source stays +Z, the direction in which glTF models
    /// face.
    X,
}

impl Convention {
    /// Returns the convention that the glTF standard declares: right-handed, Y up, metres and
    /// seconds.
    ///
    /// `mirror` is x, because Resonite mirrors glTF models along x when it imports them. A
    /// left-handed recording on such a model has to be mirrored along the same axis.
    pub fn gltf() -> Self {
        Self {
            handedness: Stated::declared(Handedness::Right),
            up: Stated::declared(UpAxis::Y),
            metres_per_unit: Stated::declared(1.0),
            seconds_per_unit: None,
            rotation: Stated::declared(RotationRule::Continuous),
            mirror: ViewerMirror::X,
            axes: None,
        }
    }

    /// Returns the convention for a file that declares nothing. The axes are the given ones,
    /// lengths are in metres, and times are in seconds.
    pub fn assumed(handedness: Handedness, up: UpAxis) -> Self {
        Self {
            handedness: Stated::assumed(handedness),
            up: Stated::assumed(up),
            metres_per_unit: Stated::assumed(1.0),
            seconds_per_unit: None,
            rotation: Stated::assumed(RotationRule::Continuous),
            mirror: ViewerMirror::Z,
            axes: None,
        }
    }

    /// Returns the names of the facts whose origin is `origin`, as the command line prints them.
    pub fn fact_names(&self, origin: FactOrigin) -> Vec<&'static str> {
        let facts = [
            ("handedness", self.handedness.origin),
            ("up", self.up.origin),
            ("metres_per_unit", self.metres_per_unit.origin),
            ("rotation", self.rotation.origin),
        ];
        let time = self.seconds_per_unit.map(|time| ("seconds_per_unit", time.origin));
        let facts = facts.into_iter().chain(time);
        facts.filter(|fact| fact.1 == origin).map(|fact| fact.0).collect()
    }

    /// Returns the conversion from the file's space to the viewer's: right-handed, Y up, −Z
    /// forward, metres.
    ///
    /// | source | point | rotation |
    /// |---|---|---|
    /// | right-handed, Y up | (x, y, z) | (x, y, z, w) |
    /// | right-handed, Z up | (x, z, −y) | (x, z, −y, w) |
    /// | left-handed, Y up, mirrored in z | (x, y, −z) | (−x, −y, z, w) |
    /// | left-handed, Z up | (x, z, y) | (−x, −z, −y, w) |
    /// | left-handed, Y up, mirrored in x | (−x, y, z) | (x, −y, −z, w) |
    ///
    /// If [`Convention::axes`] is set, the table does not apply. Each component of the source then
    /// becomes the component along the direction that `axes` gives to it.
    pub fn viewer_from_source(&self) -> ViewerFromSource {
        if let Some(axes) = self.axes {
            return ViewerFromSource::from_axes(axes, self.metres_per_unit.value);
        }
        let mirrors = self.handedness.value == Handedness::Left;
        let swaps_y_and_z = self.up.value == UpAxis::Z;
        let forward = match (mirrors, swaps_y_and_z) {
            (false, false) | (true, true) => DVec3::ONE,
            (false, true) | (true, false) => DVec3::new(1.0, 1.0, -1.0),
        };
        let signs = match (mirrors, self.mirror) {
            (true, ViewerMirror::X) => forward * DVec3::new(-1.0, 1.0, -1.0),
            (false, _) | (true, ViewerMirror::Z) => forward,
        };
        let turn = if mirrors { -signs } else { signs };
        let order = if swaps_y_and_z { AxisOrder::SwapsYAndZ } else { AxisOrder::Same };
        ViewerFromSource {
            signs,
            order,
            rotation_signs: turn,
            metres_per_unit: self.metres_per_unit.value,
        }
    }
}

/// A conversion from a file's space to the viewer's: a permutation and mirroring of axes, and a
/// unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerFromSource {
    signs: DVec3,
    order: AxisOrder,
    /// The factors for the x, y and z of a quaternion, after reordering. They equal `signs` if the
    /// conversion does not mirror. A mirror reverses the direction of each rotation, so they are
    /// −`signs` if it does.
    rotation_signs: DVec3,
    metres_per_unit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisOrder {
    Same,
    SwapsYAndZ,
    /// For each axis of the viewer, the index of the source's component.
    Any([u8; 3]),
}

impl AxisOrder {
    fn inverse(self) -> Self {
        match self {
            Self::Same | Self::SwapsYAndZ => self,
            Self::Any(order) => {
                let mut inverse = [0; 3];
                for (to, from) in (0..).zip(order) {
                    inverse[usize::from(from)] = to;
                }
                Self::Any(inverse)
            }
        }
    }

    #[inline]
    fn reorder(self, v: DVec3) -> DVec3 {
        match self {
            Self::Same => v,
            Self::SwapsYAndZ => DVec3::new(v.x, v.z, v.y),
            Self::Any([x, y, z]) => {
                DVec3::new(v[usize::from(x)], v[usize::from(y)], v[usize::from(z)])
            }
        }
    }
}

impl ViewerFromSource {
    fn from_axes(axes: SourceAxes, metres_per_unit: f64) -> Self {
        let (mut order, mut signs) = ([0; 3], DVec3::ONE);
        for (component, direction) in (0..).zip(axes.directions()) {
            let (axis, sign) = direction.viewer_axis_and_sign();
            order[axis] = component;
            signs[axis] = sign;
        }
        let rotation_signs = match axes.handedness() {
            Handedness::Right => signs,
            Handedness::Left => -signs,
        };
        Self { signs, order: AxisOrder::Any(order), rotation_signs, metres_per_unit }
    }

    /// Returns the conversion from the viewer's space to the file's.
    pub fn inverse(&self) -> Self {
        Self {
            signs: self.order.inverse().reorder(self.signs),
            rotation_signs: self.order.inverse().reorder(self.rotation_signs),
            order: self.order.inverse(),
            metres_per_unit: 1.0 / self.metres_per_unit,
        }
    }

    #[inline]
    fn reorder_axes(&self, v: DVec3) -> DVec3 {
        self.order.reorder(v)
    }

    /// Converts a point or an offset, in units, to metres.
    #[inline]
    pub fn convert_point(&self, point: DVec3) -> DVec3 {
        self.signs * self.reorder_axes(point) * self.metres_per_unit
    }

    /// Converts a direction and keeps its length.
    #[inline]
    pub fn convert_direction(&self, direction: DVec3) -> DVec3 {
        self.signs * self.reorder_axes(direction)
    }

    /// Converts a rotation.
    #[inline]
    pub fn convert_rotation(&self, rotation: DQuat) -> DQuat {
        let axis =
            self.rotation_signs * self.reorder_axes(DVec3::new(rotation.x, rotation.y, rotation.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// Converts a transform whose parent is in the same source space.
    #[inline]
    pub fn convert_transform(&self, transform: &Transform) -> Transform {
        Transform {
            translation: self.convert_point(transform.translation),
            rotation: self.convert_rotation(transform.rotation),
            scale: self.reorder_axes(transform.scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn convention(handedness: Handedness, up: UpAxis) -> Convention {
        Convention {
            handedness: Stated::assumed(handedness),
            up: Stated::assumed(up),
            metres_per_unit: Stated::declared(0.01),
            rotation: Stated::assumed(RotationRule::Continuous),
            seconds_per_unit: None,
            mirror: ViewerMirror::Z,
            axes: None,
        }
    }

    #[test]
    fn viewer_conversion_round_trips() {
        let transform = Transform {
            translation: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
            scale: DVec3::new(1.0, 2.0, 0.5),
        };
        for handedness in [Handedness::Left, Handedness::Right] {
            for up in [UpAxis::Y, UpAxis::Z] {
                let viewer = convention(handedness, up).viewer_from_source();
                let back =
                    viewer.inverse().convert_transform(&viewer.convert_transform(&transform));
                assert!(back.translation.abs_diff_eq(transform.translation, 1e-12));
                assert_eq!((back.rotation, back.scale), (transform.rotation, transform.scale));
            }
        }
    }

    #[test]
    fn directions_are_kept_by_the_conversion() {
        // The handedness, the up axis, and the source's own right, up and forward.
        let cases = [
            (Handedness::Right, UpAxis::Y, DVec3::X, DVec3::Y, -DVec3::Z),
            (Handedness::Left, UpAxis::Y, DVec3::X, DVec3::Y, DVec3::Z),
            (Handedness::Right, UpAxis::Z, DVec3::X, DVec3::Z, DVec3::Y),
            (Handedness::Left, UpAxis::Z, DVec3::X, DVec3::Z, -DVec3::Y),
        ];
        for (handedness, up, right, upward, forward) in cases {
            let viewer = convention(handedness, up).viewer_from_source();
            let directions = [right, upward, forward].map(|v| viewer.convert_direction(v));
            assert_eq!(directions, [DVec3::X, DVec3::Y, -DVec3::Z], "{handedness:?} {up:?}");
        }
    }

    #[test]
    fn conversion_commutes_with_rotation() {
        let turn = DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(FRAC_PI_2);
        let point = DVec3::new(1.0, 2.0, 3.0);
        for handedness in [Handedness::Left, Handedness::Right] {
            for up in [UpAxis::Y, UpAxis::Z] {
                let viewer = convention(handedness, up).viewer_from_source();
                let after = viewer.convert_point(turn * point);
                let before = viewer.convert_rotation(turn) * viewer.convert_point(point);
                assert!(after.abs_diff_eq(before, 1e-12), "{handedness:?} {up:?}");
            }
        }
    }

    #[test]
    fn mirroring_in_x_matches_gltf_models() {
        let source =
            Convention { mirror: ViewerMirror::X, ..convention(Handedness::Left, UpAxis::Y) };
        let viewer = source.viewer_from_source();
        assert_eq!(viewer.convert_direction(DVec3::new(1.0, 2.0, 3.0)), DVec3::new(-1.0, 2.0, 3.0));
        let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.4);
        assert_eq!(viewer.convert_rotation(turn), DQuat::from_xyzw(0.1, -0.2, -0.3, 0.4));
    }

    #[test]
    fn units_become_metres() {
        let viewer = convention(Handedness::Right, UpAxis::Y).viewer_from_source();
        assert_eq!(viewer.convert_point(DVec3::new(100.0, 0.0, 0.0)), DVec3::X);
    }

    #[test]
    fn facts_are_listed_by_origin() {
        let convention = convention(Handedness::Left, UpAxis::Y);
        assert_eq!(convention.fact_names(FactOrigin::Declared), ["metres_per_unit"]);
        assert_eq!(convention.fact_names(FactOrigin::Assumed), ["handedness", "up", "rotation"]);
    }
}
