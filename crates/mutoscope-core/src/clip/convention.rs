//! The axes, units and rotation rule of a file, and the one place that converts them.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::{SourceAxes, Transform};

/// The axes, units and rotation rule of a recording, each with its origin.
///
/// Tracks keep the file's own numbers. What is assumed here can therefore be changed while the
/// recording plays, and everything that is drawn follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    /// The hand whose thumb, index and middle finger point along X, Y and Z.
    pub handedness: Stated<Handedness>,
    /// The up axis.
    pub up: Stated<Up>,
    /// The length of one unit in metres.
    pub metres_per_unit: Stated<f64>,
    /// How many seconds a unit of time has, in formats of which some writers count frames.
    pub seconds_per_unit: Option<Stated<f64>>,
    /// How quaternion components are interpolated between keys.
    pub rotation: Stated<RotationRule>,
    /// The axis along which a left-handed source is mirrored to become right-handed.
    pub mirror: ViewerMirror,
    /// Where x, y and z point, in files whose axes are not given by handedness and up axis alone.
    /// Both are then those of these axes, and the axes replace `mirror`.
    pub axes: Option<SourceAxes>,
}

/// A value with its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// Its origin.
    pub origin: Origin,
}

/// The origin of a fact about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Declared by the file.
    Declared,
    /// Assumed for the format, as the file does not declare it.
    Assumed,
    /// Set by the user, as the file does not declare it.
    Chosen,
}

impl<T> Stated<T> {
    /// A value that the file states.
    pub fn declared(value: T) -> Self {
        Self { value, origin: Origin::Declared }
    }

    /// A value that the format is assumed to mean.
    pub fn assumed(value: T) -> Self {
        Self { value, origin: Origin::Assumed }
    }
}

/// The hand whose thumb, index and middle finger point along X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Handedness {
    /// As in Unity.
    Left,
    /// As in the viewer.
    Right,
}

impl Handedness {
    /// Its word in every output: `left` or `right`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// The up axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Up {
    /// As in the viewer.
    Y,
    /// As in Blender.
    Z,
}

impl Up {
    /// Its word in every output: `Y` or `Z`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Y => "Y",
            Self::Z => "Z",
        }
    }
}

/// How rotations that are keyed as quaternions, as their components, or as sampled angles, are
/// interpolated between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RotationRule {
    /// A negated quaternion is the same rotation, so rotations take the short way between keys.
    /// Separate components are interpolated on their own, whole quaternions at constant speed.
    Continuous,
    /// As the recording program plays them: components as stored, whole quaternions by the
    /// [`Blend`](super::Blend) of their [`Form`](super::Form).
    AsAuthored,
}

/// The axis along which a left-handed source is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewerMirror {
    /// (x, y, −z): +Z of the source becomes −Z, forward, in the viewer.
    Z,
    /// (−x, y, z): +Z of the source stays +Z, as models in glTF face.
    X,
}

impl Convention {
    /// The convention of glTF, which its standard declares: right-handed, Y up, metres and seconds. What is left-handed
    /// and fits it, as Resonite's import of models makes it, is mirrored in x.
    pub fn gltf() -> Self {
        Self {
            handedness: Stated::declared(Handedness::Right),
            up: Stated::declared(Up::Y),
            metres_per_unit: Stated::declared(1.0),
            seconds_per_unit: None,
            rotation: Stated::declared(RotationRule::Continuous),
            mirror: ViewerMirror::X,
            axes: None,
        }
    }

    /// The convention of files that declare nothing: these axes, in metres and seconds.
    pub fn assumed(handedness: Handedness, up: Up) -> Self {
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

    /// The names of the facts with this origin, as the command line lists them.
    pub fn names_of(&self, origin: Origin) -> Vec<&'static str> {
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

    /// The change from the source's space to the viewer's: right-handed, Y up, −Z forward, metres.
    ///
    /// | source | point | rotation |
    /// |---|---|---|
    /// | right-handed, Y up | (x, y, z) | (x, y, z, w) |
    /// | right-handed, Z up | (x, z, −y) | (x, z, −y, w) |
    /// | left-handed, Y up, mirrored in z | (x, y, −z) | (−x, −y, z, w) |
    /// | left-handed, Z up | (x, z, y) | (−x, −z, −y, w) |
    /// | left-handed, Y up, mirrored in x | (−x, y, z) | (x, −y, −z, w) |
    ///
    /// With [`Convention::axes`], each component of the source goes along its axis.
    pub fn viewer_from_source(&self) -> ViewerFromSource {
        if let Some(axes) = self.axes {
            return ViewerFromSource::of_axes(axes, self.metres_per_unit.value);
        }
        let mirrors = self.handedness.value == Handedness::Left;
        let swaps_y_and_z = self.up.value == Up::Z;
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
        ViewerFromSource { signs, order, turn, metres_per_unit: self.metres_per_unit.value }
    }
}

/// The change from a source's space to the viewer's: an order and mirroring of axes, and a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewerFromSource {
    /// Applied to points after the swap.
    signs: DVec3,
    order: AxisOrder,
    /// Applied to a quaternion's axis after the swap: a mirror turns the sense of a rotation.
    turn: DVec3,
    metres_per_unit: f64,
}

/// The component of the source that each component of the viewer's space is, but for its sign.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisOrder {
    Same,
    SwapsYAndZ,
    /// By index.
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
    fn of(self, v: DVec3) -> DVec3 {
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
    /// The change from a space whose x, y and z point along these axes.
    fn of_axes(axes: SourceAxes, metres_per_unit: f64) -> Self {
        let (mut order, mut signs) = ([0; 3], DVec3::ONE);
        for (component, direction) in (0..).zip(axes.directions()) {
            let (axis, sign) = direction.in_viewer();
            order[axis] = component;
            signs[axis] = sign;
        }
        let turn = match axes.handedness() {
            Handedness::Right => signs,
            Handedness::Left => -signs,
        };
        Self { signs, order: AxisOrder::Any(order), turn, metres_per_unit }
    }

    /// The change from the viewer's space to the source's.
    pub fn inverse(&self) -> Self {
        Self {
            signs: self.order.inverse().of(self.signs),
            turn: self.order.inverse().of(self.turn),
            order: self.order.inverse(),
            metres_per_unit: 1.0 / self.metres_per_unit,
        }
    }

    #[inline]
    fn swap(&self, v: DVec3) -> DVec3 {
        self.order.of(v)
    }

    /// A point or offset, from units to metres.
    #[inline]
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.signs * self.swap(point) * self.metres_per_unit
    }

    /// A direction, whose length stays.
    #[inline]
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.signs * self.swap(direction)
    }

    /// A rotation.
    #[inline]
    pub fn rotation(&self, rotation: DQuat) -> DQuat {
        let axis = self.turn * self.swap(DVec3::new(rotation.x, rotation.y, rotation.z));
        DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// A transform relative to another of the same source.
    #[inline]
    pub fn transform(&self, transform: &Transform) -> Transform {
        Transform {
            translation: self.point(transform.translation),
            rotation: self.rotation(transform.rotation),
            scale: self.swap(transform.scale),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn convention(handedness: Handedness, up: Up) -> Convention {
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
        let place = Transform {
            translation: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
            scale: DVec3::new(1.0, 2.0, 0.5),
        };
        for handedness in [Handedness::Left, Handedness::Right] {
            for up in [Up::Y, Up::Z] {
                let viewer = convention(handedness, up).viewer_from_source();
                let back = viewer.inverse().transform(&viewer.transform(&place));
                assert!(back.translation.abs_diff_eq(place.translation, 1e-12));
                assert_eq!((back.rotation, back.scale), (place.rotation, place.scale));
            }
        }
    }

    #[test]
    fn directions_are_kept_by_the_conversion() {
        // Source, and the source's own right, up and forward.
        let cases = [
            (Handedness::Right, Up::Y, DVec3::X, DVec3::Y, -DVec3::Z),
            (Handedness::Left, Up::Y, DVec3::X, DVec3::Y, DVec3::Z),
            (Handedness::Right, Up::Z, DVec3::X, DVec3::Z, DVec3::Y),
            (Handedness::Left, Up::Z, DVec3::X, DVec3::Z, -DVec3::Y),
        ];
        for (handedness, up, right, upward, forward) in cases {
            let viewer = convention(handedness, up).viewer_from_source();
            let directions = [right, upward, forward].map(|v| viewer.direction(v));
            assert_eq!(directions, [DVec3::X, DVec3::Y, -DVec3::Z], "{handedness:?} {up:?}");
        }
    }

    #[test]
    fn conversion_commutes_with_rotation() {
        let turn = DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(FRAC_PI_2);
        let point = DVec3::new(1.0, 2.0, 3.0);
        for handedness in [Handedness::Left, Handedness::Right] {
            for up in [Up::Y, Up::Z] {
                let viewer = convention(handedness, up).viewer_from_source();
                let after = viewer.point(turn * point);
                let before = viewer.rotation(turn) * viewer.point(point);
                assert!(after.abs_diff_eq(before, 1e-12), "{handedness:?} {up:?}");
            }
        }
    }

    #[test]
    fn mirroring_in_x_matches_gltf_models() {
        let source = Convention { mirror: ViewerMirror::X, ..convention(Handedness::Left, Up::Y) };
        let viewer = source.viewer_from_source();
        assert_eq!(viewer.direction(DVec3::new(1.0, 2.0, 3.0)), DVec3::new(-1.0, 2.0, 3.0));
        let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.4);
        assert_eq!(viewer.rotation(turn), DQuat::from_xyzw(0.1, -0.2, -0.3, 0.4));
    }

    #[test]
    fn units_become_metres() {
        let viewer = convention(Handedness::Right, Up::Y).viewer_from_source();
        assert_eq!(viewer.point(DVec3::new(100.0, 0.0, 0.0)), DVec3::X);
    }

    #[test]
    fn facts_are_listed_by_origin() {
        let convention = convention(Handedness::Left, Up::Y);
        assert_eq!(convention.names_of(Origin::Declared), ["metres_per_unit"]);
        assert_eq!(convention.names_of(Origin::Assumed), ["handedness", "up", "rotation"]);
    }
}
